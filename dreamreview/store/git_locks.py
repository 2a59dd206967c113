"""The lock files that git leaves in the private history when it is killed: found at a glance, and removed."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.store.bookkeeping import OWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dreamreview.store.rooted import Root

SUFFIX = ".lock"

_REPOSITORY = f"{OWN}/history.git"

FOLDERS = (_REPOSITORY, *(f"{_REPOSITORY}/{name}" for name in ("refs", "refs/heads", "refs/pending", "objects/info")))
"""Where git locks what our commands write: HEAD, the configuration, packed references, branches, commit graphs."""

LONGEST = 5.0
"""Seconds for which git holds a lock at most while it writes for us."""

_WAIT = 1.0
"""Seconds that a younger lock is waited for: the child of a program killed just now may still be at work."""

_RETRY = 0.05


def has_any(root: Root, folders: Sequence[str] = FOLDERS) -> bool:
    """Tell whether git was killed, or is at work just now, in the private history or another repository of ours."""
    return next(_found(root, folders), None) is not None


def sweep(root: Root, folders: Sequence[str] = FOLDERS) -> tuple[str, ...]:
    """Remove the locks that a killed git left in the private history, and return their paths; the store is held."""
    deadline = time.monotonic() + _WAIT
    while any(time.time() - when < LONGEST for _, when in _found(root, folders)) and time.monotonic() < deadline:
        time.sleep(_RETRY)
    swept = []
    for path, _ in _found(root, folders):
        with suppress(StoreError, UnsafePathError):
            if root.remove(path):
                swept.append(path)
    return tuple(swept)


def _found(root: Root, folders: Sequence[str]) -> Iterator[tuple[str, float]]:
    """Yield the path of each lock and when it was made, seconds since 1970."""
    for folder in folders:
        names: tuple[str, ...] = ()
        with suppress(StoreError, UnsafePathError):
            names = root.listing(folder)
        for name in names:
            if name.endswith(SUFFIX):
                with suppress(StoreError, UnsafePathError):
                    found = root.stat(f"{folder}/{name}")
                    if found is not None:
                        yield f"{folder}/{name}", found.st_mtime
