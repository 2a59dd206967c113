"""Noticing that something changed among the proposals of stores; what changed is for the reader to find out.

Events of the file system are hints: they may come late, in swarms or never. A slow poll stands behind them, and a
change is told only when the listing of the proposals really differs.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver, ObservedWatch

PROPOSALS = ".dream-proposals"
"""Folder of a store that proposals are published in, by rename."""
QUIET_SECONDS = 0.15
"""Seconds without an event after which the listing is taken."""
WATCHED_POLL_SECONDS = 5.0
"""Seconds between looks while events come: for network drives, which send none."""
BARE_POLL_SECONDS = 1.0
"""Seconds between looks where the system offers no watch."""
WATCHED_STORES = 12
"""Stores that the system watches at once: each takes two of the 128 watchers that Linux leaves to a user."""
PATIENCE = 20
"""Times that more events put a look off, so that a busy folder is looked at too."""

CHANGES = frozenset({"created", "deleted", "moved", "modified"})
"""Types of events that can change a listing."""

Listing = frozenset[tuple[str, int, int]]
"""Name, inode and time of change of each published proposal."""


def listing(folder: str) -> Listing:
    """Return what stands in the folder of proposals; names in the making start with a dot and do not count."""
    try:
        with os.scandir(os.path.join(folder, PROPOSALS)) as entries:
            stats = [(entry.name, entry.stat(follow_symlinks=False)) for entry in entries if entry.name[:1] != "."]
    except OSError:
        return frozenset()
    return frozenset((name, stat.st_ino, stat.st_mtime_ns) for name, stat in stats)


class Arrivals:
    """Watches the proposals of some stores and calls back, from a thread of its own, with the folder that changed.

    Args:
        folders: the stores; the system watches the first of them, up to `WATCHED_STORES`, the rest are polled.
        on_change: called with one of `folders`.
        quiet: seconds without an event after which a listing is taken.
        poll: seconds between looks; by whether the system tells of changes without it.
    """

    def __init__(
        self,
        folders: Sequence[str],
        on_change: Callable[[str], None],
        *,
        quiet: float = QUIET_SECONDS,
        poll: float | None = None,
    ) -> None:
        self._folders = tuple(dict.fromkeys(folders))
        self._on_change = on_change
        self._quiet = quiet
        self._poll = poll
        self._hint = threading.Event()
        self._stopped = threading.Event()
        self._observer: BaseObserver | None = None
        self._watches: dict[str, list[ObservedWatch]] = {}
        self._inner_watched: set[str] = set()
        """Folders whose folder of proposals is watched as well."""
        self._known: dict[str, Listing] = {}
        self._thread = threading.Thread(target=self._run, name="arrivals", daemon=True)

    def start(self) -> None:
        """Take the listings as they are now and watch for others."""
        self._known = {folder: listing(folder) for folder in self._folders}
        try:
            observer = Observer()
            observer.start()
        except OSError:
            observer = None
        self._observer = observer
        for folder in self._folders[:WATCHED_STORES]:
            self._observe(folder)
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and wait for the thread to end."""
        self._stopped.set()
        self._hint.set()
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join(timeout=5)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=5)

    @property
    def watched(self) -> frozenset[str]:
        """The stores of which the system tells; the others are polled."""
        return frozenset(folder for folder, watches in self._watches.items() if watches)

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._hint.wait(self._interval)
            for _ in range(PATIENCE):
                self._hint.clear()
                if self._stopped.is_set() or not self._hint.wait(self._quiet):
                    break
            if self._stopped.is_set():
                return
            for folder in self._folders:
                self._look(folder)

    @property
    def _interval(self) -> float:
        if self._poll is not None:
            return self._poll
        return WATCHED_POLL_SECONDS if len(self.watched) == len(self._folders) else BARE_POLL_SECONDS

    def _look(self, folder: str) -> None:
        now = listing(folder)
        is_there = os.path.isdir(os.path.join(folder, PROPOSALS))
        if folder in self._watches and (folder in self._inner_watched) != is_there:
            self._observe(folder)
        if now != self._known[folder]:
            self._known[folder] = now
            self._on_change(folder)

    def _observe(self, folder: str) -> None:
        """Watch the folder of proposals and the store above it: a folder that is replaced sends nothing itself."""
        observer = self._observer
        if observer is None or self._stopped.is_set():
            return
        self._forget(observer, folder)
        watches = self._watches[folder] = []
        inner = os.path.join(folder, PROPOSALS)
        hints = _Hints(partial(self._noticed, folder))
        try:
            watches.append(observer.schedule(hints, folder, recursive=False))
            if os.path.isdir(inner):
                watches.append(observer.schedule(hints, inner, recursive=False))
                self._inner_watched.add(folder)
        except OSError:  # watches have run out, or there is no such folder yet
            self._forget(observer, folder)

    def _forget(self, observer: BaseObserver, folder: str) -> None:
        self._inner_watched.discard(folder)
        for watch in self._watches.pop(folder, []):
            with suppress(KeyError):  # its folder went, and the watch with it
                observer.unschedule(watch)

    def _noticed(self, folder: str, event: FileSystemEvent) -> None:
        """Take a hint when it is about proposals; every other change of the store is none of ours."""
        for path in (event.src_path, event.dest_path):
            if PROPOSALS in os.fsdecode(path).split(os.sep):
                if os.path.basename(os.fsdecode(path)) == PROPOSALS:
                    self._inner_watched.discard(folder)
                self._hint.set()
                return


class _Hints(FileSystemEventHandler):
    """What watchdog hands its events to."""

    def __init__(self, notice: Callable[[FileSystemEvent], None]) -> None:
        self._notice = notice

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Pass on what may have changed a listing; looking at it makes events too, which must not."""
        if event.event_type in CHANGES:
            self._notice(event)
