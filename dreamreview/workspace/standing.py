"""How a store stands, in few words: what waits, when it last dreamed, when it dreams next and why not now."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.store import statefile
from dreamreview.store.lock import holder
from dreamreview.workspace.alarming import alarms_of_proposal
from dreamreview.workspace.known import READY, standings
from dreamreview.workspace.reviewing import OpenReview
from dreamreview.workspace.values import Status

if TYPE_CHECKING:
    from dreamreview.workspace.context import Context


def status_of_store(context: Context, told: tuple[str, ...]) -> Status:
    """Return how a store stands; proposals by other programs are opened once, so that their base is kept.

    Args:
        context: the store.
        told: what settling it had to say.
    """
    pending = undecided = 0
    warnings = list(told)
    alarms: list[str] = []
    for found in standings(context):
        if found.status != READY:
            continue
        pending += 1
        try:
            review = found.review if found.proposal else OpenReview(context, found.id).review
            undecided += sum(not one.is_settled for one in review.of.values())
            if found.proposal is not None and found.proposal.is_observed:
                alarms += alarms_of_proposal(context, found.id)
        except DreamReviewError as error:
            warnings.append(f"{found.id}: {error}")
    loaded = statefile.load(context.root)
    warnings += [loaded.warning] if loaded.warning else []
    gates = context.settings.gates
    now = context.now()
    last = loaded.state.last_dream_at
    return Status(
        folder=context.root.folder,
        pending=pending,
        undecided=undecided,
        last_dream=last.astimezone(UTC).isoformat().replace("+00:00", "Z") if last else None,
        last_status=loaded.state.last_status,
        next=gates.due(loaded.state, now).astimezone(UTC).isoformat().replace("+00:00", "Z"),
        blocked="; ".join(gates(loaded.state, now)) or None,
        locked_by=holder(context.root),
        warnings=tuple(warnings),
        alarms=tuple(alarms),
        missing=", ".join(gates.missing(loaded.state, now)),
    )
