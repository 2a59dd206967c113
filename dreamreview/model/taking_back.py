"""What keeping and taking back come to where the changes were made already: the folder is what they made of the base.

A proposal like any other says how to get from the base to the copy. Here the copy is the live folder, so an accepted
change is done; a rejected one is undone, by edits of the folder as it stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from dreamreview.model.edits import Edit, Text, compose, place_of, select
from dreamreview.model.proposal import Act, Change, FileEdit
from dreamreview.model.units import ChangeReview, Chosen, chosen_of, new_size, old_size, units_of

BaseText = Callable[[str], Text]
"""Path to the lines of the base, none for a path that it does not have."""


def taken_back(
    changes: Iterable[Change], of: Mapping[str, ChangeReview], base: BaseText
) -> dict[str, tuple[Chosen, ...]]:
    """Return the edits that take back what was rejected, by change, spoken against the folder that holds every change.

    Composed with that folder they leave the base with all units but the rejected ones; where a person wrote another
    text for an edit, that text stands instead. Nothing else of the folder is named.

    Args:
        changes: all changes of the proposal: where their lines stand depends on one another.
        of: what was decided about each.
        base: what the base holds.
    """
    found: dict[str, list[FileEdit]] = defaultdict(list)
    lines: dict[str, list[_Wish]] = defaultdict(list)
    for change in changes:
        for wish in _wishes(change, of[change.id]):
            if wish.edit.act is Act.LINES:
                lines[wish.edit.path].append(wish)
            elif wish.is_any:
                found[change.id] += _whole(wish)
    for path, wishes in lines.items():
        if any(wish.is_any for wish in wishes):
            for owner, edit, gone in _inverse(wishes, base(path)):
                found[owner].append(_line_edit(path, edit, gone))
    return {change: tuple(map(_all_of, _in_turn(edits))) for change, edits in found.items() if edits}


def kept_edits(changes: Iterable[Change], of: Mapping[str, ChangeReview]) -> list[FileEdit]:
    """Return the edits of the base that make of it what was settled: what was accepted, and what a person wrote."""
    kept: list[FileEdit] = []
    for change in changes:
        for chosen in of[change.id].chosen:
            kept += _part_of(chosen)
    return kept


@dataclass(frozen=True, slots=True)
class _Wish:
    """One edit of a change that was made already, and what is wanted of it."""

    owner: str
    edit: FileEdit
    """As it was made."""
    wanted: FileEdit
    """As it should be: the same, or with a person's text."""
    unwanted: frozenset[int]
    """Units of `wanted` that were rejected."""

    @property
    def is_any(self) -> bool:
        """Tell whether anything has to be written for it."""
        return bool(self.unwanted) or self.wanted != self.edit

    @property
    def is_whole(self) -> bool:
        """Tell whether nothing of it is to stay."""
        return self.unwanted == units_of(self.wanted)

    def lines(self, old: Text) -> Text:
        """Return the lines that are to stand where the edit is, given those that it replaced."""
        kept = units_of(self.wanted) - self.unwanted
        plain = Edit(0, len(old), self.wanted.new)
        if self.wanted.act is Act.CREATE:
            return tuple(self.wanted.new[unit - 1] for unit in sorted(kept) if unit > 0)
        return compose(old, select(plain, [-unit for unit in kept if unit < 0], [unit for unit in kept if unit > 0]))


def _wishes(change: Change, review: ChangeReview) -> Iterator[_Wish]:
    written = {one.edit.id: one.edit for one in (*review.chosen, *review.rejected)}
    unwanted = {one.edit.id: one for one in review.rejected}
    for edit in change.edits:
        refused = unwanted.get(edit.id)
        yield _Wish(change.id, edit, written.get(edit.id, edit), _units(refused) if refused else frozenset())


def _units(chosen: Chosen) -> frozenset[int]:
    found = frozenset([-line for line in chosen.old] + [*chosen.new])
    return found or units_of(chosen.edit)


def _whole(wish: _Wish) -> Iterator[FileEdit]:
    """Yield what undoes an act on a whole path, in part or in full."""
    edit = wish.edit
    if edit.act is Act.RENAME and edit.to is not None:
        yield FileEdit("", edit.to, Act.RENAME, to=edit.path)
    elif edit.act is Act.MODE:
        yield FileEdit("", edit.path, Act.MODE, old_mode=edit.mode, mode=edit.old_mode)
    elif edit.act is Act.DELETE:
        yield FileEdit("", edit.path, Act.CREATE, new=wish.lines(edit.old), mode=edit.mode)
    elif wish.is_whole:
        yield FileEdit("", edit.path, Act.DELETE, stop=len(edit.new), old=edit.new, mode=edit.mode)
    elif wish.wanted != edit:
        yield FileEdit("", edit.path, Act.LINES, 0, len(edit.new), edit.new, wish.lines(()))
    else:
        for part in select(Edit(0, len(edit.new), ()), sorted(wish.unwanted), ()):
            yield FileEdit("", edit.path, Act.LINES, part.start, part.stop, edit.new[part.start : part.stop])


@dataclass(frozen=True, slots=True)
class _Piece:
    """Part of an edit that stays or goes as one."""

    edit: Edit
    owner: str
    back: Text | None = None
    """The lines that are to stand there instead; None where it stays."""


def _inverse(wishes: Iterable[_Wish], base: Text) -> Iterator[tuple[str, Edit, Text]]:
    """Yield the owner of each inverse edit of one path, the edit, and the lines that it takes away."""
    pieces = [piece for wish in wishes for piece in _pieces(wish, base)]
    pieces.sort(key=lambda piece: piece.edit.order)
    shift = 0
    for rank, piece in enumerate(pieces):
        edit = piece.edit
        if piece.back is not None:
            start = edit.start + shift
            yield piece.owner, Edit(start, start + len(edit.new), piece.back, rank), edit.new
        shift += edit.growth


def _pieces(wish: _Wish, base: Text) -> Iterator[_Piece]:
    edit = wish.edit
    made = Edit(edit.start, edit.stop, edit.new, edit.rank)
    if not wish.is_any:
        yield _Piece(made, wish.owner)
    elif wish.wanted != edit or wish.is_whole:
        yield _Piece(made, wish.owner, wish.lines(base[edit.start : edit.stop]))
    else:
        yield from _atoms(wish, made, base)


def _atoms(wish: _Wish, made: Edit, base: Text) -> Iterator[_Piece]:
    """Yield every unit of an edit by itself: each old line taken away, each new line brought."""
    for line in range(1, old_size(wish.edit) + 1):
        at = made.start + line - 1
        back = base[at : at + 1] if -line in wish.unwanted else None
        yield _Piece(Edit(at, at + 1, (), made.rank), wish.owner, back)
    for line in range(1, new_size(wish.edit) + 1):
        at = made.start + place_of(line, old_size(wish.edit))
        back = () if line in wish.unwanted else None
        yield _Piece(Edit(at, at, made.new[line - 1 : line], made.rank), wish.owner, back)


def _line_edit(path: str, edit: Edit, gone: Text) -> FileEdit:
    return FileEdit("", path, Act.LINES, edit.start, edit.stop, gone, edit.new, rank=edit.rank)


def _in_turn(edits: Iterable[FileEdit]) -> Iterator[FileEdit]:
    """Yield the edits of one change as they can be made, under ids of their own: what frees a name comes first."""
    turn = {Act.DELETE: 0, Act.RENAME: 1, Act.CREATE: 2}
    ordered = sorted(edits, key=lambda edit: turn.get(edit.act, 3))
    return (replace(edit, id=f"t{number}") for number, edit in enumerate(ordered, 1))


def _all_of(edit: FileEdit) -> Chosen:
    return chosen_of(edit, units_of(edit) - {0})


def _part_of(chosen: Chosen) -> Iterator[FileEdit]:
    """Yield the accepted part of an edit as edits that stand by themselves."""
    edit = chosen.edit
    if chosen.is_whole:
        yield edit
    elif edit.act is Act.CREATE:
        yield replace(edit, new=tuple(edit.new[line - 1] for line in sorted(chosen.new)))
    else:
        plain = Edit(edit.start, edit.stop, edit.new, edit.rank)
        for part in select(plain, chosen.old, chosen.new):
            old = edit.old[part.start - edit.start : part.stop - edit.start]
            yield FileEdit(edit.id, edit.path, Act.LINES, part.start, part.stop, old, part.new, rank=edit.rank)
