"""Commands that more than one screen has."""

from __future__ import annotations

from dreamreview.tui.commands.base import Command, CommandType


class General(Command):
    """Commands of the app."""

    group = "App"


class Apply(General):
    """Show what applying would write, by effect; nothing is written before you say yes there."""

    keys = "ctrl+s"
    bar = "apply"
    rank = 15


class History(General):
    """Show what was applied, newest first, and undo it."""

    keys = "H"


class Memory(General):
    """Look through the memory as it is: notes, ages, pins, links, what is wrong; pin and unpin."""

    keys = "m"
    bar = "memory"
    rank = 55


class Help(General):
    """Show all keys."""

    keys = "question_mark"
    bar = "help"


class CommandPalette(General):
    """Find a command by its name."""

    keys = "ctrl+p,colon"


class ChangeTheme(General):
    """Choose another theme: one for daylight, one of high contrast and those of Textual."""

    keys = "ctrl+t"


class ShowSettings(General):
    """Show every setting with its value, and where it is changed."""

    keys = "comma"


class Reload(General):
    """Look at the memory folder again."""

    keys = "ctrl+l,f5"


class Leave(General):
    """Go back one level; from the inbox, leave. Everything is already saved."""

    keys = "q"
    bar = "leave"
    rank = 35


APP_COMMANDS: tuple[CommandType, ...] = (Help, CommandPalette, ChangeTheme, ShowSettings, Leave)
"""Commands of every screen that is no dialog."""
