"""The stores of a screen and how they are read: in the background, few at a time, each failing by itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from dreamreview.tui.inbox.stores import StoreState, most_urgent_first, states
from dreamreview.tui.screens.rows import RowMoves

if TYPE_CHECKING:
    from dreamreview.tui.inbox.stores import Offered
    from dreamreview.tui.screens.place import Failed
    from dreamreview.tui.surroundings import Surroundings
    from dreamreview.workspace.values import ProposalLine, Status

LOOK = "look "
"""What the group of reading a store begins with; its key follows."""
LANES = 3
"""Stores that are read at the same time: one that does not answer holds up no other."""


class Stores(RowMoves[None]):
    """A screen of stores."""

    class Read(Message):
        """A store was looked at."""

        def __init__(
            self,
            key: str,
            around: Surroundings,
            status: Status,
            proposals: Sequence[ProposalLine],
            settled: Sequence[str] = (),
        ) -> None:
            super().__init__()
            self.key = key
            self.around = around
            self.status = status
            self.proposals = tuple(proposals)
            self.settled = tuple(settled)

    def __init__(self, offered: Sequence[Offered]) -> None:
        super().__init__()
        self.stores = states(offered)
        self.order = list(self.stores)
        """Keys as listed: as given while they are read, then what is urgent first."""
        self.is_sorted = not self.has_several
        self._queue: deque[str] = deque()
        self._reading: set[str] = set()

    @property
    def has_several(self) -> bool:
        """Whether there is more than one store."""
        return len(self.stores) > 1

    @property
    def listed(self) -> list[StoreState]:
        """The stores in the order in which they are listed."""
        return [self.stores[key] for key in self.order]

    def redraw(self) -> None:
        """Show what is known now."""

    def tell_fresh(self, store: StoreState, fresh: int) -> None:
        """Say how many proposals arrived in a store."""

    def look(self, folder: str | None = None) -> None:
        """Look again at the store of a folder, or at all of them."""
        for store in self.listed:
            if folder is None or store.folder == folder:
                self.look_at(store)

    def look_at(self, store: StoreState) -> None:
        """Look at a store as soon as its turn comes; one that is being read for the first time is as good as read."""
        is_first = store.key in self._reading and not store.is_looked_at
        if store.key not in self._queue and not is_first:
            self._queue.append(store.key)
        self._read_next()

    def _read_next(self) -> None:
        while self._queue and len(self._reading) < LANES:
            key = self._queue.popleft()
            self._reading.add(key)
            self.in_background(LOOK + key, partial(self._look, self.stores[key]))

    def _look(self, store: StoreState) -> Message:
        settled: Sequence[str] = ()
        around = store.around
        if around is None:
            around = store.offered.enter()
            settled = around.workspace.settle()
        return self.Read(store.key, around, around.workspace.status(), around.workspace.proposals(), settled)

    def on_stores_read(self, event: Read) -> None:
        """Show what is there."""
        event.stop()
        store = self.stores[event.key]
        for sentence in event.settled:
            self.tell(sentence)
        fresh = store.take(event.around, event.status, event.proposals)
        if fresh:
            self.tell_fresh(store, fresh)
        self.end_look(event.key)

    def on_failed(self, event: Failed) -> None:
        """Keep why a store could not be read: it says so in its place."""
        if not event.group.startswith(LOOK):
            return
        event.stop()
        event.prevent_default()
        key = event.group.removeprefix(LOOK)
        self.stores[key].fail(event.problem)
        self.end_look(key)

    def end_look(self, key: str) -> None:
        """Go on with the next store; once all have been read, list what is urgent first."""
        self._reading.discard(key)
        self._read_next()
        if not (self.is_sorted or self._reading or self._queue):
            self.is_sorted = True
            self.order = [store.key for store in most_urgent_first(self.stores.values())]
        self.redraw()
