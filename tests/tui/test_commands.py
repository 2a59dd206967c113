"""Every command has a key, a handler and a line of help, and every promised key a command."""

from __future__ import annotations

from typing import Any

import pytest
from textual.binding import Binding

from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.commands.base import CommandType
from dreamreview.tui.commands.everywhere import APP_COMMANDS
from dreamreview.tui.screens.apply import ApplyScreen
from dreamreview.tui.screens.editor import EditorScreen
from dreamreview.tui.screens.guard import GuardScreen
from dreamreview.tui.screens.history import HistoryScreen
from dreamreview.tui.screens.inbox import InboxScreen
from dreamreview.tui.screens.memory.screen import MemoryScreen
from dreamreview.tui.screens.place import Place
from dreamreview.tui.screens.reader import ReaderScreen
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.tui.screens.settle import SettleScreen
from dreamreview.tui.widgets.keybar import choose
from tests.tui.host import running

SCREENS: list[type[Place[Any]]] = [
    InboxScreen,
    ReviewScreen,
    ApplyScreen,
    HistoryScreen,
    MemoryScreen,
    GuardScreen,
    EditorScreen,
    ReaderScreen,
    SettleScreen,
]
HERE = [(screen, command) for screen in SCREENS for command in screen.COMMANDS_HERE]
PROMISED = (
    "j k down up J K ] [ } { g G ctrl+d ctrl+u h l left right a r b B s space x A R S v e E c u ctrl+r "
    "i / n N f . enter w t z ctrl+s"
)


@pytest.mark.parametrize(("screen", "command"), HERE, ids=[f"{s.__name__}-{c.__name__}" for s, c in HERE])
def test_a_command_has_a_handler_and_help(screen: type[Place[Any]], command: CommandType) -> None:
    assert callable(getattr(screen, f"action_{command.action()}"))
    assert command.help().endswith(".")
    assert command.keys


@pytest.mark.parametrize("command", APP_COMMANDS)
def test_a_command_of_the_app_has_a_handler(command: CommandType) -> None:
    assert callable(getattr(DreamReviewApp, f"action_{command.action()}"))


def keys_of(commands: tuple[CommandType, ...]) -> set[str]:
    return {binding.key for command in commands for binding in Binding.make_bindings([command.binding()])}


def test_every_promised_key_of_the_review_has_a_command() -> None:
    promised = {binding.key for key in PROMISED.split() for binding in Binding.make_bindings([Binding(key, "x")])}
    assert promised - keys_of(ReviewScreen.COMMANDS_HERE) == set()
    assert {"question_mark", "ctrl+p", "colon", "q"} <= keys_of(APP_COMMANDS)


def test_ids_are_unique_on_each_screen() -> None:
    for screen in SCREENS:
        ids = [command.id() for command in (*screen.COMMANDS_HERE, *APP_COMMANDS)]
        assert len(ids) == len(set(ids))


async def test_a_rebound_key_works_and_is_the_one_that_is_shown() -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        host.app.set_keymap({"deciding.accept": "y"})
        host.screen.refresh_bar()
        await host.sees("y accept")
        await host.press("y")
        await host.sees("1 of 5 decided")
        await host.press("?")
        assert "y           Accept:" in host.text


def test_the_bar_keeps_its_last_hint_and_cuts_no_word() -> None:
    hints = [("a", "accept"), ("r", "reject"), ("^s", "apply")]
    last = ("?", "help")
    assert choose(hints, 80, last) == [*hints, last]
    assert choose(hints, 24, last) == [("a", "accept"), last]
    assert choose(hints, 6, last) == [last]
    assert choose(hints, 3, last) == []
