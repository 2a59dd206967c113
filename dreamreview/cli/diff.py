"""What a set of edits does to one path, as the rows of a unified diff: masked, with context, never cut short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dreamreview.model.edits import Edit, Text, in_order
from dreamreview.model.secrets import MASK, find_secrets, mask

CONTEXT = 3
"""Unchanged lines shown around a change, as diff does."""

NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a diff."""

    sign: str
    """Blank for an unchanged line, ``-`` for an old one, ``+`` for a new one, a backslash for the remark on its end."""
    text: str
    """The line without its terminator, masked; undecodable bytes as surrogate escapes."""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of changed lines with its context."""

    start: int
    """First line of the old text, 1-based as diff counts: of an empty range the line before it."""
    size: int
    """Lines of the old text."""
    to_start: int
    """First line of the new text, counted alike."""
    to_size: int
    """Lines of the new text."""
    rows: tuple[Row, ...]

    @property
    def header(self) -> str:
        """The line that introduces it, from one ``@@`` to the other."""
        return f"@@ -{self.start},{self.size} +{self.to_start},{self.to_size} @@"


def masked_lines(text: Text) -> tuple[str, ...]:
    """Return the lines of a text without terminators, secrets masked, also those that reach over several lines."""
    if not text:
        return ()
    whole = b"\n".join(line.removesuffix(b"\n") for line in text).decode("utf-8", "surrogateescape")
    masked = mask(whole).split("\n")
    if len(masked) == len(text):
        return tuple(masked)
    hidden: set[int] = set()
    for span in find_secrets(whole):
        first = whole.count("\n", 0, span.start)
        size = whole.count("\n", span.start, span.stop)
        hidden.update(range(first, first + size + 1) if size else ())
    return tuple(MASK if line and place in hidden else mask(line) for place, line in enumerate(whole.split("\n")))


def blocks(base: Text, edits: Iterable[Edit], context: int = CONTEXT) -> Iterator[Block]:
    """Yield the runs of lines by which the edits change a text.

    Raises:
        ValueError: the edits overlap, or one reaches past the end.
    """
    ordered = in_order(edits)
    if ordered and max(edit.stop for edit in ordered) > len(base):
        raise ValueError("an edit reaches past the end of the text")
    sheet = _Sheet(base, masked_lines(base), len(base) + sum(edit.growth for edit in ordered), context)
    shift = 0
    for group in _groups(ordered, context):
        yield sheet.block(group, shift)
        shift += sum(edit.growth for edit in group)


def _groups(edits: Sequence[Edit], context: int) -> Iterator[list[Edit]]:
    """Gather the edits whose context would touch."""
    group: list[Edit] = []
    for edit in edits:
        if group and edit.start - group[-1].stop > 2 * context:
            yield group
            group = []
        group.append(edit)
    if group:
        yield group


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The text that a diff is drawn against."""

    base: Text
    shown: Sequence[str]
    to_length: int
    context: int

    def block(self, group: Sequence[Edit], shift: int) -> Block:
        first = max(0, group[0].start - self.context)
        if self.base and first == len(self.base) and not self.base[-1].endswith(b"\n"):
            first -= 1  # what follows an open line closes it, so that line has changed as well
        last = min(len(self.base), group[-1].stop + self.context)
        growth = sum(edit.growth for edit in group)
        rows: list[Row] = []
        at = first
        for edit in group:
            rows += self._kept(at, edit.start, shift)
            for line in range(edit.start, edit.stop):
                rows += _row("-", self.shown[line], self.base[line], is_last=line == len(self.base) - 1)
            shift += edit.growth
            to_stop = edit.stop + shift
            for place, (raw, text) in enumerate(zip(edit.new, masked_lines(edit.new), strict=True), 1):
                is_last = to_stop - len(edit.new) + place == self.to_length
                rows += _row("+", text, raw, is_last=is_last)
            at = edit.stop
        rows += self._kept(at, last, shift)
        size, to_size = last - first, last - first + growth
        to_first = first + shift - growth
        return Block(first + bool(size), size, to_first + bool(to_size), to_size, tuple(rows))

    def _kept(self, start: int, stop: int, shift: int) -> Iterator[Row]:
        """Yield unchanged lines; one that is merely closed by what now follows is drawn as taken away and put back."""
        for line in range(start, stop):
            raw, text = self.base[line], self.shown[line]
            if raw.endswith(b"\n"):
                yield Row(" ", text)
            elif line + shift + 1 == self.to_length:
                yield from _row(" ", text, raw, is_last=True)
            else:
                yield from _row("-", text, raw, is_last=line == len(self.base) - 1)
                yield Row("+", text)


def _row(sign: str, text: str, raw: bytes, *, is_last: bool) -> Iterator[Row]:
    yield Row(sign, text)
    if is_last and not raw.endswith(b"\n"):
        yield Row("\\", NO_NEWLINE)
