"""The units of an edit that a person decides, and what a change looks like once its units have verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from dreamreview.model.proposal import Act, FileEdit

if TYPE_CHECKING:
    from dreamreview.model.decisions import Target

Units = tuple[frozenset[int], frozenset[int]]
"""Old and new lines of an edit, 1-based."""


class State(StrEnum):
    """What was decided about a change."""

    UNDECIDED = "undecided"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EDITED = "edited"
    SKIPPED = "skipped"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True)
class Chosen:
    """Units of one edit that share a verdict."""

    edit: FileEdit
    """The edit as it stands: `new` is the person's own text where one was written."""
    old: frozenset[int] = frozenset()
    """Old lines, 1-based; empty for acts that have no lines."""
    new: frozenset[int] = frozenset()
    """New lines, 1-based."""

    @property
    def is_whole(self) -> bool:
        """Whether these units are all of the edit."""
        return len(self.old) == old_size(self.edit) and len(self.new) == new_size(self.edit)


@dataclass(frozen=True, slots=True)
class ChangeReview:
    """What was decided about one change."""

    state: State = State.UNDECIDED
    choice: str | None = None
    """Key of the option that was chosen, or ``both``; None otherwise."""
    chosen: tuple[Chosen, ...] = ()
    """Accepted units that no apply has carried out yet, in the order of the manifest."""
    rejected: tuple[Chosen, ...] = ()
    """Rejected units, in the order of the manifest; a conflict that is rejected as a whole has none."""
    reason: str = ""
    """Why, as said with the newest decision that gave a reason."""
    note: str = ""
    """What the person noted beside it."""
    is_void: bool = False
    """Whether its newest decision fell away since the change is no longer what was seen."""
    decided_at_n: int = 0
    """Number of the newest decision in force; 0 without one."""
    is_settled: bool = False
    """Whether none of its units waits for a decision; never true of what is skipped or undecided."""


def old_size(edit: FileEdit) -> int:
    """Return how many old lines of an edit can be chosen."""
    if edit.act is Act.LINES:
        return edit.stop - edit.start
    return len(edit.old) if edit.act is Act.DELETE else 0


def new_size(edit: FileEdit) -> int:
    """Return how many new lines of an edit can be chosen."""
    return len(edit.new) if edit.act in {Act.LINES, Act.CREATE} else 0


def has_text(edit: FileEdit) -> bool:
    """Tell whether an edit brings or takes lines, so that a person can write another text for it."""
    return edit.act in {Act.LINES, Act.CREATE, Act.DELETE}


WHOLE = 0
"""The one unit of an edit that has no lines."""


def units_of(edit: FileEdit) -> frozenset[int]:
    """Return the units of an edit: old line i as -i, new line j as j, or `WHOLE` alone."""
    units = frozenset(range(-old_size(edit), new_size(edit) + 1)) - {WHOLE}
    return units or frozenset({WHOLE})


def named_units(edit: FileEdit, target: Target) -> frozenset[int]:
    """Return the units of an edit that a target names; lines that it does not have are left out."""
    if not target.has_lines:
        return units_of(edit)
    return units_of(edit) & frozenset([-line for line in target.old or ()] + [*(target.new or ())])


def signed(units: Units) -> frozenset[int]:
    """Return old and new lines as units."""
    return frozenset([-line for line in units[0]] + [*units[1]])


def chosen_of(edit: FileEdit, units: Iterable[int]) -> Chosen:
    """Return units of an edit as a value to hand on."""
    given = tuple(units)
    old = frozenset(-unit for unit in given if unit < 0)
    return Chosen(edit=edit, old=old, new=frozenset(unit for unit in given if unit > 0))
