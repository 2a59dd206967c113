"""What two texts say at the same places, within bounds: text made of a few words over and over is not aligned."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MEETINGS = 120_000
"""Pairs of equal words of two texts up to which they are aligned: several times what four thousand characters of any
language have, and a tenth of a second."""
LONGEST_WORD = 64
"""Letters of a word that is held against another letter by letter."""

Opcode = tuple[str, int, int, int, int]


def is_alignable(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two texts can be aligned in little time."""
    if len(one) * len(other) <= MEETINGS:
        return True
    there = Counter(other)
    return sum(count * there[word] for word, count in Counter(one).items()) <= MEETINGS


def opcodes(one: Sequence[str], other: Sequence[str]) -> Sequence[Opcode]:
    """Return how one text becomes the other, as `difflib` does; as a whole where they cannot be aligned."""
    if not is_alignable(one, other):
        return [("replace", 0, len(one), 0, len(other))]
    return SequenceMatcher(None, one, other, autojunk=False).get_opcodes()


def are_spelled_alike(near: str, far: str) -> bool:
    """Tell whether two words look like spellings or forms of one."""
    if near[:3] != far[:3] or max(len(near), len(far)) > LONGEST_WORD:
        return near == far
    return SequenceMatcher(None, near, far, autojunk=False).ratio() >= 0.85
