"""What unified diffs make of a store: each part that fits, and by name and place whatever does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dreamreview.model.proposal import LINK_MODE, Change, FileEdit
from dreamreview.store.composing import names_of
from dreamreview.store.importing.diff_names import Named, name_all
from dreamreview.store.importing.diff_text import Diff, read_diff
from dreamreview.store.importing.ground import Ground, misplaced
from dreamreview.store.importing.making import Making, Section
from dreamreview.store.importing.values import Suggested, in_place_order
from dreamreview.store.undeclared import as_changes, edits_between

if TYPE_CHECKING:
    from dreamreview.model.files import FileState

_SHOWN = 3


def from_diffs(ground: Ground, diffs: Sequence[tuple[str, bytes]]) -> Suggested:
    """Return what unified diffs suggest, made one after the other; git's mails and concatenated diffs count as several.

    Args:
        ground: the store.
        diffs: name, for people to read, and bytes of each.

    Raises:
        StoreError: one holds more than an import may, the store cannot be read, or git is missing.
    """
    making = Making(ground)
    for name, data in diffs:
        diff = read_diff(data, name)
        _make_all(making, name, diff, name_all(diff.files, ground))
    _take_misplaced_back(making)
    return Suggested(
        source="patch",
        changes=_changes(making),
        before=_before(making),
        left=tuple(making.left),
        done=making.done,
        warnings=tuple(making.warnings),
        narrative=f"Imported from {_listed([name for name, _ in diffs])}.",
    )


def _make_all(making: Making, name: str, diff: Diff, names: Sequence[Named]) -> None:
    parts = list(zip(diff.files, names, strict=True))
    for number, subject in enumerate(diff.subjects):
        own = [(file, named) for file, named in parts if file.section == number]
        leaving = {
            named.old
            for file, named in own
            if named.old is not None and (named.new is None or b"rename from" in file.marks)
        }
        source = f"In {name}" + (f": {subject}" if subject else "; nobody said why")
        section = Section(making, name, source, not diff.is_converted, dict(making.tree), leaving)
        for file, named in own:
            section.make(file, named)
        section.end()


def _take_misplaced_back(making: Making) -> None:
    """Take back what would stand below a file or a link, or where a folder is."""
    entries = making.ground.live.entries
    while True:
        stays = {path: entry.mode == LINK_MODE for path, entry in entries.items() if path not in making.tree}
        fresh = {path: state.is_link for path, state in making.tree.items() if state is not None}
        wrong = misplaced(stays | fresh, {path for path in fresh if path not in entries})
        if not wrong:
            return
        for path, reason in sorted(wrong.items()):
            making.take_back(path, reason)


def _before(making: Making) -> dict[str, FileState]:
    return {path: state for path in making.tree if (state := making.ground.state(path)) is not None}


def _changes(making: Making) -> tuple[Change, ...]:
    base = _before(making)
    after = {path: state for path, state in making.tree.items() if state is not None}
    by_reason: dict[str, list[list[FileEdit]]] = {}
    for group in edits_between(base, after, making.ground.differ):
        names = [path for edit in group for path in names_of(edit)]
        told = dict.fromkeys(one for path in names for one in making.sources.get(path, ()))
        by_reason.setdefault("; ".join(told) + ".", []).append(group)
    return in_place_order(
        change
        for reason, groups in by_reason.items()
        for change in as_changes(groups, base, reason=reason, unknown=making.unproven)
    )


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
