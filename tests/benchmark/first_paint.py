"""How long it takes from starting a program to its first painted content."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

BARE = """
from textual.app import App
from textual.widgets import Label
class Bare(App):
    def compose(self):
        yield Label("bare app is here")
Bare().run()
"""

DECIDED = rb"of\s.*decided"
"""What the review says first."""


def app_on(folder: Path, compiled: Path) -> Terminal:
    """Return the app, started on a folder."""
    return Terminal([sys.executable, "-m", "dreamreview", str(folder)], compiled)


def our_app(folder: Path, compiled: Path) -> float:
    """Return the seconds from spawning the app on a folder to its first change on screen."""
    return _painted(app_on(folder, compiled), DECIDED)


def bare_app(compiled: Path) -> float:
    """Return the same of the smallest Textual app."""
    return _painted(Terminal([sys.executable, "-c", BARE], compiled), rb"bare app is here")


def _painted(terminal: Terminal, pattern: bytes) -> float:
    try:
        return float(terminal.painted(pattern))
    finally:
        terminal.close()
