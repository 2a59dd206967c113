"""Commands of the line mode of a review: while it lasts they stand in front of the others."""

from __future__ import annotations

from dreamreview.tui.commands.base import Command, CommandType


class LineMode(Command):
    """Commands while single lines are chosen."""

    group = "Lines"


class ToggleLine(LineMode):
    """Choose the line, or leave it out."""

    keys = "space"
    bar = "toggle"
    rank = 1


class KeepLines(LineMode):
    """Accept the chosen lines and reject the others of the edit."""

    keys = "enter"
    bar = "keep chosen"
    rank = 2


class NextLine(LineMode):
    """Go to the next changed line."""

    keys = "j,down"
    bar = "next"
    rank = 4


class PreviousLine(LineMode):
    """Go to the previous changed line."""

    keys = "k,up"
    bar = "previous"
    rank = 5


class AllLines(LineMode):
    """Choose all lines of the edit, or none when all are chosen."""

    keys = "a"
    bar = "all or none"
    rank = 6


class LeaveLines(LineMode):
    """Leave the line mode; nothing is decided."""

    keys = "escape,q,v"
    bar = "leave"
    rank = 3


COMMANDS: tuple[CommandType, ...] = (ToggleLine, KeepLines, NextLine, PreviousLine, AllLines, LeaveLines)
