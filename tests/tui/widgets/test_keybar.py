from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dreamreview.tui.widgets.keybar import KeyBar, arrange, choose
from tests.tui.host import Host, running

HINTS = [("a", "accept"), ("r", "reject"), ("h", "list"), ("^s", "apply"), ("u", "undo"), ("e", "edit"), ("c", "why")]
HELP = ("?", "help")


def bar(host: Host, at: int = -1) -> list[str]:
    """Return the lines of the key bar of a screen of the stack, as they are drawn."""
    bar = host.app.screen_stack[at].query_one(KeyBar)
    lines = ["".join(segment.text for segment in bar.render_line(y)).rstrip() for y in range(bar.size.height)]
    assert all(cell_len(line) <= bar.size.width for line in lines)
    return lines


def test_two_lines_hold_the_hints_in_their_order() -> None:
    assert arrange(HINTS, 40, 2, HELP) == [HINTS[:4], [*HINTS[4:], HELP]]


def test_one_line_is_enough_where_all_fits() -> None:
    assert arrange(HINTS, 80, 2, HELP) == [[*HINTS, HELP]]
    assert arrange(HINTS, 40, 1, HELP) == [choose(HINTS, 40, HELP)]


hints = st.lists(st.tuples(st.sampled_from(["a", "^s", "⏎"]), st.sampled_from(["go", "accept it", "日本"])), max_size=9)


@given(hints, st.integers(0, 60), st.integers(1, 3))
def test_no_line_is_wider_than_the_bar_and_none_are_too_many(
    given_hints: list[tuple[str, str]], width: int, most: int
) -> None:
    rows = arrange(given_hints, width, most, HELP)
    assert 1 <= len(rows) <= most
    for row in rows:
        assert cell_len("  ".join(f"{key} {word}" for key, word in row)) <= width
    assert (HELP in rows[-1]) is (width >= len("? help"))


async def test_a_narrow_screen_names_apply_among_its_keys() -> None:
    async with running(size=(40, 12)) as host:
        await host.sees("0 of 5 decided")
        assert bar(host) == ["a accept  r reject  h list  ^s apply", "u undo  e edit  c why  J next  ? help"]
        await host.press("J", "J")
        assert bar(host) == ["a keep A  b keep B  h list  B both", "s skip  r reject  ^s apply  ? help"]


async def test_a_low_screen_keeps_its_lines() -> None:
    async with running(size=(40, 10)) as host:
        await host.sees("0 of 5 decided")
        assert bar(host) == ["a accept  r reject  h list  ? help"]


async def test_a_hint_of_the_second_line_can_be_clicked() -> None:
    async with running(size=(40, 12)) as host:
        await host.sees("0 of 5 decided")
        await host.press("a")
        await host.pilot.click("#keys", offset=(1, 1))
        await host.pilot.pause()
        assert host.review.counts.undecided == 5


@pytest.mark.parametrize("size", [(120, 30), (60, 20), (45, 20)])
async def test_the_bar_under_a_dialog_is_what_it_is_without_one(size: tuple[int, int]) -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("}", "}", "A")
        await host.sees("Accept this change")
        await host.pilot.resize_terminal(*size)
        await host.pilot.pause()
        under = bar(host, -2)
        await host.press("enter")
        assert bar(host) == under
    async with running(size=size) as host:
        await host.sees("0 of 5 decided")
        await host.press("}", "}")
        assert bar(host) == under
