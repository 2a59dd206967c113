"""How a proposal ends: its status and what was rejected are kept at once, its copy goes with the next dream.

Until then an undo finds the copy where it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.model.review import State
from dreamreview.store import proposals, reviews
from dreamreview.workspace.known import READY, Standing, standings
from dreamreview.workspace.reviewing import OpenReview

if TYPE_CHECKING:
    from dreamreview.workspace.context import Context


def end(context: Context, opened: OpenReview, status: str) -> None:
    """Write down that a proposal ended, and remember what was rejected in it; the store is held."""
    rejected = {
        change.fingerprint: opened.review.of[change.id].reason
        for change in opened.proposal.changes
        if opened.review.of[change.id].state is State.REJECTED
    }
    reviews.remember_rejected(context.root, opened.proposal.id, rejected, context.instant())
    proposals.save_status(context.root, opened.proposal.id, status, opened.proposal)


def sweep(context: Context) -> None:
    """Take away the copies of proposals that ended; manifests and logs stay. The store is held."""
    for found in standings(context):
        if found.status != READY and found.proposal is not None and proposals.has_copy(context.root, found.id):
            _take_away(context, found)


def _take_away(context: Context, found: Standing) -> None:
    if found.proposal is None:
        return
    try:
        if found.status == "discarded" and found.proposal.status == READY:
            end(context, OpenReview(context, found.id), found.status)
        proposals.close(context.root, found.proposal, found.status)
    except DreamReviewError:
        # A copy that cannot be removed now is no reason not to dream; the next dream tries again.
        return
