"""What belongs to a store: every regular file and link under a folder, and what was left out and why."""

from __future__ import annotations

import fnmatch
import hashlib
import os
import re
import stat
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from dreamreview.errors import UnsafePathError
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store.folder import Folder, is_link, is_temp
from dreamreview.store.rooted import Root, check_path, shown

BOOKKEEPING = frozenset(
    {".dream.lock", ".dream-state.json", ".dream-proposals", ".dream-manifest.json", ".dreamreview"}
)
"""Names at the root, of a store or of a proposal's copy, that are ours or Spring AI's and never memory."""

DEFAULT_IGNORE = (".consolidate-lock", ".DS_Store")
"""Globs that are left out where the configuration names none: a lock of Claude Code's dream, macOS folder settings."""

SIZE_LIMIT = 8 * 1024 * 1024
"""Bytes above which a file is left out."""

DEPTH_LIMIT = 200
"""Folders inside folders beyond which nothing is read."""

UNSEEN = "cannot be "
"""How a reason begins where the system did not let us look."""

_GIT = ".git"
_SET_ASIDE = ".dream-state.json."


class Entry(NamedTuple):
    """One file or link of a store, as it was when it was looked at."""

    path: str
    kind: str
    """``file`` or ``link``."""
    size: int
    """Bytes of the file, or of the link's target."""
    mtime_ns: int
    mode: int
    """Permission bits; `LINK_MODE` for a link."""
    inode: int


@dataclass(frozen=True, slots=True)
class Scan:
    """A store at one moment, in path order."""

    entries: Mapping[str, Entry]
    excluded: Mapping[str, str] = field(default_factory=dict)
    """Path of what was left out to the reason; a folder stands for all that is in it. Bookkeeping is not named."""

    def leaves_out(self, path: str) -> bool:
        """Tell whether a path, or a folder above it, was left out: then it is left out of the other side as well."""
        if not self.excluded:
            return False
        parts = path.split("/")
        return any("/".join(parts[:depth]) in self.excluded for depth in range(1, len(parts) + 1))


def is_bookkeeping(path: str) -> bool:
    """Tell whether a path is, or is inside, what is kept beside the memory at the root of a store."""
    name = path.split("/", 1)[0]
    return name in BOOKKEEPING or name.startswith(_SET_ASIDE)


def check_memory_path(path: str) -> tuple[str, ...]:
    """Return the parts of a path that a change may speak of.

    Raises:
        UnsafePathError: it leads outside, is bookkeeping or inside a ``.git``, in whatever case, or is named like a
            file of ours that is still being written.

    """
    parts = check_path(path)
    lowered = [part.casefold() for part in parts]
    if is_bookkeeping(lowered[0]) or _GIT in lowered or any(is_temp(part) for part in lowered):
        raise UnsafePathError(f"{shown(path)} is bookkeeping; no change may touch it")
    return parts


def scan(root: Root, ignore: Iterable[str] = DEFAULT_IGNORE, size_limit: int = SIZE_LIMIT) -> Scan:
    """Look at every name under a folder without opening a file.

    A glob without ``/`` is held against each name, one with ``/`` (also a leading one) against the whole path, where
    ``**`` stands for any number of folders; what matches a folder leaves out all that is in it.
    A folder that cannot be listed is named.
    Raises StoreError only when the root itself cannot be listed.
    """
    walk = _Walk(_ignoring(tuple(ignore)), size_limit)
    with root.enter(verb="list") as top:
        walk.visit(top, "", 0)
    return Scan(
        entries={path: walk.entries[path] for path in sorted(walk.entries)},
        excluded={path: walk.excluded[path] for path in sorted(walk.excluded)},
    )


def content(root: Root, entry: Entry, limit: int | None = None) -> bytes:
    """Return what an entry holds: a file's bytes, a link's target."""
    return os.fsencode(root.read_link(entry.path)) if entry.kind == "link" else root.read(entry.path, limit)


def digest_of(data: bytes) -> str:
    """Return the sha256 of some bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def tree_digest(entries: Iterable[tuple[str, int, str]]) -> str:
    """Return one digest over ``(path, mode, digest of the content)`` of a whole tree, whatever their order."""
    total = hashlib.sha256()
    for path, mode, digest in sorted((os.fsencode(path), mode, digest) for path, mode, digest in entries):
        total.update(b"%o %s %s\0" % (mode, digest.encode("ascii"), path))
    return total.hexdigest()


def may_pass(reason: str) -> bool:
    """Tell whether what was left out for a reason may be there at the next look: the system failed, no more."""
    return reason.startswith("cannot ") and "permission denied" not in reason and "not permitted" not in reason


def twins(paths: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of paths that some file systems hold for one: other case, other Unicode form."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        groups[unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())].append(path)
    return tuple(sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1))


def is_ignored(path: str, globs: Iterable[str]) -> bool:
    """Tell whether a scan with these globs would leave a path, or a folder above it, out."""
    ignores = _ignoring(tuple(globs))
    parts = path.split("/")
    return any(ignores(part, "/".join(parts[:depth])) for depth, part in enumerate(parts, start=1))


class _Walk:
    """The way through a folder, depth first, one open folder a level."""

    def __init__(self, is_ignored: Callable[[str, str], bool], size_limit: int) -> None:
        self.is_ignored = is_ignored
        self.size_limit = size_limit
        self.entries: dict[str, Entry] = {}
        self.excluded: dict[str, str] = {}

    def visit(self, folder: Folder, prefix: str, depth: int) -> None:
        found = list(folder.scan())
        if prefix and any(entry.name == _GIT for entry in found):
            self.excluded[prefix[:-1]] = "a git repository of its own"
            return
        for entry in found:
            name, path = entry.name, prefix + entry.name
            if not prefix and (is_bookkeeping(name) or name == _GIT):
                continue
            if self._is_left_out(name, path, is_top=not prefix):
                continue
            if _is_folder(entry):
                self._descend(folder, name, path, depth)
            else:
                self._take(folder, name, path)

    def _is_left_out(self, name: str, path: str, *, is_top: bool) -> bool:
        if is_temp(name):
            self.excluded[path] = "left by a write that was interrupted"
        elif name.startswith(".") and _is_disguised(name, is_top=is_top):
            self.excluded[path] = "a bookkeeping name in other letters"
        elif self.is_ignored(name, path):
            self.excluded[path] = "ignored by the configuration"
        else:
            return False
        return True

    def _descend(self, folder: Folder, name: str, path: str, depth: int) -> None:
        if depth >= DEPTH_LIMIT:
            self.excluded[path] = f"more than {DEPTH_LIMIT} folders deep"
            return
        try:
            with folder.enter(name) as inner:
                self.visit(inner, f"{path}/", depth + 1)
        except FileNotFoundError:
            return
        except UnsafePathError:
            self._take(folder, name, path)
        except OSError as error:
            self.excluded[path] = f"{UNSEEN}listed: {(error.strerror or str(error)).lower()}"

    def _take(self, folder: Folder, name: str, path: str) -> None:
        try:
            found = folder.lstat(name)
        except OSError as error:
            self.excluded[path] = f"{UNSEEN}looked at: {(error.strerror or str(error)).lower()}"
            return
        if found is None:
            return
        if is_link(found):
            self.entries[path] = Entry(path, "link", found.st_size, found.st_mtime_ns, LINK_MODE, found.st_ino)
        elif not stat.S_ISREG(found.st_mode):
            self.excluded[path] = f"{_special(found.st_mode)}, not a regular file"
        elif found.st_size > self.size_limit:
            self.excluded[path] = f"{found.st_size:,} bytes, over the limit of {self.size_limit:,}"
        else:
            mode = stat.S_IMODE(found.st_mode)
            self.entries[path] = Entry(path, "file", found.st_size, found.st_mtime_ns, mode, found.st_ino)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_disguised(name: str, *, is_top: bool) -> bool:
    """Tell whether a name is bookkeeping on a file system that does not tell upper from lower case."""
    lowered = name.casefold()
    return lowered != name and (lowered == _GIT or (is_top and is_bookkeeping(lowered)))


def _special(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device" if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) else "something odd"


def _ignoring(globs: tuple[str, ...]) -> Callable[[str, str], bool]:
    plain = [glob.rstrip("/") for glob in globs if glob.strip("/")]
    names = re.compile("|".join(fnmatch.translate(glob) for glob in plain if "/" not in glob) or r"(?!)")
    wholes = [tuple(glob.lstrip("/").split("/")) for glob in plain if "/" in glob]

    def is_ignored(name: str, path: str) -> bool:
        if names.match(name):
            return True
        return bool(wholes) and any(_matches(tuple(path.split("/")), glob) for glob in wholes)

    return is_ignored


def _matches(parts: tuple[str, ...], glob: tuple[str, ...]) -> bool:
    """Hold a path against a glob, part by part; ``**`` stands for any number of folders."""
    if not glob:
        return not parts
    if glob[0] == "**":
        return any(_matches(parts[skip:], glob[1:]) for skip in range(len(parts) + 1))
    return bool(parts) and fnmatch.fnmatchcase(parts[0], glob[0]) and _matches(parts[1:], glob[1:])
