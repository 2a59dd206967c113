"""How a row becomes lines of a given width: gutter, wrapping, word emphasis, visible marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dreamreview.model.inert import inert
from dreamreview.model.secrets import mask
from dreamreview.tui.detail.rows import Code, Pair, Row, Sign, Unit
from dreamreview.tui.detail.words import Span, differing
from dreamreview.tui.flow import clip_paths, pad, wrap
from dreamreview.tui.inert import Part, Safe, expand_tabs, own, said

PAIR_WIDTH = 76
"""Cells from which two columns stand side by side."""
WORD_LIMIT = 4_000
"""Bytes up to which a line is compared word by word and lightly styled."""

Lines = list[list[Part]]

LOOKS = {
    Sign.SAME: "text",
    Sign.OLD: "old",
    Sign.NEW: "new",
    Sign.MOVED_AWAY: "moved",
    Sign.MOVED_HERE: "moved",
}
_MARKDOWN = re.compile(r"`[^`]+`")
_ODD = re.compile(rb"[^\x20-\x7e]")


@dataclass(frozen=True, slots=True)
class Frame:
    """What the layout of a row depends on beside the row."""

    width: int
    digits: int = 0
    """Cells for line numbers; 0 hides them."""
    is_wrapped: bool = True
    edit: str = ""
    """Id of the edit at the cursor, marked with a bar."""
    piece: int = 0
    """Piece of that edit at the cursor when it is split, 1-based; 0 for all of it."""
    found: str = ""
    """What is searched for, case folded."""

    @property
    def gutter(self) -> int:
        """Cells before the text of a line of a file: bar, mark, number, sign and blanks."""
        return 4 + (self.digits + 1 if self.digits else 0)

    def is_at(self, unit: Unit) -> bool:
        """Tell whether a line belongs to what is at the cursor."""
        return unit.edit == self.edit and self.piece in (0, unit.number)


Marks = dict[Unit, Part]
"""What stands beside a line that can be decided."""


def quick_height(row: Row, frame: Frame) -> int | None:
    """Return how many lines a row takes where that is plain to see; None where it must be laid out."""
    if isinstance(row, Code):
        if not frame.is_wrapped:
            return 1
        body = row.raw.rstrip(b"\r\n")
        is_plain = row.note.isascii() and row.note.isprintable() and not _ODD.search(body)
        if is_plain and len(body) + len(row.note) + 1 < frame.width - frame.gutter:
            return 1
    return None


def height(row: Row, frame: Frame) -> int:
    """Return how many lines a row takes."""
    lines = quick_height(row, frame)
    return lines if lines is not None else max(len(lay(row, frame, {})), 1)


def lay(row: Row, frame: Frame, marks: Marks) -> Lines:
    """Return the lines of a row."""
    if isinstance(row, Pair):
        return _pair(row, frame, marks)
    if isinstance(row, Code):
        return _code(row, frame, marks)
    parts = _mark_found(clip_paths(row.parts, frame.width - 1) if row.is_clipped else row.parts, frame.found)
    bar = [own("▌" if row.edit and row.edit == frame.edit else " ", "bar")]
    return [bar + line for line in wrap(parts, frame.width - 1, row.hang)]


def _pair(row: Pair, frame: Frame, marks: Marks) -> Lines:
    if frame.width < PAIR_WIDTH:
        return [line for half in (*row.left, *row.right) for line in lay(half, frame, marks)]
    half_width = (frame.width - 3) // 2
    narrow = replace(frame, width=half_width)
    left = [line for half in row.left for line in lay(half, narrow, marks)]
    right = [line for half in row.right for line in lay(half, narrow, marks)]
    lines: Lines = []
    for place in range(max(len(left), len(right))):
        one = pad(left[place] if place < len(left) else [], half_width)
        lines.append([*one, own(" │ ", "dim"), *(right[place] if place < len(right) else [])])
    return lines


def _code(row: Code, frame: Frame, marks: Marks) -> Lines:
    text = _text(row)
    look = LOOKS[row.sign]
    unit = row.unit
    bar = own("▌" if unit and frame.is_at(unit) else " ", "bar")
    mark = marks.get(unit, own(" ")) if unit else own(" ")
    number = "" if row.number is None else str(row.number)
    numbers = own(f"{number:>{frame.digits}} " if frame.digits else "", "dim")
    parts = _mark_found(_emphasised(row, text, look), frame.found)
    parts += [said(f" {row.note}", "dim")] if row.note else []
    room = frame.width - frame.gutter
    lines = wrap(parts, room) if frame.is_wrapped else [parts]
    first = [bar, mark, numbers, own(f"{row.sign} ", look)]
    rest = [bar, own(" " * (1 + (frame.digits + 1 if frame.digits else 0))), own("  ", look)]
    return [[*(first if place == 0 else rest), *line] for place, line in enumerate(lines)]


def _text(row: Code) -> Safe:
    if row.is_whole_secret:
        return Safe("***")
    return shown(row.raw, row.other, is_changed=row.sign.is_changed)


def shown(raw: bytes, other: bytes | None = None, *, is_changed: bool = False) -> Safe:
    """Return a line of a file as it is drawn, its line end left out unless that is what differs."""
    body, end = split_end(raw)
    differs = is_changed and other is not None and split_end(other)[1] != end and end.startswith(b"\r")
    text = mask(body.decode("utf-8", "surrogateescape"))
    pieces = [inert(piece) for piece in text.split("\t")]
    if is_changed and other is not None and not (raw.isascii() and other.isascii()) and len(raw) <= WORD_LIMIT:
        against = inert(mask(split_end(other)[0].decode("utf-8", "surrogateescape")))
        pieces = [spelled(piece, against) for piece in pieces]
    line = expand_tabs("\t".join(pieces), "→" if is_changed else " ")
    if is_changed:
        bare = line.rstrip(" ")
        line = bare + "·" * (len(line) - len(bare))
    return Safe(line + ("␍" if differs else ""))


def spelled(text: str, other: str) -> str:
    """Return a text with those characters as marks that look like others in the text it is compared with.

    These are blanks other than the space, and letters that are one character here and a letter with a mark there.
    """
    present = set(other)
    if present.issuperset(text):
        return text
    out: list[str] = []
    for place, char in enumerate(text):
        is_alike = char not in present and not char.isascii() and _looks_like(text[place - 1 : place], char, other)
        out.append(f"⟨U+{ord(char):04X}⟩" if is_alike else char)
    return "".join(out)


def _looks_like(before: str, char: str, other: str) -> bool:
    if unicodedata.category(char) == "Zs":
        return True
    if unicodedata.combining(char):
        return unicodedata.normalize("NFC", before + char) in other
    apart = unicodedata.normalize("NFD", char)
    return apart != char and apart in other


def split_end(raw: bytes) -> tuple[bytes, bytes]:
    """Split a line into its body and its line end."""
    for end in (b"\r\n", b"\n"):
        if raw.endswith(end):
            return raw[: -len(end)], end
    return raw, b""


def _emphasised(row: Code, text: Safe, look: str) -> list[Part]:
    if len(row.raw) > WORD_LIMIT or row.is_whole_secret or look == "moved":
        return [Part(text, look)]
    if row.other is None or len(row.other) > WORD_LIMIT:
        return _markdown(text, look)
    other = shown(row.other, row.raw, is_changed=True)
    spans = differing(text, other)[0] if row.sign.is_old else differing(other, text)[1]
    return _cut(text, spans, look, f"{look}-word") if spans else _markdown(text, look)


def _markdown(text: Safe, look: str) -> list[Part]:
    """Style headings and code spans of lines that stay; every character stays where it is."""
    if look != "text":
        return [Part(text, look)]
    if text.startswith("#"):
        return [Part(text, "heading")]
    return _cut(text, [match.span() for match in _MARKDOWN.finditer(text)], "text", "code")


def _cut(text: str, spans: Sequence[Span], look: str, special: str) -> list[Part]:
    parts: list[Part] = []
    at = 0
    for start, stop in spans:
        parts += [Part(Safe(text[at:start]), look), Part(Safe(text[start:stop]), special)]
        at = stop
    parts.append(Part(Safe(text[at:]), look))
    return [part for part in parts if part.text] or [Part(Safe(""), look)]


def _mark_found(parts: Sequence[Part], found: str) -> list[Part]:
    if not found:
        return list(parts)
    out: list[Part] = []
    for part in parts:
        folded = part.text.casefold()
        spans: list[Span] = []
        at = folded.find(found) if len(folded) == len(part.text) else -1
        while at >= 0:
            spans.append((at, at + len(found)))
            at = folded.find(found, at + len(found))
        out += _cut(part.text, spans, part.look, "found") if spans else [part]
    return out
