"""The keys at the bottom: they drop what does not fit and never cut a word; help comes last and stays."""

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
    from textual.geometry import Size
    from textual.strip import Strip

Hint = tuple[str, str]
"""A key as shown, and the word for what it does."""

NARROW = 72
"""Cells of width below which the keys may take a second line."""
LOW = 12
"""Lines of a screen from which there is one to spare for that."""


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


def arrange(hints: Sequence[Hint], width: int, lines: int, last: Hint | None = None) -> list[list[Hint]]:
    """Return the hints line by line, in order, as many as fit; the last line ends with `last`."""
    rows: list[list[Hint]] = []
    rest = list(hints)
    for _ in range(lines - 1):
        if sum(_size(hint) + 2 for hint in [*rest, *([last] if last else [])]) <= width + 2:
            break
        size = next((at for at in range(len(rest), 0, -1) if choose(rest[:at], width) == rest[:at]), 0)
        rows.append(rest[:size])
        rest = rest[size:]
    return [*rows, choose(rest, width, last)]


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
            is_higher = len(self.shown(self.size.width, self._lines())) != self.size.height
            self.refresh(layout=is_higher)

    def _lines(self) -> int:
        return 2 if self.app.size.height >= LOW and self.size.width < NARROW else 1

    def shown(self, width: int, lines: int = 1) -> list[list[Hint]]:
        """Return the hints that a bar of this size shows, line by line."""
        return arrange(self._hints, width, lines, self._last)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's
        """Return the lines it takes: a second one where the screen is narrow and high enough."""
        return len(self.shown(width, 2 if viewport.height >= LOW and width < NARROW else 1))

    def on_click(self, event: events.Click) -> None:
        """Tell which hint was clicked."""
        event.stop()
        rows = self.shown(self.size.width, self.size.height)
        start = 0
        for hint in rows[event.y] if event.y < len(rows) else ():
            stop = start + _size(hint)
            if start <= event.x < stop:
                self.post_message(self.Pressed(hint))
            start = stop + 2

    def render_line(self, y: int) -> Strip:
        """Draw a line of the bar."""
        width = self.size.width
        rows = self.shown(width, self.size.height)
        parts: list[Part] = []
        for place, (key, word) in enumerate(rows[y] if y < len(rows) else ()):
            parts += [own("  " if place else ""), own(key, "key"), own(f" {word}", "dim")]
        return self.painter.strip(parts, width)
