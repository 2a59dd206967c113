from __future__ import annotations

import threading
from collections.abc import Callable

from dreamreview.dream.engine import EngineError, Progress
from dreamreview.errors import StoreError, StoreLockedError
from dreamreview.model.proposal import Usage
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.screens.history import HistoryScreen
from dreamreview.tui.screens.inbox import InboxScreen
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.tui.widgets.painted import Line
from tests.tui.fake import FakeReview, FakeWorkspace, proposal, workspace
from tests.tui.host import running


def two() -> FakeWorkspace:
    return workspace(FakeReview(proposal("20260301T090000000")), FakeReview(proposal("20260302T090000000")))


async def test_an_empty_store_says_what_to_do() -> None:
    async with running(FakeWorkspace()) as host:
        await host.sees("No proposals")
        assert "D dreams now" in host.prose
        assert "/memory/.dream-proposals" in host.text
        assert "D dream now" in host.text


async def test_several_proposals_wait_in_the_inbox_newest_first() -> None:
    async with running(two()) as host:
        await host.sees("2 pending · 10 undecided")
        assert host.text.index("20260302T090000000") < host.text.index("20260301T090000000")


async def test_enter_opens_the_one_at_the_cursor() -> None:
    store = two()
    async with running(store) as host:
        await host.sees("2 pending")
        await host.press("j", "enter")
        await host.sees("0 of 5 decided")
        assert store.calls == ["open 20260301T090000000"]


async def test_a_proposal_that_was_asked_for_opens_at_once() -> None:
    store = two()
    async with running(store, proposal="20260301T090000000") as host:
        await host.sees("0 of 5 decided")
        assert store.calls == ["open 20260301T090000000"]


async def test_a_proposal_that_is_not_there_is_named() -> None:
    async with running(two(), proposal="nosuch") as host:
        await host.sees("there is no proposal nosuch")
        assert isinstance(host.app.screen, InboxScreen)


async def test_dreaming_shows_progress_and_leaves_a_proposal() -> None:
    gate = threading.Event()
    store = FakeWorkspace(during_dream=lambda cancelled: _ignore(gate.wait(10), cancelled))
    async with running(store) as host:
        await host.sees("No proposals")
        await host.press("D")
        await host.sees("consolidate · 12 files · 3 changes")
        assert "X cancel" in host.text
        gate.set()
        await host.sees("5 changes, 5 undecided")
        assert "dreaming" not in host.text


async def test_a_dream_that_asks_a_model_tells_tokens_and_cost() -> None:
    gate = threading.Event()
    store = FakeWorkspace(
        during_dream=lambda cancelled: _ignore(gate.wait(10), cancelled),
        progress=Progress("prune", 12, 3, tokens=12_345, cost_usd=0.125, note="about 20,000 tokens, for example.org"),
        usage=Usage(input_tokens=30_000, output_tokens=1_500, cost_usd=0.25),
        odd=("the budget of 20 turns is reached",),
    )
    async with running(store, size=(120, 24)) as host:
        await host.sees("No proposals")
        await host.press("D")
        await host.sees(r"prune · 12 files · 3 changes · 12,345 tokens · \$0")
        await host.sees("about 20,000 tokens, for example.org")
        gate.set()
        await host.sees(r"Dream completed: 5 changes · 31,500 tokens, \$0\.25")
        await host.sees("the budget of 20 turns is reached")


async def test_where_an_engine_could_not_dream_the_local_one_is_offered() -> None:
    store = FakeWorkspace()
    async with running(store, size=(120, 24)) as host:
        await host.sees("No proposals")
        assert "dream locally" not in host.text
        await host.press("L")
        store.problem = EngineError("no key: set one, or dream locally")
        await host.press("D")
        await host.sees("no key: set one")
        store.problem = None
        await host.sees("L dream locally")
        await host.press("L")
        await host.sees("5 changes, 5 undecided")
        assert store.calls == ["dream local"]
        assert "L dream locally" not in host.text


async def test_a_dream_can_be_cancelled() -> None:
    ended = threading.Event()

    def wait(is_cancelled: Callable[[], bool]) -> None:
        while not is_cancelled() and not ended.wait(0.01):
            pass

    store = FakeWorkspace(during_dream=wait)
    async with running(store) as host:
        await host.sees("No proposals")
        await host.press("D")
        await host.sees("X cancels")
        await host.press("X")
        await host.until(lambda: "cancelling" not in host.text and "X cancel" not in host.text)
        assert store.reviews == {}
        ended.set()


async def test_leaving_the_app_ends_the_dream_that_runs() -> None:
    given_up, stopped = threading.Event(), threading.Event()

    def wait(is_cancelled: Callable[[], bool]) -> None:
        while not given_up.wait(0.01):
            if is_cancelled():
                stopped.set()
                return

    store = FakeWorkspace(during_dream=wait)
    try:
        async with running(store) as host:
            await host.sees("No proposals")
            await host.press("D")
            await host.sees("X cancels")
        assert stopped.wait(10)
    finally:
        given_up.set()


async def test_a_dream_that_fails_can_be_started_again() -> None:
    store = FakeWorkspace()
    async with running(store) as host:
        await host.sees("No proposals")
        store.problem = StoreLockedError("held by another program")
        await host.press("D")
        await host.sees("held by another program")
        store.problem = None
        await host.until(lambda: "D dream now" in host.text)
        await host.press("D")
        await host.sees("5 changes, 5 undecided")


async def test_a_folder_that_cannot_be_read_is_named_and_looked_at_again() -> None:
    store = FakeWorkspace(problem=StoreError("cannot read /memory: permission denied"))
    async with running(store) as host:
        await host.sees("permission denied")
        store.problem = None
        await host.press("ctrl+l")
        await host.sees("No proposals")


async def test_a_proposal_that_arrives_shows_up_by_itself() -> None:
    store = two()
    async with running(store) as host:
        await host.sees("2 pending")
        arrived = FakeReview(proposal("20260303T090000000"))
        store.reviews[arrived.proposal.id] = arrived
        host.app.post_message(DreamReviewApp.ProposalsChanged())
        await host.sees("20260303T090000000")
        assert isinstance(host.app.screen, InboxScreen)


async def test_how_far_it_is_to_a_dream_is_said_and_that_one_can_be_had_anyway() -> None:
    store = two()
    store.missing = "1 of 24 hours"
    async with running(store, size=(140, 20)) as host:
        await host.sees("no dream due: 1 of 24 hours since then · D dreams anyway")


async def test_q_leaves_from_the_inbox_and_escape_does_not() -> None:
    async with running(FakeWorkspace()) as host:
        await host.sees("No proposals")
        await host.press("escape")
        assert not host.app._exit
        await host.press("q")
        assert host.app._exit


async def test_decisions_show_in_the_inbox_on_the_way_back() -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("a", "q")
        await host.sees("5 changes, 4 undecided")
        await host.press("enter")
        await host.sees("1 of 5 decided")
        assert isinstance(host.app.screen, ReviewScreen)


def _ignore(*_: object) -> None:
    return None


async def test_a_review_that_opens_late_does_not_cover_where_the_person_went() -> None:
    gate = threading.Event()
    async with running(workspace(FakeReview(proposal(), gate=gate))) as host:
        await host.sees("opening")
        await host.press("H")
        gate.set()
        await host.until(lambda: "opening" not in host.app.screen_stack[1].query_one("#dream", Line).text)
        assert isinstance(host.app.screen, HistoryScreen)


async def test_what_was_opened_at_the_start_is_no_arrival() -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("q")
        await host.sees("1 pending")
        assert "arrived" not in host.text


async def test_a_narrow_inbox_tells_all_of_why_it_does_not_dream_by_itself() -> None:
    store = FakeWorkspace(missing="3 of 24 hours, 2 of 5 sessions")
    async with running(store, size=(40, 12)) as host:
        await host.sees("No proposals")
        assert "0 pending · 0 undecided · last dream 2026-03-01 09:00 (completed)" in host.prose
        assert "no dream due: 3 of 24 hours, 2 of 5 sessions since then · D dreams anyway" in host.prose


async def test_hiding_what_is_closed_is_said() -> None:
    async with running(workspace(FakeReview(proposal()), FakeReview(proposal("20260302T090000000")))) as host:
        await host.sees("2 pending")
        await host.press(".")
        await host.sees("closed proposals are hidden")
        await host.press(".")
        await host.sees("closed proposals are shown too")
