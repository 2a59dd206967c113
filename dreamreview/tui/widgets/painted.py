"""How parts of lines become strips: looks from the style sheet, text from the gate, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from dreamreview.tui.flow import fit, whole, wrap
from dreamreview.tui.inert import Part, Safe, own, shorten_path

if TYPE_CHECKING:
    from textual.color import Color
    from textual.geometry import Size

LOOKS = (
    "text",
    "dim",
    "title",
    "kind",
    "key",
    "path",
    "open",
    "accepted",
    "rejected",
    "edited",
    "skipped",
    "partial",
    "warn",
    "danger",
    "old",
    "new",
    "moved",
    "old-word",
    "new-word",
    "quote",
    "heading",
    "code",
    "found",
    "selected",
    "bar",
    "frame",
)
"""Names of looks; each is the component class ``look--NAME`` with its style in `app.tcss`."""

GAP, FOLDER_LEAST, FOLDER_MOST = 4, 12, 60
"""Cells between what a line tells and the folder at its end, and what the folder takes at least and at most."""
ON_TOP = frozenset({"found", "selected"})
"""Looks that no other is laid over."""
CLASSES = {f"look--{name}" for name in (*LOOKS, "cursor", "cursor-away")}
"""Component classes of the app: held there once, and not by every widget, they are worked out once."""


class Painter:
    """Turns parts into strips for a widget, in the looks that the style sheet gives the app."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._looks: dict[tuple[str, Color, str], Style] = {}

    def strip(self, parts: Sequence[Part], width: int, over: str | None = None) -> Strip:
        """Return one line of exactly `width` cells; `over` names a look laid over all of it."""
        ground = self._widget.background_colors[1]
        layer = self._layer(over, ground) if over else Style.null()
        segments = [
            Segment(part.text, self._look(part.look, ground) + (Style.null() if part.look in ON_TOP else layer))
            for part in parts
        ]
        return Strip(segments).adjust_cell_length(max(width, 0), self._look("text", ground) + layer)

    def _layer(self, name: str, ground: Color) -> Style:
        """Return the style of a look that is laid over a line: its background, mixed with the one below."""
        app = self._widget.app
        key = (f"over {name}", ground, app.theme)
        if key not in self._looks:
            styles = app.get_component_styles(f"look--{name}")
            self._looks[key] = styles.text_style + Style(bgcolor=(ground + styles.background).rich_color)
        return self._looks[key]

    def _look(self, name: str, ground: Color) -> Style:
        """Return the style of a look over a background."""
        app = self._widget.app
        key = (name, ground, app.theme)
        if key not in self._looks:
            styles = app.get_component_styles(f"look--{name}")
            background = ground + styles.background
            colour = background.get_contrast_text(styles.color.a) if styles.auto_color else styles.color
            colours = Style.from_color((background + colour).rich_color, background.rich_color)
            self._looks[key] = styles.text_style + colours
        return self._looks[key]


class PaintedScroll(ScrollView):
    """A scrolling widget that lays out only the lines on screen."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self.painter = Painter(self)


class Line(Widget):
    """One line of parts, cut to the width there is."""

    def __init__(
        self,
        folder: str = "",
        *,
        id: str | None = None,  # noqa: A002 - the name Textual gives it
        cuts: bool = True,
    ) -> None:
        super().__init__(id=id)
        self.painter = Painter(self)
        self._fit = fit if cuts else whole
        """Cuts the last part that is too wide, or leaves it out."""
        self._folder = folder
        """Told at the end of the line, where there is room."""
        self._parts: tuple[Part, ...] = ()

    def show(self, *parts: Part) -> None:
        """Draw these parts from now on."""
        if parts != self._parts:
            self._parts = parts
            self.refresh()

    @property
    def text(self) -> str:
        """What is drawn, as text."""
        return "".join(part.text for part in self._parts)

    def render_line(self, y: int) -> Strip:
        """Draw the line; there is only one."""
        width = self.size.width
        return self.painter.strip([*self._fit(self._parts, width), *self._end(width)] if y == 0 else (), width)

    def _end(self, width: int) -> tuple[Part, ...]:
        left = width - cell_len(self.text) - GAP
        if not self._folder or left < FOLDER_LEAST:
            return ()
        folder = shorten_path(self._folder, min(left, FOLDER_MOST))
        return own(" " * (left - cell_len(folder) + GAP)), Part(folder, "dim")


class Paragraph(Line):
    """Parts that take as many lines as they need, a few at the most; the last is cut to the width there is."""

    def __init__(self, most: int = 3, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self.most = most
        """Lines it takes at most; it always takes one."""

    def show(self, *parts: Part) -> None:
        """Draw these parts from now on."""
        if parts != self._parts:
            self._parts = parts
            self.refresh(layout=len(self._lines(self.size.width)) != self.size.height)

    def _lines(self, width: int) -> list[list[Part]]:
        lines = wrap(self._parts, width)
        if len(lines) <= self.most:
            return lines
        kept = lines[: self.most - 1]
        told = sum(len(part.text) for line in kept for part in line)
        return [*kept, fit(_from(self._parts, told), width)]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's
        """Return the lines it takes at a width."""
        return len(self._lines(width))

    def render_line(self, y: int) -> Strip:
        """Draw one of its lines."""
        lines = self._lines(self.size.width)
        return self.painter.strip(lines[y] if y < len(lines) else (), self.size.width)


def _from(parts: Sequence[Part], start: int) -> list[Part]:
    """Return parts without so many characters at their start."""
    rest: list[Part] = []
    for part in parts:
        if start < len(part.text):
            rest.append(Part(Safe(part.text[start:]), part.look))
        start = max(start - len(part.text), 0)
    return rest
