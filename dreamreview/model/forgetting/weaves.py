"""A woven history without what is to be forgotten: the text of any acts in force is as before, less those lines."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.model.edits import LF, close
from dreamreview.model.weave import OUTSIDE, PathDeed, Strand, Weave, deed_of

if TYPE_CHECKING:
    from dreamreview.model.forgetting.wanted import Scope


@dataclass(frozen=True, slots=True)
class Unwoven:
    """What became of a weave."""

    weave: Weave | None
    """None where nothing of its path is kept."""
    deeds: frozenset[str]
    """``APPLY/CHANGE`` of what brought or took the lines that went."""


def names_of_weave(weave: Weave) -> tuple[str, ...]:
    """Return every name that a path had."""
    renames = (act.to for act in weave.path_acts if act.deed is PathDeed.RENAME and act.to)
    return (weave.origin, *renames)


def unwoven(weave: Weave, scope: Scope) -> Unwoven:
    """Return a weave without the lines that go; one without any is the same object."""
    names = names_of_weave(weave)
    if scope.drops(names[-1]):
        return Unwoven(None, frozenset(_ours(act) for act in weave.acts) - {""})
    gone: set[int] = set()
    for name in names:
        gone |= _found(weave, scope, name)
    if not gone:
        return Unwoven(weave, frozenset())
    ids = {weave.strands[at].id for at in gone}
    acts = {act for at in gone for act in (weave.strands[at].born, *weave.strands[at].killed)}
    return Unwoven(
        replace(
            weave,
            strands=tuple(strand for at, strand in enumerate(weave.strands) if at not in gone),
            anchors={
                proposal: tuple(one for one in tied if one not in ids) for proposal, tied in weave.anchors.items()
            },
        ),
        frozenset(_ours(act) for act in acts) - {""},
    )


def _found(weave: Weave, scope: Scope, name: str) -> set[int]:
    """Return the places of the strands that go.

    Lines that were never there together do not meet: each text that an act left is looked through by itself.
    """
    lines = tuple(close(strand.line, LF) for strand in weave.strands)
    found = {at for at, line in enumerate(lines) if scope.removed(name, (line,))}
    for places in _states(weave.strands):
        found |= {places[at] for at in scope.removed(name, tuple(lines[place] for place in places))}
    return found


def _states(strands: tuple[Strand, ...]) -> list[list[int]]:
    """Return the strands that one act brought, or took away, together, and those that stand."""
    groups: dict[str, list[int]] = defaultdict(list)
    for at, strand in enumerate(strands):
        for act in {strand.born, *strand.killed} if strand.killed else {strand.born, "standing"}:
            groups[act].append(at)
    return list(groups.values())


def _ours(act: str) -> str:
    return "" if act.startswith(OUTSIDE) or not act else deed_of(act)
