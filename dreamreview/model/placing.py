"""Which accepted edits still fit what stands in the folder, and where their lines go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from dreamreview.model.edits import Edit, Text, close, place_of, render, select
from dreamreview.model.proposal import Act, FileEdit
from dreamreview.model.review import Chosen
from dreamreview.model.weave import PathAct, PathDeed, Retired, Seat, Strand, Weave, deed_of


@dataclass(frozen=True, slots=True)
class Placed:
    """What became of one accepted edit."""

    weave: Weave
    clash: str | None = None
    """Why it no longer fits, in a sentence; None where it does."""
    is_done: bool = False
    """True where others had already made it, so that nothing is left to write."""


@dataclass(slots=True)
class _Ground:
    """A weave as one proposal sees it: where its base lines are, what is its own, what is others'."""

    weave: Weave
    retired: Retired
    proposal: str
    base: tuple[int, ...]
    """Places in `strands` of the base lines."""

    @classmethod
    def of(cls, weave: Weave, retired: Retired, proposal: str) -> _Ground:
        at = {strand.id: place for place, strand in enumerate(weave.strands)}
        return cls(weave, retired, proposal, tuple(at[number] for number in weave.anchors[proposal]))

    def gap(self, number: int) -> tuple[int, int]:
        """Return the places between base line `number` - 1 and base line `number`, half-open."""
        first = self.base[number - 1] + 1 if number else 0
        return first, self.base[number] if number < len(self.base) else len(self.weave.strands)

    def is_own(self, strand: Strand) -> bool:
        return strand.seat is not None and strand.seat.proposal == self.proposal

    def others_lines(self, first: int, last: int) -> Text:
        """Return the visible lines of others at places ``[first, last)``, base lines left out."""
        base = set(self.base)
        return tuple(
            strand.line
            for at, strand in enumerate(self.weave.strands[first:last], first)
            if at not in base and not self.is_own(strand) and self.weave.is_visible(strand, self.retired)
        )

    def killers(self, number: int) -> set[str]:
        """Return the acts in force that deleted a base line."""
        strand = self.weave.strands[self.base[number]]
        return {act for act in strand.killed if self.weave.in_force(act, self.retired)}

    def is_gone(self, number: int) -> bool:
        return not self.weave.is_visible(self.weave.strands[self.base[number]], self.retired)

    def verdict(self, part: Edit) -> str | None:
        """Return ``done``, a reason why the part clashes, or None where it fits."""
        first = self.gap(part.start)[0] if part.start == part.stop else self.base[part.start]
        others = self.others_lines(first, self.gap(part.stop)[1])
        gone = [number for number in range(part.start, part.stop) if self.is_gone(number)]
        if len(gone) == part.stop - part.start and self._is_same(part, others):
            return "done"
        if gone:
            return "the line was changed or removed meanwhile"
        if part.stop - part.start > 1 and self.others_lines(self.base[part.start], self.base[part.stop - 1]):
            return "a line was added meanwhile inside the lines it replaces"
        if part.start == part.stop and self._is_swallowed(part.start):
            return "the lines around it were changed or removed meanwhile"
        return None

    def _is_same(self, part: Edit, others: Text) -> bool:
        """Tell whether others made exactly this edit: the same lines, and no neighbour in the same stroke."""
        end = self.weave.terminator
        if [close(line, end) for line in others] != [close(line, end) for line in part.new]:
            return False
        if part.start == part.stop:
            return not self._is_swallowed(part.start)
        strokes = set().union(*(self.killers(number) for number in range(part.start, part.stop)))
        neighbours = [number for number in (part.start - 1, part.stop) if 0 <= number < len(self.base)]
        return not any(self.killers(number) & strokes for number in neighbours)

    def _is_swallowed(self, number: int) -> bool:
        """Tell whether one act of others deleted the base lines on both sides of a gap."""
        if not 0 < number < len(self.base):
            return False
        both = self.killers(number - 1) & self.killers(number)
        return any(self.weave.acts.get(act) != self.proposal for act in both)


def place(weave: Weave, retired: Retired, proposal: str, chosen: Chosen, act: str) -> Placed:
    """Carry out the accepted part of one edit on an anchored weave, or say why it does not fit.

    Args:
        weave: history of the path, with others' writing observed and the proposal anchored.
        retired: acts undone.
        proposal: id of the proposal.
        chosen: the edit and its accepted units.
        act: key to record it under.
    """
    edit = chosen.edit
    if edit.act is Act.RENAME or edit.act is Act.MODE:
        return _place_on_path(weave, retired, proposal, edit, act)
    if edit.act is Act.CREATE and not _is_ours(weave, retired, proposal):
        return _meet_existing(weave, retired, edit, chosen)
    if edit.act is Act.DELETE and chosen.is_whole:
        if not weave.exists(retired):
            return Placed(weave, is_done=True)
        if others := others_changed(weave, retired, proposal):
            return Placed(weave, clash=others)
    ground = _Ground.of(weave, retired, proposal)
    plain = Edit(edit.start, edit.stop, edit.new, edit.rank)
    parts = select(plain, chosen.old, chosen.new)
    verdicts = [ground.verdict(part) for part in parts]
    if reason := next((verdict for verdict in verdicts if verdict not in (None, "done")), None):
        return Placed(weave, clash=reason)
    if parts and all(verdict == "done" for verdict in verdicts):
        return Placed(weave, is_done=True)
    return Placed(_record(_write(ground, edit, chosen, act), edit, chosen, act, proposal))


def others_changed(weave: Weave, retired: Retired, proposal: str) -> str | None:
    """Say what others changed on a path since the base of a proposal, in a sentence; None where nothing."""
    ground = _Ground.of(weave, retired, proposal)
    if ground.others_lines(0, len(weave.strands)):
        return "the file was changed meanwhile"
    for number in range(len(ground.base)):
        if any(weave.acts.get(act) != proposal for act in ground.killers(number)):
            return "the file was changed meanwhile"
    return None


def _is_ours(weave: Weave, retired: Retired, proposal: str) -> bool:
    """Tell whether a path is not there, or only because this proposal created it."""
    if not weave.exists(retired):
        return True
    last = [act for act in weave.path_acts if act.deed is PathDeed.CREATE and weave.in_force(act.act, retired)]
    return bool(last) and weave.acts.get(last[-1].act) == proposal


def _meet_existing(weave: Weave, retired: Retired, edit: FileEdit, chosen: Chosen) -> Placed:
    """Settle a creation whose path is there already: done if it holds the same bytes, else a clash."""
    end = weave.terminator
    if chosen.is_whole and render(weave.text(retired), end) == render(edit.new, end):
        return Placed(weave, is_done=True)
    return Placed(weave, clash="a file of that name is there already")


def _place_on_path(weave: Weave, retired: Retired, proposal: str, edit: FileEdit, act: str) -> Placed:
    if not weave.exists(retired):
        return Placed(weave, clash="the file is gone")
    if edit.act is Act.MODE:
        return _place_mode(weave, retired, proposal, edit, act)
    if others := others_changed(weave, retired, proposal):
        return Placed(weave, clash=others)
    deed = PathAct(act, PathDeed.RENAME, to=edit.to)
    return Placed(_credit(replace(weave, path_acts=(*weave.path_acts, deed)), act, proposal))


def _place_mode(weave: Weave, retired: Retired, proposal: str, edit: FileEdit, act: str) -> Placed:
    """Give or take the executable bits alone; every other bit stays as the owner has it."""
    now, wanted, before = weave.mode_now(retired), edit.mode or 0, edit.old_mode or 0
    changed = (wanted ^ before) & 0o111
    mode = (now & ~changed) | (wanted & changed)
    if mode == now:
        return Placed(weave, is_done=True)
    if (now ^ before) & changed:
        return Placed(weave, clash="its mode was changed meanwhile")
    deed = PathAct(act, PathDeed.MODE, mode=mode)
    return Placed(_credit(replace(weave, path_acts=(*weave.path_acts, deed)), act, proposal))


def _credit(weave: Weave, act: str, proposal: str) -> Weave:
    return replace(weave, acts={**weave.acts, act: proposal})


def _write(ground: _Ground, edit: FileEdit, chosen: Chosen, act: str) -> Weave:
    """Delete the chosen old lines and insert the chosen new ones, each at its gap in the order of its proposal."""
    weave = ground.weave
    strands = list(weave.strands)
    for unit in sorted(chosen.old):
        at = ground.base[edit.start + unit - 1]
        strands[at] = replace(strands[at], killed=(*strands[at].killed, act))
    size = edit.stop - edit.start
    inserted: dict[int, list[Strand]] = {}
    next_id = weave.next_id
    for unit in sorted(chosen.new):
        seat = Seat(ground.proposal, edit.rank, unit)
        at = _seat_at(strands, ground, edit.start + place_of(unit, size), seat)
        inserted.setdefault(at, []).append(Strand(next_id, edit.new[unit - 1], born=act, seat=seat))
        next_id += 1
    for at in sorted(inserted, reverse=True):
        strands[at:at] = inserted[at]
    return replace(weave, strands=tuple(strands), next_id=next_id)


def _seat_at(strands: list[Strand], ground: _Ground, gap: int, seat: Seat) -> int:
    """Return the place of a new line in its gap: after others' lines, and by rank among its proposal's."""
    first, last = ground.gap(gap)
    for at in range(first, last):
        other = strands[at].seat
        if other and other.proposal == seat.proposal and (other.rank, other.unit) > (seat.rank, seat.unit):
            return at
    return last


def _record(weave: Weave, edit: FileEdit, chosen: Chosen, act: str, proposal: str) -> Weave:
    """Credit an act to its proposal, and note what it does to the path itself."""
    deeds = weave.path_acts
    if edit.act is Act.CREATE:
        deeds = (*deeds, PathAct(act, PathDeed.CREATE, mode=edit.mode))
    elif edit.act is Act.DELETE and chosen.is_whole:
        deeds = (*deeds, PathAct(act, PathDeed.DELETE, mode=edit.mode))
    return _credit(replace(weave, path_acts=deeds), act, proposal)


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
    if reason := _path_clash(weave, set(mine), later):
        return reason
    if not weave.exists(retired) and not any(act.act in mine for act in weave.path_deeds(PathDeed.DELETE, retired)):
        return "the file was deleted since"
    return _lines_clash(weave, retired, set(mine), later)


def _path_clash(weave: Weave, mine: set[str], later: set[str]) -> str | None:
    """Say why an act on the whole path cannot be taken back; a mode clashes with a later mode only."""
    for act in weave.path_acts:
        if act.act not in mine:
            continue
        if act.deed is not PathDeed.MODE and later:
            return "the file was changed since"
        if any(other.deed is PathDeed.MODE and other.act in later for other in weave.path_acts):
            return "its mode was changed since"
    return None


def _lines_clash(weave: Weave, retired: Retired, mine: set[str], later: set[str]) -> str | None:
    own = [at for at, strand in enumerate(weave.strands) if strand.born in mine]
    if any(later.intersection(weave.strands[at].killed) for at in own):
        return "a line it wrote was changed since"
    for left, right in pairwise(own):
        if weave.strands[left].born != weave.strands[right].born:
            continue
        inside = [strand for strand in weave.strands[left + 1 : right] if weave.is_visible(strand, retired)]
        if inside and all(strand.born in later for strand in inside):
            return "a line was added since inside the lines it wrote"
    return None
