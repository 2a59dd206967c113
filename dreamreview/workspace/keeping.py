"""Deciding on what others did to a store already: keep it as it is, or take any part of it back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.errors import StoreLockedError
from dreamreview.model.review import LogEntry, Op
from dreamreview.model.taking_back import kept_edits, taken_back
from dreamreview.store import observed, proposals, reviews, seen
from dreamreview.store.composing import composed, names_of, rendered
from dreamreview.store.lock import Held, hold
from dreamreview.store.snapshots import looking
from dreamreview.workspace.applying import apply_changes
from dreamreview.workspace.guarding import READY, Look
from dreamreview.workspace.reviewing import OpenReview
from dreamreview.workspace.values import ApplyResult

if TYPE_CHECKING:
    from collections.abc import Collection

    from dreamreview.model.files import FileState
    from dreamreview.model.proposal import Proposal
    from dreamreview.workspace.context import Context

LOOK_WAIT = 10.0
"""Seconds that a decision waits for a look at the store to end."""

AUTHOR = "apply"
"""Who clears, in the log, what was settled."""


def apply(context: Context, proposal_id: str, *, dry_run: bool) -> ApplyResult:
    """Take back what was rejected of what others did, and settle what was accepted.

    Nothing is written for what was accepted; it is not shown again. Where nothing is left, the proposal is closed.

    Raises:
        StoreLockedError: another program holds the store, or looks at it for long.
        StoreError: the system refused something; nothing was written then.
    """
    if dry_run:
        return _take_back(context, OpenReview(context, proposal_id), None)
    with _holding(context, "apply") as held:
        Look(context).take()
        record = observed.record_of(context.root, proposal_id)
        if record is None or record.proposal.status != READY:
            return ApplyResult(apply=None)
        opened = OpenReview(context, proposal_id)
        result = _take_back(context, opened, held)
        _remember(context, opened, result)
        Look(context, folded=_folded(opened, result.stale)).take()
        _clear_settled(context, opened)
        return result


def discard(context: Context, proposal_id: str) -> None:
    """Keep all that others did and close the proposal; nothing is written to the live folder."""
    with _holding(context, "discard"):
        record = observed.record_of(context.root, proposal_id)
        before, _ = seen.read(context.root)
        if before is not None and before.proposal == proposal_id:
            Look(context, keeps_all=True).take()
        elif record is not None and record.proposal.status == READY:
            proposals.save_status(context.root, proposal_id, "discarded")


def reopen(context: Context, proposal: Proposal) -> None:
    """Show again what an undo brought back, in the proposal where it was taken back; the store is held."""
    with looking(context.root, LOOK_WAIT) as is_ours:
        before, _ = seen.read(context.root)
        if not is_ours or before is None:
            return
        if before.proposal is None:
            proposals.save_status(context.root, proposal.id, READY)
            seen.write(context.root, replace(before, proposal=proposal.id, is_told=False))
        Look(context).take()


@contextmanager
def _holding(context: Context, purpose: str) -> Iterator[Held]:
    with hold(context.root, purpose) as held, looking(context.root, LOOK_WAIT) as is_ours:
        if not is_ours:
            raise StoreLockedError(f"somebody looks at {context.root.folder} for long; try again in a moment")
        yield held


def _take_back(context: Context, opened: OpenReview, held: Held | None) -> ApplyResult:
    proposal = opened.proposal
    back = taken_back(proposal.changes, opened.review.of, opened.base_text)
    result = apply_changes(context, proposal, back, opened.proposed_state, decided=opened.last_decision, held=held)
    kept = [change for change, found in opened.review.of.items() if found.chosen and change not in back]
    return replace(result, settled=tuple(kept))


def _folded(opened: OpenReview, stale: Collection[str]) -> dict[str, FileState | None]:
    """Return what the touched paths would be without what others did and is still to be decided."""
    changes = [change for change in opened.proposal.changes if change.id not in stale]
    names = {name for change in opened.proposal.changes for edit in change.edits for name in names_of(edit)}
    before = {path: state for path in names if (state := opened.base_state(path)) is not None}
    tree = composed(before, kept_edits(changes, opened.review.of))
    after = {path: rendered(state, before[path].text if path in before else ()) for path, state in tree.items()}
    return {path: after.get(path) for path in names}


def _remember(context: Context, opened: OpenReview, result: ApplyResult) -> None:
    """Keep what was taken back, so that it is known again when somebody does the same."""
    of = opened.review.of
    rejected = {
        change.fingerprint: of[change.id].reason
        for change in opened.proposal.changes
        if of[change.id].rejected and not of[change.id].chosen and change.id not in result.stale
    }
    reviews.remember_rejected(context.root, opened.proposal.id, rejected, context.instant())


def _clear_settled(context: Context, opened: OpenReview) -> None:
    """Take decisions that were carried out from the log of what is still open: the same may happen again."""
    record = observed.record_of(context.root, opened.proposal.id)
    if record is None or record.proposal.status != READY:
        return
    left = {change.id for change in record.proposal.changes}
    settled = [change for change, found in opened.review.of.items() if found.decided_at_n and change not in left]
    at, first = context.instant(), opened.last_decision + 1
    entries = [LogEntry(n=first + k, at=at, by=AUTHOR, op=Op.CLEAR, on=one) for k, one in enumerate(settled)]
    reviews.append(context.root, opened.proposal.id, entries)
