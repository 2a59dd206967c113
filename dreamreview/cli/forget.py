"""`dreamreview forget`: delete something for good, after showing where it stands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, named_folder
from dreamreview.cli.opening import open_store
from dreamreview.cli.output import printable
from dreamreview.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dreamreview.model.forgetting.receipt import Receipt
    from dreamreview.workspace import Workspace
    from dreamreview.workspace.forgetting import Planned

IN_PART = 4
"""Exit status when it stands where nothing of ours may write."""

_PLACES = {
    "memory": "line",
    "copy": "line of the copy of",
    "manifest": "place in the manifest of",
    "base": "line of the base of",
    "decisions": "place in the decisions on",
    "rejections": "place in what was rejected",
    "history": "text of the history",
    "snapshots": "text of the snapshots",
    "state": "place in",
    "index": "index, made again when it is used:",
    "other": "place in",
}


@click.command(short_help="Delete something for good; asks first.")
@named_folder
@click.argument("place", required=False, metavar="[PATH[:LINE]]")
@click.option("--match", metavar="TEXT", help="Every line that holds TEXT, wherever it stands.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Say what would be removed and where, and remove nothing.")
@click.option("--yes", "times", count=True, help="Do not ask; for a pinned note, give it twice.")
@as_json
def forget(folder: str, place: str | None, match: str | None, is_dry: bool, times: int, is_json: bool) -> int:
    """Delete a file of FOLDER, one line of it, or every line that holds TEXT, for good.

    It goes from the memory, proposals, decisions, history and snapshots: nothing brings it back. A receipt says what
    was removed where. Ends 4 where it stands in something that is not ours to write to.
    """
    workspace = open_store(folder)
    wanted = None if match is None else os.fsencode(match)
    planned = workspace.plan_forgetting(place, wanted)
    receipt: Receipt | None = planned.receipt
    if not is_dry and not planned.receipt.is_empty:
        receipt = _asked(workspace, planned, times, (place, wanted))
    if receipt is None:
        output.note("nothing was forgotten")
        return 0
    if is_json:
        output.document(_shape(receipt, is_dry=is_dry))
    else:
        output.say_all(_told(receipt, workspace.folder, is_dry=is_dry))
    # What a repository of the user's own holds is not known, and a line that was not named stays by wish.
    is_in_part = match is not None and any(left.path != ".git" for left in receipt.left)
    return IN_PART if is_in_part else 0


def _asked(workspace: Workspace, planned: Planned, times: int, what: tuple[str | None, bytes | None]) -> Receipt | None:
    """Return the receipt, or None where the answer was no.

    The question is asked again when the memory has changed while it stood on the screen.
    """
    from dreamreview.workspace.forgetting import ChangedError

    while not planned.receipt.is_empty:
        if not _is_sure(workspace, planned, times):
            return None
        try:
            return workspace.forget(*what, seen=planned.seen)
        except ChangedError as error:
            if times:
                raise
            output.note(f"{error}; this is what would be removed now")
            planned = workspace.plan_forgetting(*what)
    return planned.receipt


def _is_sure(workspace: Workspace, planned: Planned, times: int) -> bool:
    """Tell whether a person wants it; what is pinned is asked about a second time."""
    questions = [f"Delete this from {workspace.folder} for good? Nothing brings it back."]
    if planned.pinned:
        named = ", ".join(planned.pinned[:3]) + (" and more" if len(planned.pinned) > 3 else "")
        questions.append(f"This is pinned ({named}). Delete it all the same?")
    questions = questions[times:]
    if questions and not output.is_terminal():
        needed = "--yes twice, since a note is pinned" if planned.pinned else "--yes"
        raise UsageError(f"forget deletes only after a yes: give {needed}, or run it on a terminal")
    if questions:
        for line in _places(planned.receipt):
            output.tell(line)
    return all(output.confirm(question) for question in questions)


def _shape(receipt: Receipt, *, is_dry: bool) -> dict[str, object]:
    from dreamreview.model.forgetting.receipt import receipt_to_json

    return receipt_to_json(receipt) | {"dry_run": is_dry}


def _told(receipt: Receipt, folder: str, *, is_dry: bool) -> Iterator[str]:
    if receipt.is_empty:
        yield f"nothing of that is found in {folder}"
    elif is_dry:
        yield f"this would be removed from {folder}:"
    else:
        yield f"forgot {receipt.forget}"
    yield from _places(receipt)
    if receipt.forget is not None and not is_dry:
        yield f"the receipt is kept as {folder}/.dreamreview/forgotten/{receipt.forget}.json"


def _places(receipt: Receipt) -> Iterator[str]:
    for one in receipt.removed:
        word = _PLACES[one.where]
        if one.where == "memory":
            yield f"  memory     {printable(one.path)}: {one.count} {word}{'' if one.count == 1 else 's'}"
        else:
            first, _, rest = word.partition(" ")
            many = first if one.count == 1 else f"{first}s"
            yield f"  {one.where:<10} {one.count} {many} {rest} {printable(one.path)}".rstrip()
    for change in receipt.withdrawn:
        yield f"  withdrawn  {change}: it was about this and cannot be applied any more"
    for change in receipt.cut:
        yield f"  cut        {change}: it lost lines and has to be decided again"
    for deed in receipt.undo:
        yield f"  undo       {deed}: taking it back gives back the rest only"
    for left in receipt.left:
        yield f"  left       {printable(left.path)}: {left.reason}".replace("  left       : ", "  left       ")
