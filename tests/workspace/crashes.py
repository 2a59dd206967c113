"""What a loss of power may leave: calls recorded as they were made, and every state of a disk that they allow.

The model is what POSIX promises and no more. Bytes are on the disk once their file was synced, a name once its folder
was; whatever was not may be there or not, each for itself, but never before what it builds on: a name is not removed
or given away before it was made. A rename happens as a whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.workspace.shim import Call, shim

REPOSITORIES = (".dreamreview/history.git", ".dreamreview/snapshots/objects.git")
"""Where git writes."""


@dataclass
class Node:
    """A file, a folder or a link that was made or is there."""

    kind: str
    mode: int = 0
    data: bytes = b""
    synced: bytes = b""
    """What of a file is on the disk for certain."""


@dataclass(frozen=True)
class Deed:
    """One act on names, which a crash may have lost until it is synced."""

    number: int
    removes: tuple[str, ...]
    adds: tuple[tuple[str, Node], ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset({*self.removes, *(name for name, _ in self.adds)})

    @property
    def folders(self) -> frozenset[str]:
        """The folders of which a sync makes it last: as it happens as a whole, either of two."""
        return frozenset(os.path.dirname(name) for name in self.names)


@dataclass
class Moment:
    """What was on the disk for certain at one time, and what may have been."""

    names: dict[str, Node]
    waiting: list[Deed]
    held: dict[int, tuple[int, bytes, bytes]]
    """By `id` of each node: its mode, its bytes, and those of them that were synced."""

    @property
    def loose(self) -> list[int]:
        """The files some of whose bytes were not synced."""
        return [one for one, (_, data, synced) in self.held.items() if data != synced]


class Recorder:
    """Follows the calls under a folder and keeps a moment before each sync, and at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._now = dict(_tree(folder))
        self._lasting = dict(self._now)
        self._waiting: list[Deed] = []
        self._count = 0
        self._git_is_durable = False
        self.moments: list[Moment] = []

    def before(self, call: Call) -> None:
        """Take up what git did since, and keep the moment before something becomes certain."""
        if call.name == "git":
            self.look()
            self._git_is_durable = any("core.fsync=all" in word for word in call.args[0])
        if call.name in ("fsync", "syncfs"):
            self.look()
            self.keep()

    def after(self, call: Call, result: Any) -> None:
        """Follow one call that went well."""
        path, name = call.path, call.name
        if name in ("exchange", "rename", "syncfs") and result:
            return  # these tell by a number that they failed
        if name == "write":
            self._now[path].data = (self._folder / path).read_bytes()
        elif name == "fchmod":
            self._now[path].mode = call.args[1]
        elif name == "fsync":
            self._sync(path)
        elif name == "syncfs":
            self._sync_all()
        else:
            self._name(call)

    def _name(self, call: Call) -> None:
        """Follow a call that makes, moves or removes a name."""
        path, name = call.path, call.name
        if name == "create":
            if path not in self._now:
                self._do((), ((path, Node("file", os.lstat(self._folder / path).st_mode & 0o7777)),))
        elif name in ("replace", "rename"):
            self._move(path, call.target)
        elif name == "exchange":
            here, there = self._now[path], self._now[call.target]
            self._do((path, call.target), ((call.target, here), (path, there)))
        elif name == "link":
            self._do((), ((call.target, self._now[path]),))
        elif name == "symlink":
            self._do((), ((path, Node("link", 0, os.fsencode(call.target))),))
        elif name == "mkdir":
            self._do((), ((path, Node("folder", 0o700 if path.startswith(".dream") else 0o755)),))
        elif name in ("unlink", "rmdir"):
            self._do((path,), ())

    def _move(self, path: str, target: str) -> None:
        inside = [one for one in self._now if one == path or one.startswith(f"{path}/")]
        self._do(tuple(inside), tuple((target + one[len(path) :], self._now[one]) for one in inside))

    def _do(self, removes: tuple[str, ...], adds: tuple[tuple[str, Node], ...]) -> None:
        self._count += 1
        self._waiting.append(Deed(self._count, removes, adds))
        _make(self._now, self._waiting[-1])

    def _sync(self, path: str) -> None:
        node = self._now.get(path) if path != "." else Node("folder")
        if node is not None and node.kind == "file":
            node.synced = node.data
        else:
            folder = "" if path == "." else path
            done = [deed for deed in self._waiting if folder in deed.folders]
            for deed in with_grounds(done, self._waiting):
                _make(self._lasting, deed)
                self._waiting.remove(deed)

    def _sync_all(self) -> None:
        for node in self._nodes():
            node.synced = node.data
        for deed in self._waiting:
            _make(self._lasting, deed)
        self._waiting.clear()

    def look(self) -> None:
        """Take up what programs that we cannot see into did: git, in its repositories."""
        for top in REPOSITORIES:
            there = {f"{top}/{path}": node for path, node in _tree(self._folder / top)}
            known = {path for path in self._now if path.startswith(f"{top}/")}
            for path, node in sorted(there.items()):
                old = self._now.get(path)
                if old is None or (old.kind == "file" and old.data != node.data):
                    node.synced = node.data if self._git_is_durable and node.kind == "file" else b""
                    self._do((), ((path, node),))
            for path in sorted(known - there.keys(), reverse=True):
                self._do((path,), ())

    def keep(self) -> None:
        """Keep this moment."""
        held = {id(node): (node.mode, node.data, node.synced) for node in self._nodes() if node.kind == "file"}
        self.moments.append(Moment(dict(self._lasting), list(self._waiting), held))

    def _nodes(self) -> Iterator[Node]:
        yield from self._now.values()
        yield from self._lasting.values()
        for deed in self._waiting:
            yield from (node for _, node in deed.adds)


@contextmanager
def recording(folder: Path) -> Iterator[Recorder]:
    """Record what the block does in a folder."""
    recorder = Recorder(folder)
    with shim(folder, recorder.before, recorder.after):
        yield recorder
    recorder.look()
    recorder.keep()


def lay_out(folder: Path, moment: Moment, deeds: Iterable[Deed], torn: Mapping[int, int]) -> None:
    """Write a state of the disk into a new folder.

    Args:
        folder: where; it must not be there.
        moment: when the power went.
        deeds: those of the waiting ones that reached the disk.
        torn: files (by `id`) of whose unsynced bytes no more than so many did.
    """
    names = _names(moment, deeds)
    folder.mkdir()
    written: dict[int, Path] = {}
    for path, node in sorted(names.items()):
        place = folder / path
        if any(str(above) != "." and str(above) not in names for above in Path(path).parents):
            continue
        if node.kind == "folder":
            place.mkdir(mode=node.mode or 0o755)
        elif node.kind == "link":
            os.symlink(node.data, place)
        elif id(node) in written:
            os.link(written[id(node)], place)
        else:
            mode, data = _held(moment, node, torn)
            place.write_bytes(data)
            place.chmod(mode)
            written[id(node)] = place
    _renumber(folder)


def fingerprint(moment: Moment, deeds: Iterable[Deed], torn: Mapping[int, int]) -> int:
    """Return the same number for what `lay_out` would write alike."""
    written: dict[int, str] = {}
    laid: list[tuple[object, ...]] = []
    for path, node in sorted(_names(moment, deeds).items()):
        if node.kind == "file":
            laid.append((path, *_held(moment, node, torn), written.setdefault(id(node), path)))
        else:
            laid.append((path, node.kind, node.mode, node.data))
    return hash(tuple(laid))


def _names(moment: Moment, deeds: Iterable[Deed]) -> dict[str, Node]:
    names = dict(moment.names)
    for deed in deeds:
        _make(names, deed)
    return names


def _held(moment: Moment, node: Node, torn: Mapping[int, int]) -> tuple[int, bytes]:
    """Return the mode and the bytes of a file as the disk may hold them."""
    mode, data, synced = moment.held[id(node)]
    return mode, synced + data[len(synced) :][: torn[id(node)]] if id(node) in torn else data


def _renumber(folder: Path) -> None:
    """Let what tells which folder was being built speak of the one laid out: inodes outlast a loss of power."""
    for told in (folder / ".dreamreview" / "staging").glob("*"):
        built = folder / ".dream-proposals" / f".tmp-{told.name}"
        if told.read_bytes() and built.exists():
            told.write_bytes(b"%d" % built.stat().st_ino)


def with_grounds(chosen: Iterable[Deed], waiting: list[Deed]) -> list[Deed]:
    """Return some acts with those that they build on, in order."""
    wanted = {deed.number: deed for deed in chosen}
    for deed in reversed(waiting):
        if any(_builds_on(later, deed) for later in wanted.values()):
            wanted[deed.number] = deed
    return [wanted[number] for number in sorted(wanted)]


def _builds_on(later: Deed, deed: Deed) -> bool:
    """Tell whether an act needs an earlier one: of the same name, of the folder above it, or of what was in it."""
    if later.number <= deed.number:
        return False
    above = {os.path.dirname(name) for name in later.names}
    inside = {os.path.dirname(name) for name in deed.names}
    return (
        not later.names.isdisjoint(deed.names) or not above.isdisjoint(deed.names) or not inside.isdisjoint(later.names)
    )


def _make(names: dict[str, Node], deed: Deed) -> None:
    for path in deed.removes:
        names.pop(path, None)
    names.update(deed.adds)


def _tree(folder: Path) -> Iterator[tuple[str, Node]]:
    for place, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = os.path.join(place, name)
            inside, mode = os.path.relpath(path, folder), os.lstat(path).st_mode
            if os.path.islink(path):
                yield inside, Node("link", 0, os.fsencode(os.readlink(path)))
            elif name in folders:
                yield inside, Node("folder", mode & 0o7777)
            else:
                with open(path, "rb") as file:
                    data = file.read()
                yield inside, Node("file", mode & 0o7777, data, data)
