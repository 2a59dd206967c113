"""The private history: a bare git repository with the woven texts of every path we wrote to, and their snapshots."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.errors import InvalidManifestError, StoreError
from dreamreview.model import weave_codec
from dreamreview.model.weave import Weave, deed_of
from dreamreview.store import bare
from dreamreview.store.git import DURABLE, run, running

if TYPE_CHECKING:
    from dreamreview.store.rooted import Root

REPOSITORY = ".dreamreview/history.git"
_BRANCH = "refs/heads/main"
_INDEX = "index.json"
_PLAIN = re.compile(rb"[!#-\[\]-~]+")
"""A name that needs no quotes: visible ASCII without ``"`` and backslash."""
MOST_PACKS = 40
"""Packs, one an apply, from which all of them are made one: versions of a text lie close together in that."""


@dataclass(frozen=True, slots=True)
class Woven:
    """What the history knows of one weave without reading its text."""

    name: str
    """Name of the path now."""
    exists: bool
    deeds: tuple[str, ...]
    """``APPLY/CHANGE`` of the acts that wrote to it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit to prepare: the woven texts afterwards, and what the touched paths hold before and after."""

    id: str
    message: str
    seconds: int
    """Time of the commit, seconds since 1970."""
    weaves: Mapping[str, Weave]
    index: Mapping[str, Woven]
    before: Mapping[str, bytes | None]
    after: Mapping[str, bytes | None]
    modes: Mapping[str, int]


class History:
    """The private history of one store."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._git_dir = os.path.join(root.path, REPOSITORY)

    @property
    def is_there(self) -> bool:
        """Tell whether there is a whole repository; of one that was cut off while it was made nothing is missed."""
        return bare.is_whole(self._root, REPOSITORY)

    def index(self) -> dict[str, Woven]:
        """Return every weave by uid.

        Raises:
            StoreError: the history is damaged.
        """
        if not self.is_there:
            return {}
        found = self._objects([f"{_BRANCH}:{_INDEX}"])[0]
        if found is None:
            return {}
        try:
            document = json.loads(found)["weaves"]
            return {uid: Woven(one["name"], one["exists"], tuple(one["deeds"])) for uid, one in document.items()}
        except (ValueError, KeyError, TypeError) as error:
            raise StoreError(f"the private history in {REPOSITORY} is damaged: {error!r}") from error

    def weaves(self, uids: Iterable[str]) -> dict[str, Weave]:
        """Return the woven texts with the given uids.

        Raises:
            StoreError: one is missing or damaged.
        """
        wanted = list(uids)
        if not wanted:
            return {}
        found = self._objects([f"{_BRANCH}:{_weave_name(uid)}" for uid in wanted])
        weaves: dict[str, Weave] = {}
        for uid, data in zip(wanted, found, strict=True):
            if data is None:
                raise StoreError(f"the private history in {REPOSITORY} lacks what it recorded of {uid!r}")
            try:
                weaves[uid] = weave_codec.loads(data)
            except InvalidManifestError as error:
                raise StoreError(f"the private history in {REPOSITORY} is damaged at {uid!r}: {error}") from error
        return weaves

    @contextmanager
    def preparing(self, entry: Entry) -> Iterator[Callable[[], str]]:
        """Write a commit that is not yet part of the history, beside the block; `settle` makes it so.

        The block is handed what waits for it and returns its name. Without that call there is no commit.

        Raises:
            StoreError: git refused something; raised where the block begins or by that call.
        """
        is_new = bare.initialise(self._root, REPOSITORY)
        orders = ["for-each-ref", "--format=%(objectname)", _BRANCH]
        parent = "" if is_new else run(orders, git_dir=self._git_dir).decode().strip()
        stream = _Stream(entry, parent)
        # Deltas between versions would make the pack no smaller and take twice as long.
        orders = [*DURABLE, "fast-import", "--quiet", "--force", "--depth=0"]
        with running(orders, git_dir=self._git_dir, parts=stream.texts()) as command:

            def finish() -> str:
                commit = command.finish(stream.commits()).decode("ascii").strip()
                bare.sync(self._root, REPOSITORY, bare.PACKS, "objects")
                return commit

            yield finish

    def pending_file(self, commit: str, path: str) -> bytes | None:
        """Return what a commit holds for a path of the store, None where it holds nothing."""
        listing = run(["ls-tree", "-r", "-z", commit, "files/"], git_dir=self._git_dir)
        wanted = f"files/{path}".encode("utf-8", "surrogateescape")
        for line in listing.split(b"\0"):
            head, _, name = line.partition(b"\t")
            if name == wanted:
                return self._objects([head.split(b" ")[2].decode("ascii")])[0]
        return None

    def files(self, commit: str, paths: Iterable[str]) -> dict[str, bytes]:
        """Return what a commit holds for some paths of the store; those that it does not have are left out.

        Raises:
            StoreError: the history is damaged.
        """
        wanted = {f"files/{path}".encode("utf-8", "surrogateescape"): path for path in paths}
        listing = run(["ls-tree", "-r", "-z", "--full-tree", commit], git_dir=self._git_dir) if wanted else b""
        names: dict[str, str] = {}
        for line in listing.split(b"\0"):
            head, _, name = line.partition(b"\t")
            if name in wanted:
                names[wanted[name]] = head.split(b" ")[2].decode("ascii")
        found = zip(names, self._objects(list(names.values())) if names else (), strict=True)
        return {path: data for path, data in found if data is not None}

    def settle(self, entry_id: str, commit: str) -> None:
        """Make a prepared commit the newest of the history, for good; doing it twice changes nothing."""
        orders = f"update {_BRANCH} {commit}\ndelete {_pending(entry_id)}\n"
        run([*DURABLE, "update-ref", "--stdin"], git_dir=self._git_dir, data=orders.encode("ascii"))
        bare.sync(self._root, REPOSITORY, "refs/heads")

    def abandon(self, entry_id: str) -> None:
        """Forget a prepared commit."""
        if self.is_there:
            run(["update-ref", "--stdin"], git_dir=self._git_dir, data=f"delete {_pending(entry_id)}\n".encode())

    def tidy(self) -> None:
        """Make one pack of many; the store is held.

        Raises:
            StoreError: git failed, or the disk is full; nothing of the history is lost.
        """
        if len(bare.packs(self._root, REPOSITORY)) >= MOST_PACKS:
            bare.pack(self._root, REPOSITORY)

    def _objects(self, names: list[str]) -> list[bytes | None]:
        """Return the bytes of each object, None for one that is not there."""
        out = run(["cat-file", "--batch"], git_dir=self._git_dir, data="".join(f"{name}\n" for name in names).encode())
        found: list[bytes | None] = []
        at = 0
        for _ in names:
            end = out.index(b"\n", at)
            head = out[at:end]
            if head.endswith(b" missing"):
                found.append(None)
                at = end + 1
                continue
            size = int(head.rsplit(b" ", 1)[1])
            found.append(out[end + 1 : end + 1 + size])
            at = end + 1 + size + 1
        return found


def woven_of(weave: Weave, retired: frozenset[str]) -> Woven:
    """Return what the index keeps of a weave."""
    deeds = dict.fromkeys(deed_of(act) for act, proposal in weave.acts.items() if proposal)
    return Woven(name=weave.path(retired), exists=weave.exists(retired), deeds=tuple(deeds))


def _weave_name(uid: str) -> str:
    return "weaves/" + hashlib.sha256(uid.encode("utf-8", "surrogateescape")).hexdigest()[:40]


def _pending(entry_id: str) -> str:
    return f"refs/pending/{entry_id}"


class _Stream:
    """The orders for git fast-import: every text, then two commits that name them, the paths as they were and will be.

    A command that gets the texts alone makes no commit.
    """

    def __init__(self, entry: Entry, parent: str) -> None:
        self._entry = entry
        self._parent = parent
        self._named: dict[int, list[bytes]] = {1: [], 2: []}
        """Mark of each commit, and the orders that fill it."""
        self._last = 2

    def texts(self) -> Iterator[bytes]:
        """Yield each text under a mark of its own."""
        entry = self._entry
        for mark, files in ((1, entry.before), (2, entry.after)):
            self._named[mark] += [b"D %b\n" % quoted(f"files/{path}") for path, data in files.items() if data is None]
            for path, data in files.items():
                if data is not None:
                    yield from self._put(mark, f"files/{path}", data)
        yield from self._put(2, _INDEX, _document(entry))
        for uid, weave in entry.weaves.items():
            yield from self._put(2, _weave_name(uid), weave_codec.dumps(weave))

    def commits(self) -> Iterator[bytes]:
        """Yield the commits; every text has been asked for by then."""
        ref, entry = _pending(self._entry.id).encode("ascii"), self._entry
        yield from _commit(ref, 1, f"before {entry.message}", entry.seconds, self._parent)
        yield from self._named[1]
        yield from _commit(ref, 2, f"after {entry.message}", entry.seconds, "")
        yield from self._named[2]
        yield b"get-mark :2\n"

    def _put(self, mark: int, name: str, data: bytes) -> tuple[bytes, ...]:
        self._last += 1
        self._named[mark].append(b"M 100644 :%d %b\n" % (self._last, quoted(name)))
        return b"blob\nmark :%d\ndata %d\n" % (self._last, len(data)), data, b"\n"


def _document(entry: Entry) -> bytes:
    """Return the index: each weave in short, and the modes of the paths."""
    weaves = {
        uid: {"name": woven.name, "exists": woven.exists, "deeds": list(woven.deeds)}
        for uid, woven in entry.index.items()
    }
    return json.dumps({"weaves": weaves, "modes": dict(entry.modes)}, ensure_ascii=True).encode("ascii")


def _commit(ref: bytes, mark: int, message: str, seconds: int, parent: str) -> list[bytes]:
    text = message.encode("utf-8", "replace")
    lines = [b"commit %b\nmark :%d\n" % (ref, mark)]
    lines.append(b"committer dreamreview <dreamreview@localhost> %d +0000\ndata %d\n%b\n" % (seconds, len(text), text))
    if parent:
        lines.append(b"from %b\n" % parent.encode("ascii"))
    return lines


def quoted(name: str) -> bytes:
    """Return a name as fast-import reads it: in C quotes, every odd byte in octal."""
    raw = name.encode("utf-8", "surrogateescape")
    if _PLAIN.fullmatch(raw):
        return raw
    odd = b'"\\'
    body = b"".join(bytes([byte]) if 32 <= byte < 127 and byte not in odd else b"\\%03o" % byte for byte in raw)
    return b'"' + body + b'"'
