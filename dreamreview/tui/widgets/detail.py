"""The right pane: one continuous run of rows, laid out and drawn only where it is on screen."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, repeat
from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.message import Message

from dreamreview.tui.detail.layout import Frame, Marks, height, lay, quick_height
from dreamreview.tui.detail.rows import Row, Unit, Words, codes
from dreamreview.tui.inert import Part, Safe
from dreamreview.tui.widgets.painted import PaintedScroll

if TYPE_CHECKING:
    from textual import events
    from textual.selection import Selection
    from textual.strip import Strip

WRAP_LIMIT = 20_000
"""Rows up to which long lines are wrapped; above, heights are not measured and lines run on to the right."""
NUMBERS_FROM = 46
"""Cells of width from which line numbers are drawn (a pane of a screen of 60)."""
KEPT = 512
"""Rows whose layout is kept."""
COPY_LIMIT = 10_000
"""Lines that are copied at once."""
LONG_LINE = 2_000
"""Cells beyond which an unwrapped line can not be scrolled to."""


class DetailView(PaintedScroll):
    """Rows of one card."""

    class Resized(Message):
        """The width changed."""

    class Clicked(Message):
        """A row was clicked."""

        def __init__(self, row: int) -> None:
            super().__init__()
            self.row = row

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._rows: tuple[Row, ...] = ()
        self._tops: list[int] = [0]
        self._marks: Marks = {}
        self._laid: OrderedDict[int, list[list[Part]]] = OrderedDict()
        self._cursor: int | None = None
        self._edit = ""
        self._piece = 0
        self._found = ""
        self._wants_wrap = True
        self._digits = 0

    def show(self, rows: Sequence[Row], *, is_wrapped: bool = True) -> None:
        """Draw these rows from now on, without marks and with the cursor on none of them."""
        self._rows = tuple(rows)
        self._marks = {}
        self._edit, self._piece, self._cursor = "", 0, None
        self._wants_wrap = is_wrapped
        numbers = (code.number or 0 for row in self._rows for code in codes(row))
        self._digits = len(str(max(numbers, default=0)))
        self._measure()

    def mark(self, marks: Marks, *, edit: str = "", piece: int = 0, cursor: int | None = None, found: str = "") -> None:
        """Take other marks, another edit, piece or row at the cursor or another search, with the rows as they are."""
        fresh = (marks, edit, piece, found.casefold())
        if fresh != (self._marks, self._edit, self._piece, self._found):
            self._marks, self._edit, self._piece, self._found = fresh
            self._laid.clear()
        self._cursor = cursor
        self.refresh()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows there are."""
        return self._rows

    @property
    def room(self) -> int:
        """Cells that a line may take."""
        return self.scrollable_content_region.width

    @property
    def frame(self) -> Frame:
        """What rows are laid out for."""
        digits = self._digits if self.room >= NUMBERS_FROM else 0
        return Frame(max(self.room, 1), digits, self.is_wrapped, self._edit, self._piece, self._found)

    @property
    def is_wrapped(self) -> bool:
        """Whether long lines are wrapped."""
        return self._wants_wrap and len(self._rows) <= WRAP_LIMIT

    @property
    def is_taller(self) -> bool:
        """Whether there is more to see than fits."""
        return self._tops[-1] > self.size.height

    @property
    def is_at_end(self) -> bool:
        """Whether the last line is on screen."""
        return self.scroll_offset.y >= self._tops[-1] - self.size.height

    @property
    def is_at_start(self) -> bool:
        """Whether the first line is on screen."""
        return self.scroll_offset.y <= 0

    def roll(self, lines: int) -> None:
        """Scroll by some lines."""
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False, immediate=True)

    def go_to_row(self, row: int, *, margin: int = 1) -> None:
        """Scroll so that a row stands near the top, unless all of it is on screen."""
        if row >= len(self._tops):
            return
        top, bottom = self._tops[row], self._tops[min(row + 1, len(self._tops) - 1)]
        if not self.scroll_offset.y <= top <= bottom <= self.scroll_offset.y + self.size.height:
            self.scroll_to(y=max(top - margin, 0), animate=False, immediate=True)

    def row_of_edit(self, edit: str) -> int | None:
        """Return the place of the heading of an edit."""
        return next((at for at, row in enumerate(self._rows) if isinstance(row, Words) and row.edit == edit), None)

    def row_of_unit(self, unit: Unit) -> int | None:
        """Return the place of the row that holds a line that can be decided."""
        return next((at for at, row in enumerate(self._rows) if any(code.unit == unit for code in codes(row))), None)

    def on_click(self, event: events.Click) -> None:
        """Tell which row was clicked, unless text was selected there."""
        row = self.row_at_line(event.y)
        if row is not None and self.text_selection is None:
            self.post_message(self.Clicked(row))

    def row_at_line(self, y: int) -> int | None:
        """Return the place of the row drawn at a line of the widget."""
        line = y + self.scroll_offset.y
        return bisect_right(self._tops, line) - 1 if 0 <= line < self._tops[-1] else None

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's
        """Return the lines needed at a width, for a view that is as tall as its text."""
        return sum(height(row, replace(self.frame, width=max(width, 1))) for row in self._rows)

    def _measure(self) -> None:
        self._laid.clear()
        if not self.room:
            self._tops = [0]
            return
        frame = self.frame
        self._tops = [0, *accumulate(map(self._height, range(len(self._rows)), repeat(frame)))]
        self.virtual_size = Size(self._widest(frame), self._tops[-1])
        self.refresh()

    def _height(self, place: int, frame: Frame) -> int:
        lines = quick_height(self._rows[place], frame)
        return lines if lines is not None else max(len(self._lines_of(place)), 1)

    def _widest(self, frame: Frame) -> int:
        if self.is_wrapped:
            return frame.width
        longest = max((len(code.raw) + len(code.note) for row in self._rows for code in codes(row)), default=0)
        return max(frame.width, min(longest, LONG_LINE) + frame.gutter)

    def on_resize(self) -> None:
        """Lay out again for the new width, staying at the row that was on top."""
        top = bisect_right(self._tops, self.scroll_offset.y) - 1
        self._measure()
        if 0 < top < len(self._rows):
            self.scroll_to(y=self._tops[top], animate=False, immediate=True)
        self.post_message(self.Resized())

    def render_line(self, y: int) -> Strip:
        """Draw the line of the row that stands here."""
        width = self.room
        line = y + self.scroll_offset.y
        if not 0 <= line < self._tops[-1]:
            return self.painter.strip((), width)
        place = bisect_right(self._tops, line) - 1
        parts = self._parts_at(line)
        over = "cursor" if place == self._cursor else None
        left = self.scroll_offset.x
        strip = self.painter.strip(self._selected(parts, line), left + width, over)
        return strip.crop(left, left + width).apply_offsets(left, line)

    def _selected(self, parts: Sequence[Part], line: int) -> Sequence[Part]:
        """Lay the look of the selection over what the mouse selected on a line."""
        span = self.text_selection.get_span(line) if self.text_selection else None
        if span is None:
            return parts
        text = "".join(part.text for part in parts)
        start, stop = span[0], len(text) if span[1] == -1 else span[1]
        pieces = ((0, start, "text"), (start, stop, "selected"), (stop, len(text), "text"))
        return [Part(Safe(text[first:last]), look) for first, last, look in pieces if first < last]

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return what was selected with the mouse, as it is drawn."""
        first = selection.start.y if selection.start else 0
        last = min(selection.end.y if selection.end else self._tops[-1] - 1, self._tops[-1] - 1, first + COPY_LIMIT)
        lines: list[str] = []
        for line in range(first, last + 1):
            start, stop = selection.get_span(line) or (0, 0)
            text = "".join(part.text for part in self._parts_at(line))
            lines.append(text[start : None if stop == -1 else stop].rstrip())
        return "\n".join(lines), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw again when the selection grows or goes."""
        super().selection_updated(selection)
        self.refresh()

    def _parts_at(self, line: int) -> Sequence[Part]:
        place = bisect_right(self._tops, line) - 1
        if not 0 <= line < self._tops[-1]:
            return []
        lines, within = self._lines_of(place), line - self._tops[place]
        return lines[within] if within < len(lines) else []

    def _lines_of(self, place: int) -> list[list[Part]]:
        lines = self._laid.get(place)
        if lines is None:
            lines = self._laid[place] = lay(self._rows[place], self.frame, self._marks)
            if len(self._laid) > KEPT:
                self._laid.popitem(last=False)
        return lines
