"""Whether another program has a file open to write to it: what it writes would be lost with a file that is replaced."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from dreamreview.store.rooted import MissingPathError

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dreamreview.store.rooted import Root

PATIENCE_SECONDS = 1.0
"""Seconds that others are given to close what they have open: a program that writes a file is done in less."""

_RETRY_SECONDS = 0.005


def open_elsewhere(root: Root, paths: Iterable[str], of_ours: str) -> str | None:
    """Return the first of some files that somebody still has open to write to it, after a moment; None without one.

    Linux tells by a lease that it grants where nobody does. Where a system grants none for a file of ours either, as
    on a network drive, nothing can be told.

    Args:
        root: the store.
        paths: the files, none of which has a name any more that others know.
        of_ours: a file that nobody has open.

    Raises:
        StoreError: a file cannot be opened.
    """
    waiting = [path for path in paths if _is_open(root, path)]
    if not waiting or _is_open(root, of_ours):
        return None
    deadline = time.monotonic() + PATIENCE_SECONDS
    while waiting and time.monotonic() < deadline:
        time.sleep(_RETRY_SECONDS)
        waiting = [path for path in waiting if _is_open(root, path)]
    return waiting[0] if waiting else None


def _is_open(root: Root, path: str) -> bool:
    if fcntl is None or not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        fd = root.open(path, os.O_RDONLY)
    except MissingPathError:
        return False
    try:
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except BlockingIOError:
        return True
    except OSError:  # the file system grants none, or not to us
        return False
    finally:
        os.close(fd)
    return False
