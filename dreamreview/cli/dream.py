"""`dreamreview dream`: think about a memory folder and leave a proposal beside it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.arguments import as_json, folder_argument
from dreamreview.cli.opening import for_every_store, open_store
from dreamreview.cli.report import report
from dreamreview.errors import UsageError

if TYPE_CHECKING:
    from dreamreview.dream.engine import Progress
    from dreamreview.workspace import DreamResult, Workspace


@click.command(short_help="Suggest changes to a memory folder.")
@folder_argument
@click.option("--all", "is_all", is_flag=True, help="Dream every store that is configured, or else found.")
@click.option("--engine", metavar="NAME", help="Engine to think with: the configured one, or else local.")
@click.option("--explain", is_flag=True, help="Print every change with its evidence and how it was found as well.")
@as_json
def dream(folder: str | None, is_all: bool, engine: str | None, explain: bool, is_json: bool) -> int:
    """Dream over FOLDER: propose changes to its copy; the folder itself stays as it is."""
    if is_all and folder is not None:
        raise UsageError("--all names every store, so it takes no FOLDER")
    shapes: list[dict[str, object]] = []

    def dream_one(workspace: Workspace) -> int:
        if is_all and not is_json:
            output.say(workspace.folder)
        result = _dreamt(workspace, engine)
        if is_json:
            where = {"folder": output.printable(workspace.folder)} if is_all else {}
            shapes.append(where | _shape(result))
        else:
            _tell(workspace, result, explain=explain)
        return 1 if result.status == "failed" else 0

    code = for_every_store(dream_one) if is_all else dream_one(open_store(folder))
    if is_json:
        output.document(shapes if is_all else shapes[0])
    return code


def _dreamt(workspace: Workspace, engine: str | None) -> DreamResult:
    result = workspace.dream(engine=engine, on_progress=_Teller())
    for warning in result.warnings:
        output.note(warning)
    if result.status == "failed":
        output.note(result.summary)
    return result


def _tell(workspace: Workspace, result: DreamResult, *, explain: bool) -> None:
    if result.status != "failed":
        output.say(f"{result.status}: {result.summary}")
        if result.proposal:
            output.say(f"proposal {result.proposal}: {_counted(result)}")
    if explain and result.proposal:
        output.say_all(report(workspace.open(result.proposal), result.found))


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
