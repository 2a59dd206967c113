"""How many files are read or copied at once: each file's bytes, digest and stat from one and the same read."""

from __future__ import annotations

import errno
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store.folder import Folder, write_all
from dreamreview.store.moves import is_executable
from dreamreview.store.rooted import MissingPathError, Root
from dreamreview.store.scan import Entry, digest_of

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

FICLONE = 0x40049409
"""Linux's request to share a file's blocks until one side is written (linux/fs.h)."""

CLONE_FROM = 64 * 1024
"""Bytes from which sharing blocks is quicker than writing what was read anyway."""

_NO_CLONE = frozenset({errno.EOPNOTSUPP, errno.ENOTTY, errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EPERM})
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


class Stamp(NamedTuple):
    """What a path held when it was last read."""

    size: int
    mtime_ns: int
    mode: int
    """Permission bits; `LINK_MODE` for a link."""
    inode: int
    digest: str
    """sha256 of the bytes, or of a link's target."""


_STAMP = partial(tuple.__new__, Stamp)
"""Makes a stamp of a row, at a fifth of the cost of doing so by its name."""


def columns_of(table: Mapping[str, Stamp]) -> list[list[Any]]:
    """Turn a table on its side: a few long lists are written and read several times as quick as many short ones."""
    return [list(table), *(list(column) for column in zip(*table.values(), strict=True))]


def stamps_of(columns: list[list[Any]]) -> dict[str, Stamp]:
    """Turn what `columns_of` wrote back into a table.

    Raises:
        ValueError: a column is missing, or holds what is no part of a stamp.
    """
    paths, *rest = columns
    if paths and len(rest) != len(Stamp._fields):
        raise ValueError("a table of stamps lacks a column")
    *numbers, digests = rest or ([],)
    if {*map(type, paths), *map(type, digests)} - {str} or {kind for row in numbers for kind in map(type, row)} - {int}:
        raise ValueError("a table of stamps holds what is no stamp")
    return dict(zip(paths, map(_STAMP, zip(*rest, strict=True)), strict=True)) if paths else {}


class Read(NamedTuple):
    """One path read: its stamp and its bytes (a link's target)."""

    path: str
    stamp: Stamp
    data: bytes


def same_content(one: Stamp | None, other: Stamp | None) -> bool:
    """Tell whether two stamps, or their absence, stand for the same bytes, kind and executable bit."""
    if one is other:
        return True
    if one is None or other is None:
        return False
    return one.digest == other.digest and tree_mode(one.mode) == tree_mode(other.mode)


def tree_mode(mode: int) -> int:
    """Return a mode as digests of a tree see it: a link, executable or not."""
    if mode == LINK_MODE:
        return LINK_MODE
    return 0o755 if is_executable(mode) else 0o644


def read_held(root: Root, path: str, mode: int) -> bytes | None:
    """Return the bytes under a path, or the target of a link (`LINK_MODE`); None where no such thing can be read."""
    try:
        return os.fsencode(root.read_link(path)) if mode == LINK_MODE else root.read(path)
    except (StoreError, UnsafePathError):
        return None


def read_all(root: Root, entries: Iterable[Entry], problems: dict[str, str]) -> Iterator[Read]:
    """Read many paths, folder by folder; what vanished meanwhile is passed over.

    Args:
        root: the folder that the entries lie in.
        entries: what to read.
        problems: gets path to reason for what cannot be read.
    """
    for name, group in _by_folder(entries).items():
        try:
            with root.enter(name, "read") as folder:
                for entry in group:
                    found = _read_or_note(root, folder, entry, problems)
                    if found is not None:
                        yield found
        except MissingPathError:
            continue
        except (StoreError, UnsafePathError) as error:
            problems.update((entry.path, str(error)) for entry in group)


def stamp_all(root: Root, entries: Iterable[Entry], problems: dict[str, str]) -> dict[str, Stamp]:
    """Return the stamps of many paths; arguments as for `read_all`."""
    return {read.path: read.stamp for read in read_all(root, entries, problems)}


def copy_all(
    source: Root, entries: Iterable[Entry], target: Root, problems: dict[str, str]
) -> tuple[dict[str, Stamp], dict[str, Stamp]]:
    """Copy many paths with mode and time of change, links as links, and return the stamps of source and target.

    A copy shares no byte that can be written: blocks are shared only where the file system parts them on writing.

    Raises:
        StoreError: a file of the target cannot be written.
    """
    came: dict[str, Stamp] = {}
    went: dict[str, Stamp] = {}
    clones = fcntl is not None
    for name, group in _by_folder(entries).items():
        if name:
            target.make_dirs(name, 0o700)
        with target.enter(name, "copy to") as folder:
            for read in read_all(source, group, problems):
                came[read.path] = read.stamp
                leaf = read.path.rpartition("/")[2]
                shared = None
                if clones and read.stamp.size >= CLONE_FROM and read.stamp.mode != LINK_MODE:
                    shared = _clone(source, folder, leaf, read)
                    clones = shared is not None
                went[read.path] = shared or put(folder, leaf, read.data, read.stamp)
    return came, went


def put(folder: Folder, name: str, data: bytes, like: Stamp) -> Stamp:
    """Write a file or link that must be new, with the mode, time and digest of a stamp, and return its own stamp."""
    mode = like.mode
    if mode == LINK_MODE:
        os.symlink(os.fsdecode(data), folder.at(name), dir_fd=folder.fd)
        found = os.stat(folder.at(name), dir_fd=folder.fd, follow_symlinks=False)
    else:
        fd = folder.open(name, _NEW, mode)
        try:
            write_all(fd, data)
            found = _finish(fd, mode, like.mtime_ns)
        finally:
            os.close(fd)
    return Stamp(found.st_size, found.st_mtime_ns, mode, found.st_ino, like.digest)


def _by_folder(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[entry.path.rpartition("/")[0]].append(entry)
    return groups


def _read_or_note(root: Root, folder: Folder, entry: Entry, problems: dict[str, str]) -> Read | None:
    try:
        return _read_one(root, folder, entry)
    except MissingPathError:
        return None
    except (StoreError, UnsafePathError) as error:
        problems[entry.path] = str(error)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR):
            problems[entry.path] = f"cannot be read: {(error.strerror or str(error)).lower()}"
    return None


def _read_one(root: Root, folder: Folder, entry: Entry) -> Read | None:
    name = entry.path.rpartition("/")[2]
    if entry.kind == "link":
        data = os.fsencode(os.readlink(folder.at(name), dir_fd=folder.fd))
        return Read(entry.path, Stamp(entry.size, entry.mtime_ns, LINK_MODE, entry.inode, digest_of(data)), data)
    fd = folder.open(name, _READ)
    try:
        data = os.read(fd, entry.size + 1)
        found = os.fstat(fd)
    finally:
        os.close(fd)
    if len(data) != entry.size or found.st_size != entry.size or found.st_mtime_ns != entry.mtime_ns:
        return _read_again(root, entry)
    return Read(entry.path, _stamp(found, data), data)


def _read_again(root: Root, entry: Entry) -> Read | None:
    """Read a file that is not as the scan saw it, and stamp it only with a stat that stood on both sides."""
    before = root.stat(entry.path)
    data = root.read(entry.path)
    after = root.stat(entry.path)
    if after is None:
        return None
    stamp = _stamp(after, data)
    is_steady = before is not None and (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return Read(entry.path, stamp if is_steady else stamp._replace(mtime_ns=-1), data)


def _stamp(found: os.stat_result, data: bytes) -> Stamp:
    return Stamp(found.st_size, found.st_mtime_ns, found.st_mode & 0o7777, found.st_ino, digest_of(data))


def _finish(fd: int, mode: int, mtime_ns: int) -> os.stat_result:
    if mtime_ns >= 0 and os.utime in os.supports_fd:
        os.utime(fd, ns=(mtime_ns, mtime_ns))
    found = os.fstat(fd)
    if found.st_mode & 0o7777 != mode and hasattr(os, "fchmod"):
        os.fchmod(fd, mode)
    return found


def _clone(source: Root, folder: Folder, name: str, read: Read) -> Stamp | None:
    """Share the blocks of a file that was just read; None where the file system cannot, or the file moved on."""
    origin = source.open(read.path, _READ)
    try:
        fd = folder.open(name, _NEW)
        try:
            fcntl.ioctl(fd, FICLONE, origin)
            state = os.fstat(origin)
            if (state.st_size, state.st_mtime_ns) != (read.stamp.size, read.stamp.mtime_ns):
                folder.discard(name)
                return None
            found = _finish(fd, read.stamp.mode, read.stamp.mtime_ns)
        except OSError as error:
            folder.discard(name)
            if error.errno not in _NO_CLONE:
                raise
            return None
        finally:
            os.close(fd)
    finally:
        os.close(origin)
    return Stamp(found.st_size, found.st_mtime_ns, read.stamp.mode, found.st_ino, read.stamp.digest)
