"""Dreaming a store of the inbox in the background: one at a time, with progress, and an end that can be asked for."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from textual.message import Message

from dreamreview.model.budget import in_dollars
from dreamreview.tui.inert import own, said
from dreamreview.tui.screens.stores import Stores
from dreamreview.tui.widgets.painted import Line
from dreamreview.tui.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dreamreview.dream.engine import Progress
    from dreamreview.tui.inbox.stores import Offered, StoreState
    from dreamreview.tui.inert import Part
    from dreamreview.tui.ports import WorkspaceLike
    from dreamreview.tui.screens.place import Failed
    from dreamreview.workspace.values import DreamResult

LOCAL = "local"
"""The engine that needs no model and no network."""
DREAM = "dream"
"""Group of the work."""

WARNINGS = 3
"""Warnings of a dream that are told one by one in passing."""


class Dreaming(Stores):
    """A screen of stores, each of which can be dreamed."""

    class Progressed(Message):
        """The dream came further."""

        def __init__(self, progress: Progress) -> None:
            super().__init__()
            self.progress = progress

    class Dreamed(Message):
        """The dream ended."""

        def __init__(self, result: DreamResult) -> None:
            super().__init__()
            self.result = result

    def __init__(self, offered: Sequence[Offered]) -> None:
        super().__init__(offered)
        self._dreamt: StoreState | None = None
        """The store that is dreamed; None while none is."""
        self._cancelled = threading.Event()
        """Set to end that dream."""
        self._progress = ""
        self._is_local_offered = False
        self._note = ""
        """What was said last of the dream in passing."""

    def store_here(self) -> StoreState | None:
        """Return the store that is meant: the first, where the screen has no cursor."""
        return self.listed[0]

    def is_dreaming(self, store: StoreState) -> bool:
        """Tell whether a store is dreamed right now."""
        return store is self._dreamt

    @property
    def can_dream(self) -> bool:
        """Whether the store at the cursor can be dreamed now."""
        store = self.store_here()
        return self._dreamt is None and store is not None and store.around is not None

    @property
    def can_cancel(self) -> bool:
        """Whether there is a dream to cancel."""
        return self._dreamt is not None

    @property
    def can_dream_locally(self) -> bool:
        """Whether the local engine is offered: the configured one could not dream."""
        return self._is_local_offered and self.can_dream

    def action_dream_now(self) -> None:
        """Dream in the background with the configured engine."""
        self._begin(None)

    def action_dream_locally(self) -> None:
        """Dream in the background with the engine that needs nothing."""
        self._begin(LOCAL)

    def _begin(self, engine: str | None) -> None:
        store = self.store_here()
        if store is None or store.around is None:
            return
        self._dreamt, self._cancelled, self._progress, self._note = store, threading.Event(), "starting", ""
        self._is_local_offered = False
        self.in_background(DREAM, partial(self._dream, store.around.workspace, engine, self._cancelled))
        self.redraw()

    def _dream(self, workspace: WorkspaceLike, engine: str | None, cancelled: threading.Event) -> Message:
        from dreamreview.dream.engine import EngineError  # the screen is drawn without it

        try:
            return self.Dreamed(workspace.dream(engine, self._report, cancelled.is_set))
        except EngineError:
            self._is_local_offered = True
            raise

    def _report(self, progress: Progress) -> None:
        self.post_message(self.Progressed(progress))

    def on_dreaming_progressed(self, event: Progressed) -> None:
        """Show how far the dream is."""
        event.stop()
        progress = event.progress
        facts = [progress.phase, count(progress.files, "file"), count(progress.changes, "change")]
        facts += [f"{progress.tokens:,} tokens"] if progress.tokens else []
        facts += [in_dollars(progress.cost_usd)] if progress.cost_usd else []
        self._progress = " · ".join(facts)
        if progress.note and progress.note != self._note:
            self._note = progress.note
            self.tell(progress.note)
        self.show_dream()

    def show_dream(self) -> None:
        """Show the dream that runs, or what is told while none does."""
        line = self.query_one("#dream", Line)
        store = self._dreamt
        if store is None:
            line.show(*self.idle_parts())
        elif self._cancelled.is_set():
            line.show(own("cancelling …", "warn"))
        else:
            line.show(
                own("dreaming ", "kind"), *self.name_parts(store), said(self._progress), own("  X cancels", "dim")
            )

    def idle_parts(self) -> Iterator[Part]:
        """Yield what is told while no dream runs."""
        yield from ()

    def name_parts(self, _store: StoreState) -> Iterator[Part]:
        """Yield the name of the store that is dreamed, where there are several."""
        yield from ()

    def on_unmount(self) -> None:
        """End a dream that runs with the screen: the program would wait for it."""
        self._cancelled.set()

    def action_cancel_dream(self) -> None:
        """Ask the dream to end."""
        self._cancelled.set()
        self.show_dream()

    def on_dreaming_dreamed(self, event: Dreamed) -> None:
        """Say how it went and look again."""
        event.stop()
        store, self._dreamt = self._dreamt, None
        self.redraw()
        result = event.result
        named = "".join(part.text for part in self.name_parts(store)) if store is not None else ""
        self.tell(f"Dream {result.status}: {named}{result.summary}{_used(result)}")
        for warning in result.warnings[:WARNINGS]:
            self.tell(warning)
        if store is not None:
            store.seen |= {result.proposal} if result.proposal else set()  # it is no arrival
            self.look_at(store)

    def on_failed(self, event: Failed) -> None:
        """Take note that the dream did not come to an end."""
        if event.group == DREAM:
            self._dreamt = None
            self.redraw()


def _used(result: DreamResult) -> str:
    """Return what a dream used up, where a model was asked."""
    usage = result.usage
    tokens = usage.input_tokens + usage.output_tokens
    cost = f", {in_dollars(usage.cost_usd)}" if usage.cost_usd is not None else ""
    return f" · {tokens:,} tokens{cost}" if tokens or usage.cost_usd else ""
