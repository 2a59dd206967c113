"""What is written to a store while it is held: what was cut off, an apply, an undo, the end of a proposal."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dreamreview.errors import StoreLockedError
from dreamreview.model.review import Op, State
from dreamreview.store import observed, proposals, reviews, staging
from dreamreview.store.bookkeeping import NOTICE
from dreamreview.store.journal import Journal
from dreamreview.store.lock import Held, hold, holder
from dreamreview.store.transaction import Transaction
from dreamreview.workspace.applying import apply_changes, undo_apply
from dreamreview.workspace.closing import end
from dreamreview.workspace.known import READY
from dreamreview.workspace.reviewing import OpenReview
from dreamreview.workspace.values import Decision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dreamreview.store.rooted import Root
    from dreamreview.workspace.context import Context
    from dreamreview.workspace.values import ApplyResult

RECOVER_WAIT = 1.0
"""Seconds to wait for a lock that nobody holds any more: a program that a killed one had just started may still do."""


def settle(root: Root) -> tuple[str, ...]:
    """Finish or take back an apply that was cut off, and say so; a store that another program holds is left alone."""
    journal, is_free = Journal(root), holder(root) is None
    has_notice = is_free and root.exists(NOTICE)
    is_cut_off = journal.has_remains() or bool(journal.unfinished()) or has_notice
    if not is_cut_off and not staging.has_temps(root):
        return ()
    try:
        with hold(root, "recover", wait=RECOVER_WAIT if is_free else 0.0):
            staging.sweep(root)
            staging.sweep_temps(root)
            _sweep_looks(root)
            return Transaction(root).settle()
    except StoreLockedError as error:
        return (f"an unfinished apply waits: {error}",) if is_cut_off else ()


def _sweep_looks(root: Root) -> None:
    """Remove what a killed look left half written, unless one is under way: that sweeps for itself."""
    if staging.has_looked_temps(root):
        from dreamreview.store.snapshots import looking

        with looking(root):
            return


def apply(context: Context, proposal_id: str, *, dry_run: bool) -> ApplyResult:
    """Carry out what was accepted of a proposal, in one transaction; of what others did, take back what was rejected.

    Raises:
        StoreLockedError: another program holds the store.
        StoreError: the system refused something; nothing was written then.
    """
    if _is_observed(context, proposal_id):
        from dreamreview.workspace import keeping

        return keeping.apply(context, proposal_id, dry_run=dry_run)
    if dry_run:
        return _apply(context, proposal_id, None)
    with hold(context.root, "apply") as held, _uncollected():
        return _apply(context, proposal_id, held)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Let nothing look for garbage meanwhile: a plan makes an object a line, all of which are needed to its end."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _is_observed(context: Context, proposal_id: str) -> bool:
    return observed.record_of(context.root, proposal_id) is not None


def _apply(context: Context, proposal_id: str, held: Held | None) -> ApplyResult:
    opened = OpenReview(context, proposal_id, keeps=held is not None)
    accepted = {change: found.chosen for change, found in opened.review.of.items() if found.chosen}
    result = apply_changes(
        context,
        opened.proposal,
        accepted,
        opened.base_state,
        decided=opened.last_decision,
        held=held,
    )
    if held is not None and all(found.is_settled for found in opened.review.of.values()):
        opened.reload()
        _close_if_finished(context, opened, result)
    return result


def _close_if_finished(context: Context, opened: OpenReview, result: ApplyResult) -> None:
    """End a proposal in which nothing is undecided, skipped or stale."""
    verdicts = opened.review.of.values()
    if not all(found.is_settled and not found.chosen for found in verdicts) or result.stale:
        return
    is_rejected = bool(verdicts) and all(found.state is State.REJECTED for found in verdicts)
    status = "discarded" if is_rejected else "applied"
    end(context, opened, status)


def undo(context: Context, apply_id: str | None, change: str | None, *, dry_run: bool) -> ApplyResult:
    """Take back an apply, the newest that stands without a name, or one change of it."""

    def decided(proposal_id: str) -> int:
        return max((entry.n for entry in reviews.load(context.root, proposal_id).entries), default=0)

    if dry_run:
        return undo_apply(context, apply_id, change, decided, held=None)
    with hold(context.root, "undo") as held, _uncollected():
        result = undo_apply(context, apply_id, change, decided, held=held)
        _reopen(context, result)
        return result


def _reopen(context: Context, result: ApplyResult) -> None:
    """Make a closed proposal ready again once something of it was taken back."""
    found = next((record for record in context.records() if record.id == result.undone), None)
    if found is None or result.apply is None or found.proposal not in proposals.list_ids(context.root):
        return
    stored = proposals.peek(context.root, found.proposal)
    if stored is not None and stored.is_observed:
        from dreamreview.workspace import keeping

        keeping.reopen(context, stored)
    elif stored is not None and stored.status == "applied":
        proposals.save_status(context.root, found.proposal, READY)


def discard(context: Context, proposal_id: str) -> None:
    """Reject what is undecided in a proposal and close it; what others did already stays as it is."""
    if _is_observed(context, proposal_id):
        from dreamreview.workspace import keeping

        keeping.discard(context, proposal_id)
        return
    with hold(context.root, "discard"):
        opened = OpenReview(context, proposal_id)
        left = [change for change, verdict in opened.review.of.items() if not verdict.is_settled]
        opened.decide_all([Decision(Op.REJECT, change, reason="discarded") for change in left])
        end(context, opened, "discarded")
        proposals.close(context.root, opened.proposal, "discarded")
