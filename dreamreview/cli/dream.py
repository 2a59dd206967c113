"""`dreamreview dream`: think about a memory folder and leave a proposal beside it."""

from __future__ import annotations

import dataclasses
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click

from dreamreview.cli import INTERRUPTED, output
from dreamreview.cli.apart import apart
from dreamreview.cli.arguments import as_json, folder_argument
from dreamreview.cli.hints import command
from dreamreview.cli.opening import for_every_store, open_store
from dreamreview.cli.report import report
from dreamreview.errors import DreamReviewError, UsageError
from dreamreview.model.budget import in_dollars

if TYPE_CHECKING:
    from types import FrameType

    from dreamreview.dream.engine import Progress
    from dreamreview.workspace import DreamResult, Workspace

WORDS = 12
"""Lines of the dreamer's own words that are printed where it proposes nothing."""


@click.command(short_help="Suggest changes to a memory folder.")
@folder_argument
@click.option("--all", "is_all", is_flag=True, help="Dream every store that is configured, or else found.")
@click.option("--engine", metavar="NAME", help="Engine to think with: the configured one, or else local.")
@click.option(
    "--explain",
    is_flag=True,
    help="Print how every change was found as well, and what was left apart.",
)
@as_json
def dream(folder: str | None, is_all: bool, engine: str | None, explain: bool, is_json: bool) -> int:
    """Dream over FOLDER: propose changes to its copy; the folder itself stays as it is.

    Engines are local, which asks no model and uses no network, claude, hosted, and command, the program that your
    configuration names. What an engine sends to whom is said before it begins.
    """
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
            _tell(result)
            if explain and result.status != "failed":
                _explain(workspace, result, engine)
            _tell_next(workspace, result)
        return 1 if result.status == "failed" else 0

    code = for_every_store(dream_one) if is_all else dream_one(open_store(folder))
    if is_json:
        output.document(shapes if is_all else shapes[0])
    return code


class StoppedError(DreamReviewError):
    """The person, the terminal or the system ended a dream."""

    exit_code = INTERRUPTED


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let whoever ends the program stop a dream as ctrl+c does, so that it cleans up after itself.

    A dream at a service is canceled there by ctrl+c alone: one whose terminal went away is taken up again.

    Raises:
        StoppedError: it was stopped.
    """

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(INTERRUPTED)

    with ExitStack() as ending:
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                ending.callback(signal.signal, number, signal.signal(number, stop))
        try:
            yield
        except (KeyboardInterrupt, SystemExit):
            raise StoppedError("the dream was stopped; the memory is as it was") from None


def _dreamt(workspace: Workspace, engine: str | None) -> DreamResult:
    try:
        with _stoppable():
            result = workspace.dream(engine=engine, on_progress=_Teller())
    finally:
        output.progress_over()
    for warning in result.warnings:
        output.note(warning)
    if result.status == "failed":
        output.note(result.summary)
    return result


def _tell(result: DreamResult) -> None:
    if result.proposal:
        output.say(f"proposal {result.proposal}: {result.summary}")
    elif result.status != "failed":
        output.say(f"{result.status}: {result.summary}")
        # Where there is no proposal, nothing else tells why.
        output.say_all(f"  {line}" for line in result.narrative.splitlines()[:WORDS] if line.strip())
    if used := _used(result):
        output.say(f"used {used}")


def _tell_next(workspace: Workspace, result: DreamResult) -> None:
    """Say how to review what was suggested, now or by an earlier dream."""
    review = command(workspace.folder)
    if result.proposal:
        output.say(f"review {'it' if sum(result.counts.values()) == 1 else 'them'} with: {review}")
    elif result.status != "failed" and (waiting := len(workspace.ready())):
        waits = "1 proposal waits" if waiting == 1 else f"{waiting} proposals wait"
        output.say(f"{waits} from before; review with: {review}")


def _explain(workspace: Workspace, result: DreamResult, engine: str | None) -> None:
    review = workspace.open(result.proposal) if result.proposal else None
    if review:
        output.say_all(report(review, result.found))
    output.say_all(apart(workspace.refused(engine, review.proposal.changes if review else ())))


def _shape(result: DreamResult) -> dict[str, object]:
    return {
        "proposal": result.proposal,
        "status": result.status,
        "summary": output.safe(result.summary),
        "counts": dict(result.counts),
        "usage": dataclasses.asdict(result.usage),
        "seconds": round(result.seconds, 3),
    }


class _Teller:
    """Says how far a dream is on a terminal, and wherever it is heard what it will send and cost."""

    def __init__(self) -> None:
        self._phase = ""
        self._note = ""

    def __call__(self, progress: Progress) -> None:
        if progress.note and progress.note != self._note:
            self._note = progress.note
            output.progress_over()
            output.note(progress.note)
        if output.can_redraw():
            output.progress(f"dreaming: {_so_far(progress)}")
        elif progress.phase != self._phase and output.is_watched():
            output.note(_so_far(progress))
        self._phase = progress.phase


def _so_far(progress: Progress) -> str:
    parts = [progress.phase, f"{progress.files} files read", f"{progress.changes} changes found"]
    parts += [f"{progress.tokens:,} tokens"] if progress.tokens else []
    parts += [in_dollars(progress.cost_usd)] if progress.cost_usd else []
    return " · ".join(parts)


def _used(result: DreamResult) -> str:
    """Return what a dream used up; nothing where no model was asked."""
    usage = result.usage
    if not (usage.input_tokens or usage.output_tokens or usage.cost_usd):
        return ""
    parts = [f"{usage.input_tokens:,} tokens in", f"{usage.output_tokens:,} out"]
    parts += [f"{usage.cache_read_tokens:,} from the cache"] if usage.cache_read_tokens else []
    parts += [in_dollars(usage.cost_usd)] if usage.cost_usd is not None else []
    parts += [f"{usage.turns} turn{'s' if usage.turns != 1 else ''}"] if usage.turns else []
    return ", ".join([*parts, f"{result.seconds:,.1f} s"])
