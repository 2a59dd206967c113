"""Opening the terminal app, or without a terminal a list of what waits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NoReturn

from dreamreview.cli import output
from dreamreview.cli.hints import command
from dreamreview.cli.opening import open_store

if TYPE_CHECKING:
    from dreamreview.workspace import Workspace

DUMB = "dumb"
"""What ``TERM`` says of a terminal that can only print lines."""


def launch(folder: str | None) -> int:
    """Open the app on a folder, or on what is meant where none is named, and return the exit status.

    Where neither the environment nor the configuration choose one store and several are found, it opens on all.

    Raises:
        UsageError: no folder was named and none can be found, or the configuration is wrong.
        StoreError: there is no such folder.
    """
    if folder is None:
        from dreamreview.cli.several import launch_found

        code = launch_found()
        if code is not None:
            return code
    workspace = open_store(folder)
    if has_screen():
        return open_app(workspace)
    from dreamreview.cli.proposals import listed
    from dreamreview.cli.status import told

    output.say(f"{workspace.folder}: {told(workspace.status())}")
    output.say_all(map(listed, workspace.proposals()))
    output.say("the app needs a terminal; without one, use:")
    output.say(f"  {command('show', workspace.folder)}")
    output.say(f"  {command('review', workspace.folder, '--plain')}")
    output.say(f"  {command(workspace.folder, '--serve')}")
    return 0


def has_screen() -> bool:
    """Tell whether the app can be shown: on a terminal that draws, or by a driver of its own on a page."""
    return (output.is_terminal() and os.environ.get("TERM") != DUMB) or bool(os.environ.get("TEXTUAL_DRIVER"))


def open_app(workspace: Workspace, proposal: str | None = None) -> int:
    """Run the app until the person leaves and return its exit status."""
    from dreamreview.tui.app import run

    return run(workspace, proposal, opened=workspace.at_once(proposal))


def serve(folder: str | None, port: int | None) -> NoReturn:
    """Serve the app to browsers of this machine until that is interrupted.

    Raises:
        DreamReviewError: as for `launch`; the libraries for it are missing, or the port cannot be had.
        KeyboardInterrupt: the person has ended it.
    """
    from dreamreview.tui.browser.server import serve as carry

    several: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    if folder is None:
        from dreamreview.cli.several import found_folders

        several = found_folders()
    if len(several) > 1:
        title = f"{len(several)} memory folders"
    else:
        title = open_store(several[0] if several else folder).folder
        arguments = (title,)

    def announce(address: str) -> None:
        output.note(f"open to a browser of this machine until ctrl+c: {title}")
        output.note("whoever has this address can review that memory, and change it:")
        output.address(address)

    carry(arguments, title, port, announce)
