"""What the person rejected and why, for the next dream to know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamreview.dream.engine import Rejection
from dreamreview.model.secrets import mask
from dreamreview.model.units import State
from dreamreview.workspace.known import standings

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change
    from dreamreview.workspace.context import Context

MOST = 20
"""Rejections that are handed on, newest first."""
REASON_CHARACTERS = 500
TITLE_CHARACTERS = 200
QUOTES = 3
QUOTE_CHARACTERS = 300


def rejections(context: Context) -> tuple[Rejection, ...]:
    """Return what was rejected with a reason in any proposal that is still known, bounded and masked.

    What was undone or decided anew since is not rejected any more; the same suggestion comes once.
    """
    found: list[Rejection] = []
    seen: set[str] = set()
    for change, reason in _rejected(context):
        if change.fingerprint not in seen:
            seen.add(change.fingerprint)
            found.append(_told(change, reason))
        if len(found) == MOST:
            break
    return tuple(found)


def _rejected(context: Context) -> Iterator[tuple[Change, str]]:
    """Yield what was rejected with a reason, of the newest proposal first, in it what was decided last first."""
    for standing in standings(context):
        if standing.proposal is None:
            continue
        decided = [(standing.review.of[change.id], change) for change in standing.proposal.changes]
        for verdict, change in sorted(decided, key=lambda pair: -pair[0].decided_at_n):
            if verdict.state is State.REJECTED and verdict.reason.strip():
                yield change, verdict.reason


def _told(change: Change, reason: str) -> Rejection:
    evidence = (*change.evidence, *(one for option in change.options for one in option.evidence))
    quotes = tuple(one.quote for one in evidence if one.quote.strip())[:QUOTES]
    return Rejection(
        title=_short(change.title, TITLE_CHARACTERS),
        reason=_short(reason, REASON_CHARACTERS),
        quotes=tuple(_short(quote, QUOTE_CHARACTERS) for quote in quotes),
    )


def _short(text: str, limit: int) -> str:
    """Return a text masked, then cut, so that no half of a secret is left over."""
    masked = mask(" ".join(text.split()))
    return masked if len(masked) <= limit else masked[: limit - 1] + "…"
