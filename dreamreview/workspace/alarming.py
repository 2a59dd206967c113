"""What is alarming about the changes that others made and nobody has decided on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.model.alarms import alarms_of
from dreamreview.store import observed
from dreamreview.workspace.known import standing

if TYPE_CHECKING:
    from dreamreview.workspace.context import Context


def alarms_of_proposal(context: Context, proposal: str) -> tuple[str, ...]:
    """Return what is alarming about an open proposal of what others changed, one sentence each."""
    record = observed.record_of(context.root, proposal)
    if record is None:
        return ()
    of = standing(context, proposal, context.records()).review.of
    waiting = [one for one in record.proposal.changes if one.id not in of or not of[one.id].is_settled]
    return alarms_of(waiting, lambda path: record.base[path].size if path in record.base else 0, len(record.base))
