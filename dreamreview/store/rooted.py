"""How the bytes of a memory folder are reached: by relative paths only, and never through a link below the root."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store.folder import (
    TEMP_PREFIX,
    Entered,
    Folder,
    Inside,
    MissingPathError,
    is_link,
    is_temp,
    replace,
    shown,
    telling,
    write_all,
)

__all__ = ["MissingPathError", "Root", "SpecialFileError", "check_path", "shown"]

READ_ATTEMPTS = 5
"""How often a file that changes while it is being read is read again."""

WRITE_ATTEMPTS = 3
"""How often a file is written that another program of ours takes for a left-over of a killed one, and removes."""

_CHUNK = 1 << 24


def check_path(path: str, *, windows: bool = os.name == "nt") -> tuple[str, ...]:
    """Return the parts of a path inside a memory folder.

    Any name that the system can hold is fine: newlines, quotes, colons, leading dashes, bytes that are not UTF-8.
    Backslashes and colons are refused where they would part folders or name drives and streams.

    Raises:
        UnsafePathError: the path is empty or absolute, has an empty, ``.`` or ``..`` part, holds NUL, or cannot be
            encoded.

    """
    parts = tuple(path.split("/"))
    problem = None
    if not path:
        problem = "it is empty"
    elif "\0" in path:
        problem = "it holds a NUL"
    elif path.startswith("/"):
        problem = "it is absolute"
    elif any(part in {"", ".", ".."} for part in parts):
        problem = "it has an empty part, '.' or '..'"
    elif windows and any(character in path for character in '\\:*?"<>|'):
        problem = "it holds a character that Windows gives a meaning"
    elif windows and any(part.endswith((".", " ")) for part in parts):
        problem = "Windows drops a dot or blank at the end of a name"
    else:
        try:
            path.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            problem = "it holds a lone surrogate"
    if problem:
        raise UnsafePathError(f"{path!a} is no path inside a memory folder: {problem}")
    return parts


class SpecialFileError(StoreError):
    """A pipe, a device or the like stands where a file should."""


class Root:
    """A memory folder, reached by relative paths with ``/`` between the parts.

    The folder itself may be a link and is resolved once; below it every part is opened on its own and no link is
    followed. Bytes that are not UTF-8 come as surrogate escapes in paths.
    Every method raises UnsafePathError for a path that leads outside or through a link, MissingPathError where
    nothing is there, and StoreError with a sentence for what else the system refuses.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.path.abspath(folder)
        """The folder as chosen, absolute."""
        self.path = os.path.realpath(self.folder)
        """The folder with links resolved."""
        self.require()

    def require(self) -> None:
        """Refuse to go on where the folder is gone; without it, nothing of a store reads like an empty one."""
        if not os.path.isdir(self.path):
            problem = "is not a folder" if os.path.lexists(self.folder) else "does not exist"
            raise StoreError(f"{shown(self.folder)} {problem}; name a folder of markdown files")

    def absolute(self, path: str) -> str:
        """Return the whole path, for programs that must be handed one."""
        return os.path.join(self.path, *check_path(path))

    def enter(self, path: str = "", verb: str = "open") -> Entered:
        """Open a folder for a block, the root itself for ``""``."""
        return Entered(self._descend, check_path(path) if path else (), telling(verb, path or ".", self.path))

    def exists(self, path: str) -> bool:
        """Tell whether anything, also a dangling link, stands under a path."""
        return self.stat(path) is not None

    def stat(self, path: str) -> os.stat_result | None:
        """Return what stands under a path, never what a link points to; None when nothing does."""
        try:
            with self._inside("look at", path) as (folder, name):
                return folder.lstat(name)
        except MissingPathError:
            return None

    def listing(self, path: str = "") -> tuple[str, ...]:
        """Return the names in a folder, sorted."""
        with self.enter(path, "list") as folder:
            return tuple(sorted(entry.name for entry in folder.scan()))

    def read(self, path: str, limit: int | None = None) -> bytes:
        """Return a file's bytes as they were at one moment: read again if it changed meanwhile.

        Raises StoreError for what is no regular file, holds more than `limit` bytes, or never stands still.
        """
        with self._inside("read", path) as (folder, name):
            return self._read(folder, name, path, limit)

    def look(self, path: str) -> tuple[bytes, int] | None:
        """Return a file's bytes and permission bits, or a link's target and `LINK_MODE`.

        None where nothing or a folder stands. Raises StoreError as `read` does.
        """
        try:
            with self._inside("read", path) as (folder, name):
                found = folder.lstat(name)
                if found is None or stat.S_ISDIR(found.st_mode):
                    return None
                if stat.S_ISLNK(found.st_mode):
                    return os.fsencode(os.readlink(folder.at(name), dir_fd=folder.fd)), LINK_MODE
                _refuse_special(path, found)
                return self._read(folder, name, path, None), stat.S_IMODE(found.st_mode)
        except MissingPathError:
            return None

    def read_link(self, path: str) -> str:
        """Return where a link points, as written."""
        with self._inside("read the link", path) as (folder, name):
            found = folder.lstat(name)
            if found is not None and not is_link(found):
                raise StoreError(f"{shown(path)} in {shown(self.path)} is not a link; look again")
            return os.readlink(folder.at(name), dir_fd=folder.fd)

    def open(self, path: str, flags: int, mode: int = 0o600) -> int:
        """Open a file and return its descriptor, which the caller closes; never blocks on a pipe."""
        with self._inside("open", path) as (folder, name):
            return folder.open(name, flags | getattr(os, "O_NONBLOCK", 0), mode)

    def write_atomic(self, path: str, data: bytes, mode: int, *, durable: bool = True, over_link: bool = False) -> None:
        """Put bytes under a path in one step: whoever looks sees what was there before, or all of them.

        The file keeps its owner where that is allowed. A link in its place is refused unless `over_link`, and then it
        is replaced itself, never what it points to. Without `durable` a loss of power may undo it.
        """
        with self._inside("write", path) as (folder, name):
            before = folder.lstat(name)
            _refuse_target(path, before, over_link=over_link)
            for left in reversed(range(WRITE_ATTEMPTS)):
                temp = folder.write_temp(data, mode, durable=durable, owner=before)
                try:
                    _put(folder, temp, name)
                    break
                except FileNotFoundError:
                    if not left:
                        raise
            if durable:
                folder.sync()

    def create(self, path: str, data: bytes, mode: int, *, durable: bool = False) -> None:
        """Write a file whose name must be free; what a failure leaves of it is removed."""
        with self._inside("create", path) as (folder, name):
            folder.write_new(name, data, mode, durable=durable)

    def append(self, path: str, data: bytes, mode: int = 0o600) -> None:
        """Add bytes at the end of a file, making it where it is missing, and wait until they are on the disk."""
        with self._inside("add to", path) as (folder, name):
            is_new = folder.lstat(name) is None
            fd = folder.open(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), mode)
            try:
                _refuse_special(path, os.fstat(fd))
                write_all(fd, data)
                os.fsync(fd)
            finally:
                os.close(fd)
            if is_new:
                folder.sync()

    def make_dirs(self, path: str, mode: int = 0o777) -> list[str]:
        """Make a folder and those above it, less the umask, and return the paths that were new, outermost first."""
        parts, made = check_path(path), []
        with telling("make the folder", path, self.path):
            folder = Folder.top(self.path)
            try:
                for depth, name in enumerate(parts, start=1):
                    try:
                        os.mkdir(folder.at(name), mode, dir_fd=folder.fd)
                        made.append("/".join(parts[:depth]))
                    except FileExistsError:
                        pass
                    outer, folder = folder, folder.enter(name)
                    outer.close()
            finally:
                folder.close()
        return made

    def remove(self, path: str) -> bool:
        """Remove a file or a link itself; False when nothing was there."""
        try:
            with self._inside("remove", path) as (folder, name):
                found = folder.lstat(name)
                if found is not None and stat.S_ISDIR(found.st_mode) and not is_link(found):
                    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
                os.unlink(folder.at(name), dir_fd=folder.fd)
        except MissingPathError:
            return False
        return True

    def remove_dir(self, path: str) -> bool:
        """Remove an empty folder; False when it is not empty or not there."""
        try:
            with self._inside("remove the folder", path) as (folder, name):
                os.rmdir(folder.at(name), dir_fd=folder.fd)
        except MissingPathError:
            return False
        except StoreError as error:
            if isinstance(error.__cause__, OSError) and error.__cause__.errno in (errno.ENOTEMPTY, errno.EEXIST):
                return False
            raise
        return True

    def remove_tree(self, path: str) -> bool:
        """Remove a folder with all that is in it, links themselves and not what they point to; False when missing."""
        try:
            with self._inside("remove the folder", path) as (folder, name):
                found = folder.lstat(name)
                if found is not None and is_link(found):
                    raise UnsafePathError(f"{shown(path)} in {shown(self.path)} is a link; remove it by hand")
                shutil.rmtree(folder.at(name), dir_fd=folder.fd)
        except MissingPathError:
            return False
        return True

    def replace(self, source: str, target: str, *, durable: bool = True) -> None:
        """Give a file, link or folder another name, in one step and over a file or link that has it.

        Without `durable` a loss of power may undo it.
        """
        with self._inside("rename", source) as (old, name), self._inside("rename to", target) as (new, other):
            replace(old, name, new, other)
            if durable:
                new.sync()
                old.sync()

    rename = replace
    """The same, for callers that mean a name that is free."""

    def link(self, source: str, target: str) -> bool:
        """Give a file a second name; False when that name is taken."""
        try:
            with self._inside("link", source) as (old, name), self._inside("link to", target) as (new, other):
                follow = os.link not in os.supports_follow_symlinks
                os.link(old.at(name), new.at(other), src_dir_fd=old.fd, dst_dir_fd=new.fd, follow_symlinks=follow)
        except StoreError as error:
            if isinstance(error.__cause__, FileExistsError):
                return False
            raise
        return True

    def symlink(self, target: str, path: str) -> None:
        """Put a link under a path in one step, over a file or link that is there; `target` is kept as written."""
        with self._inside("make the link", path) as (folder, name):
            _refuse_target(path, folder.lstat(name), over_link=True)
            temp = TEMP_PREFIX + secrets.token_hex(8)
            os.symlink(target, folder.at(temp), dir_fd=folder.fd)
            _put(folder, temp, name)
            folder.sync()

    def chmod(self, path: str, mode: int) -> None:
        """Give a file or folder its permission bits; a link is refused."""
        with self._inside("change the mode of", path) as (folder, name):
            found = folder.lstat(name)
            if found is not None and is_link(found):
                raise UnsafePathError(f"{shown(path)} in {shown(self.path)} is a link; it has no mode of its own")
            if not hasattr(os, "O_PATH") or folder.fd is None:
                os.chmod(folder.at(name), mode, dir_fd=folder.fd)
                return
            fd = folder.open(name, os.O_PATH)
            try:
                os.chmod(f"/proc/self/fd/{fd}" if os.path.isdir("/proc/self/fd") else folder.at(name), mode)
            finally:
                os.close(fd)

    def set_times(self, path: str, atime_ns: int, mtime_ns: int) -> None:
        """Set when a file, or a link itself, was last read and written, in nanoseconds."""
        with self._inside("set the times of", path) as (folder, name):
            follow = os.utime not in os.supports_follow_symlinks
            os.utime(folder.at(name), ns=(atime_ns, mtime_ns), dir_fd=folder.fd, follow_symlinks=follow)

    def fsync(self, path: str) -> None:
        """Wait until what a file holds is on the disk."""
        with self._inside("write", path) as (folder, name):
            fd = folder.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            try:
                os.fsync(fd)
            finally:
                os.close(fd)

    def fsync_dir(self, path: str = "") -> None:
        """Make the names in a folder survive a loss of power, where the file system can."""
        with self.enter(path, "write") as folder:
            folder.sync()

    def sweep_temps(self, path: str = "") -> tuple[str, ...]:
        """Remove what an interrupted write left in one folder, and return those names; only with the lock held."""
        with self.enter(path, "tidy") as folder:
            found = tuple(sorted(entry.name for entry in folder.scan() if is_temp(entry.name)))
            for name in found:
                folder.discard(name)
        return found

    def _descend(self, parts: tuple[str, ...]) -> Folder:
        folder = Folder.top(self.path)
        for name in parts:
            with folder:
                inner = folder.enter(name)
            folder = inner
        return folder

    def _read(self, folder: Folder, name: str, path: str, limit: int | None) -> bytes:
        for _ in range(READ_ATTEMPTS):
            fd = folder.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            try:
                data = _read_steady(fd, path, limit)
            finally:
                os.close(fd)
            if data is not None:
                return data
        raise StoreError(f"cannot read {shown(path)} in {shown(self.path)}: it keeps changing; try again in a moment")

    def _inside(self, verb: str, path: str) -> Inside:
        *above, name = check_path(path)
        return Inside(Entered(self._descend, tuple(above), telling(verb, path, self.path)), name)


def _put(folder: Folder, temp: str, name: str) -> None:
    with folder.discarding(temp):
        replace(folder, temp, folder, name)


def _refuse_target(path: str, found: os.stat_result | None, *, over_link: bool) -> None:
    if found is None:
        return
    if is_link(found):
        if not over_link:
            raise UnsafePathError(f"{shown(path)} is a link; nothing is written through it")
    elif stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    else:
        _refuse_special(path, found)


def _refuse_special(path: str, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise SpecialFileError(f"{shown(path)} is not a regular file; move it out of the memory folder")


def _read_steady(fd: int, path: str, limit: int | None) -> bytes | None:
    """Return what an open file holds, or None when it changed while it was being read."""
    before = os.fstat(fd)
    _refuse_special(path, before)
    if limit is not None and before.st_size > limit:
        raise StoreError(f"{shown(path)} holds more than {limit:,} bytes; make it smaller or leave it out")
    chunks, left = [], before.st_size + 1
    while left > 0 and (chunk := os.read(fd, min(left, _CHUNK))):
        chunks.append(chunk)
        left -= len(chunk)
    after = os.fstat(fd)
    state = (before.st_size, before.st_mtime_ns, before.st_ctime_ns)
    is_steady = left == 1 and state == (after.st_size, after.st_mtime_ns, after.st_ctime_ns)
    return b"".join(chunks) if is_steady else None
