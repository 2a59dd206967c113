"""Asks which side of all open conflicts is to stand, and names each of them first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from textual.containers import Vertical
from textual.screen import ModalScreen

from dreamreview.tui.commands.base import CommandType, bindings
from dreamreview.tui.commands.settling import ANSWERS
from dreamreview.tui.detail.rows import Row, Words
from dreamreview.tui.inert import own, said
from dreamreview.tui.screens.guard import BREAKPOINTS, Guarded
from dreamreview.tui.screens.place import Place
from dreamreview.tui.screens.reader import Scrolls
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.keybar import KeyBar
from dreamreview.tui.widgets.painted import Line

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from dreamreview.model.proposal import Change

Rule = Literal["A", "B", "suggested", "later", "both"]
"""What decides which side stands."""


class SettleScreen(Scrolls, Place[Rule | None], ModalScreen[Rule | None]):
    """Answers a rule, or None when nothing is to be settled."""

    CSS_PATH = "guard.tcss"
    COMMANDS_HERE: ClassVar[tuple[CommandType, ...]] = ANSWERS
    BINDINGS: ClassVar[list[BindingType]] = bindings(ANSWERS)
    VERTICAL_BREAKPOINTS = BREAKPOINTS

    def __init__(self, question: str, rows: Sequence[Row], clock: Callable[[], float]) -> None:
        super().__init__()
        self._question = question
        self._rows = rows
        self._guarded = Guarded(clock)

    def compose(self) -> ComposeResult:
        """Lay out question, conflicts and keys."""
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
        """Return the list of conflicts."""
        return self.query_one("#question-text", DetailView)

    def _answer(self, rule: Rule | None) -> None:
        if self._guarded.is_open:
            self.dismiss(rule)

    def action_all_a(self) -> None:
        """Answer A."""
        self._answer("A")

    def action_all_b(self) -> None:
        """Answer B."""
        self._answer("B")

    def action_all_suggested(self) -> None:
        """Answer what is suggested."""
        self._answer("suggested")

    def action_all_later(self) -> None:
        """Answer the later."""
        self._answer("later")

    def action_all_both(self) -> None:
        """Answer both."""
        self._answer("both")

    def action_no_side(self) -> None:
        """Answer nothing."""
        self._answer(None)


def conflict_rows(conflicts: Sequence[Change], later: Callable[[Change], str | None]) -> Iterator[Row]:
    """Yield each conflict by name, with its sides, which is suggested and which is the later."""
    for change in conflicts:
        yield Words((own("conflict: ", "warn"), said(change.title)), hang=2)
        for option in change.options:
            if option.key != "both":
                badges = ["suggested"] if option.key == change.suggested else []
                badges += ["the later"] if option.key == later(change) else []
                tail = own(f"  ({', '.join(badges)})" if badges else "", "kind")
                yield Words((own("  "), said(f"{option.key}  {option.label}"), tail), hang=5)
                yield from (_claim(piece.quote) for piece in option.evidence)


def _claim(quote: str) -> Words:
    """Return the first line of what a side says."""
    return Words((own("     "), said(quote.partition("\n")[0], "quote")), hang=5)
