"""Asks which side of all open conflicts is to stand, and names each of them first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from dreamreview.tui.commands.base import CommandType, bindings
from dreamreview.tui.commands.settling import ANSWERS
from dreamreview.tui.detail.rows import Row, Words
from dreamreview.tui.inert import own, said
from dreamreview.tui.screens.guard import Question

if TYPE_CHECKING:
    from textual.binding import BindingType

    from dreamreview.model.proposal import Change

Rule = Literal["A", "B", "suggested", "later", "both"]
"""What decides which side stands."""


class SettleScreen(Question[Rule | None]):
    """Answers a rule, or None when nothing is to be settled."""

    COMMANDS_HERE: ClassVar[tuple[CommandType, ...]] = ANSWERS
    BINDINGS: ClassVar[list[BindingType]] = bindings(ANSWERS)

    def action_all_a(self) -> None:
        """Answer A."""
        self.answer("A")

    def action_all_b(self) -> None:
        """Answer B."""
        self.answer("B")

    def action_all_suggested(self) -> None:
        """Answer what is suggested."""
        self.answer("suggested")

    def action_all_later(self) -> None:
        """Answer the later."""
        self.answer("later")

    def action_all_both(self) -> None:
        """Answer both."""
        self.answer("both")

    def action_no_side(self) -> None:
        """Answer nothing."""
        self.answer(None)


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
