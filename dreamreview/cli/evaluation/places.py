"""Where things stand: runs of lines in files, and pairs of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Span:
    """A run of lines."""

    path: str
    first: int
    """1-based."""
    last: int
    """1-based and inclusive; before `first` where something is put in between two lines."""

    def __str__(self) -> str:
        return f"{self.path}:{self.first}" + (f"-{self.last}" if self.last > self.first else "")

    def meets(self, other: Span) -> bool:
        """Tell whether both share a line."""
        return self.path == other.path and self.first <= other.last and other.first <= self.last

    def meets_any(self, others: Iterable[Span]) -> bool:
        """Tell whether it shares a line with one of several."""
        return any(self.meets(other) for other in others)


Pair = tuple[Span, Span]


def pairs(spans: Iterable[Span]) -> tuple[Pair, ...]:
    """Return every pair of some spans, in order."""
    return tuple(combinations(spans, 2))


def is_same(one: Pair, other: Pair) -> bool:
    """Tell whether two pairs are about the same lines, in either order."""
    near, far = one
    return (near.meets(other[0]) and far.meets(other[1])) or (near.meets(other[1]) and far.meets(other[0]))
