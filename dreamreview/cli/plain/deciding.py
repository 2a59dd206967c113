"""Decisions of a plain review: on a change, on parts of it named by id, piece by piece, and on all of a kind."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.cli import output
from dreamreview.cli.decide import decide_all
from dreamreview.cli.plain.answers import Answer, Verb
from dreamreview.cli.plain.edits import spoken_lines, what_it_does
from dreamreview.cli.plain.spoken import edits_shown, state_in_words
from dreamreview.cli.plain.texts import another_text, edit_to_write
from dreamreview.cli.report import SECTIONS
from dreamreview.cli.wishes import in_bulk, why_left_out
from dreamreview.errors import UsageError
from dreamreview.model.review import Op, Target, parse_target

if TYPE_CHECKING:
    from dreamreview.model.proposal import FileEdit
    from dreamreview.workspace import Card, OpenReview

ALL = "all"
"""What stands behind an answer that is meant for all undecided changes of a kind."""

_OPS = {Verb.ACCEPT: Op.ACCEPT, Verb.REJECT: Op.REJECT, Verb.REJECT_WHY: Op.REJECT, Verb.CLEAR: Op.CLEAR}


@dataclass(frozen=True, slots=True)
class _Piece:
    """An edit, or an old line of it with its new line."""

    edit: FileEdit
    number: int = 0
    """1-based place in the edit; 0 for all of it."""

    def target(self, change: str) -> Target:
        if not self.number:
            return Target(change, self.edit.id)
        old, new = (
            frozenset((self.number,)) if self.number <= len(side) else frozenset[int]()
            for side in (self.edit.old, self.edit.new)
        )
        return Target(change, self.edit.id, old, new)

    @property
    def size(self) -> int:
        """Pieces that it can be split into."""
        return 1 if self.number else max(len(self.edit.old), len(self.edit.new), 1)

    def split(self) -> list[_Piece]:
        return [_Piece(self.edit, number) for number in range(1, self.size + 1)]

    def told(self) -> list[str]:
        lines = [f"Edit {self.edit.id}: {what_it_does(self.edit)}."]
        if not self.number:
            return lines + list(spoken_lines(self.edit))
        wanted = (f"  removes {self.number},", f"  adds {self.number}:")
        return [line for line in spoken_lines(self.edit) if line.startswith(wanted)]


class Deciding:
    """Takes the answers that decide, and says what came of each."""

    def __init__(self, review: OpenReview, editor: str) -> None:
        self._review = review
        self._editor = editor

    def decide(self, card: Card, answer: Answer) -> None:
        """Record what an answer decides.

        Raises:
            UsageError: it makes no sense on this change; nothing was decided then.
        """
        name = card.change.id
        match answer.verb:
            case Verb.CHOOSE:
                self._record(card, Op.CHOOSE, choice=answer.choice, reason=answer.rest)
            case Verb.SKIP:
                self._record(card, Op.SKIP, reason=answer.rest)
            case Verb.EDIT | Verb.TYPE:
                self._write(card, answer)
            case Verb.WHY:
                self._record(card, Op.NOTE, reason=answer.rest or self._reason("Why?"))
            case Verb.SPLIT:
                self._split(card)
            case Verb.ACCEPT | Verb.REJECT if answer.rest == ALL:
                self._all(card, _OPS[answer.verb])
            case _:
                target, reason = self._part(card, answer.rest)
                if answer.verb is Verb.REJECT_WHY:
                    reason = reason or self._reason(f"Why is {target} rejected?")
                self._record(card, _OPS[answer.verb], target, reason=reason)
        output.say(f"{name}: {state_in_words(self._review.card(name))}.")

    def _record(
        self,
        card: Card,
        op: Op,
        target: Target | None = None,
        *,
        choice: str | None = None,
        text: bytes | None = None,
        reason: str = "",
    ) -> None:
        self._review.decide(
            op, str(target or Target(card.change.id)), choice=choice, text=text, reason=reason, seen=card.seen
        )

    @staticmethod
    def _part(card: Card, rest: str) -> tuple[Target, str]:
        """Return what an answer is about, an edit or lines of one where its first word names them, and the reason."""
        word, _, reason = rest.partition(" ")
        if word.partition(":")[0] in {edit.id for edit in edits_shown(card)}:
            return parse_target(f"{card.change.id}.{word}"), reason.strip()
        return Target(card.change.id), rest

    @staticmethod
    def _reason(question: str) -> str:
        return (output.ask(f"{question} Enter gives no reason:") or "").strip()

    def _write(self, card: Card, answer: Answer) -> None:
        edit = edit_to_write(self._review, card, answer.rest)
        editor = self._editor if answer.verb is Verb.EDIT else ""
        text = another_text(self._review, edit, editor)
        if text is None:
            raise UsageError("the text is as it was; nothing was decided")
        is_third = bool(card.change.options) and not answer.rest
        self._record(card, Op.EDIT, Target(card.change.id, None if is_third else edit.id), text=text)

    def _all(self, card: Card, op: Op) -> None:
        """Decide all that is undecided of the kind of a card, after a yes, but for what has to be named."""
        kind = card.change.kind
        wishes, left = in_bulk(self._review, kind, 0.0, op, "")
        if left:
            output.say(f"{why_left_out(self._review, op).capitalize()}: {', '.join(left)}.")
        if not wishes:
            raise UsageError(f"nothing of {SECTIONS[kind]} can be decided all at once")
        for wish in wishes:
            output.say(f"  {wish.target}: {self._review.card(wish.target.change).change.title}")
        if not output.confirm(f"{op.capitalize()} {len(wishes)} of {SECTIONS[kind]}?"):
            raise UsageError("nothing was decided")
        decide_all(self._review, tuple(wishes))

    def _split(self, card: Card) -> None:
        """Ask about one edit after the other, or where there is one alone, about its lines."""
        edits = edits_shown(card)
        pieces = [_Piece(edit) for edit in edits]
        waiting = deque(pieces if len(pieces) > 1 else [part for piece in pieces for part in piece.split()])
        if len(waiting) < 2:
            raise UsageError("this change cannot be split")
        while waiting:
            piece = waiting.popleft()
            output.say_all(piece.told())
            splits = ", split (s)" if piece.size > 1 else ""
            asked = f"{piece.target(card.change.id)}: accept (a), reject (r){splits}, stop splitting (q); "
            word = output.ask(f"{asked}Enter leaves it as it is:")
            key = (word or "").strip().casefold()
            if word is None or key in {"q", "quit", "stop"}:
                return
            if key in {"a", "accept"}:
                self._record(card, Op.ACCEPT, piece.target(card.change.id))
            elif key in {"r", "reject"}:
                self._record(card, Op.REJECT, piece.target(card.change.id))
            elif key in {"s", "split"} and piece.size > 1:
                waiting.extendleft(reversed(piece.split()))
            elif key not in {"", "n", "no"}:
                output.note(f"no such answer: {key}; say one of those that are named")
                waiting.appendleft(piece)
