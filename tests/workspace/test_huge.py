"""Stores and documents that are far too large, deep or odd: bounded, named and refused, never swallowed."""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

import pytest

from dreamreview.errors import InvalidManifestError
from dreamreview.model import manifest
from dreamreview.model.manifest_read import MAX_CHANGES
from dreamreview.store.rooted import Root
from dreamreview.store.scan import DEPTH_LIMIT, scan
from tests.workspace.stores import DAILY, lay, memory, workspace
from tests.workspace.test_faults import DONE, command

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
FILES = 2_000 if SCALE <= 1 else 100_000
MEGABYTE = 1 << 20

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sparse files and pipes")


def shape() -> dict[str, object]:
    return {
        "schema": manifest.SCHEMA, "id": "20260914T090000000", "created_at": "2026-09-14T09:00:00Z", "status": "ready",
        "base": {"kind": "declared", "digest": "0" * 64, "at": "2026-09-14T09:00:00Z"}, "rendering": "0" * 64,
        "engine": {"name": "x"}, "usage": {}, "summary": "", "narrative": "", "changes": [],
    }  # fmt: skip


def used() -> int:
    """Return the most memory that this process held so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_a_store_of_many_files_is_looked_through(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    for number in range(FILES):
        place = folder / f"d{number % 100}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number}.md").write_bytes(b"%d\n" % number)
    assert len(scan(Root(folder)).entries) == FILES
    assert command("status", str(folder))[0] in DONE
    assert command("doctor", str(folder))[0] in DONE


def test_a_sparse_file_of_a_gigabyte_is_named_and_never_read(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", DAILY)
    with (folder / "huge.md").open("wb") as file:
        file.truncate(1 << 30)
    before = used()
    opened = workspace(folder)
    dreamt = opened.dream()
    assert any("huge.md" in warning for warning in (*dreamt.warnings, *opened.open().warnings))
    assert not list((folder / ".dream-proposals").glob("*/huge.md"))
    assert command("doctor", str(folder))[0] in DONE
    assert used() - before < 200 * MEGABYTE
    assert (folder / "huge.md").stat().st_size == 1 << 30


@pytest.mark.parametrize(
    "place",
    [
        ".dream-proposals/20260914T090000000/.dream-manifest.json",
        ".dream-state.json",
        ".dream.lock",
        ".dreamreview/owner.json",
        ".dreamreview/reviews/20260914T090000000.jsonl",
        ".dreamreview/rejected.jsonl",
        ".dreamreview/journal/a1.json",
    ],
)
def test_a_document_of_ours_that_is_a_gigabyte_is_refused_unread(tmp_path: Path, place: str) -> None:
    folder = lay(tmp_path / "s", DAILY)
    lay(folder / ".dream-proposals" / "20260914T090000000", {**DAILY, "new.md": b"new\n"})
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    with (folder / place).open("wb") as file:
        file.truncate(1 << 30)
    os.utime(folder / place, (1_700_000_000, 1_700_000_000))
    before, held = memory(folder), used()
    for words in (("status",), ("show",), ("history",), ("dream",)):
        status, said = command(words[0], str(folder))
        assert status in (*DONE, 1, 3)
        assert not any("unexpected" in line for line in said)
    assert used() - held < 300 * MEGABYTE
    assert memory(folder) == before


def test_more_changes_than_a_manifest_may_hold_are_refused_by_the_limit() -> None:
    many = {**shape(), "changes": [None] * (MAX_CHANGES + 1)}
    with pytest.raises(InvalidManifestError, match="changes: "):
        manifest.from_json(many)
    with pytest.raises(InvalidManifestError, match=r"bytes are more than"):
        manifest.loads(json.dumps(shape()).encode() + b" " * manifest.MAX_BYTES)


def test_folders_are_followed_no_deeper_than_the_limit_and_the_rest_is_named(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", DAILY)
    here = os.getcwd()
    os.chdir(folder)
    for _ in range(DEPTH_LIMIT + 5):
        os.mkdir("d")
        Path("d/f.md").write_bytes(b"- Yesterday it rained.\n")
        os.chdir("d")
    os.chdir(here)
    before = scan(Root(folder))
    assert len([path for path in before.entries if path.endswith("f.md")]) == DEPTH_LIMIT
    assert list(before.excluded.values()) == [f"more than {DEPTH_LIMIT} folders deep"]
    opened = workspace(folder)
    assert opened.dream().proposal is not None
    assert any("folders deep" in warning for warning in opened.open().warnings)
    assert scan(Root(folder)) == before


@pytest.mark.parametrize("place", [".dream-state.json", ".dream-proposals/20260914T090000000/.dream-manifest.json"])
def test_a_pipe_in_the_place_of_a_document_of_ours_is_not_waited_for(tmp_path: Path, place: str) -> None:
    folder = lay(tmp_path / "s", DAILY)
    lay(folder / ".dream-proposals" / "20260914T090000000", {**DAILY, "new.md": b"new\n"})
    os.mkfifo(folder / place)
    for words in (("status",), ("show",), ("dream",)):
        status, said = command(words[0], str(folder))
        assert status in (*DONE, 1)
        assert not any("unexpected" in line for line in said)
