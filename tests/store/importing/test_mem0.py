from __future__ import annotations

from pathlib import Path

import pytest

from dreamreview.model.proposal import Kind
from dreamreview.store.importing.mem0 import from_export, is_export, read_export
from dreamreview.store.importing.values import Suggested
from tests.store.importing.grounds import ground_of, left, made
from tests.workspace.stores import Files

BLOCK = b"""---
id: %s
created_at: 2026-03-01T10:00:00Z
type: decision
confidence: 0.85
branch: main
files: src/a.py, src/b.py
categories:
---
%s

"""
ONE = BLOCK % (b"5f0c-1", b"Tides are read from the harbour gauge: never from the app.")


def imported(tmp_path: Path, data: bytes, files: Files | None = None) -> Suggested:
    return from_export(ground_of(tmp_path / "store", files), "mem0-export-boat-2026-03-02.md", data)


def test_a_memory_becomes_a_note_that_keeps_every_key_and_value(tmp_path: Path) -> None:
    found = imported(tmp_path, ONE)
    (change,) = found.changes
    assert (change.kind, change.confidence, change.flags) == (Kind.ADD, 0.85, ())
    assert change.reason == (
        "mem0 holds it as 5f0c-1, type decision, confidence 0.85, created_at 2026-03-01T10:00:00Z "
        "(line 1 of mem0-export-boat-2026-03-02.md)."
    )
    (path,) = made(found)
    assert path.startswith("tides-are-read-from-the-harbour-")
    assert made(found)[path].partition(b"\n")[2] == (
        b"name: " + path.removesuffix(".md").encode() + b"\n"
        b'description: "Tides are read from the harbour gauge: never from the app."\n'
        b"id: 5f0c-1\ncreated_at: 2026-03-01T10:00:00Z\ntype: decision\nconfidence: 0.85\nbranch: main\n"
        b"files: src/a.py, src/b.py\ncategories:\n---\n\n"
        b"Tides are read from the harbour gauge: never from the app.\n"
    )


def test_a_line_of_three_dashes_in_a_text_is_text() -> None:
    text = b"Before the rule.\n\n---\nnot: a header\nAfter it.\n---\n---"
    first, second = read_export(BLOCK % (b"1", text) + BLOCK % (b"2", b"Two."))
    assert first.text == tuple(text.split(b"\n"))
    assert (second.get("id"), second.text) == ("2", (b"Two.",))


def test_values_hold_colons_and_line_ends_may_be_crlf() -> None:
    (memory,) = read_export(ONE.replace(b"\n", b"\r\n"))
    assert memory.get("created_at") == "2026-03-01T10:00:00Z"
    assert memory.text == (b"Tides are read from the harbour gauge: never from the app.",)


def test_a_memory_without_text_is_named_and_left(tmp_path: Path) -> None:
    found = imported(tmp_path, BLOCK % (b"hollow", b"") + ONE)
    assert left(found) == [("memory hollow", "line 1 of mem0-export-boat-2026-03-02.md", "it has no text")]
    assert len(found.changes) == 1


@pytest.mark.parametrize(
    "text",
    [
        b"- tides are read from the  harbour gauge: never from the app.\n",
        b"# Log\n\nTides are read from the harbour gauge:\nnever from the app.\n\nMore.\n",
        b"---\nname: x\n---\n\nTides are read from the harbour gauge: never from the app.\n",
    ],
)
def test_what_the_store_says_already_is_not_added_again(tmp_path: Path, text: bytes) -> None:
    found = imported(tmp_path, ONE, {"notes.md": text})
    assert (found.changes, found.done) == ((), 1)


def test_the_same_text_twice_is_added_once(tmp_path: Path) -> None:
    found = imported(tmp_path, ONE + ONE.replace(b"5f0c-1", b"5f0c-2"))
    assert (len(found.changes), found.done) == (1, 1)


def test_a_memory_that_came_before_is_rewritten_in_its_file(tmp_path: Path) -> None:
    first = made(imported(tmp_path / "one", ONE))
    ((path, data),) = first.items()
    found = imported(tmp_path / "two", ONE.replace(b"never", b"seldom"), {"kept/gauge.md": data})
    assert {change.kind for change in found.changes} == {Kind.REWRITE}
    assert set(made(found)) == {"kept/gauge.md"}
    assert b"seldom from the app" in made(found)["kept/gauge.md"]
    assert path not in made(found)


def test_an_id_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    found = imported(tmp_path, BLOCK % (b"../../etc/x", "港は北にある。".encode()))
    (path,) = made(found)
    assert path.startswith("mem0-")
    assert "/" not in path


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"---\n---\n",
        b"---\nname: a note\ntype: user\n---\nText.\n",
        b"Text.\n---\nid: 1\ntype: x\n---\nText.\n",
        b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
    ],
)
def test_other_files_are_no_export(data: bytes) -> None:
    assert not is_export(data)


def test_a_heading_may_stand_above_the_blocks() -> None:
    assert is_export(b"# Export of boat\n> 2 memories\n\n" + ONE)
