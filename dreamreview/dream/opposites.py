"""Which words exclude one another: opposites, by a list or by their form, and words of which one can fit at a place."""

from __future__ import annotations

from dreamreview.dream.similarity import stem
from dreamreview.dream.words import ANTONYMS, GROUPS

_DENYING_PREFIXES = ("un", "in", "im", "ir", "non", "dis", "de", "mis")
_DENYING_SUFFIX = "less"
_HAVING_SUFFIXES = ("", "ful", "ed")
"""Endings of words that say the reverse of those with `_DENYING_SUFFIX`."""
_SHORTEST = 3
"""Letters of a word that has a form which denies it."""
_ANTONYM_ROOTS = frozenset(frozenset(stem(word) for word in pair) for pair in ANTONYMS)
_GROUP_ROOTS = tuple(frozenset(stem(word) for word in group) for group in GROUPS)
_EXCLUDED: dict[str, frozenset[str]] = {
    root: frozenset().union(*(group for group in (*_ANTONYM_ROOTS, *_GROUP_ROOTS) if root in group)) - {root}
    for root in frozenset().union(*_ANTONYM_ROOTS, *_GROUP_ROOTS)
}


def excluding(mine: frozenset[str], theirs: frozenset[str]) -> frozenset[tuple[str, str]]:
    """Return the pairs of stems, one of each side, that exclude one another: opposites, two colours, two databases."""
    pairs = {(near, far) for near in mine & _EXCLUDED.keys() for far in _EXCLUDED[near] & theirs}
    pairs |= {(near, far) for near in mine for far in _denying(near) & theirs}
    pairs |= {(near, far) for far in theirs for near in _denying(far) & mine}
    return frozenset(pairs)


def is_antonym(near: str, far: str) -> bool:
    """Tell whether two stems are plain opposites, by the list or by an ending or a beginning that denies."""
    return frozenset((near, far)) in _ANTONYM_ROOTS or far in _denying(near) or near in _denying(far)


def _denying(key: str) -> frozenset[str]:
    """Return the words that deny another by their form: unfold, shirtless, careless."""
    if len(key) < _SHORTEST:
        return frozenset()
    bare = next((key.removesuffix(ending) for ending in _HAVING_SUFFIXES[1:] if key.endswith(ending)), key)
    return frozenset((*(prefix + key for prefix in _DENYING_PREFIXES), bare + _DENYING_SUFFIX))
