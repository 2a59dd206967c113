"""Numbers in a dreamer's own words are held against what its proposal holds; what cannot be counted is believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.narrative import MOST, mismatches
from dreamreview.model.proposal import Act, Change, FileEdit, Kind, Option


def _change(name: str, kind: Kind, *edits: FileEdit, options: tuple[Option, ...] = ()) -> Change:
    return Change(name, kind, name, "", 0.5, name, edits=edits, options=options)


def _lines(path: str, start: int = 0) -> FileEdit:
    return FileEdit("e1", path, start=start, stop=start + 1, old=(b"a\n",), new=(b"b\n",))


CHANGES = (
    _change("m1", Kind.MERGE, _lines("a.md"), FileEdit("e2", "b.md", Act.DELETE, old=(b"a\n",))),
    _change("p1", Kind.PRUNE, FileEdit("e1", "c.md", Act.DELETE, old=(b"x\n",))),
    _change("n1", Kind.ADD, FileEdit("e1", "d.md", Act.CREATE, new=(b"x\n",))),
    _change("l1", Kind.LINK, _lines("a.md", 4)),
    _change("x1", Kind.CONFLICT, options=(Option("A", "a", edits=(_lines("e.md"),)), Option("B", "b"))),
)


@pytest.mark.parametrize(
    "told",
    [
        "I suggest nothing about numbers.",
        "Read 40 files. Suggests 5 changes: merge 1.",
        "Made five changes and deleted two files, created one file, changed 1 file.",
        "Removed one file in notes and deleted 1 file in logs.",
        "Two files were deleted; 1 file was created.",
        "Merged 12 notes into one file, which took 3 files and 9 minutes.",
        "Found one contradiction. Two changes deserve a look.",
        "I renamed no files.",
        "Made 2 changes to the index and suggested one change that waits.",
        "See 2026-03-04 files, v2.3 files and port 8080 files.",
    ],
)
def test_what_agrees_or_cannot_be_counted_is_not_flagged(told: str) -> None:
    assert mismatches(told, CHANGES) == ()


@pytest.mark.parametrize(
    ("told", "flagged"),
    [
        ("Suggests 9 changes.", "it says “Suggests 9 changes”, and there are 5 changes"),
        ("I deleted 3 old files.", "it says “deleted 3 old files”, and there are 2 files deleted"),
        ("I deleted 3 files in the archive.", "it says “deleted 3 files”, and there are 2 files deleted"),
        ("Created two files", "it says “Created two files”, and there is 1 file created"),
        ("Flagged 4 conflicts", "it says “Flagged 4 conflicts”, and there is 1 conflict"),
        ("Seven changes in total", "it says “Seven changes in total”, and there are 5 changes"),
        ("3 files were renamed", "it says “3 files were renamed”, and there are 0 files renamed"),
        ("Updated\n  12 note files", "it says “Updated 12 note files”, and there is 1 file changed"),
    ],
)
def test_a_number_that_no_count_bears_out_is_told_with_what_can_be_counted(told: str, flagged: str) -> None:
    assert mismatches(told, CHANGES) == (flagged,)


def test_conflicts_are_not_counted_where_nobody_declares_any() -> None:
    assert mismatches("Found 3 conflicts", [_change("a", Kind.EDIT, _lines("a.md"))]) == ()


def test_few_claims_are_told() -> None:
    told = "Made 9 changes, deleted 9 files, created 9 files, renamed 9 files, changed 9 files, found 9 conflicts."
    assert len(mismatches(told, CHANGES)) == MOST


@given(st.text(max_size=400))
def test_no_text_is_too_odd(text: str) -> None:
    assert len(mismatches(text, CHANGES)) <= MOST


def test_a_long_narrative_is_read_at_once() -> None:
    assert mismatches("made 1 a b " * 200_000, CHANGES) == ()
