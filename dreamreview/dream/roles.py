"""Which texts speak of a relation that one name fills at a time: owns, leads, is called, lives in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.dream.cues import ACTIVITIES, EXCLUSIVE_ROLES
from dreamreview.dream.similarity import stem
from dreamreview.dream.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dreamreview.dream.similarity import Token
    from dreamreview.dream.slots import Reading

_ROOTS = frozenset(stem(word) for word in EXCLUSIVE_ROLES)
_POSSESSIVES = words("my your his her its our their one's")
_KINDS = words("owned live")
"""Words of relations that also say of what kind a thing is: an owned channel, a live map."""
_PLACES = words("by in at on near with under from")
"""Words behind which stands who or where: then such a word is a relation after all."""
_BEFORE_THINGS = _POSSESSIVES | words("a an the this that to into onto on in of for with from and or")


def fills_role(one: Reading, other: Reading) -> bool:
    """Tell whether both texts speak of the same such relation."""
    return bool(_roles(one) & _roles(other))


def _roles(reading: Reading) -> frozenset[str]:
    return frozenset(
        token.key
        for place, token in enumerate(reading.tokens)
        if token.key in _ROOTS and token.raw.casefold() not in ACTIVITIES and _relates(reading.tokens, place)
    )


def _relates(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a word says who or where, and not whose or of what kind a thing is: your own, an owned one."""
    low = tokens[place].raw.casefold()
    before = tokens[place - 1].raw.casefold() if place else ""
    after = tokens[place + 1].raw.casefold() if place + 1 < len(tokens) else ""
    if low == "own":
        return before not in _POSSESSIVES and not before.endswith("'s")
    return low not in _KINDS or after in _PLACES or before not in _BEFORE_THINGS
