"""A pin is one small edit in the form that fits the file, and nothing else in it reads otherwise."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model.edits import Text, compose, invert, render, terminator_of
from dreamreview.model.markdown import parse
from dreamreview.model.memory import Document
from dreamreview.model.pins import Pin, UnpinnableError, pin_edit, pin_of, pins_of

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
PIECES = (
    *(
        b"---",
        b"---",
        b"name: x",
        b"pinned: true",
        b"pinned: no # why",
        b"metadata:",
        b"  pinned: yes",
        b"tags: [pinned]",
    ),
    *(b"# Head", b"## Sub", b"**Bold**", b"- one", b"  - inner", b"- [ ] two", b"- [PINNED] three", b"1. four"),
    *(b"plain text", b"[PINNED] held", b"> said", b"| a | b |", b"|---|---|", b"- [T](x.md) - hook", b"```", b"", b""),
    *(b"\xc2\xa7", b"- #pinned tagged", b'"open', b"{", b"}", b"[pinned]", b"\xef\xbb\xbf# Marked"),
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Files of a few lines that pins are hard to place in."""
    lines = draw(st.lists(st.sampled_from(PIECES), max_size=9))
    ends = st.sampled_from([b"\n", b"\n", b"\r\n"])
    data = b"".join(line + draw(ends) for line in lines)
    return data if draw(st.booleans()) else data.rstrip(b"\r\n")


def made(document: Document, index: int, *, pinned: bool) -> bytes:
    edit = pin_edit(document, index, pinned=pinned)
    return render(compose(document.lines, (edit,)), terminator_of(document.lines))


@pytest.mark.parametrize(
    ("before", "index", "after"),
    [
        (b"---\nname: x\n---\nbody\n", 0, b"---\nname: x\npinned: true\n---\nbody\n"),
        (b"---\r\nname: x\r\n---\r\nbody", 0, b"---\r\nname: x\r\npinned: true\r\n---\r\nbody"),
        (b"---\nname: x\nnever closed\n", 0, b"---\npinned: true\nname: x\nnever closed\n"),
        (b"---\nname: x\npinned: OFF # y\n---\nb\n", 0, b"---\nname: x\npinned: ON # y\n---\nb\n"),
        (b'---\nname: x\npinned: "no"\n---\nb\n', 0, b'---\nname: x\npinned: "yes"\n---\nb\n'),
        (b"---\nname: x\npinned:\n---\nb\n", 0, b"---\nname: x\npinned: true\n---\nb\n"),
        (b"---\nmetadata:\n  pinned: False\n---\nb\n", 0, b"---\nmetadata:\n  pinned: True\n---\nb\n"),
        (b'---\n{\n  "name": "x"\n}\n---\nb\n', 0, b'---\n{\n  "pinned": true,\n  "name": "x"\n}\n---\nb\n'),
        (b"<!-- kept -->\n---\nname: x\n---\nb\n", 0, b"<!-- kept -->\n---\nname: x\npinned: true\n---\nb\n"),
        (b"# Kiln\n\n- a\n- b\n", 0, b"# [PINNED] Kiln\n\n- a\n- b\n"),
        (b"one thing\n", 0, b"[PINNED] one thing\n"),
        (b"- a\n- b", 0, b"---\npinned: true\n---\n- a\n- b"),
        (b"\xef\xbb\xbfa\r\n\r\nb\r\n", 0, b"\xef\xbb\xbf---\r\npinned: true\r\n---\r\na\r\n\r\nb\r\n"),
        (b"* * *\n\na\n\nb\n", 0, b"---\npinned: true\n---\n* * *\n\na\n\nb\n"),
        (b"# A\n\nx\n\n## B\n\ny\n", 3, b"# A\n\nx\n\n## [PINNED] B\n\ny\n"),
        (b"**Head**\n\nx\n", 1, b"**[PINNED] Head**\n\nx\n"),
        (b"- [x] [decision] done\n", 1, b"- [x] [PINNED] [decision] done\n"),
        (b"| a |\n|---|\n| c |\n", 1, b"| a |\n|---|\n| [PINNED] c |\n"),
        (b"> said\n", 1, b"> [PINNED] said\n"),
        (b"12. twelfth\n", 1, b"12. [PINNED] twelfth\n"),
    ],
)
def test_the_form_fits_the_file(before: bytes, index: int, after: bytes) -> None:
    assert made(parse("n.md", before), index, pinned=True) == after
    assert pin_of(parse("n.md", after), index) is Pin.WHOLE


@pytest.mark.parametrize(
    ("before", "index", "after"),
    [
        (b"---\nname: x\npinned: true\n---\nbody\n", 0, b"---\nname: x\npinned: false\n---\nbody\n"),
        (
            b"---\npinned: 1\nmetadata:\n  pinned: on\n---\nb\n",
            0,
            b"---\npinned: 0\nmetadata:\n  pinned: off\n---\nb\n",
        ),
        (b"# [pinned] Kiln\n\n- a\n", 0, b"# Kiln\n\n- a\n"),
        (b"- [PINNED] a\n- b\n", 1, b"- a\n- b\n"),
        ("- 📌 a\n- b\n".encode(), 1, b"- a\n- b\n"),
        (b"- **[PINNED]** a\n- b\n", 1, b"- a\n- b\n"),
        (b"- **[PINNED] a** b\n- b\n", 1, b"- **a** b\n- b\n"),
    ],
)
def test_an_unpinned_note_loses_its_mark_and_nothing_else(before: bytes, index: int, after: bytes) -> None:
    assert made(parse("n.md", before), index, pinned=False) == after


def test_a_holder_is_pinned_in_part_by_what_it_holds() -> None:
    document = parse("n.md", b"# A\n\n- [PINNED] x\n- y\n\n# B\n\nz\n")
    assert pins_of(document) == (Pin.PART, Pin.PART, Pin.WHOLE, Pin.NONE, Pin.NONE, Pin.NONE)
    document = parse("n.md", b"# A\n\n- [PINNED] x\n- [PINNED] y\n")
    assert set(pins_of(document)) == {Pin.WHOLE}


@given(files(), st.data())
@settings(max_examples=max(int(150 * SCALE), 1), deadline=None)
def test_a_pin_is_taken_back_to_the_byte(data: bytes, draw: st.DataObject) -> None:
    document = parse("n.md", data)
    if not document.notes:
        return
    index = draw.draw(st.integers(0, len(document.notes) - 1))
    pinned = pin_of(document, index) is not Pin.WHOLE
    try:
        edit = pin_edit(document, index, pinned=pinned)
    except UnpinnableError:
        return
    after: Text = compose(document.lines, (edit,))
    again = parse("n.md", render(after, terminator_of(document.lines)))
    assert (pin_of(again, index) is Pin.WHOLE) is pinned
    assert after[: edit.start] == document.lines[: edit.start]
    assert after[edit.start + len(edit.new) :] == document.lines[edit.stop :]
    assert compose(after, invert(document.lines, (edit,), (edit,))) == document.lines
