"""Moving through a screen that is one list."""

from __future__ import annotations

from typing import TypeVar

from dreamreview.tui.screens.place import Place
from dreamreview.tui.widgets.rowlist import RowList

Answer = TypeVar("Answer")


class RowMoves(Place[Answer]):
    """Moving in a screen with one list."""

    def rows_here(self) -> RowList:
        """Return the list."""
        return self.query_one(RowList)

    def show_cursor(self, key: str | None) -> None:
        """Put the cursor on a row."""
        rows = self.rows_here()
        rows.show(rows.rows, key)
        self.refresh_bar()

    def action_next_row(self) -> None:
        """Go to the next row."""
        self.show_cursor(self.rows_here().step(1))

    def action_previous_row(self) -> None:
        """Go to the previous row."""
        self.show_cursor(self.rows_here().step(-1))

    def action_first_row(self) -> None:
        """Go to the first row."""
        self.show_cursor(self.rows_here().step(-len(self.rows_here().rows)))

    def action_last_row(self) -> None:
        """Go to the last row."""
        self.show_cursor(self.rows_here().step(len(self.rows_here().rows)))

    def on_row_list_clicked(self, event: RowList.Clicked) -> None:
        """Go to the row that was clicked."""
        event.stop()
        self.show_cursor(event.key)
