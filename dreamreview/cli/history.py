"""`dreamreview history`: what was applied to a store, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, folder_argument
from dreamreview.cli.opening import open_store

if TYPE_CHECKING:
    from dreamreview.workspace import HistoryLine


@click.command(short_help="List what was applied.")
@folder_argument
@as_json
def history(folder: str | None, is_json: bool) -> int:
    """List the applies of FOLDER, newest first; each can be undone by its id."""
    workspace = open_store(folder)
    lines = workspace.history()
    if is_json:
        output.document([_shape(line) for line in lines])
        return 0
    output.say_all(map(_listed, lines))
    if not lines:
        output.say(f"nothing was applied to {workspace.folder} yet")
    return 0


def _listed(line: HistoryLine) -> str:
    undone = " · undone" if line.undone else ""
    if line.undone_changes and not line.undone:
        undone = f" · undone of these: {' '.join(line.undone_changes)}"
    return (
        f"{line.apply}  {line.at}  from {line.proposal}  {len(line.changes)} changes: {' '.join(line.changes)}{undone}"
    )


def _shape(line: HistoryLine) -> dict[str, object]:
    return {
        "apply": line.apply,
        "at": line.at,
        "proposal": line.proposal,
        "changes": list(line.changes),
        "undone": line.undone,
    }
