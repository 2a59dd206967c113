from __future__ import annotations

import pytest

from dreamreview.model.edits import Text, split_lines
from dreamreview.model.proposal import Act, Change, FileEdit, Kind
from dreamreview.model.rewording import MOST_REFRESHED, manner_of


def change(*edits: FileEdit) -> Change:
    return Change(id="c1", kind=Kind.EDIT, title="", reason="", confidence=1, fingerprint="f", edits=edits)


def edit(old: str, new: str, start: int = 0, path: str = "a.md") -> FileEdit:
    lines = split_lines(old.encode())
    return FileEdit(id="e1", path=path, start=start, stop=start + len(lines), old=lines, new=split_lines(new.encode()))


def nothing(_: str) -> Text | None:
    return None


@pytest.mark.parametrize(
    ("old", "new", "flags"),
    [
        ("one two\nthree\n", "one\ntwo three\n", {"rewrap"}),
        ("one\r\n", "one\n", {"rewrap"}),
        ("one two\nthree\n", "one two\nfour\n", set()),
        ("a one\nb two\nc\n", "c\na one\nb two\n", {"reorder"}),
        ("- [A](a.md) — x\n\n* [B](b.md) — y\n", "- [B](b.md) — y\n- [A](a.md) — x\n", {"reorder"}),
        ("a\nb\n", "b\na\na\n", set()),
        ("seen 3 of 9 on 2026-03-01\n", "seen 4 of 10 on 2026-04-02\n", {"refresh"}),
        ("due 3 March 2026\n", "due April 12, 2026\n", {"refresh"}),
        ("版本2,2026年3月2日\n", "版本3,2026年4月12日\n", {"refresh"}),
        ("seen 3\n", "counted 3\n", set()),
        ("seen three\n", "seen four\n", set()),
        ("use it\n", "never use it\n", set()),
        ("", "new\n", set()),
        ("gone\n", "", set()),
    ],
)
def test_a_change_is_flagged_for_how_little_it_says(old: str, new: str, flags: set[str]) -> None:
    assert manner_of(change(edit(old, new)), nothing) == flags


def test_every_edit_of_a_change_has_to_agree() -> None:
    renumbered, other = edit("n 1\n", "n 2\n"), edit("word\n", "other\n", path="b.md")
    assert manner_of(change(renumbered, other), nothing) == frozenset()
    assert manner_of(change(renumbered, edit("m 7\n", "m 8\n", path="b.md")), nothing) == {"refresh"}


def test_edits_of_one_file_are_seen_with_the_lines_between_them() -> None:
    base = (b"one\n", b"stays\n", b"two\n")
    swapped = change(edit("one\n", "two\n"), edit("two\n", "one\n", start=2))
    assert manner_of(swapped, lambda _: base) == {"reorder"}
    joined = change(edit("one\n", ""), edit("two\n", "one two\n", start=2))
    assert manner_of(joined, lambda _: base) == frozenset()
    assert manner_of(joined, nothing) == {"rewrap"}


@pytest.mark.parametrize("act", [Act.CREATE, Act.DELETE])
def test_a_file_that_comes_or_goes_is_more_than_a_rewording(act: Act) -> None:
    made = FileEdit(id="e2", path="b.md", act=act)
    assert manner_of(change(edit("n 1\n", "n 2\n"), made), nothing) == frozenset()


def test_a_rename_alone_has_no_manner() -> None:
    assert manner_of(change(FileEdit(id="e1", path="a.md", act=Act.RENAME, to="b.md")), nothing) == frozenset()


def test_a_huge_text_is_not_searched_for_numbers() -> None:
    line = "n 1 " * (MOST_REFRESHED // 4 + 1)
    assert manner_of(change(edit(f"{line}1\n", f"{line}2\n")), nothing) == frozenset()
