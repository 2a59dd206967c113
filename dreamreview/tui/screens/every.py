"""All screens with commands, and what a user's keys do to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from textual.screen import ModalScreen

from dreamreview.tui.commands.everywhere import APP_COMMANDS
from dreamreview.tui.commands.keymap import clashes, unknown
from dreamreview.tui.screens.apply import ApplyScreen
from dreamreview.tui.screens.editor import EditorScreen
from dreamreview.tui.screens.guard import GuardScreen
from dreamreview.tui.screens.history import HistoryScreen
from dreamreview.tui.screens.inbox import InboxScreen
from dreamreview.tui.screens.memory.screen import MemoryScreen
from dreamreview.tui.screens.reader import ReaderScreen
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.tui.screens.settle import SettleScreen

if TYPE_CHECKING:
    from dreamreview.tui.screens.place import Place

SCREENS: tuple[type[Place[Any]], ...] = (
    InboxScreen,
    ReviewScreen,
    ApplyScreen,
    HistoryScreen,
    MemoryScreen,
    GuardScreen,
    SettleScreen,
    EditorScreen,
    ReaderScreen,
)
"""Screens with commands."""


def problems_with(keymap: Mapping[str, str]) -> tuple[str, ...]:
    """Return one sentence for each command that is none and each key that two commands would share, none twice."""
    found: dict[str, None] = {}
    for screen in SCREENS:
        around = () if issubclass(screen, ModalScreen) else APP_COMMANDS
        for sentence in clashes((*screen.COMMANDS_HERE, *around), keymap, screen.can_meet):
            found.setdefault(sentence)
    every = [command for screen in SCREENS for command in screen.COMMANDS_HERE]
    return (*unknown([*every, *APP_COMMANDS], keymap), *found)
