"""What base and copy of an opened proposal hold, path by path, read when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError
from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.store.composing import composed, default_edits, rendered
from dreamreview.store.copying import read_held
from dreamreview.store.rooted import Root, shown
from dreamreview.store.scan import Entry, Scan, digest_of

if TYPE_CHECKING:
    from dreamreview.model.proposal import Proposal
    from dreamreview.store.bases import BaseRecord
    from dreamreview.store.copying import Stamp


@dataclass(frozen=True, slots=True)
class OpenedCopy:
    """A proposal as its copy shows it now."""

    proposal: Proposal
    base: Callable[[str], FileState | None]
    """What stands under a path in the base, None where nothing does; StoreError where that cannot be told any more."""
    proposed: Callable[[str], FileState | None]
    """The same of the copy."""
    base_paths: frozenset[str]
    proposed_paths: frozenset[str]
    warnings: tuple[str, ...] = ()
    """What was odd, one sentence each."""


def of_copy(root: Root, copy: Root, record: BaseRecord, proposal: Proposal, warnings: tuple[str, ...]) -> OpenedCopy:
    """Return the views of a proposal whose copy is there and was compared."""
    views = _Views(root, copy, record)
    return OpenedCopy(
        proposal=proposal,
        base=views.base,
        proposed=views.proposed,
        base_paths=frozenset(record.base),
        proposed_paths=frozenset(record.copy),
        warnings=warnings,
    )


def of_closed(
    root: Root, live: Scan, record: BaseRecord | None, proposal: Proposal, warnings: tuple[str, ...]
) -> OpenedCopy:
    """Return the views of a proposal of which only manifest and record are left: its copy is composed again."""
    table: Mapping[str, Stamp] = record.base if record else {}
    before = _kept(record) if record else _touched(root, live, proposal)
    try:
        tree = composed(before, default_edits(proposal.changes))
    except ValueError:
        tree = before
        warnings = (*warnings, f"the base of {shown(proposal.id)} is not kept any more; live is shown instead")
    after = {path: rendered(state, before[path].text if path in before else ()) for path, state in tree.items()}

    def base(path: str) -> FileState | None:
        if path in before or (table and path not in table):
            return before.get(path)
        return _now(root, live.entries.get(path))

    def proposed(path: str) -> FileState | None:
        return after.get(path) if path in after or path in before else base(path)

    paths = frozenset(table or live.entries)
    return OpenedCopy(
        proposal=proposal,
        base=base,
        proposed=proposed,
        base_paths=paths,
        proposed_paths=(paths - (before.keys() - after.keys())) | after.keys(),
        warnings=warnings,
    )


def _kept(record: BaseRecord) -> dict[str, FileState]:
    return {path: FileState(split_lines(data), record.base[path].mode) for path, data in record.texts.items()}


def _touched(root: Root, live: Scan, proposal: Proposal) -> dict[str, FileState]:
    """Return what live holds under the paths that a proposal changes, for want of its base."""
    paths = {edit.path for change in proposal.changes for edit in change.all_edits}
    found = {path: _now(root, live.entries.get(path)) for path in paths}
    return {path: state for path, state in found.items() if state is not None}


def _now(root: Root, entry: Entry | None) -> FileState | None:
    if entry is None:
        return None
    data = read_held(root, entry.path, entry.mode)
    return None if data is None else FileState(split_lines(data), entry.mode)


@dataclass(frozen=True, slots=True)
class _Views:
    """Base and copy, path by path."""

    root: Root
    copy: Root
    record: BaseRecord

    def base(self, path: str) -> FileState | None:
        """Return what stands under a path in the base: kept, or the same in the copy or live."""
        stamp = self.record.base.get(path)
        if stamp is None:
            return None
        data = self.record.texts.get(path)
        for root in (self.copy, self.root):
            if data is None:
                data = _exactly(root, path, stamp)
        if data is None:
            raise StoreError(f"{shown(path)} changed while {shown(self.record.proposal.id)} was open; open it again")
        return FileState(split_lines(data), stamp.mode)

    def proposed(self, path: str) -> FileState | None:
        """Return what stands under a path in the copy as it was compared."""
        stamp = self.record.copy.get(path)
        if stamp is None:
            return None
        data = _exactly(self.copy, path, stamp)
        if data is None:
            raise StoreError(f"{shown(path)} changed while {shown(self.record.proposal.id)} was open; open it again")
        return FileState(split_lines(data), stamp.mode)


def _exactly(root: Root, path: str, stamp: Stamp) -> bytes | None:
    data = read_held(root, path, stamp.mode)
    return data if data is not None and digest_of(data) == stamp.digest else None


def of_observed(root: Root, record: BaseRecord) -> OpenedCopy:
    """Return the views of changes that others made already: what they make of the base, and else the live folder.

    Both texts of a path that was changed are as they were when that was last looked at.
    """
    before = _kept(record)
    after = composed(before, default_edits(record.proposal.changes))
    after = {path: rendered(state, before[path].text if path in before else ()) for path, state in after.items()}
    touched = before.keys() | after.keys()

    def live(path: str) -> FileState | None:
        stamp = record.base.get(path)
        data = None if stamp is None else read_held(root, path, stamp.mode)
        return None if stamp is None or data is None else FileState(split_lines(data), stamp.mode)

    def base(path: str) -> FileState | None:
        return before.get(path) if path in touched else live(path)

    def proposed(path: str) -> FileState | None:
        return after.get(path) if path in touched else live(path)

    paths = frozenset(record.base)
    return OpenedCopy(
        proposal=record.proposal,
        base=base,
        proposed=proposed,
        base_paths=paths,
        proposed_paths=(paths - before.keys()) | after.keys(),
    )
