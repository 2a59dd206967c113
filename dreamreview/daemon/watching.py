"""Looking at several stores again and again: when something was written in one, and now and then in any case.

What the system tells of changes is a hint, no more. A store is looked at once it has been quiet for a moment, by
whoever was handed in for that; one that fails is tried again later and stops no other.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from dreamreview.daemon.arrivals import CHANGES, PROPOSALS
from dreamreview.errors import DreamReviewError
from dreamreview.store.bookkeeping import OWN

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver, ObservedWatch

QUIET_SECONDS = 1.0
"""Seconds without an event after which a store is looked at."""

PATIENCE_SECONDS = 20.0
"""Seconds after which a store is looked at although it never is quiet."""

WATCHED_POLL_SECONDS = 60.0
"""Seconds between looks at a store of which the system tells: for network drives, which send none."""

BARE_POLL_SECONDS = 5.0
"""Seconds between looks at a store that the system does not watch."""

HEARING_SECONDS = 1.0
"""Seconds after which a ctrl+c is heard at the latest: one that comes just before a wait does not end it."""

WATCHED_FOLDERS = 60
"""Folders that the system watches at once; each takes one of the watches that it leaves to a user."""

_USED_UP = frozenset({errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM})
"""How a system says that it watches nothing more."""

_RETRY_SECONDS = 0.5
"""Seconds between two tries at a store that is busy, at first; each further try waits twice as long."""


def _ignore(_folder: str, _reason: str) -> None:
    return None


class Watching:
    """Looks at stores for as long as it runs, in the thread that runs it.

    Args:
        folders: the stores.
        look: looks at one of `folders`; answers False where it could not be looked at just now.
        on_failure: told when a look fails, once for each reason.
        on_polled: told once for a store of which the system does not tell, with the reason.
        quiet: seconds without an event after which a store is looked at.
        poll: seconds between looks; by whether the system tells of changes without it.
    """

    def __init__(
        self,
        folders: Sequence[str],
        look: Callable[[str], bool],
        on_failure: Callable[[str, DreamReviewError], None],
        on_polled: Callable[[str, str], None] = _ignore,
        *,
        quiet: float = QUIET_SECONDS,
        poll: float | None = None,
    ) -> None:
        self._stores = {folder: _Store(folder) for folder in dict.fromkeys(folders)}
        self._look = look
        self._on_failure = on_failure
        self._on_polled = on_polled
        self._quiet = quiet
        self._poll = poll
        self._hint = threading.Event()
        self._stopped = threading.Event()
        self._observer: BaseObserver | None = None

    def run(self) -> None:
        """Look at every store, and then at each that was written to, until `stop` is called."""
        observer = self._observer = _listening()
        try:
            while not self._stopped.is_set():
                left = min(store.due for store in self._stores.values()) - time.monotonic()
                self._hint.wait(min(max(left, 0.0), HEARING_SECONDS))
                self._hint.clear()
                for store in self._stores.values():
                    if not self._stopped.is_set() and store.is_due(time.monotonic()):
                        self._visit(store)
        finally:
            if observer is not None:
                observer.stop()
                observer.join(timeout=5)

    def stop(self) -> None:
        """End `run` after the look that is under way; may be called from any thread."""
        self._stopped.set()
        self._hint.set()

    @property
    def watched(self) -> frozenset[str]:
        """The stores of which the system tells; the others are polled."""
        return frozenset(folder for folder, store in self._stores.items() if store.watches)

    def _visit(self, store: _Store) -> None:
        """Look at a store, and say when to look next."""
        store.begin()
        # Whatever is written from here on is told; whatever was written before is seen.
        self._observe(store)
        is_done = True
        try:
            is_done = self._look(store.folder)
            store.failure = ""
        except DreamReviewError as error:
            if str(error) != store.failure:
                store.failure = str(error)
                self._on_failure(store.folder, error)
        store.end(time.monotonic(), self._interval(store), is_done=is_done)

    def _interval(self, store: _Store) -> float:
        if self._poll is not None:
            return self._poll
        return WATCHED_POLL_SECONDS if store.watches else BARE_POLL_SECONDS

    def _observe(self, store: _Store) -> None:
        """Watch the folders of a store as they are now, and the one above it: one that is replaced sends nothing."""
        observer = self._observer
        wanted = _folders(store.folder)
        if observer is None:
            self._polled(store, "the system watches no more folders for you")
        if observer is None or wanted == store.observed:
            return
        _unschedule(observer, store)
        if len(wanted) > WATCHED_FOLDERS:
            self._polled(store, f"it has more than {WATCHED_FOLDERS} folders")
        if not wanted or len(wanted) > WATCHED_FOLDERS:
            return
        hints = _Hints(lambda event: self._noticed(store, event))
        try:
            for folder in wanted:
                store.watches.append(observer.schedule(hints, folder, recursive=False))
            store.observed = wanted
        except OSError as error:  # watches have run out, or a folder went meanwhile
            _unschedule(observer, store)
            if error.errno in _USED_UP:
                self._polled(store, "the system has no watches left (fs.inotify.max_user_watches)")

    def _polled(self, store: _Store, reason: str) -> None:
        if not store.is_told_polled:
            store.is_told_polled = True
            self._on_polled(store.folder, reason)

    def _noticed(self, store: _Store, event: FileSystemEvent) -> None:
        """Take a hint when it is about the store, and not about what we write there ourselves."""
        for path in (event.src_path, event.dest_path):
            parts = os.path.relpath(os.fsdecode(path) or os.sep, store.folder).split(os.sep)
            if parts[0] not in ("..", OWN, ".dream.lock") and not parts[0].startswith(".dream-tmp-"):
                store.hint(time.monotonic(), self._quiet)
                self._hint.set()
                return


class _Store:
    """When one store is looked at next."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.watches: list[ObservedWatch] = []
        self.observed: frozenset[str] = frozenset()
        self.failure = ""
        self.is_told_polled = False
        self.due = 0.0
        """On the monotonic clock."""
        self._lock = threading.Lock()
        self._hinted: float | None = None
        """When the first hint came since the last look began."""
        self._tries = 0

    def hint(self, now: float, quiet: float) -> None:
        """Look once it is quiet, and do not wait for that for ever."""
        with self._lock:
            self._hinted = now if self._hinted is None else self._hinted
            self.due = min(now + quiet, self._hinted + PATIENCE_SECONDS)

    def is_due(self, now: float) -> bool:
        """Tell whether it is time to look."""
        with self._lock:
            return now >= self.due

    def begin(self) -> None:
        """Note that hints from now on are about what this look may not see."""
        with self._lock:
            self._hinted = None

    def end(self, now: float, interval: float, *, is_done: bool) -> None:
        """Say when to look again if nothing is told before; soon where this look was none."""
        with self._lock:
            self._tries = 0 if is_done else self._tries + 1
            wait = interval if is_done else min(_RETRY_SECONDS * 2**self._tries, interval)
            if self._hinted is None:
                self.due = now + wait


def _listening() -> BaseObserver | None:
    """Return what tells of changes; None where the system does not."""
    try:
        observer = Observer()
        observer.start()
    except OSError:
        return None
    return observer


def _unschedule(observer: BaseObserver, store: _Store) -> None:
    for watch in store.watches:
        with suppress(KeyError, OSError):  # its folder went, and the watch with it
            observer.unschedule(watch)
    store.watches, store.observed = [], frozenset()


def _folders(folder: str) -> frozenset[str]:
    """Return the folders in which memory lies, without those that are ours, and the one above, in which it comes back.

    A store with very many folders is polled, so the search ends there.
    """
    above = os.path.dirname(os.path.abspath(folder))
    if not os.path.isdir(folder):
        return frozenset({above} if os.path.isdir(above) else ())
    found = {above, folder}
    if os.path.isdir(proposals := os.path.join(folder, PROPOSALS)):
        found.add(proposals)
    for place, names, _ in os.walk(folder):
        names[:] = [name for name in names if name != ".git" and not name.startswith(".dream")]
        found.update(os.path.join(place, name) for name in names)
        if len(found) > WATCHED_FOLDERS:
            break
    return frozenset(found)


class _Hints(FileSystemEventHandler):
    """What watchdog hands its events to."""

    def __init__(self, notice: Callable[[FileSystemEvent], None]) -> None:
        self._notice = notice

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Pass on what may have changed a file; looking at it makes events too, which must not."""
        if event.event_type in CHANGES:
            self._notice(event)
