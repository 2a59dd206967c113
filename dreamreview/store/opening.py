"""How a proposal is opened: its copy held against its base, or, where nothing moved since, what was kept of that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from dreamreview.errors import InvalidManifestError, StoreError, UnsafePathError
from dreamreview.model import manifest
from dreamreview.model.proposal import GONE, Base, Proposal
from dreamreview.store import bases, proposals
from dreamreview.store.bookkeeping import MANIFEST
from dreamreview.store.copying import Stamp, same_content, stamp_all
from dreamreview.store.moves import above
from dreamreview.store.proposals import disbelieved, distrusted, place
from dreamreview.store.rooted import Root, shown
from dreamreview.store.scan import (
    DEFAULT_IGNORE,
    SIZE_LIMIT,
    UNSEEN,
    Entry,
    Scan,
    digest_of,
    is_bookkeeping,
    may_pass,
    scan,
)
from dreamreview.store.views import OpenedCopy, of_closed, of_copy, of_observed

if TYPE_CHECKING:
    from dreamreview.store.bases import BaseRecord
    from dreamreview.store.differ import GitDiffer
    from dreamreview.store.first_base import Found, Snapshot

_NAMED = 5
"""How many of the paths that were left out a warning names."""


@dataclass(slots=True)
class _Opening:
    """A proposal on its way to being opened."""

    root: Root
    copy: Root
    proposal: str
    live: Callable[[], Scan]
    seen: Scan
    record: BaseRecord | None
    warnings: list[str]
    keeps: bool
    declared: Proposal | None = None
    manifest: str = ""
    excluded: dict[str, str] = field(default_factory=dict)
    table: dict[str, Stamp] = field(default_factory=dict)


def open_copy(
    root: Root,
    proposal: str,
    live: Callable[[], Scan],
    differ: GitDiffer,
    *,
    ignore: Iterable[str] = DEFAULT_IGNORE,
    size_limit: int = SIZE_LIMIT,
    now: datetime | None = None,
    snapshot: Snapshot | None = None,
    keeps: bool = False,
) -> OpenedCopy:
    """Open a proposal: compare its copy with its base, or trust what was kept where nothing moved since.

    Args:
        root: the store, in which `proposal` is the name of a folder.
        live: looks at the store as it stands, the base of a bare copy seen for the first time; asked where needed.
        differ: where hunks come from.
        ignore: as for `scan`, like `size_limit`, and the same as for `live`.
        now: when the base is taken, if it is taken now.
        snapshot: the newest state of the store that is not younger than the proposal, where one is known.
        keeps: whether the base is kept whatever passed just now, since what is applied next speaks of it for good.

    Raises:
        MissingPathError, UnsafePathError: there is no such proposal, or it is a link, or no name of a folder.
        StoreError: something cannot be read, or git is missing.
    """
    copy = _copy_of(root, proposal)
    record, problem = bases.read(root, proposal)
    if record is not None and record.is_observed:
        return of_observed(root, record)
    seen = scan(copy, ignore, size_limit)
    work = _Opening(root, copy, proposal, cache(live), seen, record, [problem] if problem else [], keeps)
    _read_declared(work)
    if work.declared is not None and not work.declared.rendering and not work.seen.entries:
        return of_closed(root, work.live(), record, work.declared, tuple(work.warnings))
    _look(work)
    if record is not None and _stands(work, record):
        return _answer(work, _refreshed(work, record))
    return _answer(work, _compared(work, differ, _base(work, now or datetime.now(UTC), differ, snapshot)))


def _copy_of(root: Root, proposal: str) -> Root:
    with root.enter(place(proposal)):
        return Root(root.absolute(place(proposal)))


def open_kept(root: Root, proposal: str) -> OpenedCopy | None:
    """Return a proposal as it was last opened, without a look at its copy; None where nothing usable was kept of it."""
    record, _ = bases.read(root, proposal)
    if record is not None and record.is_observed:
        return of_observed(root, record)
    if record is None or not proposals.has_copy(root, proposal):
        return None
    data = proposals.read_manifest(root, proposal)
    if data is not None and digest_of(data) != record.manifest:
        return None
    return of_copy(root, Root(root.absolute(place(proposal))), record, _whole(record, with_rest=True), ())


def _read_declared(work: _Opening) -> None:
    """Find the declared changes: the manifest's, or those our record holds of a manifest that went missing."""
    record = work.record
    try:
        data = proposals.read_manifest(work.root, work.proposal)
        work.manifest = digest_of(data) if data is not None else record.manifest if record else ""
        if record is not None and record.manifest and work.manifest == record.manifest:
            work.declared = _whole(record, with_rest=False)
        elif data is not None:
            work.declared = disbelieved(replace(manifest.loads(data), id=work.proposal))
    except (InvalidManifestError, StoreError, UnsafePathError) as error:
        where = shown(f"{place(work.proposal)}/{MANIFEST}")
        work.warnings.append(f"{where} cannot be used ({error}); what the copy shows is taken instead")
        work.manifest = ""


def _look(work: _Opening) -> None:
    """Stamp the copy, reading only what moved since it was last stamped, and find what is left out of both sides."""
    inside = [shown(name) for name in work.copy.listing() if is_bookkeeping(name) and name != MANIFEST]
    if inside:
        where = shown(place(work.proposal))
        work.warnings.append(f"{where} holds bookkeeping of its own, which is ignored: {', '.join(inside)}")
    kept = work.record
    work.excluded = {**(kept.excluded if kept else work.live().excluded), **work.seen.excluded}
    known = kept.copy if kept else {}
    table: dict[str, Stamp] = {}
    fresh: list[Entry] = []
    for path in left_in(work.seen.entries, work.excluded):
        entry, stamp = work.seen.entries[path], known.get(path)
        if stamp is not None and stamp[:4] == (entry.size, entry.mtime_ns, entry.mode, entry.inode):
            table[path] = stamp
        else:
            fresh.append(entry)
    problems: dict[str, str] = {}
    table |= stamp_all(work.copy, fresh, problems)
    work.excluded |= problems
    work.table = table | _unseen(work, known, problems)


def _unseen(work: _Opening, known: Mapping[str, Stamp], problems: Mapping[str, str]) -> dict[str, Stamp]:
    """Return what was known of paths that cannot be looked at just now: they are neither gone nor left out for that."""
    blind = {path for path, why in work.seen.excluded.items() if why.startswith(UNSEEN)} | problems.keys()
    held = (
        {path: known[path] for path in known if path in blind or any(a in blind for a in above(path))} if blind else {}
    )
    kept = work.record.excluded if work.record else {}
    for path in sorted(blind - kept.keys()):
        if path in held or any(a == path for one in held for a in above(one)):
            why = work.excluded.pop(path)
            work.warnings.append(f"{shown(path)} of the copy is taken as it was last seen: {why}")
    return {path: stamp for path, stamp in held.items() if path not in work.excluded}


def left_in(paths: Iterable[str], excluded: Collection[str]) -> list[str]:
    """Return the paths that are neither left out nor above or below what is."""
    if not excluded:
        return list(paths)
    over = {folder for path in excluded for folder in above(path)}
    return [path for path in paths if not (path in excluded or path in over or any(a in excluded for a in above(path)))]


def _stands(work: _Opening, record: BaseRecord) -> bool:
    """Tell whether what was kept still tells the whole truth."""
    if record.manifest != work.manifest or record.excluded.keys() != work.excluded.keys():
        return False
    table, kept = work.table, record.copy
    return table.keys() == kept.keys() and all(same_content(table[path], kept[path]) for path in table)


def _refreshed(work: _Opening, record: BaseRecord) -> BaseRecord:
    """Keep the younger stamps, so that what can be trusted by now is not read again."""
    stamps = distrusted(work.table)
    if stamps == record.copy:
        return record
    fresh = replace(record, copy=stamps)
    bases.write(work.root, fresh, durable=False)
    return fresh


def _base(work: _Opening, now: datetime, differ: GitDiffer, snapshot: Snapshot | None) -> Found:
    """Return the base that was kept, or find one, without what is left out."""
    from dreamreview.store import ancestors, first_base

    record = work.record
    if record is not None:
        found = first_base.Found(record.proposal.base, record.base, record.texts, record.unknown, record.is_known)
    else:
        declared = work.declared
        proven = first_base.of_declared(declared, work.root, work.live(), work.copy, work.table) if declared else None
        problems: dict[str, str] = {}
        if proven is not None:
            found = proven
        elif snapshot is not None:
            found = first_base.of_snapshot(snapshot)
        else:
            paths = left_in(work.live().entries, work.excluded)
            found = first_base.of_live(work.root, work.live(), paths, problems, now)
            if declared is None:
                found = ancestors.find(work.root, work.proposal, found, work.table, work.copy, differ) or found
            elif proposals.digest_of_tree(found.table) == declared.base.digest:
                found = replace(found, base=declared.base)
        work.excluded |= problems
    work.table = {path: work.table[path] for path in left_in(work.table, work.excluded)}
    table = {path: found.table[path] for path in left_in(found.table, work.excluded)}
    return replace(found, table=table)


def _compared(work: _Opening, differ: GitDiffer, found: Found) -> BaseRecord:
    """Compare the copy with its base, and keep what was found."""
    from dreamreview.store.comparing import compare

    suggested = work.declared or _bare(work, found.base)
    fresh = compare(suggested, found, work.table, work.root, work.copy, differ)
    fresh = replace(fresh, manifest=work.manifest, excluded={**work.excluded, **fresh.excluded})
    is_first = work.record is None and not work.keeps
    if not (is_first and (fresh.unknown - found.unknown or any(map(may_pass, fresh.excluded.values())))):
        # A first look past which something was hidden just now is not kept for the whole truth.
        bases.write(work.root, fresh)
    return fresh


def _bare(work: _Opening, base: Base) -> Proposal:
    """Return what is known of a proposal that says nothing of itself."""
    status = work.record.proposal.status if work.record else "ready"
    created = proposals.created_at(work.root, work.proposal)
    rendering = proposals.digest_of_tree(work.table)
    return Proposal(id=work.proposal, created_at=created, base=base, changes=(), status=status, rendering=rendering)


def _whole(record: BaseRecord, *, with_rest: bool) -> Proposal:
    """Return the proposal of a record with the changes that are gone put back in their places."""
    if not record.gone and (with_rest or not record.undeclared):
        return record.proposal
    changes = {change.id: change for change in record.proposal.changes}
    for change in record.gone:
        flags = (*change.flags, GONE) if with_rest else change.flags
        changes[change.id] = replace(change, flags=flags)
    declared = len(record.order) if with_rest else len(record.order) - record.undeclared
    ordered = tuple(changes[name] for name in record.order[:declared])
    return replace(record.proposal, changes=manifest.ranked(ordered))


def _answer(work: _Opening, record: BaseRecord) -> OpenedCopy:
    warnings = [*work.warnings, *_left_out(record.excluded)]
    if record.unknown:
        names = ", ".join(shown(path) for path in sorted(record.unknown)[:_NAMED])
        warnings.append(f"what these held when the copy was made is not known; live is compared instead: {names}")
    proposal = _whole(record, with_rest=True)
    return of_copy(work.root, work.copy, record, proposal, tuple(warnings))


def _left_out(excluded: Mapping[str, str]) -> list[str]:
    if not excluded:
        return []
    named = [f"{shown(path)} ({excluded[path]})" for path in sorted(excluded)[:_NAMED]]
    more = f" and {len(excluded) - _NAMED} more" if len(excluded) > _NAMED else ""
    return [f"left out of the review on both sides: {', '.join(named)}{more}"]
