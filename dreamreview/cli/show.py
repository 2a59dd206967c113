"""`dreamreview show`: a proposal as a report, as JSON or as a patch."""

from __future__ import annotations

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, named_folder, proposal_argument
from dreamreview.cli.opening import open_review, open_store
from dreamreview.cli.patch import patch_lines
from dreamreview.cli.report import report
from dreamreview.cli.shown import to_json
from dreamreview.errors import UsageError


@click.command(short_help="Read a proposal.")
@named_folder
@proposal_argument
@as_json
@click.option("--patch", "is_patch", is_flag=True, help="Print a unified diff of the changes, for reading.")
def show(folder: str, proposal: str | None, is_json: bool, is_patch: bool) -> int:
    """Show PROPOSAL of FOLDER, by default the newest that is ready: every change with its reason and evidence."""
    if is_json and is_patch:
        raise UsageError("--json and --patch exclude each other")
    review = open_review(open_store(folder), proposal)
    if review is None:
        output.nothing_ready(folder, None, is_json=is_json)
        return 0
    for warning in review.warnings if is_json or is_patch else ():
        output.note(warning)
    if is_json:
        output.document(to_json(review))
    elif is_patch:
        output.patch(patch_lines(review))
    else:
        output.say_all(report(review))
    return 0
