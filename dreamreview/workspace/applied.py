"""What was applied to a store and what of it still stands, in the words of the proposals it came from."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.model.records import pin_titles, retired_by
from dreamreview.store import observed, proposals
from dreamreview.workspace.values import HistoryLine

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dreamreview.workspace.context import Context


def applied(context: Context) -> tuple[HistoryLine, ...]:
    """Return every apply, newest first."""
    records = context.records()
    retired = retired_by(records)

    @cache
    def titles(proposal_id: str) -> Mapping[str, str]:
        with suppress(DreamReviewError):
            record = observed.record_of(context.root, proposal_id)
            if record is not None:
                told = {**record.settled} | {change.id: change.title for change in record.proposal.changes}
                return {change: f"Take back: {title}" for change, title in told.items()}
            found = proposals.peek(context.root, proposal_id)
            return {change.id: change.title for change in found.changes} if found else {}
        return {}

    lines = []
    for record in reversed(records):
        if record.op == "apply":
            known = pin_titles(record) or titles(record.proposal)
            gone = tuple(change for change in record.changes if f"{record.id}/{change}" in retired)
            lines.append(
                HistoryLine(
                    apply=record.id,
                    at=record.at,
                    proposal=record.proposal,
                    changes=tuple(record.changes),
                    undone=len(gone) == len(record.changes),
                    undone_changes=gone,
                    titles={change: known[change] for change in record.changes if change in known},
                    forgotten=tuple(change for change in record.changes if change in record.forgotten),
                )
            )
    return tuple(lines)
