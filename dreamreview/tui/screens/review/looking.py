"""Looking at a review in other ways: search, filter, order, columns, context, provenance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamreview.model.proposal import Act
from dreamreview.tui.commands import review as commands
from dreamreview.tui.detail.rows import BLANK, Code, Pair, Row, Sign, Words
from dreamreview.tui.inert import own, safe, said
from dreamreview.tui.outline import Filter, Grouping, parse_filter, remarks_on, words_of
from dreamreview.tui.screens.review.moving import Moving
from dreamreview.tui.screens.review.state import CONTEXTS, Columns

if TYPE_CHECKING:
    from dreamreview.workspace.values import Card

NEXT_COLUMNS: dict[Columns, Columns] = {"auto": "unified", "unified": "split", "split": "auto"}
COLUMN_WORDS: dict[Columns, str] = {
    "auto": "columns: as the width allows",
    "unified": "columns: one above the other",
    "split": "columns: side by side where there is room",
}


class Looking(Moving):
    """Commands that change what is shown."""

    def action_search(self) -> None:
        """Ask for words and go to the first change that holds them."""
        from dreamreview.tui.screens.ask import AskScreen

        self.app.push_screen(AskScreen(safe("Search"), self.found), self._search)

    def _search(self, text: str | None) -> None:
        if text is None:
            return
        self.found = text.strip().casefold()
        self.hit = None
        if self.found:
            self._to_found(1, stays=True)
        self.show_cursor()

    def action_next_found(self) -> None:
        """Go to the next hit."""
        self._to_found(1)

    def action_previous_found(self) -> None:
        """Go to the previous hit."""
        self._to_found(-1)

    def _to_found(self, by: int, *, stays: bool = False) -> None:
        """Go to the next hit of the card on screen, else to the first (or last) of the next card that holds one."""
        if not self.found:
            self.say(f"{self.key(commands.Search)} searches")
            return
        ids = self.outline.ids
        holding = [change for change in ids if self._holds(self.by_id[change])]
        if not holding:
            self.say(f"nothing holds {self.found}")
            return
        later = [row for row in self._hits_here() if self.hit is None or (row - self.hit) * by > 0]
        if not (later and (stays or self.hit is not None)):
            start = ids.index(self.current) if self.current in ids else -1
            ahead = [ids[(start + by * step) % len(ids)] for step in range(0 if stays else 1, len(ids) + 1)]
            self.go_to(next(change for change in ahead if change in holding))
            later = self._hits_here()
        place = holding.index(self.current) + 1 if self.current in holding else 0
        self._show_hit(later[0 if by > 0 else -1] if later else None, f"change {place} of {len(holding)}")

    def _holds(self, card: Card) -> bool:
        """Tell whether a card shows what is searched for, the lines around its edits included."""
        if self.found in words_of(card.change) or self.found in remarks_on(card):
            return True
        around = CONTEXTS[self.context]
        for edit in card.change.all_edits:
            if edit.act is Act.LINES:
                base = self.sources.base(edit.path)
                near = base if around is None else base[max(edit.start - around, 0) : edit.stop + around]
                if self.found in b"".join(near).decode("utf-8", "replace").casefold():
                    return True
        return False

    def _hits_here(self) -> list[int]:
        return [place for place, row in enumerate(self.detail.rows) if self.found in _row_text(row)]

    def _show_hit(self, row: int | None, place: str) -> None:
        """Stand on a hit, and say which it is."""
        self.hit = row
        here = self._hits_here()
        which = f"hit {here.index(row) + 1} of {len(here)} here, " if row is not None else ""
        self.say(f"{which}{place} with {self.found}")
        self.show_cursor()
        if row is not None:
            self.detail.go_to_row(row, margin=2)

    def action_filter_changes(self) -> None:
        """Ask for a filter."""
        from dreamreview.tui.screens.ask import AskScreen

        question = safe("Show only (words, kind:merge, state:rejected, path:notes/*; empty: all)")
        self.app.push_screen(AskScreen(question, " ".join(self.filter.words)), self._take_filter)

    def _take_filter(self, text: str | None) -> None:
        if text is not None:
            self.set_filter(parse_filter(text))

    def set_filter(self, chosen: Filter) -> None:
        """Show only what a filter lets through; the cursor moves to something that is shown."""
        self.filter = chosen
        self.notice = ""
        card = self.card
        if card is not None and not self.shows(card):
            self.current = None
        self.regroup()
        self.redraw()

    def action_hide_decided(self) -> None:
        """Hide or show what is decided."""
        self.hides_decided = not self.hides_decided
        self.set_filter(self.filter)

    def action_order(self) -> None:
        """Group by kind or by file."""
        self.grouping = Grouping.FILE if self.grouping is Grouping.KIND else Grouping.KIND
        self.folded.clear()
        self.regroup()
        self.redraw(keeps_place=True)
        self.say(f"grouped by {self.grouping}")

    def action_wrap(self) -> None:
        """Wrap long lines or not."""
        self.is_wrapped = not self.is_wrapped
        self.redraw(keeps_place=True)
        self.say("long lines are wrapped" if self.is_wrapped else "long lines run on to the right")

    def action_columns(self) -> None:
        """Draw old and new in another way."""
        self.columns = NEXT_COLUMNS[self.columns]
        self.redraw(keeps_place=True)
        self.say(COLUMN_WORDS[self.columns])

    def action_more_context(self) -> None:
        """Show more lines around the edits."""
        self.context = (self.context + 1) % len(CONTEXTS)
        self.redraw(keeps_place=True)
        lines = CONTEXTS[self.context]
        self.say("the whole file around the edits" if lines is None else f"{lines} lines around the edits")

    def action_provenance(self) -> None:
        """Show where the change comes from."""
        from dreamreview.tui.detail.origin import origin_rows
        from dreamreview.tui.screens.reader import ReaderScreen

        if self.card is not None:
            rows = list(origin_rows(self.review.proposal, self.card))
            self.app.push_screen(ReaderScreen("Where it comes from", rows))

    def action_open_session(self) -> None:
        """Show the sessions that the notes of the change come from."""
        from dreamreview.tui.detail.session import rows_of
        from dreamreview.tui.screens.reader import ReaderScreen

        if self.card is None:
            return
        sessions = self.review.sessions(self.card.change.id)
        if sessions:
            self.app.push_screen(ReaderScreen("The session behind it", list(rows_of(sessions))))
        else:
            self.say("no note of this change names the session it comes from")

    def action_base(self) -> None:
        """Show the file at the cursor as it was."""
        from dreamreview.tui.screens.reader import ReaderScreen

        edit = next((piece.edit for piece in [self.piece_here, *self.pieces] if piece is not None), None)
        if edit is None:
            self.say("this change names no file")
            return
        rows = list(self._as_it_was(edit.path))
        here = min(edit.start, len(rows) - 1) if edit.act is Act.LINES else 0
        self.app.push_screen(ReaderScreen(f"{edit.path} as it was", rows, here))

    def action_side_files(self) -> None:
        """Show the files that the sides of a conflict stand in, one below the other, as they were."""
        from dreamreview.tui.screens.reader import ReaderScreen

        if self.card is None:
            return
        options = self.card.change.options
        named = [piece.path for option in options for piece in option.evidence]
        paths = list(dict.fromkeys([*named, *(edit.path for option in options for edit in option.edits)]))
        rows: list[Row] = []
        for path in paths:
            rows += [*([BLANK] if rows else []), Words((said(path, "path"),)), *self._as_it_was(path)]
        self.app.push_screen(ReaderScreen("The sides as they were", rows))

    def _as_it_was(self, path: str) -> Iterator[Row]:
        """Yield a file as it was when the proposal was made."""
        hidden, text = self.sources.hidden(path), self.sources.base(path)
        for number, line in enumerate(text, 1):
            yield Code(Sign.SAME, line, number, is_whole_secret=number - 1 in hidden)
        if not text:
            yield Words((own("There was no such file, or it was empty.", "dim"),))

    def action_close_layer(self) -> None:
        """Close what lies on top: a message, the search, the cursor on an edit, the filter."""
        if self.notice:
            self.notice = ""
            self.show_progress()
        elif self.found:
            self.found, self.hit = "", None
            self.show_cursor()
        elif self.piece is not None:
            self.go_to_piece(None)
        elif self.filter.words or self.hides_decided:
            self.hides_decided = False
            self.set_filter(Filter())
        elif self.is_narrow and self.pane == "list":
            self.action_to_detail()


def _row_text(row: Row) -> str:
    if isinstance(row, Pair):
        return " ".join(_row_text(half) for half in (*row.left, *row.right))
    if isinstance(row, Code):
        return row.raw.decode("utf-8", "replace").casefold()
    return "".join(part.text for part in row.parts).casefold()
