"""How the local engine sees two texts on their own, without a store around them."""

from __future__ import annotations

from dataclasses import dataclass

from dreamreview.dream.claims import LONGEST
from dreamreview.dream.relation import MOVED, Kinship, compare


@dataclass(frozen=True, slots=True)
class Compared:
    """The verdict on two texts."""

    relation: str
    """``duplicate``, ``conflict`` or ``distinct``."""
    score: float
    """0 to 1: how sure it is that they are one fact, or about one matter."""
    reason: str


def compared(one: str, other: str) -> Compared:
    """Judge two texts as the engine judges two statements of a store.

    A text longer than a statement is compared as a whole only: the same, or distinct. Of two texts one of which says
    where something moved, both cannot hold; a plan and its fulfilment can.
    """
    if max(len(one), len(other)) > LONGEST:
        return _long(one, other)
    found = compare(one, other)
    relation = found.kinship
    if relation is Kinship.SUPERSEDE:
        relation = Kinship.CONFLICT if found.reason == MOVED else Kinship.DISTINCT
    return Compared(relation.value, min(max(found.score, 0.0), 1.0), found.reason)


def _long(one: str, other: str) -> Compared:
    if one.split() == other.split():
        return Compared(Kinship.DUPLICATE.value, 1.0, "the same words")
    return Compared(Kinship.DISTINCT.value, 0.0, f"too long for one statement (at most {LONGEST:,} characters)")
