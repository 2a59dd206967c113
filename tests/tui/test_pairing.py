from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model.proposal import FileEdit
from dreamreview.tui.detail.diff import Manner, edit_rows
from dreamreview.tui.detail.layout import shown
from dreamreview.tui.detail.pairing import aligned, entry_target, pairing
from dreamreview.tui.detail.rows import Code, Pair, Sign, codes
from dreamreview.tui.detail.sources import Sources
from tests.tui.fake import edit, lines

ENTRIES = "- [Oven](oven.md): heat\n- [Yard](yard.md): gate\n- [Shop](shop.md): hours\n"


def codes_of(*edits: FileEdit, base: str, manner: Manner | None = None) -> list[Code]:
    rows = edit_rows(edits, Sources(lambda _: lines(base)), manner or Manner(context=0))
    return [code for row in rows for code in codes(row)]


@pytest.mark.parametrize(
    ("line", "target"),
    [
        (b"- [Oven](oven.md): heat\n", "oven.md"),
        (b"* **[[oven]]** heat\n", "oven"),
        (b"1. [Oven](<the oven.md>)\n", "the oven.md"),
        (b"| [Oven](oven.md) | heat |\n", "oven.md"),
        (b"- see [Oven](oven.md)\n", None),
        (b"- `oven.md` heat\n", None),
        (b"- no link\n", None),
        (b"- [Oven](oven.md) " + b"x" * 2_000, None),
    ],
)
def test_an_index_entry_is_known_by_what_it_points_to(line: bytes, target: str | None) -> None:
    assert entry_target(line) == target


def test_index_entries_are_compared_by_target_not_by_line() -> None:
    new = lines("- [Shop](shop.md): opening hours\n- [Oven](oven.md): heat\n- [Yard](yard.md): the gate\n")
    assert pairing(lines(ENTRIES), new) == {0: 1, 1: 2, 2: 0}


def test_an_entry_that_moved_to_another_edit_is_compared_with_what_it_was() -> None:
    gone = edit("e1", "MEMORY.md", 0, "- [Oven](oven.md): heat\n", "")
    come = edit("e2", "MEMORY.md", 3, "", "- [Oven](oven.md): how hot\n")
    old, new = codes_of(gone, come, base=ENTRIES)
    assert (old.other, new.other) == (new.raw, old.raw)
    assert new.note == "the entry of line 1"


def test_lines_out_of_step_are_paired_by_likeness() -> None:
    old, new = lines("tea at four\nthe wiki moved\n"), lines("the wiki moved again\ntea at five\n")
    assert pairing(old, new) == {0: 1, 1: 0}


def test_lines_without_a_like_stand_beside_each_other() -> None:
    assert pairing(lines("alpha\n"), lines("something else\n")) == {0: 0}


def test_moved_lines_are_drawn_as_moved_at_both_ends() -> None:
    manner = Manner(context=0, moved={("a.md", 1): "moved to line 2"}, arrived={("e2", 1): "moved from a.md:1"})
    old, new = codes_of(
        edit("e1", "a.md", 0, "x\n", ""), edit("e2", "a.md", 2, "", "x\n"), base="x\ny\n", manner=manner
    )
    assert (old.sign, old.note) == (Sign.MOVED_AWAY, "moved to line 2")
    assert (new.sign, new.note) == (Sign.MOVED_HERE, "moved from a.md:1")


def test_a_line_that_stays_is_not_compared_with_one_that_moved_here() -> None:
    manner = Manner(context=0, arrived={("e1", 1): "moved from b.md:1"})
    old, new = codes_of(edit("e1", "a.md", 0, "x one\n", "x two\n"), base="x one\n", manner=manner)
    assert (old.other, new.other) == (None, None)


def test_two_columns_put_versions_of_a_line_beside_each_other() -> None:
    pair = edit("e1", "a.md", 0, "tea at four\nthe wiki moved\n", "all new here\ntea at five\nthe wiki moved on\n")
    rows = edit_rows([pair], Sources(lambda _: lines("")), Manner(context=0, is_split=True))
    drawn = [
        tuple(
            half[0].raw.decode().strip() if half and isinstance(half[0], Code) else "" for half in (row.left, row.right)
        )
        for row in rows
        if isinstance(row, Pair)
    ]
    assert drawn == [("", "all new here"), ("tea at four", "tea at five"), ("the wiki moved", "the wiki moved on")]


numbers = st.integers(0, 12)


@given(st.data(), numbers, numbers)
@settings(max_examples=200, deadline=None)
def test_two_columns_show_every_line_once_and_in_order(data: st.DataObject, old: int, new: int) -> None:
    size = data.draw(st.integers(0, min(old, new)))
    left = data.draw(st.permutations(range(old)))[:size]
    right = data.draw(st.permutations(range(new)))[:size]
    rows = list(aligned(old, new, dict(zip(left, right, strict=True))))
    assert [i for i, _ in rows if i is not None] == list(range(old))
    assert [j for _, j in rows if j is not None] == list(range(new))
    assert (None, None) not in rows


@given(
    st.lists(st.sampled_from(["- [A](a.md) x", "- [A](a.md) y", "- [[b]]", "one two", "two three"]), max_size=6),
    st.data(),
)
@settings(max_examples=200, deadline=None)
def test_no_line_is_compared_with_two(old: list[str], data: st.DataObject) -> None:
    new = data.draw(st.permutations(old))[: data.draw(st.integers(0, len(old)))]
    pairs = pairing([f"{line}\n".encode() for line in old], [f"{line}\n".encode() for line in new])
    assert len(set(pairs.values())) == len(pairs)
    assert all(0 <= i < len(old) and 0 <= j < len(new) for i, j in pairs.items())


@pytest.mark.parametrize(
    ("old", "new", "drawn_old", "drawn_new"),
    [
        ("a b\n", "a\u00a0b\n", "a b", "a⟨U+00A0⟩b"),
        ("caf\u00e9\n", "cafe\u0301\n", "caf⟨U+00E9⟩", "cafe⟨U+0301⟩"),
        ("日本\n", "日\u3000本\n", "日本", "日⟨U+3000⟩本"),
        ("caf\u00e9 one\n", "caf\u00e9 two\n", "caf\u00e9 one", "caf\u00e9 two"),
        ("x\n", "x\u200b\n", "x", "x⟨U+200B⟩"),
        ("x\n", "x\t\n", "x", "x→  "),
        ("x\n", "\ufeffx\n", "x", "⟨U+FEFF⟩x"),
        ("x y\n", "y\u202e x\n", "x y", "y⟨U+202E⟩ x"),
    ],
)
def test_differences_that_cannot_be_seen_are_marked(old: str, new: str, drawn_old: str, drawn_new: str) -> None:
    assert shown(old.encode(), new.encode(), is_changed=True) == drawn_old
    assert shown(new.encode(), old.encode(), is_changed=True).replace("·", " ") == drawn_new


@pytest.mark.parametrize(
    ("base", "new", "note"),
    [
        ("a\n", "b\r\n", "(ends in CR LF)"),
        ("a\r\n", "b\n", "(ends in LF alone)"),
        ("a\n", "b\n", ""),
        ("a\n", "b", "(no newline at the end)"),
    ],
)
def test_a_new_line_that_ends_in_another_way_says_so(base: str, new: str, note: str) -> None:
    [line] = codes_of(edit("e1", "a.md", 1, "", new), base=base)
    assert line.note == note
