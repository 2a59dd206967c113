"""How the lines of one file are kept apart by the card that wrote them, however often they are edited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from dreamreview.model.edits import Edit, Text, overlap

WIDEST = 400
"""Lines of a replaced block up to which unchanged lines inside it are looked for."""

ByCard = Mapping[int, tuple[Edit, ...]]
"""Number of a card to its edits, all spoken against the base."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file as it stands in the working copy."""

    data: bytes
    base: int | None
    """Its place in the base, 0-based; None for one that a card wrote."""
    card: int = 0
    """The card that wrote it, 0 for a line of the base."""


class ForeignLineError(Exception):
    """An edit would touch what another card wrote or took away; the argument is that card's number."""


def weave(base: Text, by_card: ByCard) -> tuple[Line, ...]:
    """Return a file with the edits of all cards made; at one gap the lines of an earlier card stand first."""
    placed = sorted(
        ((edit, card) for card, edits in by_card.items() for edit in edits),
        key=lambda pair: (pair[0].start, pair[0].stop, pair[1]),
    )
    lines: list[Line] = []
    reach = 0
    for edit, card in placed:
        lines += (Line(base[number], number) for number in range(reach, edit.start))
        lines += (Line(data, None, card) for data in edit.new)
        reach = edit.stop
    lines += (Line(base[number], number) for number in range(reach, len(base)))
    return tuple(lines)


def rewritten(base: Text, by_card: ByCard, card: int, span: tuple[int, int], new: Text) -> tuple[Edit, ...]:
    """Return all edits of a card once it has put other lines in the place of some.

    Args:
        base: the file before the dream.
        by_card: what was edited so far, by this card too.
        card: the card that edits.
        span: lines ``[start, stop)`` of the file as it stands now.
        new: what stands there afterwards.

    Raises:
        ForeignLineError: lines of another card are among those, or around the place.
    """
    lines = weave(base, by_card)
    start, stop = span
    for line in lines[start:stop]:
        if line.card not in {0, card}:
            raise ForeignLineError(line.card)
    block = _matched(lines[start:stop], new, card)
    wanted = (*lines[:start], *block, *lines[stop:])
    others = {number: edits for number, edits in by_card.items() if number != card}
    for is_late in (False, True):
        own = _edits(base, wanted, card, others, is_late=is_late)
        if _is_sound(base, {**others, card: own}, own, wanted):
            return own
    around = [line.card for line in (*lines[max(start - 1, 0) : stop + 1],) if line.card not in {0, card}]
    raise ForeignLineError(next(iter(around), _taker(others, lines, start)))


def _matched(old: Sequence[Line], new: Text, card: int) -> list[Line]:
    """Return new lines as lines of a card, but for those that stood there before: they stay what they were."""
    if max(len(old), len(new)) > WIDEST:
        return [Line(data, None, card) for data in new]
    from difflib import SequenceMatcher

    found: list[Line] = []
    matcher = SequenceMatcher(None, [line.data for line in old], list(new), autojunk=False)
    for tag, first, last, to_first, to_last in matcher.get_opcodes():
        found += old[first:last] if tag == "equal" else (Line(data, None, card) for data in new[to_first:to_last])
    return found


def _edits(base: Text, wanted: Sequence[Line], card: int, others: ByCard, *, is_late: bool) -> tuple[Edit, ...]:
    """Return the edits of one card that lead to the wanted lines; where a gap leaves a choice, `is_late` decides."""
    theirs = {number for edits in others.values() for edit in edits for number in range(edit.start, edit.stop)}
    edits: list[Edit] = []
    for low, high, runs in _gaps(base, wanted, card):
        taken = _segments(number for number in range(low, high) if number not in theirs)
        for run in runs:
            if taken:
                first, last = taken.pop(0)
            else:
                first = last = high if is_late else (edits[-1].stop if edits and edits[-1].start >= low else low)
            edits.append(Edit(first, last, run))
        edits += (Edit(first, last, ()) for first, last in taken)
    return tuple(trimmed for edit in edits if (trimmed := _trimmed(base, edit)) is not None)


def _gaps(base: Text, wanted: Sequence[Line], card: int) -> Iterator[tuple[int, int, list[Text]]]:
    """Yield each stretch between two kept lines of the base, with the runs of lines that a card wrote there."""
    low = 0
    between: list[Line] = []
    for line in (*wanted, Line(b"", len(base))):
        if line.base is None:
            between.append(line)
            continue
        runs = [
            tuple(each.data for each in run) for owner, run in groupby(between, lambda each: each.card) if owner == card
        ]
        if runs or line.base > low:
            yield low, line.base, runs
        low, between = line.base + 1, []


def _segments(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return runs of numbers that follow each other, as ``[first, last)``."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number:
            found[-1] = found[-1][0], number + 1
        else:
            found.append((number, number + 1))
    return found


def _trimmed(base: Text, edit: Edit) -> Edit | None:
    """Return an edit without the lines it leaves as they are; None where that is all of them."""
    start, stop, new = edit.start, edit.stop, edit.new
    while start < stop and new and base[start] == new[0]:
        start, new = start + 1, new[1:]
    while start < stop and new and base[stop - 1] == new[-1]:
        stop, new = stop - 1, new[:-1]
    return Edit(start, stop, new) if start < stop or new else None


def _is_sound(base: Text, by_card: ByCard, own: Sequence[Edit], wanted: Sequence[Line]) -> bool:
    foreign = [edit for edits in by_card.values() if edits is not own for edit in edits]
    if any(overlap(edit, other) for edit in own for other in foreign):
        return False
    if any(overlap(edit, other) for number, edit in enumerate(own) for other in own[:number]):
        return False
    return [line.data for line in weave(base, by_card)] == [line.data for line in wanted]


def _taker(others: ByCard, lines: Sequence[Line], at: int) -> int:
    """Return the card that took lines of the base away around a place."""
    before = next((line.base for line in reversed(lines[:at]) if line.base is not None), -1)
    near = [(abs(edit.start - before), card) for card, edits in others.items() for edit in edits]
    return min(near, default=(0, 0))[1]
