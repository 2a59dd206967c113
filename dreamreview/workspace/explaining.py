"""What a dream looked at and did not suggest: the pairs of statements that came nearest to a merge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.dream import local
from dreamreview.dream.gathering import gather
from dreamreview.dream.refusals import Refusals, refusals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dreamreview.dream.refusals import Pair
    from dreamreview.model.proposal import Change, Evidence
    from dreamreview.workspace.context import Context

__all__ = ["Refusals", "refused"]


def refused(context: Context, engine: str | None, changes: Iterable[Change]) -> Refusals:
    """Return the nearest pairs that the local engine left apart; none where another engine dreamed.

    Args:
        context: the store.
        engine: the one that dreamed; None for the configured one.
        changes: what it suggested.
    """
    if (engine or context.settings.engine) != local.NAME:
        return Refusals()
    taken = [tuple(_told(change)) for change in changes]
    scan = context.scan()
    gathered = gather(context.root, scan, context.now().date(), lambda _progress: None, lambda: False)

    def is_taken(pair: Pair) -> bool:
        return any(all(_is_among(each, told) for each in pair) for told in taken)

    return refusals(gathered.corpus, is_taken)


def _told(change: Change) -> Iterable[Evidence]:
    yield from change.evidence
    for option in change.options:
        yield from option.evidence


def _is_among(one: Evidence, several: Iterable[Evidence]) -> bool:
    return any(one.path == each.path and one.first <= each.last and each.first <= one.last for each in several)
