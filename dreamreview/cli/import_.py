"""`dreamreview import`: make a proposal of a copy, a diff, a revision of git, or what another program staged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, named_folder
from dreamreview.cli.opening import open_store

if TYPE_CHECKING:
    from dreamreview.workspace import ImportResult

FAILED = 1
IN_PART = 4
"""Exit status where some of the source did not become a change."""

MOST = 64 * 1024 * 1024 + 1
"""Bytes read from stdin at most: one more than an import may hold."""

_STDIN = "-"


@click.command("import", short_help="Make a proposal of a copy, a diff or a revision.")
@named_folder
@click.argument("source")
@as_json
def import_(folder: str, source: str, is_json: bool) -> int:
    """Make a proposal of FOLDER from SOURCE; the folder itself stays as it is.

    SOURCE is a changed copy of the folder, a unified diff (a file, or - for stdin), or git:REV, a revision of the git
    repository that holds FOLDER. Known by what they look like: Gemini CLI's .inbox of patches, what OpenClaw staged
    for its long-term memory (its workspace, also FOLDER itself), and an export of mem0.
    memstore:ID and dream:ID are a memory store at Anthropic's service and a dream of one. A FOLDER that is empty
    becomes a copy of the store, and what you apply there goes back to it.
    """
    workspace = open_store(folder)
    data = output.standard_input(MOST) if source == _STDIN else None
    result = workspace.import_(source, data)
    for warning in result.warnings:
        output.note(warning)
    for left in result.left:
        output.note(f"left out: {left}")
    if is_json:
        output.document(_shape(result))
    elif result.proposal is None:
        output.say(f"no proposal: {result.summary}")
    else:
        output.say(f"proposal {result.proposal}: {result.summary}")
    if not result.left:
        return 0
    return IN_PART if result.proposal or result.done else FAILED


def _shape(result: ImportResult) -> dict[str, object]:
    return {
        "proposal": result.proposal,
        "source": result.source,
        "summary": output.safe(result.summary),
        "counts": dict(result.counts),
        "done": result.done,
        "left": [
            {"what": _text(left.what), "place": _text(left.place), "reason": _text(left.reason)} for left in result.left
        ],
        "warnings": [_text(warning) for warning in result.warnings],
    }


def _text(text: str) -> str:
    return output.safe(output.printable(text))
