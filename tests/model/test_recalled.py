from __future__ import annotations

import pytest

from dreamreview.model.proposal import Act, Change, FileEdit, Kind, Option
from dreamreview.model.recalled import remembered, shifts

RUNS = {"memory/2026-09-01.md": ((4, 6),)}


def edit(
    start: int, stop: int, new: tuple[bytes, ...], act: Act = Act.LINES, path: str = "memory/2026-09-01.md"
) -> FileEdit:
    return FileEdit("e1", path, act, start, stop, tuple(b"old %d\n" % at for at in range(start, stop)), new)


def change(*edits: FileEdit) -> Change:
    return Change("c1", Kind.EDIT, "t", "r", 0.5, "f", edits=edits)


@pytest.mark.parametrize(
    ("made", "is_flagged"),
    [
        (edit(0, 1, (b"a\n", b"b\n")), True),  # a line more above
        (edit(0, 2, (b"a\n",)), True),  # a line less above
        (edit(0, 1, (b"a\n",)), False),  # as many as before, above
        (edit(3, 3, (b"a\n",)), True),  # right before them
        (edit(5, 6, (b"a\n",)), True),  # the last of them rewritten
        (edit(4, 5, ()), True),  # one of them removed
        (edit(6, 6, (b"a\n",)), False),  # right behind them
        (edit(8, 9, (b"a\n", b"b\n")), False),  # far behind them
        (edit(0, 9, (), Act.DELETE), True),
        (FileEdit("e1", "memory/2026-09-01.md", Act.RENAME, to="memory/old.md"), True),
        (FileEdit("e1", "memory/2026-09-01.md", Act.MODE, mode=0o600), False),
        (edit(0, 1, (b"a\n", b"b\n"), path="memory/other.md"), False),
    ],
)
def test_a_change_that_moves_or_rewrites_remembered_lines_is_told_from_others(made: FileEdit, is_flagged: bool) -> None:
    assert shifts(change(made), RUNS) is is_flagged


def test_an_option_of_a_conflict_counts() -> None:
    option = Option("A", "one", edits=(edit(0, 1, ()),))
    assert shifts(Change("c1", Kind.CONFLICT, "t", "r", 0.5, "f", options=(option,)), RUNS)


def test_the_entries_of_a_recall_store_are_read() -> None:
    entries = {
        "memory:a.md:1:2": {"path": "a.md", "startLine": 1, "endLine": 2, "snippet": "x"},
        "memory:a.md:7:9": {"path": "a.md", "startLine": 7, "endLine": 9},
        "memory:claim:77": {"path": "b.md", "startLine": 3, "endLine": 3},
    }
    assert remembered({"version": 1, "entries": entries}) == {"a.md": ((1, 2), (7, 9)), "b.md": ((3, 3),)}


@pytest.mark.parametrize(
    "entry",
    [
        None,
        [],
        {},
        {"path": 7, "startLine": 1, "endLine": 2},
        {"path": "a.md", "startLine": 0, "endLine": 2},
        {"path": "a.md", "startLine": 3, "endLine": 2},
        {"path": "a.md", "startLine": True, "endLine": 2},
        {"path": "a.md", "startLine": "1", "endLine": 2},
    ],
)
def test_an_entry_of_another_shape_is_left_out(entry: object) -> None:
    assert remembered({"entries": {"odd": entry, "good": {"path": "b.md", "startLine": 1, "endLine": 1}}}) == {
        "b.md": ((1, 1),)
    }


@pytest.mark.parametrize("document", [None, [], 7, "text", {}, {"entries": []}, {"entries": None}])
def test_what_is_no_recall_store_names_nothing(document: object) -> None:
    assert remembered(document) == {}
