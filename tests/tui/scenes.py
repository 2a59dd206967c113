"""The screens of the app in the states that matter: what is shown, what is pressed to get there, at which sizes."""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from textual.pilot import Pilot
from textual.widgets import Input, TextArea
from textual.worker import get_current_worker

from dreamreview.errors import StoreError, StoreLockedError
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.inbox.stores import Offered
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace.values import HistoryLine, Stale
from tests.tui.fake import FakeReview, FakeWorkspace, proposal
from tests.tui.host import Clock, Host
from tests.tui.sample import FILES, sample_changes, sample_store, sample_stores

Size = tuple[int, int]
Act = Callable[[Host], Awaitable[None]]
Start = Callable[[], FakeWorkspace | Sequence[Offered]]

WIDE, USUAL, SMALL, TINY = (120, 36), (80, 24), (60, 20), (40, 12)


@dataclass(frozen=True, slots=True)
class Scene:
    """One state of one screen."""

    start: Start
    act: Act
    sizes: tuple[Size, ...]

    def app(self) -> tuple[DreamReviewApp, FakeWorkspace]:
        """Return the app before it runs, and its store: an empty one of none where there are several."""
        around = self.start()
        if isinstance(around, FakeWorkspace):
            return DreamReviewApp(Surroundings(around, Clock()), watch=None), around
        return DreamReviewApp(around, watch=None), FakeWorkspace()

    def acting(self, store: FakeWorkspace) -> Callable[[Pilot[int]], Awaitable[None]]:
        """Return what brings a running app into this state, and holds it still."""

        async def act(pilot: Pilot[int]) -> None:
            host = Host(pilot.app, pilot, store)  # type: ignore[arg-type]
            await self.act(host)
            await pilot.pause()
            for field in (*host.app.screen.query(TextArea), *host.app.screen.query(Input)):
                field.cursor_blink = False
            await pilot.pause()

        return act


def pressing(*keys: str, sees: str = "", first: str = r"\d+ of \d+ dec") -> Act:
    """Return what presses some keys once something is seen, and waits until something else is."""

    async def act(host: Host) -> None:
        await host.sees(first)
        for key in keys:
            await host.press(key)
        if sees:
            await host.sees(sees)

    return act


def looking_through(*keys: str, sees: str = "") -> Act:
    """Return what opens the memory, waits until it was read, and goes on from there."""

    async def act(host: Host) -> None:
        await host.sees(r"\d+ of \d+ dec")
        await host.press("m")
        await host.until(lambda: "files · " in host.text and not re.search(r"reading|comparing", host.text))
        await pressing(*keys, sees=sees, first="files · ")(host)

    return act


def applying(*keys: str, sees: str) -> Act:
    """Return what decides a few things, opens the summary of the apply, and goes on from there."""

    async def act(host: Host) -> None:
        await pressing("A", "b", "a", "a", "ctrl+s", sees="y writes")(host)
        await pressing(*keys, sees=sees, first="y writes")(host)

    return act


async def failing_to_apply(host: Host) -> None:
    await applying(sees="y writes")(host)
    host.store.problem = StoreLockedError("another program holds the store: dreamreview dream, process 4711 on kiln")
    await pressing("y", sees="did not work", first="y writes")(host)


def empty() -> FakeWorkspace:
    return FakeWorkspace(folder="/home/mira/workshop/memory", missing="2 of 5 sessions")


def unreadable() -> FakeWorkspace:
    return FakeWorkspace(folder="/home/mira/workshop/memory", problem=StoreError("cannot read it: permission denied"))


def dreaming() -> FakeWorkspace:
    """A store whose dream lasts until the app ends."""

    def last(_is_cancelled: Callable[[], bool]) -> None:
        worker = get_current_worker()
        while not worker.is_cancelled:
            time.sleep(0.01)

    store = empty()
    store.missing, store.during_dream = "", last
    return store


def one_and_two_more() -> FakeWorkspace:
    """A store in which three proposals wait."""
    store = sample_store()
    for day in ("02", "03"):
        made = proposal(f"202603{day}T071500000", sample_changes()[: int(day)])
        made = replace(made, created_at=f"2026-03-{day}T07:15:00Z")
        store.reviews[made.id] = FakeReview(made, files=FILES)
    return store


def stale() -> FakeWorkspace:
    store = sample_store()
    review = next(iter(store.reviews.values()))
    review.stale = {
        "m1": Stale("its lines were edited since the dream", "- The small kiln fires at 1180", "- The kiln is sold")
    }
    return store


def applied() -> FakeWorkspace:
    """A store with two applies, one of them undone."""
    store = sample_store()
    name = next(iter(store.reviews))
    store.applies = [
        HistoryLine("a0002", "2026-03-02T09:00:00Z", name, ("m1", "d1"), undone=False),
        HistoryLine("a0001", "2026-03-01T18:30:00Z", name, ("p1",), undone=True),
    ]
    return store


def clashing() -> FakeWorkspace:
    store = applied()
    store.clashing = True
    return store


SCENES: Mapping[str, Scene] = {
    "inbox": Scene(one_and_two_more, pressing(first="3 pending"), (USUAL, TINY)),
    "inbox-empty": Scene(empty, pressing(first="D dreams now|dreams now"), (USUAL,)),
    "inbox-error": Scene(unreadable, pressing(first="permission denied"), (USUAL,)),
    "stores": Scene(sample_stores, pressing(first=r"5 pending (?s:.*)orders"), (WIDE, USUAL, TINY)),
    "dreaming": Scene(dreaming, pressing("D", first="dreams now", sees="12 files"), (USUAL, TINY)),
    "review": Scene(sample_store, pressing(), (WIDE, USUAL, SMALL, TINY)),
    "review-decided": Scene(sample_store, pressing("a", "r", "b", "r", "a", "a", sees="6 of 6"), (USUAL,)),
    "review-empty": Scene(sample_store, pressing("f", *"kiln:x", "enter", sees="ilter"), (USUAL,)),
    "review-stale": Scene(stale, pressing(), (USUAL,)),
    "lines": Scene(sample_store, pressing("v", "space"), (USUAL,)),
    "sources": Scene(sample_store, pressing("i"), (USUAL,)),
    "conflict": Scene(sample_store, pressing("}"), (WIDE, USUAL, SMALL, TINY)),
    "settle": Scene(sample_store, pressing("}", "C", sees="open conflict stays"), (USUAL, TINY)),
    "bulk": Scene(sample_store, pressing("G", "k", "A", sees="Accept this change"), (USUAL, TINY)),
    "editor": Scene(sample_store, pressing("e", sees="keep"), (USUAL, TINY)),
    "apply": Scene(sample_store, applying(sees="y writes"), (WIDE, USUAL, TINY)),
    "apply-empty": Scene(sample_store, pressing("ctrl+s", sees="nothing to write"), (USUAL,)),
    "apply-error": Scene(sample_store, failing_to_apply, (USUAL,)),
    "applied": Scene(sample_store, applying("y", sees="U undoes"), (USUAL,)),
    "history": Scene(applied, pressing("H", sees="Errands"), (USUAL, TINY)),
    "history-empty": Scene(sample_store, pressing("H", sees="Nothing was applied"), (USUAL,)),
    "history-undo": Scene(applied, pressing("H", "U", sees="Undo this"), (USUAL,)),
    "history-clash": Scene(clashing, pressing("H", "U", sees="edited since"), (USUAL,)),
    "memory": Scene(sample_store, looking_through("j", "l"), (WIDE, USUAL, TINY)),
    "memory-empty": Scene(sample_store, looking_through("slash", *"nowhere", "enter", sees="Nothing"), (USUAL,)),
    "memory-pin": Scene(sample_store, looking_through("j", "p", sees="Pin this"), (USUAL,)),
    "help": Scene(sample_store, pressing("question_mark"), (USUAL, TINY)),
    "palette": Scene(sample_store, pressing("colon", sees="ccept"), (USUAL,)),
}
