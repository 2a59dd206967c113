"""How everything that was written to a disk so far is made to outlast a loss of power, in one go for many files."""

from __future__ import annotations

import errno
import os
import threading
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.store.folder import MissingPathError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dreamreview.store.rooted import Root

_EVERY_SECONDS = 0.04
"""Pause between two flushes beside a block."""
_MANY_FOLDERS = 16
"""Folders from which their file system is flushed as a whole."""


def flush(root: Root, path: str = "") -> None:
    """Wait until all that was written to the file system of a folder is on the disk.

    Linux does that for one file system. Elsewhere it is asked of all of them, where the system can.

    Raises:
        StoreError: the disk reports an error.
    """
    if not flush_one(root, path) and hasattr(os, "sync"):
        os.sync()


def flush_names(root: Root, folders: Sequence[str]) -> None:
    """Wait until the names in some folders are on the disk, one after the other; a folder that is gone is passed over.

    Raises:
        StoreError: the disk reports an error.
    """
    if len(folders) >= _MANY_FOLDERS and flush_one(root):
        return
    for folder in folders:
        with suppress(MissingPathError):
            root.fsync_dir(folder)


def flush_one(root: Root, path: str = "") -> bool:
    """Wait until all that was written to the file system of a folder is on the disk; False where nothing does that.

    Raises:
        StoreError: the disk reports an error.
    """
    with root.enter(path, "write") as folder:
        code = errno.ENOSYS if folder.fd is None or _is_elsewhere(os.fstat(folder.fd).st_dev) else syncfs(folder.fd)
        if code not in (0, errno.ENOSYS):
            raise OSError(code, os.strerror(code))
        return code == 0


@contextmanager
def flushing(root: Root, path: str = "", *, beside: bool) -> Iterator[None]:
    """Wait at the end of the block for all that it wrote; with `beside`, much of it reaches the disk meanwhile.

    Raises:
        StoreError: the disk reports an error.
    """
    is_over = threading.Event()
    helper = threading.Thread(target=_flush_again, args=(root, path, is_over), name="flushing", daemon=True)
    if beside:
        helper.start()
    try:
        yield
    finally:
        is_over.set()
        if beside:
            helper.join()
    flush(root, path)


def _flush_again(root: Root, path: str, is_over: threading.Event) -> None:
    while not is_over.wait(_EVERY_SECONDS):
        with suppress(DreamReviewError):  # the last flush tells
            flush(root, path)


@cache
def _is_elsewhere(device: int) -> bool:
    """Tell whether a file system is run by a program, which is not told of such a call (FUSE), or is not known."""
    name = f"{os.major(device)}:{os.minor(device)}".encode("ascii")
    try:
        with open("/proc/self/mountinfo", "rb") as mounts:
            rows = [line.split() for line in mounts]
    except OSError:
        return False
    kinds = [row[row.index(b"-") + 1] for row in rows if row[2] == name]
    return not kinds or kinds[0].startswith(b"fuse")


def syncfs(fd: int) -> int:
    """Call Linux' syncfs and return its error number, 0 where it went well."""
    try:
        import ctypes

        call = ctypes.CDLL(None, use_errno=True).syncfs
    except (ImportError, OSError, AttributeError, TypeError):
        return errno.ENOSYS
    return 0 if call(fd) == 0 else ctypes.get_errno()
