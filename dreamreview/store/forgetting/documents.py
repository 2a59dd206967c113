"""What else is kept beside a memory, without what is to be forgotten: records, rejections, what was seen, the rest."""

from __future__ import annotations

import json
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.model.forgetting.logs import redacted_record, redacted_rejections
from dreamreview.model.forgetting.wanted import scrubbed
from dreamreview.store import reviews, seen, statefile
from dreamreview.store.bookkeeping import OWN, PROPOSALS
from dreamreview.store.copying import Stamp
from dreamreview.store.folder import MissingPathError, is_temp
from dreamreview.store.forgetting import repository
from dreamreview.store.forgetting.contents import without_lines
from dreamreview.store.forgetting.request import FOLDER
from dreamreview.store.journal import FOLDER as JOURNAL
from dreamreview.store.journal import Journal
from dreamreview.store.scan import digest_of
from dreamreview.store.snapshots import REPOSITORY as SNAPSHOTS
from dreamreview.store.snapshots import Snapshots

if TYPE_CHECKING:
    from dreamreview.model.forgetting.changes import Outcome
    from dreamreview.model.forgetting.wanted import Scope
    from dreamreview.store.rooted import Root

QUARANTINE = f"{OWN}/quarantine"
_MEMORY = (f"{QUARANTINE}/", f"{PROPOSALS}/.")
"""Where text of the memory lies: put aside, or in a copy that another program is still writing."""
_INDEX = "index.sqlite"
_NAMED = (reviews.FOLDER, f"{OWN}/bases", JOURNAL, FOLDER)
_SINGLE = (reviews.REJECTED, seen.PLACE, f"{seen.FOLDER}/lock", f"{OWN}/lock", f"{OWN}/owner.json")


def rewrite_records(
    root: Root,
    outcomes: Mapping[str, Outcome],
    deeds: Collection[str],
    paths: Collection[str],
    commits: Mapping[str, str],
    name: str,
) -> None:
    """Rewrite the record of every apply and undo; arguments as for `redacted_record`, and old to new commits."""
    journal = Journal(root)
    for record in journal.records():
        fresh = redacted_record(record, outcomes, deeds, paths, name)
        if fresh.commit in commits:
            fresh = replace(fresh, commit=commits[fresh.commit or ""])
        if fresh != record:
            journal.write(fresh)


def rewrite_rejections(root: Root, scope: Scope, fingerprints: Collection[str]) -> None:
    """Take what is forgotten out of what was rejected for good."""
    with suppress(MissingPathError):
        data = root.read(reviews.REJECTED)
        fresh = redacted_rejections(data, scope, fingerprints)
        if fresh != data:
            root.write_atomic(reviews.REJECTED, fresh, 0o600)


def rewrite_seen(root: Root, scope: Scope, commits: Mapping[str, str]) -> None:
    """Make what was last seen of the store tell of it as its snapshot holds it now."""
    known, _ = seen.read(root)
    if known is None:
        return
    commit = commits.get(known.commit, known.commit)
    live = {path: stamp for path, stamp in known.live.items() if not scope.drops(path)}
    others = {path: stamp for path, stamp in known.others.items() if not scope.drops(path)}
    with suppress(DreamReviewError):
        now = Snapshots(root).texts(commit, live, before=False)
        then = Snapshots(root).texts(commit, [path for path, stamp in others.items() if stamp is not None])
        live = {path: _stamped(stamp, now.get(path)) for path, stamp in live.items()}
        others = {path: stamp and _stamped(stamp, then.get(path)) for path, stamp in others.items()}
    fresh = replace(known, commit=commit, live=live, others=others)
    if fresh != known:
        seen.write(root, replace(fresh, is_told=False))


def _stamped(stamp: Stamp, data: bytes | None) -> Stamp:
    if data is None or digest_of(data) == stamp.digest:
        return stamp
    return Stamp(len(data), -1, stamp.mode, 0, digest_of(data))


def rewrite_state(root: Root, scope: Scope) -> None:
    """Take what is forgotten out of what is known of the dreams of the store."""
    for name in state_files(root):
        with suppress(MissingPathError):
            data = root.read(name)
            if not scope.is_everywhere or not scope.wanted.count_coded(data):
                continue
            fresh = b"{}\n"
            with suppress(ValueError, RecursionError):
                fresh = json.dumps(scrubbed(scope, json.loads(data)), indent=2).encode("ascii") + b"\n"
            found = root.stat(name)
            root.write_atomic(name, fresh, stat.S_IMODE(found.st_mode) if found else 0o644)


def state_files(root: Root) -> list[str]:
    """Return the state of the dreams and what was set aside of it."""
    return [name for name in root.listing() if name == statefile.NAME or name.startswith(f"{statefile.NAME}.")]


def rewrite_rest(root: Root, scope: Scope) -> None:
    """Deal with files of ours of which nothing else is known: text of the memory loses lines, all else is removed.

    An index goes whole, whatever it holds: it keeps words in ways of its own, and is made again when it is used.
    """
    for path in indexes(root):
        root.remove(path)
    if not scope.is_everywhere:
        return
    for path, data in rest_of(root):
        if not scope.wanted.count_coded(data):
            continue
        is_temporary = is_temp(path.rpartition("/")[2])
        left = None if is_temporary or not path.startswith(_MEMORY) else without_lines(scope, "", data)
        if left is None or (scope.wanted.count_coded(left) and path.startswith(QUARANTINE)):
            root.remove(path)
        elif left != data:
            root.write_atomic(path, left, 0o600)


def sweep(root: Root) -> None:
    """Remove what an earlier try that was killed left half written in copies and among what was put aside."""
    for folder in (PROPOSALS, QUARANTINE):
        with suppress(MissingPathError):
            _sweep(root, folder)


def _sweep(root: Root, folder: str) -> None:
    root.sweep_temps(folder)
    with root.enter(folder, "list") as opened:
        names = [entry.name for entry in opened.scan() if entry.is_dir(follow_symlinks=False)]
    for name in names:
        _sweep(root, f"{folder}/{name}")


def indexes(root: Root) -> tuple[str, ...]:
    """Return the files in which words of the memory are looked up."""
    with suppress(MissingPathError):
        return tuple(f"{OWN}/{name}" for name in root.listing(OWN) if name.startswith(_INDEX))
    return ()


def rest_of(root: Root) -> Iterator[tuple[str, bytes]]:
    """Yield every file of ours that no other part looks after, with its bytes."""
    repositories = (*repository.repositories(root, OWN), SNAPSHOTS)
    for path, data in files_of(root, OWN, skip=repositories):
        if path in indexes(root):
            continue
        is_known = path.startswith(tuple(f"{folder}/" for folder in _NAMED)) or path in _SINGLE
        if not is_known or is_temp(path.rpartition("/")[2]):
            yield path, data
    with suppress(MissingPathError):
        for name in root.listing(PROPOSALS):
            path = f"{PROPOSALS}/{name}"
            found = root.stat(path)
            if found is not None and stat.S_ISREG(found.st_mode):
                yield path, root.read(path)
            elif name.startswith("."):
                yield from files_of(root, path)
            elif found is not None and stat.S_ISDIR(found.st_mode):
                temps = (f"{path}/{one}" for one in root.listing(path) if is_temp(one))
                yield from ((temp, root.read(temp)) for temp in temps)


def files_of(root: Root, folder: str, skip: Collection[str] = ()) -> Iterator[tuple[str, bytes]]:
    """Yield every regular file under a folder of ours, with its bytes; links are passed over."""
    try:
        names = root.listing(folder)
    except MissingPathError:
        return
    for name in names:
        path = f"{folder}/{name}"
        found = root.stat(path)
        if found is None or path in skip:
            continue
        if stat.S_ISDIR(found.st_mode):
            yield from files_of(root, path, skip)
        elif stat.S_ISREG(found.st_mode):
            with suppress(MissingPathError):
                yield path, root.read(path)
