"""How everything that was written to a disk so far is made to outlast a loss of power, in one go for many files."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreamreview.store.rooted import Root


def flush(root: Root, path: str = "") -> None:
    """Wait until all that was written to the file system of a folder is on the disk.

    Linux does that for one file system. Elsewhere it is asked of all of them, where the system can.

    Raises:
        StoreError: the disk reports an error.
    """
    with root.enter(path, "write") as folder:
        code = errno.ENOSYS if folder.fd is None else syncfs(folder.fd)
        if code == errno.ENOSYS and hasattr(os, "sync"):
            os.sync()
        elif code not in (0, errno.ENOSYS):
            raise OSError(code, os.strerror(code))


def syncfs(fd: int) -> int:
    """Call Linux' syncfs and return its error number, 0 where it went well."""
    try:
        import ctypes

        call = ctypes.CDLL(None, use_errno=True).syncfs
    except (ImportError, OSError, AttributeError, TypeError):
        return errno.ENOSYS
    return 0 if call(fd) == 0 else ctypes.get_errno()
