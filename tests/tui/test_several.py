"""The inbox over several stores: what is listed, read, watched and dreamed, and what goes wrong with one alone."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from dreamreview.errors import DreamReviewError, StoreError
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.inbox.stores import Offered
from dreamreview.tui.screens.history import HistoryScreen
from dreamreview.tui.screens.inbox import InboxScreen
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.tui.surroundings import Surroundings
from dreamreview.tui.widgets.rowlist import RowList
from tests.tui.fake import FakeReview, FakeWorkspace, proposal, workspace
from tests.tui.host import Clock, Host
from tests.tui.test_hostile import NASTY, assert_harmless

OLD, NEW = "20260301T090000000", "20260302T090000000"


@dataclass
class Shelf:
    """A store that is offered, and how often it was opened."""

    store: FakeWorkspace
    label: str
    source: str = "Claude Code"
    problem: DreamReviewError | None = None
    opened: int = 0

    def enter(self) -> Surroundings:
        self.opened += 1
        if self.problem is not None:
            raise self.problem
        return Surroundings(self.store, Clock())

    @property
    def offered(self) -> Offered:
        return Offered(self.store.folder, self.enter, self.label, self.source)


@dataclass
class Watcher:
    """What the app asked to be watched."""

    folders: Sequence[str] = ()
    tell: Callable[[str], None] = field(default=lambda _: None)
    is_running: bool = False

    def __call__(self, folders: Sequence[str], tell: Callable[[str], None]) -> Watcher:
        self.folders, self.tell = folders, tell
        return self

    def start(self) -> None:
        self.is_running = True

    def stop(self) -> None:
        self.is_running = False


def shelf(name: str, *reviews: FakeReview, **more: object) -> Shelf:
    store = workspace(*reviews) if reviews else FakeWorkspace()
    store.folder = f"/memory/{name}"
    return Shelf(store, f"~/{name}", **more)  # type: ignore[arg-type]


def waiting(name: str, *ids: str) -> Shelf:
    return shelf(name, *(FakeReview(proposal(each)) for each in ids or (OLD,)))


@asynccontextmanager
async def running(
    *shelves: Shelf, size: tuple[int, int] = (80, 24), watcher: Watcher | None = None
) -> AsyncIterator[Host]:
    app = DreamReviewApp([each.offered for each in shelves], watch=watcher)  # type: ignore[arg-type]
    async with app.run_test(size=size, notifications=True) as pilot:
        yield Host(app, pilot, shelves[0].store)


def rows(host: Host) -> RowList:
    return host.app.screen.query_one(RowList)


async def test_every_store_is_a_group_and_what_waits_comes_first() -> None:
    shelves = (shelf("calm"), waiting("api", OLD, NEW), shelf("gone", problem=StoreError("gone for good")))
    async with running(*shelves) as host:
        await host.sees("3 stores · 2 pending · 10 undecided · 1 cannot be read")
        lines = [line.strip().split("  ")[0] for line in host.text.splitlines()[5:10]]
        assert lines == ["● ~/api", "● 2026-03-01 09:00", "● 2026-03-01 09:00", "! ~/gone", "~/calm"]
        assert rows(host).cursor == "s1"
        assert "/memory/api · Claude Code" in host.text
        assert host.text.index(NEW) < host.text.index(OLD)


async def test_one_store_of_a_list_is_shown_as_one_store_is() -> None:
    async with running(waiting("api")) as host:
        await host.sees("0 of 5 decided")
        await host.press("q")
        await host.sees("1 pending · 5 undecided")
        assert "stores" not in host.text


async def test_forty_stores_are_listed_and_reached_by_key() -> None:
    shelves = [waiting(f"store{n:02}") if n % 10 == 0 else shelf(f"store{n:02}") for n in range(40)]
    async with running(*shelves) as host:
        await host.sees("40 stores · 4 pending · 20 undecided *\n")
        assert [each.opened for each in shelves] == [1] * 40
        await host.press("G")
        assert rows(host).cursor == "s39"
        assert "~/store39" in host.text
        await host.press("J")
        assert rows(host).cursor == f"s0:{OLD}"
        await host.press("J", "J", "J", "J")
        assert rows(host).cursor == f"s0:{OLD}"
        await host.press("K")
        assert rows(host).cursor == f"s30:{OLD}"


async def test_enter_opens_the_review_of_the_store_at_the_cursor() -> None:
    one, two = waiting("one"), waiting("two", OLD, NEW)
    async with running(one, two) as host:
        await host.sees("2 stores · 3 pending")
        await host.press("G", "enter")
        await host.sees("0 of 5 decided")
        assert (one.store.calls, two.store.calls) == ([], [f"open {OLD}"])
        await host.press("a", "q")
        await host.sees("5 changes, 4 undecided")
        assert "14 undecided" in host.text


async def test_a_store_opens_the_newest_that_waits_in_it() -> None:
    two = waiting("two", OLD, NEW)
    async with running(two, shelf("calm")) as host:
        await host.sees("2 stores · 2 pending")
        await host.press("enter")
        await host.sees("0 of 5 decided")
        assert two.store.calls == [f"open {NEW}"]


async def test_nothing_is_opened_where_nothing_waits() -> None:
    async with running(waiting("one"), shelf("calm")) as host:
        await host.sees("2 stores · 1 pending")
        await host.press("G")
        assert "open" not in host.text.splitlines()[-1]
        await host.press("enter")
        assert isinstance(host.app.screen, InboxScreen)


async def test_what_to_do_is_told_where_nothing_waits_anywhere() -> None:
    async with running(shelf("one"), shelf("two"), size=(100, 20)) as host:
        await host.sees("Nothing waits.  D dreams the store at the cursor, dreamreview dream --all all of them")
        assert rows(host).cursor == "s0"


async def test_dreaming_is_for_the_store_at_the_cursor_and_shows_which() -> None:
    gate = threading.Event()
    one, two = shelf("one"), shelf("two")

    def wait(_: Callable[[], bool]) -> None:
        gate.wait(10)

    two.store.during_dream = wait
    async with running(one, two) as host:
        await host.sees("Nothing waits")
        await host.press("j", "D")
        await host.sees("dreaming ~/two: consolidate · 12 files · 3 changes")
        assert "nothing pending · dreaming" in host.text
        await host.press("k", "D")
        gate.set()
        await host.sees("Dream completed: ~/two: 5 changes")
        await host.sees("2 stores · 1 pending")
        assert (one.store.calls, two.store.calls) == ([], ["dream configured"])
        assert "arrived" not in host.text


async def test_a_dream_of_one_store_can_be_cancelled_from_another() -> None:
    ended = threading.Event()
    one, two = shelf("one"), waiting("two")

    def wait(is_cancelled: Callable[[], bool]) -> None:
        while not is_cancelled() and not ended.wait(0.01):
            pass

    one.store.during_dream = wait
    async with running(one, two) as host:
        await host.sees("2 stores · 1 pending")
        await host.press("G", "D")
        await host.sees("X cancels")
        await host.press("g", "X")
        await host.until(lambda: "X cancel" not in host.text and "cancelling" not in host.text)
        await host.sees("Dream failed: ~/one: cancelled")
        assert one.store.reviews == {}
        ended.set()


async def test_a_dream_that_fails_leaves_the_others_and_can_be_tried_again() -> None:
    one, two = shelf("one"), shelf("two")
    async with running(one, two) as host:
        await host.sees("Nothing waits")
        one.store.problem = StoreError("the disk is full")
        await host.press("D")
        await host.sees("the disk is full")
        one.store.problem = None
        await host.until(lambda: "D dream now" in host.text)
        await host.press("D")
        await host.sees("2 stores · 1 pending")


async def test_a_store_that_vanishes_says_so_and_comes_back() -> None:
    one, two = waiting("one"), waiting("two")
    async with running(one, two) as host:
        await host.sees("2 stores · 2 pending")
        one.store.problem = StoreError("/memory/one does not exist; name a folder of markdown files")
        host.app.post_message(DreamReviewApp.ProposalsChanged("/memory/one"))
        await host.sees("! ~/one  does not exist")
        assert "2 stores · 1 pending · 5 undecided · 1 cannot be read" in host.text
        one.store.problem = None
        await host.press("ctrl+l")
        await host.sees("2 stores · 2 pending")
        assert "arrived" not in host.text


async def test_a_store_that_cannot_be_opened_stops_only_itself() -> None:
    broken = shelf("broken", problem=StoreError("permission denied"))
    async with running(broken, waiting("two")) as host:
        await host.sees("1 cannot be read")
        await host.press("G", "k", "k", "G")
        assert rows(host).cursor == "s0"
        await host.press("D", "H", "enter")
        assert isinstance(host.app.screen, InboxScreen)
        assert "dream now" not in host.text.splitlines()[-1]
        broken.problem = None
        await host.press("ctrl+l")
        await host.until(lambda: "cannot be read" not in host.text)
        assert broken.opened == 2


async def test_a_store_that_does_not_answer_holds_up_no_other() -> None:
    gate = threading.Event()

    class Slow(Shelf):
        def enter(self) -> Surroundings:
            gate.wait(10)
            return super().enter()

    slow = Slow(FakeWorkspace(folder="/memory/slow"), "~/slow")
    async with running(slow, *(waiting(f"n{place}") for place in range(8))) as host:
        await host.sees("9 stores · 8 pending · 40 undecided · reading 9 of 9")
        assert "… ~/slow  reading" in host.text
        await host.press("j", "j")
        await host.press("enter")
        await host.sees("0 of 5 decided")
        gate.set()
        await host.press("q")
        await host.sees("9 stores · 8 pending · 40 undecided *\n")


async def test_a_proposal_that_arrives_is_told_with_its_store_and_keeps_the_cursor() -> None:
    one, two = waiting("one"), waiting("two")
    watcher = Watcher()
    async with running(one, two, watcher=watcher) as host:
        await host.sees("2 stores · 2 pending")
        await host.until(lambda: watcher.is_running)
        assert list(watcher.folders) == ["/memory/one", "/memory/two"]
        await host.press("j", "j", "j")
        two.store.reviews[NEW] = FakeReview(proposal(NEW))
        watcher.tell("/memory/two")
        await host.sees("1 new proposal arrived in ~/two")
        assert rows(host).cursor == f"s1:{OLD}"
    assert not watcher.is_running


async def test_the_cursor_goes_to_the_store_where_its_proposal_went() -> None:
    one, two = waiting("one", OLD, NEW), waiting("two")
    async with running(one, two) as host:
        await host.sees("2 stores · 3 pending")
        await host.press("j")
        del one.store.reviews[NEW]
        await host.press("ctrl+l")
        await host.sees("2 stores · 2 pending")
        assert rows(host).cursor == "s0"


async def test_closed_proposals_are_hidden_until_they_are_asked_for() -> None:
    closed = FakeReview(proposal(OLD))
    object.__setattr__(closed.proposal, "status", "applied")
    one = shelf("one", closed, FakeReview(proposal(NEW)))
    async with running(one, shelf("calm"), size=(100, 24)) as host:
        await host.sees("2 stores")
        await host.sees(NEW)
        assert OLD not in host.text
        await host.press("full_stop")
        await host.sees(OLD)
        await host.press("full_stop")
        assert OLD not in host.text


async def test_history_is_that_of_the_store_at_the_cursor() -> None:
    async with running(waiting("one"), waiting("two")) as host:
        await host.sees("2 stores · 2 pending")
        await host.press("G", "H")
        await host.until(lambda: isinstance(host.app.screen, HistoryScreen))
        await host.press("escape")
        await host.sees("2 stores · 2 pending")


async def test_a_click_opens_a_proposal_and_only_goes_to_a_store() -> None:
    async with running(waiting("one"), waiting("two")) as host:
        await host.sees("2 stores · 2 pending")
        await host.pilot.click(RowList, offset=(4, 2))
        assert rows(host).cursor == "s1"
        assert isinstance(host.app.screen, InboxScreen)
        await host.pilot.click(RowList, offset=(4, 3))
        await host.sees("0 of 5 decided")


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12), (20, 5), (200, 60)])
async def test_the_inbox_of_several_stores_fits_any_size(size: tuple[int, int]) -> None:
    shelves = [
        waiting("api"),
        waiting("日本語のメモ-とても長い名前-とても長い名前"),
        *(shelf(f"n{n}") for n in range(5)),
    ]
    async with running(*shelves, size=size) as host:
        await host.until(lambda: ("reading" not in host.text and "pend" in host.text) or size[0] < 40)
        await host.sees(r"\? help")
        for strip in host.app.screen._compositor.render_strips():
            assert sum(segment.cell_length for segment in strip) == size[0]
        await host.press("j", "G", "J")
        for other in ((1, 1), (80, 24)):
            await host.pilot.resize_terminal(*other)
            await host.pilot.pause()
        await host.sees("7 stores · 2 pending")


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_names_and_problems_are_drawn_harmless(size: tuple[int, int]) -> None:
    nasty = waiting("nasty")
    nasty.label = nasty.source = nasty.store.missing = NASTY
    nasty.store.folder = f"/memory/{NASTY}"
    broken = shelf("x", problem=StoreError(NASTY))
    broken.label = NASTY
    async with running(nasty, broken, size=size) as host:
        await host.sees("2 stores")
        await host.until(lambda: "reading" not in host.text)
        for key in ("", "j", "j", "g", "D"):
            await host.press(*key.split())
            assert_harmless(host.text)
        await host.until(lambda: len(nasty.store.reviews) == 2 and "X cancel" not in host.text)
        assert_harmless(host.text)
        nasty.store.problem = StoreError(NASTY)
        await host.press("ctrl+l")
        await host.sees("2 stores · 0 pending")
        assert "Nothing waits" not in host.text
        assert_harmless(host.text)
        assert host.app.is_running


async def test_brackets_of_a_name_stay_brackets() -> None:
    nasty = waiting("nasty")
    nasty.label = "[/] [b]x[/b] [@click=app.quit]y[/]"
    async with running(nasty, shelf("calm"), size=(120, 20)) as host:
        await host.sees("2 stores · 1 pending")
        assert "[/] [b]x[/b] [@click=app.quit]y[/]" in host.text


async def test_a_review_is_left_to_the_inbox_and_the_inbox_to_the_shell() -> None:
    async with running(waiting("one"), waiting("two")) as host:
        await host.sees("2 stores · 2 pending")
        await host.press("enter")
        await host.until(lambda: isinstance(host.app.screen, ReviewScreen))
        await host.press("q")
        await host.until(lambda: isinstance(host.app.screen, InboxScreen))
        await host.press("escape")
        assert not host.app._exit
        await host.press("q")
        assert host.app._exit
