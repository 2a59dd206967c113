"""The help: the commands that hold on a screen right now, with the keys that they really have, rebound or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from rich.cells import cell_len

from dreamreview.tui.detail.rows import BLANK, Row, Words
from dreamreview.tui.inert import own

if TYPE_CHECKING:
    from dreamreview.tui.commands.base import CommandType

KEY_CELLS = 12
"""Cells of the column of keys."""


def help_rows(commands: Iterable[CommandType], keys: Mapping[str, list[str]]) -> Iterator[Row]:
    """Return the help of some commands, given the keys of each command id."""
    groups: dict[str, list[CommandType]] = {}
    for command in commands:
        groups.setdefault(command.group, []).append(command)
    for group, members in groups.items():
        yield Words((own(group, "kind"),))
        for command in members:
            shown = " ".join(keys.get(command.id(), ["palette"]))
            column = shown + " " * max(KEY_CELLS - cell_len(shown), 1)
            name = own(f"  {command.id()}", "dim")
            told = own(command.help())
            yield Words((own(column, "key"), own(f"{command.title()}: ", "title"), told, name), hang=KEY_CELLS)
        yield BLANK
    yield Words(
        (own("What holds elsewhere is shown there. The dim name is what [keymap] binds to another key.", "dim"),)
    )
