"""What the screens are handed of the world: the memory folder, a clock, an editor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreamreview.tui.ports import WorkspaceLike

GUARD_SECONDS = 0.3
"""Seconds for which a dialog that can write ignores keys: a key meant for the screen below must not reach it."""

FIRST_PAINT = 0.1
"""Seconds that are left to the first screen to be painted in, before anything else is begun."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The world as the screens see it."""

    workspace: WorkspaceLike
    clock: Callable[[], float]
    """Seconds, never going back."""
    editor: str = ""
    """Command line of the user's editor; empty when none is named."""
