"""A list of one-line rows of which only those on screen are drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.geometry import Region, Size
from textual.message import Message

from dreamreview.tui.flow import fit
from dreamreview.tui.inert import Part
from dreamreview.tui.widgets.painted import PaintedScroll

if TYPE_CHECKING:
    from textual import events
    from textual.strip import Strip


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list; what it says is asked for when it is drawn."""

    key: str
    is_heading: bool = False
    """Drawn as a heading and passed over by the cursor."""


Draw = Callable[[Row, int], Sequence[Part]]
"""Gives the parts of a row, for a width in cells."""


class RowList(PaintedScroll):
    """Rows with a cursor; the screen says which rows there are and what is at the cursor."""

    class Clicked(Message):
        """A row was clicked."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, draw: Draw, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._draw = draw
        self._rows: tuple[Row, ...] = ()
        self._places: dict[str, int] = {}
        self._cursor: str | None = None
        self._is_active = True

    def show(self, rows: Sequence[Row], cursor: str | None, *, is_active: bool = True) -> None:
        """Draw these rows from now on, with the cursor on the row of a key."""
        self._rows = tuple(rows)
        self._places = {row.key: place for place, row in enumerate(self._rows)}
        self._cursor = cursor
        self._is_active = is_active
        self._measure()
        self.reveal()
        self.refresh()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows there are."""
        return self._rows

    @property
    def cursor(self) -> str | None:
        """Key of the row at the cursor."""
        return self._cursor

    def step(self, by: int) -> str | None:
        """Return the key that lies `by` rows from the cursor, headings not counted and ends kept to."""
        keys = [row.key for row in self._rows if not row.is_heading]
        if not keys:
            return None
        if self._cursor not in keys:
            return keys[0]
        return keys[min(max(keys.index(self._cursor) + by, 0), len(keys) - 1)]

    def reveal(self) -> None:
        """Scroll so far that the cursor is on screen, with the heading above it."""
        place = self._places.get(self._cursor or "")
        if place is None or not self.size.height:
            return
        above = 1 if place and self._rows[place - 1].is_heading else 0
        region = Region(0, place - above, 1, min(1 + above, self.size.height))
        self.scroll_to_region(region, animate=False, x_axis=False, force=True)

    def _measure(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, len(self._rows))

    def on_resize(self) -> None:
        """Take the new width and keep the cursor on screen."""
        self._measure()
        self.reveal()

    def on_click(self, event: events.Click) -> None:
        """Tell which row was clicked."""
        place = event.y + self.scroll_offset.y
        if 0 <= place < len(self._rows):
            self.post_message(self.Clicked(self._rows[place].key))

    def render_line(self, y: int) -> Strip:
        """Draw the row that stands on this line."""
        width = self.scrollable_content_region.width
        place = y + self.scroll_offset.y
        if not 0 <= place < len(self._rows):
            return self.painter.strip((), width)
        row = self._rows[place]
        over = None
        if row.key == self._cursor:
            over = "cursor" if self._is_active else "cursor-away"
        return self.painter.strip(fit(self._draw(row, width), width), width, over)
