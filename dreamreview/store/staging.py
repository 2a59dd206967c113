"""How a folder is built out of sight and published in one step, and how what a killed program left is found."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import NamedTuple

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.store import git_locks
from dreamreview.store.bookkeeping import OWN, PROPOSALS, make_folder
from dreamreview.store.folder import is_temp, telling, write_all
from dreamreview.store.rooted import MissingPathError, Root, shown

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

FOLDER = f"{OWN}/staging"
"""One file for each folder of ours that is being built, locked by the program that builds it.

Other programs stage their proposals under ``.tmp-`` names too; only those with a file here are ours to remove.
"""

TEMP = ".tmp-"

_TEMPS = (PROPOSALS, *(f"{OWN}/{name}" for name in ("bases", "journal", "reviews", "forgotten", "history.git/info")))
"""Where files of ours are written under another name first while the store is held."""

LOOKED = (f"{OWN}/snapshots", f"{OWN}/snapshots/objects.git/info")
"""Where that is done while the store is looked at."""

_ABANDONED_SECONDS = 24 * 3600
"""Age from which a staged folder counts as left behind where the system has no locks that die with a process."""


class Staged(NamedTuple):
    """A folder that is being built."""

    copy: Root
    path: str
    """Where it is, relative to the store."""


@contextmanager
def staged(root: Root, name: str) -> Iterator[Staged]:
    """Make a private folder to build a proposal in; whatever is still there at the end is removed.

    Raises:
        StoreError: another program builds under that name, or the folder cannot be made.
    """
    make_folder(root, FOLDER)
    make_folder(root, PROPOSALS)
    place, path = f"{FOLDER}/{name}", f"{PROPOSALS}/{TEMP}{name}"
    lock = _take(root, place, create=True)
    if lock is None:
        raise StoreError(f"{shown(name)} is being written by another program; try again in a moment")
    try:
        # After a loss of power a folder that nobody wrote down would be anybody's, and lie there for ever.
        root.fsync_dir(FOLDER)
        if path not in root.make_dirs(path, 0o700):
            raise StoreError(f"{shown(path)} is there already; remove it and try again")
        try:
            with telling("write", place, root.path):
                write_all(lock, b"%d" % _inode(root, path))
                os.fsync(lock)
            yield Staged(Root(root.absolute(path)), path)
        finally:
            # Where this is refused, the file that stays tells the next sweep what is ours to remove.
            root.remove_tree(path)
            root.remove(place)
    finally:
        os.close(lock)


def sweep(root: Root) -> tuple[str, ...]:
    """Remove the folders that killed programs of ours left half built, and return their names."""
    try:
        names = root.listing(FOLDER)
    except MissingPathError:
        return ()
    swept = []
    for name in names:
        place = f"{FOLDER}/{name}"
        lock = _take(root, place, create=False)
        if lock is None:
            continue
        try:
            with telling("read", place, root.path):
                inode = os.read(lock, 32)
            _remove(root, f"{PROPOSALS}/{TEMP}{name}", inode)
            root.remove(place)
            swept.append(name)
        finally:
            os.close(lock)
    return tuple(swept)


def _remove(root: Root, path: str, inode: bytes) -> None:
    """Remove a staged folder if it is the one that was made under its lock; at least if it is empty."""
    if inode and inode == b"%d" % _inode(root, path):
        root.remove_tree(path)
    else:
        root.remove_dir(path)


def _inode(root: Root, path: str) -> int:
    found = root.stat(path)
    return found.st_ino if found is not None else 0


def has_temps(root: Root) -> bool:
    """Tell whether a program was killed, or is busy just now, while it wrote one of our own files."""
    with suppress(MissingPathError):
        if any(is_temp(name) for name in root.listing(OWN)) or git_locks.has_any(root):
            return True
    with suppress(MissingPathError):
        if root.listing(FOLDER):
            return True
    return any(_holds_temp(root, folder) for folder in (*_TEMPS, *LOOKED))


def has_looked_temps(root: Root) -> bool:
    """Tell the same of a look at the store alone."""
    return any(_holds_temp(root, folder) for folder in LOOKED)


def _holds_temp(root: Root, folder: str) -> bool:
    with suppress(MissingPathError):
        return any(is_temp(name) for name in root.listing(folder))
    return False


def sweep_temps(root: Root) -> None:
    """Remove what interrupted writes left in our own folders; only after a kill, with the store held."""
    git_locks.sweep(root)
    ours = [OWN, *_TEMPS]
    with suppress(MissingPathError):
        ours += [f"{PROPOSALS}/{name}" for name in root.listing(PROPOSALS) if not name.startswith(".")]
    for folder in ("", *ours):
        with suppress(StoreError, UnsafePathError):
            root.sweep_temps(folder)


def _take(root: Root, place: str, *, create: bool) -> int | None:
    """Open and lock a file; None where somebody else holds it, or it went while we took it."""
    try:
        fd = root.open(place, os.O_RDWR | (os.O_CREAT if create else 0))
    except MissingPathError:
        return None
    with ExitStack() as failing:
        failing.callback(os.close, fd)
        with telling("lock", place, root.path):
            if not _lock(fd, create=create) or not _is_same(os.fstat(fd), root.stat(place)):
                return None
        failing.pop_all()
    return fd


def _lock(fd: int, *, create: bool) -> bool:
    if fcntl is None:
        return create or time.time() - os.fstat(fd).st_mtime > _ABANDONED_SECONDS
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is_same(one: os.stat_result, other: os.stat_result | None) -> bool:
    return other is not None and (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
