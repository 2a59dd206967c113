"""What the decisions on one change come to: its state and the units of its edits that are accepted or rejected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.model.decisions import LogEntry, Op, Target
from dreamreview.model.manifest_read import THIRD
from dreamreview.model.third import BaseLines, is_conflict, one_text, rewritten, third_edit, third_side
from dreamreview.model.units import WHOLE, ChangeReview, State, Units, chosen_of, named_units, signed, units_of

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change, FileEdit

BOTH, SKIP = "both", "skip"
"""Choices that every conflict has, whether or not an option is keyed so."""


@dataclass(slots=True)
class _Board:
    """The verdicts on one change while its decisions are folded."""

    change: Change
    base_lines: BaseLines | None
    edits: dict[str, FileEdit] = field(default_factory=dict)
    """The edits to be decided as they stand: the change's own, or those of the option that was chosen."""
    accepted: dict[str, set[int]] = field(default_factory=dict)
    rejected: dict[str, set[int]] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    """Edits whose text is the person's."""
    overall: State = State.UNDECIDED
    """What was last decided about the change as a whole."""
    choice: str | None = None
    reason: str = ""
    note: str = ""
    n: int = 0

    def wipe(self, option: str | None = None) -> None:
        """Take every verdict back, and lay out the edits of an option, or of the change itself."""
        side = self.change.option(option) if option is not None else None
        edits = side.edits if side else () if is_conflict(self.change) else self.change.edits
        self.edits = {edit.id: edit for edit in edits}
        self.accepted = {edit.id: set() for edit in edits}
        self.rejected = {edit.id: set() for edit in edits}
        self.written.clear()
        self.choice = option
        self.overall = State.UNDECIDED

    def judge(self, edit_id: str, units: Iterable[int], *, accept: bool | None) -> None:
        """Give units of an edit a verdict; None takes it back."""
        self.accepted[edit_id].difference_update(units)
        self.rejected[edit_id].difference_update(units)
        if accept is not None:
            (self.accepted if accept else self.rejected)[edit_id].update(units)

    def restore(self, edit_id: str) -> None:
        """Put the proposal's own text back in an edit; the verdicts on the text that was written fall with it."""
        if edit_id not in self.written:
            return
        self.written.discard(edit_id)
        original = next((edit for edit in self.change.all_edits if edit.id == edit_id), None)
        if original is None:
            for held in (self.edits, self.accepted, self.rejected):
                held.pop(edit_id)
            return
        self.edits[edit_id] = original
        self.accepted[edit_id].clear()
        self.rejected[edit_id].clear()

    def decide(self, entry: LogEntry, target: Target) -> None:
        """Fold one decision in."""
        if entry.op is Op.NOTE:
            self.note = entry.reason
            return
        if entry.op is Op.EDIT:
            self._write(entry.text or b"", target)
        elif entry.op in {Op.CHOOSE, Op.SKIP}:
            self._choose(SKIP if entry.op is Op.SKIP else entry.choice)
        elif target.edit is None:
            self._decide_all(entry.op)
        elif target.edit in self.edits:
            self._decide_edit(entry.op, target)
        else:
            return
        self.n = entry.n
        if entry.reason or (entry.op is Op.CLEAR and target.edit is None):
            self.reason = entry.reason

    def _decide_all(self, op: Op) -> None:
        self.wipe()
        if op is Op.CLEAR:
            return
        self.overall = State.ACCEPTED if op is Op.ACCEPT else State.REJECTED
        for edit in self.edits.values():
            self.judge(edit.id, units_of(edit), accept=op is Op.ACCEPT)

    def _decide_edit(self, op: Op, target: Target) -> None:
        edit_id = target.edit or ""
        if not target.has_lines:
            self.restore(edit_id)
        if edit_id not in self.edits:
            return
        if self.overall is State.SKIPPED:
            self.overall = State.UNDECIDED
        units = named_units(self.edits[edit_id], target)
        self.judge(edit_id, units, accept=None if op is Op.CLEAR else op is Op.ACCEPT)

    def _choose(self, key: str | None) -> None:
        if key == SKIP:
            self.wipe()
            self.overall = State.SKIPPED
            return
        self.wipe(key)
        self.overall = State.ACCEPTED
        for edit in self.edits.values():
            self.judge(edit.id, units_of(edit), accept=True)

    def _write(self, text: bytes, target: Target) -> None:
        if is_conflict(self.change):
            self._write_third(text, target)
            return
        edit = one_text(self.change, target.edit)
        if edit is None:
            return
        if self.overall in {State.SKIPPED, State.REJECTED}:
            self.wipe()
        self._write_edit(edit, text)

    def _write_third(self, text: bytes, target: Target) -> None:
        side = third_side(self.change, target.edit)
        edit = third_edit(side, self.base_lines, target.edit) if side else None
        if side is None or edit is None:
            return
        if self.choice != side.key:
            self.wipe(side.key)
        self._write_edit(edit, text)

    def _write_edit(self, edit: FileEdit, text: bytes) -> None:
        """Accept an edit with another text, and with it what else of the change is undecided."""
        self.edits[edit.id] = rewritten(edit, text)
        self.accepted[edit.id], self.rejected[edit.id] = set(units_of(self.edits[edit.id])), set()
        self.written.add(edit.id)
        for other in self.edits.values():
            rest = units_of(other) - self.accepted[other.id] - self.rejected[other.id]
            self.accepted[other.id].update(rest)

    def lock(self, applied: Mapping[str, Units]) -> dict[str, set[int]]:
        """Count what was applied as accepted, whatever was decided since; return it by edit.

        Lines that the edit no longer has, since the text that brought them was taken back, make it applied as a whole.
        """
        if is_conflict(self.change):
            self._lay_out(applied)
        locked: dict[str, set[int]] = {}
        for edit_id, given in applied.items():
            edit = self.edits.get(edit_id)
            if edit is None:
                continue
            units, done = units_of(edit), signed(given)
            if not done and WHOLE not in units:
                continue
            locked[edit_id] = set(done if done and done <= units else units)
            self.judge(edit_id, locked[edit_id], accept=True)
        if locked and self.overall is State.SKIPPED:
            self.overall = State.UNDECIDED
        return locked

    def _lay_out(self, applied: Mapping[str, Units]) -> None:
        """Lay out the option that was applied, in case another or none is chosen by now."""
        sides = [side for side in (third_side(self.change, edit_id) for edit_id in applied) if side]
        side = sides[0] if sides else self.change.option(self.choice or "") or third_side(self.change)
        if side is None:
            return
        if self.choice != side.key:
            self.wipe(side.key)
        third = third_edit(side, self.base_lines) if THIRD in applied and THIRD not in self.edits else None
        if third is not None and third.id == THIRD:
            self.edits[THIRD], self.accepted[THIRD], self.rejected[THIRD] = third, set(), set()

    def state(self) -> State:
        """Roll the verdicts up."""
        if self.overall is State.SKIPPED:
            return State.SKIPPED
        if not self.edits:
            return self.overall
        whole = {edit.id: units_of(edit) for edit in self.edits.values()}
        if all(self.accepted[edit_id] == units for edit_id, units in whole.items()):
            return State.EDITED if self.written else State.ACCEPTED
        if all(self.rejected[edit_id] == units for edit_id, units in whole.items()):
            return State.REJECTED
        is_touched = any(self.accepted.values()) or any(self.rejected.values())
        return State.PARTIAL if is_touched else State.UNDECIDED


def judge_change(
    change: Change,
    decisions: Sequence[tuple[LogEntry, Target]],
    applied: Mapping[str, Units] | None = None,
    base_lines: BaseLines | None = None,
    *,
    is_void: bool = False,
) -> ChangeReview:
    """Fold the decisions on one change, oldest first; the newest word on a unit counts.

    Args:
        change: the change.
        decisions: those in force, each with its target.
        applied: edit to the units that earlier applies carried out; they count as accepted and are not chosen again.
        base_lines: base text of a path, for the third text of a conflict; see `third_edit`.
        is_void: whether a newer decision fell away because the change is no longer what was seen.
    """
    board = _Board(change, base_lines)
    board.wipe()
    for entry, target in decisions:
        board.decide(entry, target)
    locked = board.lock(applied) if applied else {}
    state = board.state()
    chosen = ((edit, board.accepted[edit.id] - locked.get(edit.id, set())) for edit in board.edits.values())
    decided = all(board.accepted[edit.id] | board.rejected[edit.id] == units_of(edit) for edit in board.edits.values())
    return ChangeReview(
        state=state,
        choice=board.choice,
        chosen=tuple(chosen_of(edit, units) for edit, units in chosen if units),
        rejected=tuple(
            chosen_of(edit, board.rejected[edit.id]) for edit in board.edits.values() if board.rejected[edit.id]
        ),
        reason=board.reason,
        note=board.note,
        is_void=is_void,
        decided_at_n=board.n,
        is_settled=decided and state not in {State.UNDECIDED, State.SKIPPED},
    )
