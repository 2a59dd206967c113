"""How a folder is entered without following a link: one open folder, and every act on a name directly in it."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import TracebackType
from typing import NoReturn, Self

from dreamreview.errors import StoreError, UnsafePathError

HAS_DIR_FD = (
    {os.open, os.stat, os.mkdir, os.rmdir, os.unlink, os.rename, os.readlink} <= os.supports_dir_fd
    and os.scandir in os.supports_fd
    and hasattr(os, "O_NOFOLLOW")
)
"""Whether folders are held as descriptors; where the system has none, each part is checked before it is used."""

TEMP_PREFIX = ".dream-tmp-"
"""How the name of a file that is still being written begins; 16 hexadecimal digits follow."""

_DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_HAS_ATTRIBUTES = hasattr(os.stat_result, "st_file_attributes")
_REPARSE_POINT = 0x400
"""Windows' mark of links and junctions (FILE_ATTRIBUTE_REPARSE_POINT)."""

_BUSY = frozenset({5, 32})
"""Windows' ways to say that a file is in use (ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION)."""
_PAUSES = (0.01, 0.05, 0.2, 0.5)
"""Seconds to wait before each further try to rename a file that is in use: virus scanners are done by then."""

_ADVICE = {
    errno.ENOSPC: "the disk is full; free some space and try again",
    errno.EACCES: "permission denied; check who may use it",
    errno.EPERM: "permission denied; check who may use it",
    errno.EROFS: "the file system is read-only; make it writable or work on a copy",
    errno.ENOENT: "there is nothing of that name",
    errno.ENOTDIR: "a file stands where a folder is needed; move it away",
    errno.EISDIR: "a folder stands where a file is needed; move it away",
    errno.EEXIST: "something of that name is already there; move it away",
    errno.ENOTEMPTY: "the folder is not empty",
    errno.ENAMETOOLONG: "the name is too long for this file system; shorten it",
    errno.EILSEQ: "this file system does not allow such a name; rename it",
    errno.EMFILE: "too many files are open; close some programs and try again",
    errno.ENXIO: "it is not a regular file; move it out of the memory folder",
    errno.EIO: "the disk reports an error; check it",
    errno.EAGAIN: "the system is short of processes; close some programs and try again",
    errno.ENOMEM: "the system is short of memory; close some programs and try again",
    errno.EXDEV: "both names must be on one file system",
}
if hasattr(errno, "EDQUOT"):
    _ADVICE[errno.EDQUOT] = "your share of the disk is full; free some space and try again"


class MissingPathError(StoreError):
    """Nothing of that name is there, or what should be a folder above it is none."""


def shown(path: str) -> str:
    """Return a path as it may stand in a one-line message: quoted and escaped where it holds odd characters."""
    return path if path.isprintable() and path == path.strip() else ascii(path)


def is_temp(name: str) -> bool:
    """Tell whether a name is one of ours for a file that was still being written."""
    if not name.startswith(TEMP_PREFIX):
        return False
    digits = name.removeprefix(TEMP_PREFIX)
    return len(digits) == 16 and all(digit in "0123456789abcdef" for digit in digits)


def advice(error: OSError) -> str:
    """Return what the system refused and what to do about it."""
    return _ADVICE.get(error.errno or 0) or (error.strerror or str(error)).lower()


class Telling:
    """A context manager that turns a failure of the system into one sentence; `telling` makes it."""

    __slots__ = ("_path", "_verb", "_where")

    def __init__(self, verb: str, path: str, where: str) -> None:
        self._verb = verb
        self._path = path
        self._where = where

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, OSError):
            self._tell(error)

    def _tell(self, error: OSError) -> NoReturn:
        tried = f"cannot {self._verb} {shown(self._path)} in {shown(self._where)}"
        if isinstance(error, FileNotFoundError | NotADirectoryError):
            raise MissingPathError(f"{tried}: {_ADVICE[error.errno or errno.ENOENT]}") from error
        raise StoreError(f"{tried}: {advice(error)}") from error


def telling(verb: str, path: str, where: str) -> Telling:
    """Turn a failure of the system in a block into one sentence: what was tried, on which path, where, what to do.

    Raises:
        MissingPathError: there is nothing of that name.
        StoreError: anything else the system refused.

    """
    return Telling(verb, path, where)


class Folder:
    """One open folder; a context manager that closes it. Failures are plain OSErrors, links UnsafePathErrors."""

    __slots__ = ("fd", "path")

    def __init__(self, path: str, fd: int | None) -> None:
        self.path = path
        """Where it was when it was opened."""
        self.fd = fd
        """Its descriptor; None where the system has none for folders."""

    @classmethod
    def top(cls, path: str) -> Folder:
        """Open a folder by its whole path, the last part of which must not be a link."""
        if HAS_DIR_FD:
            return cls(path, os.open(path, _DIRECTORY | _NOFOLLOW))
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        return cls(path, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the descriptor; the folder is of no use afterwards."""
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None

    def at(self, name: str) -> str:
        """Return what the system is handed for a name in here: the name beside a descriptor, else the whole path."""
        return name if self.fd is not None else os.path.join(self.path, name)

    def enter(self, name: str) -> Folder:
        """Open a folder in here; a link is refused."""
        inner = os.path.join(self.path, name)
        if self.fd is None:
            self._refuse_link(name)
            return Folder.top(inner)
        try:
            return Folder(inner, os.open(name, _DIRECTORY | _NOFOLLOW, dir_fd=self.fd))
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.EACCES):
                self._refuse_link(name)
            raise

    def lstat(self, name: str) -> os.stat_result | None:
        """Return what stands under a name, never what a link points to; None when nothing does."""
        try:
            return os.stat(self.at(name), dir_fd=self.fd, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def open(self, name: str, flags: int, mode: int = 0o600) -> int:
        """Open a file in here and return its descriptor; a link is refused."""
        if self.fd is None:
            self._refuse_link(name)
        try:
            return os.open(self.at(name), flags | _NOFOLLOW, mode, dir_fd=self.fd)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.EEXIST):
                self._refuse_link(name)
            raise

    def scan(self) -> Iterator[os.DirEntry[str]]:
        """Yield what is in here, in no order."""
        with os.scandir(self.path if self.fd is None else self.fd) as entries:
            yield from entries

    def write_temp(self, data: bytes, mode: int, *, durable: bool, owner: os.stat_result | None = None) -> str:
        """Write bytes under a new temporary name in here and return it; nothing is left behind on failure."""
        temp = TEMP_PREFIX + secrets.token_hex(8)
        self.write_new(temp, data, mode, durable=durable, owner=owner)
        return temp

    def write_new(
        self, name: str, data: bytes, mode: int, *, durable: bool, owner: os.stat_result | None = None
    ) -> None:
        """Write bytes under a name that must be free; nothing is left behind on failure."""
        fd = self.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        with self.discarding(name):
            try:
                write_all(fd, data)
                if owner is not None:
                    _keep_owner(fd, owner)
                if hasattr(os, "fchmod"):
                    os.fchmod(fd, mode)
                if durable:
                    os.fsync(fd)
            finally:
                os.close(fd)

    @contextmanager
    def discarding(self, name: str) -> Iterator[None]:
        """Remove a file of ours if the block does not come to its end."""
        with ExitStack() as failing:
            failing.callback(self.discard, name)
            yield
            failing.pop_all()

    def discard(self, name: str) -> None:
        """Remove a file of ours if it is there, whatever else goes wrong."""
        with suppress(OSError):
            os.unlink(self.at(name), dir_fd=self.fd)

    def sync(self) -> None:
        """Make the names in here survive a loss of power, where the file system can."""
        if self.fd is not None:
            try:
                os.fsync(self.fd)
            except OSError as error:
                if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
                    raise

    def _refuse_link(self, name: str) -> None:
        found = self.lstat(name)
        if found is not None and is_link(found):
            raise UnsafePathError(
                f"{shown(os.path.join(self.path, name))} is a link; links in a memory folder are not followed"
            )


def replace(old: Folder, name: str, new: Folder, other: str) -> None:
    """Give a file, link or folder of one folder another name in another, over a file or link that has it.

    Windows refuses that while somebody else looks at the file; it is tried again for a moment then.
    """
    for pause in (*_PAUSES, None):
        try:
            os.replace(old.at(name), new.at(other), src_dir_fd=old.fd, dst_dir_fd=new.fd)
        except PermissionError as error:
            if pause is None or getattr(error, "winerror", None) not in _BUSY:
                raise
            time.sleep(pause)
        else:
            return


def is_link(found: os.stat_result) -> bool:
    """Tell whether what was found is a symbolic link, or a junction of Windows."""
    return stat.S_ISLNK(found.st_mode) or (
        _HAS_ATTRIBUTES and bool(getattr(found, "st_file_attributes", 0) & _REPARSE_POINT)
    )


def write_all(fd: int, data: bytes) -> None:
    """Write every byte, however many calls that takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def _keep_owner(fd: int, owner: os.stat_result) -> None:
    mine = os.fstat(fd)
    if (mine.st_uid, mine.st_gid) != (owner.st_uid, owner.st_gid) and hasattr(os, "fchown"):
        with suppress(PermissionError):
            os.fchown(fd, owner.st_uid, owner.st_gid)


class Entered:
    """A context manager that holds a folder open for its block; what the system refuses in it becomes a sentence."""

    __slots__ = ("_descend", "_folder", "_parts", "_telling")

    def __init__(
        self, descend: Callable[[tuple[str, ...]], Folder], parts: tuple[str, ...], telling_of: Telling
    ) -> None:
        self._descend = descend
        self._parts = parts
        self._telling = telling_of
        self._folder: Folder | None = None

    def __enter__(self) -> Folder:
        with self._telling:
            self._folder = self._descend(self._parts)
        return self._folder

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._telling:
            if self._folder is not None:
                self._folder.close()
        self._telling.__exit__(kind, error, at)


class Inside:
    """`Entered` for one name in a folder: the block is handed both."""

    __slots__ = ("_entered", "_name")

    def __init__(self, entered: Entered, name: str) -> None:
        self._entered = entered
        self._name = name

    def __enter__(self) -> tuple[Folder, str]:
        return self._entered.__enter__(), self._name

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._entered.__exit__(kind, error, at)
