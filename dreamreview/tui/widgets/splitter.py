"""The bar between two panes, which the mouse drags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.widget import Widget

from dreamreview.tui.inert import own
from dreamreview.tui.widgets.painted import Painter

if TYPE_CHECKING:
    from textual import events
    from textual.strip import Strip


class Splitter(Widget):
    """One column; it says where it was dragged to and leaves the panes to the screen."""

    class Dragged(Message):
        """The bar was dragged to a column of the screen."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self.painter = Painter(self)
        self._is_held = False

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the bar."""
        event.stop()
        event.prevent_default()
        self._hold(True)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go of it."""
        event.stop()
        self._hold(False)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Say where it is dragged to."""
        if self._is_held:
            event.stop()
            self.post_message(self.Dragged(event.screen_x))

    def _hold(self, is_held: bool) -> None:
        self._is_held = is_held
        self.capture_mouse(is_held)
        self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002 - all lines are alike
        """Draw a line of the bar."""
        return self.painter.strip([own("┃" if self._is_held else "▕", "bar" if self._is_held else "frame")], 1)
