"""How the pairs read that a dream left apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.cli.facts import span
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dreamreview.dream.refusals import Refusal, Refusals
    from dreamreview.model.proposal import Evidence


def apart(refusals: Refusals) -> Iterator[str]:
    """Yield the nearest pairs, each with its measure, its threshold and what stood between them."""
    if not refusals.count:
        return
    yield ""
    shown = len(refusals.nearest)
    if not shown:
        pairs = f"{refusals.count} pairs, none of which" if refusals.count > 1 else "1 pair, which never"
        yield f"Left apart: {pairs} came near a merge"
        return
    of = f"the {shown} most alike of {refusals.count} pairs" if shown < refusals.count else f"{shown}"
    yield f"Left apart ({of})"
    for each in refusals.nearest:
        yield ""
        yield from _refusal(each)


def _refusal(refusal: Refusal) -> Iterator[str]:
    yield f"{_place(refusal.pair[0])} and {_place(refusal.pair[1])}"
    yield f"    looked at by duplicates: {refusal.measure}"
    yield f"    left apart: {refusal.reason}"
    for each in refusal.pair:
        yield from (f"      > {line}" for line in mask(each.quote).removesuffix("\n").split("\n"))


def _place(evidence: Evidence) -> str:
    return f"{evidence.path}:{span(evidence.first, evidence.last - evidence.first + 1)}"
