"""What a text denies: how far its words of denial reach."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from dreamreview.dream.cues import (
    AFTER_NEGATIONS,
    CJK_NEGATIONS,
    CLAUSE_WORDS,
    DENYING_PAIRS,
    NEGATIONS,
    PASSED,
)
from dreamreview.dream.irregular_forms import IRREGULAR
from dreamreview.dream.similarity import Sort, Token, content, scan
from dreamreview.dream.words import words

REACH = 4
"""Content words that a denial covers when nothing ends it sooner."""
_ENDS = CLAUSE_WORDS | words("in on at of to for with from by into onto through within is are was were be will")
_POINTING = words("it them this that these those him her")
_WITHOUT = words("without ohne без sans sin")
_BEING = words("is are was were been be being got get switched turned")
_NO_DENIALS = re.compile(
    "不适|不同|不足|不断|不仅|不但|不过|不错|不管|不论|不良|不锈|不久|不安|不满|不利|无线|无论|无数|无限|未来|未必|差不多"
    "|[特区级类个识差性告辨判]别|别人|别墅|别名|別人|特別|区別|種別|識別"
)
"""Words of which a character that denies is a part and denies nothing."""
_DENYING = NEGATIONS | AFTER_NEGATIONS | PASSED | {first for first, _ in DENYING_PAIRS}
"""Words without any of which a text denies nothing."""


@dataclass(frozen=True, slots=True)
class Denials:
    """What a text denies, as stems."""

    only: frozenset[str] = frozenset()
    """What it denies wherever it speaks of it: up to the next preposition or verb of being."""
    touched: frozenset[str] = frozenset()
    """What it denies at least once, as far."""
    reach: frozenset[str] = frozenset()
    """All in the whole reach of its denials."""
    patients: frozenset[str] = frozenset()
    """To what it denies that something is done, where that stands before: the letter is never opened."""


def read_denials(tokens: Sequence[Token], said: frozenset[str], keys: Sequence[str]) -> Denials:
    """Read what a text denies.

    Args:
        tokens: the text.
        said: its words, case folded.
        keys: what it says.
    """
    if _DENYING.isdisjoint(word.replace("'", "") for word in said):
        return Denials()
    reach = frozenset(_denied(tokens, CLAUSE_WORDS))
    return Denials(_only_denied(tokens, keys), frozenset(_denied(tokens, _ENDS)), reach, frozenset(_patients(tokens)))


def _patients(tokens: Sequence[Token]) -> Iterable[str]:
    for place, token in enumerate(tokens):
        if token.raw.casefold().replace("'", "") in NEGATIONS and _is_done(tokens, place):
            yield from islice(_reach(tuple(reversed(tokens[:place])), frozenset()), 1)


def lifted(tokens: Sequence[Token]) -> frozenset[int]:
    """Return the places of denials that lift one another: never open it without asking."""
    found: set[int] = set()
    first: int | None = None
    for place, token in enumerate(tokens):
        low = token.raw.casefold().replace("'", "")
        if token.sort is Sort.SIGN:
            first = None
        elif low in _WITHOUT and first is not None:
            found |= {first, place}
        elif low in NEGATIONS and low not in _WITHOUT and first is None:
            first = place
    return frozenset(found)


def _denied(tokens: Sequence[Token], ends: frozenset[str]) -> Iterable[str]:
    idle = lifted(tokens)
    for place, token in enumerate(tokens):
        low = token.raw.casefold().replace("'", "")
        if token.sort is not Sort.WORD or place in idle:
            continue
        before = tokens[place - 1].raw.casefold() if place else ""
        if low in NEGATIONS or (before, low) in DENYING_PAIRS:
            is_end = low == "no" and [token.raw.casefold() for token in tokens[place + 1 : place + 2]] == ["longer"]
            yield from _reach(tokens[place + 1 + is_end :], ends)
            if low in ("nobody", "none", "nothing") and before == "by":
                yield from _reach(tuple(reversed(tokens[: place - 1])), ends)
        if low in AFTER_NEGATIONS or (low in PASSED and before in _BEING):
            yield from _reach(tuple(reversed(tokens[:place])), CLAUSE_WORDS)


def is_participle(low: str) -> bool:
    """Tell whether a lower-case word may say what is done to something: opened, sent."""
    return low.endswith("ed") or IRREGULAR.get(low, low) != low


def _is_done(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a denial stands in words of what is done to something: is never opened, must not be sent."""
    before, after, then = (
        tokens[at].raw.casefold() if 0 <= at < len(tokens) else "" for at in (place - 1, place + 1, place + 2)
    )
    return (before in _BEING and is_participle(after)) or (after in _BEING and is_participle(then))


def _reach(tokens: Sequence[Token], ends: frozenset[str]) -> Iterable[str]:
    """Yield the stems that a denial covers: up to a sign, to a word of `ends`, or to `REACH` of them."""
    count = 0
    for token in tokens:
        low = token.raw.casefold()
        if (
            token.sort is Sort.SIGN
            or low in CLAUSE_WORDS
            or (low in ends and count)
            or (low in _POINTING and not count)
        ):
            return
        for key in content((token,)):
            count += 1
            yield key
        if count >= REACH:
            return


def _only_denied(tokens: Sequence[Token], keys: Sequence[str]) -> frozenset[str]:
    """Return the stems that are denied wherever the text speaks of them."""
    denied = Counter(_denied(tokens, _ENDS))
    if not denied:
        return frozenset()
    said = Counter(keys)
    return frozenset(key for key, count in denied.items() if count >= said[key])


def denied_in_cjk(low: str) -> frozenset[str]:
    """Return what a case-folded text in a script without blanks denies."""
    denied: set[str] = set()
    idle = {place for match in _NO_DENIALS.finditer(low) for place in range(*match.span())}
    for mark in CJK_NEGATIONS:
        for match in re.finditer(re.escape(mark), low):
            if match.start() in idle:
                continue
            rest = re.match(r"[^\s，。；：、,.;:!?！？]{1,6}", low[match.end() :])
            if rest:
                denied.update(content(scan(rest[0])))
    return frozenset(denied)
