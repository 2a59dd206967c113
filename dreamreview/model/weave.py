"""Which act inserted and which deleted each line of a path: the text is a function of the acts in force.

A weave keeps every line that a path ever had since we first wrote to it. Undoing an act retires it; whatever the
order of undoing, the same acts in force give the same text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from typing import NamedTuple

from dreamreview.model.edits import LF, Text

OUTSIDE = "outside"
"""First part of the key of an act that was not ours: an agent, an editor, a checkout."""

Retired = Collection[str]
"""Acts that were undone, as ``APPLY/CHANGE``."""


def act_key(apply: str, change: str, edit: str) -> str:
    """Return the key of one edit as carried out by one apply."""
    return f"{apply}/{change}/{edit}"


def deed_of(act: str) -> str:
    """Return the ``APPLY/CHANGE`` that an act belongs to, the unit that is undone."""
    return act.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class Seat:
    """Where an inserted line stands among the lines of its own proposal at one gap."""

    proposal: str
    rank: int
    unit: int
    """1-based new line of its edit."""


class Strand(NamedTuple):
    """One line with the acts that brought it and took it away."""

    id: int
    """Grows with every line ever inserted, so a larger id is a later line."""
    line: bytes
    born: str = ""
    """Act that inserted it; empty for lines of the first text."""
    killed: tuple[str, ...] = ()
    """Acts that deleted it."""
    seat: Seat | None = None


class PathDeed(StrEnum):
    """What an act did to the whole path."""

    CREATE = "create"
    DELETE = "delete"
    RENAME = "rename"
    MODE = "mode"


@dataclass(frozen=True, slots=True)
class PathAct:
    """One act on a whole path."""

    act: str
    deed: PathDeed
    to: str | None = None
    mode: int | None = None


@dataclass(frozen=True, slots=True)
class Weave:
    """The woven history of one path."""

    uid: str
    """Stable name of the weave; a path that goes and another that takes its name have two."""
    origin: str
    """Its name when we first wrote to it."""
    existed: bool
    mode: int
    """Permission bits when we first wrote to it."""
    terminator: bytes = LF
    strands: tuple[Strand, ...] = ()
    acts: Mapping[str, str] = field(default_factory=dict)
    """Keys of all acts, oldest first, each with the proposal it carried out (empty for others' acts)."""
    path_acts: tuple[PathAct, ...] = ()
    anchors: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Proposal to the strand ids that its base lines are."""
    next_id: int = 0

    def in_force(self, act: str, retired: Retired) -> bool:
        """Tell whether an act counts: the first text and others' acts always do, ours unless undone."""
        return deed_of(act) not in retired

    def is_visible(self, strand: Strand, retired: Retired) -> bool:
        """Tell whether a line stands in the text that the acts in force give."""
        if strand.born and not self.in_force(strand.born, retired):
            return False
        return not (strand.killed and any(self.in_force(act, retired) for act in strand.killed))

    def visible(self, retired: Retired) -> list[int]:
        """Return the places in `strands` of the lines that stand in the text; those of the first text cost nothing."""
        return [
            at
            for at, strand in enumerate(self.strands)
            if not (strand.born or strand.killed) or self.is_visible(strand, retired)
        ]

    def text(self, retired: Retired) -> Text:
        """Return the text that the acts in force give."""
        return tuple(self.strands[at].line for at in self.visible(retired))

    def path_deeds(self, deed: PathDeed, retired: Retired) -> Iterator[PathAct]:
        """Return the acts in force of one sort, oldest first."""
        return (act for act in self.path_acts if act.deed is deed and self.in_force(act.act, retired))

    def path(self, retired: Retired) -> str:
        """Return the name that the path has now."""
        return next(
            (act.to for act in reversed(list(self.path_deeds(PathDeed.RENAME, retired))) if act.to), self.origin
        )

    def mode_now(self, retired: Retired) -> int:
        """Return the permission bits that the path has now."""
        last = self.mode
        for act in self.path_acts:
            if act.mode is not None and act.deed is not PathDeed.DELETE and self.in_force(act.act, retired):
                last = act.mode
        return last

    def exists(self, retired: Retired) -> bool:
        """Tell whether the path is there: it has a line, or its last creation or deletion says so."""
        if any(self.is_visible(strand, retired) for strand in self.strands):
            return True
        exists = self.existed
        for act in self.path_acts:
            if act.deed in (PathDeed.CREATE, PathDeed.DELETE) and self.in_force(act.act, retired):
                exists = act.deed is PathDeed.CREATE
        return exists


def begin(uid: str, path: str, base: Text | None, mode: int, terminator: bytes) -> Weave:
    """Start the weave of a path with the text it has; `base` is None where there is no such file yet."""
    strands = tuple(map(Strand, count(), base or ()))
    return Weave(
        uid=uid,
        origin=path,
        existed=base is not None,
        mode=mode,
        terminator=terminator,
        strands=strands,
        next_id=len(strands),
    )
