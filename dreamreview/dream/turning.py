"""How two texts in nearly the same words come to say something else: a word at another's place, or turned round."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from dreamreview.dream.alignment import are_spelled_alike, is_alignable, opcodes
from dreamreview.dream.kinds import is_said, is_somebody
from dreamreview.dream.particles import ATTRIBUTES, DIRECTIONS, PARTICLES, STATES, STRICT
from dreamreview.dream.similarity import STOP_STEMS, stem
from dreamreview.dream.slots import turned
from dreamreview.dream.voices import is_passive, traded_parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dreamreview.dream.slots import Reading

FEW = 2
"""Words in which a text differs from another that was made of it by a change or two."""
MOST_ELSE = 4
"""Words that two texts share from which one word of each that the other lacks says something else."""
WORDING = 3
"""Words in a row from which a difference is another wording and not another word."""
_ARTICLES = frozenset(("the", "a", "an", "our", "their", "its"))
LONGEST_TURN = 24
"""Words apart up to which two things may stand that have changed places."""


def _keyed(pairs: frozenset[frozenset[str]]) -> frozenset[frozenset[str]]:
    return frozenset(frozenset(map(_key, pair)) for pair in pairs)


def _key(word: str) -> str:
    return word if word in STOP_STEMS else stem(word)


_TURNING, _STATES = _keyed(PARTICLES), _keyed(STATES)
_ATTRIBUTES = frozenset(map(stem, ATTRIBUTES))


def swapped(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return the words by which two otherwise equal texts differ, each standing at the other's place, or None."""
    odd = _turned(one, other) or _odd_word(one, other) or changed_places(one, other) or traded(one, other)
    if odd:
        return odd
    parts = traded_parts(one, other)
    if parts:
        return parts
    if _is_mirrored(one, other):
        return one.keys[0], other.keys[0]
    stand_in = _stand_in(one, other) or belongings(one, other)
    if stand_in:
        return stand_in
    if Counter(one.keys) == Counter(other.keys) and is_passive(one) != is_passive(other):
        return None
    if not is_alignable(one.sequence, other.sequence):
        return next(((near, far) for near, far in zip(one.sequence, other.sequence, strict=False) if near != far), None)
    codes = opcodes(one.sequence, other.sequence)
    changed = [code for code in codes if code[0] != "equal"]
    replaced = [code for code in changed if code[0] == "replace"]
    equal = sum(code[2] - code[1] for code in codes if code[0] == "equal")
    if not replaced or len(changed) > max(2, len(replaced)) or equal * 2 < min(len(one.sequence), len(other.sequence)):
        return None
    if any(max(code[2] - code[1], code[4] - code[3]) > WORDING for code in replaced):
        return None
    for _, start, stop, to_start, to_stop in replaced:
        near, far = " ".join(one.sequence[start:stop]), " ".join(other.sequence[to_start:to_stop])
        if not are_spelled_alike(near, far) and not is_somebody(near, far):
            return near, far
    return None


def _stand_in(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return the one word of each text that stands for that of the other beside the same words, or None."""
    mine, theirs = one.bag - other.bag, other.bag - one.bag
    if len(mine) != 1 or len(theirs) != 1 or len(one.bag & other.bag) < MOST_ELSE:
        return None
    near, far = min(mine), min(theirs)
    is_near = are_spelled_alike(near, far) or is_said(near, theirs) or is_said(far, mine)
    beside, there = _beside(one.keys, near), _beside(other.keys, far)
    is_there = any(word is not None and word == as_word for word, as_word in zip(beside, there, strict=True))
    return (near, far) if is_there and not is_near else None


def belongings(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return something of somebody and that somebody, where one text speaks of the one and the other of the other."""
    for owned, bare in ((one, other), (other, one)):
        for owner, thing in pairwise(owned.tokens):
            is_owner = owner.raw.endswith("'s") and owner.key in bare.bag and owner.key not in _owning(bare)
            if is_owner and thing.key not in bare.plain:
                return thing.key, owner.key
    return None


def edited(one: Reading, other: Reading) -> tuple[tuple[str, str], ...]:
    """Return the words in which two texts differ that are else the same, word for word; nothing for others."""
    if len(one.plain) != len(other.plain):
        return ()
    found = tuple((near, far) for near, far in zip(one.plain, other.plain, strict=True) if near != far)
    return found if len(found) <= FEW and len(one.plain) > 2 * len(found) else ()


def _beside(keys: Sequence[str], key: str) -> tuple[str | None, str | None]:
    """Return the words before and behind a word, None at an end."""
    if key not in keys:
        return None, None
    place = keys.index(key)
    return keys[place - 1] if place else None, keys[place + 1] if place + 1 < len(keys) else None


def _turned(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return small words that turn a text round (on, off), where they stand at one place of two like texts."""
    anywhere = turned(one, other)
    if anywhere and frozenset(anywhere) in STRICT:
        return anywhere
    for mine, theirs in _replaced(one, other):
        found = _facing(mine, theirs, _TURNING)
        if found and (max(len(mine), len(theirs)) <= WORDING or anywhere):
            return found
    return None


def _replaced(one: Reading, other: Reading) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield the words of either text that stand at one place."""
    for code, start, stop, to_start, to_stop in opcodes(one.plain, other.plain):
        if code == "replace":
            yield one.plain[start:stop], other.plain[to_start:to_stop]


def _facing(mine: Sequence[str], theirs: Sequence[str], pairs: frozenset[frozenset[str]]) -> tuple[str, str] | None:
    """Return the first words of either side that make one of some pairs."""
    return next(((near, far) for near in mine for far in theirs if frozenset((near, far)) in pairs), None)


def turned_state(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return small words of which both cannot hold (on, off), where all else is the same, or None."""
    changed = [code for code in opcodes(one.plain, other.plain) if code[0] != "equal"]
    if len(changed) != 1 or one.bag != other.bag:
        return None
    _, start, stop, to_start, to_stop = changed[0]
    return _facing(one.plain[start:stop], other.plain[to_start:to_stop], _STATES)


def traded(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return two things of both texts that have traded what is said of them, or whose something is, or None.

    A red door and a blue gate; Ann is Ben's aunt.
    """
    owners = _owners(one), _owners(other)
    if all(owners) and owners[0].isdisjoint(owners[1]) and owners[0] | owners[1] <= one.bag & other.bag:
        return min(owners[0]), min(owners[1])
    near, far = _described(one), _described(other)
    for word in sorted(near.keys() & far.keys()):
        mine, theirs = near[word] - far[word], far[word] - near[word]
        if mine and theirs and (mine | theirs) <= one.bag & other.bag:
            return min(mine), min(theirs)
    return None


def _owning(reading: Reading) -> frozenset[str]:
    """Return whose something is in a text, also where that is said with "of": the roof of the hall."""
    words = [token for token in reading.tokens if token.raw.casefold() not in _ARTICLES]
    return _owners(reading) | {after.key for before, after in pairwise(words) if before.raw.casefold() == "of"}


def _owners(reading: Reading) -> frozenset[str]:
    return frozenset(token.key for token in reading.tokens if token.raw.endswith("'s") and token.key in reading.bag)


def _described(reading: Reading) -> dict[str, frozenset[str]]:
    """Map each attribute to what it stands right before: the words up to the next one that says nothing."""
    found: dict[str, frozenset[str]] = {}
    for place, word in enumerate(reading.plain):
        if word in _ATTRIBUTES:
            things = takewhile(lambda each: each not in STOP_STEMS, reading.plain[place + 1 : place + 1 + WORDING])
            found[word] = found.get(word, frozenset()) | frozenset(things)
    return found


def _odd_word(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return the one word in which two texts differ, if it says something in at least one of them."""
    if len(one.plain) != len(other.plain):
        return None
    pairs = [(near, far) for near, far in zip(one.plain, other.plain, strict=True) if near != far]
    if len(pairs) != 1 or set(pairs[0]) <= STOP_STEMS or _is_amount(one, other, pairs[0]):
        return None
    return None if are_spelled_alike(*pairs[0]) or is_somebody(*pairs[0]) else pairs[0]


def _is_amount(one: Reading, other: Reading, pair: tuple[str, str]) -> bool:
    """Tell whether two words state the same amount: 02:00 and 2 am."""
    near, far = ({reading.tokens[value.place].key: value.key for value in reading.values} for reading in (one, other))
    return near.get(pair[0], "") == far.get(pair[1])


def _is_mirrored(one: Reading, other: Reading) -> bool:
    """Tell whether who does and to whom it is done have changed places, and not merely the voice."""
    if one.bag != other.bag or len(one.keys) < 2 or one.keys == other.keys:
        return False
    ends = one.keys[0] == other.keys[-1] and one.keys[-1] == other.keys[0]
    return ends and is_passive(one) == is_passive(other)


def changed_places(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return the first words of what has changed places round a word of direction (A over B, B over A), or None."""
    if len(one.plain) != len(other.plain) or sorted(one.plain) != sorted(other.plain):
        return None
    differing = [place for place, (near, far) in enumerate(zip(one.plain, other.plain, strict=True)) if near != far]
    if not differing or differing[-1] - differing[0] > LONGEST_TURN:
        return None
    mine, theirs = (each.plain[differing[0] : differing[-1] + 1] for each in (one, other))
    for start in range(1, len(mine) - 1):
        for stop in range(start + 1, len(mine)):
            middle = mine[start:stop]
            if theirs == mine[stop:] + middle + mine[:start] and not DIRECTIONS.isdisjoint(middle):
                return mine[0], theirs[0]
    return None
