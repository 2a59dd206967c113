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
class Derived:
    """What was worked out about one change; never read from a manifest."""

    vanishing: tuple[str, ...] = ()
    """Literals of the removed text that occur nowhere in the proposed folder, in the order they stood. They may be
    elsewhere in the world: say "not found in this folder", never "lost". Of a conflict, those of every option."""
    moved: tuple[Moved, ...] = ()
    """Removed lines that the proposal brings elsewhere, word for word."""
    kept: tuple[Moved, ...] = ()
    """Removed lines that stand elsewhere word for word, and did before: what goes is a second copy."""
    flags: frozenset[str] = frozenset()
    """Which of move, rewrap, reorder and refresh the whole change is."""
    by_option: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of a conflict: option key to the literals that vanish when it is chosen."""
