"""`dreamreview [FOLDER]`: the terminal app, or without a terminal a list of what waits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.opening import folder_argument, open_store
from dreamreview.cli.proposals import listed
from dreamreview.cli.status import told
from dreamreview.errors import UsageError

if TYPE_CHECKING:
    from dreamreview.workspace import Workspace


@click.command(hidden=True)
@folder_argument
def app(folder: str | None) -> int:
    """Open the terminal app on FOLDER."""
    if folder is not None and not os.path.isdir(folder):
        raise UsageError(f"{folder} is neither a command nor a folder (see dreamreview --help)")
    workspace = open_store(folder)
    if output.is_terminal():
        return open_app(workspace)
    output.say(f"{workspace.folder}: {told(workspace.status())}")
    output.say_all(map(listed, workspace.proposals()))
    output.say("the app needs a terminal; without one, use:")
    output.say(f"  dreamreview show {workspace.folder}")
    output.say(f"  dreamreview review {workspace.folder} --plain")
    return 0


def open_app(workspace: Workspace, proposal: str | None = None) -> int:
    """Run the app until the person leaves and return its exit status; the only place here that loads it."""
    from dreamreview.tui.app import run

    return run(workspace, proposal, opened=workspace.at_once(proposal))
