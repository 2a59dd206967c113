"""Earlier states of a store: each a git tree of its own, kept apart from the history of what we wrote ourselves.

They lie in a repository of their own, under a lock of their own: a look at a store holds up nobody who writes to it,
and objects that are thinned out are none that an apply is about to refer to.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError
from dreamreview.model.proposal import LINK_MODE
from dreamreview.model.thinning import ALL_FOR, thinned
from dreamreview.store import bare, git_locks, staging
from dreamreview.store.bookkeeping import make_folder
from dreamreview.store.git import DURABLE, run
from dreamreview.store.history import quoted
from dreamreview.store.moves import is_executable
from dreamreview.store.rooted import MissingPathError
from dreamreview.store.seen import FOLDER

if TYPE_CHECKING:
    from dreamreview.store.rooted import Root

REPOSITORY = f"{FOLDER}/objects.git"

SIZE_BOUND = 256 * 1024 * 1024
"""Bytes of snapshots beyond which the oldest go, but for the newest."""

MOST_PACKS = 24
"""Packs, one a look, from which all of them are made one."""

LOOSE = 400
"""Objects by themselves from which the same is done."""

_SHARE = 8
"""All is packed anew once the states that went are more than this part of those that stay."""

_LOCK = f"{FOLDER}/lock"
_REFS = "refs/snapshots"
_BEFORE = "before"
"""Part of a snapshot that holds what stood under paths that others changed and nobody decided on."""
_FILES = "files"
_RETRY = 0.05
_STAMP = "%Y%m%dT%H%M%S%f"
"""When a state was seen, in the name of its reference; to the millisecond."""
_FOLDERS = (REPOSITORY, *(f"{REPOSITORY}/{name}" for name in ("refs", "refs/heads", _REFS, "objects/info")))

Held = tuple[bytes, int]
"""Bytes (a link's target) and permission bits (`LINK_MODE`)."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One kept state."""

    number: int
    at: datetime
    ref: str


@dataclass(frozen=True, slots=True)
class Whole:
    """All of one kept state."""

    commit: str
    """Its object name."""
    files: Mapping[str, Held]


@contextmanager
def looking(root: Root, wait: float = 0.0) -> Iterator[bool]:
    """Keep others from looking for as long as the block runs; yields False where somebody else looks just now.

    Args:
        root: the store.
        wait: seconds to try.

    Raises:
        StoreError: the folder cannot be written to, or its file system has no locks.
    """
    from filelock import lock_descriptor, unlock_descriptor

    make_folder(root, FOLDER)
    fd = root.open(_LOCK, os.O_RDWR | os.O_CREAT)
    deadline = time.monotonic() + wait
    try:
        try:
            while not (is_ours := lock_descriptor(fd, blocking=False)) and time.monotonic() < deadline:
                time.sleep(_RETRY)
        except OSError as error:
            raise StoreError(f"cannot lock {root.path}: its file system has no locks") from error
        try:
            if is_ours:
                _sweep(root)
            yield is_ours
        finally:
            if is_ours:
                unlock_descriptor(fd)
    finally:
        os.close(fd)


def _sweep(root: Root) -> None:
    """Remove what a look that was killed left half written; nobody else writes there now."""
    for folder in staging.LOOKED:
        with suppress(MissingPathError):
            root.sweep_temps(folder)


class Snapshots:
    """The kept states of one store; whoever writes holds `looking`."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._git_dir = os.path.join(root.path, REPOSITORY)

    def keep(
        self,
        number: int,
        at: datetime,
        changed: Mapping[str, Held | None],
        before: Mapping[str, Held],
        parent: str | None = None,
    ) -> str:
        """Keep a state under its number and return its object name.

        Args:
            number: one more than any before.
            at: when it was seen.
            changed: path to what stands there now, None for nothing, where that differs from `parent`.
            before: path to what stood there where others changed it and nobody decided on that.
            parent: object name of the state that the rest is taken from.

        Raises:
            StoreError: git is missing or failed.
        """
        self._initialise()
        ref = f"{_REFS}/{number:08d}-{at.astimezone(UTC).strftime(_STAMP)[:-3]}"
        tree = parent and run(["rev-parse", "--verify", f"{parent}^{{tree}}"], git_dir=self._git_dir).decode("ascii")
        orders = _stream(ref, int(at.timestamp()), changed, before, tree and tree.strip())
        out = run([*DURABLE, "fast-import", "--quiet", "--force", "--depth=0"], git_dir=self._git_dir, data=orders)
        # What was seen is written down next, and speaks of this state.
        bare.sync(self._root, REPOSITORY, bare.PACKS, "objects", _REFS, "refs")
        return out.decode("ascii").strip()

    def texts(self, commit: str, paths: Iterable[str], *, before: bool = True) -> dict[str, bytes]:
        """Return what a state holds under some paths; those that it does not have are left out.

        Args:
            commit: its object name.
            paths: which.
            before: whether what stood there before others changed it comes first.

        Raises:
            StoreError: the state is gone or damaged.
        """
        wanted = set(paths)
        if not wanted:
            return {}
        objects = self._objects(commit)
        found: dict[str, str] = {}
        for part in (_BEFORE, _FILES) if before else (_FILES,):
            for path in wanted - found.keys():
                name = objects.get(f"{part}/{path}")
                if name is not None:
                    found[path] = name[1]
        return dict(zip(found, self._read(found.values()), strict=True))

    def modes(self, commit: str) -> dict[str, int]:
        """Return every path of a state with its mode as git keeps it: a link, executable or not."""
        start = f"{_FILES}/"
        return {path[len(start) :]: one[0] for path, one in self._objects(commit).items() if path.startswith(start)}

    def all(self) -> tuple[Snapshot, ...]:
        """Return the kept states, oldest first."""
        if not bare.is_whole(self._root, REPOSITORY):
            return ()
        out = run(["for-each-ref", "--format=%(refname)", _REFS], git_dir=self._git_dir).decode("ascii")
        return tuple(sorted((_snapshot(ref) for ref in out.split()), key=lambda one: one.number))

    def whole(self, snapshot: Snapshot) -> Whole:
        """Return all that a kept state holds.

        Raises:
            StoreError: it is gone or damaged.
        """
        commit = run(["rev-parse", "--verify", snapshot.ref], git_dir=self._git_dir).decode("ascii").strip()
        modes = self.modes(commit)
        texts = self.texts(commit, modes, before=False)
        return Whole(commit, {path: (texts[path], mode) for path, mode in modes.items()})

    def thin(self, now: datetime, current: int, bound: int = SIZE_BOUND) -> int:
        """Let old states go, pack what stays, and return how many went; the current one always stays.

        It holds all that is undecided, so no other is needed for that.
        """
        states = [one for one in self.all() if one.number < current]
        stays = thinned((one.at for one in states), now)
        newest = {one.at: one.number for one in states}
        left = [one for one in states if one.at in stays and (now - one.at <= ALL_FOR or newest[one.at] == one.number)]
        gone = [one for one in states if one not in left]
        self._drop(gone)
        if len(gone) * _SHARE > len(left) or self._is_scattered():
            self._settle(left)
            bare.pack(self._root, REPOSITORY)
        count = len(gone)
        while left and self._size() > bound:
            oldest, left = left[: (len(left) + 1) // 2], left[(len(left) + 1) // 2 :]
            self._drop(oldest)
            bare.pack(self._root, REPOSITORY)
            count += len(oldest)
        return count

    def _settle(self, states: Sequence[Snapshot]) -> None:
        """Let go of what stood before others changed it: the current state holds what of that is undecided."""
        asked = "".join(f"{one.ref}:{part}\n" for one in states for part in (_BEFORE, _FILES)).encode("ascii")
        orders = ["cat-file", "--batch-check=%(objectname)"]
        rows = run(orders, git_dir=self._git_dir, data=asked).splitlines()
        fresh: list[bytes] = []
        for one, before, files in zip(states, rows[::2], rows[1::2], strict=True):
            if not before.endswith(b" missing"):
                ref = one.ref.encode("ascii")
                fresh += (b"reset %b\n\n" % ref, *_commit(ref, int(one.at.timestamp())))
                if not files.endswith(b" missing"):
                    fresh.append(b"M 040000 %b %b\n" % (files, _FILES.encode("ascii")))
        if fresh:
            orders = [*DURABLE, "fast-import", "--quiet", "--force", "--depth=0"]
            run(orders, git_dir=self._git_dir, data=b"".join(fresh))

    def _initialise(self) -> None:
        """Make the repository where there is none, else remove the locks that a killed look left."""
        if bare.initialise(self._root, REPOSITORY):
            return
        if git_locks.has_any(self._root, _FOLDERS):
            git_locks.sweep(self._root, _FOLDERS)
        bare.drop_broken(self._git_dir)

    def _objects(self, commit: str) -> dict[str, tuple[int, str]]:
        out = run(["ls-tree", "-r", "-z", "--full-tree", commit], git_dir=self._git_dir)
        found: dict[str, tuple[int, str]] = {}
        for line in out.split(b"\0")[:-1]:
            head, _, name = line.partition(b"\t")
            mode, _, oid = head.decode("ascii").split(" ")
            found[name.decode("utf-8", "surrogateescape")] = _MODES[mode], oid
        return found

    def _read(self, names: Iterable[str]) -> Iterator[bytes]:
        asked = list(names)
        out = run(["cat-file", "--batch"], git_dir=self._git_dir, data="".join(f"{one}\n" for one in asked).encode())
        at = 0
        for name in asked:
            end = out.index(b"\n", at)
            if out[at:end].endswith(b" missing"):
                raise StoreError(f"the snapshots in {FOLDER} are damaged: {name} is missing; remove that folder")
            size = int(out[at:end].rsplit(b" ", 1)[1])
            yield out[end + 1 : end + 1 + size]
            at = end + size + 2

    def _drop(self, states: Iterable[Snapshot]) -> None:
        orders = "".join(f"delete {one.ref}\n" for one in states)
        if orders:
            run(["update-ref", "--stdin"], git_dir=self._git_dir, data=orders.encode("ascii"))

    def _is_scattered(self) -> bool:
        return len(bare.packs(self._root, REPOSITORY)) >= MOST_PACKS or self._counts()["count"] >= LOOSE

    def _size(self) -> int:
        """Return the bytes that all objects take."""
        counts = self._counts()
        return (counts["size"] + counts["size-pack"]) * 1024

    def _counts(self) -> dict[str, int]:
        out = run(["count-objects", "-v"], git_dir=self._git_dir).decode("ascii")
        pairs = (line.split(": ", 1) for line in out.splitlines())
        return {key: int(value) for key, value in pairs if value.isdigit()}


_MODES = {"100644": 0o644, "100755": 0o755, "120000": LINK_MODE}


def _snapshot(ref: str) -> Snapshot:
    number, _, stamp = ref.removeprefix(f"{_REFS}/").partition("-")
    return Snapshot(int(number), datetime.strptime(stamp, _STAMP).replace(tzinfo=UTC), ref)


def _stream(
    ref: str, seconds: int, changed: Mapping[str, Held | None], before: Mapping[str, Held], tree: str | None
) -> bytes:
    """Return the orders for git fast-import: every text, then one commit without a past that names them."""
    blobs: list[bytes] = []
    orders = [*_commit(ref.encode("ascii"), seconds)]
    if tree:
        orders += (b'M 040000 %b ""\n' % tree.encode("ascii"), b"D %b\n" % _BEFORE.encode("ascii"))
    orders += (b"D %b\n" % quoted(f"{_FILES}/{path}") for path, held in changed.items() if held is None)
    kept = [(f"{_FILES}/{path}", held) for path, held in changed.items() if held is not None]
    for mark, (name, (data, mode)) in enumerate([*kept, *((f"{_BEFORE}/{p}", h) for p, h in before.items())], 2):
        blobs += (b"blob\nmark :%d\ndata %d\n" % (mark, len(data)), data, b"\n")
        orders.append(b"M %b :%d %b\n" % (_git_mode(mode), mark, quoted(name)))
    return b"".join([*blobs, *orders, b"get-mark :1\n"])


def _commit(ref: bytes, seconds: int) -> Iterator[bytes]:
    yield b"commit %b\nmark :1\n" % ref
    yield b"committer dreamreview <dreamreview@localhost> %d +0000\ndata 4\nseen\n" % max(seconds, 0)


def _git_mode(mode: int) -> bytes:
    if mode == LINK_MODE:
        return b"120000"
    return b"100755" if is_executable(mode) else b"100644"
