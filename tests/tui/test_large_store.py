"""In a large store the first card comes before what is derived from all files."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from dreamreview.model.derived import Derived
from dreamreview.model.review import State
from tests.tui.fake import FakeReview, proposal, workspace
from tests.tui.host import running


@dataclass
class SlowReview(FakeReview):
    """A review whose examination waits until the test lets it go on."""

    go_on: threading.Event = field(default_factory=threading.Event)

    def examine(self) -> None:
        assert self.go_on.wait(20)
        super().examine()


async def test_the_card_is_there_at_once_and_what_vanishes_follows() -> None:
    given = proposal()
    first = given.changes[0].id
    review = SlowReview(given, derived={first: Derived(vanishing=("port 9001",))}, is_large=True)
    async with running(workspace(review), size=(100, 30)) as host:
        await host.until(lambda: host.screen.current is not None)
        assert given.changes[0].title.split()[0] in host.prose
        assert "port 9001" not in host.prose
        await host.press("a")
        assert host.review.review.of[first].state is State.ACCEPTED
        await host.press("u")
        review.go_on.set()
        await host.until(lambda: "port 9001" in host.prose)


async def test_a_group_is_not_decided_before_it_is_known_what_it_takes_away() -> None:
    review = SlowReview(proposal(), is_large=True)
    async with running(workspace(review), size=(100, 30)) as host:
        await host.until(lambda: host.screen.current is not None)
        await host.press("A")
        await host.sees("still reading what the changes take away")
        assert review.log == []
        assert host.app.screen is host.screen
        review.go_on.set()
        await host.until(lambda: review.is_examined)
        await host.until(lambda: "still reading" not in host.text)
        await host.press("A")
        await host.until(lambda: bool(review.log) or host.app.screen is not host.screen)
