from __future__ import annotations

import pytest

from dreamreview.cli.plain.edits import spoken_edits, spoken_lines, what_it_does
from dreamreview.cli.plain.spoken import _source
from dreamreview.model.edits import Text, split_lines
from dreamreview.model.proposal import LINK_MODE, Act, Evidence, FileEdit
from dreamreview.model.units import ChangeReview, Chosen, State

BASE = split_lines(b"one\ntwo\nthree\nfour\nfive\n")


def edit(start: int, stop: int, new: bytes, base: Text = BASE, edit_id: str = "e1") -> FileEdit:
    return FileEdit(id=edit_id, path="n.md", start=start, stop=stop, old=base[start:stop], new=split_lines(new))


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (edit(1, 2, b""), "removes line 2 of n.md"),
        (edit(1, 3, b""), "removes lines 2 to 3 of n.md"),
        (edit(1, 3, b"x\n"), "replaces lines 2 to 3 of n.md by 1 line"),
        (edit(2, 2, b"x\ny\n"), "adds 2 lines to n.md, after line 2"),
        (edit(0, 0, b"x\n"), "adds 1 line to n.md, at the top"),
        (FileEdit(id="e1", path="n.md", act=Act.CREATE, new=BASE, mode=0o644), "creates n.md, 5 lines"),
        (
            FileEdit(id="e1", path="n.md", act=Act.CREATE, new=(b"m.md",), mode=LINK_MODE),
            "creates the link n.md, 1 line",
        ),
        (FileEdit(id="e1", path="n.md", act=Act.DELETE, old=BASE), "deletes n.md, 5 lines"),
        (FileEdit(id="e1", path="n.md", act=Act.RENAME, to="m.md"), "renames n.md to m.md"),
        (
            FileEdit(id="e1", path="n.md", act=Act.MODE, old_mode=0o644, mode=0o755),
            "changes the mode of n.md from 644 to 755",
        ),
    ],
)
def test_an_edit_says_what_it_does(made: FileEdit, words: str) -> None:
    assert what_it_does(made) == words


def test_each_line_says_what_becomes_of_it_and_where_it_stands() -> None:
    assert list(spoken_lines(edit(1, 3, b"two and three\n"), BASE, ("one", "two", "three", "four", "five"))) == [
        "  stays, line 1: one",
        "  removes 1, line 2: two",
        "  removes 2, line 3: three",
        "  adds 1: two and three",
        "  stays, line 4: four",
    ]


def test_what_an_ear_would_miss_is_said() -> None:
    base = split_lines(b"a  \n \n\nlast")
    assert list(spoken_lines(edit(0, 4, b"a\n\tb\nlast\n", base))) == [
        "  removes 1, line 1: a (2 spaces at the end)",
        "  removes 2, line 2: (only 1 space)",
        "  removes 3, line 3: (empty)",
        "  removes 4, line 4: last (no line end)",
        "  adds 1: a",
        "  adds 2: \tb",
        "  adds 3: last",
    ]


def test_carriage_returns_are_told_only_where_they_differ() -> None:
    same = split_lines(b"a\r\n")
    assert list(spoken_lines(edit(0, 1, b"b\r\n", same))) == ["  removes 1, line 1: a", "  adds 1: b"]
    assert list(spoken_lines(edit(0, 1, b"a\n", same))) == ["  removes 1, line 1: a\r", "  adds 1: a"]


def test_an_edit_that_does_not_fit_its_base_is_told_without_the_lines_around() -> None:
    lines = list(spoken_edits([edit(1, 2, b"")], lambda _: split_lines(b"other\n")))
    assert lines == ["Edit e1: removes line 2 of n.md.", "  removes 1, line 2: two"]


def test_parts_that_were_decided_are_named_by_their_numbers() -> None:
    one, two, three = edit(0, 2, b"x\ny\n"), edit(3, 4, b"", edit_id="e2"), edit(4, 5, b"", edit_id="e3")
    review = ChangeReview(
        state=State.PARTIAL,
        chosen=(Chosen(one, frozenset({1}), frozenset({1, 2})),),
        rejected=(Chosen(one, frozenset({2})), Chosen(two, frozenset({1}))),
    )
    told = [line for line in spoken_edits([one, two, three], lambda _: BASE, review) if line.startswith("Edit")]
    assert told == [
        (
            "Edit e1, 1 of 3: replaces lines 1 to 2 of n.md by 2 lines; "
            "accepted: removal 1, addition 1, addition 2; rejected: removal 2."
        ),
        "Edit e2, 2 of 3: removes line 4 of n.md; rejected.",
        "Edit e3, 3 of 3: removes line 5 of n.md; undecided.",
    ]


def test_the_lines_behind_a_secret_of_several_lines_keep_their_numbers() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----"
    told = list(_source("Source", Evidence(path="n.md", first=4, last=7, quote=f"{key}\nkept in the safe")))
    assert told[0] == "Source: n.md, lines 4 to 7."
    assert told[-1] == "  line 7: kept in the safe"
    assert "DANBgkqhkiG9w0B" not in " ".join(told)
