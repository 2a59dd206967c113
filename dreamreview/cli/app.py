"""`dreamreview [FOLDER]`: the terminal app."""

from __future__ import annotations

import os

import click

from dreamreview.cli.arguments import folder_argument
from dreamreview.cli.launch import launch
from dreamreview.errors import UsageError


@click.command(hidden=True)
@folder_argument
def app(folder: str | None) -> int:
    """Open the terminal app on FOLDER."""
    if folder is not None and not os.path.isdir(folder):
        raise UsageError(f"{folder} is neither a command nor a folder (see dreamreview --help)")
    return launch(folder)
