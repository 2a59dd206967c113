"""Which part of a text is quoted where there is room for a part alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from dreamreview.model.secrets import mask

ELLIPSIS = "…"
_LOOKED_AT = 600
"""Characters of a text that are held against another."""
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+|[^\w\s]")
_BESIDE, _OWN, _AMOUNT, _NAMED = 1, 4, 12, 200
"""What counts in an excerpt: words beside a difference, that differ, that do so and hold a digit, that are named."""


_LEAD = 4
"""Part of an excerpt that what stands before the difference may take up, where enough stands behind it."""


def excerpt(text: str, width: int) -> str:
    """Return the beginning of a text, on one line of at most `width` characters, masked."""
    return _part(_line(text), 0, width)


def differing(text: str, other: str, width: int, named: Iterable[str] = ()) -> str:
    """Return the part of a text in which it differs most from another, as `excerpt`; its beginning where that will do.

    What stands before and behind it is elided, so that two long texts that begin alike do not read alike.

    Args:
        text: what is quoted.
        other: what it is told apart from.
        width: characters of the excerpt at most.
        named: words of the text that are known to make the difference.
    """
    line = _line(text)
    if len(line) <= width:
        return line
    words = list(_WORD.finditer(line[:_LOOKED_AT]))
    wanted = frozenset(word.casefold() for each in named for word in _WORD.findall(each))
    counts = _counts([match[0] for match in words], _WORD.findall(_line(other)[:_LOOKED_AT]), wanted)
    telling = [(match.start(), match.end(), count) for match, count in zip(words, counts, strict=True) if count]

    def held(start: int) -> int:
        stop = start + width - (2 if start else 1)
        return sum(count for first, last, count in telling if start <= first and last <= stop)

    counted = {start: held(start) for start in (0, *(match.start() for match in words))}
    most = max(counted.values())
    best = [start for start, count in counted.items() if count == most]
    first = next((first for first, _, _ in telling if first >= best[0]), 0)
    return _part(line, _placed(best, first - width // _LEAD, len(line) - width + 1), width)


def _placed(starts: Sequence[int], near: int, full: int) -> int:
    """Return which of the starts an excerpt takes: the first of the line if it is among them, else one near `near`.

    From `full` on nothing is left out behind the excerpt: further on, room would be left unused.
    """
    if not starts[0] or near < starts[0]:
        return starts[0]
    to_the_end = [start for start in starts if start >= full]
    if near >= full and to_the_end:
        return to_the_end[0]
    return max((start for start in starts if start <= near), default=starts[0])


def _line(text: str) -> str:
    return " ".join(mask(text).split())


def _counts(words: Sequence[str], others: Sequence[str], named: frozenset[str]) -> list[int]:
    """Return of each word what it tells of the difference to other words, 0 for one that stands there too."""
    counts = [_NAMED if word.casefold() in named else 0 for word in words]
    mine, theirs = ([word.casefold() for word in several] for several in (words, others))
    for change, first, last, _, _ in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if change == "equal":
            continue
        for place in range(max(first - 1, 0), min(last + 1, len(words))):
            is_own = first <= place < last
            own = _AMOUNT if any(map(str.isdigit, words[place])) else _OWN
            counts[place] = max(counts[place], own if is_own else _BESIDE)
    return counts


def _part(line: str, start: int, width: int) -> str:
    """Return what fits of a line from a place on, with a mark where something is left out."""
    rest = (ELLIPSIS if start else "") + line[start:]
    return rest if len(rest) <= width else rest[: width - 1].rstrip() + ELLIPSIS
