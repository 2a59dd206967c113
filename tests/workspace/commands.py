"""Stores that are dreamed by a program: the program in a few lines of Python, and where its private copies lie."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

from dreamreview.model.budget import Budget
from dreamreview.settings import Settings, private_folder
from dreamreview.workspace import Workspace
from tests.workspace.stores import NOW

HEAD = "import os, pathlib, shutil, sys, time\nhere = pathlib.Path('.')\n"
"""What every such program begins with."""


def dreamed_by(folder: Path, code: str, *, seconds: float = 60.0, budgets: Budget | None = None) -> Workspace:
    """Open a store whose configured engine is a program, given as Python that runs in the copy."""
    settings = Settings(
        engine="command",
        command=(sys.executable, "-c", HEAD + dedent(code)),
        timeout=seconds,
        budgets=budgets or Budget(),
    )
    return Workspace(folder, settings, lambda: NOW)


def private_copies() -> list[str]:
    """Return what lies where private copies do; nothing is the rule."""
    place = Path(private_folder())
    return sorted(path.name for path in place.iterdir()) if place.is_dir() else []
