"""Deciding in a review: changes, edits, pieces and conflicts; every decision carries what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, partialmethod
from typing import TYPE_CHECKING

from dreamreview.model.decisions import Op, Target, parse_target
from dreamreview.model.review import State
from dreamreview.tui.commands import review as commands
from dreamreview.tui.inert import safe
from dreamreview.tui.pieces import state_of
from dreamreview.tui.screens.review.panes import Panes
from dreamreview.tui.wording import count
from dreamreview.workspace.values import Decision

if TYPE_CHECKING:
    from dreamreview.workspace.values import Card


class Deciding(Panes):
    """Commands that record a decision."""

    def record(
        self,
        card: Card,
        op: Op,
        target: Target | None = None,
        *,
        choice: str | None = None,
        text: bytes | None = None,
        reason: str = "",
    ) -> bool:
        """Write one decision down and take the card anew; False, and said so, when that did not work."""
        on = str(target or Target(card.change.id))
        return self.record_all([Decision(op, on, choice, text, reason, card.seen)])

    def record_all(self, decisions: Sequence[Decision]) -> bool:
        """Write decisions down, all or none, and take their cards anew; False, and said so, when that did not work.

        This runs in the event loop on purpose: it appends lines to one file, and keys must count in their order.
        """
        self.notice = ""
        done = self.attempt(partial(self.review.decide_all, decisions))
        if done:
            self.reread(*dict.fromkeys(parse_target(decision.target).change for decision in decisions))
        return done

    def _decide(self, op: Op) -> None:
        card, piece = self.card, self.piece_here
        if card is None:
            accepts, rejects = self.key(commands.AcceptGroup), self.key(commands.RejectGroup)
            self.say(f"{accepts} accepts the whole group, {rejects} rejects it")
            return
        if piece is not None and len(self.pieces) > 1:
            if self.record(card, op, piece.target(card.change.id)):
                self._go_on_inside()
        elif self.record(card, op):
            self.go_on()

    def _go_on_inside(self) -> None:
        """Go to the next piece of the card that is undecided, or to the next card when there is none."""
        card = self.card
        pieces = self.pieces
        here = self.piece or 0
        order = [*range(here + 1, len(pieces)), *range(here)]
        following = next((at for at in order if card and state_of(card.review, pieces[at]) is State.UNDECIDED), None)
        if following is None:
            self.go_on()
            return
        self.regroup()
        self.redraw(keeps_place=True)
        self.go_to_piece(following)

    def action_accept(self) -> None:
        """Accept the change or the edit at the cursor."""
        self._decide(Op.ACCEPT)

    def action_reject(self) -> None:
        """Reject the change or the edit at the cursor."""
        self._decide(Op.REJECT)

    def _choose(self, op: Op, choice: str | None = None) -> None:
        card = self.card
        if card is not None and self.record(card, op, choice=choice):
            self.go_on()

    def action_keep_a(self) -> None:
        """Settle the conflict for A."""
        self._choose(Op.CHOOSE, "A")

    def action_keep_b(self) -> None:
        """Settle the conflict for B."""
        self._choose(Op.CHOOSE, "B")

    def _keep_option(self, number: int) -> None:
        """Settle the conflict for the side of a number, 1-based."""
        keys = self.option_keys
        if number <= len(keys):
            self._choose(Op.CHOOSE, keys[number - 1])

    action_keep_option1 = partialmethod(_keep_option, 1)
    action_keep_option2 = partialmethod(_keep_option, 2)
    action_keep_option3 = partialmethod(_keep_option, 3)
    action_keep_option4 = partialmethod(_keep_option, 4)
    action_keep_option5 = partialmethod(_keep_option, 5)
    action_keep_option6 = partialmethod(_keep_option, 6)
    action_keep_option7 = partialmethod(_keep_option, 7)
    action_keep_option8 = partialmethod(_keep_option, 8)
    action_keep_option9 = partialmethod(_keep_option, 9)

    def action_keep_both(self) -> None:
        """Settle the conflict: both stand."""
        self._choose(Op.CHOOSE, "both")

    def action_skip(self) -> None:
        """Leave the conflict for another time."""
        self._choose(Op.SKIP)

    def action_toggle_change(self) -> None:
        """Accept or take it back, and stay."""
        card, piece = self.card, self.piece_here
        if card is None:
            return
        if self.is_on_conflict:
            keys = [self.key(one) for one in (commands.KeepA, commands.KeepB, commands.KeepBoth, commands.Skip)]
            self.say("a conflict: {} keeps A, {} keeps B, {} both, {} skips".format(*keys))
            return
        is_part = piece is not None and len(self.pieces) > 1
        state = state_of(card.review, piece) if piece and is_part else card.review.state
        op = Op.CLEAR if state in (State.ACCEPTED, State.EDITED) else Op.ACCEPT
        if self.record(card, op, piece.target(card.change.id) if piece and is_part else None):
            self._stay()

    def action_clear(self) -> None:
        """Take back what was decided."""
        card, piece = self.card, self.piece_here
        if card is None:
            return
        is_part = piece is not None and len(self.pieces) > 1
        if self.record(card, Op.CLEAR, piece.target(card.change.id) if piece and is_part else None):
            self._stay()

    def _stay(self) -> None:
        self.regroup()
        self.redraw(keeps_place=True)

    def action_undo(self) -> None:
        """Take the newest decision back and go to where it was."""
        self._step_back("undo")

    def action_redo(self) -> None:
        """Bring the newest decision back that undo took."""
        self._step_back("redo")

    def _step_back(self, way: str) -> None:
        before = dict(self.review.review.of)
        moved: list[bool] = []
        step = self.review.undo if way == "undo" else self.review.redo
        if not self.attempt(lambda: moved.append(step())):
            return
        if not moved[0]:
            self.say(f"nothing to {way}")
            return
        after = self.review.review.of
        changed = [change for change in self.by_id if before.get(change) != after.get(change)]
        self.reread(*changed)
        told = f"{count(len(changed), 'change')} " if len(changed) > 1 else ""
        self.notice = told + ("taken back" if way == "undo" else "decided again")
        if changed and changed[0] != self.current:
            self.current = changed[0]
            self.regroup()
            self.go_to(changed[0])
        else:
            self._stay()

    def action_say_why(self) -> None:
        """Ask for a reason and keep it."""
        from dreamreview.tui.screens.ask import AskScreen

        card = self.card
        if card is not None:
            start = card.review.note or card.review.reason
            self.app.push_screen(
                AskScreen(safe("Why? (kept with the decision)"), start), partial(self._take_reason, card)
            )

    def _take_reason(self, card: Card, text: str | None) -> None:
        if text is not None and self.record(card, Op.NOTE, reason=text):
            self._stay()
