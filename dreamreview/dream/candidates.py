"""Which texts of a store may say the same: those that share rare words, found without holding all against all."""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import nsmallest
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dreamreview.dream.similarity import Weights

COMMON_SHARE = 0.2
"""A token that more than this share of all texts hold gathers no candidates."""
POSTINGS_LIMIT = 200
"""Longest list of texts that a token may gather candidates from."""
NEIGHBOURS = 12
"""Candidates kept for each text."""


def candidates(
    bags: Sequence[frozenset[str]],
    weights: Weights,
    least_share: float,
    aside: frozenset[int] = frozenset(),
    both: float = 0.0,
) -> Iterator[tuple[int, int]]:
    """Yield pairs of texts that share rare tokens, each once, lower index first, in a fixed order.

    Work is bounded: tokens of more than `POSTINGS_LIMIT` texts or `COMMON_SHARE` of them gather nothing, pairs whose
    rare tokens make up less than `least_share` of the lighter text are left out, and each text keeps its `NEIGHBOURS`
    best. Texts whose places are in `aside` are not held against one another. All that two texts share has to make up
    `both` of either, the two shares added.
    """
    meetings = _Meetings(bags, weights, least_share, both)
    lasting: dict[str, list[int]] = defaultdict(list)
    passing: dict[str, list[int]] = defaultdict(list)
    for place, rare in enumerate(meetings.rare):
        is_aside = place in aside
        for other, score in meetings.of(place, lasting):
            meetings.keep(place, other, score)
            if not is_aside:
                meetings.keep(other, place, score)
        if passing and not is_aside:
            for other, score in meetings.of(place, passing):
                meetings.keep(other, place, score)
        for token in rare:
            (passing if is_aside else lasting)[token].append(place)
    yield from sorted(meetings.pairs())


class _Meetings:
    """Where texts meet in rare tokens, each with those before it."""

    def __init__(self, bags: Sequence[frozenset[str]], weights: Weights, least_share: float, both: float) -> None:
        counts = Counter(chain.from_iterable(bags))
        limit = max(8, min(POSTINGS_LIMIT, int(len(bags) * COMMON_SHARE)))
        self._weight = {token: weights(token) for token in counts}
        self._bags = bags
        self._least, self._both = least_share, both
        self._totals = [sum(map(self._weight.__getitem__, bag)) for bag in bags]
        self._nearest: list[list[tuple[float, int]]] = [[] for _ in bags]
        self.rare = [[token for token in bag if 1 < counts[token] <= limit] for bag in bags]
        """The tokens of each text that gather."""

    def of(self, place: int, postings: dict[str, list[int]]) -> Iterator[tuple[int, float]]:
        """Yield the texts that a text meets often enough, with the weight of the rare tokens that both hold."""
        scores: dict[int, float] = defaultdict(float)
        for token in self.rare[place]:
            weight = self._weight[token]
            for other in postings.get(token, ()):
                scores[other] += weight
        own, totals, least = self._totals[place], self._totals, self._least
        for other, score in scores.items():
            if (score >= least * own or score >= least * totals[other]) and self._is_near(place, other):
                yield other, score

    def _is_near(self, place: int, other: int) -> bool:
        if not self._both:
            return True
        shared = sum(map(self._weight.__getitem__, self._bags[place] & self._bags[other]))
        return shared / self._totals[place] + shared / self._totals[other] >= self._both

    def keep(self, place: int, other: int, score: float) -> None:
        """Remember a neighbour of a text."""
        near = self._nearest[place]
        near.append((-round(score, 6), other))
        if len(near) > 8 * NEIGHBOURS:
            near[:] = nsmallest(NEIGHBOURS, near)

    def pairs(self) -> set[tuple[int, int]]:
        """Return the pairs of which one text keeps the other."""
        return {
            (place, other) if place < other else (other, place)
            for place, near in enumerate(self._nearest)
            for _, other in nsmallest(NEIGHBOURS, near)
        }
