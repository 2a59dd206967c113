"""Who may write to a store now: one holder at a time, told to other programs in the form that Spring AI reads."""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError, StoreError, StoreLockedError
from dreamreview.store import owner
from dreamreview.store.bookkeeping import NOTICE, OWN, make_folder
from dreamreview.store.folder import telling
from dreamreview.store.rooted import MissingPathError, Root, shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from dreamreview.store.owner import Process

STALE_MS = 15 * 60 * 1000
"""Age above which a notice says nothing any more. Spring AI's AutoDreamService."""

RENEW_MS = 5 * 60 * 1000
"""Age at which the holder renews its notice."""

_LOCK = f"{OWN}/lock"
_OWNER = f"{OWN}/owner.json"
_DRAFT = f"{OWN}/notice"
_TAKEN = f"{OWN}/notice-taken"
_TICK_SECONDS = 20.0
_RETRY_SECONDS = 0.05
_BOUND = 65_536

_held_here: set[str] = set()
"""Tokens that this process holds."""


@dataclass(frozen=True, slots=True)
class _Notice:
    text: bytes
    mtime_ms: int
    inode: int

    def age(self, now: int) -> int:
        """Return how many milliseconds ago it was made; one from the future counts from its file's time.

        Where that lies ahead as well, one of two clocks is wrong: the distance counts.
        """
        found = re.match(rb"\s*(\d{1,18})(?:\s|$)", self.text)
        stamp = int(found[1]) if found else self.mtime_ms
        return now - stamp if stamp <= now else abs(now - self.mtime_ms)


@dataclass(frozen=True, slots=True)
class _Owner:
    token: str
    process: Process
    purpose: str
    since: int
    stamps: tuple[str, ...]
    """What the notice holds: after a kill between the two writes of a renewal, one of two."""

    def wrote(self, notice: _Notice) -> bool:
        return notice.text.decode("ascii", "replace") in self.stamps

    def __str__(self) -> str:
        who = f"process {self.process.pid} on {shown(self.process.host[:100])}"
        return f"dreamreview ({shown(self.purpose[:100])}, {who}) since {_when(self.since)}"


class Held:
    """A store that is ours to write to; `hold` makes it."""

    def __init__(self, root: Root, purpose: str) -> None:
        self.token = secrets.token_hex(16)
        self._root = root
        self._purpose = purpose
        self._process = owner.this_process()
        self._since = _now_ms()
        self._stamps: tuple[str, ...] = ()
        self._guard = threading.Lock()
        self._is_over = False

    def check(self) -> None:
        """Make sure that nobody took the store over while this process slept; call it before the first write.

        Raises:
            StoreLockedError: another program did; nothing more must be written.

        """
        with self._guard:
            notice = _read_notice(self._root)
            if notice is None:
                self._announce()
            elif not self._is_mine(notice):
                raise StoreLockedError(_sentence(self._root, f"another program since {_made(notice)}"))

    def renew(self) -> None:
        """Give the notice the time of now, if it is still ours and older than it should be."""
        with self._guard:
            if self._is_over:
                return
            now, notice = _now_ms(), _read_notice(self._root)
            if notice is None:
                self._announce()
            elif self._is_mine(notice) and abs(now - int(notice.text)) >= RENEW_MS:
                self._record((*self._stamps[-1:], str(now)))
                self._draft()
                self._root.replace(_DRAFT, NOTICE, durable=False)

    def announce(self) -> None:
        """Say that we hold the store; the operating system's lock must be ours."""
        with self._guard:
            self._announce()

    def withdraw(self) -> None:
        """Take our notice away, and nobody else's."""
        with self._guard:
            self._is_over = True
            # Others honour the record for as long as its process runs, which may be long after this. Yet while the
            # notice stands, it alone tells them that nobody else made it.
            if self._takes_back(_take_away) or self._takes_back(_remove):
                with suppress(DreamReviewError):
                    self._root.fsync_dir()
                    self._root.remove(_OWNER)

    def _takes_back(self, take: Callable[[Root, _Notice], bool]) -> bool:
        """Take our notice away, and nobody else's; False where the system does not let us."""
        with suppress(DreamReviewError):
            notice = _read_notice(self._root)
            if notice is not None and self._is_mine(notice):
                return take(self._root, notice)
            return notice is None or bool(notice.text)
        return False

    def _is_mine(self, notice: _Notice) -> bool:
        return notice.text.decode("ascii", "replace") in self._stamps

    def _announce(self) -> None:
        self._record((str(_now_ms()),))
        self._draft()
        if not _put_new(self._root, self._stamps[-1].encode("ascii")):
            self._stamps = ()
            raise StoreLockedError(_sentence(self._root, "another program that came first"))

    def _record(self, stamps: tuple[str, ...]) -> None:
        self._stamps = stamps
        record = owner.to_json(self._process) | {
            "token": self.token, "purpose": self._purpose, "since": self._since, "stamps": list(stamps)
        }  # fmt: skip
        self._root.write_atomic(_OWNER, json.dumps(record).encode("ascii"), 0o600, durable=False)
        self._root.fsync(_OWNER)

    def _draft(self) -> None:
        # Other programs may run under another name, and take a notice that they cannot read for a stale one. A notice
        # that outlives a loss of power without the record would be anybody's: both are on the disk before it is there.
        self._root.write_atomic(_DRAFT, self._stamps[-1].encode("ascii"), 0o644)


@contextmanager
def hold(root: Root, purpose: str, wait: float = 0.0) -> Iterator[Held]:
    """Hold a store for as long as the block runs; `purpose` is what others are told, `wait` how many seconds to try.

    Another dreamreview is kept out by a lock of the operating system, which dies with its process; other programs by
    the notice, which is renewed while it is held. A foreign notice is honoured for 15 minutes.

    Raises:
        StoreLockedError: somebody else holds it; the message says who and since when.
        StoreError: the folder cannot be written to.

    """
    make_folder(root, OWN)
    deadline = time.monotonic() + wait
    while True:
        with _system_lock(root) as is_ours:
            blocker = _blocker(root) if is_ours else _current(root)
            if blocker is None:
                yield from _holding(root, purpose)
                return
        if time.monotonic() >= deadline:
            raise StoreLockedError(_sentence(root, blocker))
        time.sleep(_RETRY_SECONDS)


def holder(root: Root) -> str | None:
    """Return who holds a store and since when, or None; looks at files alone, takes and writes nothing."""
    try:
        notice, record = _read_notice(root), _read_owner(root)
        alive = owner.is_alive(record.process) if record else None
    except DreamReviewError as error:
        return str(error)
    if record and (notice is None or record.wrote(notice)):
        if record.process == owner.this_process() and record.token not in _held_here:
            return None  # left by this very process, to which the disk refused to remove it
        if alive is not None:
            return str(record) if alive else None
        return str(record) if notice and notice.age(_now_ms()) <= STALE_MS else None
    return f"another program since {_made(notice)}" if notice and notice.age(_now_ms()) <= STALE_MS else None


def _holding(root: Root, purpose: str) -> Iterator[Held]:
    held, done = Held(root, purpose), threading.Event()
    _held_here.add(held.token)
    try:
        held.announce()
        threading.Thread(target=_keep, args=(held, done), name="lock-keeper", daemon=True).start()
        yield held
    finally:
        done.set()
        _held_here.discard(held.token)
        held.withdraw()


def _keep(held: Held, done: threading.Event) -> None:
    while not done.wait(_TICK_SECONDS):
        with suppress(DreamReviewError):  # the next tick tries again, and `check` tells when it is too late
            held.renew()


@contextmanager
def _system_lock(root: Root) -> Iterator[bool]:
    """Take the lock that dies with its process and yield whether it is ours."""
    from filelock import lock_descriptor, unlock_descriptor

    fd = root.open(_LOCK, os.O_RDWR | os.O_CREAT)
    try:
        try:
            is_ours = lock_descriptor(fd, blocking=False)
        except OSError as error:
            where = shown(root.path)
            raise StoreError(f"cannot lock {where}: its file system has no locks; move it to a local disk") from error
        with telling("lock", _LOCK, root.path):
            found = root.stat(_LOCK)
            # A lock file that was removed and made again by another program is another lock.
            is_same = found is not None and os.path.samestat(found, os.fstat(fd))
        try:
            yield is_ours and is_same
        finally:
            if is_ours:
                unlock_descriptor(fd)
    finally:
        os.close(fd)


def _blocker(root: Root) -> str | None:
    """Return who else holds a store whose system lock is ours; a notice that says nothing any more is taken away."""
    notice, record = _read_notice(root), _read_owner(root)
    if record and (record.token in _held_here or _runs_elsewhere(record.process)):
        return str(record)
    if notice is None:
        return None
    is_left_over = record is not None and record.wrote(notice) and owner.is_here(record.process)
    if not is_left_over and notice.age(_now_ms()) <= STALE_MS:
        return str(record) if record and record.wrote(notice) else f"another program since {_made(notice)}"
    return None if _take_away(root, notice) else "another program that came first"


def _current(root: Root) -> str:
    """Return who holds a store whose system lock is not ours, as far as it can be read."""
    record = _read_owner(root)
    return str(record) if record and owner.is_alive(record.process) is not False else "another dreamreview"


def _runs_elsewhere(process: Process) -> bool:
    return owner.is_alive(process) is True and process != owner.this_process()


def _read_notice(root: Root) -> _Notice | None:
    found = root.stat(NOTICE)
    if found is None:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise StoreError(f"{NOTICE} in {shown(root.path)} is not a regular file; remove it")
    return _Notice(text=_text(root, NOTICE), mtime_ms=found.st_mtime_ns // 1_000_000, inode=found.st_ino)


def _text(root: Root, path: str) -> bytes:
    """Return what a notice says; nothing where it cannot be read, so that its file's time counts."""
    try:
        return root.read(path, _BOUND)
    except StoreError:
        return b""


def _read_owner(root: Root) -> _Owner | None:
    try:
        record = json.loads(root.read(_OWNER, _BOUND))
    except (StoreError, ValueError, RecursionError):
        return None
    process = owner.from_json(record)
    if process is None:
        return None
    token, purpose, since, stamps = (record.get(key) for key in ("token", "purpose", "since", "stamps"))
    if not (isinstance(token, str) and isinstance(purpose, str) and type(since) is int and isinstance(stamps, list)):
        return None
    return _Owner(token, process, purpose, since, tuple(stamp for stamp in stamps if isinstance(stamp, str)))


def _put_new(root: Root, text: bytes) -> bool:
    """Put the drafted notice in place if none is there; where files can have two names, it is never seen empty."""
    try:
        return root.link(_DRAFT, NOTICE)
    except StoreError:
        try:
            root.create(NOTICE, text, 0o644, durable=True)
        except StoreError as error:
            if isinstance(error.__cause__, FileExistsError):
                return False
            raise
        return True
    finally:
        root.remove(_DRAFT)


def _take_away(root: Root, judged: _Notice) -> bool:
    """Remove the notice that was looked at; another one that came in its place is put back, and False returned."""
    try:
        root.replace(NOTICE, _TAKEN, durable=False)
        found = root.stat(_TAKEN)
        is_it = found is not None and found.st_ino == judged.inode and _text(root, _TAKEN) == judged.text
        if not is_it:
            root.link(_TAKEN, NOTICE)
        root.remove(_TAKEN)
    except MissingPathError:
        return True
    return is_it


def _remove(root: Root, _judged: _Notice) -> bool:
    """Remove the notice where it stands: a full disk may refuse to rename it."""
    return root.remove(NOTICE)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _made(notice: _Notice) -> str:
    return _when(_now_ms() - notice.age(_now_ms()))


def _when(milliseconds: int) -> str:
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, ValueError, OSError):
        return "an unknown time"


def _sentence(root: Root, blocker: str) -> str:
    return f"{shown(root.folder)} is locked by {blocker}; wait until it has finished and try again"
