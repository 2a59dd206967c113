"""`dreamreview review`: the review in the app or, with `--plain`, in lines: for a dumb terminal, an ear or a pipe."""

from __future__ import annotations

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import named_folder, proposal_argument
from dreamreview.cli.launch import has_screen, open_app
from dreamreview.cli.opening import open_review, open_store


@click.command(short_help="Review a proposal, with --plain line by line.")
@named_folder
@proposal_argument
@click.option("--plain", "is_plain", is_flag=True, help="Line by line, without the app.")
def review(folder: str, proposal: str | None, is_plain: bool) -> int:
    """Review PROPOSAL of FOLDER in the app or, with --plain, in lines; every answer is kept at once.

    In lines, Enter decides nothing, ? tells all answers, and the end of the input leaves. Changes are written only
    after a yes. Answers that come from a pipe end with 2 when three in a row make no sense.
    """
    workspace = open_store(folder)
    opened = open_review(workspace, proposal)
    if opened is None:
        output.nothing_ready(folder)
        return 0
    if not is_plain and has_screen():
        return open_app(workspace, opened.proposal.id)
    from dreamreview.cli.plain.walk import Walk
    from dreamreview.settings import load

    return Walk(workspace, opened, load().editor if output.is_terminal() else "").run()
