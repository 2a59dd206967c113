"""Who does what to whom: whether two texts in the same words give the doer and the done-to each other's part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.dream.denying import is_participle
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
    """Return two words that have changed sides of a verb that both texts hold, or None."""
    if one.keys == other.keys:
        return None
    for deed in sorted(_verbs(one) & _verbs(other)):
        before, after = _sides(one.keys, deed)
        then_before, then_after = _sides(other.keys, deed)
        gone, come = before & then_after, after & then_before
        if gone and come:
            return min(gone), min(come)
    return None


def _sides(keys: Sequence[str], deed: str) -> tuple[frozenset[str], frozenset[str]]:
    place = keys.index(deed)
    return frozenset(keys[:place]), frozenset(keys[place + 1 :])


def _verbs(reading: Reading) -> frozenset[str]:
    """Return the words that are plainly verbs: what they are about follows, and nothing points or leads to them."""
    found = set()
    tokens = reading.tokens
    for place in range(1, len(tokens) - 1):
        before, token, after = tokens[place - 1 : place + 2]
        if token.sort is not Sort.WORD or token.raw[0].isupper() or token.raw.casefold() in STOP_STEMS:
            continue
        led = before.raw.casefold()
        is_led = before.sort is Sort.SIGN or led in _POINTING or led in _LEADING or led.endswith("'s")
        is_followed = after.sort is Sort.WORD and (after.raw[0].isupper() or after.raw.casefold() in _POINTING)
        if not is_led and is_followed and reading.keys.count(token.key) == 1:
            found.add(token.key)
    return frozenset(found)
