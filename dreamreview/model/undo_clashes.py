"""Whether an act can be taken back from a path on which others wrote since, or what stands in its way."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from dreamreview.model.restoring import is_outside
from dreamreview.model.weave import PathAct, PathDeed, Retired, Strand, Weave, deed_of


def undo_clash(weave: Weave, retired: Retired, deeds: frozenset[str], deed: str) -> str | None:
    """Say why one of several acts cannot be taken back on a path, in a sentence; None where it can.

    Args:
        weave: history of the path, with others' writing observed.
        retired: acts undone already.
        deeds: the ``APPLY/CHANGE`` keys to undo together.
        deed: the one of them that is asked about.
    """
    order = {act: number for number, act in enumerate(weave.acts)}
    mine = [act for act in weave.acts if deed_of(act) == deed and deed not in retired]
    if not mine:
        return None
    later = {act for act in weave.acts if order[act] > order[mine[0]] and deed_of(act) not in deeds | set(retired)}
    if _is_taken_back(weave, retired, set(mine), later):
        return None
    if reason := _path_clash(weave, retired, set(mine), later):
        return reason
    if not weave.exists(retired) and not _is_own_deletion(weave, retired, mine):
        is_no_loss = _is_uncreated(weave, retired) and not weave.exists({*retired, *deeds})
        return None if is_no_loss else "the file was deleted since"
    return _lines_clash(weave, retired, set(mine), later)


def _is_uncreated(weave: Weave, retired: Retired) -> bool:
    """Tell whether a path is not there because its last creation was taken back."""
    is_uncreated = not weave.existed
    for act in weave.path_acts:
        if act.deed is PathDeed.CREATE:
            is_uncreated = not weave.in_force(act.act, retired)
        elif act.deed is PathDeed.DELETE and weave.in_force(act.act, retired):
            is_uncreated = False
    return is_uncreated


def _is_own_deletion(weave: Weave, retired: Retired, mine: Sequence[str]) -> bool:
    """Tell whether it was the same proposal that took the file away."""
    last = [act.act for act in weave.path_deeds(PathDeed.DELETE, retired)][-1:]
    return any(weave.acts[act] == weave.acts[mine[0]] for act in last)


def _is_taken_back(weave: Weave, retired: Retired, mine: set[str], later: set[str]) -> bool:
    """Tell whether others already took a creation or a deletion of the whole path back, to the letter."""
    whole = [act for act in weave.path_acts if act.act in mine and act.deed in (PathDeed.CREATE, PathDeed.DELETE)]
    if not whole:
        return False
    if whole[-1].deed is PathDeed.CREATE:
        return not weave.exists(retired)
    visible = [weave.strands[at] for at in weave.visible(retired)]
    return (
        weave.exists(retired)
        and not any(_is_gone_by(weave, retired, strand, mine) for strand in weave.strands)
        and not any(strand.born in later for strand in visible)
    )


def _is_gone_by(weave: Weave, retired: Retired, strand: Strand, mine: set[str]) -> bool:
    """Tell whether some acts took a line away, beside others or not."""
    killers = {act for act in strand.killed if weave.in_force(act, retired)}
    return bool(killers & mine)


def _path_clash(weave: Weave, retired: Retired, mine: set[str], later: set[str]) -> str | None:
    """Say why an act on the whole path cannot be taken back; a mode clashes with a later mode only."""
    others = [act for act in weave.path_acts if act.act in later]
    for act in weave.path_acts:
        if act.act not in mine:
            continue
        if act.deed is PathDeed.MODE:
            if any(other.deed is PathDeed.MODE for other in others):
                return "its mode was changed since"
        elif act.deed is PathDeed.CREATE:
            if _is_kept(weave, retired, mine, act, others):
                return "the file was changed since"
        elif later:
            return "the file was changed since"
    return None


def _is_kept(weave: Weave, retired: Retired, mine: set[str], act: PathAct, others: Sequence[PathAct]) -> bool:
    """Tell whether others use a file that was created, so that it cannot go; parts of one creation are no others."""
    proposal = weave.acts[act.act]
    if any(other.deed is not PathDeed.CREATE or weave.acts[other.act] != proposal for other in others):
        return True
    creations = weave.path_deeds(PathDeed.CREATE, retired)
    if any(other.act not in mine and weave.acts[other.act] == proposal for other in creations):
        return False
    return any(weave.strands[at].born not in mine for at in weave.visible(retired))


def _lines_clash(weave: Weave, retired: Retired, mine: set[str], later: set[str]) -> str | None:
    own = [at for at, strand in enumerate(weave.strands) if strand.born in mine]
    changed = {strand.born for at in own if later.intersection((strand := weave.strands[at]).killed)}
    if not all(_is_undone(weave, retired, act, later) for act in changed):
        return "a line it wrote was changed since"
    for left, right in pairwise(own):
        if weave.strands[left].born in changed:
            continue
        if weave.strands[left].born != weave.strands[right].born:
            continue
        inside = [strand for strand in weave.strands[left + 1 : right] if weave.is_visible(strand, retired)]
        if inside and all(strand.born in later for strand in inside):
            return "a line was added since inside the lines it wrote"
    if _is_surrounded(weave, mine, later):
        return "the lines around it were changed or removed since"
    return None


def _is_surrounded(weave: Weave, mine: set[str], later: set[str]) -> bool:
    """Tell whether one later edit took away lines on both sides of a line that would come back."""
    taken: dict[str, list[int]] = defaultdict(list)
    back: list[int] = []
    for at, strand in enumerate(weave.strands):
        if mine.intersection(strand.killed):
            back.append(at)
        for act in later.intersection(strand.killed):
            taken[act].append(at)
    return any(bisect_right(back, places[0]) < bisect_left(back, places[-1]) for places in taken.values())


def _is_undone(weave: Weave, retired: Retired, act: str, later: set[str]) -> bool:
    """Tell whether others took all of an edit back and did nothing else in the same stroke."""
    if any(act in strand.killed for strand in weave.strands):
        return False
    strokes = {killer for strand in weave.strands if strand.born == act for killer in strand.killed} & later
    for strand in weave.strands:
        is_visible = weave.is_visible(strand, retired)
        if is_visible and (strand.born == act or strand.born in strokes):
            return False
        if strokes.intersection(strand.killed) and strand.born != act and not is_outside(weave, strand.born):
            return False
    return True
