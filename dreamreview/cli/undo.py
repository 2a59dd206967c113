"""`dreamreview undo`: take an apply back, or one change of it, around whatever was written since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, named_folder
from dreamreview.cli.opening import open_store
from dreamreview.cli.written import effects, exit_status, is_empty, shape

if TYPE_CHECKING:
    from dreamreview.workspace import ApplyResult


@click.command(short_help="Take an apply back.")
@named_folder
@click.argument("apply", required=False, metavar="[APPLY]")
@click.option("--change", metavar="ID", help="Take back this change alone.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Say what would be written, and write nothing.")
@as_json
def undo(folder: str, apply: str | None, change: str | None, is_dry: bool, is_json: bool) -> int:
    """Take back APPLY of FOLDER, the newest one where none is named.

    Later edits stay. Ends 4 when some of it cannot be taken back without losing them.
    """
    result = open_store(folder).undo(apply, change, dry_run=is_dry)
    if is_json:
        output.document(shape(result) | {"undone": result.undone})
    else:
        output.say_all(_told(result))
    return exit_status(result)


def _told(result: ApplyResult) -> list[str]:
    if is_empty(result) and not (result.stale or result.clashes):
        return ["there is nothing to take back"]
    verb = "this would be taken back of" if result.dry_run else "took back"
    clashes = [f"  clash   {clash.change} {clash.path}: {clash.reason}" for clash in result.clashes]
    return [f"{verb} {result.undone}", *effects(result), *clashes]
