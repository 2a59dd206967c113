"""A walk over the changes of one proposal: one is told, one question asked, one answer taken, until none is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dreamreview.cli import output
from dreamreview.cli.apply import apply_asking, waits
from dreamreview.cli.hints import command
from dreamreview.cli.plain.answers import Verb, explained, question, understood
from dreamreview.cli.plain.deciding import Deciding
from dreamreview.cli.plain.edits import what_it_does
from dreamreview.cli.plain.spoken import (
    base_lines,
    edits_shown,
    opening,
    origin,
    progress,
    spoken,
    state_in_words,
    tally,
)
from dreamreview.cli.report import SECTIONS, in_order
from dreamreview.errors import DreamReviewError, UsageError
from dreamreview.model.review import State
from dreamreview.tui.detail.sources import Sources

if TYPE_CHECKING:
    from dreamreview.cli.plain.answers import Answer
    from dreamreview.model.proposal import Kind
    from dreamreview.workspace import Card, OpenReview, Workspace

MOST_WRONG = 3
"""Answers in a row that a pipe may get wrong: what follows would land on other questions than it was written for."""


class Walk:
    """The place in a review, and what leads on from there; the decisions are all in the review.

    Args:
        workspace: the store.
        review: the proposal.
        editor: command line of the user's editor; empty to ask for texts line by line.
    """

    def __init__(self, workspace: Workspace, review: OpenReview, editor: str = "") -> None:
        self._workspace = workspace
        self._review = review
        self._deciding = Deciding(review, editor)
        self._sources = Sources(review.base_text)
        self._order = in_order(review)
        self._place = 0
        self._section: Kind | None = None
        self._status = 0
        self._refused = -1
        """Number of the last decision when a person would not write."""
        self._is_over = False
        self._moves: dict[Verb, Callable[[Answer], None]] = {
            Verb.NEXT: self._next,
            Verb.BACK: self._back,
            Verb.GO: self._go,
            Verb.AGAIN: lambda _: self._tell(),
            Verb.BASE: self._base,
            Verb.ORIGIN: self._origin,
            Verb.UNDO: lambda _: self._step(self._review.undo, "take back"),
            Verb.REDO: lambda _: self._step(self._review.redo, "make again"),
            Verb.LIST: lambda _: self._list(),
            Verb.WRITE: lambda _: self._write(),
            Verb.HELP: lambda _: output.say_all(explained(card.change if (card := self._card()) else None)),
            Verb.QUIT: self._quit,
        }

    def run(self) -> int:
        """Tell and ask until the person leaves or the input ends; return the exit status.

        Raises:
            UsageError: a pipe gave `MOST_WRONG` answers in a row that make no sense.
        """
        output.say_all(opening(self._review))
        if not self._order:
            output.say("It holds no changes: there is nothing to review.")
            return 0
        output.say(tally(self._review))
        self._place = self._undecided_from(0)
        if self._place and self._card():
            output.say(f"Going on at change {self._place + 1}: {progress(self._review)}")
        self._arrive()
        wrong = 0
        while not self._is_over and (line := output.ask(self._question())) is not None:
            problem = self._take(line)
            wrong = wrong + 1 if problem else 0
            if problem:
                output.note(problem)
            if wrong >= MOST_WRONG and not output.is_typed():
                raise UsageError(f"{wrong} answers in a row make no sense: stopped; the decisions before them are kept")
        self._leave()
        return self._status

    def _take(self, line: str) -> str:
        """Do what a line asks for; return what is wrong with it, or nothing."""
        card = self._card()
        answer = understood(line, card.change if card else None)
        if answer is None:
            word = line.strip()
            return f"no such answer: {word}; nothing was decided; ? tells all answers"
        try:
            if answer.verb in self._moves:
                self._moves[answer.verb](answer)
            elif card is not None:
                self._deciding.decide(card, answer)
                self._go_on()
        except DreamReviewError as error:
            return str(error)
        return ""

    # --- the place ---------------------------------------------------------------------------------

    def _card(self) -> Card | None:
        return self._review.card(self._order[self._place]) if self._place < len(self._order) else None

    def _question(self) -> str:
        card = self._card()
        if card is None:
            return f"End: {question(None)}"
        return f"Change {self._place + 1} of {len(self._order)}: {question(card.change)}"

    def _waits(self, place: int) -> bool:
        decided = self._review.review.of[self._order[place]]
        return not decided.is_settled and decided.state is not State.SKIPPED

    def _undecided_from(self, place: int) -> int:
        """Return the place of the next undecided change, going round once, or the end where none is left."""
        order = [*range(place, len(self._order)), *range(min(place, len(self._order)))]
        return next((each for each in order if self._waits(each)), len(self._order))

    def _go_on(self) -> None:
        """Go to the next change that waits; one of which a part still waits is not left."""
        card = self._card()
        if card is not None and card.review.state is State.PARTIAL and self._waits(self._place):
            output.say("A part of it still waits for a decision.")
            return
        self._place = self._undecided_from(self._place)
        self._arrive()

    def _next(self, _: Answer) -> None:
        card = self._card()
        if card is None:
            self._is_over = True
            return
        output.say(f"{card.change.id}: left as it is, {state_in_words(card)}.")
        self._place += 1
        self._arrive()

    def _back(self, _: Answer) -> None:
        if not self._place:
            raise UsageError("this is the first change")
        self._place -= 1
        self._arrive()

    def _go(self, answer: Answer) -> None:
        word = answer.rest
        if word.isascii() and word.isdigit() and len(word) < 9 and 1 <= int(word) <= len(self._order):
            self._place = int(word) - 1
        else:
            found = [place for place, name in enumerate(self._order) if word and name.startswith(word)]
            if len(found) != 1:
                what = "is no change" if not found else "names more than one change"
                raise UsageError(f"{word or 'that'} {what}: say a number from 1 to {len(self._order)}, or an id")
            self._place = found[0]
        self._arrive()

    def _arrive(self) -> None:
        """Tell the change at the place, under the heading of its section where that is a new one, or the end."""
        card = self._card()
        output.say()
        if card is None:
            self._end()
            return
        kind = card.change.kind
        if kind is not self._section:
            self._section = kind
            size = sum(change.kind is kind for change in self._review.proposal.changes)
            output.say(f"{SECTIONS[kind]} ({size})")
            output.say()
        self._tell()

    def _tell(self) -> None:
        card = self._card()
        if card is None:
            return
        place = f"Change {self._place + 1} of {len(self._order)}"
        output.say(f"{place}: {card.change.kind} {card.change.id}, {state_in_words(card)}. {progress(self._review)}")
        output.say_all(spoken(self._review, card, self._sources))

    # --- looking -----------------------------------------------------------------------------------

    def _base(self, answer: Answer) -> None:
        card = self._card()
        edits = edits_shown(card) if card else ()
        paths = list(dict.fromkeys(edit.path for edit in edits if answer.rest in {"", edit.id, edit.path}))
        if not paths:
            named = ", ".join(f"{edit.id} ({what_it_does(edit)})" for edit in edits)
            raise UsageError(f"{answer.rest or 'this change'} names no file: say base and one of {named or 'none'}")
        for path in paths:
            output.say_all(base_lines(self._review, path))

    def _origin(self, _: Answer) -> None:
        card = self._card()
        if card is not None:
            output.say_all(origin(self._review, card))

    def _list(self) -> None:
        for place, name in enumerate(self._order, 1):
            card = self._review.card(name)
            danger = ", destructive" if card.is_destructive else ""
            output.say(f"{place}. {card.change.kind} {name}, {state_in_words(card)}{danger}: {card.change.title}")
        output.say(progress(self._review))

    # --- undoing, writing, leaving -----------------------------------------------------------------

    def _step(self, step: Callable[[], bool], what: str) -> None:
        before = self._review.review.of
        if not step():
            output.say(f"There is nothing to {what}.")
            return
        after = self._review.review.of
        changed = [place for place, name in enumerate(self._order) if before[name] != after[name]]
        output.say("Took back the last decision." if what == "take back" else "Made the decision again.")
        if changed:
            self._place = changed[0]
            self._arrive()

    def _write(self) -> None:
        self._status = apply_asking(self._workspace, self._review)
        self._refused = self._review.last_decision
        self._review.refresh()
        self._order = in_order(self._review)
        self._place = min(self._place, len(self._order))
        if not (any(map(self._waits, range(len(self._order)))) or waits(self._workspace, self._review)):
            self._is_over = True

    def _end(self) -> None:
        """Say that no change is left, with the totals, and offer to write."""
        output.say("No more changes.")
        output.say(tally(self._review))
        output.say(progress(self._review))
        self._offer()

    def _quit(self, _: Answer) -> None:
        if self._card() is not None:  # at the end it was said already
            output.say(progress(self._review))
        self._offer()
        self._is_over = True

    def _offer(self) -> None:
        """Ask whether to write what is accepted, unless that was answered already or there is nothing."""
        if self._refused != self._review.last_decision and waits(self._workspace, self._review):
            self._write()

    def _leave(self) -> None:
        if not self._is_over and self._card() is not None:
            output.say(progress(self._review))
        if waits(self._workspace, self._review):
            writes = command("apply", self._workspace.folder, self._review.proposal.id)
            output.say(f"What is accepted is not written yet; write it with: {writes}")
