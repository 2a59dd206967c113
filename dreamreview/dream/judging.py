"""How two statements of a store stand to one another, in view of where they stand and of what else the store says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from dreamreview.dream.claims import Claim, Knowledge
from dreamreview.dream.cues import EXCLUSIVE_ROLES
from dreamreview.dream.relation import Differences, Kinship, Relation, differences, distinct, relate
from dreamreview.dream.similarity import Weights, candidates
from dreamreview.dream.slots import Reading, flips, other_scope, other_thing
from dreamreview.dream.words import words
from dreamreview.model.memory import Shape

CLAUSES = 8
"""Sentences of a statement that are held against those of another."""
CONTEXT = 0.6
"""What a word counts that only the surroundings of the other statement hold."""
SHORT = 5
"""Words up to which a statement says little without the heading above it."""
PERIODS = words("until till end ends ended expire expires due valid deadline starts begins opens closes runs")
"""Words that make a date the point of a sentence and not its stamp."""


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
    bags = [claim.bag for claim in store.claims]
    for first, second in candidates(bags, store.weights):
        verdict = judge(store.claims[first], store.claims[second], store.weights)
        if verdict.relation.kinship is not Kinship.DISTINCT:
            yield verdict


def judge(one: Claim, other: Claim, weights: Weights) -> Verdict:
    """Judge two statements."""
    whole = (one.reading, other.reading)
    reason = _apart(one, other)
    if reason:
        return Verdict(one, other, distinct(reason), whole)
    likeness = relate(one.reading, other.reading, weights)
    if likeness.kinship is Kinship.DUPLICATE:
        barred = _not_mergeable(one, other, likeness.score == 1.0)
        return Verdict(one, other, distinct(barred, likeness.score) if barred else likeness, whole)
    if one.is_daily and other.is_daily:
        return Verdict(one, other, distinct("two days of a log"), whole)
    found = dispute(one, other, weights)
    if found:
        return found
    if likeness.kinship is Kinship.SUPERSEDE and not (one.is_daily or other.is_daily):
        return Verdict(one, other, likeness, whole)
    return Verdict(one, other, distinct(likeness.reason, likeness.score), whole)


def _apart(one: Claim, other: Claim) -> str | None:
    """Say why two statements do not meet at all, before their words are looked at."""
    if one.note.pinned or other.note.pinned:
        return "pinned"
    if one.is_stamped and other.is_stamped and one.reading.plain != other.reading.plain:
        return "entries of a log"
    if one.is_daily and other.is_daily:
        return "two days of a log"
    rows = one.note.shape is Shape.ROW, other.note.shape is Shape.ROW
    if all(rows) and one.reading.plain != other.reading.plain and (one.path == other.path or _key(one) != _key(other)):
        return "rows about different things"
    near, far = _subjects(one), _subjects(other)
    if near and far and not (near & (far | other.bag | other.about)) and not (far & (one.bag | one.about)):
        return f"about {min(near)} and about {min(far)}"
    return other_scope(one.reading, other.reading)


def _key(claim: Claim) -> str:
    return claim.note.text.partition("|")[0].strip().casefold()


def _subjects(claim: Claim) -> frozenset[str]:
    """Return whom a statement is about by the heading above it, where it names nobody itself."""
    return claim.owners if not claim.reading.names & claim.owners else frozenset()


def _not_mergeable(one: Claim, other: Claim, is_exact: bool) -> str | None:
    if one.is_daily or other.is_daily:
        return "a daily note is a source and stays as it is"
    if one.is_done is not None and other.is_done is not None and one.is_done != other.is_done:
        return "open in one, done in the other"
    names = one.reading.names - other.reading.names, other.reading.names - one.reading.names
    if names[0] and names[1] and not is_exact:
        return f"{min(names[0])} in one, {min(names[1])} in the other"
    is_short = len(one.reading.keys) <= SHORT or len(other.reading.keys) <= SHORT
    has_anchor = bool(one.reading.literals or one.reading.idents or one.reading.names)
    if is_short and not has_anchor and one.about and other.about and not _same_place(one, other):
        return "short, and under different headings"
    return None


def _same_place(one: Claim, other: Claim) -> bool:
    if one.path == other.path and one.note.headings == other.note.headings:
        return True
    return len(one.reading.keys) >= 3 and bool(one.about & other.about)


def dispute(one: Claim, other: Claim, weights: Weights) -> Verdict | None:
    """Return the strongest contradiction between the sentences of two statements, or None."""
    best: Verdict | None = None
    for near, far in product(one.clauses[:CLAUSES], other.clauses[:CLAUSES]):
        relation, found = _clash(one, other, (near, far), weights)
        if relation and (best is None or relation.score > best.relation.score):
            best = Verdict(one, other, relation, (near, far), found)
    return best


def _clash(
    one: Claim, other: Claim, pair: tuple[Reading, Reading], weights: Weights
) -> tuple[Relation | None, Differences]:
    near, far = pair
    found = differences(near, far)
    if not near.bag & far.bag or other_scope(near, far) or other_thing(near, far):
        return None, found
    light, heavy, weight, count = _meeting(one, other, pair, found, weights)
    turned = near.is_correction != far.is_correction
    score = round(min((light + heavy) / 2, 1.0), 3)
    if found.values and _meets_on_values(near, far, found, (light, heavy, weight)):
        return Relation(Kinship.CONFLICT, score, found.sentence), found
    if found.values or near.is_plan or far.is_plan:
        return None, found
    if _moved_away(near, far) and weight >= 1.0:
        return Relation(
            Kinship.CONFLICT, max(score, 0.6), "one says where it moved, the other still has the old"
        ), found
    if flips(near, far) and _meets_on_denial(light, heavy, weight, count, turned):
        return Relation(Kinship.CONFLICT, score, found.sentence), found
    if found.names[0] and _meets_on_names(near, far, (light, heavy, weight, count), turned):
        return Relation(Kinship.CONFLICT, score, found.sentence), found
    if turned and count >= 3 and light + heavy >= 1.0 and _brings_news(near, far):
        return Relation(Kinship.CONFLICT, score, "one says since when it is otherwise"), found
    return None, found


def _meeting(
    one: Claim, other: Claim, pair: tuple[Reading, Reading], found: Differences, weights: Weights
) -> tuple[float, float, float, int]:
    """Measure the common topic of two sentences: shares of the lighter and the heavier, weight, number of words."""
    near, far = pair
    dates = {value.key for value in (*near.values, *far.values) if value.dimension == "date"}
    mine, theirs = near.bag - found.keys - dates, far.bag - found.keys - dates
    shared = weights.total(mine & theirs)
    shares = [0.0, 0.0]
    for place, (own, reach) in enumerate(((mine, other.bag | other.about), (theirs, one.bag | one.about))):
        total = weights.total(own)
        around = (own - theirs if place == 0 else own - mine) & reach
        shares[place] = (shared + CONTEXT * weights.total(around)) / total if total else 0.0
    return max(shares), min(shares), shared, len(mine & theirs)


def _meets_on_values(near: Reading, far: Reading, found: Differences, topic: tuple[float, float, float]) -> bool:
    light, heavy, weight = topic
    dimensions = {mine.dimension for mine, _ in found.values}
    if len(dimensions) > 1 or dimensions <= {"number"} or found.names[0] or found.denied:
        return False
    if dimensions == {"date"} and not (_has_period(near) and _has_period(far)):
        return False
    return weight >= 0.5 and light >= 0.45 and heavy >= 0.36 and light + heavy >= 0.86


def _has_period(reading: Reading) -> bool:
    return any(token.raw.casefold() in PERIODS for token in reading.tokens)


def _meets_on_denial(light: float, heavy: float, weight: float, count: int, turned: bool) -> bool:
    if turned:
        return light >= 0.45 and heavy >= 0.3 and weight >= 1.2 and count >= 2
    return light >= 0.55 and heavy >= 0.45 and weight >= 1.8 and count >= 3


def _meets_on_names(near: Reading, far: Reading, topic: tuple[float, float, float, int], turned: bool) -> bool:
    light, heavy, weight, count = topic
    has_role = bool(near.bag & far.bag & EXCLUSIVE_ROLES)
    return (has_role or (turned and count >= 2)) and weight >= 1.0 and light + heavy >= 0.82 and heavy >= 0.38


def _moved_away(near: Reading, far: Reading) -> bool:
    for turn, still in ((near, far), (far, near)):
        if turn.turn and not still.is_correction:
            old, new = turn.turn
            if old and old <= still.bag and new and not new <= still.bag and (turn.bag & still.bag) - old:
                return True
    return False


def _brings_news(near: Reading, far: Reading) -> bool:
    later, earlier = (near, far) if near.is_correction else (far, near)
    fresh = later.bag - earlier.bag
    return bool(later.names - earlier.names or {value.key for value in later.values} & fresh)
