"""`dreamreview [FOLDER]`: the terminal app."""

from __future__ import annotations

import os

import click

from dreamreview.cli.arguments import browser_options, folder_argument
from dreamreview.cli.launch import launch, serve
from dreamreview.errors import UsageError


@click.command(hidden=True)
@folder_argument
@browser_options
def app(folder: str | None, is_served: bool, port: int | None) -> int:
    """Open the terminal app on FOLDER."""
    if folder is not None and not os.path.isdir(folder):
        raise UsageError(f"{folder} is neither a command nor a folder (see dreamreview --help)")
    if is_served:
        serve(folder, port)
    if port is not None:
        raise UsageError("--port is where --serve listens: give both")
    return launch(folder)
