"""A shim between the program and the operating system: every call under one folder is seen, and may be made to fail."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import git
import pytest

from dreamreview.store import exchanging, flushing

CALLS = (
    "open", "read", "write", "fsync", "replace", "rename", "link", "symlink", "unlink", "mkdir", "rmdir", "stat",
    "scandir", "listdir", "readlink", "fchmod", "chmod", "utime", "fstat",
)  # fmt: skip
"""What is seen of the module `os`; ``git`` is the start of a git command, ``exchange`` two names that change places."""

_readlink, _fspath = os.readlink, os.fspath
_CREATES = os.O_CREAT | os.O_WRONLY | os.O_RDWR


class Call(NamedTuple):
    """One call to the operating system."""

    name: str
    """``create`` for an open that may write."""
    path: str
    """Relative to the folder, ``.`` for itself; for what has two names, the first."""
    target: str
    """The second name; empty where there is none."""
    args: tuple[Any, ...]

    @property
    def site(self) -> str:
        """The call without what differs from file to file."""
        path = re.sub(r"[0-9a-f]{16}$", "~", self.path)
        return f"{self.name} {re.sub(r'[0-9]+', '#', re.sub(r'[0-9a-f]{40}', '#', path))}"


Before = Callable[[Call], None]
After = Callable[[Call, Any], None]


def _nothing(_call: Call, _result: object = None) -> None:
    return None


@contextmanager
def shim(folder: Path, before: Before = _nothing, after: After = _nothing) -> Iterator[None]:
    """Let each call under a folder go through `before`, which may raise, and `after`, which sees its result."""
    watch = _Watch(folder, before, after)
    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            real = getattr(os, name)
            fake = watch.around(name, real)
            patch.setattr(os, name, fake)
            for ability in ("supports_fd", "supports_dir_fd", "supports_follow_symlinks"):
                known: set[Any] = getattr(os, ability)
                if real in known:
                    patch.setattr(os, ability, known | {fake})
        patch.setattr(exchanging, "renameat2", watch.around("exchange", exchanging.renameat2))
        patch.setattr(flushing, "syncfs", watch.around("syncfs", flushing.syncfs))
        patch.setattr(git.cmd, "safer_popen", watch.around("git", git.cmd.safer_popen))
        yield


class _Watch:
    def __init__(self, folder: Path, before: Before, after: After) -> None:
        self._top = os.path.realpath(folder)
        self._before = before
        self._after = after
        self._guard = threading.RLock()
        self._is_busy = False

    @contextmanager
    def _busy(self) -> Iterator[None]:
        """Let what watches call the system itself."""
        self._is_busy = True
        try:
            yield
        finally:
            self._is_busy = False

    def around(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            with self._guard:
                seen = None if self._is_busy else self._seen(name, args, more)
                if seen is not None:
                    with self._busy():
                        self._before(seen)
                    result = real(*args, **more)
                    with self._busy():
                        self._after(seen, result)
                    return result
            return real(*args, **more)

        return call

    def _seen(self, name: str, args: tuple[Any, ...], more: dict[str, Any]) -> Call | None:
        if name == "git":
            words = [word for word in args[0] if not word.startswith(("-", "core.", "GIT_"))]
            verb = next((word for word in words[words.index("git") + 1 :] if "=" not in word), "?")
            return Call("git", verb, "", args)
        if name == "exchange":
            source, target = self._inside(args[1], args[0]), self._inside(args[3], args[2])
            name = "exchange" if args[4] == exchanging.EXCHANGE else "rename"
            return None if source is None or target is None else Call(name, source, target, args)
        first = args[0] if args else os.curdir
        if name in ("replace", "rename", "link"):
            source, target = self._inside(first, more.get("src_dir_fd")), self._inside(args[1], more.get("dst_dir_fd"))
            return None if source is None or target is None else Call(name, source, target, args)
        if name == "symlink":
            path = self._inside(args[1], more.get("dir_fd"))
            return None if path is None else Call(name, path, str(first), args)
        path = self._inside(first, more.get("dir_fd"))
        if path is None:
            return None
        return Call("create" if name == "open" and args[1] & _CREATES else name, path, "", args)

    def _inside(self, name: Any, dir_fd: int | None) -> str | None:
        try:
            if isinstance(name, int):
                whole = _readlink(f"/proc/self/fd/{name}").removesuffix(" (deleted)")
            else:
                whole = os.fsdecode(_fspath(name))
                if dir_fd is not None:
                    whole = os.path.join(_readlink(f"/proc/self/fd/{dir_fd}").removesuffix(" (deleted)"), whole)
        except OSError:
            return None
        if whole == self._top:
            return "."
        return whole[len(self._top) + 1 :] if whole.startswith(self._top + os.sep) else None
