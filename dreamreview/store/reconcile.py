"""What of a proposal its copy still shows once somebody edited that copy by hand, and what it shows beside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.model.edits import Edit, Text, overlap
from dreamreview.model.files import FileState
from dreamreview.model.proposal import Act, Change, FileEdit
from dreamreview.store.composing import composed, default_edits, names_of, rendered
from dreamreview.store.copying import tree_mode
from dreamreview.store.moves import above
from dreamreview.store.undeclared import edits_between

if TYPE_CHECKING:
    from dreamreview.store.differ import GitDiffer

Tree = Mapping[str, FileState]


@dataclass(frozen=True, slots=True)
class Reconciled:
    """A proposal's declared changes held against its copy."""

    kept: tuple[Change, ...]
    """Those that the copy shows."""
    gone: tuple[Change, ...]
    """Those that it does not show, or not whole."""
    rest: tuple[list[FileEdit], ...]
    """Edits of the base that lead from the kept changes to the copy, those of one change in one list."""


def reconcile(declared: Sequence[Change], base: Tree, copy: Tree, differ: GitDiffer) -> Reconciled:
    """Find the declared changes that a copy shows, and the edits that nobody declared.

    The kept changes and the rest together give the copy; no edit of the one overlaps an edit of the other.

    Args:
        declared: changes of the proposal.
        base: what stands in the base under every path that a change names or that differs in the copy.
        copy: the same of the copy.
        differ: where hunks come from.

    Raises:
        StoreError: git is missing or failed.
    """
    kept = [change for change in declared if _fits(change, base)]
    back = _put_back(composed(base, default_edits(kept)), base, copy)
    kept = [change for change in kept if not any(edit.path in back for edit in change.edits)]
    while True:
        middle = composed(base, default_edits(kept))
        found = edits_between(middle, copy, differ)
        lines = _kept_lines(kept)
        rest = [
            [
                _translated(edit, lines.get(edit.path, ()), middle[edit.path].text if edit.path in middle else ())
                for edit in group
            ]
            for group in found
        ]
        touched = {owner for group in rest for one in group for owner in one.touches}
        edits = tuple([one.edit for one in group] for group in rest)
        flat = [edit for group in edits for edit in group]
        touched |= {change.id for change in kept if _is_touched(change, flat)}
        if not touched:
            touched = _unexplained(kept, flat, base, copy)
        if not touched:
            break
        kept = [change for change in kept if change.id not in touched]
    ids = {change.id for change in kept}
    return Reconciled(tuple(kept), tuple(change for change in declared if change.id not in ids), edits)


def _put_back(middle: Tree, base: Tree, copy: Tree) -> set[str]:
    """Return the paths that stand in the copy as they do in the base, though the changes would have it otherwise."""
    return {path for path, state in base.items() if _same(state, copy.get(path)) and not _same(state, middle.get(path))}


def _same(one: FileState | None, other: FileState | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.text == other.text and tree_mode(one.mode) == tree_mode(other.mode)


def _fits(change: Change, base: Tree) -> bool:
    """Tell whether a change speaks of the base at all; a manifest is not believed."""
    return all(_set_fits(edits, base) for edits in (change.edits, *(option.edits for option in change.options)))


def _set_fits(edits: Sequence[FileEdit], base: Tree) -> bool:
    taken = base.keys() - {edit.path for edit in edits if edit.act in (Act.DELETE, Act.RENAME)}
    return all(_edit_fits(edit, base.get(edit.path)) and _wanted(edit) not in taken for edit in edits)


def _wanted(edit: FileEdit) -> str | None:
    """Return the name that has to be free for an edit."""
    return edit.path if edit.act is Act.CREATE else edit.to


def _edit_fits(edit: FileEdit, state: FileState | None) -> bool:
    if edit.act is Act.CREATE or state is None:
        return edit.act is Act.CREATE
    if edit.act in (Act.LINES, Act.DELETE):
        return edit.stop <= len(state.text) and state.text[edit.start : edit.stop] == edit.old
    return True


@dataclass(frozen=True, slots=True)
class _Translated:
    """An edit of the middle text, spoken against the base, and the changes it has to do with."""

    edit: FileEdit
    touches: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Owned:
    """A line edit of a kept change."""

    edit: Edit
    old: Text
    owner: str
    """Id of the change."""


def _kept_lines(kept: Iterable[Change]) -> dict[str, list[_Owned]]:
    by_path: dict[str, list[_Owned]] = defaultdict(list)
    for change in kept:
        for edit in change.edits:
            if edit.act is Act.LINES:
                by_path[edit.path].append(_Owned(Edit(edit.start, edit.stop, edit.new, edit.rank), edit.old, change.id))
    return {path: sorted(owned, key=lambda one: one.edit.order) for path, owned in by_path.items()}


def _translated(edit: FileEdit, lines: Sequence[_Owned], middle: Text) -> _Translated:
    """Speak an edit of the middle text against the base; it touches the kept edits that it does not stand clear of."""
    if edit.act is not Act.LINES or not lines:
        return _Translated(edit)
    lowest, highest = _reach(edit, middle)
    shift = grown = 0
    touches = set()
    for owned in lines:
        own = owned.edit
        left = own.start + grown
        right = left + len(own.new)
        grown += own.growth
        if lowest <= right and left <= highest and not set(owned.old).isdisjoint(edit.new):
            touches.add(owned.owner)
        if edit.start >= right:
            shift = grown
        # Two insertions at one gap stand in the order of the manifest, and a declared one always comes first in it.
        elif edit.stop > left or (edit.start == edit.stop == left and own.start == own.stop):
            touches.add(owned.owner)
    moved = replace(edit, start=edit.start - shift, stop=edit.stop - shift)
    return _Translated(moved, frozenset(touches))


def _reach(edit: FileEdit, middle: Text) -> tuple[int, int]:
    """Return the first and the last gap that an edit borders on: among equal lines, an insertion can stand at many."""
    lowest, highest = edit.start, edit.stop
    if lowest == highest:
        size = len(edit.new)
        while lowest > 0 and middle[lowest - 1] == edit.new[(lowest - edit.start - 1) % size]:
            lowest -= 1
        while highest < len(middle) and middle[highest] == edit.new[(highest - edit.stop) % size]:
            highest += 1
    return lowest, highest


def _is_touched(change: Change, rest: Iterable[FileEdit]) -> bool:
    return any(_touch(own, edit) for edit in rest for own in change.all_edits)


def _touch(own: FileEdit, edit: FileEdit) -> bool:
    """Tell whether a declared edit can no longer stand beside one that the copy shows."""
    if own.act is Act.LINES and edit.act is Act.LINES:
        return own.path == edit.path and overlap(_span(own), _span(edit))
    if Act.MODE in (own.act, edit.act) and Act.LINES in (own.act, edit.act):
        return False
    return any(_is_claimed(name, other) for name in names_of(own) for other in names_of(edit))


def _span(edit: FileEdit) -> Edit:
    return Edit(edit.start, edit.stop, ())


def _is_claimed(name: str, other: str) -> bool:
    return name == other or name in above(other) or other in above(name)


def _unexplained(kept: Sequence[Change], rest: Iterable[FileEdit], base: Tree, copy: Tree) -> set[str]:
    """Return the kept changes of paths that do not come out as the copy holds them."""
    try:
        after = composed(base, [*default_edits(kept), *_ranked_last(rest)])
    except ValueError:
        return {change.id for change in kept}
    written = {path: rendered(state, base[path].text if path in base else ()) for path, state in after.items()}
    wrong = {path for path in written.keys() | copy.keys() if not _same(written.get(path), copy.get(path))}
    return {change.id for change in kept if any(name in wrong for edit in change.edits for name in names_of(edit))}


def _ranked_last(rest: Iterable[FileEdit]) -> Iterable[FileEdit]:
    """Give edits a rank after every declared one, which they have once they stand behind them in the manifest."""
    return (replace(edit, rank=1 << 40) for edit in rest)


def text_before(after: Text, edits: Iterable[FileEdit]) -> Text | None:
    """Return the text that line edits made another of; None where that other does not hold their new lines."""
    lines: list[bytes] = []
    reach = shift = 0
    for edit in sorted(edits, key=lambda one: (one.start, one.stop, one.rank)):
        left = edit.start + shift
        right = left + len(edit.new)
        if left < reach or tuple(_open(after[left:right])) != tuple(_open(edit.new)):
            return None
        lines += after[reach:left]
        lines += edit.old
        reach = right
        shift += len(edit.new) - (edit.stop - edit.start)
    return (*lines, *after[reach:])


def _open(lines: Sequence[bytes]) -> Iterable[bytes]:
    """Yield lines without their terminators, since rendering may have closed one."""
    return (line.rstrip(b"\r\n") for line in lines)
