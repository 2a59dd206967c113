"""Drawing without any colour: what colours tell is told by bold, underline and reversed video instead."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.filter import LineFilter

if TYPE_CHECKING:
    from rich.style import Style
    from textual.color import Color


@lru_cache(maxsize=1024)
def colourless(style: Style) -> Style:
    """Return a style without its colours."""
    return style.without_color


class Colourless(LineFilter):
    """Takes the colours out of a line."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual's
        """Return the segments in the colours of the terminal."""
        return [Segment(text, style and colourless(style), control) for text, style, control in segments]
