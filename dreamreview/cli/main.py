"""Which command was asked for, and the one place where errors become a line on stderr and an exit status."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click

from dreamreview import __version__
from dreamreview.cli import output
from dreamreview.errors import DreamReviewError

if TYPE_CHECKING:
    from click import Context

INTERRUPTED = 130
"""128 and the number of SIGINT, as shells count."""


COMMANDS = {
    "demo": "demo",
    "dream": "dream",
    "proposals": "proposals",
    "show": "show",
    "review": "review_plain",
    "decide": "decide",
    "apply": "apply",
    "undo": "undo",
    "history": "history",
    "discard": "discard",
    "status": "status",
    "doctor": "doctor",
}
"""Command to its module, in the order of the work; a module is loaded when its command is asked for."""

_APP = "app"


class _Commands(click.Group):
    """The commands; a first word that names none of them is the folder to open the app on."""

    def list_commands(self, ctx: Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: Context, cmd_name: str) -> click.Command | None:
        return load(cmd_name) if cmd_name in COMMANDS else super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        word = args[0]
        if word in COMMANDS or word in self.commands or word.startswith("-"):
            return super().resolve_command(ctx, args)
        return _APP, load(_APP), args


def load(name: str) -> click.Command:
    """Return a command, or the app, from its module."""
    module = import_module(f"dreamreview.cli.{COMMANDS.get(name, name)}")
    found: click.Command = getattr(module, name)
    return found


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dreamreview", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: Context) -> int:
    """Dream over the memory folder of an AI agent, review every change, apply it, undo it.

    With a folder instead of a command, or with nothing at all, the terminal app opens.
    """
    return int(ctx.invoke(load(_APP), folder=None)) if ctx.invoked_subcommand is None else 0


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
