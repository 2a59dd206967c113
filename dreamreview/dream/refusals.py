"""Which pairs of statements came nearest to being merged and were left apart, and what stood between them."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING

from dreamreview.dream.claims import know
from dreamreview.dream.duplicates import SAME, seen
from dreamreview.dream.engine import Measure
from dreamreview.dream.judging import looked_at
from dreamreview.dream.merging import has_secret
from dreamreview.dream.relation import Kinship
from dreamreview.dream.similarity import overlap_share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dreamreview.dream.claims import Knowledge
    from dreamreview.dream.engine import Corpus
    from dreamreview.dream.judging import Verdict
    from dreamreview.model.proposal import Evidence

NEAREST = 12
"""Pairs that are told at most."""
NEAR = SAME / 2
"""Likeness from where on a pair is near enough to be told of; pairs below it are only counted."""
UNMERGED = "the same; suggested before, taken up by another change, or of a group that does not agree as a whole"
SECRET = "one holds a secret, which no merge may copy"  # noqa: S105 - says that there is one
SUCCESSION = "one is a plan or a move that the other tells the end of, and does not say so itself"

Pair = tuple["Evidence", "Evidence"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Two statements that were held against one another and left apart."""

    pair: Pair
    measure: Measure
    """How alike they are, and from where on that counts."""
    reason: str
    """What stood between them."""


@dataclass(frozen=True, slots=True)
class Refusals:
    """What was looked at and left apart."""

    nearest: tuple[Refusal, ...] = ()
    """The most alike first, none below `NEAR`."""
    count: int = 0
    """How many pairs were left apart in all, however little alike."""


def refusals(corpus: Corpus, is_taken: Callable[[Pair], bool]) -> Refusals:
    """Hold the statements of a store against one another again, and return the pairs that no change is about.

    Args:
        corpus: the store.
        is_taken: tells whether a change is about both statements.
    """
    store = know(corpus)
    left = [(likeness, verdict) for likeness, verdict in _left(store) if not is_taken(_pair(verdict))]
    near = (each for each in left if each[0] >= NEAR)
    nearest = nlargest(NEAREST, near, key=lambda each: (each[0], -each[1].one.place, -each[1].other.place))
    told = (
        Refusal(_pair(verdict), Measure("likeness", round(likeness, 2), SAME), _reason(verdict))
        for likeness, verdict in nearest
    )
    return Refusals(tuple(told), len(left))


def _left(store: Knowledge) -> Iterator[tuple[float, Verdict]]:
    for verdict in looked_at(store):
        if verdict.relation.kinship is not Kinship.CONFLICT:
            light, heavy = overlap_share(verdict.one.bag, verdict.other.bag, store.weights)
            yield (light + heavy) / 2, verdict


def _pair(verdict: Verdict) -> Pair:
    return seen(verdict.one), seen(verdict.other)


def _reason(verdict: Verdict) -> str:
    if has_secret(verdict.one) or has_secret(verdict.other):
        return SECRET
    reasons = {Kinship.DUPLICATE: UNMERGED, Kinship.SUPERSEDE: SUCCESSION}
    return reasons.get(verdict.relation.kinship, verdict.relation.reason)
