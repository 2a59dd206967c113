"""What an import reads out of its source: the changes, what they speak of, and what had to be left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError
from dreamreview.model.manifest import ranked

if TYPE_CHECKING:
    from dreamreview.model.files import FileState
    from dreamreview.model.proposal import Change

MAX_BYTES = 64 * 1024 * 1024
"""Largest file that is read as a diff, an export or a list of candidates; as large as a manifest may be."""


@dataclass(frozen=True, slots=True)
class Left:
    """One thing of a source that did not become a change."""

    what: str
    """The path it is about, or what stands for it in the source."""
    place: str
    """Where in the source it stands, empty where it is a whole file."""
    reason: str

    def __str__(self) -> str:
        place = f" ({self.place})" if self.place else ""
        return f"{self.what}{place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Suggested:
    """What a source suggests for a store as it stands."""

    source: str
    """``folder``, ``patch``, ``revision``, ``candidates`` or ``mem0``."""
    changes: tuple[Change, ...] = ()
    before: Mapping[str, FileState] | None = None
    """What the store holds under every path that a change names."""
    left: tuple[Left, ...] = ()
    done: int = 0
    """How many of its changes the store holds already."""
    warnings: tuple[str, ...] = ()
    narrative: str = ""
    """Where it comes from, in a sentence."""
    is_guess: bool = False
    """Whether the source was made from something else than the store as it stands, as far as anyone knows."""


def explained(changes: Iterable[Change], reason: str, instead_of: str) -> tuple[Change, ...]:
    """Give changes that nobody explained a reason."""
    return tuple(replace(change, reason=reason) if change.reason == instead_of else change for change in changes)


def in_place_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return changes by path and line, with their edits ranked."""
    return ranked(tuple(sorted(changes, key=lambda one: (one.edits[0].path, one.edits[0].start, one.edits[0].stop))))


def within_limit(what: str, found: Sequence[object] | bytes, limit: int, unit: str) -> None:
    """Refuse what is longer than an import may be.

    Raises:
        StoreError: it is.
    """
    if len(found) > limit:
        raise StoreError(f"{what} holds more than {limit:,} {unit}: split it, then import the parts")
