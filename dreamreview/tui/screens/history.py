"""What was applied, newest first, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message

from dreamreview.errors import DreamReviewError
from dreamreview.tui.commands.base import CommandType, bindings
from dreamreview.tui.commands.places import HISTORY
from dreamreview.tui.detail.rows import BLANK, Words
from dreamreview.tui.inert import Part, own, said
from dreamreview.tui.screens.apply import undo_rows
from dreamreview.tui.screens.guard import GuardScreen
from dreamreview.tui.screens.reader import ReaderScreen
from dreamreview.tui.screens.rows import RowMoves
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.keybar import KeyBar
from dreamreview.tui.widgets.painted import Line
from dreamreview.tui.widgets.rowlist import Row, RowList
from dreamreview.tui.wording import count, moment

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from dreamreview.tui.ports import WorkspaceLike
    from dreamreview.tui.surroundings import Surroundings
    from dreamreview.workspace.values import ApplyResult, HistoryLine

Taken = tuple[str, str | None]
"""An apply, and a change of it or None for all of it."""


EMPTY = (
    BLANK,
    Words((own("Nothing was applied yet.", "title"),)),
    BLANK,
    Words((own("Accept changes in a review, then ", "dim"), own("^s", "key"), own(" applies them.", "dim"))),
    Words((own("Each apply is listed here, and can be undone, whole or one change of it.", "dim"),)),
)
"""What stands where the applies would."""
NAMED = 20
"""Proposals, newest first, of which the titles of their changes are looked up."""


def titles_of(workspace: WorkspaceLike, proposals: Sequence[str]) -> Mapping[str, str]:
    """Return the titles of the changes of some proposals; those that cannot be read are left out."""
    titles: dict[str, str] = {}
    for proposal in proposals:
        with suppress(DreamReviewError):
            for change in workspace.open(proposal).proposal.changes:
                titles[f"{proposal}/{change.id}"] = change.title
    return titles


class HistoryScreen(RowMoves[bool]):
    """Lists applies with their changes; answers whether something was undone."""

    class Read(Message):
        """The history was read."""

        def __init__(self, lines: Sequence[HistoryLine]) -> None:
            super().__init__()
            self.lines = tuple(lines)

    class Named(Message):
        """The titles of the changes were found."""

        def __init__(self, titles: Mapping[str, str]) -> None:
            super().__init__()
            self.titles = titles

    class Weighed(Message):
        """It is known what an undo would do."""

        def __init__(self, taken: Taken, result: ApplyResult) -> None:
            super().__init__()
            self.taken = taken
            self.result = result

    class Undone(Message):
        """An undo was carried out."""

        def __init__(self, result: ApplyResult) -> None:
            super().__init__()
            self.result = result

    CSS_PATH = "history.tcss"
    COMMANDS_HERE: ClassVar[tuple[CommandType, ...]] = HISTORY
    BINDINGS: ClassVar[list[BindingType]] = bindings(HISTORY)

    def __init__(self, around: Surroundings) -> None:
        super().__init__()
        self._around = around
        self._lines: dict[str, tuple[HistoryLine, str | None]] = {}
        self._titles: Mapping[str, str] = {}
        """Titles by proposal and change, as ``PROPOSAL/CHANGE``."""
        self._has_written = False

    def compose(self) -> ComposeResult:
        """Lay out title, applies and keys."""
        yield Line(self._around.workspace.folder, id="history-title")
        yield RowList(self._draw, id="history")
        yield DetailView(id="history-empty")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Read the history."""
        self.query_one("#history-title", Line).show(own("History", "title"), own("  reading …", "dim"))
        self.refresh_bar()
        self._read()

    def _read(self) -> None:
        self.in_background("history", lambda: self.Read(self._around.workspace.history()))

    def on_history_screen_read(self, event: Read) -> None:
        """Show the applies."""
        event.stop()
        self._lines = {}
        if event.lines and not self._titles:
            made = (line.proposal for line in event.lines if not line.is_by_hand)
            proposals = list(dict.fromkeys(made))[:NAMED]
            self.in_background("titles", lambda: self.Named(titles_of(self._around.workspace, proposals)))
        for line in event.lines:
            self._lines[line.apply] = (line, None)
            self._lines.update({f"{line.apply}/{change}": (line, change) for change in line.changes})
        rows = self.query_one(RowList)
        keys = list(self._lines)
        rows.show([Row(key) for key in keys], rows.cursor if rows.cursor in self._lines else next(iter(keys), None))
        empty = self.query_one("#history-empty", DetailView)
        rows.display, empty.display = bool(keys), not keys
        empty.show(EMPTY)
        applies = f"  {count(len(event.lines), 'apply', 'applies')}, newest first" if keys else ""
        self.query_one("#history-title", Line).show(own("History", "title"), own(applies, "dim"))
        self.refresh_bar()

    def on_history_screen_named(self, event: Named) -> None:
        """Show what the changes are called."""
        event.stop()
        self._titles = event.titles
        self.query_one(RowList).refresh()

    def _draw(self, row: Row, width: int) -> Sequence[Part]:  # noqa: ARG002 - rows are cut by the list
        line, change = self._lines[row.key]
        if change is None:
            is_part = bool(line.undone_changes) and not line.undone
            state = (
                own("↶ undone  ", "dim")
                if line.undone
                else own("◐ undone in part  " if is_part else "■ applied  ", "accepted")
            )
            facts = f"{moment(line.at)}  {count(len(line.changes), 'change')}  {line.apply}"
            return state, said(facts), said("  by hand" if line.is_by_hand else f"  of {line.proposal}", "dim")
        is_undone = line.undone or change in line.undone_changes
        look = "dim" if is_undone else "text"
        return (
            own("    "),
            own("↶ " if is_undone else "  ", "dim"),
            said(self._title(line, change), look),
            said(f"  {change}", "dim"),
        )

    def _title(self, line: HistoryLine, change: str) -> str:
        """Return what a change is called; its id where that is not known."""
        return self._titles.get(f"{line.proposal}/{change}", line.titles.get(change, "")) or change

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Tell whether a command holds for the row at the cursor."""
        if action != "undo_apply":
            return True
        rows = self.query(RowList)
        found = self._lines.get((rows.first().cursor if rows else None) or "")
        if found is None:
            return False
        line, change = found
        return not line.undone and change not in line.undone_changes

    def action_undo_apply(self) -> None:
        """Work out what undoing would do, then ask."""
        line, change = self._lines[self.query_one(RowList).cursor or ""]
        undo = partial(self._around.workspace.undo, line.apply, change)
        taken = (line.apply, change)
        self.in_background("history", lambda: self.Weighed(taken, undo(dry_run=True)))

    def on_history_screen_weighed(self, event: Weighed) -> None:
        """Ask, or show what stands in the way."""
        event.stop()
        rows = list(undo_rows(event.result))
        result = event.result
        if not (result.written or result.deleted or result.renamed):
            self.app.push_screen(ReaderScreen("This cannot be undone as things stand", rows))
            return
        apply, change = event.taken
        line = self._lines[apply][0]
        left = [one for one in line.changes if one not in line.undone_changes]
        what = f"this apply of {count(len(left), 'change')}" if change is None else "this change"
        named = [] if change is None else [Words((said(self._title(line, change), "title"),), hang=2)]
        guard = GuardScreen(f"Undo {what}?", [*named, *rows], self._around.clock)
        self.app.push_screen(guard, partial(self._undo, event.taken))

    def _undo(self, taken: Taken, agreed: bool | None) -> None:
        if agreed:
            undo = partial(self._around.workspace.undo, taken[0], taken[1])
            self.in_background("history", lambda: self.Undone(undo()))

    def on_history_screen_undone(self, event: Undone) -> None:
        """Read the history again, and show what stood in the way."""
        event.stop()
        self._has_written = True
        self._read()
        if event.result.clashes:
            self.app.push_screen(ReaderScreen("Undone in part", list(undo_rows(event.result))))
        else:
            self.tell("Undone. Its changes wait for review again.")

    def leave(self) -> None:
        """Go back."""
        self.dismiss(self._has_written)

    def action_back(self) -> None:
        """Go back."""
        self.leave()
