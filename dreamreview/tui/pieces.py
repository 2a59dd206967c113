"""What the cursor can stand on inside a card: edits, and the pieces of those that are split."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.model.review import ChangeReview, Chosen, State, Target
from dreamreview.tui.detail.diff import displayed
from dreamreview.tui.detail.rows import Unit
from dreamreview.tui.inert import own

if TYPE_CHECKING:
    from dreamreview.model.proposal import FileEdit
    from dreamreview.tui.detail.layout import Marks
    from dreamreview.workspace.values import Card


@dataclass(frozen=True, slots=True)
class Piece:
    """An edit, or one piece of it: an old line with its new line, or one line alone."""

    edit: FileEdit
    number: int = 0
    """1-based place of the piece in a split edit; 0 for the whole edit."""

    @property
    def units(self) -> frozenset[Unit]:
        """The lines of it that can be decided; none for a rename or a mode."""
        old, new = range(1, len(self.edit.old) + 1), range(1, len(self.edit.new) + 1)
        every = [Unit(self.edit.id, is_old=True, number=line) for line in old]
        every += [Unit(self.edit.id, is_old=False, number=line) for line in new]
        return frozenset(unit for unit in every if self.number in (0, unit.number))

    def target(self, change: str) -> Target:
        """Return how a decision names it."""
        return target_of(change, self.edit.id, self.units) if self.number else Target(change, self.edit.id)


def target_of(change: str, edit: str, units: Iterable[Unit]) -> Target:
    """Return how a decision names some lines of an edit."""
    chosen = tuple(units)
    return Target(
        change,
        edit,
        frozenset(unit.number for unit in chosen if unit.is_old),
        frozenset(unit.number for unit in chosen if not unit.is_old),
    )


def pieces_of(card: Card, split: Collection[str]) -> list[Piece]:
    """Return what the cursor can stand on in a card, in the order it is drawn; `split` holds ids of split edits."""
    edits = edits_shown(card)
    pieces: list[Piece] = []
    for _, group in displayed(edits):
        for edit in group:
            size = max(len(edit.old), len(edit.new))
            numbers = range(1, size + 1) if edit.id in split and size > 1 else range(1)
            pieces += [Piece(edit, number) for number in numbers]
    return pieces


def edits_shown(card: Card) -> tuple[FileEdit, ...]:
    """Return the edits of a card, with the text that a person wrote in place of what was proposed."""
    written = {part.edit.id: part.edit for part in (*card.review.chosen, *card.review.rejected)}
    return tuple(written.get(edit.id, edit) for edit in card.change.all_edits)


def units_of(chosen: Iterable[Chosen]) -> frozenset[Unit]:
    """Return the lines that some accepted or rejected parts hold."""
    units: set[Unit] = set()
    for part in chosen:
        units.update(Unit(part.edit.id, is_old=True, number=line) for line in part.old)
        units.update(Unit(part.edit.id, is_old=False, number=line) for line in part.new)
    return frozenset(units)


def state_of(review: ChangeReview, piece: Piece) -> State:
    """Return what was decided about a piece."""
    taken, refused = units_of(review.chosen), units_of(review.rejected)
    if not piece.units:
        if any(part.edit.id == piece.edit.id for part in review.chosen):
            return State.ACCEPTED
        is_refused = any(part.edit.id == piece.edit.id for part in review.rejected)
        return State.REJECTED if is_refused else State.UNDECIDED
    if piece.units <= taken:
        return State.ACCEPTED
    if piece.units <= refused:
        return State.REJECTED
    return State.PARTIAL if piece.units & (taken | refused) else State.UNDECIDED


def marks_of(review: ChangeReview) -> Marks:
    """Return the marks beside the lines of a card of which only some were decided, or not all alike."""
    if review.state is not State.PARTIAL:
        return {}
    marks: Marks = {unit: own("✓", "accepted") for unit in units_of(review.chosen)}
    marks.update({unit: own("✗", "rejected") for unit in units_of(review.rejected)})
    return marks


def line_marks(piece: Piece, chosen: Collection[Unit]) -> Marks:
    """Return the marks of the line mode: which lines are chosen."""
    return {unit: own("●", "accepted") if unit in chosen else own("○", "dim") for unit in piece.units}
