"""`dreamreview review --plain`: the review one line at a time, for a dumb terminal, a screen reader or a pipe."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from dreamreview.cli import output
from dreamreview.cli.apply import apply_asking
from dreamreview.cli.arguments import named_folder, proposal_argument
from dreamreview.cli.decide import decide_all
from dreamreview.cli.launch import open_app
from dreamreview.cli.opening import open_review, open_store
from dreamreview.cli.report import card_lines, head, in_order, overview, totals
from dreamreview.cli.wishes import Wish, check
from dreamreview.errors import DreamReviewError, UsageError
from dreamreview.model.edits import CRLF, LF
from dreamreview.model.review import Op, State, Target
from dreamreview.model.units import has_text
from dreamreview.model.verdicts import BOTH

if TYPE_CHECKING:
    from dreamreview.model.proposal import FileEdit
    from dreamreview.workspace import Card, OpenReview, Workspace

_CARD = "[a]ccept [r]eject [e]dit [x] clear"
_CONFLICT = "keep [A], keep [B], [both], [skip], [r]eject, [e]dit a third, [x] clear"
_MOVES = "[n]ext [p]revious [u]ndo [l]ist [w]rite [q]uit"
_END_OF_TEXT = "."


@click.command(short_help="Review a proposal, with --plain line by line.")
@named_folder
@proposal_argument
@click.option("--plain", "is_plain", is_flag=True, help="Line by line, without the app.")
def review(folder: str, proposal: str | None, is_plain: bool) -> int:
    """Review PROPOSAL of FOLDER in the app or, with --plain, in lines; every answer is kept at once.

    In lines, Enter decides nothing, and the end of the input leaves.
    """
    workspace = open_store(folder)
    opened = open_review(workspace, proposal)
    if opened is None:
        output.nothing_ready(folder)
        return 0
    if not is_plain and output.is_terminal():
        return open_app(workspace, opened.proposal.id)
    PlainReview(workspace, opened).run()
    return 0


class PlainReview:
    """A walk over the cards of one proposal; the state is in the review, here is only the place."""

    def __init__(self, workspace: Workspace, review: OpenReview) -> None:
        self._workspace = workspace
        self._review = review
        self._place = 0
        self._moves: dict[str, Callable[[], None]] = {
            "": self._next,
            "n": self._next,
            "p": self._previous,
            "u": self._undo,
            "l": self._list,
            "w": self._write,
        }

    def run(self) -> None:
        """Show and ask until the person leaves or the input ends."""
        output.say_all(head(self._review))
        self._list()
        self._place = self._undecided_from(0)
        self._show()
        while (answer := output.ask(self._question())) is not None:
            word = answer.strip()
            if word in {"q", "quit"}:
                break
            try:
                self._answer(word)
            except DreamReviewError as error:
                output.note(str(error))
        output.say(totals(self._review))

    def _cards(self) -> tuple[Card, ...]:
        return in_order(self._review)

    def _card(self) -> Card | None:
        cards = self._cards()
        return cards[self._place] if self._place < len(cards) else None

    def _question(self) -> str:
        card = self._card()
        if card is None:
            return f"{_MOVES} >"
        return f"{card.change.id}: {_CONFLICT if card.change.options else _CARD} {_MOVES} >"

    def _answer(self, word: str) -> None:
        key, _, rest = word.partition(" ")
        move = self._moves.get(key.casefold())
        card = self._card()
        if move is not None:
            move()
        elif card is None:
            output.note(f"no such answer: {key}; say one of {_MOVES}")
        else:
            self._decide(card, key, rest.strip())

    def _decide(self, card: Card, key: str, rest: str) -> None:
        wish = self._wish(card, key, rest)
        if wish is None:
            output.note(f"no such answer: {key}; nothing was decided")
            return
        decide_all(self._review, check(self._review, [wish]))
        self._place = self._undecided_from(self._place)
        self._show()

    def _wish(self, card: Card, key: str, rest: str) -> Wish | None:
        """Return the decision an answer means; words behind it are the reason."""
        change = card.change
        ops = {"r": Op.REJECT, "reject": Op.REJECT, "x": Op.CLEAR, "clear": Op.CLEAR}
        if not change.options:
            ops |= {"a": Op.ACCEPT, "accept": Op.ACCEPT}
        op = ops.get(key.casefold())
        if op is not None:
            return Wish(op=op, target=Target(change=change.id), reason=rest, seen=card.seen)
        if key.casefold() in {"e", "edit"}:
            return self._edited(card, rest)
        if change.options and key.casefold() in {"s", "skip"}:
            return Wish(op=Op.SKIP, target=Target(change=change.id), reason=rest, seen=card.seen)
        choices = {option.key.casefold(): option.key for option in change.options}
        choices |= {BOTH: BOTH} if change.options else {}
        choice = choices.get(key.casefold())
        if choice is None:
            return None
        return Wish(op=Op.CHOOSE, target=Target(change=change.id), choice=choice, reason=rest, seen=card.seen)

    def _edited(self, card: Card, name: str) -> Wish | None:
        """Ask for another text of an edit: the named one, or the only one, or on a conflict the third text."""
        change = card.change
        edits = [edit for edit in change.all_edits if has_text(edit)]
        edit = next((each for each in edits if each.id == name), edits[0] if edits else None)
        if edit is None or (name and edit.id != name) or (not change.options and not name and len(edits) > 1):
            raise UsageError(f"name the text to edit: {', '.join(each.id for each in edits) or 'there is none'}")
        text = _typed(edit)
        if text is None:
            raise UsageError("the input ended before the text did; nothing was decided")
        target = Target(change=change.id, edit=name or None)
        return Wish(op=Op.EDIT, target=target, text=text, seen=card.seen)

    def _undecided_from(self, place: int) -> int:
        """Return the place of the next undecided card, going round once, or the end where none is left."""
        cards = self._cards()
        order = [*range(place, len(cards)), *range(place)]
        return next((each for each in order if cards[each].review.state is State.UNDECIDED), len(cards))

    def _next(self) -> None:
        self._place = min(self._place + 1, len(self._cards()))
        self._show()

    def _previous(self) -> None:
        self._place = max(self._place - 1, 0)
        self._show()

    def _undo(self) -> None:
        output.say("took back the last decision" if self._review.undo() else "there is nothing to take back")
        self._show()

    def _list(self) -> None:
        output.say_all(overview(self._review))

    def _write(self) -> None:
        apply_asking(self._workspace, self._review)
        self._review.refresh()
        self._show()

    def _show(self) -> None:
        card = self._card()
        output.say()
        if card is None:
            output.say(f"no more changes · {totals(self._review)}")
        else:
            output.say(f"change {self._place + 1} of {len(self._cards())} · {totals(self._review)}")
            output.say_all(card_lines(self._review, card))


def _typed(edit: FileEdit) -> bytes | None:
    """Ask for lines up to one that holds only a dot, with the line ends of the text they replace."""
    output.tell(f"new text of {edit.id}, ended by a line that holds only a dot:")
    lines: list[str] = []
    while (line := output.ask(">")) != _END_OF_TEXT:
        if line is None:
            return None
        lines.append(line)
    before = edit.new or edit.old
    end = CRLF if before and before[0].endswith(CRLF) else LF
    text = b"".join(line.encode("utf-8", "surrogateescape") + end for line in lines)
    is_open = bool(before) and not before[-1].endswith(LF)
    return text.removesuffix(end) if is_open else text
