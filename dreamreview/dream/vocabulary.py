"""What the words of a whole folder weigh and which are names, learnt in one cheap pass and without parsing it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from operator import add
from typing import TYPE_CHECKING

from dreamreview.dream.similarity import CJK, STOP_STEMS, cjk_normal, stem, weight_of
from dreamreview.dream.words import CJK_STOP_CHARS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

SMALL = 31
"""Whole numbers up to which two texts share them by chance: days, hours, list numbers."""
_PARTING = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) != "\n"}
_NO_WORD = re.compile(r"[^\w\n]+|_+")
_NO_CJK_WORD = re.compile(rf"(?:[^\w\n]|_|[{''.join(CJK_STOP_CHARS)}])+")
_CJK_RUN = re.compile(f"[{CJK}]+")
_UPPER = "A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩЀ-Я"
_INSIDE = re.compile(rf"[{_UPPER}](?:(?<=[\w,)] .)|(?<=[\w,)] [*\"'_].)|(?<=[\w,)] \*\*.))[^\W\d_]*")
"""A capitalised word that something stands before which ends no sentence."""
_NOTHING = frozenset(("",))


def cut(text: str) -> str:
    """Return a text as words with blanks between, on the lines they stand on; scripts without blanks by pairs."""
    if text.isascii():
        return text.translate(_PARTING)
    text = unicodedata.normalize("NFKC", text)
    if _CJK_RUN.search(text):
        return _CJK_RUN.sub(_in_pairs, _NO_CJK_WORD.sub(" ", cjk_normal(text)))
    return _NO_WORD.sub(" ", text)


def _in_pairs(match: re.Match[str]) -> str:
    """Return characters as the pairs by which texts are compared; a lone one stands for itself."""
    run = match[0]
    return f" {' '.join(map(add, run, run[1:])) if len(run) > 1 else run} "


def _compared(word: str) -> str:
    """Return what a word is compared by; nothing for one that says nothing."""
    if word.isdecimal():
        return f"={word}" if len(word) > 2 or int(word) > SMALL else ""
    low = word.casefold()
    return "" if low in STOP_STEMS else stem(low)


class _Keys(dict[str, str]):
    """Word to what it is compared by, worked out once."""

    def __missing__(self, word: str) -> str:
        key = self[word] = _compared(word)
        return key


class Vocabulary:
    """The words of a folder: how often each stands there, and which are names."""

    def __init__(self) -> None:
        self._keys = _Keys()
        self._spelled: Counter[str] = Counter()
        self._inside: set[str] = set()
        self._characters: Counter[str] = Counter()
        """Of texts that are not plain ASCII: how often each stands there."""
        self._weights: dict[str, float] = {}
        self.lines = 0
        """Lines that say anything."""
        self.counts: Counter[str] = Counter()
        """How often each key stands in the folder, once that is `settle`d."""
        self.names: frozenset[str] = frozenset()
        """Words that are capitalised inside sentences and never written small, lower case; likewise."""

    def learn(self, text: str, apart: str, lines: int) -> frozenset[str]:
        """Count the words of one more file and return their keys.

        Args:
            text: the file.
            apart: the same, `cut`.
            lines: how many of its lines say anything.
        """
        self.lines += lines
        words = apart.split()
        self._spelled.update(words)
        self._inside.update(_INSIDE.findall(text))
        if not text.isascii():
            self._characters.update(text)
        return frozenset(map(self._keys.__getitem__, set(words)))

    def settle(self) -> None:
        """Take the forms of each word together; nothing may be learnt after that."""
        counts = self.counts
        for key, count in zip(map(self._keys.__getitem__, self._spelled), self._spelled.values(), strict=True):
            counts[key] += count
        lows = {word.casefold() for word in self._inside if word[0].isupper()}
        self.names = frozenset(low for low in lows - self._spelled.keys() - STOP_STEMS if len(low) > 1)
        self._spelled.clear()

    def keys(self, apart: str) -> frozenset[str]:
        """Return what a text is compared by that was `cut`."""
        return frozenset(map(self._keys.__getitem__, apart.split())) - _NOTHING

    def spellings(self, keys: Collection[str]) -> frozenset[str]:
        """Return all words of the folder that are compared by some keys."""
        return frozenset(word for word, key in self._keys.items() if key in keys)

    def weight(self, token: str) -> float:
        """Return how much a token tells here; one made of several words is as rare as its rarest."""
        found = self._weights.get(token)
        if found is None:
            count = self.counts[token] or self._characters[token]
            if not count:
                count = min((self.counts[key] for key in self.keys(cut(token))), default=0)
            found = self._weights[token] = weight_of(max(count, 1), self.lines)
        return found

    def total(self, keys: Iterable[str]) -> float:
        """Return the weight of several tokens together."""
        return sum(map(self.weight, keys))
