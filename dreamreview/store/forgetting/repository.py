"""A private git repository without what is to be forgotten: every commit of every reference is made again without it.

It does not matter what the references are called, nor who writes them. Objects that nothing refers to any more are
removed at once, so that none of the old ones is left.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from dreamreview.errors import StoreError
from dreamreview.store import bare, git_locks
from dreamreview.store.git import DURABLE, run
from dreamreview.store.history import quoted
from dreamreview.store.rooted import MissingPathError

if TYPE_CHECKING:
    from dreamreview.store.rooted import Root

WORK = "refs/forgetting/work"
CHUNK = 32 * 1024 * 1024
"""Bytes of objects that are looked through at a time."""

LINK = b"120000"
_TREE, _COMMIT = b"40000", b"160000"

Rewrite = Callable[[str, bytes, bool], "bytes | None"]
"""(name in the tree, bytes, whether it is a link's target) to what is kept: the same object, other bytes, or None."""


class _Named(NamedTuple):
    """One entry of a whole tree."""

    name: str
    mode: bytes
    oid: str


@dataclass(slots=True)
class Rewritten:
    """What was, or would be, done to a repository."""

    commits: dict[str, str] = field(default_factory=dict)
    """Old to new object name of every commit that is another now."""
    objects: int = 0
    """Texts that held it."""


@dataclass(slots=True)
class _Reading:
    """All that a repository holds, read once."""

    git_dir: str
    trees: dict[str, list[tuple[bytes, str, str]]] = field(default_factory=dict)
    """Object name to (mode, name, object name of the entry)."""
    commits: dict[str, bytes] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    """Size of each text."""
    flat: dict[tuple[str, str], list[_Named]] = field(default_factory=dict)

    def load(self) -> None:
        """Read names and sizes of all objects, and every tree and commit."""
        listed = run(["cat-file", "--batch-all-objects", "--batch-check"], git_dir=self.git_dir).decode("ascii")
        other = []
        for row in listed.splitlines():
            oid, kind, size = row.split(" ")
            if kind == "blob":
                self.sizes[oid] = int(size)
            elif kind in ("tree", "commit"):
                other.append(oid)
        for oid, kind, data in objects(self.git_dir, other):
            if kind == "tree":
                self.trees[oid] = list(_entries(data))
            else:
                self.commits[oid] = data

    def files(self, tree: str, prefix: str = "") -> list[_Named]:
        """Return every text under a tree with its whole name."""
        found = self.flat.get((tree, prefix))
        if found is None:
            found = []
            for mode, name, oid in self.trees[tree]:
                if mode == _TREE:
                    found += self.files(oid, f"{prefix}{name}/")
                elif mode != _COMMIT:
                    found.append(_Named(prefix + name, mode, oid))
            self.flat[tree, prefix] = found
        return found


def objects(git_dir: str, names: list[str]) -> Iterator[tuple[str, str, bytes]]:
    """Yield (object name, kind, bytes) of objects that are there."""
    out = run(["cat-file", "--batch"], git_dir=git_dir, data="".join(f"{one}\n" for one in names).encode())
    at = 0
    for name in names:
        end = out.index(b"\n", at)
        head = out[at:end].split(b" ")
        if len(head) != 3:
            raise StoreError(f"the repository {git_dir} is damaged: {name} is missing")
        size = int(head[2])
        yield name, head[1].decode("ascii"), out[end + 1 : end + 1 + size]
        at = end + size + 2


def texts(git_dir: str, sizes: Mapping[str, int]) -> Iterator[tuple[str, bytes]]:
    """Yield (object name, bytes) of texts, as many at a time as are read in one go."""
    batch: list[str] = []
    total = 0
    for oid, size in sizes.items():
        batch.append(oid)
        total += size
        if total >= CHUNK:
            yield from ((name, data) for name, _, data in objects(git_dir, batch))
            batch, total = [], 0
    yield from ((name, data) for name, _, data in objects(git_dir, batch))


def repositories(root: Root, folder: str) -> tuple[str, ...]:
    """Return the bare repositories in a folder of ours, by their paths, whatever they are called."""
    found: list[str] = []
    with suppress(MissingPathError):
        names = root.listing(folder)
        if {"HEAD", "objects", "refs"} <= set(names):
            return (folder,)
        for name in names:
            if not _is_file(root, f"{folder}/{name}"):
                found += repositories(root, f"{folder}/{name}")
    return tuple(found)


def _is_file(root: Root, path: str) -> bool:
    found = root.stat(path)
    return found is None or not stat.S_ISDIR(found.st_mode)


def find(root: Root, repository: str, rewrite: Rewrite) -> Rewritten:
    """Return what rewriting a repository would do; nothing is written."""
    git_dir = os.path.join(root.path, repository)
    reading = _Reading(git_dir)
    reading.load()
    return Rewritten(objects=len({oid for (oid, _), _ in _hits(reading, _roots(reading), rewrite)}))


def carry_out(
    root: Root, repository: str, rewrite: Rewrite, remember: Callable[[Mapping[str, str]], None]
) -> Rewritten:
    """Make every commit of a repository again without what is to be forgotten, and remove the old ones for good.

    Doing it twice changes nothing, so one that was cut off is done again.

    Args:
        root: the store.
        repository: path of the repository in it.
        rewrite: what is kept of a text.
        remember: called with old to new commits before any reference moves.

    Raises:
        StoreError: git is missing, the repository is damaged, or the disk is full.
    """
    git_dir = os.path.join(root.path, repository)
    _unlock(root, repository)
    reading = _Reading(git_dir)
    reading.load()
    roots = _roots(reading)
    hits = dict(_hits(reading, roots, rewrite))
    done = Rewritten(objects=len({oid for oid, _ in hits}))
    if hits:
        orders, marks = _orders(reading, roots, hits)
        out = run([*DURABLE, "fast-import", "--quiet", "--force", "--depth=0"], git_dir=git_dir, data=orders)
        done.commits = dict(zip(marks, out.decode("ascii").split(), strict=True))
        bare.sync(root, repository, bare.PACKS, "objects")
        remember(done.commits)
    _move(git_dir, done.commits)
    root.remove_tree(f"{repository}/logs")
    bare.pack(root, repository)
    return done


def _roots(reading: _Reading) -> list[str]:
    """Return the commits of all references, parents first."""
    out = run(["rev-list", "--topo-order", "--reverse", "--all"], git_dir=reading.git_dir).decode("ascii")
    return out.split()


def _tree_of(data: bytes) -> str:
    return data[5 : data.index(b"\n")].decode("ascii")


def _hits(
    reading: _Reading, roots: list[str], rewrite: Rewrite
) -> Iterator[tuple[tuple[str, str], tuple[bytes, bytes | None]]]:
    """Yield (object name, name in the tree) of every text that is not kept as it is, with mode and what is kept."""
    places: dict[str, dict[str, bytes]] = {}
    for commit in roots:
        for name, mode, oid in reading.files(_tree_of(reading.commits[commit])):
            places.setdefault(oid, {})[name] = mode
    for oid, data in texts(reading.git_dir, {oid: reading.sizes[oid] for oid in places}):
        for name, mode in places[oid].items():
            kept = rewrite(name, data, mode == LINK)
            if kept != data:
                yield (oid, name), (mode, kept)


def _orders(
    reading: _Reading, roots: list[str], hits: Mapping[tuple[str, str], tuple[bytes, bytes | None]]
) -> tuple[bytes, list[str]]:
    """Return the orders for git fast-import, and the old commits in the order in which it tells the new ones."""
    orders: list[bytes] = []
    blobs: dict[bytes, int] = {}
    for _, kept in hits.values():
        if kept is not None and kept not in blobs:
            blobs[kept] = len(blobs) + 1
            orders += (b"blob\nmark :%d\ndata %d\n" % (blobs[kept], len(kept)), kept, b"\n")
    marks: dict[str, int] = {}
    for commit in roots:
        data = reading.commits[commit]
        found = [one for one in reading.files(_tree_of(data)) if (one.oid, one.name) in hits]
        head, _, message = data.partition(b"\n\n")
        rows = head.split(b"\n")
        parents = [row[7:].decode("ascii") for row in rows if row.startswith(b"parent ")]
        if not found and not any(parent in marks for parent in parents):
            continue
        marks[commit] = len(blobs) + len(marks) + 1
        orders += _commit(marks, commit, rows, message, parents)
        orders.append(b'M 040000 %b ""\n' % _tree_of(data).encode("ascii"))
        for one in found:
            kept = hits[one.oid, one.name][1]
            name = quoted(one.name)
            orders.append(b"D %b\n" % name if kept is None else b"M %b :%d %b\n" % (one.mode, blobs[kept], name))
    orders += (b"get-mark :%d\n" % mark for mark in marks.values())
    return b"".join(orders), list(marks)


def _commit(
    marks: Mapping[str, int], commit: str, rows: list[bytes], message: bytes, parents: list[str]
) -> Iterator[bytes]:
    work = WORK.encode("ascii")
    yield b"reset %b\n\ncommit %b\nmark :%d\n" % (work, work, marks[commit])
    yield from (row + b"\n" for row in rows if row.startswith((b"author ", b"committer ")))
    yield b"data %d\n%b\n" % (len(message), message)
    for place, parent in enumerate(parents):
        word = b"merge" if place else b"from"
        name = b":%d" % marks[parent] if parent in marks else parent.encode("ascii")
        yield b"%b %b\n" % (word, name)


def _entries(data: bytes) -> Iterator[tuple[bytes, str, str]]:
    """Yield (mode, name, object name) of the entries of a tree."""
    at = 0
    while at < len(data):
        blank = data.index(b" ", at)
        end = data.index(b"\0", blank)
        name = data[blank + 1 : end].decode("utf-8", "surrogateescape")
        yield data[at:blank], name, data[end + 1 : end + 21].hex()
        at = end + 21


def _move(git_dir: str, commits: Mapping[str, str]) -> None:
    """Let every reference name the new commit, all of them in one step."""
    out = run(["for-each-ref", "--format=%(refname) %(objectname)"], git_dir=git_dir).decode("utf-8", "surrogateescape")
    rows = [row.rpartition(" ") for row in out.splitlines()]
    moves = [f"update {ref} {commits[old]} {old}\n" for ref, _, old in rows if old in commits and ref != WORK]
    moves += [f"delete {ref}\n" for ref, _, _ in rows if ref == WORK]
    if moves:
        orders = "".join(moves).encode("utf-8", "surrogateescape")
        run([*DURABLE, "update-ref", "--stdin"], git_dir=git_dir, data=orders)


def _unlock(root: Root, repository: str) -> None:
    """Remove the locks of a git that was killed."""
    folders = [repository, f"{repository}/objects/info", *bare.folders(root, f"{repository}/refs")]
    if git_locks.has_any(root, folders):
        git_locks.sweep(root, folders)
