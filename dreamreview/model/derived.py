"""What is worked out about a change for its reader, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Moved:
    """A removed line that stands word for word elsewhere."""

    path: str
    """Base path it is removed from."""
    line: int
    """Line there, 1-based."""
    to_path: str
    """Path it stands in once everything proposed is made."""
    to_line: int
    """Line there, 1-based."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A line that a change brings and that stood word for word elsewhere."""

    edit: str
    """Id of the edit that brings it."""
    number: int
    """Its place among the new lines of that edit, 1-based."""
    from_path: str
    """Base path it comes from."""
    from_line: int
    """Line there, 1-based."""


@dataclass(frozen=True, slots=True)
class LinkAt:
    """A link to another file, and where it stands."""

    path: str
    line: int
    """1-based; in the base, or in the proposed folder where a change brings the link."""
    target: str
    """As written."""
    is_new: bool = False
    """Whether a change brings it: then it stands nowhere yet."""


@dataclass(frozen=True, slots=True)
class Planted:
    """Text that a change brings and that hides something, or reads like an order to the agent."""

    path: str
    number: int
    """Its place among the new lines of the edit, 1-based; 0 where it stands in the name of a file."""
    flags: tuple[str, ...]
    """``instruction-like``, ``hidden-text`` or both."""
    how: str
    """What it is, to stand in a sentence."""
    said: str
    """What it says, made seen; empty where that cannot be told."""

    @property
    def place(self) -> str:
        """Where it stands, to stand behind "in": ``new line 3 of notes.md``."""
        return f"new line {self.number} of {self.path}" if self.number else f"the name {self.path}"


@dataclass(frozen=True, slots=True)
class Derived:
    """What was worked out about one change; never read from a manifest."""

    vanishing: tuple[str, ...] = ()
    """Literals of the removed text that occur nowhere in the proposed folder, in the order they stood. They may be
    elsewhere in the world: say "not found in this folder", never "lost". Of a conflict, those of every option."""
    moved: tuple[Moved, ...] = ()
    """Removed lines that the proposal brings elsewhere, word for word."""
    arrived: tuple[Arrived, ...] = ()
    """Lines it brings from elsewhere, word for word: the other ends of the moves."""
    kept: tuple[Moved, ...] = ()
    """Removed lines that stand elsewhere word for word, and did before: what goes is a second copy."""
    flags: frozenset[str] = frozenset()
    """Which of move, rewrap, reorder and refresh the whole change is."""
    by_option: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of a conflict: option key to the literals that vanish when it is chosen."""
    broken: tuple[LinkAt, ...] = ()
    """Links that lead nowhere because of it; what led nowhere before is left out."""
    mended: tuple[LinkAt, ...] = ()
    """Links that led nowhere, and do so no longer because of it."""
    broken_by_option: Mapping[str, tuple[LinkAt, ...]] = field(default_factory=dict)
    """Of a conflict: option key to the links that lead nowhere when it is chosen."""
    linked: Mapping[str, tuple[LinkAt, ...]] = field(default_factory=dict)
    """Of a conflict: path of each side to the links that lead to it."""
    planted: tuple[Planted, ...] = ()
    """What it brings that hides text or gives orders: never accepted along with others."""
