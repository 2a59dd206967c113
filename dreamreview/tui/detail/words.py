"""Which words of two versions of a line differ."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

Span = tuple[int, int]
"""Start and stop of a run of characters."""

PRODUCT_LIMIT = 250_000
"""Token pairs up to which two lines are compared word by word; difflib is quadratic beyond."""
SIMILARITY_FLOOR = 0.35
"""Share of kept characters below which two lines count as different lines, not as versions of one."""

_TOKEN = re.compile(r"\w+(?:[-./:]\w+)*\s*|[^\w\s]\s*|\s+")
"""A word (dates, versions, paths and times are one), a sign or a blank, with the blanks after it."""


def differing(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the spans of each text that the other lacks; none where they have too little in common."""
    one, two = _TOKEN.findall(old), _TOKEN.findall(new)
    bare_one, bare_two = [token.rstrip() for token in one], [token.rstrip() for token in two]
    if bare_one == bare_two:
        bare_one, bare_two = one, two
    head = _common(bare_one, bare_two)
    tail = _common(bare_one[head:][::-1], bare_two[head:][::-1])
    a, b = one[head : len(one) - tail], two[head : len(two) - tail]
    start_old, start_new = _length(one[:head]), _length(two[:head])
    if len(a) * len(b) > PRODUCT_LIMIT:
        return ((start_old, start_old + _length(a)),), ((start_new, start_new + _length(b)),)
    gone: list[Span] = []
    come: list[Span] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(
        None, bare_one[head : len(one) - tail], bare_two[head : len(two) - tail], autojunk=False
    ).get_opcodes():
        if tag != "equal":
            gone += _span(a, start_old, i1, i2)
            come += _span(b, start_new, j1, j2)
    lost, total = _covered(gone) + _covered(come), len(old) + len(new)
    if total and 1 - lost / total < SIMILARITY_FLOOR:
        return (), ()
    return tuple(gone), tuple(come)


def likeness(old: str, new: str) -> float:
    """Return the share of words that two lines have in common, 0 to 1; cheap, for pairing lines."""
    one, two = set(old.split()), set(new.split())
    return 2 * len(one & two) / (len(one) + len(two)) if one or two else 0.0


def _common(one: list[str], two: list[str]) -> int:
    size = 0
    for left, right in zip(one, two, strict=False):
        if left != right:
            break
        size += 1
    return size


def _length(tokens: list[str]) -> int:
    return sum(map(len, tokens))


def _span(tokens: list[str], start: int, first: int, stop: int) -> list[Span]:
    if first == stop:
        return []
    begin = start + _length(tokens[:first])
    return [(begin, begin + len("".join(tokens[first:stop]).rstrip()) or begin)]


def _covered(spans: list[Span]) -> int:
    return sum(stop - start for start, stop in spans)
