"""How two statements of a store stand to one another, in view of where they stand and of what else the store says."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from dreamreview.dream.barriers import apart, may_dispute, not_mergeable, size
from dreamreview.dream.candidates import POSTINGS_LIMIT, candidates
from dreamreview.dream.cues import DONE, DONE_MARKS, NOT_YET
from dreamreview.dream.disputes import CLAUSES, dispute
from dreamreview.dream.ideographs import by_chance
from dreamreview.dream.kin_words import rows
from dreamreview.dream.paraphrase import closeness, restates
from dreamreview.dream.relation import MOVED, TOPIC_HEAVY, Differences, Kinship, Relation, distinct, relate
from dreamreview.dream.similarity import overlap_share, weights_of
from dreamreview.dream.slots import Reading, says
from dreamreview.dream.values import clashes

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim, Knowledge
    from dreamreview.dream.similarity import Weights

WHOLE = 0.3
"""Share of a statement's weight that its rare words in common with another must make up to be held against it."""
PART = 0.22
"""The same for one sentence, amounts left out."""
CORRECTS = re.compile(
    r"\W*(?:(?:corrected|correction|errata|korrektur|исправлено|更正|訂正)\b|updated?\s*(?:[:：(—–]|on\b|-\s|\d{4}\b))",
    re.IGNORECASE,
)
"""How a line begins that corrects the one above it."""
TWINS = 60
"""Statements in the same words that are looked at."""
TOLD = 3
"""Words from which a plan and its fulfilment say enough to be held together."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What two statements are to one another."""

    one: Claim
    other: Claim
    relation: Relation
    clauses: tuple[Reading, Reading]
    """The sentences that meet."""
    differences: Differences | None = None


def judge_all(store: Knowledge) -> Iterator[Verdict]:
    """Yield the verdict on every pair of near statements that are not merely distinct, in a fixed order."""
    return (verdict for verdict in looked_at(store) if verdict.relation.kinship is not Kinship.DISTINCT)


def looked_at(store: Knowledge) -> Iterator[Verdict]:
    """Yield the verdict on every pair of near statements, in a fixed order."""
    meetings = _meeting_clauses(store)
    daily = frozenset(claim.place for claim in store.claims if claim.is_daily)
    bags = [claim.bag | rows(claim.bag) for claim in store.claims]
    near = candidates(bags, weights_of(bags), WHOLE, daily)
    corrected = {(verdict.one.place, verdict.other.place): verdict for verdict in _corrections(store)}
    yield from corrected.values()
    vectors = store.vectors
    alike = {pair for pair in vectors.neighbours() if daily.isdisjoint(pair)} if vectors else set()
    for first, second in sorted((meetings.keys() | set(near) | set(_twins(store)) | alike) - corrected.keys()):
        nearness = vectors.nearness(first, second) if vectors else 0.0
        pair = (store.claims[first], store.claims[second])
        yield judge(*pair, store.weights, meetings.get((first, second), ()), nearness)


def _twins(store: Knowledge) -> Iterator[tuple[int, int]]:
    """Yield every pair of statements in the same words, however many there are up to `TWINS` of one."""
    same: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for claim in store.claims:
        if not claim.is_daily:
            same[claim.reading.plain].append(claim.place)
    for places in same.values():
        yield from combinations(places[:TWINS], 2)


def _corrections(store: Knowledge) -> Iterator[Verdict]:
    """Yield statements that the next line of the same list corrects without saying again what it is about."""
    for one, other in pairwise(store.claims):
        follows = one.path == other.path and other.note.first == one.note.last + 1
        if not (follows and CORRECTS.match(other.note.text)) or one.note.pinned or other.note.pinned:
            continue
        pairs = [pair for pair in clashes(one.reading.values, other.reading.values) if pair[0].dimension != "date"]
        if len(pairs) == 1:
            found = Differences((pairs[0],), frozenset(), (), (frozenset(), frozenset()))
            relation = Relation(Kinship.CONFLICT, 0.8, "the line below corrects it")
            yield Verdict(one, other, relation, (one.reading, other.reading), found)


def _meeting_clauses(store: Knowledge) -> dict[tuple[int, int], list[tuple[Reading, Reading]]]:
    """Gather the sentences of different statements that share a topic, by pair of statements.

    Two days of a log are not held against one another, and those that share no rare word with what lasts are not read
    sentence by sentence.
    """
    counts = Counter(token for claim in store.claims for token in claim.bag)
    lasting = {token for claim in store.claims if not claim.is_daily for token in claim.bag}
    rare = {token for token in lasting if counts[token] <= POSTINGS_LIMIT}
    owners: list[int] = []
    clauses: list[Reading] = []
    for claim in store.claims:
        if claim.is_daily and rare.isdisjoint(claim.bag):
            continue
        for clause in claim.clauses[:CLAUSES]:
            owners.append(claim.place)
            clauses.append(clause)
    found: dict[tuple[int, int], list[tuple[Reading, Reading]]] = defaultdict(list)
    daily = frozenset(number for number, place in enumerate(owners) if store.claims[place].is_daily)
    for first, second in candidates([clause.topic for clause in clauses], store.weights, PART, daily):
        if owners[first] != owners[second]:
            found[owners[first], owners[second]].append((clauses[first], clauses[second]))
    return found


def judge(
    one: Claim,
    other: Claim,
    weights: Weights,
    meetings: Sequence[tuple[Reading, Reading]] | None = None,
    nearness: float = 0.0,
) -> Verdict:
    """Judge two statements.

    Args:
        one: the first.
        other: the second.
        weights: of the words of their store.
        meetings: the pairs of their sentences to hold against one another, all by default.
        nearness: of their vectors, 0 to 1.
    """
    whole = (one.reading, other.reading)
    reason = apart(one, other)
    if reason:
        return Verdict(one, other, distinct(reason), whole)
    likeness = relate(one.reading, other.reading, weights)
    if likeness.kinship in (Kinship.DISTINCT, Kinship.CONFLICT):
        likeness = restates(one.reading, other.reading, weights, nearness=nearness) or likeness
    if likeness.kinship is Kinship.DUPLICATE:
        close = None if likeness.score == 1.0 else closeness(one.bag, other.bag, weights)
        barred = not_mergeable(one, other, close) or (by_chance(one.reading, other.reading, close) if close else None)
        return Verdict(one, other, distinct(barred, likeness.score) if barred else likeness, whole)
    found = dispute(one, other, weights, meetings) if may_dispute(one, other) else None
    if found:
        return Verdict(one, other, found.relation, found.clauses, found.differences)
    is_told = size(one, other) >= TOLD and not (one.is_daily or other.is_daily) and _reports(one, other, likeness)
    is_old = likeness.reason == MOVED or overlap_share(one.bag, other.bag, weights)[1] >= TOPIC_HEAVY
    if likeness.kinship is Kinship.SUPERSEDE and is_told and is_old:
        return Verdict(one, other, likeness, whole)
    return Verdict(one, other, distinct(likeness.reason, likeness.score), whole)


def _reports(one: Claim, other: Claim, relation: Relation) -> bool:
    """Tell whether the newer of a plan and its fulfilment says in so many words that it is done."""
    if relation.reason == MOVED:
        return True
    plan, news = (one, other) if one.reading.is_plan else (other, one)
    if says(news.reading, NOT_YET):
        return False
    is_said = not news.reading.said.isdisjoint(DONE)
    return plan.is_done is not True and (is_said or news.is_done is True or says(news.reading, DONE_MARKS))
