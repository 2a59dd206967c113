"""How a weave takes in what others wrote, and the base that a proposal speaks of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dreamreview.model.edits import Differ, Edit, Text, difference
from dreamreview.model.restoring import is_outside, restored
from dreamreview.model.weave import OUTSIDE, PathAct, PathDeed, Retired, Strand, Weave


def observe(weave: Weave, retired: Retired, live: Text | None, live_mode: int | None, differ: Differ) -> Weave:
    """Record what others did since we last wrote: the difference of what we left and what is there.

    Args:
        weave: history so far.
        retired: acts undone.
        live: the text on disk, None where the file is gone.
        live_mode: permission bits on disk; None where the file is gone.
        differ: port to the git-backed differ.
    """
    key = f"{OUTSIDE}/{sum(act.startswith(OUTSIDE) for act in weave.acts) + 1}"
    if live is None:
        return _observe_deletion(weave, retired, key) if weave.exists(retired) else weave
    deeds = list(weave.path_acts)
    if not weave.exists(retired):
        deeds.append(PathAct(f"{key}/create", PathDeed.CREATE, mode=live_mode))
    elif live_mode is not None and live_mode != weave.mode_now(retired):
        deeds.append(PathAct(f"{key}/mode", PathDeed.MODE, mode=live_mode))
    acts = [act.act for act in deeds[len(weave.path_acts) :]]
    edits = difference(weave.text(retired), live, weave.terminator, differ)
    if not acts and not edits:
        return weave
    woven = replace(weave, path_acts=tuple(deeds))
    for number, edit in reversed(list(enumerate(edits))):
        act = f"{key}/{number}"
        acts.append(act)
        woven = _write_over(woven, retired, weave.visible(retired), edit, act)
    if not woven.exists(retired):
        act = f"{key}/stays"
        acts.append(act)
        woven = replace(woven, path_acts=(*woven.path_acts, PathAct(act, PathDeed.CREATE, mode=live_mode)))
    return replace(woven, acts={**weave.acts, **dict.fromkeys(acts, "")})


def _observe_deletion(weave: Weave, retired: Retired, key: str) -> Weave:
    act = f"{key}/delete"
    seen = set(weave.visible(retired))
    strands = tuple(
        strand._replace(killed=(*strand.killed, act)) if at in seen else strand
        for at, strand in enumerate(weave.strands)
    )
    path_acts = (*weave.path_acts, PathAct(act, PathDeed.DELETE))
    return replace(weave, strands=strands, path_acts=path_acts, acts={**weave.acts, act: ""})


def _write_over(weave: Weave, retired: Retired, visible: list[int], edit: Edit, act: str) -> Weave:
    """Record one edit of the visible text; called from the last edit to the first, so earlier places stay right."""
    start, stop = edit.start, edit.stop
    gap = range(visible[start - 1] + 1 if start else 0, visible[stop] if stop < len(visible) else len(weave.strands))
    strands, taken = list(weave.strands), visible[start:stop]
    back = restored(weave, retired, strands, gap, taken, edit.new)
    for at in taken:
        strands[at] = strands[at]._replace(killed=(*strands[at].killed, act))
    for at in back.values():
        left = tuple(killer for killer in strands[at].killed if not weave.in_force(killer, retired))
        strands[at] = strands[at]._replace(killed=left)
    strands = _without(strands, _acts_undone(weave, retired, back.values()))
    here = min([_after(weave, retired, visible, stop, gap), *back.values()])
    next_id = weave.next_id
    fresh: dict[int, list[Strand]] = {}
    for number, line in enumerate(edit.new):
        if number in back:
            here = back[number] + 1
            continue
        fresh.setdefault(here, []).append(Strand(next_id, line, born=act))
        next_id += 1
    for at in sorted(fresh, reverse=True):
        strands[at:at] = fresh[at]
    return replace(weave, strands=tuple(strands), next_id=next_id)


def _acts_undone(weave: Weave, retired: Retired, back: Iterable[int]) -> set[str]:
    """Return the acts of ours that somebody took back by hand: they take no other line away any more either."""
    found = {act for at in back for act in weave.strands[at].killed}
    return {act for act in found if not is_outside(weave, act) and weave.in_force(act, retired)}


def _without(strands: list[Strand], undone: set[str]) -> list[Strand]:
    if not undone:
        return strands
    return [strand._replace(killed=tuple(act for act in strand.killed if act not in undone)) for strand in strands]


def _after(weave: Weave, retired: Retired, visible: list[int], stop: int, gap: range) -> int:
    """Return where lines of others go behind a visible line: at once, or behind all that it was written in place of."""
    if not stop:
        return 0
    last = visible[stop - 1]
    act = weave.strands[last].born
    replaced = (at for at in reversed(gap) if at > last and act in weave.strands[at].killed)
    return next(replaced, last) + 1 if act and weave.in_force(act, retired) else last + 1


def anchor(weave: Weave, retired: Retired, proposal: str, base: Text, differ: Differ) -> Weave:
    """Tie the base lines of a proposal to strands; lines that are gone since become strands that others deleted."""
    if proposal in weave.anchors:
        return weave
    if stood := _state_of(weave, retired, base):
        return replace(weave, anchors={**weave.anchors, proposal: stood})
    seen = weave.visible(retired)
    edits = difference(base, tuple(weave.strands[at].line for at in seen), weave.terminator, differ)
    strands = list(weave.strands)
    ids: list[int] = []
    next_id, line, shift = weave.next_id, 0, 0
    for edit in edits:
        ids += [weave.strands[seen[at + shift]].id for at in range(line, edit.start)]
        before = edit.start + shift
        here = (seen[before - 1] + 1 if before else 0) + next_id - weave.next_id
        act = f"{OUTSIDE}/drift-{proposal}/{edit.rank}"
        lost = [Strand(next_id + n, old, killed=(act,)) for n, old in enumerate(base[edit.start : edit.stop])]
        strands[here:here] = lost
        ids += [strand.id for strand in lost]
        next_id, line, shift = next_id + len(lost), edit.stop, shift + edit.growth
    ids += [weave.strands[seen[at + shift]].id for at in range(line, len(base))]
    acts = {**weave.acts, **{f"{OUTSIDE}/drift-{proposal}/{edit.rank}": "" for edit in edits}}
    anchors = {**weave.anchors, proposal: tuple(ids)}
    return replace(weave, strands=tuple(strands), acts=acts, anchors=anchors, next_id=next_id)


def _state_of(weave: Weave, retired: Retired, base: Text) -> tuple[int, ...]:
    """Return the strands of the newest state of the path that had exactly this text; empty where none had."""
    acts = list(weave.acts)
    for count in range(len(acts), -1, -1):
        force = {"", *(act for act in acts[:count] if weave.in_force(act, retired))}
        stood = [
            strand
            for strand in weave.strands
            if strand.born in force and not (strand.killed and force.intersection(strand.killed))
        ]
        if tuple([strand.line for strand in stood]) == base:
            return tuple([strand.id for strand in stood])
    return ()
