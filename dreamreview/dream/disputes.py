"""Where the sentences of two statements cannot both hold: amounts, denials, names, and words that say "no longer"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from dreamreview.dream.cues import (
    AIMS,
    BOUNDS,
    DONE,
    NORMS,
    NOT_YET,
    PERIODS,
    PROGRESS,
    REMOVALS,
    REPORTED,
    REPORTS,
    SETTLED,
    SOFTENING,
)
from dreamreview.dream.kin_words import kin
from dreamreview.dream.paraphrase import closeness
from dreamreview.dream.relation import (
    DENIED,
    MOVED,
    Differences,
    Kinship,
    Relation,
    denied_share,
    differences,
    in_words,
    moved_away,
)
from dreamreview.dream.roles import fills_role
from dreamreview.dream.similarity import CJK
from dreamreview.dream.slots import Reading, excludes, other_scope, other_thing, read, says
from dreamreview.dream.values import agreements
from dreamreview.dream.words import words

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim
    from dreamreview.dream.similarity import Weights

_CHARACTERS = re.compile(f"[{CJK}]{{1,2}}")
_CROSSED = re.compile(r"\W*?[❌🚫⛔✗✘]")
"""How a line begins that names what is not to be done."""
_CONDITION = re.compile(
    r"\W*(?:if|when|whenever|once|unless|in case|since|because|wenn|falls|sobald|если|когда)\b|\W*(?:如果|若|当)",
    re.IGNORECASE,
)
"""How a sentence begins that opens with a condition."""
_CONDITIONS = re.compile(
    r"\b(?:if|whenever|once|unless|in case|until|till|falls|bis|если|пока)\b|如果|直到", re.IGNORECASE
)
"""Words behind which a sentence says what is not so yet, or not always."""
_END = re.compile(r"[,:;，：；]|\bthen\b|\bdann\b")
"""Where the condition ends."""
CLAUSES = 8
"""Sentences of a statement that are held against those of another."""
LEAST = 0.5
"""Weight of the words that two sentences share at least to be at odds."""
CONTEXT = 0.6
"""What a word counts that only the surroundings of the other statement hold."""
FEWEST_AT = 2
"""Words that two sentences share at least for two hours or days to be at odds: much happens at some hour."""
SAME_TOPIC = 1.05
"""Sum of both shares from which two amounts are of one thing."""
TURNED_TOPIC = 0.86
"""The same where one sentence says that something is otherwise now."""
ALL_BUT = 1.6
"""The same where one word stands in the place of its opposite, or one name in the place of another."""
COUNTED = 1.7
"""The same for bare counts: most counts are of their day."""
CARELESS = 0.7
"""Sum of both shares from which a remark that denies nothing is still about the same matter of safety."""
SIDES = (
    (words("below under beneath"), words("from above over")),
    (words("within inside indoors"), words("outside beyond outdoors")),
    (words("unter innerhalb"), words("ab über außerhalb")),
    (words("внутри ниже"), words("снаружи выше свыше")),
)
"""Words for the two sides of one bound: what holds on one side does not stand against what holds on the other."""
FRAME = 1.5
"""Words that two sentences share for each word of their own, from which they are of one frame."""
BOUNDED = 0.5
"""Share of the lighter sentence where both set a bound ("up to 8") to the same thing of the same subject."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two sentences that cannot both hold."""

    relation: Relation
    clauses: tuple[Reading, Reading]
    differences: Differences | None


@dataclass(frozen=True, slots=True)
class Meeting:
    """How much two sentences speak of one topic, what they dispute left out."""

    near: Reading
    far: Reading
    found: Differences
    light: float
    """Share of the lighter sentence that the other one, or at less weight its surroundings, speaks of."""
    heavy: float
    weight: float
    """Weight of the words they share."""
    count: int
    """Number of the words they share."""

    @property
    def both(self) -> float:
        """Sum of both shares."""
        return self.light + self.heavy

    @property
    def score(self) -> float:
        """How sure it is that the topic is the same, 0 to 1."""
        return round(min(self.both / 2, 1.0), 3)

    @property
    def is_turned(self) -> bool:
        """Whether exactly one of them says that something is otherwise now."""
        return self.near.is_correction != self.far.is_correction


def dispute(
    one: Claim, other: Claim, weights: Weights, meetings: Sequence[tuple[Reading, Reading]] | None = None
) -> Dispute | None:
    """Return the strongest contradiction between the sentences of two statements, or None."""
    best: Dispute | None = None
    if meetings is None:
        meetings = list(product(one.clauses[:CLAUSES], other.clauses[:CLAUSES]))
    for near, far in meetings:
        found = _clash(one, other, (near, far), weights)
        if found and (best is None or _rank(found) > _rank(best)):
            best = found
    return best


def _rank(found: Dispute) -> tuple[bool, float]:
    """Return what makes a dispute the stronger one: a sentence that says since when it is otherwise, then its score."""
    near, far = found.clauses
    return near.is_correction != far.is_correction, found.relation.score


def _clash(one: Claim, other: Claim, pair: tuple[Reading, Reading], weights: Weights) -> Dispute | None:
    near, far = pair
    if weights.total(near.bag & far.bag) < LEAST or other_scope(near, far) or other_thing(near, far):
        return None
    if near.literals and far.literals and not near.literals & far.literals:
        return None
    if any(_has(one, low) and _has(other, high) for low, high in SIDES for one, other in ((near, far), (far, near))):
        return None
    if any(_is_bare_condition(reading) for reading in pair):
        return None
    if moved_away(near, far):
        return Dispute(Relation(Kinship.SUPERSEDE, 0.7, MOVED), pair, None)
    meeting = _meet(one, other, pair, weights)
    if _softens(one, other, meeting, weights):
        relation = Relation(Kinship.CONFLICT, max(meeting.score, 0.5), "a remark against a matter of safety")
        return Dispute(relation, pair, meeting.found)
    reason = _reason(meeting, weights)
    if reason is None or (not meeting.is_turned and _agree_elsewhere(one, other, meeting.found)):
        return None
    return Dispute(Relation(Kinship.CONFLICT, meeting.score, reason), pair, meeting.found)


def _is_bare_condition(reading: Reading) -> bool:
    """Tell whether a text only says when that holds which a list below it says, and states nothing itself."""
    return reading.text.rstrip("*_ ").endswith((":", "：")) and _CONDITION.match(reading.text) is not None


def _conditional(reading: Reading) -> frozenset[str]:
    """Return what a sentence speaks of as a condition only: if it is so, until it is so."""
    parts = (_END.split(reading.text[match.end() :], maxsplit=1)[0] for match in _CONDITIONS.finditer(reading.text))
    return frozenset[str]().union(*(read(part).bag for part in parts))


def _meet(one: Claim, other: Claim, pair: tuple[Reading, Reading], weights: Weights) -> Meeting:
    near, far = pair
    found = differences(near, far)
    dates = {value.key for value in (*near.values, *far.values) if value.dimension == "date"}
    mine, theirs = near.bag - found.keys - dates, far.bag - found.keys - dates
    shared = closeness(mine, theirs, weights).weight if found.values else weights.total(mine & theirs)
    shares = [0.0, 0.0]
    for place, (own, its, reach) in enumerate(
        ((mine, theirs, other.bag | other.about | other.named), (theirs, mine, one.bag | one.about | one.named))
    ):
        total = weights.total(own)
        shares[place] = (shared + CONTEXT * weights.total((own - its) & reach)) / total if total else 0.0
    return Meeting(near, far, found, max(shares), min(shares), shared, len(mine & theirs))


def _softens(one: Claim, other: Claim, meeting: Meeting, weights: Weights) -> bool:
    """Tell whether an opinion stands against a matter of safety: a person has to see both, whatever the words."""
    if _plays_down(one) == _plays_down(other) or not any(map(is_remark, (meeting.near, meeting.far))):
        return False
    careless, matter = (one, other) if _plays_down(one) else (other, one)
    is_light = says(careless.reading, SOFTENING)
    is_other = bool(meeting.found.values or meeting.found.denied) or meeting.both >= CARELESS or is_light
    shared = one.bag & other.bag
    return matter.reading.is_safety and is_other and weights.total(shared) >= 1.0 and len(shared) >= 2


def _plays_down(claim: Claim) -> bool:
    return claim.reading.is_opinion or (says(claim.reading, REPORTED) and says(claim.reading, SOFTENING))


def is_remark(reading: Reading) -> bool:
    """Tell whether a sentence says what somebody holds to be so."""
    return reading.is_opinion or says(reading, REPORTED)


def _agree_elsewhere(one: Claim, other: Claim, found: Differences) -> bool:
    """Tell whether the statements agree on another amount of the disputed kind: then the dispute is about a detail."""
    kinds = {mine.dimension for mine, _ in found.values} - {"number"}
    near = [value for value in one.reading.values if value.dimension in kinds]
    far = [value for value in other.reading.values if value.dimension in kinds]
    return agreements(near, far) > 0


def _reason(meeting: Meeting, weights: Weights) -> str | None:
    """Say why two sentences cannot both hold, or return None."""
    near, far, found = meeting.near, meeting.far, meeting.found
    if _is_norm_and_report(near, far) or _is_norm_and_report(far, near):
        return None
    if found.values:
        return in_words(found, near, far) if _on_values(meeting) else None
    if near.is_plan or far.is_plan:
        return None
    is_denied = denied_share(near, far, weights) >= DENIED or meeting.light >= 1.0
    is_said = not found.denied <= _conditional(near) | _conditional(far)
    if found.denied and is_denied and _on_denial(meeting) and is_said:
        return in_words(found, near, far)
    if excludes(near, far, found.opposite) and meeting.both >= ALL_BUT and meeting.count >= 2:
        return in_words(found, near, far)
    if found.names[0] and _on_names(meeting):
        return in_words(found, near, far)
    if meeting.is_turned and meeting.count >= 3 and meeting.both >= 1.0 and _brings_news(near, far):
        return "one says since when it is otherwise"
    return None


def _on_values(meeting: Meeting) -> bool:
    near, far, found = meeting.near, meeting.far, meeting.found
    dimensions = {mine.dimension for mine, _ in found.values}
    is_one = len(dimensions) == 1 or (meeting.is_turned and not dimensions <= {"date", "number"})
    if not is_one or dimensions <= {"number"} or found.names[0] or found.denied:
        return False
    if dimensions <= {"date", "monthday"} and not (_has(near, PERIODS) and _has(far, PERIODS)):
        return False
    if dimensions & {"clock", "weekday", "day of month"} and meeting.count < FEWEST_AT:
        return False
    if _has(near, AIMS) != _has(far, AIMS) or (
        dimensions == {"percent"} and (_has(near, PROGRESS) or _has(far, PROGRESS))
    ):
        return False
    if near.is_opinion != far.is_opinion or meeting.weight < LEAST or _other_subject(near, far):
        return False
    if meeting.light >= BOUNDED and _bound_alike(near, far):
        return True
    if not meeting.is_turned and _of_other_things(meeting):
        return False
    needed = TURNED_TOPIC if meeting.is_turned else COUNTED if "count" in dimensions else SAME_TOPIC
    return meeting.light >= 0.45 and meeting.heavy >= 0.36 and meeting.both >= needed


def _has(reading: Reading, several: frozenset[str]) -> bool:
    return not reading.said.isdisjoint(several)


def _other_subject(near: Reading, far: Reading) -> bool:
    """Tell whether two sentences without blanks open each with what the other does not speak of."""
    heads = [next((key for key in reading.keys if not key.startswith("=")), "") for reading in (near, far)]
    if any(_CHARACTERS.fullmatch(head) is None for head in heads):
        return False
    return (
        heads[0] not in far.bag
        and heads[1] not in near.bag
        and heads[0][0] not in far.bag
        and heads[1][0] not in near.bag
    )


def _of_other_things(meeting: Meeting) -> bool:
    """Tell whether two sentences differ, beside their amounts, in a word or two alone that stand for other things."""
    off = meeting.found.keys
    mine, theirs = (
        {key for key in bag if not key.startswith("=")} - off
        for bag in (meeting.near.bag - meeting.far.bag, meeting.far.bag - meeting.near.bag)
    )
    shared = {key for key in meeting.near.bag & meeting.far.bag if not key.startswith("=")}
    is_framed = len(shared) >= FRAME * max(len(mine), len(theirs)) and len(shared) >= 2
    for near in sorted(mine):
        twin = next((far for far in sorted(theirs) if kin(near, far)), None)
        if twin:
            mine, theirs = mine - {near}, theirs - {twin}
    return is_framed and 0 < len(mine) <= 2 and 0 < len(theirs) <= 2


def _bound_alike(near: Reading, far: Reading) -> bool:
    """Tell whether both sentences set a bound to something of the same subject."""
    return near.keys[:1] == far.keys[:1] and _has(near, BOUNDS) and _has(far, BOUNDS)


def _on_denial(meeting: Meeting) -> bool:
    if _has(meeting.near, SETTLED) or _has(meeting.far, SETTLED) or _deny_alike(meeting):
        return False
    if _rules_out(meeting.near) and _rules_out(meeting.far):
        return False
    if says(meeting.near, NOT_YET) or says(meeting.far, NOT_YET):
        return False
    if meeting.is_turned:
        return meeting.light >= 0.45 and meeting.heavy >= 0.3 and meeting.weight >= 1.2 and meeting.count >= 2
    return meeting.light >= 0.55 and meeting.heavy >= 0.45 and meeting.weight >= 1.8 and meeting.count >= 3


def _deny_alike(meeting: Meeting) -> bool:
    """Tell whether both sentences deny more of one matter than they are at odds about."""
    both = meeting.near.reach & meeting.far.reach
    return len(both) > len(meeting.found.denied - both)


def _rules_out(reading: Reading) -> bool:
    """Tell whether a sentence says that something is not so, must not be, or was taken away, in whatever words."""
    return bool(reading.reach) or _has(reading, REMOVALS) or _CROSSED.match(reading.text) is not None


def _is_norm_and_report(norm: Reading, report: Reading) -> bool:
    """Tell whether one sentence says how it is meant to be and the other how it turned out."""
    return _has(norm, NORMS) and not _has(report, NORMS) and _has(report, REPORTS)


def _on_names(meeting: Meeting) -> bool:
    has_role = fills_role(meeting.near, meeting.far) or _is_same_but_for_end(meeting)
    is_near = meeting.weight >= 1.0 and meeting.both >= 0.82 and meeting.heavy >= 0.38
    return (has_role or (meeting.is_turned and meeting.count >= 2)) and is_near


def _is_same_but_for_end(meeting: Meeting) -> bool:
    """Tell whether both sentences say of one subject that it is this or that name."""
    near, far = meeting.near, meeting.far
    is_said = "is" in near.plain and "is" in far.plain
    return is_said and near.keys[:1] == far.keys[:1] and meeting.both >= ALL_BUT and meeting.count >= 2


def _brings_news(near: Reading, far: Reading) -> bool:
    later, earlier = (near, far) if near.is_correction else (far, near)
    fresh = later.bag - earlier.bag
    stated = {value.key for value in later.values if value.dimension != "date"}
    is_news = bool(later.names - earlier.names or stated & fresh)
    is_still = earlier.is_sentence and not earlier.is_past and not _has(earlier, DONE)
    return is_news and is_still and not earlier.topic <= later.bag
