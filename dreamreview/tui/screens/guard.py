"""Dialogs that ask before something is written or decided in bulk: Enter means no, and early keys are ignored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.screen import ModalScreen

from dreamreview.tui.commands.base import Command, CommandType, bindings
from dreamreview.tui.commands.places import SCROLLING
from dreamreview.tui.inert import own
from dreamreview.tui.screens.place import Answer
from dreamreview.tui.screens.reader import Scrolls
from dreamreview.tui.surroundings import GUARD_SECONDS
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.keybar import KeyBar
from dreamreview.tui.widgets.painted import Line

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from dreamreview.tui.detail.rows import Row


class Asking(Command):
    """Commands of a question."""

    group = "Question"


class Agree(Asking):
    """Do it."""

    keys = "y"
    bar = "yes"
    rank = 1


class Refuse(Asking):
    """Do nothing."""

    keys = "enter,n,q,escape"
    bar = "no"
    rank = 2


COMMANDS: tuple[CommandType, ...] = (Agree, Refuse, *SCROLLING)


BREAKPOINTS = [(0, "-low"), (16, "-tall")]
"""Lines from which a question leaves the screen below it in sight."""


class Guarded:
    """Ignores what is pressed in the first moments, when it was meant for the screen below."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since = clock()

    def start(self) -> None:
        """Count from now on."""
        self._since = self._clock()

    @property
    def is_open(self) -> bool:
        """Whether keys count already."""
        return self._clock() - self._since >= GUARD_SECONDS


class Question(Scrolls[Answer], ModalScreen[Answer]):
    """A question in a dialog, with the reasons for it, whose answers count once it was there to be seen."""

    CSS_PATH = "guard.tcss"
    VERTICAL_BREAKPOINTS = BREAKPOINTS

    def __init__(self, question: str, rows: Sequence[Row], clock: Callable[[], float]) -> None:
        super().__init__()
        self._question = question
        self._rows = rows
        self._guarded = Guarded(clock)

    def compose(self) -> ComposeResult:
        """Lay out question, reasons and keys."""
        with Vertical(id="question"):
            yield Line(id="question-title")
            yield DetailView(id="question-text")
            yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Show what is asked about."""
        self.query_one("#question-title", Line).show(own(self._question, "warn"))
        self.page().show(self._rows)
        self._guarded.start()
        self.refresh_bar()

    def page(self) -> DetailView:
        """Return the list of what it is about."""
        return self.query_one("#question-text", DetailView)

    def answer(self, answer: Answer) -> None:
        """Answer, unless the key was meant for the screen below."""
        if self._guarded.is_open:
            self.dismiss(answer)


class GuardScreen(Question[bool]):
    """Asks a question; answers True only to ``y``."""

    COMMANDS_HERE = COMMANDS
    BINDINGS: ClassVar[list[BindingType]] = bindings(COMMANDS)

    def action_agree(self) -> None:
        """Answer yes."""
        self.answer(True)

    def action_refuse(self) -> None:
        """Answer no."""
        self.answer(False)
