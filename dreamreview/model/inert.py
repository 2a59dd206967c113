"""How untrusted text is made harmless to look at: what a terminal would obey or hide becomes a visible mark."""

from __future__ import annotations

import unicodedata
from functools import cache

_CONTROL_PICTURES = 0x2400
_DELETE_PICTURE = "\u2421"
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Co"})
"""Unicode categories drawn as marks: control, format, surrogate, line and paragraph separators, private use."""
_BLANK_LETTERS = frozenset((0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0))
"""Letters and marks without a shape, in which text can be hidden."""
_HIDDEN_SELECTORS = range(0xE0100, 0xE01F0)


class _Marks(dict[int, str]):
    """A translation table that is filled as characters are met."""

    def __missing__(self, code: int) -> str:
        mark = self[code] = _mark(code)
        return mark


def _mark(code: int) -> str:
    char = chr(code)
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    if code == 0x7F:
        return _DELETE_PICTURE
    if 0xDC80 <= code <= 0xDCFF:
        return f"⟨x{code - 0xDC00:02X}⟩"
    if unicodedata.category(char) in _UNSEEN or code in _BLANK_LETTERS or code in _HIDDEN_SELECTORS:
        return f"⟨U+{code:04X}⟩"
    if code & 0xFFFE == 0xFFFE:
        return f"⟨U+{code:04X}⟩"
    return char


@cache
def _table(keep_newlines: bool, keep_tabs: bool) -> _Marks:
    table = _Marks()
    if keep_newlines:
        table[0x0A] = "\n"
    if keep_tabs:
        table[0x09] = "\t"
    return table


def inert(text: str, keep_newlines: bool = False, keep_tabs: bool = False) -> str:
    """Return the text with every character that a terminal would obey, reorder by or not show turned into a mark.

    Controls become control pictures (``␛``, ``␍``), a byte that was no UTF-8 ``⟨x9B⟩``, C1, bidi, zero-width and other
    format characters ``⟨U+202E⟩``. Brackets stay brackets; line feeds and tabs stay where asked for. Doing it twice
    changes nothing.
    """
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_table(keep_newlines, keep_tabs))


def show_bytes(line: bytes, keep_tabs: bool = False) -> str:
    """Return a line made for looking at: its LF or CRLF off, read as UTF-8, what is none as U+FFFD, inert."""
    bare = line[:-1] if line.endswith(b"\n") else line
    if bare is not line and bare.endswith(b"\r"):
        bare = bare[:-1]
    return inert(bare.decode("utf-8", "replace"), keep_tabs=keep_tabs)
