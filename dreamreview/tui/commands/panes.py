"""Commands that share the screen out between the list and the detail."""

from __future__ import annotations

from dreamreview.tui.commands.base import Command, CommandType


class Panes(Command):
    """Commands about the panes of a review."""

    group = "Looking"


class WidenList(Panes):
    """Give the list more of the width; the bar between can be dragged too."""

    keys = "greater_than_sign"


class NarrowList(Panes):
    """Give the list less of the width."""

    keys = "less_than_sign"


COMMANDS: tuple[CommandType, ...] = (WidenList, NarrowList)
