"""`dreamreview proposals`: what waits for a decision, newest first."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, folder_argument
from dreamreview.cli.opening import for_every_store, open_store
from dreamreview.errors import UsageError

if TYPE_CHECKING:
    from dreamreview.workspace import ProposalLine, Workspace


@click.command(short_help="List what was suggested.")
@folder_argument
@click.option(
    "--all", "is_all", is_flag=True, help="List the proposals of every store that is configured, or else found."
)
@as_json
def proposals(folder: str | None, is_all: bool, is_json: bool) -> int:
    """List the proposals of FOLDER, newest first."""
    if is_all and folder is not None:
        raise UsageError("--all names every store, so it takes no FOLDER")
    shapes: list[dict[str, object]] = []

    def list_one(workspace: Workspace) -> int:
        lines = workspace.proposals()
        if is_json:
            for line in lines:
                if line.problem:
                    output.note(f"{line.id}: {line.problem}")
            where = {"folder": output.printable(workspace.folder)} if is_all else {}
            shapes.extend(where | _shape(line) for line in lines)
            return 0
        if is_all:
            output.say(workspace.folder)
        output.say_all(map(listed, lines))
        if not lines:
            output.say(f"no proposals in {workspace.folder}")
        return 0

    code = for_every_store(list_one) if is_all else list_one(open_store(folder))
    if is_json:
        output.document(shapes)
    return code


def listed(line: ProposalLine) -> str:
    """Return a proposal in one line."""
    counts = line.counts
    stale = f", {counts.stale} stale" if counts.stale else ""
    problem = f" · {line.problem}" if line.problem else ""
    changes = "1 change" if counts.changes == 1 else f"{counts.changes} changes"
    told = f"{changes}, {counts.undecided} undecided{stale}"
    return f"{line.id}  {line.status}  {line.engine}  {line.created_at}  {told}{problem}"


def _shape(line: ProposalLine) -> dict[str, object]:
    return {
        "id": line.id,
        "status": line.status,
        "created_at": line.created_at,
        "engine": line.engine,
        "counts": dataclasses.asdict(line.counts),
    }
