"""Where proposals lie: their names, publishing one in one step, their manifests, and closing them."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from dreamreview.errors import InvalidManifestError, StoreError, UnsafePathError
from dreamreview.model import manifest
from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import OBSERVED
from dreamreview.store import bases, staging
from dreamreview.store.bases import PROPOSAL_ID, BaseRecord
from dreamreview.store.bookkeeping import MANIFEST, PROPOSALS, REVIEWS
from dreamreview.store.composing import composed, default_edits, names_of, rendered
from dreamreview.store.copying import Stamp, copy_all, put, tree_mode
from dreamreview.store.flushing import flushing
from dreamreview.store.folder import telling
from dreamreview.store.rooted import MissingPathError, Root, check_path, shown
from dreamreview.store.scan import Scan, check_memory_path, digest_of, tree_digest

if TYPE_CHECKING:
    from dreamreview.model.proposal import Proposal

MANY_FILES = 500
"""Files of a store from which its copy is flushed while it is written."""

RACY_NS = 2_000_000_000
"""A file changed this shortly before it was looked at may change again and look the same; FAT's clock ticks in 2 s."""

_TICK = timedelta(milliseconds=1)


def new_id(root: Root, now: datetime) -> str:
    """Return the id of a proposal made now: ``yyyyMMdd'T'HHmmssSSS`` in UTC, or the next free millisecond."""
    moment = now.astimezone(UTC)
    while True:
        name = moment.strftime("%Y%m%dT%H%M%S") + f"{moment.microsecond // 1000:03d}"
        if not _is_taken(root, name):
            return name
        moment += _TICK


def list_ids(root: Root) -> tuple[str, ...]:
    """Return the names of all proposals, closed ones included, newest first; links are passed over."""
    names: list[tuple[str, str]] = []
    try:
        with root.enter(PROPOSALS, "list") as folder:
            for entry in folder.scan():
                if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                    seconds = 0.0 if PROPOSAL_ID.fullmatch(entry.name) else entry.stat(follow_symlinks=False).st_mtime
                    names.append((_stamp(seconds) if seconds else entry.name, entry.name))
    except MissingPathError:
        return ()
    return tuple(name for _, name in sorted(names, reverse=True))


def place(proposal: str) -> str:
    """Return where a proposal lies, relative to the store.

    Raises:
        UnsafePathError: the id is no name of a folder that can be a proposal.
    """
    if len(check_path(proposal)) != 1 or proposal.startswith("."):
        raise UnsafePathError(f"{shown(proposal)} is no name of a proposal")
    return f"{PROPOSALS}/{proposal}"


def created_at(root: Root, proposal: str) -> str:
    """Return when a proposal was made, RFC 3339 UTC: by its name, else by the time of its folder."""
    name = proposal
    if not PROPOSAL_ID.fullmatch(name):
        found = root.stat(place(proposal))
        name = _stamp(found.st_mtime if found else 0.0)
    try:
        moment = _moment(name)
    except ValueError:
        moment = datetime.fromtimestamp(0, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def read_manifest(root: Root, proposal: str) -> bytes | None:
    """Return the bytes of a proposal's manifest, None where it has none.

    Raises:
        StoreError: it cannot be read, or is larger than any manifest may be.
    """
    try:
        return root.read(f"{place(proposal)}/{MANIFEST}", manifest.MAX_BYTES)
    except MissingPathError:
        return None


def peek(root: Root, proposal: str) -> Proposal | None:
    """Return a proposal as its manifest or its record tells it, without looking at the copy; None where neither does.

    Raises:
        InvalidManifestError: the manifest does not follow its format, and no record is kept.
        StoreError: it cannot be read.
    """
    record, _ = bases.read(root, proposal)
    if record is not None and record.is_observed:
        return record.proposal
    data = read_manifest(root, proposal)
    if record is not None and (data is None or digest_of(data) == record.manifest):
        return record.proposal
    return disbelieved(replace(manifest.loads(data), id=proposal)) if data is not None else None


def disbelieved(proposal: Proposal) -> Proposal:
    """Return a proposal as a manifest tells it, which cannot say that its changes were made already: we know that."""
    is_claimed = proposal.base.kind == OBSERVED
    return replace(proposal, base=replace(proposal.base, kind="declared")) if is_claimed else proposal


def publish(
    root: Root,
    proposal: Proposal,
    changed: Mapping[str, tuple[bytes, int] | None],
    live: Scan,
    base: Mapping[str, FileState] | None = None,
) -> Proposal:
    """Write a proposal: a copy of the store with its changes made, its manifest, and the base it speaks of.

    The copy appears in one step or not at all. Returns the proposal as published: with its id (the next free one if
    its own is taken), the digest of its base and that of its rendering.

    Args:
        root: the store; its lock should be held.
        proposal: what is proposed.
        changed: path to what the copy holds there (bytes, mode), None where it holds nothing.
        live: the store as it stands, which the rest of the copy is made of.
        base: what the changed paths hold in the base, by default what they hold live.

    Raises:
        StoreError: the copy cannot be written, or is not what the changes make of the base.
        InvalidManifestError: the changes cannot stand in one proposal.
        UnsafePathError: a changed path leads outside the store.
    """
    staging.sweep(root)
    _check_paths(changed, live)
    touched = {*changed, *(name for edit in default_edits(proposal.changes) for name in names_of(edit))}
    before = _states(root, live, touched) if base is None else {path: base[path] for path in touched if path in base}
    _check_rendering(proposal, before, changed, touched)
    name = new_id(root, _moment(proposal.id))
    with staging.staged(root, name) as (copy, path):
        # A file of the copy that came out empty after a loss of power would read like an edit of its own.
        with flushing(copy, beside=len(live.entries) > MANY_FILES):
            record = _fill(root, copy, replace(proposal, id=name), changed, live, before)
            data = manifest.dumps(record.proposal)
            manifest.loads(data)
        copy.write_atomic(MANIFEST, data, 0o600)
        bases.write(root, replace(record, manifest=digest_of(data)))
        root.rename(path, place(name))
    return record.proposal


def save_status(root: Root, proposal: str, status: str, told: Proposal | None = None) -> None:
    """Write down a proposal's status: in its manifest where it has one, and in its record.

    Args:
        root: the store.
        proposal: its id.
        status: how it stands.
        told: the proposal as found, to write down where nothing is kept of it yet: its base moved under every look.

    Raises:
        StoreError: it cannot be written, or nothing is known of the proposal.
    """
    record, _ = bases.read(root, proposal)
    data = read_manifest(root, proposal)
    if data is not None:
        _rewrite(root, proposal, data, record, status)
    elif record is not None:
        bases.write(root, replace(record, proposal=replace(record.proposal, status=status)))
    elif told is not None:
        _rewrite(root, proposal, _whole(told), None, status)
    else:
        raise StoreError(f"{shown(proposal)} was never opened, so it has no status; open it first")


def close(root: Root, proposal: Proposal, status: str) -> None:
    """Take a proposal's copy away for good; its manifest stays, or is written where it had none.

    Raises:
        StoreError: it cannot be written or removed.
    """
    folder, record = place(proposal.id), bases.read(root, proposal.id)[0]
    data = read_manifest(root, proposal.id)
    if data is None or not _tells(data, proposal):
        data = _whole(proposal)
        record = None if record is None else replace(record, manifest=digest_of(data))
    if record is not None:
        changes = manifest.loads(data).changes
        told, order = replace(record.proposal, changes=changes), tuple(change.id for change in changes)
        record = replace(record, proposal=told, gone=(), order=order, undeclared=0, copy={})
    _rewrite(root, proposal.id, data, record, status, is_closed=True)
    for name in root.listing(folder):
        if name == MANIFEST:
            continue
        found = root.stat(f"{folder}/{name}")
        if found is not None and stat.S_ISDIR(found.st_mode):
            root.remove_tree(f"{folder}/{name}")
        else:
            root.remove(f"{folder}/{name}")


def has_copy(root: Root, proposal: str) -> bool:
    """Tell whether more than a manifest is left of a proposal."""
    return any(name != MANIFEST for name in root.listing(place(proposal)))


def distrusted(stamps: Mapping[str, Stamp]) -> dict[str, Stamp]:
    """Return stamps as they may be kept: one that is too young to be trusted is looked at again next time."""
    youngest = time.time_ns() - RACY_NS
    return {
        path: stamp if stamp.mtime_ns <= youngest else stamp._replace(mtime_ns=-1) for path, stamp in stamps.items()
    }


def digest_of_tree(stamps: Mapping[str, Stamp]) -> str:
    """Return the digest of a tree, of whose modes only the executable bit counts."""
    return tree_digest((path, tree_mode(stamp.mode), stamp.digest) for path, stamp in stamps.items())


def _moment(name: str) -> datetime:
    return datetime.strptime(name, "%Y%m%dT%H%M%S%f").replace(tzinfo=UTC)


def _is_taken(root: Root, name: str) -> bool:
    places = (f"{PROPOSALS}/{name}", f"{PROPOSALS}/{staging.TEMP}{name}", f"{REVIEWS}/{name}.jsonl")
    return any(root.exists(path) for path in places) or bases.exists(root, name)


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%dT%H%M%S%f")[:-3]


def _states(root: Root, live: Scan, paths: set[str]) -> dict[str, FileState]:
    found: dict[str, FileState] = {}
    for path in sorted(paths & live.entries.keys()):
        entry = live.entries[path]
        data = os.fsencode(root.read_link(path)) if entry.kind == "link" else root.read(path)
        found[path] = FileState(text=split_lines(data), mode=entry.mode)
    return found


def _check_paths(paths: Iterable[str], live: Scan) -> None:
    """Refuse changes of what is no memory, and of what is left out of the store just now: no review would show them."""
    for path in paths:
        check_memory_path(path)
        if live.leaves_out(path):
            why = next(reason for left, reason in live.excluded.items() if f"{path}/".startswith(f"{left}/"))
            raise StoreError(f"{shown(path)} was left out of the store just now: {why}; try again in a moment")


def _check_rendering(
    proposal: Proposal,
    before: Mapping[str, FileState],
    changed: Mapping[str, tuple[bytes, int] | None],
    touched: set[str],
) -> None:
    """Refuse a copy that is not what its changes make of the base: what is shown must be what is there."""
    try:
        after = composed(before, default_edits(proposal.changes))
    except ValueError as error:
        raise StoreError(f"proposal {proposal.id} does not fit its base: {error}") from error
    for path in sorted(touched):
        state = after.get(path)
        old = before[path].text if path in before else ()
        wanted = None if state is None else (b"".join(rendered(state, old).text), tree_mode(state.mode))
        given = changed[path] if path in changed else _as_it_was(before.get(path))
        if wanted != (None if given is None else (given[0], tree_mode(given[1]))):
            raise StoreError(f"proposal {proposal.id} says something else of {shown(path)} than its copy would hold")


def _as_it_was(state: FileState | None) -> tuple[bytes, int] | None:
    return None if state is None else (b"".join(state.text), state.mode)


def _fill(
    root: Root,
    copy: Root,
    proposal: Proposal,
    changed: Mapping[str, tuple[bytes, int] | None],
    live: Scan,
    before: Mapping[str, FileState],
) -> BaseRecord:
    problems = dict(live.excluded)
    kept = [entry for path, entry in live.entries.items() if path not in changed]
    base, stamps = copy_all(root, kept, copy, problems)
    for path in changed:
        state = before.get(path)
        if state is not None:
            data = b"".join(state.text)
            base[path] = Stamp(len(data), -1, state.mode, 0, digest_of(data))
    stamps |= {path: _write(copy, path, *held) for path, held in changed.items() if held is not None}
    rendering = digest_of_tree(stamps)
    return BaseRecord(
        proposal=replace(proposal, base=replace(proposal.base, digest=digest_of_tree(base)), rendering=rendering),
        base=base,
        texts={path: b"".join(before[path].text) for path in changed if path in before},
        copy=distrusted(stamps),
        order=tuple(change.id for change in proposal.changes),
        excluded=problems,
    )


def _write(copy: Root, path: str, data: bytes, mode: int) -> Stamp:
    above, _, name = path.rpartition("/")
    if above:
        copy.make_dirs(above, 0o700)
    with copy.enter(above, "write in") as folder, telling("write", path, copy.path):
        return put(folder, name, data, Stamp(len(data), -1, mode, 0, digest_of(data)))


def _tells(data: bytes, proposal: Proposal) -> bool:
    """Tell whether a manifest holds the very changes of a proposal, all of them still shown by its copy."""
    try:
        found = manifest.loads(data)
    except InvalidManifestError:
        return False
    ids = [change.id for change in proposal.changes if "gone" not in change.flags]
    return ids == [change.id for change in found.changes]


def _whole(proposal: Proposal) -> bytes:
    """Return the manifest of a proposal as found, without what its copy no longer shows where that is in the way."""
    data = manifest.dumps(bases.storable(proposal))
    try:
        manifest.loads(data)
    except InvalidManifestError:
        left = tuple(change for change in proposal.changes if "gone" not in change.flags)
        data = manifest.dumps(bases.storable(replace(proposal, changes=left)))
    return data


def _rewrite(
    root: Root, proposal: str, data: bytes, record: BaseRecord | None, status: str, *, is_closed: bool = False
) -> None:
    """Change the status in a manifest and leave all else in it, also what we do not know, as it is.

    The manifest of a closed proposal says that there is no copy: it has no rendering.
    """
    try:
        document = {**json.loads(data), "status": status, **({"rendering": ""} if is_closed else {})}
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError(f"the manifest of {shown(proposal)} cannot be read: {error}") from error
    fresh = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"
    root.write_atomic(f"{place(proposal)}/{MANIFEST}", fresh, 0o600)
    if record is not None:
        told = replace(record.proposal, status=status, rendering="" if is_closed else record.proposal.rendering)
        known = digest_of(fresh) if record.manifest in (digest_of(data), "") else record.manifest
        bases.write(root, replace(record, proposal=told, manifest=known))
