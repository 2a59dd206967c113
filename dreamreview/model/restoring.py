"""Which of the lines that others wrote are lines that stood there before: what somebody put back is no news."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from dreamreview.model.weave import OUTSIDE, Retired, Strand, Weave

if TYPE_CHECKING:
    from dreamreview.model.edits import Text


def restored(
    weave: Weave, retired: Retired, strands: Sequence[Strand], gap: range, taken: Collection[int], new: Text
) -> dict[int, int]:
    """Return which new lines bring a line back, each with the place of its strand, in the order of both.

    Of what others took away themselves any line may come back. Of what we took away all has to, and nothing of what we
    wrote instead may be left: then somebody has undone that edit by hand.

    Args:
        weave: history of the path before that edit of others.
        retired: acts undone.
        strands: those of the weave with what is known of that observation so far.
        gap: the places between the visible lines around the edit.
        taken: the places that the edit takes away.
        new: the lines that it brings.
    """
    hidden = [
        at
        for at in gap
        if at not in taken and weave.in_force(strands[at].born, retired) and not weave.is_visible(strands[at], retired)
    ]
    if not hidden or not new:
        return {}
    return _undone(weave, retired, strands, hidden, taken, new) or _brought_back(weave, retired, strands, hidden, new)


def is_outside(weave: Weave, act: str) -> bool:
    """Tell whether an act was not ours; the first text is no act."""
    return not weave.acts.get(act, "") and act.startswith(OUTSIDE)


def _undone(
    weave: Weave,
    retired: Retired,
    strands: Sequence[Strand],
    hidden: Sequence[int],
    taken: Collection[int],
    new: Text,
) -> dict[int, int]:
    """Return the lines of one edit of ours that somebody took back to the letter."""
    killed: dict[str, list[int]] = defaultdict(list)
    for at in hidden:
        killers = [act for act in strands[at].killed if weave.in_force(act, retired)]
        if len(killers) == 1 and not is_outside(weave, killers[0]):
            killed[killers[0]].append(at)
    if not killed:
        return {}
    alone = (tuple(act for act in strand.killed if weave.in_force(act, retired)) for strand in strands)
    everywhere = Counter(acts[0] for acts in alone if len(acts) == 1)
    for act, places in killed.items():
        if len(places) != everywhere[act] or tuple(strands[at].line for at in places) != new:
            continue
        written = {at for at, strand in enumerate(strands) if strand.born == act and weave.is_visible(strand, retired)}
        if written <= set(taken) and all(at in written or is_outside(weave, strands[at].born) for at in taken):
            return dict(enumerate(places))
    return {}


def _brought_back(
    weave: Weave, retired: Retired, strands: Sequence[Strand], hidden: Sequence[int], new: Text
) -> dict[int, int]:
    """Return the lines that others took away and now bring again."""
    by_line: dict[bytes, list[int]] = defaultdict(list)
    for at in hidden:
        if all(is_outside(weave, act) for act in strands[at].killed if weave.in_force(act, retired)):
            by_line[strands[at].line].append(at)
    found: dict[int, int] = {}
    reach = 0
    for number, line in enumerate(new):
        places = by_line.get(line, [])
        first = bisect_left(places, reach)
        if first < len(places):
            found[number] = places[first]
            reach = places[first] + 1
    return found
