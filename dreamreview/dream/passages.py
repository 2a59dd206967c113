"""Which lines of a text may be one statement, told without parsing it: single lines, and runs that go on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.dream.vocabulary import cut
from dreamreview.model.roles import ENTRY_SIGN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dreamreview.model.moves import Place

LONGEST = 4_000
"""Characters beyond which a passage is no single statement."""
MOST_LINES = 40
"""Lines beyond which it is none either."""

_STARTS = re.compile(r"[ \t]*(?:[-*+·][ \t]|[•‣◦▪●○]|\d{1,3}[.)、]|[#|>]|```|~~~|---)")
"""How a line begins that does not go on from the one above it."""
_PLAIN_STARTS = frozenset(("- ", "* ", "+ ", "# ", "##", "| ", "", "\r"))
"""The same of most lines."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines that may be one statement."""

    path: str
    first: int
    """1-based, as `last`, which belongs to it."""
    last: int
    text: str
    said: str
    """Its words with blanks between, `cut`."""

    @property
    def span(self) -> tuple[str, int, int]:
        """Where it stands."""
        return self.path, self.first, self.last

    @property
    def places(self) -> list[Place]:
        """Its lines."""
        return [(self.path, line) for line in range(self.first, self.last + 1)]


class Lines:
    """A text by lines, 0-based: as they stand, and cut into words."""

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._raw = text.split("\n")
        self.cut = cut(text).split("\n")
        self._has_entries = ENTRY_SIGN in text and any(line.strip() == ENTRY_SIGN for line in self._raw)

    def is_blank(self, at: int) -> bool:
        """Tell whether a line says nothing."""
        return not self.cut[at].strip()

    def spans(self, hits: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield first and last line of each passage that holds one of some lines, which come in order."""
        end = -1
        for at in hits:
            if len(self._raw[at]) > LONGEST:
                continue
            if not self._raw[at].startswith("#"):
                yield at, at
            if at > end and not self._is_alone(at):
                first, last = self._run(at)
                if 0 < last - first < MOST_LINES and sum(map(len, self._raw[first : last + 1])) <= LONGEST:
                    end = last
                    yield first, last

    def passage(self, first: int, last: int) -> Passage:
        """Return lines as a passage."""
        text = "\n".join(self._raw[first : last + 1])
        return Passage(self._path, first + 1, last + 1, text, self.said(first, last))

    def said(self, first: int, last: int) -> str:
        """Return the words of some lines."""
        return " ".join(self.cut[first : last + 1]).strip()

    def _is_alone(self, at: int) -> bool:
        """Tell at a glance that a line is a list item of one line."""
        below = self._raw[at + 1][:2] if at + 1 < len(self._raw) else ""
        return not self._has_entries and self._raw[at][:2] in _PLAIN_STARTS and below in _PLAIN_STARTS

    def _run(self, at: int) -> tuple[int, int]:
        """Return the lines that a line belongs together with: up to a blank one or a list item, or the whole entry."""
        first = last = at
        if self._is_end(at):
            return at, at
        while at - first < MOST_LINES and first and not self._starts(first) and not self._is_end(first - 1):
            first -= 1
        while last - at < MOST_LINES and last + 1 < len(self._raw) and not self._is_new(last + 1):
            last += 1
        return first, last

    def _is_new(self, at: int) -> bool:
        return self._starts(at) or self._is_end(at)

    def _starts(self, at: int) -> bool:
        return not self._has_entries and _STARTS.match(self._raw[at]) is not None

    def _is_end(self, at: int) -> bool:
        if self._has_entries:
            return self._raw[at].strip() == ENTRY_SIGN
        return self._raw[at].startswith("#") or not self._raw[at].strip()
