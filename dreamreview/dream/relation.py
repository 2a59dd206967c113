"""How two texts stand to one another: the same, at odds, one the fulfilment of the other, or apart."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dreamreview.dream.alignment import opcodes
from dreamreview.dream.cues import RHYTHMS
from dreamreview.dream.denials import is_denied
from dreamreview.dream.kinds import is_somebody
from dreamreview.dream.opposites import excluding
from dreamreview.dream.roles import fills_role
from dreamreview.dream.similarity import Sort, Weights, overlap_share
from dreamreview.dream.slots import (
    Reading,
    excludes,
    flips,
    other_scope,
    other_thing,
    read,
    touched,
)
from dreamreview.dream.turning import changed_places as changed_places
from dreamreview.dream.turning import swapped, turned_state
from dreamreview.dream.values import Value, agreements, clashes

NOTHING = 0.3
"""Share of the lighter text's weight below which two texts are not looked at."""
ALIKE = 0.58
"""Share of the lighter text's weight that must be shared before two wordings may be one fact."""
ALIKE_HEAVY = 0.36
"""Share of the heavier text's weight, likewise."""
ALIKE_BOTH = 1.08
"""Sum of both shares, likewise."""
BRIEF = 4
"""Words up to which a text is brief: it says the same as another only if nearly all of it is shared."""
ALIKE_BRIEF = 0.75
"""Share of a brief text's weight that must be shared."""
ANCHOR = 0.07
"""What each shared anchor (an equal amount, code span, identifier) is worth on top of the shared weight."""
ANCHORS = 4
"""Weight of anchors counted at most."""
LOOSE_BOTH = 1.3
"""The sum where one of them is no sentence but an item of a list of features, of which many share words."""
BOUND = 2 * ANCHOR
"""Weight of anchors that bind it as well: an amount with its unit, or two pieces of code; one is mentioned often."""
NAMES = 1
"""Proper names in common that bind such an item to another text."""
FEWEST = 3
"""Words that two texts must share at least when each also says something of its own."""
MOVED = "one says where it moved, the other still has the old"
_BREAKS = frozenset(".;!?。；！？")
BARE = 3
"""Words beside the old name up to which a sentence says no more than that it is in use."""
DENIED = 0.75
"""Share of what one text denies that the other must speak of to be at odds with it."""
NEARLY = 0.6
"""Share of the heavier text's weight from which any single denial tells two texts apart."""
TOPIC = 0.50
"""Share of the lighter text's weight (what differs left out) from which two texts have one topic."""
TOPIC_HEAVY = 0.34
"""Share of the heavier text's weight, likewise left out, for a dispute."""
OPPOSED = 0.6
"""The same where opposites are in dispute: of much that is said, something is light and something dark."""


class Kinship(StrEnum):
    """What two texts are to one another."""

    DUPLICATE = "duplicate"
    CONFLICT = "conflict"
    SUPERSEDE = "supersede"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True)
class Relation:
    """The verdict on two texts."""

    kinship: Kinship
    score: float
    """0 to 1: how sure."""
    reason: str


def distinct(reason: str, score: float = 0.0) -> Relation:
    """Return the verdict that two texts have nothing to settle."""
    return Relation(Kinship.DISTINCT, round(score, 3), reason)


@dataclass(frozen=True, slots=True)
class Differences:
    """What two texts of one topic do not agree on."""

    values: tuple[tuple[Value, Value], ...]
    denied: frozenset[str]
    opposite: tuple[tuple[str, str], ...]
    names: tuple[frozenset[str], frozenset[str]]

    @property
    def kinds(self) -> int:
        """How many sorts of difference there are."""
        return sum(map(bool, (self.values, self.denied, self.opposite, self.names[0])))

    @property
    def keys(self) -> frozenset[str]:
        """The words in dispute."""
        words = {value.key for pair in self.values for value in pair}
        words |= {word for pair in self.opposite for word in pair} | self.names[0] | self.names[1]
        return frozenset(words)


def in_words(found: Differences, one: Reading, other: Reading) -> str:
    """Say the first of some differences, in the words of the texts."""
    if found.values:
        return f"{found.values[0][0].raw} in one, {found.values[0][1].raw} in the other"
    if found.denied:
        said = ", ".join(one.spelled(key) for key in sorted(found.denied)[:3])
        return f"one denies what the other says of {said}"
    if found.opposite:
        near, far = found.opposite[0]
        return f"{one.spelled(near)} in one, {other.spelled(far)} in the other"
    sides = (
        ", ".join(reading.spelled(name) for name in sorted(names, key=reading.text.casefold().find))
        for reading, names in zip((one, other), found.names, strict=True)
    )
    return "{} in one, {} in the other".format(*sides)


def differences(one: Reading, other: Reading) -> Differences:
    """Gather what two readings do not agree on."""
    near, far = one.names - other.bag - other.names, other.names - one.bag - one.names
    mine, theirs = one.bag - other.bag, other.bag - one.bag
    if not (near and far) and mine and theirs and mine <= one.capitals and theirs <= other.capitals:
        near, far = mine, theirs
    return Differences(
        values=clashes(one.values, other.values),
        denied=flips(one, other),
        opposite=_opposed(one, other),
        names=(near, far) if near and far else (frozenset(), frozenset()),
    )


def _opposed(one: Reading, other: Reading) -> tuple[tuple[str, str], ...]:
    """Return the words that exclude one another and stand in the place of one another, or alone on either side."""
    mine, theirs = one.bag - other.bag, other.bag - one.bag
    is_near = 2 * len(one.bag & other.bag) >= max(len(one.bag), len(other.bag))
    pairs = excluding(mine, theirs) if is_near or len(mine) == len(theirs) == 1 else frozenset()
    if not pairs or len(mine) == len(theirs) == 1:
        return tuple(sorted(pairs))
    placed = {
        (near, far)
        for code, start, stop, to_start, to_stop in opcodes(one.keys, other.keys)
        if code == "replace"
        for near in one.keys[start:stop]
        for far in other.keys[to_start:to_stop]
    }
    return tuple(sorted(pairs & placed))


def relate(one: Reading, other: Reading, weights: Weights) -> Relation:
    """Judge two readings.

    Similarity only gathers: values, names, denial, scope and modality decide. Texts without a word in common, also two
    empty ones, are distinct.
    """
    if one.plain and one.plain == other.plain:
        return Relation(Kinship.DUPLICATE, 1.0, "the same words")
    light, heavy = overlap_share(one.bag, other.bag, weights)
    if light and moved_away(one, other):
        return Relation(Kinship.SUPERSEDE, 0.7, MOVED)
    if light < NOTHING:
        return distinct("nothing in common" if not light else "too little in common", light)
    apart = other_scope(one, other) or other_thing(one, other)
    if apart:
        return distinct(f"speak of different things: {apart}", light)
    found = differences(one, other)
    if found.kinds == bool(found.denied) and light >= TOPIC and touched(one, other) and is_denied(one, other):
        reason = in_words(found, one, other) if found.denied else "one denies what the other says"
        return Relation(Kinship.CONFLICT, round(light, 3), reason)
    if found.kinds:
        return _dispute(one, other, found, weights)
    turn = turned_state(one, other) or changed_places(one, other)
    if turn:
        near, far = one.spelled(turn[0]), other.spelled(turn[1])
        return Relation(Kinship.CONFLICT, round(heavy, 3), f"{near} in one, {far} in the other")
    if one.is_opinion != other.is_opinion:
        return distinct("one says less than that it is so", light)
    if one.is_plan != other.is_plan and light >= TOPIC:
        return Relation(Kinship.SUPERSEDE, round(light, 3), "planned in one, done in the other")
    return _likeness(one, other, light, heavy)


def moved_away(near: Reading, far: Reading) -> bool:
    """Tell whether one text reports that something moved from what the other still says it is."""
    for turn, still in ((near, far), (far, near)):
        if not turn.turn or still.is_correction or still.denied & turn.turn[0]:
            continue
        old, new = turn.turn[0], turn.turn[1] - turn.turn[0]
        if old and new and old <= still.bag and not new & still.bag:
            rest = still.topic - old
            if (rest & turn.bag) or (len(rest) <= BARE and old <= still.capitals | still.idents):
                return True
    return False


def _likeness(one: Reading, other: Reading, light: float, heavy: float) -> Relation:
    extra = ANCHOR * min(anchors(one, other), ANCHORS)
    own = one.bag - other.bag, other.bag - one.bag
    is_same_but_who = len(own[0]) == len(own[1]) == 1 and is_somebody(*own[0], *own[1])
    if min(len(one.bag), len(other.bag)) <= BRIEF and light < ALIKE_BRIEF and not is_same_but_who:
        return distinct("too little in common", light)
    is_alike = light + extra >= ALIKE and heavy + extra >= ALIKE_HEAVY and light + heavy + 2 * extra >= ALIKE_BOTH
    is_bound = extra >= BOUND or not is_loose(one, other) or is_same_but_who
    if not is_bound and light + heavy + 2 * extra < LOOSE_BOTH:
        return distinct("too little in common of two items", light)
    if not is_alike or not (is_same_but_who or _is_enough(one, other)):
        return distinct("too little in common", light)
    if states_else(one, other):
        return distinct("each states an amount that the other lacks", light)
    if keeps_other_rhythm(one, other):
        return distinct("each is done at another rhythm", light)
    if one.is_past != other.is_past:
        return Relation(Kinship.CONFLICT, round(light, 3), "one says that it was so before")
    if is_limited(one, other):
        return distinct("one says that it holds of nothing else", light)
    swap = swapped(one, other)
    if swap:
        near, far = one.spelled(swap[0]), other.spelled(swap[1])
        return distinct(f"{near} in one, {far} in the other", light)
    if heavy >= NEARLY and touched(one, other) & one.bag & other.bag:
        return distinct("one denies a part of what the other says", light)
    return Relation(Kinship.DUPLICATE, round(min((light + heavy) / 2 + extra, 0.99), 3), "the same in other words")


def is_loose(one: Reading, other: Reading) -> bool:
    """Tell whether one of two texts is no sentence but an item of a list, and no names bind it to the other."""
    return not (one.is_sentence and other.is_sentence) and len(one.names & other.names) < NAMES


def _is_enough(one: Reading, other: Reading) -> bool:
    """Tell whether two texts share enough words, where each also says something of its own.

    Of texts that each say as much of their own, one amount does not count: much is done every ten minutes.
    """
    own = min(len(one.bag - other.bag), len(other.bag - one.bag))
    shared = one.bag & other.bag
    is_measured = own >= FEWEST and not shared <= one.topic
    return not own or len(shared) - is_measured >= FEWEST


def is_limited(one: Reading, other: Reading) -> bool:
    """Tell whether one of two sentences says that it holds of nothing else, and the other does not.

    What both deny in so many words is what "only" leaves out.
    """
    return (
        one.is_only != other.is_only
        and not (one.reach & other.reach)
        and not any(
            token.sort is Sort.SIGN and token.raw in _BREAKS for each in (one, other) for token in each.tokens[:-1]
        )
    )


def keeps_other_rhythm(one: Reading, other: Reading) -> bool:
    """Tell whether one text says that something is done each week, say, and the other each day."""
    near, far = ({RHYTHMS[word] for word in each.said & RHYTHMS.keys()} for each in (one, other))
    return bool(near and far) and near.isdisjoint(far)


def states_else(one: Reading, other: Reading) -> bool:
    """Tell whether each of two texts states an amount and both state none alike."""
    near, far = (tuple(value for value in each.values if value.dimension != "date") for each in (one, other))
    return bool(near and far) and not agreements(near, far)


def anchors(one: Reading, other: Reading) -> float:
    """Weigh the amounts, quotations, code spans, addresses and identifiers that two texts share.

    A measured amount or the same quoted words count double, a code span or an address one and a half.
    """
    near, far = _telling(one), _telling(other)
    plain = agreements(near, far)
    measured = agreements(
        [value for value in near if not value.is_loose], [value for value in far if not value.is_loose]
    )
    literal = 1.5 * len(one.literals & other.literals) + len(one.idents & other.idents)
    return plain + measured + literal + 2 * len(one.quotes & other.quotes)


def _telling(reading: Reading) -> tuple[Value, ...]:
    return tuple(value for value in reading.values if value.key in reading.bag and value.dimension != "date")


def _dispute(one: Reading, other: Reading, found: Differences, weights: Weights) -> Relation:
    stamps = {value.key for value in (*one.values, *other.values) if value.dimension == "date"}
    off = found.keys | stamps
    light, heavy = overlap_share(one.bag - off, other.bag - off, weights)
    enough = OPPOSED if found.opposite else TOPIC_HEAVY
    if light >= TOPIC and heavy >= enough and is_dispute(one, other, found, weights):
        return Relation(Kinship.CONFLICT, round(heavy, 3), in_words(found, one, other))
    return distinct(in_words(found, one, other), light)


def is_dispute(one: Reading, other: Reading, found: Differences, weights: Weights) -> bool:
    """Tell whether both cannot hold: one kind of difference, and not merely another name."""
    if found.names[0]:
        return found.kinds == 1 and fills_role(one, other)
    if found.values:
        is_one = found.kinds == 1 and len({near.dimension for near, _ in found.values}) == 1
        return is_one and not _is_of_another(one, other)
    if excludes(one, other, found.opposite):
        return True
    is_cjk = not all(map(str.isascii, found.denied))
    return is_cjk and denied_share(one, other, weights) >= DENIED


def _is_of_another(one: Reading, other: Reading) -> bool:
    """Tell whether each text begins with something that the other does not speak of."""
    return bool(one.keys and other.keys) and one.keys[0] not in other.bag and other.keys[0] not in one.bag


def denied_share(one: Reading, other: Reading, weights: Weights) -> float:
    """Return how much of what one text denies the other speaks of, by weight; the larger of both directions."""
    sides = ((one.reach - other.reach, other.bag), (other.reach - one.reach, one.bag))
    return max(weights.total(reach & bag) / weights.total(reach) if reach else 0.0 for reach, bag in sides)


def compare(one: str, other: str) -> Relation:
    """Judge two texts on their own, without a store around them."""
    return relate(read(one), read(other), Weights({}))
