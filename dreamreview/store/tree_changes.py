"""What an engine changed in its private copy, as changes of the store that the copy was made of."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import Base, Proposal
from dreamreview.store.comparing import compare
from dreamreview.store.copying import stamp_all
from dreamreview.store.first_base import Found
from dreamreview.store.opening import left_in
from dreamreview.store.rooted import shown
from dreamreview.store.scan import DEFAULT_IGNORE, SIZE_LIMIT, scan
from dreamreview.store.undeclared import BASE_UNKNOWN

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change
    from dreamreview.store.differ import GitDiffer
    from dreamreview.store.rooted import Root
    from dreamreview.store.working_copy import WorkingCopy

_NAMED = 5


@dataclass(frozen=True, slots=True)
class TreeChanges:
    """What differs in a private copy."""

    changes: tuple[Change, ...]
    """In path order, as of a copy that nobody explained."""
    before: Mapping[str, FileState]
    """What the store held, when it was copied, under every path that a change names."""
    warnings: tuple[str, ...] = ()
    is_emptied: bool = False
    """Whether there is nothing left in the copy, or the copy itself is gone."""


def changes_in(
    working: WorkingCopy,
    root: Root,
    differ: GitDiffer,
    *,
    ignore: tuple[str, ...] = DEFAULT_IGNORE,
    size_limit: int = SIZE_LIMIT,
) -> TreeChanges:
    """Compare a private copy with the store as it was copied, as a copy that other programs leave is compared.

    Changes of files that somebody wrote to in the store meanwhile are left out, and named.

    Raises:
        StoreError: the copy cannot be read, or git is missing.
    """
    if os.path.islink(working.copy.path) or not os.path.isdir(working.copy.path):
        return TreeChanges((), {}, is_emptied=True)
    seen = scan(working.copy, ignore, size_limit)
    if working.base and not seen.entries:
        return TreeChanges((), {}, is_emptied=True)
    problems: dict[str, str] = {}
    excluded = {**working.excluded, **seen.excluded}
    table = stamp_all(working.copy, [seen.entries[path] for path in left_in(seen.entries, excluded)], problems)
    excluded |= problems
    base = {path: working.base[path] for path in left_in(working.base, excluded)}
    found = Found(Base(kind="declared", digest="", at=""), base)
    nothing = Proposal(id="", created_at="", base=found.base, changes=())
    kept = {path: table[path] for path in left_in(table, excluded)}
    record = compare(nothing, found, kept, root, working.copy, differ)
    all_out = {**excluded, **record.excluded}
    own = {path: why for path, why in all_out.items() if path not in working.excluded or path in seen.entries}
    moved = [change for change in record.proposal.changes if BASE_UNKNOWN in change.flags]
    return TreeChanges(
        changes=tuple(change for change in record.proposal.changes if BASE_UNKNOWN not in change.flags),
        before={path: FileState(split_lines(data), record.base[path].mode) for path, data in record.texts.items()},
        warnings=(*_left_out(own), *_moved(moved)),
    )


def _left_out(excluded: Mapping[str, str]) -> Iterator[str]:
    if excluded:
        named = ", ".join(f"{shown(path)} ({excluded[path]})" for path in sorted(excluded)[:_NAMED])
        more = f" and {len(excluded) - _NAMED} more" if len(excluded) > _NAMED else ""
        yield f"left out of what the engine did: {named}{more}"


def _moved(changes: list[Change]) -> Iterator[str]:
    if changes:
        paths = sorted({edit.path for change in changes for edit in change.edits})
        more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
        named = ", ".join(shown(path) for path in paths[:_NAMED])
        yield f"changed while the engine thought, so what it did there is left out: {named}{more}"
