"""Which accepted edits still fit what stands in the folder, and where their lines go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.model.edits import Edit, close, place_of, render, select
from dreamreview.model.proposal import Act, FileEdit
from dreamreview.model.weave import PathAct, PathDeed, Retired, Seat, Strand, Weave, deed_of

if TYPE_CHECKING:
    from dreamreview.model.review import Chosen


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
    apply: str
    """The apply that is under way."""

    @classmethod
    def of(cls, weave: Weave, retired: Retired, proposal: str, act: str = "") -> _Ground:
        at = {strand.id: place for place, strand in enumerate(weave.strands)}
        base = tuple(at[number] for number in weave.anchors[proposal])
        return cls(weave, retired, proposal, base, act.partition("/")[0])

    def gap(self, number: int) -> tuple[int, int]:
        """Return the places between base line `number` - 1 and base line `number`, half-open."""
        first = self.base[number - 1] + 1 if number else 0
        return first, self.base[number] if number < len(self.base) else len(self.weave.strands)

    def is_own(self, strand: Strand) -> bool:
        return strand.seat is not None and strand.seat.proposal == self.proposal

    def _stood(self, strand: Strand) -> bool:
        """Tell whether a line is of the proposal and stood there before this apply."""
        return self.is_own(strand) and not strand.born.startswith(f"{self.apply}/")

    def others_lines(self, first: int, last: int) -> tuple[Strand, ...]:
        """Return the visible lines of others at places ``[first, last)``, base lines left out."""
        base = set(self.base)
        return tuple(
            strand
            for at, strand in enumerate(self.weave.strands[first:last], first)
            if at not in base and not self.is_own(strand) and self.weave.is_visible(strand, self.retired)
        )

    def killers(self, number: int) -> set[str]:
        """Return the acts in force that deleted a base line."""
        strand = self.weave.strands[self.base[number]]
        return {act for act in strand.killed if self.weave.in_force(act, self.retired)}

    def is_ours_to_replace(self, number: int, is_chosen: bool) -> bool:
        """Tell whether a base line goes by this proposal, now or since an earlier apply."""
        return is_chosen or any(self.weave.acts.get(act) == self.proposal for act in self.killers(number))

    def is_gone(self, number: int) -> bool:
        return not self.weave.is_visible(self.weave.strands[self.base[number]], self.retired)

    def verdict(self, part: Edit) -> str | None:
        """Return ``done``, a reason why the part clashes, or None where it fits."""
        first, last = self._window(part)
        gone = [number for number in range(part.start, part.stop) if self.is_gone(number)]
        if len(gone) == part.stop - part.start and self._is_same(part, self.others_lines(first, last)):
            return "done"
        if gone:
            return "the line was changed or removed meanwhile"
        if part.stop - part.start > 1 and self.others_lines(self.base[part.start], self.base[part.stop - 1]):
            return "a line was added meanwhile inside the lines it replaces"
        if part.start == part.stop and any(start < last <= stop for start, stop in self._taken().values()):
            return "the lines around it were changed or removed meanwhile"
        return None

    def _window(self, part: Edit) -> tuple[int, int]:
        """Return the places that a part is about: between its base lines and its proposal's own lines beside it."""
        first, last = self.gap(part.stop)
        own = [at for at in range(first, last) if self._stood(self.weave.strands[at])]
        ranks = [seat.rank for at in own if (seat := self.weave.strands[at].seat)]
        before = [at for at, rank in zip(own, ranks, strict=True) if rank <= part.rank]
        behind = [at for at, rank in zip(own, ranks, strict=True) if rank > part.rank]
        if part.start < part.stop:
            first = self.base[part.start]
        elif before:
            first = before[-1] + 1
        return first, behind[0] if behind else last

    def _is_same(self, part: Edit, others: Sequence[Strand]) -> bool:
        """Tell whether others made exactly this edit: the same lines, and nothing else taken in the same stroke."""
        end = self.weave.terminator
        if [close(strand.line, end) for strand in others] != [close(line, end) for line in part.new]:
            return False
        strokes = {strand.born for strand in others}.union(*(self.killers(n) for n in range(part.start, part.stop)))
        mine = {self.base[number] for number in range(part.start, part.stop)}
        return not any(
            strokes.intersection(strand.killed) for at, strand in enumerate(self.weave.strands) if at not in mine
        )

    def _taken(self) -> dict[str, tuple[int, int]]:
        """Return for each act of others on base lines the first and the last place of what it deleted."""
        found: dict[str, tuple[int, int]] = {}
        since = {act for number in range(len(self.base)) for act in self.killers(number)}
        for at, strand in enumerate(self.weave.strands):
            for act in since.intersection(strand.killed):
                if self.weave.acts.get(act) != self.proposal:
                    found[act] = (found.get(act, (at, at))[0], at)
        return found


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
    if edit.act is Act.LINES and not weave.exists(retired):
        return Placed(weave, clash="the file is gone")
    ground = _Ground.of(weave, retired, proposal, act)
    plain = Edit(edit.start, edit.stop, edit.new, edit.rank)
    parts = select(plain, chosen.old, chosen.new)
    verdicts = [ground.verdict(part) for part in parts]
    if reason := next((verdict for verdict in verdicts if verdict not in (None, "done")), None):
        return Placed(weave, clash=reason)
    if parts and all(verdict == "done" for verdict in verdicts):
        return Placed(weave, is_done=True)
    written = _write(ground, edit, chosen, act)
    is_gone = edit.act is Act.DELETE and (chosen.is_whole or _is_all_ours(ground, written))
    return Placed(_record(written, edit, act, proposal, is_gone=is_gone))


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
    # With a whole file go the lines that are gone already: whoever takes that back must not bring half a file back.
    is_whole = edit.act is Act.DELETE and chosen.is_whole
    gone = range(len(strands)) if is_whole else [ground.base[edit.start + unit - 1] for unit in sorted(chosen.old)]
    for at in gone:
        strands[at] = strands[at]._replace(killed=(*strands[at].killed, act))
    size = edit.stop - edit.start
    inserted: dict[int, list[Strand]] = {}
    next_id = weave.next_id
    for unit in sorted(chosen.new):
        seat = Seat(ground.proposal, edit.rank, unit)
        place = place_of(unit, size)
        is_instead = place > 0 and ground.is_ours_to_replace(edit.start + place - 1, place in chosen.old)
        at = _seat_at(strands, ground, edit.start + place, seat, is_instead=is_instead)
        inserted.setdefault(at, []).append(Strand(next_id, edit.new[unit - 1], born=act, seat=seat))
        next_id += 1
    for at in sorted(inserted, reverse=True):
        strands[at:at] = inserted[at]
    return replace(weave, strands=tuple(strands), next_id=next_id)


def _seat_at(strands: list[Strand], ground: _Ground, gap: int, seat: Seat, *, is_instead: bool) -> int:
    """Return the place of a new line in its gap: by rank among its proposal's lines, and around those of others.

    A line that stands instead of the one before the gap comes before others' lines, any other after them.
    """
    first, last = ground.gap(gap)
    own = [at for at in range(first, last) if (other := strands[at].seat) and other.proposal == seat.proposal]
    lower = [at for at in own if (found := strands[at].seat) and (found.rank, found.unit) < (seat.rank, seat.unit)]
    if is_instead:
        return lower[-1] + 1 if lower else first
    return own[len(lower)] if len(lower) < len(own) else last


def _is_all_ours(ground: _Ground, written: Weave) -> bool:
    """Tell whether a proposal has taken away every base line, in however many applies."""
    killed = (written.strands[at].killed for at in ground.base)
    theirs = {act for act, proposal in written.acts.items() if proposal != ground.proposal} | set(ground.retired)
    return all(any(act not in theirs and deed_of(act) not in theirs for act in acts) for acts in killed)


def _record(weave: Weave, edit: FileEdit, act: str, proposal: str, *, is_gone: bool) -> Weave:
    """Credit an act to its proposal, and note what it does to the path itself."""
    deeds = weave.path_acts
    if edit.act is Act.CREATE:
        deeds = (*deeds, PathAct(act, PathDeed.CREATE, mode=edit.mode))
    elif is_gone:
        deeds = (*deeds, PathAct(act, PathDeed.DELETE, mode=edit.mode))
    return _credit(replace(weave, path_acts=deeds), act, proposal)
