"""The right pane without any widget: rows and their layout."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from dreamreview.model.edits import split_lines
from dreamreview.model.proposal import LINK_MODE, Act, FileEdit
from dreamreview.tui.detail.diff import Manner, edit_rows
from dreamreview.tui.detail.layout import Frame, height, lay, shown
from dreamreview.tui.detail.pairing import pairing
from dreamreview.tui.detail.rows import Code, Pair, Row, Sign, Words, codes
from dreamreview.tui.detail.sources import Sources
from dreamreview.tui.detail.words import differing
from dreamreview.tui.flow import fit, whole, wrap
from dreamreview.tui.inert import Part, expand_tabs, own, said, shorten, shorten_path, shorten_start
from tests.tui.fake import edit, lines

BASE = "".join(f"line {number}\n" for number in range(1, 21))


def rows_of(*edits: FileEdit, base: str = BASE, manner: Manner | None = None) -> list[Row]:
    return list(edit_rows(edits, Sources(lambda _: lines(base)), manner or Manner()))


def drawn(rows: Iterable[Row]) -> list[str]:
    return [f"{code.sign}{code.raw.decode()}".rstrip("\n") for row in rows for code in codes(row)]


def test_an_edit_stands_between_the_lines_around_it() -> None:
    assert drawn(rows_of(edit("e1", "a.md", 9, "line 10\n", "ten\n"))) == [
        " line 7",
        " line 8",
        " line 9",
        "-line 10",
        "+ten",
        " line 11",
        " line 12",
        " line 13",
    ]


def test_context_between_near_edits_is_drawn_once() -> None:
    near = drawn(rows_of(edit("e1", "a.md", 9, "line 10\n", ""), edit("e2", "a.md", 12, "line 13\n", "")))
    assert near.count(" line 11") == near.count(" line 12") == 1
    assert [line for line in near if line[0] != " "] == ["-line 10", "-line 13"]


@pytest.mark.parametrize(("context", "count"), [(0, 2), (1, 4), (10, 21), (None, 21)])
def test_more_context_shows_more_of_the_file(context: int | None, count: int) -> None:
    assert len(drawn(rows_of(edit("e1", "a.md", 9, "line 10\n", "ten\n"), manner=Manner(context=context)))) == count


def test_a_split_edit_draws_each_old_line_with_its_new_one() -> None:
    manner = Manner(context=0, pieces={"e1"})
    pair = edit("e1", "a.md", 0, "line 1\nline 2\n", "one\ntwo\nthree\n")
    assert drawn(rows_of(pair, manner=manner)) == ["-line 1", "+one", "-line 2", "+two", "+three"]


def test_moved_lines_are_drawn_as_moved() -> None:
    manner = Manner(context=0, moved={("a.md", 1): "moved to b.md"})
    [code] = [code for row in rows_of(edit("e1", "a.md", 0, "line 1\n", ""), manner=manner) for code in codes(row)]
    assert (code.sign, code.note) == (Sign.MOVED_AWAY, "moved to b.md")


def test_a_missing_final_newline_is_named() -> None:
    [*_, last] = [code for row in rows_of(edit("e1", "a.md", 0, "x\n", "y"), base="x\n") for code in codes(row)]
    assert last.note == "(no newline at the end)"


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (FileEdit("e1", "a.md", Act.CREATE, new=lines("x\n")), "creates a.md"),
        (FileEdit("e1", "a.md", Act.CREATE, new=lines("x"), mode=LINK_MODE), "creates the link a.md"),
        (FileEdit("e1", "a.md", Act.DELETE, old=lines("x\n")), "DELETES a.md"),
        (FileEdit("e1", "a.md", Act.RENAME, to="b.md"), "renames a.md to b.md"),
        (FileEdit("e1", "a.md", Act.MODE, mode=0o755, old_mode=0o644), "mode of a.md from 644 to 755"),
    ],
)
def test_acts_on_whole_files_are_told_in_words(act: FileEdit, words: str) -> None:
    [head, *_] = rows_of(act)
    assert isinstance(head, Words)
    assert "".join(part.text for part in head.parts).startswith(words)


def text_of(line: list[Part]) -> str:
    return "".join(part.text for part in line)


def test_a_changed_line_shows_what_cannot_be_seen() -> None:
    assert shown(b"end  \n", b"end\n", is_changed=True) == "end··"
    assert shown(b"end\r\n", b"end\n", is_changed=True) == "end␍"
    assert shown(b"a\tb\n", is_changed=True) == "a→  b"
    assert shown(b"a\rb\n") == "a␍b"
    assert shown(b"end  \r\n") == "end  "


def test_tab_stops_are_counted_from_the_text_not_from_the_sign() -> None:
    assert expand_tabs("\tx") == "    x"
    assert expand_tabs("ab\tx") == "ab  x"
    assert expand_tabs("日\tx") == "日  x"


def test_wrapping_keeps_the_gutter() -> None:
    code = Code(Sign.NEW, b"one two three four five\n", None)
    assert [text_of(line).rstrip() for line in lay(code, Frame(18, digits=2), {})] == [
        "     + one two",
        "       three four",
        "       five",
    ]


code_rows = st.builds(
    Code,
    sign=st.sampled_from(list(Sign)),
    raw=st.binary(max_size=80).map(lambda data: data.replace(b"\n", b"") + b"\n"),
    number=st.integers(1, 99999) | st.none(),
    other=st.binary(max_size=40) | st.none(),
    note=st.text(max_size=10),
)
word_rows = st.lists(st.text(max_size=30), max_size=4).map(lambda texts: Words(tuple(said(text) for text in texts)))
any_rows = st.one_of(code_rows, word_rows, st.builds(Pair, st.tuples(code_rows), st.tuples(word_rows)))


@given(any_rows, st.integers(1, 120), st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_row_takes_the_lines_it_was_measured_for(row: Row, width: int, is_wrapped: bool) -> None:
    frame = Frame(width, digits=5, is_wrapped=is_wrapped)
    assert height(row, frame) == max(len(lay(row, frame, {})), 1)


@given(st.lists(st.text(max_size=40), max_size=4), st.integers(2, 60), st.integers(0, 8))
@settings(max_examples=150, deadline=None)
def test_wrapping_loses_nothing_and_keeps_to_the_width(texts: list[str], width: int, hang: int) -> None:
    parts = [said(text) for text in texts]
    wrapped = wrap(parts, width, hang)
    assert all(cell_len(text_of(line).rstrip(" ")) <= width for line in wrapped)
    joined = "".join(text_of(line) for line in wrapped)
    assert joined.replace(" ", "") == "".join(part.text for part in parts).replace(" ", "")


@given(st.text(max_size=40), st.integers(0, 30))
def test_cut_text_keeps_to_the_width(text: str, width: int) -> None:
    assert cell_len(shorten(said(text).text, width)) <= width
    assert cell_len(shorten_path(text, width)) <= width
    assert cell_len(shorten_start(said(text).text, width)) <= width
    assert sum(cell_len(part.text) for part in fit([own("ab"), said(text)], width)) <= width


@given(st.lists(st.text(max_size=9), max_size=5), st.integers(0, 30))
def test_parts_are_left_out_whole_from_the_end(texts: list[str], width: int) -> None:
    parts = [said(text) for text in texts]
    kept = whole(parts, width)
    assert cell_len("".join(part.text for part in kept).rstrip(" ")) <= width
    assert kept == parts[: len(kept)] or len(kept) == 1


def test_a_long_path_loses_its_middle_and_keeps_its_name() -> None:
    assert shorten_path("projects/alpha/notes/decisions.md", 24).endswith("decisions.md")
    assert shorten_path("short.md", 24) == "short.md"
    assert shorten_path("projects/alpha/notes/the_decisions_of_may.md", 25) == "p…the_decisions_of_may.md"


LONG = "projects/harbour/" + "archive/" * 20 + "relay_decisions.md"


def heading(given: FileEdit, width: int) -> list[str]:
    row = next(row for row in rows_of(given) if isinstance(row, Words) and row.edit)
    return ["".join(part.text for part in line).rstrip() for line in lay(row, Frame(width=width), {})]


@pytest.mark.parametrize("width", [40, 60, 100])
def test_the_heading_of_an_edit_in_a_long_path_stays_on_one_line_and_keeps_the_name_of_the_file(width: int) -> None:
    (line,) = heading(edit("e1", LONG, 9, "line 10\n", "ten\n"), width)
    assert line.startswith(" p")
    assert line.endswith("decisions.md  line 10  −1 +1  e1")
    assert cell_len(line) <= width


def test_both_paths_of_a_rename_share_the_room() -> None:
    (line,) = heading(FileEdit(id="e1", path=LONG, act=Act.RENAME, to="old.md"), 60)
    assert line.endswith("relay_decisions.md to old.md")
    assert cell_len(line) == 60
    (line,) = heading(FileEdit(id="e1", path=LONG, act=Act.RENAME, to=LONG.replace("relay", "kiln")), 80)
    assert line.count("_decisions.md") == line.count("…") == 2
    assert cell_len(line) <= 80


def test_a_short_path_in_a_heading_stands_as_it_is() -> None:
    assert heading(edit("e1", "notes/relay.md", 9, "line 10\n", "ten\n"), 60) == [" notes/relay.md  line 10  −1 +1  e1"]


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("tea at four", "tea at five", ["four"], ["five"]),
        ("due 2026-02-01 here", "due 2026-02-11 here", ["2026-02-01"], ["2026-02-11"]),
        ("same", "same", [], []),
        ("nothing alike at all", "quite another text", [], []),
        ("a b", "a b c d", [], ["c d"]),
    ],
)
def test_words_that_differ(old: str, new: str, gone: list[str], come: list[str]) -> None:
    before, after = differing(old, new)
    assert ["".join(old[start:stop]) for start, stop in before] == gone
    assert ["".join(new[start:stop]).strip() for start, stop in after] == come


def test_twenty_thousand_words_are_not_compared_one_by_one() -> None:
    old, new = " ".join(f"w{n}" for n in range(20_000)), " ".join(f"v{n}" for n in range(20_000))
    assert differing(old, new) == (((0, len(old)),), ((0, len(new)),))


def test_lines_are_paired_by_likeness_when_their_numbers_differ() -> None:
    old = split_lines(b"alpha one\nbeta two\n")
    new = split_lines(b"something else\nalpha one more\nbeta two more\n")
    assert pairing(old, new) == {0: 1, 1: 2}
