"""`dreamreview dream`: think about a memory folder and leave a proposal beside it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, folder_argument
from dreamreview.cli.opening import every_store, open_store
from dreamreview.cli.report import report
from dreamreview.errors import DreamReviewError, UsageError

if TYPE_CHECKING:
    from dreamreview.dream.engine import Progress
    from dreamreview.workspace import DreamResult, Workspace


@click.command(short_help="Suggest changes to a memory folder.")
@folder_argument
@click.option("--all", "is_all", is_flag=True, help="Dream every store of the configuration.")
@click.option("--engine", default="local", show_default=True, metavar="NAME", help="Engine to think with.")
@click.option("--explain", is_flag=True, help="Print every change with its evidence and how it was found as well.")
@as_json
def dream(folder: str | None, is_all: bool, engine: str, explain: bool, is_json: bool) -> int:
    """Dream over FOLDER: propose changes to its copy; the folder itself stays as it is."""
    if not is_all:
        return _dream_one(open_store(folder), engine, explain=explain, is_json=is_json)
    if folder is not None or is_json:
        raise UsageError("--all names every store, so it takes neither a FOLDER nor --json")
    worst = 0
    for store in every_store():
        output.say(store)
        try:
            worst = max(worst, _dream_one(open_store(store), engine, explain=explain, is_json=False))
        except DreamReviewError as error:
            output.note(f"{store}: {error}")
            worst = max(worst, error.exit_code)
    return worst


def _dream_one(workspace: Workspace, engine: str, *, explain: bool, is_json: bool) -> int:
    result = workspace.dream(engine=engine, on_progress=_Teller())
    for warning in result.warnings:
        output.note(warning)
    if result.status == "failed":
        output.note(result.summary)
    if is_json:
        output.document(_shape(result))
    elif result.status != "failed":
        output.say(f"{result.status}: {result.summary}")
        if result.proposal:
            output.say(f"proposal {result.proposal}: {_counted(result)}")
    if explain and result.proposal and not is_json:
        output.say_all(report(workspace.open(result.proposal), result.found))
    return 1 if result.status == "failed" else 0


def _shape(result: DreamResult) -> dict[str, object]:
    return {
        "proposal": result.proposal,
        "status": result.status,
        "summary": output.safe(result.summary),
        "counts": dict(result.counts),
        "usage": dataclasses.asdict(result.usage),
        "seconds": round(result.seconds, 3),
    }


def _counted(result: DreamResult) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in result.counts.items() if count) or "no changes"


class _Teller:
    """Says each phase of a dream once, on a terminal."""

    def __init__(self) -> None:
        self._phase = ""

    def __call__(self, progress: Progress) -> None:
        if progress.phase != self._phase and output.is_watched():
            self._phase = progress.phase
            output.note(f"{progress.phase}: {progress.files} files read, {progress.changes} changes found")
