"""Which facts that a proposal brings are known already: what it adds, held against what stands and stays."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from dreamreview.dream.claims import Claim, Knowledge, know
from dreamreview.dream.evidence import evidence
from dreamreview.dream.judging import WHOLE, judge
from dreamreview.dream.relation import Kinship, relate
from dreamreview.dream.similarity import candidates
from dreamreview.dream.slots import read
from dreamreview.model.moves import is_content

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dreamreview.dream.engine import Corpus
    from dreamreview.model.moves import Place
    from dreamreview.model.proposal import Evidence

NAMED = 5
"""Facts named for one change."""


def restated(
    corpus: Corpus, brought: Mapping[Place, str], replaced: Mapping[str, Sequence[str]]
) -> dict[str, tuple[Evidence, ...]]:
    """Return, for each change that says over again what stands and stays, the facts that it repeats.

    Args:
        corpus: the proposed store, or as much of it as may hold such facts.
        brought: place of each line that a change brings to the change.
        replaced: change to the lines it replaces; what they said over again already is no news.
    """
    store = know(corpus)
    owners = {claim.place: owner for claim in store.claims if (owner := _owner(claim, brought))}
    standing = [claim for claim in store.claims if not _lines(claim) & brought.keys()]
    best: dict[int, tuple[float, int]] = {}
    for new, old in _pairs(store, owners, standing):
        relation = judge(new, old, store.weights, ()).relation
        if relation.kinship is not Kinship.DUPLICATE or _was_said(old, replaced[owners[new.place]], store):
            continue
        best[new.place] = max(best.get(new.place, (0.0, 0)), (relation.score, -old.place))
    found: dict[str, dict[int, Evidence]] = defaultdict(dict)
    for new_place, (_, place) in best.items():
        facts = found[owners[new_place]]
        if len(facts) < NAMED:
            facts.setdefault(-place, _evidence(store.claims[-place]))
    return {change: tuple(facts.values()) for change, facts in found.items()}


def _lines(claim: Claim) -> set[Place]:
    return {(claim.path, line) for line in range(claim.note.first, claim.note.last + 1)}


def _owner(claim: Claim, brought: Mapping[Place, str]) -> str | None:
    """Return the change that brings all of a statement."""
    changes = {
        brought.get((claim.path, line))
        for line in range(claim.note.first, claim.note.last + 1)
        if is_content(claim.document.lines[line - 1])
    }
    return changes.pop() if len(changes) == 1 else None


def _pairs(store: Knowledge, owners: Mapping[int, str], standing: Iterable[Claim]) -> Iterator[tuple[Claim, Claim]]:
    """Yield each statement that is brought with those standing that are near it."""
    same: dict[tuple[str, ...], list[Claim]] = defaultdict(list)
    for claim in standing:
        same[claim.reading.plain].append(claim)
    stays = {claim.place for claims in same.values() for claim in claims}
    near = {(place, other.place) for place in owners for other in same.get(store.claims[place].reading.plain, ())}
    for pair in candidates([claim.bag for claim in store.claims], store.weights, WHOLE):
        near |= {(one, other) for one, other in (pair, pair[::-1]) if one in owners and other in stays}
    for one, other in sorted(near):
        yield store.claims[one], store.claims[other]


def _was_said(old: Claim, replaced: Iterable[str], store: Knowledge) -> bool:
    return any(
        relate(read(line, store.names), old.reading, store.weights).kinship is Kinship.DUPLICATE for line in replaced
    )


def _evidence(claim: Claim) -> Evidence:
    return evidence(claim.document, claim.note.first, claim.note.last, claim.note.date)
