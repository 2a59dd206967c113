"""Noticing that something changed among the proposals of a store; what changed is for the reader to find out.

Events of the file system are hints: they may come late, in swarms or never. A slow poll stands behind them, and a
change is told only when the listing of the proposals really differs.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

PROPOSALS = ".dream-proposals"
"""Folder of a store that proposals are published in, by rename."""
QUIET_SECONDS = 0.15
"""Seconds without an event after which the listing is taken."""
WATCHED_POLL_SECONDS = 5.0
"""Seconds between looks while events come: for network drives, which send none."""
BARE_POLL_SECONDS = 1.0
"""Seconds between looks where the system offers no watch."""
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
    """Watches the proposals of one store and calls back, from a thread of its own, when they changed."""

    def __init__(
        self,
        folder: str,
        on_change: Callable[[], None],
        *,
        quiet: float = QUIET_SECONDS,
        poll: float | None = None,
    ) -> None:
        self._folder = folder
        self._on_change = on_change
        self._quiet = quiet
        self._poll = poll
        self._hint = threading.Event()
        self._stopped = threading.Event()
        self._observer: BaseObserver | None = None
        self._is_inner_watched = False
        self._known: Listing = frozenset()
        self._thread = threading.Thread(target=self._run, name="arrivals", daemon=True)

    def start(self) -> None:
        """Take the listing as it is now and watch for another."""
        self._known = listing(self._folder)
        self._observe()
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and wait for the thread to end."""
        self._stopped.set()
        self._hint.set()
        self._drop_observer()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout=5)

    @property
    def is_watching(self) -> bool:
        """Whether the system tells of changes; without, the folder is polled."""
        return self._observer is not None

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._hint.wait(self._interval)
            for _ in range(PATIENCE):
                self._hint.clear()
                if self._stopped.is_set() or not self._hint.wait(self._quiet):
                    break
            if self._stopped.is_set():
                return
            self._look()

    @property
    def _interval(self) -> float:
        if self._poll is not None:
            return self._poll
        return WATCHED_POLL_SECONDS if self.is_watching else BARE_POLL_SECONDS

    def _look(self) -> None:
        now = listing(self._folder)
        if self._is_inner_watched != os.path.isdir(os.path.join(self._folder, PROPOSALS)):
            self._observe()
        if now != self._known:
            self._known = now
            self._on_change()

    def _observe(self) -> None:
        """Watch the folder of proposals and the store above it: a folder that is replaced sends nothing itself."""
        self._drop_observer()
        try:
            observer = Observer()
            observer.schedule(_Hints(self._noticed), self._folder, recursive=False)
            inner = os.path.join(self._folder, PROPOSALS)
            self._is_inner_watched = os.path.isdir(inner)
            if self._is_inner_watched:
                observer.schedule(_Hints(self._noticed), inner, recursive=False)
            observer.start()
        except OSError:
            return
        self._observer = observer

    def _drop_observer(self) -> None:
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join(timeout=5)

    def _noticed(self, event: FileSystemEvent) -> None:
        """Take a hint when it is about proposals; every other change of the store is none of ours."""
        for path in (event.src_path, event.dest_path):
            if PROPOSALS in os.fsdecode(path).split(os.sep):
                if os.path.basename(os.fsdecode(path)) == PROPOSALS:
                    self._is_inner_watched = False
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
