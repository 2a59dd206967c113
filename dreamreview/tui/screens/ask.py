"""A line to type into: search words, a filter, a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from dreamreview.tui.inert import Safe, safe

if TYPE_CHECKING:
    from textual.app import ComposeResult


class AskScreen(ModalScreen[str | None]):
    """Asks for one line; answers None when it is left."""

    CSS_PATH = "ask.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave")]

    def __init__(self, question: Safe, value: str = "") -> None:
        super().__init__()
        self._question = question
        self._value = value

    def compose(self) -> ComposeResult:
        """Lay out the question and the line below it."""
        with Vertical(id="ask"):
            yield Label(Content(self._question), id="ask-question")
            yield Input(safe(self._value), placeholder="⏎ takes it, esc leaves", id="ask-answer", compact=True)

    def on_mount(self) -> None:
        """Start typing right away."""
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def answer(self, event: Input.Submitted) -> None:
        """Give what was typed."""
        event.stop()
        self.dismiss(event.value)

    def action_leave(self) -> None:
        """Give nothing."""
        self.dismiss(None)
