"""Applying what was accepted and taking it back: the two use cases that write to the live folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError, UsageError
from dreamreview.model.plan import Plan, plan_apply, plan_undo
from dreamreview.model.records import Record, RecordedChange, retired_by
from dreamreview.store.history import Entry, History, Woven, woven_of
from dreamreview.store.journal import Journal
from dreamreview.store.transaction import DriftedError, Transaction
from dreamreview.workspace.context import Context, ground_of, weaves_by_name, weaves_by_uid
from dreamreview.workspace.values import ApplyResult

if TYPE_CHECKING:
    from dreamreview.model.files import FileState
    from dreamreview.model.plan import Ground
    from dreamreview.model.proposal import Proposal
    from dreamreview.model.review import Chosen
    from dreamreview.store.lock import Held

ATTEMPTS = 4
"""How often a plan is made anew when somebody writes to its paths just then."""


def apply_changes(
    context: Context,
    proposal: Proposal,
    accepted: Mapping[str, tuple[Chosen, ...]],
    base: Callable[[str], FileState | None],
    *,
    decided: int,
    held: Held | None,
) -> ApplyResult:
    """Carry out accepted changes.

    Args:
        context: the store.
        proposal: where the changes come from.
        accepted: change to its accepted units that no earlier apply carried out.
        base: the base of the proposal by path.
        decided: number of the last decision on the proposal.
        held: the hold on the store to write under; None plans only.
    """

    def attempt() -> ApplyResult:
        records = context.records()
        index = History(context.root).index() if records else {}
        apply_id = Journal(context.root).next_id("a")
        paths = {chosen.edit.path for units in accepted.values() for chosen in units}
        weaves = weaves_by_name(History(context.root), index, paths) if index else {}
        ground = ground_of(context, records, weaves, base)
        plan = plan_apply(apply_id, _key(proposal, apply_id), accepted, ground)
        if held is None or not plan.applied:
            return _result(plan, None, dry_run=held is None)
        changes = _recorded(proposal, plan.applied)
        record = Record(apply_id, context.instant(), "apply", proposal.id, changes, decided=decided)
        _carry_out(context, held, record, plan, ground, index, frozenset())
        return _result(plan, apply_id)

    return _insist(attempt)


def _key(proposal: Proposal, apply_id: str) -> str:
    """Return the name under which history ties a base to a proposal; where that moves with the store, one an apply."""
    return f"{proposal.id}.{apply_id}" if proposal.is_observed else proposal.id


def undo_apply(
    context: Context, apply_id: str | None, change: str | None, decided: Callable[[str], int], *, held: Held | None
) -> ApplyResult:
    """Take back an apply, or one change of it.

    Args:
        context: the store.
        apply_id: which; the newest that stands without one.
        change: only this change of it.
        decided: number of the last decision on a proposal.
        held: the hold on the store to write under; None plans only.

    Raises:
        UsageError: there is no such apply, or no such change in it.
    """

    def attempt() -> ApplyResult:
        records = context.records()
        target = _undoable(records, apply_id, change)
        if target is None:
            return ApplyResult(apply=None, dry_run=held is None)
        index = History(context.root).index()
        plan, ground, done = plan_of_undo(context, records, index, target, change)
        if held is None or not done:
            return replace(_result(plan, None, dry_run=held is None), undone=target.id)
        record = Record(
            id=Journal(context.root).next_id("u"),
            at=context.instant(),
            op="undo",
            proposal=target.proposal,
            of=target.id,
            deeds=done,
            decided=decided(target.proposal),
        )
        made = frozenset(folder for one in records for folder in one.made)
        _carry_out(context, held, record, plan, ground, index, made)
        return replace(_result(plan, record.id), undone=target.id)

    return _insist(attempt)


def plan_of_undo(
    context: Context, records: tuple[Record, ...], index: dict[str, Woven], target: Record, change: str | None = None
) -> tuple[Plan, Ground, tuple[str, ...]]:
    """Return the plan of taking an apply (or one change of it) back, its ground, and the deeds that it takes back."""
    retired = retired_by(records)
    wanted = target.changes if change is None else [change]
    deeds = tuple(f"{target.id}/{one}" for one in wanted if f"{target.id}/{one}" not in retired)
    touched = {deed: tuple(uid for uid, woven in index.items() if deed in woven.deeds) for deed in deeds}
    uids = (uid for found in touched.values() for uid in found)
    weaves = weaves_by_uid(History(context.root), index, uids)
    ground = ground_of(context, records, weaves)
    plan = plan_undo(deeds, touched, ground)
    return plan, ground, tuple(deed for deed in deeds if deed in plan.retired)


def _undoable(records: Iterable[Record], apply_id: str | None, change: str | None) -> Record | None:
    """Return the apply to take back; None where nothing of what was asked for stands."""
    records = tuple(records)
    retired = retired_by(records)
    applies = [record for record in records if record.op == "apply"]
    if apply_id is not None:
        applies = [record for record in applies if record.id == apply_id]
        if not applies:
            raise UsageError(f"there is no apply {apply_id!r}; `dreamreview history` lists them")
    if change is not None:
        applies = [record for record in applies if change in record.changes]
        if not applies:
            raise UsageError(f"no such apply holds a change {change!r}; `dreamreview history` lists them")
    for record in reversed(applies):
        wanted = [change] if change is not None else list(record.changes)
        if any(f"{record.id}/{one}" not in retired for one in wanted):
            return record
    return None


def _insist(attempt: Callable[[], ApplyResult]) -> ApplyResult:
    """Plan again when somebody wrote to one of the paths just then."""
    for left in reversed(range(ATTEMPTS)):
        try:
            return attempt()
        except DriftedError:
            if not left:
                raise
    raise StoreError("the folder keeps changing; try again in a moment")


def _carry_out(
    context: Context,
    held: Held,
    record: Record,
    plan: Plan,
    ground: Ground,
    index: Mapping[str, Woven],
    removable: frozenset[str],
) -> None:
    retired = plan.retired
    merged = {**index, **{uid: woven_of(weave, retired) for uid, weave in plan.weaves.items()}}
    before = {target.path: ground.live(target.path) for target in plan.targets}
    entry = Entry(
        id=record.id,
        message=f"{record.op} {record.id}",
        seconds=int(context.now().timestamp()),
        weaves=plan.weaves,
        index=merged,
        before={path: b"".join(state.text) if state else None for path, state in before.items()},
        after={target.path: target.after for target in plan.targets},
        modes={target.path: target.after_mode for target in plan.targets if target.after_mode is not None},
    )
    held.check()
    Transaction(context.root).carry_out(record, plan, entry, removable)


def _recorded(proposal: Proposal, applied: Mapping[str, tuple[Chosen, ...]]) -> dict[str, RecordedChange]:
    found: dict[str, RecordedChange] = {}
    for change_id, units in applied.items():
        change = proposal.change(change_id)
        found[change_id] = RecordedChange(
            fingerprint=change.fingerprint if change else "",
            units={chosen.edit.id: (chosen.old, chosen.new) for chosen in units},
        )
    return found


def _result(plan: Plan, apply_id: str | None, *, dry_run: bool = False) -> ApplyResult:
    moved = {path for pair in plan.renamed for path in pair}
    return ApplyResult(
        apply=apply_id,
        written=tuple(one.path for one in plan.targets if one.after is not None and one.path not in moved),
        deleted=tuple(one.path for one in plan.targets if one.after is None and one.path not in moved),
        renamed=plan.renamed,
        stale=tuple(dict.fromkeys(clash.change for clash in plan.clashes)),
        dry_run=dry_run,
        kept=plan.kept,
        clashes=plan.clashes,
    )
