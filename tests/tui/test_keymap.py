"""The user's own keys: they win, what shares a key keeps its own, and what clashes is told."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from dreamreview.model.review import State
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.screens.every import problems_with
from dreamreview.tui.surroundings import Surroundings
from tests.tui.fake import workspace
from tests.tui.host import Clock, Host, running


async def with_keys(host: Host, keymap: Mapping[str, str]) -> None:
    await host.sees("0 of 5 decided")
    host.app.set_keymap(keymap)


@pytest.mark.parametrize(
    ("keymap", "keys", "state"),
    [
        ({"deciding.accept": "y"}, "y", State.ACCEPTED),
        ({"deciding.accept": "y"}, "a", State.UNDECIDED),
        ({"deciding.accept": "y,ctrl+y"}, "ctrl+y", State.ACCEPTED),
        ({"deciding.accept": "!"}, "!", State.ACCEPTED),
        ({"deciding.accept": "r"}, "r", State.ACCEPTED),
        ({"deciding.accept": "r", "deciding.reject": "a"}, "a", State.REJECTED),
        ({"deciding.accept": "q"}, "q", State.ACCEPTED),
    ],
)
async def test_a_key_of_the_user_does_what_it_is_bound_to(keymap: dict[str, str], keys: str, state: State) -> None:
    async with running() as host:
        await with_keys(host, keymap)
        await host.press(*keys.split())
        assert host.review.state("m1") is state


async def test_a_command_keeps_its_key_when_another_that_shares_it_is_moved() -> None:
    async with running() as host:
        await with_keys(host, {"deciding.accept": "y", "looking.base": "ctrl+b", "moving.down": "ctrl+n"})
        await host.press("J", "J", "a")
        assert host.review.review.of["c1"].choice == "A"
        await host.press("u", "b")
        assert host.review.review.of["c1"].choice == "B"
        await host.press("g", "v", "j", "space", "enter")
        assert host.review.log[-1].on == "m1.e1:-2"


async def test_dialogs_take_the_users_keys_too() -> None:
    async with running() as host:
        await with_keys(host, {"question.agree": "o"})
        await host.press("J", "J", "J", "A")
        assert "o yes" in host.text
        await host.press("y", "o")
        assert host.review.state("p1") is State.ACCEPTED


async def test_commands_of_the_app_can_be_moved() -> None:
    async with running() as host:
        await with_keys(host, {"app.help": "f1"})
        await host.press("?")
        assert host.app.screen is host.screen
        await host.press("f1")
        await host.sees("Keys that work here now")


SENTENCE = "is the key of {} and of {}: it does the first; give one of them another key under [keymap]"


@pytest.mark.parametrize(
    ("keymap", "expected"),
    [
        ({}, ()),
        ({"deciding.accept": "y"}, ()),
        ({"deciding.keep_b": "r"}, ("r " + SENTENCE.format("Keep B (deciding.keep_b)", "Reject (deciding.reject)"),)),
        ({"deciding.accept": "b"}, ("b " + SENTENCE.format("Accept (deciding.accept)", "Base (looking.base)"),)),
        ({"deciding.keep_a": "l", "moving.to_detail": "right"}, ()),
        ({"deciding.split": "q"}, ("q " + SENTENCE.format("Split (deciding.split)", "Leave (app.leave)"),)),
        ({"lines.keep_lines": "r"}, ()),
        ({"lines.keep_lines": "w"}, ("w " + SENTENCE.format("Keep lines (lines.keep_lines)", "Wrap (looking.wrap)"),)),
        (
            {"deciding.acept": "y"},
            ("[keymap] names deciding.acept, which is no command: the help and the palette name them",),
        ),
    ],
)
def test_a_clash_is_one_line_that_names_the_key_and_both_commands(
    keymap: dict[str, str], expected: tuple[str, ...]
) -> None:
    assert problems_with(keymap) == expected


async def test_a_clash_is_told_when_the_app_has_started() -> None:
    keymap = {"deciding.keep_b": "r"}
    app = DreamReviewApp(Surroundings(workspace(), Clock()), watch=None, keymap=keymap)
    async with app.run_test(size=(100, 40), notifications=True) as pilot:
        host = Host(app, pilot, workspace())
        await host.sees("0 of 5 decided")
        await host.until(lambda: "is the key of Keep B (deciding.keep_b)" in host.prose)


async def test_the_help_shows_exactly_the_commands_that_hold_now() -> None:
    async with running(size=(120, 60)) as host:
        await host.sees("0 of 5 decided")
        for keys, holds, lacks in (
            ("", ("deciding.accept", "deciding.split", "app.help"), ("deciding.keep_a", "lines.toggle_line")),
            ("J J", ("deciding.keep_a", "deciding.keep_option2"), ("deciding.accept ", "deciding.keep_option3")),
            ("g v", ("lines.toggle_line", "looking.wrap"), ("deciding.accept", "moving.down")),
        ):
            await host.press(*keys.split(), "?")
            shown = {row.parts[-1].text.strip() for row in host.app.screen.page().rows if getattr(row, "hang", 0) == 12}  # type: ignore[attr-defined]
            assert shown == {command.id() for command in host.screen.available()}
            assert set(holds) <= shown
            assert not set(lacks) & shown
            await host.press("escape")


async def test_what_is_said_of_keys_names_those_of_the_user() -> None:
    keymap = {"app.apply": "f9", "looking.search": "f3", "deciding.join": "f4", "apply.yes": "o"}
    app = DreamReviewApp(Surroundings(workspace(), Clock()), watch=None, keymap=keymap)
    async with app.run_test(size=(80, 24)) as pilot:
        host = Host(app, pilot, workspace())
        await host.sees("0 of 5 decided")
        await host.press("n")
        assert "f3 searches" in host.prose
        await host.press("right_square_bracket", "s")
        assert "split into 2 pieces: f4 joins them" in host.prose
        await host.press("f4", "left_square_bracket", *"aaaaa")
        await host.until(lambda: "nothing left to decide: f9 applies" in host.prose)
        await host.press("f9")
        await host.sees("o writes, ⏎ goes back")
