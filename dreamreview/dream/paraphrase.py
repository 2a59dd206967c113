"""Whether two statements of a store say the same in other words, where the words that both share do not tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from dreamreview.dream.alignment import are_spelled_alike
from dreamreview.dream.candidates import candidates
from dreamreview.dream.cues import AFTER_NEGATIONS, CJK_NEGATIONS, DENYING_PAIRS, NEGATIONS
from dreamreview.dream.kin_words import kin, rows
from dreamreview.dream.relation import (
    ANCHOR,
    ANCHORS,
    BOUND,
    Kinship,
    Relation,
    anchors,
    differences,
    is_limited,
    is_loose,
    keeps_other_rhythm,
)
from dreamreview.dream.similarity import CJK, STOP_STEMS, Sort, Token, content, normal, parts, scan, weights_of
from dreamreview.dream.slots import other_scope, other_thing
from dreamreview.dream.turning import belongings, changed_places, edited, traded
from dreamreview.dream.turning import swapped as substituted
from dreamreview.dream.voices import traded_parts
from dreamreview.dream.words import words

if TYPE_CHECKING:
    from dreamreview.dream.similarity import Weights
    from dreamreview.dream.slots import Reading

    Kin = Callable[[str, str], float]

LIGHT = 0.55
"""Share of the lighter text that both must say, words that are near in meaning and anchors counted."""
HEAVY = 0.4
"""Share of the heavier text, likewise."""
BOTH = 1.18
"""Sum of both shares, likewise."""
BRIEF = 12
"""Words below which a text that is no sentence may be an item of a list of features, of which many share words."""
BRIEF_HEAVY = 0.5
"""Share of the heavier of two texts that such a one and another must both say, where no anchor binds them."""
BRIEF_BOTH = 1.35
"""The sum, likewise."""
VECTOR = 0.6
"""What vectors that could not be nearer lower the sum by."""
ALIKE_BUT = 2
"""Words of their own up to which the place of a word in two texts tells them apart."""
SUMMARY_BOTH = 0.7
"""The sum for two summaries of files, each of which says its point several times over in words of its own."""
SUMMARY_HEAVY = 0.27
"""Share of the heavier summary."""
SUMMARY_FEWEST = 6
"""Words that both summaries say at least."""
FEWEST = 2.7
"""Words that both say at least, likewise: three, one of them in another word at most."""
GLANCE = 0.15
"""Share of the lighter text in the very same words from which two texts are looked at."""
MEETS = 0.5
"""Share of what a part of a sentence denies from which another part speaks of it."""

MEETINGS = 2_000
"""Pairs of parts up to which two texts are held against one another for what they deny: forty parts each, and more."""

_PAIR = re.compile(f"[{CJK}]{{2}}")
_ARROW = re.compile(r"→|⇒|(?<![-<])->|=>")
"""What makes a chain of steps of a text, which says what it says by their order."""
_GAP = re.compile(r"<[^<>\s]{1,30}>|\{[^{}\s]{1,30}\}|y{4}(?:-?m{2}(?:-?d{2})?)?|h{2}:?m{2}|#{2,}|x{3,}")
"""What stands for something else in a piece of code."""
_LONGEST_FORM = 80
_SAME_FORM = "=form"
FORM = 2.0
"""What a pattern and its example weigh as an anchor: as much as an equal amount."""
_JOINING = words("and but or und aber oder и но а или")
"""Words between parts of a sentence, of which each may be denied alone."""
_DENYING_AFTER = AFTER_NEGATIONS | words("verboten untersagt tabu запрещено запрещены запрещается нет")
_DENYING = (NEGATIONS | words("statt anstatt keiner keinem keines вместо нельзя")) - _DENYING_AFTER
_END = Token(Sort.SIGN, ".", ".", False)


@dataclass(frozen=True, slots=True)
class Closeness:
    """How much two texts have in common when words that are near in meaning count as well."""

    light: float
    """Share of the lighter text, by weight."""
    heavy: float
    """Share of the heavier text."""
    count: float
    """Words in common, near ones at their nearness."""
    weight: float = 0.0
    """What they weigh."""


def closeness(one: frozenset[str], other: frozenset[str], weights: Weights, near: Kin = kin) -> Closeness:
    """Measure two bags of words; each word meets one of the other side at most."""
    first, second = weights.whole(one), weights.whole(other)
    if not first or not second:
        return Closeness(0.0, 0.0, 0.0)
    shared = one & other
    weight, count = weights.total(shared), _count(shared)
    left = sorted(other - shared)
    for key in sorted(one - shared, key=lambda key: (-weights(key), key)):
        nearness, best = max(((near(key, far), far) for far in left), default=(0.0, ""))
        if nearness:
            left.remove(best)
            weight += nearness * min(weights(key), weights(best))
            count += nearness
    return Closeness(weight / min(first, second), weight / max(first, second), count, weight)


def _count(keys: frozenset[str]) -> float:
    """Count words; of scripts without blanks pairs of characters, two single ones for one where there are no pairs."""
    whole = sum(len(key) > 1 or key.isascii() for key in keys)
    return float(whole) if whole > len(keys) - whole else whole + (len(keys) - whole) / 2


def restates(one: Reading, other: Reading, weights: Weights, near: Kin = kin, nearness: float = 0.0) -> Relation | None:
    """Return the verdict that two readings are one in other words, None where nothing says so.

    Near words only gather: amounts, names, numbered things, scope, denial and modality have to agree as ever. What
    `nearness` of their vectors there is, 0 to 1, lowers the bar.
    """
    share = weights.total(one.bag & other.bag)
    is_seen = share >= GLANCE * min(weights.whole(one.bag), weights.whole(other.bag)) or nearness
    if not is_seen or _is_barred(one, other, near):
        return None
    mine, theirs, formed = _formed(one, other)
    extra = ANCHOR * min(anchors(one, other) + formed, ANCHORS)
    found = closeness(mine, theirs, weights, near)
    light, heavy = found.light + extra, found.heavy + extra
    lower = nearness * VECTOR
    if light < LIGHT - lower / 2 or heavy < HEAVY - lower / 2 or light + heavy < BOTH - lower:
        return None
    is_brief = extra < BOUND and min(one.size, other.size) < BRIEF and is_loose(one, other)
    if found.count < FEWEST - nearness or (is_brief and (heavy < BRIEF_HEAVY or light + heavy < BRIEF_BOTH - lower)):
        return None
    if not _agree_on_denial(one, other, weights, near):
        return None
    return Relation(Kinship.DUPLICATE, round(min((light + heavy) / 2, 0.99), 3), "the same in other words")


def resembles(one: Reading, other: Reading, weights: Weights, near: Kin = kin) -> float:
    """Return how much two summaries of files, of many words each, have in common, 0 to 1; 0 where they do not meet."""
    if _is_barred(one, other, near) or not _agree_on_denial(one, other, weights, near):
        return 0.0
    found = closeness(one.bag, other.bag, weights, near)
    both = found.light + found.heavy
    is_alike = both >= SUMMARY_BOTH and found.heavy >= SUMMARY_HEAVY and found.count >= SUMMARY_FEWEST
    return min(both / 2, 1.0) if is_alike else 0.0


def nearest(summaries: Sequence[Reading]) -> list[tuple[int, int, float]]:
    """Return the pairs of summaries that resemble one another, and of which neither has a nearer one; best first."""
    weights = weights_of([summary.bag for summary in summaries])
    bags = [summary.bag | rows(summary.bag) for summary in summaries]
    found = [
        (resembles(summaries[first], summaries[second], weights), first, second)
        for first, second in candidates(bags, weights_of(bags), GLANCE)
    ]
    best: dict[int, float] = {}
    for score, *pair in found:
        for place in pair:
            best[place] = max(best.get(place, 0.0), score)
    return [
        (first, second, score)
        for score, first, second in sorted(found, key=lambda each: (-each[0], each[1:]))
        if score and score == best[first] == best[second]
    ]


def _is_barred(one: Reading, other: Reading, near: Kin) -> bool:
    """Tell whether anything but a want of common words keeps two readings apart."""
    if one.is_plan != other.is_plan or one.is_opinion != other.is_opinion or one.is_correction != other.is_correction:
        return True
    if one.is_past != other.is_past or is_limited(one, other) or _states_else(one, other):
        return True
    if keeps_other_rhythm(one, other):
        return True
    if len(one.bag ^ other.bag) <= ALIKE_BUT and (traded(one, other) or traded_parts(one, other)):
        return True
    if other_scope(one, other) or other_thing(one, other) or changed_places(one, other):
        return True
    if one.literals and other.literals and not one.literals & other.literals and not example(one, other):
        return True
    if _ARROW.search(one.text) or _ARROW.search(other.text):
        return True
    found = differences(one, other)
    if found.values or found.opposite or _names_differ(found.names, near):
        return True
    if belongings(one, other) or any(_is_another(*pair, near) for pair in edited(one, other)):
        return True
    odd = substituted(one, other)
    return odd is not None and not _is_same_place(odd, one, other, near)


def _states_else(one: Reading, other: Reading) -> bool:
    """Tell whether each of two texts states amounts, dates aside, and none of them stands in the other."""
    near, far = ({value.amount for value in each.values if value.dimension != "date"} for each in (one, other))
    return bool(near and far) and near.isdisjoint(far)


def _is_another(mine: str, theirs: str, near: Kin) -> bool:
    """Tell whether a word that stands in the place of another says something else."""
    return not {mine, theirs} <= STOP_STEMS and not are_spelled_alike(mine, theirs) and not near(mine, theirs)


def _formed(one: Reading, other: Reading) -> tuple[frozenset[str], frozenset[str], float]:
    """Return what two readings say with a pattern and its example as one word, and what that weighs as an anchor."""
    found = example(one, other)
    if found is None:
        return one.bag, other.bag, 0.0
    mine, theirs = (frozenset(parts(literal)) for literal in found)
    return one.bag - mine | {_SAME_FORM}, other.bag - theirs | {_SAME_FORM}, FORM


def example(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return a piece of code of each text of which one is made after the other: ``T-12`` after ``T-<number>``."""
    for mine in sorted(one.literals):
        for theirs in sorted(other.literals):
            for pattern, literal in ((mine, theirs), (theirs, mine)):
                form = _form(pattern)
                if form is not None and form.fullmatch(literal):
                    return mine, theirs
    return None


@lru_cache(maxsize=1_024)
def _form(pattern: str) -> re.Pattern[str] | None:
    """Return what is made after a piece of code with gaps in it, None for one without."""
    pieces = _GAP.split(pattern)
    if len(pieces) < 2 or len(pattern) > _LONGEST_FORM or not any(char.isalnum() for char in "".join(pieces)):
        return None
    return re.compile(r"[\w.]+".join(map(re.escape, pieces)))


def _names_differ(names: tuple[frozenset[str], frozenset[str]], near: Kin) -> bool:
    mine, theirs = names
    return bool(mine and theirs) and not any(near(key, far) for key in mine for far in theirs)


def _is_same_place(odd: tuple[str, str], one: Reading, other: Reading, near: Kin) -> bool:
    """Tell whether two words that stand at one place are near in meaning, or merely stand elsewhere as well."""
    mine, theirs = (frozenset(words.split()) for words in odd)
    if not _beyond(mine, other.bag) or not _beyond(theirs, one.bag):
        return True
    return any(near(key, far) for key in mine for far in theirs)


def _beyond(keys: frozenset[str], bag: frozenset[str]) -> frozenset[str]:
    """Return the keys that a text does not say; a pair of characters is said where both of them are."""
    return frozenset(key for key in keys if key not in bag and not (_PAIR.fullmatch(key) and set(key) <= bag))


def _agree_on_denial(one: Reading, other: Reading, weights: Weights, near: Kin) -> bool:
    """Tell whether no part of a sentence denies what a part of the other text says; not of texts of too many parts."""
    mine, theirs = _parts(one.tokens), _parts(other.tokens)
    if len(mine) * len(theirs) > MEETINGS:
        return False
    return not (_is_said(mine, theirs, weights, near) or _is_said(theirs, mine, weights, near))


Part = tuple[frozenset[str], bool | None]
"""The words of a part of a sentence, and whether it denies them; None where it runs into a denial."""


def _is_said(denying: Sequence[Part], saying: Sequence[Part], weights: Weights, near: Kin) -> bool:
    for bag, denies in denying:
        if not denies:
            continue
        whole = weights.whole(bag)
        met = [(closeness(bag, other, weights, near).weight / whole, other_denies) for other, other_denies in saying]
        best = max((share for share, _ in met), default=0.0)
        if best >= MEETS and not any(share >= MEETS and is_denied is not False for share, is_denied in met):
            return True
    return False


@lru_cache(maxsize=8_192)
def _parts(tokens: tuple[Token, ...]) -> tuple[Part, ...]:
    """Cut a text where a sentence pauses, joins or begins to deny."""
    pieces: list[Part] = []
    run: list[Token] = []
    is_denied = False
    before = ""
    for token in (*tokens, _END):
        low = token.raw.casefold().replace("'", "")
        begins_denial = token.sort is Sort.WORD and (low in _DENYING or (before, low) in DENYING_PAIRS)
        if begins_denial or token.sort is Sort.SIGN or low in _JOINING:
            bag = frozenset(content(run))
            if bag:
                says = is_denied or _ends_in_denial(run)
                pieces.append((bag, None if begins_denial and not says else says))
            run, is_denied = [], begins_denial or (is_denied and not bag and token.sort is not Sort.SIGN)
        else:
            run.append(token)
        before = low
    return tuple(pieces)


def forget_texts() -> None:
    """Let go of the texts that were read: each is read several times in a dream, and seldom in the next."""
    for kept in (_parts, scan, normal):
        kept.cache_clear()


def _ends_in_denial(run: Sequence[Token]) -> bool:
    """Tell whether a part of a sentence denies what stands before, or whether its characters deny."""
    if any(token.sort is Sort.WORD and token.raw.casefold() in _DENYING_AFTER for token in run):
        return True
    characters = "".join(
        token.raw[-1] if place and run[place - 1].sort is Sort.CJK else token.raw
        for place, token in enumerate(run)
        if token.sort is Sort.CJK
    )
    return any(mark in characters for mark in CJK_NEGATIONS)
