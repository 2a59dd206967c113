"""Who does what to whom: whether two texts in the same words give the doer and the done-to each other's part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.dream.denying import is_participle
from dreamreview.dream.particles import DIRECTIONS
from dreamreview.dream.similarity import STOP_STEMS, Sort
from dreamreview.dream.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dreamreview.dream.similarity import Token
    from dreamreview.dream.slots import Reading

_BEING = words("is are was were be been being gets got get am")
_POINTING = words(
    "a an the this that these those my your his her its our their every each any some no all both another one"
)
_LEADING = words(
    "of to in on at by for from with into onto upon about over under before after during through per via as behind"
    " within between among against toward towards across along without off"
)
"""Words behind which no verb stands."""


@dataclass(frozen=True, slots=True)
class _Passive:
    """What is done, and who does it: "is read by the clerk"."""

    deed: str
    doers: frozenset[str]


def traded_parts(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return the doer in one text and in the other where these have traded places round what is done, or None.

    Only texts that say nothing of their own beside one another are looked at, and only what is plainly a verb counts:
    in doubt nothing was traded.
    """
    if not (one.bag <= other.bag or other.bag <= one.bag):
        return None
    mine, theirs = _passive(one), _passive(other)
    if mine and theirs:
        is_other = mine.deed == theirs.deed and mine.doers.isdisjoint(theirs.doers)
        return (min(mine.doers), min(theirs.doers)) if is_other else None
    if mine or theirs:
        passive, active = (mine, other) if mine else (theirs, one)
        return _done_to(passive, active) if passive else None
    return _crossed(one, other)


def _passive(reading: Reading) -> _Passive | None:
    tokens = [token for token in reading.tokens if token.sort is Sort.WORD]
    for place, token in enumerate(tokens):
        if token.raw.casefold() != "by" or not place:
            continue
        before = tokens[:place]
        being = max((at for at, each in enumerate(before) if each.raw.casefold() in _BEING), default=None)
        deed = next((each.key for each in before[(being or 0) + 1 :] if _is_deed(each)), None)
        doers = frozenset(_phrase(tokens[place + 1 :]))
        if being is not None and deed and doers:
            return _Passive(deed, doers)
    return None


def is_passive(reading: Reading) -> bool:
    """Tell whether a text says what is done and not who does it first: "is read", "must never be read", "read by"."""
    lows = [token.raw.casefold() for token in reading.tokens if token.sort is Sort.WORD]
    return "by" in lows or any(
        low in _BEING and any(is_participle(after) for after in lows[place + 1 : place + 3])
        for place, low in enumerate(lows)
    )


def _is_deed(token: Token) -> bool:
    low = token.raw.casefold()
    return low not in STOP_STEMS and not low.endswith(("ly", "ing"))


def _phrase(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield what the first thing is called that tokens speak of."""
    for token in tokens:
        low = token.raw.casefold()
        if low in _POINTING:
            continue
        if low in STOP_STEMS:
            return
        yield token.key


def _done_to(passive: _Passive, active: Reading) -> tuple[str, str] | None:
    """Return the doers where an active text has them behind the deed: to whom it is done there."""
    keys = active.keys
    if passive.deed not in keys or not passive.doers <= set(keys):
        return None
    deed = keys.index(passive.deed)
    first = min(keys.index(key) for key in passive.doers)
    return (min(passive.doers), keys[0]) if 0 < deed < first else None


def _crossed(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return two words that have changed sides of a verb, or of a word of direction, that both texts hold, or None."""
    mine, theirs = _said(one), _said(other)
    is_turned = is_passive(one) != is_passive(other) or _opens_with_place(one) != _opens_with_place(other)
    if mine == theirs or is_turned:
        return None
    for pivot in sorted(_pivots(one) & _pivots(other) & set(mine) & set(theirs)):
        before, after = _sides(mine, pivot)
        then_before, then_after = _sides(theirs, pivot)
        gone, come = (before - after) & (then_after - then_before), (after - before) & (then_before - then_after)
        if gone and come:
            return min(gone), min(come)
    return None


def _opens_with_place(reading: Reading) -> bool:
    """Tell whether a text says first where or when something is, whose doer then may stand behind what is done."""
    return reading.plain[:1] != () and reading.plain[0] in _LEADING


def _said(reading: Reading) -> tuple[str, ...]:
    """Return what a text says in order, with its words of direction, and the letters by which things are named."""
    tokens = [token for token in reading.tokens if token.sort is not Sort.SIGN]
    return tuple(
        token.raw if _is_letter(before, token) else token.key
        for before, token in zip((None, *tokens), tokens, strict=False)
        if token.key not in STOP_STEMS or token.key in DIRECTIONS or _is_letter(before, token)
    )


def _is_letter(before: Token | None, token: Token) -> bool:
    """Tell whether a token is the letter that names one of many: service A."""
    is_one = len(token.raw) == 1 and token.raw.isupper() and token.raw.isascii()
    return is_one and before is not None and before.key not in STOP_STEMS


def _sides(said: Sequence[str], pivot: str) -> tuple[frozenset[str], frozenset[str]]:
    place = said.index(pivot)
    return frozenset(said[:place]) - DIRECTIONS, frozenset(said[place + 1 :]) - DIRECTIONS


def _pivots(reading: Reading) -> frozenset[str]:
    """Return the words round which the rest of a text stands: directions, and what is plainly a verb.

    That is a word that something follows which it is about, and that nothing points or leads to.
    """
    found = set()
    tokens = reading.tokens
    for place in range(1, len(tokens) - 1):
        before, token, after = tokens[place - 1 : place + 2]
        if token.sort is not Sort.WORD or reading.plain.count(token.key) != 1:
            continue
        led, low, follows = (each.raw.casefold() for each in (before, token, after))
        is_led = (
            before.sort is Sort.SIGN
            or (led in _POINTING and not before.raw.isupper())
            or led in _LEADING
            or led.endswith("'s")
        )
        is_about = after.raw[0].isupper() or follows in _POINTING or follows in _LEADING
        is_verb = low not in STOP_STEMS and not token.raw[0].isupper() and not is_led
        if low in DIRECTIONS or (is_verb and (is_about or _names_one(tokens, place + 1))):
            found.add(token.key)
    return frozenset(found)


def _names_one(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a thing and its letter stand somewhere: service B."""
    return place + 1 < len(tokens) and _is_letter(tokens[place], tokens[place + 1])
