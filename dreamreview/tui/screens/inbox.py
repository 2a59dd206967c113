"""The inbox: one store or several, the proposals that wait in them, when they were dreamed, and dreaming now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message

from dreamreview.errors import DreamReviewError
from dreamreview.tui.commands.base import CommandType, bindings
from dreamreview.tui.commands.places import INBOX
from dreamreview.tui.inbox import drawing
from dreamreview.tui.inbox.stores import SEPARATOR, StoreState, only
from dreamreview.tui.inert import Part, own, shorten_path
from dreamreview.tui.screens.dreaming import Dreaming
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.tui.screens.stores import LOOK
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.keybar import KeyBar
from dreamreview.tui.widgets.painted import Line, Paragraph
from dreamreview.tui.widgets.rowlist import Row, RowList
from dreamreview.tui.wording import count

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from dreamreview.tui.inbox.stores import Offered
    from dreamreview.tui.ports import OpenReviewLike
    from dreamreview.tui.screens.place import Failed
    from dreamreview.tui.surroundings import Surroundings


class InboxScreen(Dreaming):
    """The stores that are watched."""

    class Opened(Message):
        """A proposal was read."""

        def __init__(self, around: Surroundings, review: OpenReviewLike, settled: Sequence[str] = ()) -> None:
            super().__init__()
            self.around = around
            self.review = review
            self.settled = tuple(settled)

    CSS_PATH = "inbox.tcss"
    COMMANDS_HERE: ClassVar[tuple[CommandType, ...]] = INBOX
    BINDINGS: ClassVar[list[BindingType]] = bindings(INBOX)

    VERTICAL_BREAKPOINTS = [(0, "-low"), (16, "-tall")]  # noqa: RUF012 - Textual declares it so

    def __init__(
        self, offered: Surroundings | Sequence[Offered], proposal: str | None = None, *, opens: bool = True
    ) -> None:
        super().__init__(offered if isinstance(offered, Sequence) else [only(offered)])
        if not isinstance(offered, Sequence):
            self.listed[0].around = offered
        self._wanted = proposal
        self._is_first_look = opens
        """Whether the next look is the first; that of a single store opens what waits there."""
        self._hides_closed = self.has_several
        self._was_moved = False
        """Whether the person has put the cursor anywhere; until then it stays on the first row."""

    def compose(self) -> ComposeResult:
        """Lay out stores, facts, proposals, progress and keys."""
        yield Line(id="folder")
        yield Line(id="where")
        most = 1 if self.has_several else 3  # among several, a list that moves is worse than a line that is cut
        yield Paragraph(most, id="facts")
        yield Paragraph(most, id="prospects")
        yield RowList(self._draw, id="proposals")
        yield DetailView(id="empty")
        yield Paragraph(2, id="dream")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Settle what was left unfinished, then look; later, where a review lies over this already."""
        self.set_class(self.has_several, "-several")
        self.redraw()
        if not self._is_first_look:
            return
        if self.has_several:
            self._is_first_look = False
            self.look()
        else:
            self.query_one("#dream", Line).show(own("opening …", "dim"))
            self.in_background(LOOK + self.order[0], partial(self._first_look, self.listed[0]))

    # --- reading ---------------------------------------------------------------------------------

    def _first_look(self, store: StoreState) -> Message:
        """Open what was asked for or the only one that waits before anything else is read."""
        around = store.offered.enter()
        settled = around.workspace.settle()
        waiting = around.workspace.ready()
        wanted = self._wanted or (waiting[0] if len(waiting) == 1 else None)
        if wanted is not None:
            with suppress(DreamReviewError):
                return self.Opened(around, around.workspace.open(wanted), settled)
        return self.Read(store.key, around, around.workspace.status(), around.workspace.proposals(), settled)

    def end_look(self, key: str) -> None:
        """Go on; at the start of a single store, open what was asked for."""
        super().end_look(key)
        if self._is_first_look and self.stores[key].status is not None:
            self._is_first_look = False
            self.show_dream()
            if self._wanted is not None:
                self._open(self.stores[key], self._wanted)

    def on_failed(self, event: Failed) -> None:
        """No longer say that something is being opened; what did not work, the classes above say."""
        if event.group == "open":
            self.show_dream()

    def tell_fresh(self, store: StoreState, fresh: int) -> None:
        """Say how many proposals arrived in a store, unless it is our own dream that left them."""
        if not self.is_dreaming(store):
            named = f" in {store.label}" if self.has_several else ""
            self.tell(f"{count(fresh, 'new proposal')} arrived{named}")

    # --- drawing ---------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Show what is known now."""
        rows = self.query_one(RowList)
        keys = list(self._row_keys())
        cursor = rows.cursor if self._was_moved else None
        if cursor not in keys:  # the proposal is gone or hidden: its store is still there
            above = (cursor or "").partition(SEPARATOR)[0]
            cursor = above if above in keys else next(iter(keys), None)
        rows.show([Row(key) for key in keys], cursor)
        empty = self.query_one("#empty", DetailView)
        rows.display, empty.display = bool(keys), not keys
        store = self.listed[0]
        if not keys and store.is_looked_at:
            empty.show(list(drawing.advice(store)))
        self._draw_head()
        self.show_dream()
        self.refresh_bar()

    def on_resize(self) -> None:
        """Tell of the store at the cursor for the new width."""
        self._draw_head()

    def _row_keys(self) -> Iterator[str]:
        for store in self.listed:
            if self.has_several:
                yield store.key
            yield from (store.row(line.id) for line in store.shown(hides_closed=self._hides_closed))

    def _draw_head(self) -> None:
        store = self.store_here()
        if store is None:
            return
        if self.has_several:
            name = [own("dreamreview  ", "title")] if self.size.width >= drawing.NARROW else []
            self.query_one("#folder", Line).show(*name, *drawing.totals(self.stores.values()))
            self.query_one("#where", Line).show(*drawing.where(store, self.size.width))
        else:
            folder = shorten_path(store.folder, self.size.width - len("dreamreview "))
            self.query_one("#folder", Line).show(own("dreamreview ", "title"), Part(folder, "path"))
        self.query_one("#facts", Line).show(*drawing.facts(store, with_counts=not self.has_several))
        self.query_one("#prospects", Line).show(*drawing.prospects(store))

    def _draw(self, row: Row, width: int) -> Sequence[Part]:
        key, _, proposal = row.key.partition(SEPARATOR)
        store = self.stores[key]
        if proposal:
            return drawing.draw_proposal(store.proposals[proposal], 2 if self.has_several else 0, width)
        names = drawing.name_cells(self.stores.values())
        return drawing.draw_store(store, names, width, is_dreaming=self.is_dreaming(store))

    def idle_parts(self) -> Iterator[Part]:
        """Yield what to do where several stores were read and nothing waits."""
        if self.has_several:
            yield from drawing.idle(self.stores.values())

    def name_parts(self, store: StoreState) -> Iterator[Part]:
        """Yield the name of a store, where there are several."""
        if self.has_several:
            yield Part(shorten_path(store.label, drawing.NAME_CELLS), "title")
            yield own(": ")

    # --- the cursor ------------------------------------------------------------------------------

    def store_here(self) -> StoreState | None:
        """Return the store at the cursor."""
        if not self.has_several:
            return self.listed[0]
        return self.stores.get((self.query_one(RowList).cursor or "").partition(SEPARATOR)[0])

    def _proposal_here(self) -> str | None:
        """Return the proposal at the cursor; for a store, the newest that waits in it."""
        store, cursor = self.store_here(), self.query_one(RowList).cursor
        if store is None or cursor is None:
            return None
        waiting = [line.id for line in store.waiting]
        return cursor.partition(SEPARATOR)[2] or next(iter(waiting), None)

    def show_cursor(self, key: str | None) -> None:
        """Put the cursor on a row, and tell of its store."""
        self._was_moved = True
        super().show_cursor(key)
        self._draw_head()

    def action_next_waiting(self) -> None:
        """Go to the next proposal that waits."""
        self._go_to_waiting(1)

    def action_previous_waiting(self) -> None:
        """Go to the previous proposal that waits."""
        self._go_to_waiting(-1)

    def _go_to_waiting(self, by: int) -> None:
        rows = self.query_one(RowList)
        keys = [row.key for row in rows.rows]
        waiting = {store.row(line.id) for store in self.listed for line in store.waiting}
        at = keys.index(rows.cursor) if rows.cursor in keys else 0
        ahead = [keys[(at + by * step) % len(keys)] for step in range(1, len(keys) + 1)]
        self.show_cursor(next((key for key in ahead if key in waiting), rows.cursor))

    def action_hide_closed(self) -> None:
        """Show or hide the proposals that are closed."""
        self._hides_closed = not self._hides_closed
        self.redraw()
        self.tell("closed proposals are hidden" if self._hides_closed else "closed proposals are shown too")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Tell whether a command holds now."""
        if not self.is_attached:
            return True
        match action:
            case "open_proposal":
                return self._proposal_here() is not None
            case "next_waiting" | "previous_waiting":
                return any(store.waiting for store in self.listed)
            case "dream_now":
                return self.can_dream
            case "dream_locally":
                return self.can_dream_locally
            case "cancel_dream":
                return self.can_cancel
            case "history" | "memory":
                return self._around is not None
        return True

    @property
    def _around(self) -> Surroundings | None:
        """The store at the cursor, opened; None while it is not."""
        store = self.store_here()
        return store.around if store else None

    # --- opening ---------------------------------------------------------------------------------

    def action_open_proposal(self) -> None:
        """Open the proposal at the cursor, or the newest that waits in the store at the cursor."""
        store, proposal = self.store_here(), self._proposal_here()
        if store is not None and proposal is not None:
            self._open(store, proposal)

    def on_row_list_clicked(self, event: RowList.Clicked) -> None:
        """Open the proposal that was clicked; a store only takes the cursor."""
        super().on_row_list_clicked(event)
        event.prevent_default()  # which would be the same once more
        if SEPARATOR in event.key:
            self.action_open_proposal()

    def _open(self, store: StoreState, proposal: str) -> None:
        """Read a proposal and go to its review."""
        around = store.around
        if around is not None:
            self.query_one("#dream", Line).show(own("opening …", "dim"))
            self.in_background("open", lambda: self.Opened(around, around.workspace.open(proposal)))

    def on_inbox_screen_opened(self, event: Opened) -> None:
        """Go to the review."""
        event.stop()
        self._is_first_look = False
        for sentence in event.settled:
            self.tell(sentence)
        self.show_dream()
        if self.app.screen is self:
            self.app.push_screen(ReviewScreen(event.around, event.review))

    def on_screen_resume(self) -> None:
        """Look again at the store that the person comes back from."""
        store = self.store_here()
        if store is not None and not self._is_first_look:
            self.look_at(store)

    def action_reload(self) -> None:
        """Look at every store again, and list what is urgent first."""
        self.is_sorted = False
        self.look()

    def action_history(self) -> None:
        """Show what was applied to the store at the cursor."""
        from dreamreview.tui.screens.history import HistoryScreen

        around = self._around
        if around is not None:
            self.app.push_screen(HistoryScreen(around))

    def action_memory(self) -> None:
        """Look through the memory of the store at the cursor."""
        from dreamreview.tui.screens.memory.screen import MemoryScreen

        around = self._around
        if around is not None:
            self.app.push_screen(MemoryScreen(around))

    def leave(self) -> None:
        """Leave the app."""
        self.app.exit()
