from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from dreamreview.cli.diff import NO_NEWLINE, Block, Row, blocks, masked_lines
from dreamreview.model.edits import Edit, Text, compose, render, split_lines

PEM = (
    b"-----BEGIN PRIVATE KEY-----\n",
    b"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n",
    b"MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n",
    b"-----END PRIVATE KEY-----\n",
)


def _rows(*edits: Edit, base: bytes, context: int = 3) -> list[tuple[str, str]]:
    return [(row.sign, row.text) for block in blocks(split_lines(base), edits, context) for row in block.rows]


def _patched(base: bytes, parts: Sequence[Block]) -> bytes:
    """Apply blocks as a reader of unified diffs would, checking each old line on the way."""
    old = split_lines(base)
    out: list[bytes] = []
    at = 0
    for block in parts:
        start = block.start - 1 if block.size else block.start
        out += old[at:start]
        at = start
        rows = list(block.rows)
        for place, row in enumerate(rows):
            if row.sign == "\\":
                continue
            is_open = place + 1 < len(rows) and rows[place + 1].sign == "\\"
            line = row.text.encode("utf-8", "surrogateescape") + (b"" if is_open else b"\n")
            if row.sign in " -":
                assert old[at] == line
                at += 1
            if row.sign in " +":
                out.append(line)
        assert at == start + block.size
        assert len(out) == (block.to_start - 1 if block.to_size else block.to_start) + block.to_size
    return b"".join([*out, *old[at:]])


LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"c\r\n", b"\xff\n"]), max_size=12)


@st.composite
def _texts_and_edits(draw: st.DrawFn) -> tuple[bytes, list[Edit]]:
    base = b"".join(draw(LINES)) + draw(st.sampled_from([b"", b"open"]))
    size = len(split_lines(base))
    cuts = sorted(draw(st.lists(st.integers(0, size), max_size=6).map(lambda places: places[: len(places) // 2 * 2])))
    edits = []
    for rank, (start, stop) in enumerate(zip(cuts[::2], cuts[1::2], strict=True)):
        new = draw(LINES)
        if stop == size and draw(st.booleans()):
            new = [*new, b"end"]
        if start != stop or new:
            edits.append(Edit(start, stop, tuple(new), rank))
    return base, edits


@given(_texts_and_edits(), st.integers(0, 4))
def test_a_reader_of_the_diff_gets_the_text_with_the_edits_made(case: tuple[bytes, list[Edit]], context: int) -> None:
    base, edits = case
    text: Text = compose(split_lines(base), edits)
    wanted = render(text, b"\n")
    assert _patched(base, list(blocks(split_lines(base), edits, context))) == wanted


def test_a_change_is_drawn_with_its_context() -> None:
    base = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n"
    (block,) = blocks(split_lines(base), [Edit(4, 5, (b"five\n",))], 2)
    assert block.header == "@@ -3,5 +3,5 @@"
    assert [row.sign + row.text for row in block.rows] == [" 3", " 4", "-5", "+five", " 6", " 7"]


def test_edits_whose_context_touches_share_a_block() -> None:
    base = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n"
    near = list(blocks(split_lines(base), [Edit(0, 1, ()), Edit(5, 5, (b"x\n",))], 3))
    far = list(blocks(split_lines(base), [Edit(0, 1, ()), Edit(8, 8, (b"x\n",))], 3))
    assert [block.header for block in near] == ["@@ -1,8 +1,8 @@"]
    assert [block.header for block in far] == ["@@ -1,4 +1,3 @@", "@@ -6,4 +5,5 @@"]


def test_a_missing_final_newline_is_said() -> None:
    assert _rows(Edit(1, 2, (b"c",)), base=b"a\nb") == [
        (" ", "a"),
        ("-", "b"),
        ("\\", NO_NEWLINE),
        ("+", "c"),
        ("\\", NO_NEWLINE),
    ]


def test_a_line_that_is_merely_closed_is_drawn_as_taken_away_and_put_back() -> None:
    assert _rows(Edit(1, 1, (b"tail\n",)), base=b"head") == [
        ("-", "head"),
        ("\\", NO_NEWLINE),
        ("+", "head"),
        ("+", "tail"),
    ]


def test_a_secret_over_several_lines_is_masked_and_keeps_its_lines() -> None:
    shown = masked_lines((b"before\n", *PEM, b"after\n"))
    assert (shown[0], shown[-1], len(shown)) == ("before", "after", 6)
    assert not any("MIIE" in line or "MzEf" in line for line in shown)


def test_rows_of_an_empty_text_are_none() -> None:
    assert list(blocks((), [])) == []
    assert [row for block in blocks((), [Edit(0, 0, (b"a\n",))]) for row in block.rows] == [Row("+", "a")]
