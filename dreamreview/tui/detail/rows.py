"""The rows that a card is made of; a row holds bytes or parts, and is laid out only when it comes on screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreamreview.tui.inert import Part


class Sign(StrEnum):
    """What a line of a diff is: the character in front of it."""

    SAME = " "
    OLD = "-"
    NEW = "+"
    MOVED_AWAY = "<"
    MOVED_HERE = ">"

    @property
    def is_old(self) -> bool:
        """Whether the line goes away."""
        return self in (Sign.OLD, Sign.MOVED_AWAY)

    @property
    def is_changed(self) -> bool:
        """Whether the line is one of the units of an edit."""
        return self is not Sign.SAME


@dataclass(frozen=True, slots=True)
class Unit:
    """One line that can be decided: an old (``-i``) or a new (``+j``) line of an edit, 1-based."""

    edit: str
    is_old: bool
    number: int


@dataclass(frozen=True, slots=True)
class Words:
    """A line of words."""

    parts: tuple[Part, ...] = ()
    hang: int = 0
    """Cells by which its later lines are indented."""
    edit: str = ""
    """Id of the edit that it stands above."""
    is_clipped: bool = False
    """Whether the middle of a long path is left out, so that the line does not wrap."""


@dataclass(frozen=True, slots=True)
class Code:
    """A line of a file."""

    sign: Sign
    raw: bytes
    number: int | None = None
    """Line in the base, 1-based; None for a line that is new."""
    unit: Unit | None = None
    other: bytes | None = None
    """The line on the other side that it is compared with, word by word."""
    note: str = ""
    """Words of ours after the line: where it moved, what it lacks."""
    is_whole_secret: bool = False
    """Whether it lies inside a secret that spans lines; then it is not shown."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two columns: side by side where there is room, else one above the other."""

    left: tuple[Words | Code, ...]
    right: tuple[Words | Code, ...]


Row = Words | Code | Pair


def codes(row: Row) -> Sequence[Code]:
    """Return the lines of files that a row holds."""
    if isinstance(row, Pair):
        return [half for half in (*row.left, *row.right) if isinstance(half, Code)]
    return [row] if isinstance(row, Code) else []


BLANK = Words()
