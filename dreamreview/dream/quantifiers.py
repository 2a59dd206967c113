"""Whether one text speaks of all of a kind and another of some of it: "every shift", "early shifts"."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from dreamreview.dream.particles import ATTRIBUTES
from dreamreview.dream.similarity import Sort, stem
from dreamreview.dream.words import words

if TYPE_CHECKING:
    from dreamreview.dream.slots import Reading

_ALL = words("every each any all jede jeder jedes jeden alle каждый каждая каждое каждую все")
_ATTRIBUTES = frozenset(map(stem, ATTRIBUTES - words("new old last")))
"""Without words by which a text says when something came rather than which of them it is."""


def of_some(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return what one text says of all of and which of them the other speaks of, or None.

    What holds of all holds of some; yet the text that says only that much is about those alone.
    """
    for whole, part in ((one, other), (other, one)):
        for kind in sorted(_wholes(whole) & part.bag):
            which = {before for before, key in _pairs(part) if key == kind}
            if which and which <= _ATTRIBUTES - whole.bag:
                return (kind, min(which)) if whole is one else (min(which), kind)
    return None


def _wholes(reading: Reading) -> frozenset[str]:
    """Return of what a text says that it holds of all of them."""
    tokens = reading.tokens
    return frozenset(
        after.key
        for before, after in pairwise(tokens)
        if before.raw.casefold() in _ALL and after.sort is Sort.WORD and after.key in reading.bag
    )


def _pairs(reading: Reading) -> list[tuple[str, str]]:
    """Return each word with the one before it, "" where it stands first or behind a sign."""
    tokens = reading.tokens
    firsts = [("", tokens[0].key)] if tokens else []
    return firsts + [("" if near.sort is Sort.SIGN else near.key, far.key) for near, far in pairwise(tokens)]
