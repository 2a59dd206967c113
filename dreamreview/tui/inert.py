"""The one gate through which text reaches the screen: secrets masked, controls visible, never read as markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NewType

from rich.cells import cell_len, set_cell_size

from dreamreview.model.inert import inert
from dreamreview.model.secrets import mask

Safe = NewType("Safe", str)
"""Text that may be drawn: made by `safe` from anything, or a literal of this program."""

ELLIPSIS = "…"
TAB = 4
"""Cells between tab stops of a drawn line, counted from where its text starts."""


@dataclass(frozen=True, slots=True)
class Part:
    """A run of text and the look it is drawn in."""

    text: Safe
    look: str = "text"
    """Name of one of the looks of `dreamreview.tui.widgets.painted.LOOKS`."""


def safe(text: str) -> Safe:
    """Return untrusted text as it may be drawn on one line."""
    return Safe(inert(mask(text)))


def said(text: str, look: str = "text") -> Part:
    """Return untrusted text as a part of a line."""
    return Part(safe(text), look)


def own(text: str, look: str = "text") -> Part:
    """Return words of this program (literals and numbers, nothing read from a file) as a part of a line."""
    return Part(Safe(text), look)


def shorten(text: str, width: int) -> Safe:
    """Cut drawable text at its end so that it takes at most `width` cells."""
    if cell_len(text) <= width:
        return Safe(text)
    return Safe((set_cell_size(text, width - 1) + ELLIPSIS) if width > 1 else ELLIPSIS[:width])


def shorten_start(text: str, width: int) -> Safe:
    """Cut drawable text at its beginning, before a word where one is near, so that it takes at most `width` cells."""
    if cell_len(text) <= width:
        return Safe(text)
    start = 0
    while start < len(text) and cell_len(text[start:]) > max(width - 1, 0):
        start += 1
    blank = text.find(" ", max(start - 1, 0), start + width // 3)
    return Safe((ELLIPSIS + text[blank + 1 if blank >= 0 else start :])[: max(width, 0)])


def shorten_path(path: str, width: int) -> Safe:
    """Make a path drawable in at most `width` cells, taking the middle out and leaving its name as whole as fits."""
    text = safe(path)
    if cell_len(text) <= width:
        return text
    if width <= 1:
        return Safe(ELLIPSIS[:width])
    tail = text
    name = cell_len(text[text.rfind("/") + 1 :])
    keep = max(1, (width - 1) * 2 // 3, min(name, width - 2))
    while cell_len(tail) > keep:
        tail = Safe(tail[1:])
    return Safe(set_cell_size(text, width - 1 - cell_len(tail)) + ELLIPSIS + tail)


def expand_tabs(text: str, mark: str = " ") -> str:
    """Replace each tab by `mark` and blanks up to the next stop, by cells."""
    if "\t" not in text:
        return text
    first, *rest = text.split("\t")
    out, width = [first], cell_len(first)
    for piece in rest:
        out.append(mark + " " * (TAB - 1 - width % TAB) + piece)
        width += TAB - width % TAB + cell_len(piece)
    return "".join(out)
