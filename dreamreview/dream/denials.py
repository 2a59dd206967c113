"""Whether one text denies what another says, all of it: "no dog barks" is at odds with "a puppy barks"."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from dreamreview.dream.kinds import is_akin, is_said, narrower
from dreamreview.dream.similarity import Sort, stem

if TYPE_CHECKING:
    from dreamreview.dream.slots import Reading

AT_LENGTH = 4
"""Words from which a denial may hold one that the other text does not speak of."""
WHOLE = 2
"""Words from which a text that the other one says as a whole is about the same subject: rope rather than wire."""
_PERSON = stem("person")


def is_denied(one: Reading, other: Reading) -> bool:
    """Tell whether either of two texts denies what the other says."""
    return denies(one, other) or denies(other, one)


def denies(denial: Reading, claim: Reading) -> bool:
    """Tell whether both cannot hold: all that the first denies is said by the second, of the same subject.

    What is denied of a kind is denied of all that is of it, not the other way: who plays no electric guitar may play
    the guitar.
    """
    denied = denial.reach - claim.reach - claim.patients
    said = claim.bag | frozenset(claim.plain)
    if denied.isdisjoint(said):
        return False
    missing = [key for key in denied if not is_said(key, said)]
    if missing and (len(missing) > 1 or len(denied) < AT_LENGTH or _narrows(missing[0], denial, claim)):
        return False
    if claim.bag <= denial.bag and len(claim.bag) >= WHOLE:
        return True
    return all(is_said(key, said) or any(is_akin(key, other) for other in said) for key in _subject(denial))


def _narrows(key: str, denial: Reading, claim: Reading) -> bool:
    """Tell whether a word says which of a kind is meant: somebody, or what stands right before a thing spoken of."""
    if key in narrower(_PERSON):
        return True
    words = [token for token in denial.tokens if token.sort is Sort.WORD]
    return any(
        word.key == key and after.key in claim.bag and not word.raw.endswith("ing") and not after.raw.endswith("ing")
        for word, after in pairwise(words)
    )


def _subject(denial: Reading) -> frozenset[str]:
    """Return what a text says before its first denial: of whom or what something is denied."""
    keys = denial.keys
    first = next((place for place, key in enumerate(keys) if key in denial.reach), len(keys))
    return frozenset(keys[:first]) - denial.reach
