"""The review screen as it is pushed: its layout, which commands hold when, and the ways out of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Horizontal
from textual.message import Message
from textual.worker import get_current_worker

from dreamreview.model.review import State
from dreamreview.tui.commands import lines, settling
from dreamreview.tui.commands import review as commands
from dreamreview.tui.commands.base import CommandType, bindings
from dreamreview.tui.commands.everywhere import Apply
from dreamreview.tui.screens.review.bulk import STILL_READING, Bulk
from dreamreview.tui.surroundings import FIRST_PAINT
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.keybar import KeyBar
from dreamreview.tui.widgets.painted import Line
from dreamreview.tui.widgets.rowlist import RowList
from dreamreview.tui.widgets.splitter import Splitter

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.screen import Screen

LINE_ACTIONS = frozenset(command.action() for command in lines.COMMANDS)
IN_LINE_MODE = LINE_ACTIONS | {"half_page_down", "half_page_up", "wrap", "more_context"}
"""What can be done while lines are chosen."""
OPTION_ACTIONS = {command.action(): number for number, command in enumerate(settling.OPTIONS, 1)}
"""What keeps a side by its number."""
CONFLICT_ACTIONS = frozenset({"keep_a", "keep_b", "keep_both", "skip", "settle_all", "side_files"})
"""What only a conflict has."""
NO_CONFLICT_ACTIONS = frozenset({"accept", "base", "split", "join", "choose_lines"})
"""What a conflict has not."""
WRITING_ACTIONS = frozenset(
    command.action() for command in commands.COMMANDS if issubclass(command, commands.Deciding)
) | ((CONFLICT_ACTIONS - {"side_files"}) | LINE_ACTIONS | OPTION_ACTIONS.keys())
"""What a review that may only be read has not."""
ON_A_CHANGE = (WRITING_ACTIONS - {"undo", "redo"}) | {
    "next_undecided",
    "previous_undecided",
    "provenance",
    "open_session",
}
"""What there is nothing for while no change is shown."""


OBSERVED_WORDS: Mapping[CommandType, str] = {commands.Accept: "keep", commands.Reject: "take back"}
"""What deciding does where others made the changes already."""

LOOK_EVERY = 1.0
"""Seconds between two looks at the files of the card on screen."""
LOOK_AT_ALL = 10
"""Looks after which the files of all changes are looked at."""


class ReviewScreen(Bulk):
    """One proposal under review."""

    class Refreshed(Message):
        """Log, copy and live folder were read again."""

        def __init__(self, why: str = "") -> None:
            super().__init__()
            self.why = why
            """What is said about it."""

    CSS_PATH = "review.tcss"
    COMMANDS_HERE: ClassVar[tuple[CommandType, ...]] = commands.COMMANDS
    BINDINGS: ClassVar[list[BindingType]] = bindings(COMMANDS_HERE)
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it so
        (0, "-narrow"),
        (72, "-normal"),
        (100, "-wide"),
        (150, "-huge"),
    ]

    @classmethod
    def can_meet(cls, one: CommandType, other: CommandType) -> bool:
        """Tell whether two commands can hold at the same moment: lines and conflicts have their own."""
        pair = (one.action(), other.action())
        for action, beside in (pair, pair[::-1]):
            if action in LINE_ACTIONS and beside not in IN_LINE_MODE:
                return False
            if action in NO_CONFLICT_ACTIONS and (beside in CONFLICT_ACTIONS or beside in OPTION_ACTIONS):
                return False
        return True

    def compose(self) -> ComposeResult:
        """Lay out progress, list, detail and keys."""
        yield Line(self.around.workspace.folder, id="progress")
        with Horizontal(id="panes"):
            yield RowList(self.draw_row, id="changes")
            yield Splitter(id="splitter")
            yield DetailView(id="detail")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Start at the first undecided change."""
        is_slow = self.review.is_slow_to_examine
        self.read_cards()
        undecided = [change for change in self.outline.ids if self.by_id[change].review.state is State.UNDECIDED]
        self.current = next(iter([*undecided, *self.outline.ids]), None)
        self.redraw()
        for warning in self.review.warnings:
            self.tell(warning)
        if self.by_id and not undecided:
            self.say(f"everything is decided: {self.key(Apply)} applies")
        self.set_interval(LOOK_EVERY, self._look)
        if is_slow:
            self.set_timer(FIRST_PAINT, partial(self.in_background, "review", self._examine))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Tell whether a command holds for what is at the cursor."""
        if self.lines is not None and action not in IN_LINE_MODE:
            return False
        if (self.lines is None and action in LINE_ACTIONS) or (action in WRITING_ACTIONS and self._is_read_only):
            return False
        if action in ON_A_CHANGE and self.card is None and self.group is None:
            return False
        if action in OPTION_ACTIONS:
            return self.is_on_conflict and OPTION_ACTIONS[action] <= len(self.option_keys)
        if action in CONFLICT_ACTIONS:
            return self.is_on_conflict
        return not (action in NO_CONFLICT_ACTIONS and self.is_on_conflict)

    @property
    def _is_read_only(self) -> bool:
        return self.review.review.is_read_only

    def word_of(self, command: CommandType) -> str:
        """Return the word in the key bar for what a command does right now; others' changes are kept or taken back."""
        if self.review.proposal.is_observed and command in OBSERVED_WORDS:
            return OBSERVED_WORDS[command]
        return super().word_of(command)

    def on_detail_view_resized(self, event: DetailView.Resized) -> None:
        """Draw the card for the new width."""
        event.stop()
        if self.is_split != self.drawn_split:
            self.show_detail(keeps_place=True)

    def action_apply(self) -> None:
        """Show what applying would write."""
        from dreamreview.tui.screens.apply import ApplyScreen

        self._go(ApplyScreen(self.around, self.review))

    def action_history(self) -> None:
        """Show what was applied."""
        from dreamreview.tui.screens.history import HistoryScreen

        self._go(HistoryScreen(self.around))

    def action_memory(self) -> None:
        """Look through the memory as it is."""
        from dreamreview.tui.screens.memory.screen import MemoryScreen

        self._go(MemoryScreen(self.around))

    def action_reload(self) -> None:
        """Read log, copy and live folder again."""
        self.in_background("review", self._refresh)

    def _go(self, screen: Screen[bool]) -> None:
        """Go to a screen that may write to the live folder; what it writes is not told as written by others."""
        self._is_away = True
        self.app.push_screen(screen, self._come_back)

    def _come_back(self, has_written: bool | None) -> None:
        """Read everything again after something was written to the live folder."""
        self._is_away = False
        if has_written:
            self.notice = ""
            self.action_reload()

    def _look(self) -> None:
        """Read again what is on screen where somebody touched it: a decision is about what was seen."""
        is_reading = any(worker.node is self and worker.group == "review" for worker in self.workers)
        if self.is_current and not self._is_away and not is_reading:
            self._looks += 1
            change = self.current if self._looks % LOOK_AT_ALL and self.card else None
            self.run_worker(partial(self._find_moved, change), group="look", exclusive=True, thread=True)

    def _find_moved(self, change: str | None) -> None:
        if self.review.has_moved(change) and not get_current_worker().is_cancelled:
            self.app.call_from_thread(
                self.in_background, "review", partial(self._refresh, "read again: files were changed")
            )

    def _examine(self, why: str = "") -> Message:
        self.review.examine()
        return self.Refreshed(why)

    def _refresh(self, why: str = "") -> Message:
        self.review.refresh()
        return self._examine(why)

    def on_review_screen_refreshed(self, event: Refreshed) -> None:
        """Show what is there now; lines that were being chosen may be others."""
        event.stop()
        before = self.current
        if event.why:
            self.lines = None
            self.notice = event.why
        elif self.notice == STILL_READING:
            self.notice = "all is read now: press it again"
        self.sources.forget()
        self.read_cards()
        if event.why and before is not None and before != self.current:
            self.notice = f"{event.why}; the change you looked at is gone"
        self.redraw(keeps_place=True)
