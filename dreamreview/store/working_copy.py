"""A private copy of a store for an engine to work in: outside of the store, and swept once its program is gone."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError
from dreamreview.store.copying import copy_all
from dreamreview.store.folder import advice
from dreamreview.store.rooted import Root, shown

if TYPE_CHECKING:
    from dreamreview.store.copying import Stamp
    from dreamreview.store.scan import Scan

COPY = "memory"
"""Name of the copy itself."""
SCRATCH = "scratch"
"""Name of an empty folder beside it, for temporary files of whatever works in the copy."""

_LOCK = ".lock"
_NEW = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class WorkingCopy:
    """A copy of a store as it was made."""

    copy: Root
    scratch: str
    """Absolute path."""
    base: Mapping[str, Stamp]
    """Path to what the store held when it was copied."""
    excluded: Mapping[str, str]
    """Path of what was left out to the reason; links are, for what is written to them is written elsewhere."""


@contextmanager
def working_copy(place: str, root: Root, live: Scan) -> Iterator[WorkingCopy]:
    """Make a private copy of a store for as long as the block runs.

    Args:
        place: absolute path of a folder of ours, outside of the store, where such copies lie.
        root: the store; it should be held until the copy is made.
        live: the store as it is.

    Raises:
        StoreError: the copy cannot be made, or would lie in the store.
    """
    _refuse_inside(place, root)
    with telling_of(place):
        os.makedirs(place, 0o700, exist_ok=True)
    with ExitStack() as ending:
        with telling_of(place):
            folder = os.path.join(place, _claimed(place, ending))
            os.mkdir(folder, 0o700)
            for inner in (COPY, SCRATCH):
                os.mkdir(os.path.join(folder, inner), 0o700)
        copy, problems = Root(os.path.join(folder, COPY)), dict(live.excluded)
        entries = [entry for entry in live.entries.values() if entry.kind != "link"]
        problems |= {path: "a link" for path, entry in live.entries.items() if entry.kind == "link"}
        base, _ = copy_all(root, entries, copy, problems)
        yield WorkingCopy(copy, os.path.join(folder, SCRATCH), base, problems)


def sweep(place: str) -> tuple[str, ...]:
    """Remove the copies whose programs are gone, and return their names."""
    try:
        names = sorted(name.removesuffix(_LOCK) for name in os.listdir(place) if name.endswith(_LOCK))
    except OSError:
        return ()
    swept = []
    for name in names:
        with ExitStack() as ending, suppress(OSError):
            if _lock(os.path.join(place, name), ending, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)):
                swept.append(name)
    return tuple(name for name in swept if not os.path.lexists(os.path.join(place, name)))


def remove(folder: str) -> None:
    """Remove a folder with all that is in it, whatever permissions were left in there; links are not followed."""
    if not os.path.lexists(folder):
        return
    for here, folders, files in os.walk(folder):
        for name in (*folders, *(files if os.name == "nt" else ())):
            inner = os.path.join(here, name)
            if not os.path.islink(inner):  # what a link points to is not ours
                with suppress(OSError):
                    os.chmod(inner, stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def telling_of(place: str) -> Iterator[None]:
    """Turn a failure of the system into one sentence about the place of the copies.

    Raises:
        StoreError: the system refused something.
    """
    try:
        yield
    except OSError as error:
        raise StoreError(f"cannot make a private copy of the memory in {shown(place)}: {advice(error)}") from error


def _refuse_inside(place: str, root: Root) -> None:
    inner, outer = os.path.realpath(place), os.path.join(root.path, "")
    if os.path.join(inner, "").startswith(outer):
        raise StoreError(
            f"the private copy of {shown(root.folder)} would lie inside it, in {shown(place)}; "
            "name a narrower memory folder, or set XDG_CACHE_HOME to another place"
        )


def _claimed(place: str, ending: ExitStack) -> str:
    """Return a name that nobody else has, ours until the end."""
    while True:
        name = secrets.token_hex(8)
        if _lock(os.path.join(place, name), ending, _NEW):
            return name


def _lock(folder: str, ending: ExitStack, flags: int) -> bool:
    """Lock a folder until the end, when it is removed; False where another program has it."""
    from filelock import lock_descriptor, unlock_descriptor

    path = folder + _LOCK
    fd = os.open(path, flags, 0o600)
    with ExitStack() as failing:
        failing.callback(os.close, fd)
        if not lock_descriptor(fd, blocking=False):
            return False
        if not _is_same(fd, path):  # it was swept between the two steps
            return False
        failing.pop_all()

    def end() -> None:
        remove(folder)
        is_gone = not os.path.lexists(folder)
        if is_gone and os.name != "nt":  # where a locked file can be removed, it goes before anybody else can lock it
            _remove_file(path)
        unlock_descriptor(fd)
        os.close(fd)
        if is_gone and os.name == "nt":
            _remove_file(path)

    ending.callback(end)
    return True


def _is_same(fd: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), os.stat(path, follow_symlinks=False))
    except OSError:
        return False


def _remove_file(path: str) -> None:
    with suppress(OSError):
        os.remove(path)
