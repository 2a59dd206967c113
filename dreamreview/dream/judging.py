"""How two statements of a store stand to one another, in view of where they stand and of what else the store says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from dreamreview.dream.claims import Claim, Knowledge
from dreamreview.dream.cues import EXCLUSIVE_ROLES
from dreamreview.dream.relation import (
    DENIED,
    MOVED,
    Differences,
    Kinship,
    Relation,
    anchors,
    denied_share,
    differences,
    distinct,
    in_words,
    moved_away,
    relate,
)
from dreamreview.dream.similarity import Sort, Weights, candidates, content, scan
from dreamreview.dream.slots import Reading, other_scope, other_thing
from dreamreview.dream.values import agreements
from dreamreview.dream.words import words
from dreamreview.model.memory import Shape

WHOLE = 0.3
"""Share of a statement's weight that its rare words in common with another must make up to be held against it."""
PART = 0.22
"""The same for one sentence, amounts left out."""
LEAST = 0.5
"""Weight of the words that two sentences share at least to be at odds."""
CLAUSES = 8
"""Sentences of a statement that are held against those of another."""
CONTEXT = 0.6
"""What a word counts that only the surroundings of the other statement hold."""
ROW = 0.8
"""Share of the shorter one's words that a table row and a sentence must have in common to say the same."""
FRAGMENT = 4
"""Words below which a text is a heading in a list rather than a statement."""
SHORT = 4
"""Words up to which a statement says little without the heading above it."""
LEADS = 2
"""Shared anchors from which two statements are one although they open with different leads."""
_LEAD = re.compile(r"((?:\S+ ){0,4}\S+?)[:：](?=\s|$)")
FEWEST_AT = 2
"""Words that two sentences share at least for two hours or weekdays to be at odds: much happens at some hour."""
COUNTED = 1.2
"""Sum of both shares from which two counts of one thing are at odds: most counts are of their day."""
SIBLING = 0.75
"""Share of the shorter one's words that two entries of one list must have in common to say the same."""
_PATH = re.compile(r"://|[\w~.]/[\w.<]|\w\.[a-z]{2,4}$")
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
    meetings = _meeting_clauses(store)
    near = candidates([claim.bag for claim in store.claims], store.weights, WHOLE)
    for first, second in sorted(meetings.keys() | set(near)):
        verdict = judge(store.claims[first], store.claims[second], store.weights, meetings.get((first, second), ()))
        if verdict.relation.kinship is not Kinship.DISTINCT:
            yield verdict


def _meeting_clauses(store: Knowledge) -> dict[tuple[int, int], list[tuple[Reading, Reading]]]:
    """Gather the sentences of different statements that share a topic, by pair of statements."""
    owners: list[int] = []
    clauses: list[Reading] = []
    for claim in store.claims:
        for clause in claim.clauses[:CLAUSES]:
            owners.append(claim.place)
            clauses.append(clause)
    found: dict[tuple[int, int], list[tuple[Reading, Reading]]] = defaultdict(list)
    for first, second in candidates([clause.topic for clause in clauses], store.weights, PART):
        if owners[first] != owners[second]:
            found[owners[first], owners[second]].append((clauses[first], clauses[second]))
    return found


def judge(
    one: Claim, other: Claim, weights: Weights, meetings: Sequence[tuple[Reading, Reading]] | None = None
) -> Verdict:
    """Judge two statements; `meetings` are the pairs of their sentences to hold against one another, all by default."""
    whole = (one.reading, other.reading)
    reason = _apart(one, other)
    if reason:
        return Verdict(one, other, distinct(reason), whole)
    likeness = relate(one.reading, other.reading, weights)
    if likeness.kinship is Kinship.DUPLICATE:
        barred = _not_mergeable(one, other, likeness.score == 1.0)
        return Verdict(one, other, distinct(barred, likeness.score) if barred else likeness, whole)
    found = dispute(one, other, weights, meetings) if _may_dispute(one, other) else None
    if found:
        return found
    size = min(one.reading.size, other.reading.size)
    if likeness.kinship is Kinship.SUPERSEDE and size >= FRAGMENT and not (one.is_daily or other.is_daily):
        return Verdict(one, other, likeness, whole)
    return Verdict(one, other, distinct(likeness.reason, likeness.score), whole)


def _apart(one: Claim, other: Claim) -> str | None:
    """Say why two statements do not meet at all, before their words are looked at."""
    if one.note.pinned or other.note.pinned:
        return "pinned"
    if one.note.text.rstrip().endswith(("?", "？")) or other.note.text.rstrip().endswith(("?", "？")):
        return "a question"
    if one.is_stamped and other.is_stamped and one.reading.plain != other.reading.plain:
        return "entries of a log"
    if one.in_log and other.in_log and one.reading.plain != other.reading.plain:
        return "two days of a log"
    rows = one.note.shape is Shape.ROW, other.note.shape is Shape.ROW
    if all(rows) and one.reading.plain != other.reading.plain and (one.path == other.path or _key(one) != _key(other)):
        return "rows about different things"
    for near, far in ((one, other), (other, one)):
        owners, names = _owners(near), far.reading.names or far.owners
        if owners and names and not names & (owners | near.reading.names) and not owners & far.about:
            return f"about {min(owners)} and about {min(names)}"
    return other_scope(one.reading, other.reading)


def _key(claim: Claim) -> str:
    return claim.note.text.partition("|")[0].strip().casefold()


def _owners(claim: Claim) -> frozenset[str]:
    """Return whom a statement is about by the heading above it, where it names nobody itself."""
    return frozenset() if claim.reading.names else claim.owners


def _not_mergeable(one: Claim, other: Claim, is_exact: bool) -> str | None:
    """Say why two statements that read alike are nevertheless kept apart, or return None."""
    if one.is_source or other.is_source:
        return "the record of a day is a source and stays as it is"
    if one.is_done is not None and other.is_done is not None and one.is_done != other.is_done:
        return "open in one, done in the other"
    if not is_exact:
        reason = _differs(one, other)
        if reason:
            return reason
    size = min(one.reading.size, other.reading.size)
    if size < FRAGMENT and not is_exact:
        return "too brief to be a statement"
    if not one.reading.topic and one.reading.values:
        return "a stamp"
    is_short = size <= SHORT
    has_anchor = bool(one.reading.literals or one.reading.idents or one.reading.names or '"' in one.note.text)
    if is_short and not has_anchor and one.about and other.about and not _same_place(one, other):
        return "short, and under different headings"
    return None


def _differs(one: Claim, other: Claim) -> str | None:
    has_row = Shape.ROW in (one.note.shape, other.note.shape)
    if has_row and (_light(one, other) < ROW or not anchors(one.reading, other.reading)):
        return "a row says less than a sentence"
    addresses = _addresses(one), _addresses(other)
    if addresses[0] and addresses[1] and not addresses[0] & addresses[1]:
        return "different addresses"
    names = one.reading.names - other.reading.names, other.reading.names - one.reading.names
    if names[0] and names[1]:
        return f"{min(names[0])} in one, {min(names[1])} in the other"
    if _leads_differ(one, other) and anchors(one.reading, other.reading) < LEADS:
        return "under different leads"
    literals = one.reading.literals, other.reading.literals
    is_apart = bool(literals[0] and literals[1] and not literals[0] & literals[1])
    if (is_apart or _are_siblings(one, other)) and _light(one, other) < SIBLING:
        return "two entries of one list" if not is_apart else "about different pieces of code"
    return None


def _leads_differ(one: Claim, other: Claim) -> bool:
    """Tell whether both statements open with a lead ("**Limits**", "Limits:") and these have no word in common."""
    near, far = _lead(one), _lead(other)
    return bool(near and far and not near & far)


def _lead(claim: Claim) -> frozenset[str]:
    match = _LEAD.match(claim.note.text)
    return _words(claim.note.title) or (_words(match[1]) if match else frozenset())


def _words(text: str) -> frozenset[str]:
    return frozenset(content(scan(text)))


def _are_siblings(one: Claim, other: Claim) -> bool:
    """Tell whether two statements stand in one list: a writer seldom repeats there what stands a line above."""
    return one.path == other.path and one.note.headings == other.note.headings


def _light(one: Claim, other: Claim) -> float:
    return len(one.bag & other.bag) / max(min(len(one.bag), len(other.bag)), 1)


def _addresses(claim: Claim) -> frozenset[str]:
    return frozenset(
        token.key
        for token in claim.reading.tokens
        if token.sort in (Sort.URL, Sort.MAIL, Sort.PATH) or (token.sort is Sort.CODE and _PATH.search(token.raw))
    )


def _same_place(one: Claim, other: Claim) -> bool:
    if one.path == other.path and one.note.headings == other.note.headings:
        return True
    return len(one.reading.keys) >= 3 and bool(one.about & other.about)


def dispute(
    one: Claim, other: Claim, weights: Weights, meetings: Sequence[tuple[Reading, Reading]] | None = None
) -> Verdict | None:
    """Return the strongest contradiction between the sentences of two statements, or None."""
    best: Verdict | None = None
    if meetings is None:
        meetings = list(product(one.clauses[:CLAUSES], other.clauses[:CLAUSES]))
    for near, far in meetings:
        verdict = _clash(one, other, (near, far), weights)
        if verdict and (best is None or verdict.relation.score > best.relation.score):
            best = verdict
    return best


def _clash(one: Claim, other: Claim, pair: tuple[Reading, Reading], weights: Weights) -> Verdict | None:
    near, far = pair
    if weights.total(near.bag & far.bag) < LEAST or other_scope(near, far) or other_thing(near, far):
        return None
    if near.literals and far.literals and not near.literals & far.literals:
        return None
    if moved_away(near, far):
        return Verdict(one, other, Relation(Kinship.SUPERSEDE, 0.7, MOVED), pair)
    found = differences(near, far)
    meeting = _meet(one, other, pair, found, weights)
    reason = _reason(pair, found, meeting, weights)
    if reason is None or _agree_elsewhere(one, other, found):
        return None
    return Verdict(one, other, Relation(Kinship.CONFLICT, meeting.score, reason), pair, found)


def _agree_elsewhere(one: Claim, other: Claim, found: Differences) -> bool:
    """Tell whether the statements agree on another amount of the disputed kind: then the dispute is about a detail."""
    kinds = {mine.dimension for mine, _ in found.values} - {"number"}
    near = [value for value in one.reading.values if value.dimension in kinds]
    far = [value for value in other.reading.values if value.dimension in kinds]
    return agreements(near, far) > 0


def _may_dispute(one: Claim, other: Claim) -> bool:
    """Tell whether two statements are of a kind that can be at odds at all.

    An entry of a log tells what was that day, unless it says that something is otherwise from then on; an open task
    says nothing of how things are; a row of many columns is no sentence.
    """
    if _are_siblings(one, other) and _leads_differ(one, other):
        return False
    for claim in (one, other):
        if claim.is_stamped and not (claim.reading.is_correction or claim.reading.is_opinion):
            return False
        if claim.is_done is False or (claim.note.shape is Shape.ROW and claim.note.text.count(" | ") != 1):
            return False
    return True


def _reason(pair: tuple[Reading, Reading], found: Differences, meeting: Meeting, weights: Weights) -> str | None:
    """Say why two sentences cannot both hold, or return None."""
    near, far = pair
    turned = near.is_correction != far.is_correction
    if found.values:
        return in_words(found, near, far) if _meets_on_values(near, far, found, meeting) else None
    if near.is_plan or far.is_plan:
        return None
    if found.denied and denied_share(near, far, weights) >= DENIED and _meets_on_denial(meeting, turned):
        return in_words(found, near, far)
    if found.names[0] and _meets_on_names(near, far, meeting, turned):
        return in_words(found, near, far)
    if turned and meeting.count >= 3 and meeting.light + meeting.heavy >= 1.0 and _brings_news(near, far):
        return "one says since when it is otherwise"
    return None


@dataclass(frozen=True, slots=True)
class Meeting:
    """How much two sentences speak of one topic, what they dispute left out."""

    light: float
    """Share of the lighter sentence that the other one, or at less weight its surroundings, speaks of."""
    heavy: float
    weight: float
    """Weight of the words they share."""
    count: int
    """Number of the words they share."""

    @property
    def score(self) -> float:
        """How sure it is that the topic is the same, 0 to 1."""
        return round(min((self.light + self.heavy) / 2, 1.0), 3)


def _meet(one: Claim, other: Claim, pair: tuple[Reading, Reading], found: Differences, weights: Weights) -> Meeting:
    near, far = pair
    dates = {value.key for value in (*near.values, *far.values) if value.dimension == "date"}
    mine, theirs = near.bag - found.keys - dates, far.bag - found.keys - dates
    shared = weights.total(mine & theirs)
    shares = [0.0, 0.0]
    for place, (own, its, reach) in enumerate(
        ((mine, theirs, other.bag | other.about), (theirs, mine, one.bag | one.about))
    ):
        total = weights.total(own)
        shares[place] = (shared + CONTEXT * weights.total((own - its) & reach)) / total if total else 0.0
    return Meeting(max(shares), min(shares), shared, len(mine & theirs))


def _meets_on_values(near: Reading, far: Reading, found: Differences, meeting: Meeting) -> bool:
    dimensions = {mine.dimension for mine, _ in found.values}
    if len(dimensions) > 1 or dimensions <= {"number"} or found.names[0] or found.denied:
        return False
    if dimensions == {"date"} and not (_has_period(near) and _has_period(far)):
        return False
    if dimensions & {"clock", "weekday"} and meeting.count < FEWEST_AT:
        return False
    light, heavy = meeting.light, meeting.heavy
    if near.is_opinion != far.is_opinion or ("count" in dimensions and light + heavy < COUNTED):
        return False
    return meeting.weight >= LEAST and light >= 0.45 and heavy >= 0.36 and light + heavy >= 0.86


def _has_period(reading: Reading) -> bool:
    return any(token.raw.casefold() in PERIODS for token in reading.tokens)


def _meets_on_denial(meeting: Meeting, turned: bool) -> bool:
    if turned:
        return meeting.light >= 0.45 and meeting.heavy >= 0.3 and meeting.weight >= 1.2 and meeting.count >= 2
    return meeting.light >= 0.55 and meeting.heavy >= 0.45 and meeting.weight >= 1.8 and meeting.count >= 3


def _meets_on_names(near: Reading, far: Reading, meeting: Meeting, turned: bool) -> bool:
    has_role = bool(near.bag & far.bag & EXCLUSIVE_ROLES)
    is_near = meeting.weight >= 1.0 and meeting.light + meeting.heavy >= 0.82 and meeting.heavy >= 0.38
    return (has_role or (turned and meeting.count >= 2)) and is_near


def _brings_news(near: Reading, far: Reading) -> bool:
    later, earlier = (near, far) if near.is_correction else (far, near)
    fresh = later.bag - earlier.bag
    return bool(later.names - earlier.names or {value.key for value in later.values} & fresh)
