"""How list and detail share the screen, and what the mouse does in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.tui.commands import review as commands
from dreamreview.tui.detail.rows import Unit, codes
from dreamreview.tui.screens.review.looking import Looking

if TYPE_CHECKING:
    from dreamreview.tui.widgets.detail import DetailView
    from dreamreview.tui.widgets.keybar import Hint
    from dreamreview.tui.widgets.rowlist import RowList
    from dreamreview.tui.widgets.splitter import Splitter

LEAST = 12
"""Cells that the list keeps."""
DETAIL_LEAST = 24
"""Cells that the detail keeps."""
STEP = 4
"""Cells by which a key widens the list."""


class Panes(Looking):
    """Commands and clicks about the panes."""

    def action_widen_list(self) -> None:
        """Give the list more room."""
        self._set_list(self.list_view.outer_size.width + STEP)

    def action_narrow_list(self) -> None:
        """Give the list less room."""
        self._set_list(self.list_view.outer_size.width - STEP)

    def _set_list(self, width: int) -> None:
        self.list_width = width
        self.share_out()

    def share_out(self) -> None:
        """Give the list the width that was chosen, as far as the screen allows; on a narrow one panes take turns."""
        if self.list_width is None:
            return
        if self.is_narrow:
            self.list_view.styles.clear_rule("width")
            return
        self.list_view.styles.width = max(min(self.list_width, self.size.width - DETAIL_LEAST - 1), LEAST)

    def on_resize(self) -> None:
        """Share the new width out."""
        self.share_out()

    def on_splitter_dragged(self, event: Splitter.Dragged) -> None:
        """Let the list end where the bar was dragged to."""
        event.stop()
        self._set_list(event.column)

    def on_row_list_clicked(self, event: RowList.Clicked) -> None:
        """Go to what was clicked."""
        event.stop()
        if self.lines is None:
            self.click(event.key)

    def on_detail_view_clicked(self, event: DetailView.Clicked) -> None:
        """Go to the edit that was clicked; while lines are chosen, choose the line or leave it out."""
        event.stop()
        row = self.detail.rows[event.row]
        units = [code.unit for code in codes(row) if code.unit is not None]
        if self.lines is not None:
            self._click_line(units)
            return
        self.pane = "detail"
        edits = {unit.edit for unit in units} or {getattr(row, "edit", "")}
        place = next(
            (at for at, piece in enumerate(self.pieces) if _is_in(units, edits, piece.edit.id, piece.units)), None
        )
        if place is not None and not self.is_on_conflict:
            self.piece = place
        self.redraw(keeps_place=True)

    def _click_line(self, units: list[Unit]) -> None:
        choice = self.lines
        if choice is None:
            return
        here = [unit for unit in units if unit in choice.order]
        if here:
            choice.at = choice.order.index(here[0])
            choice.chosen ^= {here[0]}
            self.show_cursor()

    def hints(self) -> list[Hint]:
        """Return the hints of the key bar; where panes take turns, the way to the other comes early."""
        hints = super().hints()
        if self.is_narrow and self.lines is None:
            way, word = (commands.ToList, "list") if self.pane == "detail" else (commands.ToDetail, "open")
            keys = self.keys_of().get(way.id())
            hints[2:2] = [(keys[0], word)] if keys else []
        return hints


def _is_in(units: list[Unit], edits: set[str], edit: str, piece: frozenset[Unit]) -> bool:
    """Tell whether what was clicked belongs to a piece of an edit."""
    return edit in edits and (not units or not piece or bool(piece & set(units)))
