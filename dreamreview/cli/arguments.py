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
