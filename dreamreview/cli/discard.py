"""`dreamreview discard`: close a proposal without applying it."""

from __future__ import annotations

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import named_folder
from dreamreview.cli.opening import open_store
from dreamreview.errors import UsageError


@click.command(short_help="Close a proposal.")
@named_folder
@click.argument("proposal")
def discard(folder: str, proposal: str) -> int:
    """Close PROPOSAL of FOLDER: its copy is removed, its manifest and decisions stay."""
    workspace = open_store(folder)
    resolved = workspace.resolve(proposal)
    if resolved is None:
        raise UsageError(f"there is no proposal {proposal} in {workspace.folder}")
    workspace.discard(resolved)
    output.say(f"discarded {resolved}")
    return 0
