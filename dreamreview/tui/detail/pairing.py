"""Which old line of an edit is compared with which new line: index entries by their target, others by likeness."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from dreamreview.tui.detail.words import likeness

PAIRING_LIMIT = 400
"""Pairs of old and new lines up to which the most alike are looked for."""
LIKENESS_FLOOR = 0.3
"""Share of words in common from which two lines are compared word by word."""
ENTRY_LIMIT = 1_000
"""Bytes of a line up to which it is looked at as an index entry."""


def entry_target(line: bytes) -> str | None:
    """Return what a line that starts with a link points to; None for any other line."""
    if len(line) > ENTRY_LIMIT or b"[" not in line:
        return None
    from dreamreview.model.links import find_spans
    from dreamreview.model.memory import LinkForm

    text = line.decode("utf-8", "replace")
    first = next(iter(find_spans(text)), None)
    if first is None or first.form not in (LinkForm.MARKDOWN, LinkForm.WIKI):
        return None
    return None if any(char.isalpha() for char in text[: first.start]) else first.target


def pairing(old: Sequence[bytes], new: Sequence[bytes]) -> dict[int, int]:
    """Return which old line is compared with which new line, both 0-based."""
    pairs = dict(_by_target(old, new))
    taken = set(pairs.values())
    before = [place for place in range(len(old)) if place not in pairs]
    after = [place for place in range(len(new)) if place not in taken]
    if len(before) * len(after) <= PAIRING_LIMIT and not _is_in_step(old, new, before, after):
        alike = dict(_by_likeness(old, new, before, after))
        taken = set(alike.values())
        pairs |= alike
        before = [place for place in before if place not in alike]
        after = [place for place in after if place not in taken]
    if len(before) == len(after):
        pairs |= dict(zip(before, after, strict=True))
    return pairs


def _by_target(old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    waiting: dict[str, list[int]] = {}
    for place, line in enumerate(new):
        target = entry_target(line)
        if target is not None:
            waiting.setdefault(target, []).append(place)
    for place, line in enumerate(old) if waiting else ():
        target = entry_target(line)
        if target is not None and waiting.get(target):
            yield place, waiting[target].pop(0)


def _is_in_step(old: Sequence[bytes], new: Sequence[bytes], before: Sequence[int], after: Sequence[int]) -> bool:
    """Tell whether lines that stand at the same place are versions of one another."""
    return len(before) == len(after) and all(
        likeness(_said(old[i]), _said(new[j])) >= LIKENESS_FLOOR for i, j in zip(before, after, strict=True)
    )


def _by_likeness(
    old: Sequence[bytes], new: Sequence[bytes], before: Sequence[int], after: Sequence[int]
) -> Iterator[tuple[int, int]]:
    one = {place: _said(old[place]) for place in before}
    two = {place: _said(new[place]) for place in after}
    scored = sorted((-likeness(one[i], two[j]), i, j) for i in before for j in after)
    used_old: set[int] = set()
    used_new: set[int] = set()
    for unlike, i, j in scored:
        if -unlike >= LIKENESS_FLOOR and i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            yield i, j


def _said(line: bytes) -> str:
    return line.decode("utf-8", "replace")


def aligned(old: int, new: int, pairs: Mapping[int, int]) -> Iterator[tuple[int | None, int | None]]:
    """Yield the rows of two columns of so many lines: pairs that stand in order share a row, order is kept on each."""
    reach_old = reach_new = 0
    for i, j in _in_order(pairs):
        yield from zip_longest(range(reach_old, i), range(reach_new, j))
        yield i, j
        reach_old, reach_new = i + 1, j + 1
    yield from zip_longest(range(reach_old, old), range(reach_new, new))


def _in_order(pairs: Mapping[int, int]) -> list[tuple[int, int]]:
    """Return a longest run of pairs that do not cross."""
    ends: list[int] = []
    chains: list[tuple[int, int, int | None]] = []
    """Each pair with the place of the one before it."""
    last: list[int] = []
    for i in sorted(pairs):
        j = pairs[i]
        size = bisect_left(ends, j)
        chains.append((i, j, last[size - 1] if size else None))
        ends[size : size + 1] = [j]
        last[size : size + 1] = [len(chains) - 1]
    run: list[tuple[int, int]] = []
    at = last[-1] if last else None
    while at is not None:
        i, j, at = chains[at]
        run.append((i, j))
    return run[::-1]
