"""`dreamreview history`: what was applied to a store, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, folder_argument
from dreamreview.cli.opening import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    output.say_all(row for line in lines for row in _listed(line))
    if not lines:
        output.say(f"nothing was applied to {workspace.folder} yet")
    return 0


def _listed(line: HistoryLine) -> Iterator[str]:
    """Yield an apply, then each of its changes by id and title."""
    count = "1 change" if len(line.changes) == 1 else f"{len(line.changes)} changes"
    part = " · undone in part" if line.undone_changes else ""
    source = "by hand" if line.is_by_hand else f"from {line.proposal}"
    yield f"{line.apply}  {line.at}  {source}  {count}{' · undone' if line.undone else part}"
    for change in line.changes:
        title = f"  {line.titles[change]}" if change in line.titles else ""
        undone = " · undone" if change in line.undone_changes else ""
        forgotten = " · in part forgotten" if change in line.forgotten else ""
        yield f"    {change}{title}{undone}{forgotten}"


def _shape(line: HistoryLine) -> dict[str, object]:
    return {
        "apply": line.apply,
        "at": line.at,
        "proposal": line.proposal,
        "changes": list(line.changes),
        "undone": line.undone,
    }
