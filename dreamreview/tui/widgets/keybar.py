"""The line of keys at the bottom: it drops what does not fit and never cuts a word; help comes last and stays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.message import Message
from textual.widget import Widget

from dreamreview.tui.inert import Part, own
from dreamreview.tui.widgets.painted import Painter

if TYPE_CHECKING:
    from textual import events
    from textual.strip import Strip

Hint = tuple[str, str]
"""A key as shown, and the word for what it does."""


def choose(hints: Sequence[Hint], width: int, last: Hint | None = None) -> list[Hint]:
    """Return the hints that fit in `width` cells, in order; `last` keeps its place before all others."""
    kept = [last] if last and _size(last) <= width else []
    left = width - sum(_size(hint) for hint in kept)
    for hint in hints:
        need = _size(hint) + (2 if kept else 0)
        if need <= left:
            kept.insert(len(kept) - (1 if last in kept else 0), hint)
            left -= need
    return kept


def _size(hint: Hint) -> int:
    return cell_len(hint[0]) + 1 + cell_len(hint[1])


class KeyBar(Widget):
    """Shows which keys do what right now; a click on one does it."""

    class Pressed(Message):
        """A hint was clicked."""

        def __init__(self, hint: Hint) -> None:
            super().__init__()
            self.hint = hint

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self.painter = Painter(self)
        self._hints: tuple[Hint, ...] = ()
        self._last: Hint | None = None

    def show(self, hints: Iterable[Hint], last: Hint | None = None) -> None:
        """Draw these hints from now on, the most useful first."""
        fresh = tuple(hints)
        if (fresh, last) != (self._hints, self._last):
            self._hints, self._last = fresh, last
            self.refresh()

    def shown(self, width: int) -> list[Hint]:
        """Return the hints that a bar of this width shows."""
        return choose(self._hints, width, self._last)

    def on_click(self, event: events.Click) -> None:
        """Tell which hint was clicked."""
        event.stop()
        start = 0
        for hint in self.shown(self.size.width):
            stop = start + _size(hint)
            if start <= event.x < stop:
                self.post_message(self.Pressed(hint))
            start = stop + 2

    def render_line(self, y: int) -> Strip:
        """Draw the bar; there is only one line."""
        width = self.size.width
        parts: list[Part] = []
        for place, (key, word) in enumerate(self.shown(width) if y == 0 else ()):
            parts += [own("  " if place else ""), own(key, "key"), own(f" {word}", "dim")]
        return self.painter.strip(parts, width)
