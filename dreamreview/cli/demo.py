"""`dreamreview demo`: a sample store, dreamt and opened, so that a newcomer sees the whole of it in one command."""

from __future__ import annotations

import os
import tempfile
from importlib import resources
from importlib.resources.abc import Traversable

import click

from dreamreview.cli import output
from dreamreview.cli.launch import has_screen, open_app
from dreamreview.cli.opening import open_store
from dreamreview.cli.report import overview, report
from dreamreview.errors import UsageError


@click.command(short_help="Try it all on a sample.")
@click.option("--keep", metavar="DIR", help="Make the sample store in DIR, which must be new or empty, and keep it.")
def demo(keep: str | None) -> int:
    """Make a sample store, dream over it with the local engine, and open the app on it.

    Without a terminal, the proposal is printed instead. Nothing outside the sample is touched.
    """
    if keep is not None:
        folder = os.path.abspath(keep)
        _make(folder)
        _tour(folder)
        output.say(f"the sample store stays in {folder}")
        return 0
    with tempfile.TemporaryDirectory(prefix="dreamreview-demo-", ignore_cleanup_errors=True) as scratch:
        folder = os.path.join(scratch, "memory")
        _make(folder)
        _tour(folder)
    return 0


def _make(folder: str) -> None:
    """Write the sample store.

    Raises:
        UsageError: something is there already, or the folder cannot be made.
    """
    try:
        os.makedirs(folder, exist_ok=True)
        if os.listdir(folder):
            raise UsageError(f"{folder} is not empty: name a new folder to keep the sample in")
        _copy(resources.files("dreamreview.cli") / "demo_store", folder)
    except OSError as error:
        raise UsageError(f"cannot write the sample to {folder}: {error.strerror}") from error


def _copy(source: Traversable, folder: str) -> None:
    for item in source.iterdir():
        target = os.path.join(folder, item.name)
        if item.is_dir():
            os.mkdir(target)
            _copy(item, target)
        else:
            with open(target, "wb") as file:
                file.write(item.read_bytes())


def _tour(folder: str) -> None:
    workspace = open_store(folder)
    result = workspace.dream()
    if has_screen():
        open_app(workspace)
        return
    output.say(f"dreamt over a sample store: {result.summary}")
    if result.proposal is None:
        return
    review = workspace.open(result.proposal)
    output.say_all(report(review))
    output.say()
    output.say_all(overview(review))
    output.say("this is what the app shows on a terminal; nothing is written before you say so")
