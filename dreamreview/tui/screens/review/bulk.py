"""Deciding much at once, or single lines: groups with a guard in front, and the line mode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from dreamreview.model.decisions import Op
from dreamreview.model.proposal import Act
from dreamreview.model.review import State
from dreamreview.model.third import is_conflict
from dreamreview.tui.commands.settling import SettleAll
from dreamreview.tui.detail.rows import Row, Words, codes
from dreamreview.tui.inert import own, said
from dreamreview.tui.pieces import target_of, units_of
from dreamreview.tui.screens.review.state import LineChoice
from dreamreview.tui.screens.review.writing import Writing
from dreamreview.tui.wording import count
from dreamreview.workspace.values import Decision

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change
    from dreamreview.tui.screens.settle import Rule
    from dreamreview.workspace.values import Card

LARGE = 10
"""Changes from which deciding a group asks first."""
STILL_READING = "still reading what the changes take away"
"""Said while it is not known yet which changes are destructive."""


class Bulk(Writing):
    """Commands that decide groups or lines."""

    def action_accept_group(self) -> None:
        """Accept what is undecided in the group."""
        self._ask_group(Op.ACCEPT)

    def action_reject_group(self) -> None:
        """Reject what is undecided in the group."""
        self._ask_group(Op.REJECT)

    def _ask_group(self, op: Op) -> None:
        from dreamreview.tui.screens.guard import GuardScreen
        from dreamreview.workspace.bulk import has_to_be_named

        if self.review.is_slow_to_examine:
            self.say(STILL_READING)
            return
        group = self.group
        cards = [self.by_id[change] for change in group.ids] if group else []
        waiting = [card for card in cards if card.review.state is State.UNDECIDED]
        steps = [decision for card in waiting for decision in decisions_of(card, op)]
        if not steps:
            self.say(_nothing_to_decide(waiting, self.key(SettleAll)))
            return
        named = [one for one in waiting if is_conflict(one.change) or has_to_be_named(self.review, one, op)]
        if not named and len(steps) < LARGE:
            self._decide_all(steps, True)
            return
        what = "this change" if len(steps) == 1 else f"{len(steps)} changes at once"
        is_back = op is Op.REJECT and self.review.proposal.is_observed
        question = f"Take back {what}?" if is_back else f"{op.capitalize()} {what}?"
        rows = list(back_rows(waiting) if is_back else guard_rows(waiting, op))
        self.app.push_screen(GuardScreen(question, rows, self.around.clock), partial(self._decide_all, steps))

    # --- conflicts -------------------------------------------------------------------------------

    def action_settle_all(self) -> None:
        """Name all open conflicts that are shown, and ask which side of them is to stand."""
        from dreamreview.tui.screens.settle import SettleScreen, conflict_rows

        shown = [self.by_id[change] for change in self.outline.ids]
        waiting = [card for card in shown if is_conflict(card.change) and card.review.state is State.UNDECIDED]
        if not waiting:
            self.say("no conflict is open")
            return
        rows = list(conflict_rows([card.change for card in waiting], self._later))
        question = f"Which side of {count(len(waiting), 'open conflict')} stays?"
        self.app.push_screen(SettleScreen(question, rows, self.around.clock), partial(self._settle, waiting))

    def _later(self, change: Change) -> str | None:
        from dreamreview.tui.detail.conflict import later_side

        return later_side(change, self.sources)

    def _settle(self, cards: Sequence[Card], rule: Rule | None) -> None:
        if rule is None:
            return
        steps: list[Decision] = []
        for card in cards:
            side = card.change.suggested if rule == "suggested" else rule
            side = self._later(card.change) if rule == "later" else side
            if card.derived.planted:
                continue
            if side == "both" or (side is not None and card.change.option(side) is not None):
                steps.append(Decision(Op.CHOOSE, card.change.id, choice=side, seen=card.seen))
        left = len(cards) - len(steps)
        stays = f", {count(left, 'conflict')} left open" if left else ""
        if not steps:
            self.say("nothing tells which side is to stand: all stay open")
        elif self.record_all(steps):
            self.go_on(f"{count(len(steps), 'conflict')} settled{stays}")

    def _decide_all(self, decisions: Sequence[Decision], agreed: bool | None) -> None:
        if agreed and self.record_all(decisions):
            self.go_on(f"{count(len(decisions), 'change')} decided")

    # --- lines -----------------------------------------------------------------------------------

    def action_choose_lines(self) -> None:
        """Start choosing lines of the edit at the cursor."""
        card = self.card
        piece = self.piece_here or next((piece for piece in self.pieces if piece.units), None)
        if card is None or piece is None or not piece.units or self.is_on_conflict:
            self.say("there are no lines to choose here")
            return
        drawn = (code.unit for row in self.detail.rows for code in codes(row))
        order = tuple(unit for unit in drawn if unit in piece.units)
        taken, refused = units_of(card.review.chosen), units_of(card.review.rejected)
        is_open = not piece.units & (taken | refused)
        self.lines = LineChoice(piece, order, set(piece.units if is_open else piece.units & taken))
        self.pane = "detail"
        self.redraw(keeps_place=True)
        self.say("space toggles, enter keeps what is chosen, escape leaves")

    def action_toggle_line(self) -> None:
        """Choose the line at the cursor, or not."""
        if self.lines is not None:
            self.lines.chosen ^= {self.lines.order[self.lines.at]}
            self._step_line(1)

    def action_all_lines(self) -> None:
        """Choose all lines, or none."""
        if self.lines is not None:
            everything = set(self.lines.piece.units)
            self.lines.chosen = set() if self.lines.chosen == everything else everything
            self.show_cursor()

    def action_next_line(self) -> None:
        """Go to the next changed line."""
        self._step_line(1)

    def action_previous_line(self) -> None:
        """Go to the previous changed line."""
        self._step_line(-1)

    def _step_line(self, by: int) -> None:
        if self.lines is not None:
            self.lines.at = min(max(self.lines.at + by, 0), len(self.lines.order) - 1)
            self.show_cursor()

    def action_keep_lines(self) -> None:
        """Accept the chosen lines and reject the others of the piece."""
        card, lines = self.card, self.lines
        if card is None or lines is None:
            return
        self.lines = None
        edit, others = lines.piece.edit.id, lines.piece.units - lines.chosen
        sides = [(Op.ACCEPT, lines.chosen), (Op.REJECT, others)]
        targets = [(op, str(target_of(card.change.id, edit, units))) for op, units in sides if units]
        if self.record_all([Decision(op, target, seen=card.seen) for op, target in targets]):
            self.go_on()
        else:
            self._stay()

    def action_leave_lines(self) -> None:
        """Stop choosing lines."""
        self.lines = None
        self.notice = ""
        self.redraw(keeps_place=True)


def _nothing_to_decide(waiting: Sequence[Card], key: str) -> str:
    if any(card.derived.planted for card in waiting):
        return "what gives orders or hides text goes one by one"
    return f"no side is suggested: {key} settles all alike" if waiting else "nothing is undecided in this group"


def decisions_of(card: Card, op: Op) -> Iterator[Decision]:
    """Yield the decision on a card of a group; a conflict is accepted only where a side is suggested.

    What brings an order or hidden text is never accepted along with others.
    """
    if op is Op.ACCEPT and card.derived.planted:
        return
    if op is Op.ACCEPT and is_conflict(card.change):
        if card.change.suggested is not None:
            yield Decision(Op.CHOOSE, card.change.id, choice=card.change.suggested, seen=card.seen)
    else:
        yield Decision(op, card.change.id, seen=card.seen)


def back_rows(cards: Sequence[Card]) -> Iterator[Row]:
    """Yield what taking back changes that others made does to the folder, by name."""
    for card in cards:
        gone = [edit.path for edit in card.change.edits if edit.act is Act.DELETE]
        made = [edit.path for edit in card.change.edits if edit.act is Act.CREATE]
        back = (own("  brings back ", "dim"), said(", ".join(gone), "path")) if gone else ()
        away = (own("  deletes ", "danger"), said(", ".join(made), "path")) if made else ()
        yield Words((said(card.change.title), *back, *away), hang=2)


def guard_rows(cards: Sequence[Card], op: Op) -> Iterator[Row]:
    """Yield what a person must know before a group is decided: conflicts and destructive changes by name."""
    for card in cards:
        if card.derived.planted and op is Op.ACCEPT:
            how = card.derived.planted[0].how
            yield Words((own("stays open: ", "warn"), said(card.change.title), said(f" (brings {how})", "dim")), hang=2)
        elif is_conflict(card.change) and op is Op.ACCEPT:
            side = card.change.suggested
            fate = f"keeps {side}, as suggested" if side is not None else "stays open: no side is suggested"
            yield Words((own("conflict: ", "warn"), said(card.change.title), said(f" ({fate})", "dim")), hang=2)
        elif is_conflict(card.change):
            yield Words(
                (own("conflict: ", "warn"), said(card.change.title), own(" (is said to be none)", "dim")), hang=2
            )
        elif card.is_destructive:
            deleted = [edit.path for edit in card.change.edits if edit.act is Act.DELETE]
            paths = (own("  deletes ", "danger"), said(", ".join(deleted), "path")) if deleted else ()
            yield Words((own("destructive: ", "danger"), said(card.change.title), *paths), hang=2)
    rest = sum(not (card.has_to_be_named or is_conflict(card.change)) for card in cards)
    if rest:
        yield Words((own(f"and {count(rest, 'change')} that {'takes' if rest == 1 else 'take'} nothing away", "dim"),))
