"""Whether literals still occur anywhere in a folder, looked up for all of them in one pass over its bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

_TOKEN = re.compile(rb"[0-9]+|[a-z_][a-z0-9_]*")
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")
_DIGITS = frozenset(b"0123456789")
TRIES = 10_000
"""Most places of one text that are looked at for one literal."""

_ISO_DATE = re.compile(rb"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(slots=True)
class Sought:
    """A literal that is looked for, and who wants to know."""

    literal: str
    instead: Mapping[str, bytes] = field(default_factory=dict)
    """Path to what is searched there instead of its bytes."""
    is_found: bool = False
    needle: bytes = field(init=False)

    def __post_init__(self) -> None:
        self.needle = self.literal.encode("utf-8", "replace").lower()


class Hunt:
    """A set of literals that shrinks as texts are looked through. Letters A to Z count without their case."""

    def __init__(self, sought: Iterable[Sought]) -> None:
        self._by_token: dict[bytes, list[Sought]] = {}
        self._tokenless: list[Sought] = []
        for each in sought:
            token = max(_TOKEN.findall(each.needle), key=len, default=None)
            if token is None:
                self._tokenless.append(each)
            else:
                self._by_token.setdefault(token, []).append(each)

    @property
    def is_over(self) -> bool:
        """Whether everything was found."""
        return not self._by_token and not self._tokenless

    def search(self, path: str, data: bytes) -> None:
        """Look through the bytes of one file."""
        if self.is_over:
            return
        low = data.lower()
        here = self._by_token.keys() & set(_TOKEN.findall(low))
        for token in here:
            left = self._left(self._by_token[token], path, low)
            if left:
                self._by_token[token] = left
            else:
                del self._by_token[token]
        self._tokenless = self._left(self._tokenless, path, low)

    def _left(self, sought: list[Sought], path: str, low: bytes) -> list[Sought]:
        left: list[Sought] = []
        for each in sought:
            other = each.instead.get(path)
            each.is_found = occurs(each.needle, low if other is None else other.lower())
            if not each.is_found:
                left.append(each)
        return left


def occurs(needle: bytes, text: bytes) -> bool:
    """Tell whether a text holds a needle as a whole: not inside a longer word, number or, if it is short, date.

    Both are in lower case already. After `TRIES` places inside something longer it counts as there.
    """
    at = text.find(needle)
    for _ in range(TRIES):
        if at < 0:
            return False
        if _stands_alone(needle, text, at):
            return True
        at = text.find(needle, at + 1)
    return True


def _stands_alone(needle: bytes, text: bytes, at: int) -> bool:
    end = at + len(needle)
    before, after = text[max(at - 2, 0) : at], text[end : end + 2]
    if needle[0] in _WORD and before and before[-1] in _WORD:
        return False
    if needle[-1] in _WORD and after and after[0] in _WORD and not _is_unit(needle, after):
        return False
    if needle[0] in _DIGITS and len(before) == 2 and before[1] in b".," and before[0] in _DIGITS:
        return False
    if needle[-1] in _DIGITS and len(after) == 2 and after[0] in b".," and after[1] in _DIGITS:
        return False
    return not (needle.isdigit() and len(needle) <= 2 and _in_date(text, at, end))


def _is_unit(needle: bytes, after: bytes) -> bool:
    """Tell whether what follows a number is a unit written onto it, as in 30s."""
    return needle[-1] in _DIGITS and after[0] not in _DIGITS and after[0] != ord("_")


def _in_date(text: bytes, at: int, end: int) -> bool:
    start = max(at - 8, 0)
    found = (match.span() for match in _ISO_DATE.finditer(text, start, end + 8))
    return any(first <= at and end <= last for first, last in found)
