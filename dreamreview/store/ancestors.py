"""What live and a bare copy both come from: the whole store as it was last seen before the copy was made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from dreamreview.model.edits import between, compose, render, split, split_lines, terminator_of
from dreamreview.model.proposal import LINK_MODE, Base
from dreamreview.store import bases, proposals
from dreamreview.store.copying import Stamp, read_held, same_content
from dreamreview.store.first_base import Found
from dreamreview.store.history import History
from dreamreview.store.journal import Journal
from dreamreview.store.moves import is_executable
from dreamreview.store.proposals import place
from dreamreview.store.rooted import MissingPathError, Root
from dreamreview.store.scan import digest_of
from dreamreview.store.snapshots import Snapshots

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dreamreview.model.edits import Edit, Text
    from dreamreview.store.bases import BaseRecord
    from dreamreview.store.differ import GitDiffer

DREAMS = frozenset({"local", "claude", "hosted", "command"})
"""Engines that dream the store as it stands; an imported proposal may speak of another state of it."""

BARE = "unknown"
"""Engine of a copy that says nothing of itself."""

_MOST = 12
"""Records, newest first, that are looked at."""


def find(
    root: Root, proposal: str, live: Found, table: Mapping[str, Stamp], copy: Root, differ: GitDiffer
) -> Found | None:
    """Return the base of a bare copy, worked out from the newest look at the store that is not younger than it.

    What stands in the copy as it stands live is no matter. What was written both in the copy and live since that look
    belongs to the base; what was written live alone is never taken for something that the copy removes. A path whose
    text of then is kept nowhere is compared with live, and is unknown.

    Args:
        root: the store.
        proposal: id of the copy.
        live: the store as it stands.
        table: stamps of the copy.
        copy: the folder of the copy.
        differ: where hunks come from.
    """
    made = _moment(proposals.created_at(root, proposal))
    then = _last_seen(root, proposal, made)
    if then is None:
        return None
    then = _with_ours(root, then, made)
    work = _Work(root, then, live.table, table, copy, differ)
    for path in then.table.keys() | live.table.keys() | table.keys():
        work.settle(path)
    work.merge()
    base = Base(kind="first-sight", digest="", at=then.at, tree=then.commit)
    return Found(base, work.base, work.texts, frozenset(work.unknown), is_known=True)


@dataclass(frozen=True, slots=True)
class _Then:
    """A whole look at the store."""

    at: str
    table: Mapping[str, Stamp]
    texts: Mapping[str, bytes]
    folder: str | None = None
    """Where a copy made then lies, which may hold what `texts` does not."""
    commit: str | None = None
    """Object name of the snapshot, where one was kept."""


def _with_ours(root: Root, then: _Then, made: datetime) -> _Then:
    """Return a look with what we wrote ourselves after it and before a moment, where nobody else wrote in between."""
    table, texts = dict(then.table), dict(then.texts)
    for record in Journal(root).records():
        if record.commit is None or not _moment(then.at) <= _moment(record.at) <= made:
            continue
        fitting = [target for target in record.targets if _digest(table.get(target.path)) == target.before]
        held = History(root).files(record.commit, [target.path for target in fitting])
        for target in fitting:
            table.pop(target.path, None)
            texts.pop(target.path, None)
            data = held.get(target.path)
            if data is not None and target.after is not None and target.after_mode is not None:
                table[target.path] = Stamp(len(data), -1, target.after_mode, 0, target.after)
                texts[target.path] = data
    return replace(then, table=table, texts=texts)


def _digest(stamp: Stamp | None) -> str | None:
    return stamp.digest if stamp is not None else None


def _last_seen(root: Root, proposal: str, made: datetime) -> _Then | None:
    """Return the newest whole look at the store that came before a copy: what a proposal kept of it, or a snapshot."""
    found = _of_proposals(root, proposal, made)
    kept = [one for one in Snapshots(root).all() if one.at <= made]
    if not kept or (found is not None and _moment(found.at) >= kept[-1].at):
        return found
    held = Snapshots(root).whole(kept[-1])
    table = {path: Stamp(len(data), -1, mode, 0, digest_of(data)) for path, (data, mode) in held.files.items()}
    texts = {path: data for path, (data, _) in held.files.items()}
    at = kept[-1].at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return _Then(at, table, texts, commit=held.commit)


def _of_proposals(root: Root, proposal: str, made: datetime) -> _Then | None:
    """Return the newest whole look before a moment that a proposal kept the base of."""
    try:
        names = [name for name in root.listing(bases.FOLDER) if name != proposal]
    except MissingPathError:
        return None
    # A proposal is never seen before it is made, so one that is younger than the copy tells nothing of it.
    names = sorted((name for name in names if _moment(proposals.created_at(root, name)) <= made), reverse=True)
    found: list[tuple[datetime, str, BaseRecord]] = []
    for name in names[:_MOST]:
        record, _ = bases.read(root, name)
        at = _seen_at(record) if record is not None else None
        if record is not None and at is not None and _moment(at) <= made:
            found.append((_moment(at), at, record))
    if not found:
        return None
    _, at, record = max(found, key=lambda one: one[0])
    return _Then(at, record.base, record.texts, place(record.proposal.id))


def _seen_at(record: BaseRecord) -> str | None:
    """Return when a record saw all of the store, None where its base is no state that the store was once in."""
    base, engine = record.proposal.base, record.proposal.engine.name
    if base.kind == "declared" and engine in DREAMS:
        # A dream looks again when it publishes; what it did not touch is as it stood then.
        return max(base.at, record.proposal.created_at, key=_moment)
    return base.at if base.kind == "first-sight" and engine == BARE and not record.is_known else None


def _moment(at: str) -> datetime:
    return datetime.fromisoformat(at)


@dataclass(slots=True)
class _Work:
    """A base on its way to being worked out, path by path."""

    root: Root
    then: _Then
    live: Mapping[str, Stamp]
    table: Mapping[str, Stamp]
    copy: Root
    differ: GitDiffer
    base: dict[str, Stamp] = field(default_factory=dict)
    texts: dict[str, bytes] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    parted: list[tuple[str, Stamp, Stamp]] = field(default_factory=list)
    """Paths that live and copy have each made something else of."""

    def settle(self, path: str) -> None:
        """Work out what the base holds under one path."""
        then, now, proposed = self.then.table.get(path), self.live.get(path), self.table.get(path)
        if now is not None and (same_content(now, proposed) or same_content(then, now)):
            self.base[path] = now
        elif then is None:
            # It came since. Only what came in both places and differs has a common past that nobody saw.
            if now is not None and proposed is not None:
                self.base[path] = now
                self.unknown.add(path)
        elif proposed is not None and same_content(then, proposed):
            self.base[path] = proposed
            self._keep(path, read_held(self.copy, path, proposed.mode), proposed)
        else:
            self._earlier(path, then, now, proposed)

    def _earlier(self, path: str, then: Stamp, now: Stamp | None, proposed: Stamp | None) -> None:
        """Take what was seen then; what live and copy have both made of it since is put in by `merge`."""
        data = self._text_of_then(path, then)
        if data is None:
            if now is not None:
                self.base[path] = now
                self.unknown.add(path)
            return
        mode = then.mode
        if now is not None and proposed is not None and LINK_MODE not in (then.mode, now.mode, proposed.mode):
            self.parted.append((path, now, proposed))
            if is_executable(now.mode) == is_executable(proposed.mode):
                mode = now.mode
        self._put(path, data, mode)

    def _text_of_then(self, path: str, then: Stamp) -> bytes | None:
        data = self.then.texts.get(path)
        if data is None and self.then.folder is not None:
            data = read_held(self.root, f"{self.then.folder}/{path}", then.mode)
        return data if data is not None and digest_of(data) == then.digest else None

    def merge(self) -> None:
        """Put what live and copy have both made of a text into its base; git is asked once for all of them."""
        asked: list[tuple[str, Text, Text, Text]] = []
        for path, now, proposed in self.parted:
            live, copy = read_held(self.root, path, now.mode), read_held(self.copy, path, proposed.mode)
            if live is not None and copy is not None:
                asked.append((path, split_lines(self.texts[path]), split_lines(live), split_lines(copy)))
        ends = {path: terminator_of(text) for path, text, _, _ in asked}
        hunks = self.differ.many([(text, side, ends[path]) for path, text, *sides in asked for side in sides])
        for number, (path, text, live_text, copy_text) in enumerate(asked):
            mine = between(text, live_text, hunks[2 * number])
            theirs = between(text, copy_text, hunks[2 * number + 1])
            data = render(compose(text, _made_in_both(mine, theirs)), ends[path])
            self._put(path, data, self.base[path].mode)

    def _put(self, path: str, data: bytes, mode: int) -> None:
        self.base[path] = Stamp(len(data), -1, mode, 0, digest_of(data))
        self.texts[path] = data

    def _keep(self, path: str, data: bytes | None, stamp: Stamp) -> None:
        if data is not None and digest_of(data) == stamp.digest:
            self.texts[path] = data


def _made_in_both(mine: Iterable[Edit], theirs: Iterable[Edit]) -> list[Edit]:
    made = Counter((piece.start, piece.stop, piece.new) for edit in mine for piece in split(edit))
    both = []
    for piece in (piece for edit in theirs for piece in split(edit)):
        key = (piece.start, piece.stop, piece.new)
        if made[key] > 0:
            made[key] -= 1
            both.append(piece)
    return both
