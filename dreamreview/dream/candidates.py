"""Which texts of a store may say the same: those that share rare words, found without holding all against all."""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import nsmallest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dreamreview.dream.similarity import Weights

COMMON_SHARE = 0.2
"""A token that more than this share of all texts hold gathers no candidates."""
POSTINGS_LIMIT = 200
"""Longest list of texts that a token may gather candidates from."""
NEIGHBOURS = 12
"""Candidates kept for each text."""


def candidates(
    bags: Sequence[frozenset[str]], weights: Weights, least_share: float, aside: frozenset[int] = frozenset()
) -> Iterator[tuple[int, int]]:
    """Yield pairs of texts that share rare tokens, each once, lower index first, in a fixed order.

    Work is bounded: tokens of more than `POSTINGS_LIMIT` texts or `COMMON_SHARE` of them gather nothing, pairs whose
    rare tokens make up less than `least_share` of the lighter text are left out, and each text keeps its `NEIGHBOURS`
    best. Texts whose places are in `aside` are not held against one another.
    """
    counts = Counter(token for bag in bags for token in bag)
    postings: dict[str, list[int]] = defaultdict(list)
    for place, bag in enumerate(bags):
        for token in bag if place not in aside else ():
            postings[token].append(place)
    limit = max(8, min(POSTINGS_LIMIT, int(len(bags) * COMMON_SHARE)))
    totals = [weights.total(bag) for bag in bags]
    found: set[tuple[int, int]] = set()
    for place, bag in enumerate(bags):
        scores: dict[int, float] = defaultdict(float)
        for token in bag:
            near = postings.get(token, ())
            if 1 < counts[token] <= limit:
                weight = weights(token)
                for other in near:
                    scores[other] += weight
        scores.pop(place, None)
        own = totals[place]
        ranked = [
            (-round(score, 6), other)
            for other, score in scores.items()
            if score >= least_share * min(own, totals[other])
        ]
        found.update((min(place, other), max(place, other)) for _, other in nsmallest(NEIGHBOURS, ranked))
    yield from sorted(found)


def sketch(bag: Iterable[str], size: int = 32) -> frozenset[int]:
    """Return the bottom-k sketch of a bag: the `size` smallest hashes of its tokens, the same on every machine."""
    return frozenset(sorted(_hash(token) for token in set(bag))[:size])


def _hash(token: str) -> int:
    value = 14_695_981_039_346_656_037
    for byte in token.encode("utf-8", "surrogatepass"):
        value = ((value ^ byte) * 1_099_511_628_211) & 0xFFFF_FFFF_FFFF_FFFF
    return value
