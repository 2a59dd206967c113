"""A page of text over the screen: help, provenance, the base of a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.screen import ModalScreen

from dreamreview.tui.commands.base import CommandType, bindings
from dreamreview.tui.commands.places import READER, SCROLLING, PageDown
from dreamreview.tui.inert import said
from dreamreview.tui.screens.place import Answer, Place
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.keybar import Hint, KeyBar
from dreamreview.tui.widgets.painted import Line

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from dreamreview.tui.detail.rows import Row


class Scrolls(Place[Answer]):
    """Scrolling commands for a screen with one `DetailView`."""

    SCROLLING: ClassVar[tuple[CommandType, ...]] = SCROLLING

    def page(self) -> DetailView:
        """Return what scrolls."""
        raise LookupError("a screen that scrolls names its page")

    def hints(self) -> list[Hint]:
        """Return the hints of the key bar; how to scroll only where there is more to see."""
        hints = super().hints()
        return hints if self.page().is_taller else [hint for hint in hints if hint[1] != PageDown.bar]

    def on_detail_view_resized(self, event: DetailView.Resized) -> None:
        """Say how to scroll once it is known whether there is more to see."""
        event.stop()
        self.refresh_bar()

    def action_next_row(self) -> None:
        """Scroll a line down."""
        self.page().roll(1)

    def action_previous_row(self) -> None:
        """Scroll a line up."""
        self.page().roll(-1)

    def action_first_row(self) -> None:
        """Scroll to the top."""
        self.page().scroll_home(animate=False)

    def action_last_row(self) -> None:
        """Scroll to the end."""
        self.page().scroll_end(animate=False)

    def action_page_down(self) -> None:
        """Scroll half a page down."""
        self.page().roll(max(self.page().size.height // 2, 1))

    def action_page_up(self) -> None:
        """Scroll half a page up."""
        self.page().roll(-max(self.page().size.height // 2, 1))


class ReaderScreen(Scrolls[None], ModalScreen[None]):
    """Shows rows until it is closed."""

    CSS_PATH = "reader.tcss"
    COMMANDS_HERE = READER
    BINDINGS: ClassVar[list[BindingType]] = bindings(READER)

    def __init__(self, title: str, rows: Sequence[Row], at: int = 0) -> None:
        super().__init__()
        self._title = title
        self._rows = rows
        self._at = at
        """Place of the row that is shown first, marked; the first is not."""

    def compose(self) -> ComposeResult:
        """Lay out title, text and keys."""
        with Vertical(id="page"):
            yield Line(id="page-title")
            yield DetailView(id="page-text")
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Fill in the text."""
        self.query_one("#page-title", Line).show(said(self._title, "title"))
        self.page().show(self._rows)
        self.refresh_bar()
        if self._at:
            self.call_after_refresh(self._go)

    def _go(self) -> None:
        self.page().mark({}, cursor=self._at)
        self.page().go_to_row(self._at, margin=3)

    def page(self) -> DetailView:
        """Return the text."""
        return self.query_one("#page-text", DetailView)

    def action_close_reader(self) -> None:
        """Close the page."""
        self.dismiss(None)
