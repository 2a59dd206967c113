"""The commands as the command line knows them; each is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING

import click

from dreamreview import __version__
from dreamreview.cli import COMMANDS, INTERRUPTED, output
from dreamreview.cli.arguments import browser_options
from dreamreview.errors import UsageError

if TYPE_CHECKING:
    from click import Context

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
    found: click.Command = getattr(module, f"{name}_" if iskeyword(name) else name)
    return found


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dreamreview", message="%(prog)s %(version)s")
@browser_options
@click.pass_context
def cli(ctx: Context, is_served: bool, port: int | None) -> int:
    """Dream over the memory folder of an AI agent, review every change, apply it, undo it.

    With a folder instead of a command, or with nothing at all, the terminal app opens.
    """
    if ctx.invoked_subcommand is None:
        return int(ctx.invoke(load(_APP), folder=None, is_served=is_served, port=port))
    if (is_served or port is not None) and ctx.invoked_subcommand != _APP:
        raise UsageError(f"--serve and --port are for the app, not for {ctx.invoked_subcommand}")
    # Whoever puts them before the folder means the same.
    ctx.default_map = {_APP: {"is_served": is_served, "port": port}}
    return 0


def answer(arguments: Sequence[str]) -> int:
    """Run the command that a command line names and return its exit status; a wrong command line is said so."""
    return run_command(cli, "dreamreview", arguments)


def run_command(command: click.Command, name: str, arguments: Sequence[str]) -> int:
    """Run one command under a name; likewise."""
    try:
        with command.make_context(name, list(arguments)) as context:
            code = command.invoke(context)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        where: Context | None = getattr(error, "ctx", None)
        if where is not None and where.info_name == _APP:
            where = where.parent  # nobody calls the app by a name
        hint = f" (see {where.command_path} --help)" if where else ""
        output.note(" ".join(f"{error.format_message()}{hint}".split()))
        return error.exit_code
    return code if isinstance(code, int) else 0
