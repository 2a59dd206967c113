"""Which command was asked for, and the one place where errors become a line on stderr and an exit status."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dreamreview import __version__
from dreamreview.cli import output
from dreamreview.cli.app import app
from dreamreview.cli.apply import apply
from dreamreview.cli.decide import decide
from dreamreview.cli.demo import demo
from dreamreview.cli.discard import discard
from dreamreview.cli.doctor import doctor
from dreamreview.cli.dream import dream
from dreamreview.cli.history import history
from dreamreview.cli.proposals import proposals
from dreamreview.cli.review_plain import review
from dreamreview.cli.show import show
from dreamreview.cli.status import status
from dreamreview.cli.undo import undo
from dreamreview.errors import DreamReviewError

if TYPE_CHECKING:
    from click import Context

INTERRUPTED = 130
"""128 and the number of SIGINT, as shells count."""


class _Commands(click.Group):
    """The commands; a first word that names none of them is the folder to open the app on."""

    def list_commands(self, ctx: Context) -> list[str]:
        del ctx
        return list(self.commands)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word in self.commands or word.startswith("-"):
            return super().resolve_command(ctx, args)
        return app.name, app, args


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dreamreview", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: Context) -> int:
    """Dream over the memory folder of an AI agent, review every change, apply it, undo it.

    With a folder instead of a command, or with nothing at all, the terminal app opens.
    """
    return int(ctx.invoke(app, folder=None)) if ctx.invoked_subcommand is None else 0


for _command in (
    demo,
    dream,
    proposals,
    show,
    review,
    decide,
    apply,
    undo,
    history,
    discard,
    status,
    doctor,
):
    cli.add_command(_command)


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit status; no exception leaves it."""
    try:
        status_code = _run(list(arguments))
        output.finish()
    except BrokenPipeError:
        output.hush()
        return 0
    return status_code


def _run(arguments: list[str]) -> int:
    try:
        with cli.make_context("dreamreview", arguments) as context:
            answer = cli.invoke(context)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the last resort: whatever it is, a person gets one line
        return _complain(error)
    return answer if isinstance(answer, int) else 0


def _complain(error: Exception) -> int:
    """Say in one line what went wrong and return the exit status it calls for."""
    if isinstance(error, click.ClickException):
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context else ""
        message, status_code = error.format_message() + hint, error.exit_code
    elif isinstance(error, DreamReviewError):
        message, status_code = str(error), error.exit_code
    else:
        message, status_code = f"unexpected {type(error).__name__}: {error}", 1
    output.note(" ".join(message.split()))
    if os.environ.get("DREAMREVIEW_DEBUG"):
        output.trace("".join(traceback.format_exception(error)))
    return status_code
