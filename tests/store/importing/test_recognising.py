from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from dreamreview.errors import StoreError, UsageError
from dreamreview.store.importing import recognising, values
from dreamreview.store.importing.recognising import suggested_by
from tests.store.importing.grounds import ground_of, left, made
from tests.workspace.stores import Files, lay

STORE: Files = {"MEMORY.md": b"- one\n- two\n", "memory/2026-08-03.md": b"- Glaze 7 runs.\n"}
DIFF = b"--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ -1 +1 @@\n-- one\n+- ONE\n"
EXPORT = b"---\nid: 1\ntype: x\n---\nThe loom is oiled on Fridays.\n"
RECALL = {"path": "memory/2026-08-03.md", "startLine": 1, "endLine": 1, "snippet": "Glaze 7 runs.", "recallCount": 1}
RECALLS = json.dumps({"version": 1, "entries": {"k": RECALL}}).encode()
REPORT = (
    b"- Candidate: Glaze 7 runs.\n  - confidence: 0.5\n  - evidence: memory/2026-08-03.md:1-1\n  - status: staged\n"
)


@pytest.mark.parametrize(
    ("data", "kind", "count"),
    [
        (DIFF, "patch", 1),
        (EXPORT, "mem0", 1),
        (RECALLS, "candidates", 2),
        (REPORT, "candidates", 2),
        (b" \n", "patch", 0),
    ],
)
def test_a_file_and_stdin_are_known_by_what_they_hold(tmp_path: Path, data: bytes, kind: str, count: int) -> None:
    ground = ground_of(tmp_path / "store", STORE)
    (tmp_path / "source").write_bytes(data)
    for found in (suggested_by(ground, "-", data), suggested_by(ground, str(tmp_path / "source"))):
        assert (found.source, len(found.changes)) == (kind, count)


@pytest.mark.parametrize("data", [b"hello\n", b"{}", b"---\nname: a\n---\ntext\n", b"\x89PNG\r\n\x1a\n\0"])
def test_what_looks_like_nothing_known_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UsageError, match="stdin is no unified diff, no mem0 export and no list of candidates"):
        suggested_by(ground_of(tmp_path / "store", STORE), "-", data)


def test_a_folder_of_patches_is_made_in_the_order_of_their_names(tmp_path: Path) -> None:
    patches = lay(
        tmp_path / "patches", {"b.diff": DIFF.replace(b"one", b"ONE").replace(b"+- ONE", b"+- 1"), "a.patch": DIFF}
    )
    found = suggested_by(ground_of(tmp_path / "store", STORE), str(patches))
    assert (found.source, made(found), left(found)) == ("patch", {"MEMORY.md": b"- 1\n- two\n"}, [])


@pytest.mark.parametrize("place", ["", ".inbox", ".inbox/private", ".inbox/private/extraction.patch"])
def test_an_inbox_of_gemini_cli_names_its_files_in_full(tmp_path: Path, place: str) -> None:
    store = tmp_path / "memory"
    private = (
        f"--- {store}/MEMORY.md\n+++ {store}/MEMORY.md\n@@ -1,2 +1,3 @@\n - one\n - two\n+- See {store}/more.md\n"
        f"--- /dev/null\n+++ {store}/more.md\n@@ -0,0 +1 @@\n+# More\n"
    )
    outside = "--- /dev/null\n+++ /home/somebody/.gemini/GEMINI.md\n@@ -0,0 +1 @@\n+x\n"
    inbox: Files = {
        ".inbox/private/extraction.patch": private.encode(),
        ".inbox/global/extraction.patch": outside.encode(),
    }
    ground = ground_of(store, {**STORE, **inbox})
    found = suggested_by(ground, str(store / place))
    assert made(found) == {"MEMORY.md": f"- one\n- two\n- See {store}/more.md\n".encode(), "more.md": b"# More\n"}
    refused = ("/home/somebody/.gemini/GEMINI.md", "its path is absolute and leads outside the memory folder")
    assert [(what, why) for what, _, why in left(found)] == ([refused] if place in ("", ".inbox") else [])


def test_a_store_that_is_reached_through_a_link_knows_its_files_by_both_names(tmp_path: Path) -> None:
    lay(tmp_path / "real", STORE)
    (tmp_path / "link").symlink_to("real")
    for name in ("real", "link"):
        diff = DIFF.replace(b"a/", os.fsencode(tmp_path / name) + b"/").replace(
            b"b/", os.fsencode(tmp_path / name) + b"/"
        )
        found = suggested_by(ground_of(tmp_path / "link"), "-", diff)
        assert (made(found), left(found)) == ({"MEMORY.md": b"- ONE\n- two\n"}, [])


@pytest.mark.parametrize("place", ["", "memory/.dreams", "memory/.dreams/short-term-recall.json"])
def test_what_an_openclaw_workspace_staged_is_found_in_it(tmp_path: Path, place: str) -> None:
    ground = ground_of(tmp_path / "ws", {**STORE, "memory/.dreams/short-term-recall.json": RECALLS})
    assert suggested_by(ground, str(tmp_path / "ws" / place)).source == "candidates"


def test_recalls_and_reports_of_the_same_lines_are_one_candidate(tmp_path: Path) -> None:
    staged: Files = {"memory/.dreams/short-term-recall.json": RECALLS, "memory/dreaming/light/2026-08-04.md": REPORT}
    ground = ground_of(tmp_path / "ws", {**STORE, **staged})
    assert len(suggested_by(ground, str(tmp_path / "ws")).changes) == 2


def test_a_changed_copy_of_a_workspace_is_a_copy(tmp_path: Path) -> None:
    ground = ground_of(tmp_path / "ws", {**STORE, "memory/.dreams/short-term-recall.json": RECALLS})
    copy = shutil.copytree(tmp_path / "ws", tmp_path / "copy")
    (copy / "MEMORY.md").write_bytes(b"- two\n")
    found = suggested_by(ground, str(copy))
    assert (found.source, made(found)) == ("folder", {"MEMORY.md": b"- two\n"})


def test_a_copy_says_that_its_base_is_unknown(tmp_path: Path) -> None:
    copy = lay(tmp_path / "copy", {**STORE, "MEMORY.md": b"- one\n- 2\n"})
    found = suggested_by(ground_of(tmp_path / "store", STORE), str(copy))
    assert [change.flags for change in found.changes] == [("base-unknown",)]
    assert found.is_guess


def test_a_copy_that_lies_in_the_store_is_no_memory_of_it(tmp_path: Path) -> None:
    inner: Files = {f"dream output/{path}": data for path, data in STORE.items()}
    ground = ground_of(tmp_path / "store", {**STORE, **inner, "dream output/MEMORY.md": b"- two\n"})
    assert made(suggested_by(ground, str(tmp_path / "store" / "dream output"))) == {"MEMORY.md": b"- two\n"}


def test_the_store_its_own_proposals_and_what_holds_it_are_refused(tmp_path: Path) -> None:
    ground = ground_of(tmp_path / "store", {**STORE, ".dream-proposals/20260101T000000000/MEMORY.md": b""})
    for source, reason in (
        ("store", "is the memory folder itself"),
        ("store/.dream-proposals/20260101T000000000", "is a proposal of this folder already"),
        (".", "holds the memory folder itself"),
        ("nowhere", "cannot read"),
    ):
        with pytest.raises(UsageError, match=reason):
            suggested_by(ground, str(tmp_path / source))


def test_an_empty_copy_is_refused_and_one_of_something_else_is_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ground = ground_of(tmp_path / "store", STORE)
    with pytest.raises(StoreError, match="empty holds no file that could be memory"):
        suggested_by(ground, str(tmp_path / "empty"))
    other = suggested_by(ground, str(lay(tmp_path / "other", {"x.md": b"x\n"})))
    assert "it shares no path with the store: is it a copy of it?" in other.warnings


def test_a_pipe_that_a_shell_hands_over_is_read(tmp_path: Path) -> None:
    end, start = os.pipe()
    os.write(start, DIFF)
    os.close(start)
    try:
        assert len(suggested_by(ground_of(tmp_path / "store", STORE), f"/dev/fd/{end}").changes) == 1
    finally:
        os.close(end)


def test_too_large_a_source_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognising, "MAX_BYTES", 10)
    ground = ground_of(tmp_path / "store", STORE)
    (tmp_path / "source").write_bytes(DIFF)
    for source in ("-", str(tmp_path / "source")):
        with pytest.raises(StoreError, match="holds more than 10 bytes"):
            suggested_by(ground, source, DIFF)
    assert values.MAX_BYTES == 64 * 1024 * 1024
