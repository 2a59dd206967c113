"""How the tests start the app and read its screen."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from textual.pilot import Pilot

from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.inbox.stores import Offered
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.tui.surroundings import Surroundings
from tests.tui.fake import FakeReview, FakeWorkspace, workspace


@dataclass
class Clock:
    """A clock that moves a second with each look, so that guards are open, unless it stands still."""

    now: float = 0.0
    step: float = 1.0
    looks: int = field(default=0)

    def __call__(self) -> float:
        self.now += self.step
        self.looks += 1
        return self.now


@dataclass
class Host:
    """The app under test."""

    app: DreamReviewApp
    pilot: Pilot[int]
    store: FakeWorkspace

    @property
    def review(self) -> FakeReview:
        return next(iter(self.store.reviews.values()))

    @property
    def screen(self) -> ReviewScreen:
        found = next(screen for screen in reversed(self.app.screen_stack) if isinstance(screen, ReviewScreen))
        assert isinstance(found, ReviewScreen)
        return found

    @property
    def text(self) -> str:
        """What is on the screen, line by line."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    @property
    def prose(self) -> str:
        """The same as words, with the blanks and frames between them taken out."""
        return " ".join(re.sub(r"[│▕╭╮╰╯─]", " ", self.text).split())

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, test: Callable[[], bool], *, seconds: float = 20) -> None:
        """Wait until something holds; workers answer by message."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if test():
                return
            await self.pilot.pause(0.01)
        raise AssertionError(f"it never came true; the screen shows\n{self.text}")

    async def sees(self, pattern: str) -> None:
        await self.until(lambda: re.search(pattern, self.text) is not None)


@asynccontextmanager
async def running(
    store: FakeWorkspace | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    clock: Clock | None = None,
    proposal: str | None = None,
    editor: str = "",
) -> AsyncIterator[Host]:
    """Run the app on a store until the test is done."""
    store = store or workspace()
    app = DreamReviewApp(Surroundings(store, clock or Clock(), editor), proposal, watch=None)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Host(app, pilot, store)


@asynccontextmanager
async def running_several(offered: Sequence[Offered], *, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Host]:
    """Run the app on one inbox over several stores until the test is done; `Host.store` is an empty one of none."""
    app = DreamReviewApp(offered, watch=None)
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Host(app, pilot, FakeWorkspace())
