"""The mouse where people try it: list, buttons, wheel, the bar between the panes, lines of the diff."""

from __future__ import annotations

import pytest
from textual import events

from dreamreview.model.review import State
from dreamreview.tui.screens.apply import ApplyScreen
from dreamreview.tui.screens.guard import GuardScreen
from dreamreview.tui.widgets.splitter import Splitter
from tests.tui.host import Host, running


def column(host: Host, word: str, line: int = -1) -> tuple[int, int]:
    rows = host.text.splitlines()
    place = line % len(rows)
    return rows[place].index(word), place


async def opened(host: Host) -> None:
    await host.sees("0 of 5 decided")


async def click(host: Host, word: str, line: int = -1) -> None:
    await host.pilot.click(offset=column(host, word, line))
    await host.pilot.pause()


def row_of(host: Host, word: str) -> int:
    return next(place for place, row in enumerate(host.text.splitlines()) if word in row)


async def test_a_click_on_a_heading_folds_and_unfolds() -> None:
    async with running() as host:
        await opened(host)
        await click(host, "merge", 1)
        assert "Tea twice" not in host.text
        await click(host, "merge", 1)
        assert "Tea twice" in host.text


async def test_a_click_on_a_key_in_the_bar_does_what_the_key_does() -> None:
    async with running() as host:
        await opened(host)
        await click(host, "accept")
        assert host.review.state("m1") is State.ACCEPTED
        await click(host, "reject")
        assert host.review.state("m2") is State.REJECTED
        await click(host, "help")
        await host.sees("Keys that work here now")
        await click(host, "close")
        await host.sees("2 of 5 decided")


async def test_a_click_between_two_hints_does_nothing() -> None:
    async with running() as host:
        await opened(host)
        at, line = column(host, "accept")
        await host.pilot.click(offset=(at + len("accept"), line))
        await host.pilot.click(offset=(79, line))
        assert host.review.log == []


async def test_dialogs_are_answered_by_a_click() -> None:
    async with running() as host:
        await opened(host)
        await host.press("J", "J", "J", "A")
        assert isinstance(host.app.screen, GuardScreen)
        line = row_of(host, "⏎ no")
        await click(host, "no", line)
        assert host.review.log == []
        await host.press("A")
        await click(host, "yes", row_of(host, "⏎ no"))
        assert host.review.state("p1") is State.ACCEPTED
        await host.press("ctrl+s")
        await host.until(lambda: isinstance(host.app.screen, ApplyScreen) and "Working out" not in host.text)
        await click(host, "yes, apply")
        await host.sees("U undoes it now")


async def test_a_click_on_a_line_of_the_diff_goes_to_its_edit() -> None:
    async with running() as host:
        await opened(host)
        await click(host, "the wiki moved to the new host", row_of(host, "to the new host"))
        assert host.screen.piece == 1
        await host.press("a")
        assert host.review.log[-1].on == "m1.e2"


async def test_a_click_in_the_line_mode_chooses_a_line_or_leaves_it_out() -> None:
    async with running() as host:
        await opened(host)
        await host.press("v")
        await click(host, "Ines owns the build farm", row_of(host, "- - Ines owns the build farm"))
        await host.press("enter")
        assert [entry.on for entry in host.review.log] == ["m1.e1:-1,+1", "m1.e1:-2"]


@pytest.mark.parametrize(("to", "width"), [(50, 50), (3, 12), (78, 55)])
async def test_the_bar_between_the_panes_can_be_dragged(to: int, width: int) -> None:
    async with running() as host:
        await opened(host)
        await host.pilot.mouse_down(Splitter)
        await host.pilot.hover(offset=(to, 5))
        await host.pilot.mouse_up(offset=(to, 5))
        await host.pilot.pause()
        assert host.screen.list_view.outer_size.width == width
        await host.pilot.hover(offset=(30, 5))
        await host.pilot.pause()
        assert host.screen.list_view.outer_size.width == width


async def test_keys_move_the_bar_too_and_a_narrow_screen_forgets_it_for_a_while() -> None:
    async with running() as host:
        await opened(host)
        await host.press(">", ">")
        assert host.screen.list_view.outer_size.width == 35
        await host.press("<")
        assert host.screen.list_view.outer_size.width == 31
        await host.press("h")
        await host.pilot.resize_terminal(40, 12)
        await host.pilot.pause()
        assert host.screen.list_view.outer_size.width == 40
        await host.pilot.resize_terminal(80, 24)
        await host.pilot.pause()
        assert host.screen.list_view.outer_size.width == 31


async def test_the_wheel_scrolls_what_it_is_over() -> None:
    async with running(size=(80, 12)) as host:
        await opened(host)
        detail = host.screen.detail
        host.app.screen._forward_event(_wheel(detail.region.x + 5, 4))
        await host.until(lambda: detail.scroll_offset.y > 0)
        assert host.screen.current == "m1"


def _wheel(x: int, y: int) -> events.MouseScrollDown:
    return events.MouseScrollDown(
        widget=None,
        x=x,
        y=y,
        delta_x=0,
        delta_y=1,
        button=0,
        shift=False,
        meta=False,
        ctrl=False,
        screen_x=x,
        screen_y=y,
    )
