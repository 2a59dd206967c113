"""The memory as it is: files and notes on the left, on the right what they say, how old they are, who links to them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal
from textual.message import Message

from dreamreview.model.pins import Pin
from dreamreview.tui.browsing.page import pin_rows
from dreamreview.tui.browsing.shelf import Order, place_of
from dreamreview.tui.commands.base import CommandType, bindings
from dreamreview.tui.commands.memory import COMMANDS, CloseNote, TogglePin
from dreamreview.tui.commands.places import PageDown
from dreamreview.tui.inert import safe
from dreamreview.tui.screens.guard import GuardScreen
from dreamreview.tui.screens.memory.moving import Moving
from dreamreview.tui.screens.memory.state import COMPARED_UNASKED, NARROW
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.keybar import Hint, KeyBar
from dreamreview.tui.widgets.painted import Line
from dreamreview.tui.widgets.rowlist import RowList
from dreamreview.tui.wording import count

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from dreamreview.tui.ports import MemoryLike
    from dreamreview.workspace.memory import FileLine
    from dreamreview.workspace.pinning import Pinning

NEXT_ORDER = {Order.PATH: Order.OLDEST, Order.OLDEST: Order.NEWEST, Order.NEWEST: Order.PATH}
ON_A_FILE = frozenset({"open_note", "next_link", "previous_link"})
"""What there is nothing for while no file is shown."""
ADVICE = "Search (words, type:user, pinned, *.md, finding:stale, older:90; empty: all)"


class MemoryScreen(Moving):
    """Browses a store; answers whether something was pinned or unpinned."""

    class Weighed(Message):
        """It is known what a pin would write."""

        def __init__(self, pinning: Pinning) -> None:
            super().__init__()
            self.pinning = pinning

    class Pinned(Message):
        """A pin was written, or taken away."""

        def __init__(self, pinning: Pinning, file: FileLine) -> None:
            super().__init__()
            self.pinning = pinning
            self.file = file

    CSS_PATH = "memory.tcss"
    COMMANDS_HERE: ClassVar[tuple[CommandType, ...]] = COMMANDS
    BINDINGS: ClassVar[list[BindingType]] = bindings(COMMANDS)
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it so
        (0, "-narrow"),
        (NARROW, "-normal"),
        (100, "-wide"),
        (150, "-huge"),
    ]

    def compose(self) -> ComposeResult:
        """Lay out title, list, page and keys."""
        yield Line(self.around.workspace.folder, id="memory-title", cuts=False)
        with Horizontal(id="panes"):
            yield RowList(self.draw, id="notes")
            yield DetailView(id="page")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Look at the folder."""
        self.show_title()
        self.refresh_bar()
        self.look()

    def word_of(self, command: CommandType) -> str:
        """Return the word in the key bar for what a command does right now: of what is pinned, that it is unpinned."""
        is_pinned = self.note is not None and self.note.pin is Pin.WHOLE
        return "unpin" if command is TogglePin and is_pinned else super().word_of(command)

    def hints(self) -> list[Hint]:
        """Return the hints of the key bar; where list and page take turns, the page names the way back early."""
        hints = super().hints()
        if not self.page_view.is_taller and len(self.list_view.rows) <= self.list_view.size.height:
            hints = [hint for hint in hints if hint[1] != PageDown.bar]
        keys = self.keys_of().get(CloseNote.id())
        if self.is_on_page and self.size.width < NARROW and keys:
            hints[1:1] = [(keys[0], "list")]
        return hints

    def on_detail_view_resized(self, event: DetailView.Resized) -> None:
        """Say how to scroll once it is known whether there is more to see."""
        event.stop()
        self.refresh_bar()

    # --- search, order, compare ------------------------------------------------------------------

    def action_search_memory(self) -> None:
        """Ask what to show."""
        from dreamreview.tui.screens.ask import AskScreen

        self.app.push_screen(AskScreen(safe(ADVICE), " ".join(self.shelf.words)), self.search)

    def search(self, text: str | None) -> None:
        """Show what matches; None leaves all as it is."""
        if text is None:
            return
        self.shelf = self.shelf.search(text)
        self.folded.clear()
        self.notice = ""
        self.redraw()
        if self.shelf.words:
            found = sum(place_of(key)[1] == 0 for key in self.states)
            self.say(f"{count(found, 'file')} found")

    def action_order_files(self) -> None:
        """Order the files otherwise."""
        self.shelf = replace(self.shelf, order=NEXT_ORDER[self.shelf.order])
        self.redraw(keeps_place=True)
        self.say(f"files {self.shelf.order}" if self.shelf.order is Order.PATH else "")

    def action_compare_notes(self) -> None:
        """Look for duplicates and conflicts."""
        self.notice = ""
        self.start_comparing()

    def action_reload(self) -> None:
        """Look at the folder again."""
        self.notice, self.progress = "", "reading …"
        self.show_title()
        self.look()

    def action_history(self) -> None:
        """Show what was applied."""
        from dreamreview.tui.screens.history import HistoryScreen

        self.app.push_screen(HistoryScreen(self.around), self._come_back)

    def _come_back(self, has_written: bool | None) -> None:
        if has_written:
            self.has_written = True
            self.look()

    def action_close_memory_layer(self) -> None:
        """Close what lies on top."""
        if self.notice:
            self.say("")
        elif self.link is not None:
            self.link = None
            self.mark()
        elif self.shelf.words:
            self.search("")
        elif self.is_on_page:
            self.action_close_note()
        self.refresh_bar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Tell whether a command holds for what is at the cursor."""
        if action == "toggle_pin":
            return self.note is not None and bool(self.file and self.file.seen)
        if action in ON_A_FILE:
            return self.file is not None
        if action == "compare_notes":
            return not (self.progress or self.is_compared) and bool(self.notes)
        return bool(self.trail) if action == "way_back" else True

    # --- pins ------------------------------------------------------------------------------------

    def action_toggle_pin(self) -> None:
        """Work out what a pin would write, then ask."""
        file, note, memory = self.file, self.note, self.memory
        if file is not None and note is not None and memory is not None:
            weigh = partial(memory.weigh, file.path, note.index, file.seen, pinned=note.pin is not Pin.WHOLE)
            self.in_background("pin", lambda: self.Weighed(weigh()))

    def on_memory_screen_weighed(self, event: Weighed) -> None:
        """Show the line and ask."""
        event.stop()
        what = f"{'Pin' if event.pinning.pins else 'Unpin'} this {event.pinning.shape}?"
        guard = GuardScreen(what, list(pin_rows(event.pinning)), self.around.clock)
        self.app.push_screen(guard, partial(self._pin, event.pinning))

    def _pin(self, pinning: Pinning, agreed: bool | None) -> None:
        file, memory = self.by_path.get(pinning.path), self.memory
        if agreed and file is not None and memory is not None:
            self.in_background("pin", partial(self._write, memory, pinning, file))

    def _write(self, memory: MemoryLike, pinning: Pinning, file: FileLine) -> Message:
        memory.carry_out(pinning)
        return self.Pinned(pinning, memory.again(file))

    def on_memory_screen_pinned(self, event: Pinned) -> None:
        """Show the file as it is now; read the rest again where that is quick."""
        event.stop()
        self.has_written = True
        path = event.pinning.path
        files = tuple(event.file if file.path == path else file for file in self.shelf.files)
        self.take(replace(self.shelf, files=files))
        self.say("pinned" if event.pinning.pins else "unpinned")
        if self.notes <= COMPARED_UNASKED:
            self.look()

    def leave(self) -> None:
        """Go back."""
        self.dismiss(self.has_written)
