"""The arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

folder_argument: Callable[[Command], Command] = click.argument("folder", required=False, metavar="[FOLDER]")
"""The folder of a command that can do without one: the configuration or the current folder tells."""

named_folder: Callable[[Command], Command] = click.argument("folder")
"""The folder of a command that takes more arguments behind it."""

proposal_argument: Callable[[Command], Command] = click.argument("proposal", required=False)
"""A proposal: any unique prefix of its id, or nothing for the newest that is ready."""

as_json: Callable[[Command], Command] = click.option(
    "--json", "is_json", is_flag=True, help="Print one JSON document instead of text."
)

_serve = click.option("--serve", "is_served", is_flag=True, help="Show the app in a browser of this machine.")
_port = click.option(
    "--port",
    metavar="N",
    type=click.IntRange(1, 65535),
    help="Where --serve listens; without it, any port that is free.",
)


def browser_options(command: Command) -> Command:
    """Give a command the options that open the app in a browser: ``is_served`` and ``port``."""
    made: Command = _serve(_port(command))
    return made
