"""How a file takes another's place without ever covering one that nobody looked at: names change places in one step."""

from __future__ import annotations

import errno
import os
from functools import cache
from typing import TYPE_CHECKING

from dreamreview.store.folder import telling

if TYPE_CHECKING:
    from collections.abc import Callable

    from dreamreview.store.folder import Folder
    from dreamreview.store.rooted import Root

NOREPLACE, EXCHANGE = 1, 2
"""Linux' RENAME_NOREPLACE and RENAME_EXCHANGE."""

_UNKNOWN = frozenset({errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP})
"""How a system, or a file system, says that it has no such thing."""


def exchange(root: Root, path: str, other: str) -> bool:
    """Let two names change places in one step; False where the system cannot.

    Raises:
        MissingPathError: one of them is not there.
        StoreError: the system refused it.
    """
    return _renamed(root, path, other, EXCHANGE)


def put_new(root: Root, source: str, target: str) -> bool:
    """Give a file another name that must be free, in one step; False where the system cannot.

    Raises:
        StoreError: the name is taken, caused by a FileExistsError, or the system refused it.
    """
    return _renamed(root, source, target, NOREPLACE)


def _renamed(root: Root, source: str, target: str, flags: int) -> bool:
    above, _, name = source.rpartition("/")
    other_above, _, other = target.rpartition("/")
    with (
        root.enter(above, "rename in") as old,
        root.enter(other_above, "rename in") as new,
        telling("rename to", target, root.path),
    ):
        return _call(old, name, new, other, flags)


def _call(old: Folder, name: str, new: Folder, other: str, flags: int) -> bool:
    if old.fd is None or new.fd is None:
        return False
    code = renameat2(old.fd, name, new.fd, other, flags)
    if code == 0:
        return True
    if code in _UNKNOWN:
        return False
    raise OSError(code, os.strerror(code), other)


def renameat2(old: int, name: str, new: int, other: str, flags: int) -> int:
    """Call Linux' renameat2 and return its error number, 0 where it went well."""
    call = _found()
    if call is None:
        return errno.ENOSYS
    import ctypes

    done: int = call(old, os.fsencode(name), new, os.fsencode(other), flags)
    return 0 if done == 0 else ctypes.get_errno()


@cache
def _found() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """Return the call of the C library; None where it has none."""
    try:
        import ctypes

        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (ImportError, OSError, AttributeError, TypeError):
        return None
    call.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    found: Callable[[int, bytes, int, bytes, int], int] = call
    return found
