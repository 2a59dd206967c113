"""Moving through the memory: rows, folds, the page, links and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.tui.browsing.shelf import place_of
from dreamreview.tui.screens.memory.state import NARROW, MemoryState

if TYPE_CHECKING:
    from dreamreview.tui.widgets.rowlist import RowList


class Moving(MemoryState):
    """Commands that move the cursor."""

    def go_to(self, key: str | None) -> None:
        """Put the cursor on a row and show its page from the start."""
        if key is not None and key != self.current:
            self.current = key
            self.notice = ""
            self.link = None
            self.list_view.show(self.list_view.rows, key, is_active=not self.is_on_page)
            self.show_page()
            self.show_title()
            self.refresh_bar()

    def _step(self, by: int) -> None:
        if self.is_on_page:
            self.page_view.roll(by)
        else:
            self.go_to(self.list_view.step(by))

    def action_next_row(self) -> None:
        """Go to the next row, or scroll the page."""
        self._step(1)

    def action_previous_row(self) -> None:
        """Go to the previous row, or scroll the page."""
        self._step(-1)

    def action_first_row(self) -> None:
        """Go to the first row, or the start of the page."""
        self._step(-max(len(self.list_view.rows), len(self.page.rows) * 100))

    def action_last_row(self) -> None:
        """Go to the last row, or the end of the page."""
        self._step(max(len(self.list_view.rows), len(self.page.rows) * 100))

    def action_page_down(self) -> None:
        """Scroll the page, or the list where it covers the page."""
        self._half_page(1)

    def action_page_up(self) -> None:
        """Scroll the page back."""
        self._half_page(-1)

    def _half_page(self, by: int) -> None:
        if self.page_view.size.height:
            self.page_view.roll(by * max(self.page_view.size.height // 2, 1))
        else:
            self.go_to(self.list_view.step(by * max(self.list_view.size.height // 2, 1)))

    def on_row_list_clicked(self, event: RowList.Clicked) -> None:
        """Go to the row that was clicked; fold or unfold the one at the cursor."""
        event.stop()
        self.is_on_page = False
        if event.key == self.current and self.states.get(event.key) is not None:
            self.fold(event.key, is_open=not self.states[event.key])
        self.go_to(event.key)

    def fold(self, path: str, *, is_open: bool) -> None:
        """Fold or unfold a file."""
        (self.unfolded if is_open else self.folded).add(path)
        (self.folded if is_open else self.unfolded).discard(path)
        self.redraw(keeps_place=True)

    def action_open_note(self) -> None:
        """Follow the chosen link; else unfold the file; else go to the page."""
        if self.link is not None:
            self.trail.append(self.current or "")
            self.follow(self.page.links[self.link][1])
        elif not self.is_on_page and self.states.get(self.current or "") is False:
            self.fold(self.current or "", is_open=True)
        else:
            self.is_on_page = True
            self.redraw(keeps_place=True)

    def action_close_note(self) -> None:
        """Go to the list; there, fold the file."""
        if self.is_on_page:
            self.is_on_page = False
            self.redraw(keeps_place=True)
        elif self.file is not None and self.states.get(self.file.path):
            self.current = self.file.path
            self.fold(self.file.path, is_open=False)

    def action_next_link(self) -> None:
        """Choose the next link."""
        self._choose(1)

    def action_previous_link(self) -> None:
        """Choose the previous link."""
        self._choose(-1)

    def _choose(self, by: int) -> None:
        links = len(self.page.links)
        if not links:
            self.say("no links here")
            return
        self.link = (0 if by > 0 else links - 1) if self.link is None else (self.link + by) % links
        if self.size.width < NARROW and not self.is_on_page:
            self.is_on_page = True
            self.set_class(True, "-page")
        self.mark()
        self.refresh_bar()

    def follow(self, key: str) -> None:
        """Go to a row wherever it is; a search that hides it ends."""
        self.link = None
        if key not in self.states:
            self.shelf = self.shelf.search("")
            self.unfolded.add(place_of(key)[0])
        self.current = key
        self.redraw()

    def action_way_back(self) -> None:
        """Go back to where the last link was followed."""
        if self.trail:
            self.follow(self.trail.pop())
