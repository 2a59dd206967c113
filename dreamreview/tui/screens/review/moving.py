"""Moving through a review: changes, edits, groups, what is undecided."""

from __future__ import annotations

from dreamreview.tui.commands.everywhere import Apply
from dreamreview.tui.outline import GROUP, next_undecided
from dreamreview.tui.screens.review.state import ReviewState


class Moving(ReviewState):
    """Commands that move the cursor."""

    def go_to(self, key: str | None) -> None:
        """Put the cursor on a card or a folded group and show it from its start."""
        if key is None:
            return
        group = self.outline.group_of(key)
        if group is not None and key != group.key:
            self.folded.discard(group.name)
        self.current = key
        self.piece = None
        if self.hides_decided or self.filter.words:
            self.regroup()
        self.redraw()

    def go_on(self, message: str = "") -> None:
        """Go to the next undecided card, or say that there is none."""
        following = next_undecided(self.outline.ids, self.states, self.current)
        if following is not None:
            self.notice = message
            self.go_to(following)
            return
        self.regroup()
        self.redraw(keeps_place=True)
        left = self.review.counts.undecided
        done = f"nothing left to decide: {self.key(Apply)} applies"
        self.say(f"nothing left here, {left} hidden by the filter" if left else done)

    def go_to_piece(self, place: int | None) -> None:
        """Put the cursor on an edit of the card, or on the card as a whole."""
        self.piece = place
        self.show_cursor()
        here = self.piece_here
        if place is None:
            self.detail.scroll_to(0, 0, animate=False, immediate=True)
        elif here is not None:
            first = min(here.units, key=lambda unit: (unit.number, not unit.is_old), default=None)
            row = self.detail.row_of_unit(first) if here.number and first else self.detail.row_of_edit(here.edit.id)
            if row is not None:
                self.detail.go_to_row(row)
        self.refresh_bar()

    def action_down(self) -> None:
        """Scroll a tall card down, else go to the next one."""
        if self.pane == "detail" and not self.detail.is_at_end:
            self.detail.roll(max(self.detail.size.height // 2, 1))
        else:
            self._step(1)

    def action_up(self) -> None:
        """Scroll a tall card up, else go to the previous one."""
        if self.pane == "detail" and not self.detail.is_at_start:
            self.detail.roll(-max(self.detail.size.height // 2, 1))
        else:
            self._step(-1)

    def _step(self, by: int) -> None:
        self.notice = ""
        key = self.list_view.step(by)
        if key != self.current:
            self.go_to(key)

    def action_next_undecided(self) -> None:
        """Go to the next undecided card."""
        self._to_undecided(1)

    def action_previous_undecided(self) -> None:
        """Go to the previous undecided card."""
        self._to_undecided(-1)

    def _to_undecided(self, by: int) -> None:
        key = next_undecided(self.outline.ids, self.states, self.current, by)
        if key is None:
            self.say("nothing is undecided here")
        else:
            self.notice = ""
            self.go_to(key)

    def action_next_edit(self) -> None:
        """Go to the next edit."""
        last = len(self.pieces) - 1
        if last < 0 or self.is_on_conflict:
            return
        if self.piece == last:
            self.say("that is the last edit of this change")
        self.go_to_piece(0 if self.piece is None else min(self.piece + 1, last))

    def action_previous_edit(self) -> None:
        """Go to the previous edit, or back to the change."""
        if self.piece is not None:
            self.go_to_piece(self.piece - 1 if self.piece else None)

    def action_next_group(self) -> None:
        """Go to the next group."""
        self.go_to(self.outline.neighbour(self.current, 1))

    def action_previous_group(self) -> None:
        """Go to the previous group."""
        self.go_to(self.outline.neighbour(self.current, -1))

    def action_first(self) -> None:
        """Go to the first card."""
        self.go_to(next(iter(self.outline.ids), None))

    def action_last(self) -> None:
        """Go to the last card."""
        self.go_to(next(reversed(self.outline.ids), None))

    def action_half_page_down(self) -> None:
        """Scroll half a page down."""
        self.detail.roll(max(self.detail.size.height // 2, 1))

    def action_half_page_up(self) -> None:
        """Scroll half a page up."""
        self.detail.roll(-max(self.detail.size.height // 2, 1))

    def action_to_list(self) -> None:
        """Go to the list; from there, fold the group."""
        group = self.group
        if self.pane == "detail":
            self.pane = "list"
        elif group is not None:
            self.folded.add(group.name)
            self.current = group.key
        self.redraw(keeps_place=True)

    def action_to_detail(self) -> None:
        """Unfold the group; else go to the detail."""
        group = self.group
        if group is not None and self.current == group.key:
            self.folded.discard(group.name)
            self.go_to(group.ids[0])
            return
        self.pane = "detail"
        self.redraw(keeps_place=True)

    def click(self, key: str) -> None:
        """Go to what was clicked; a heading folds and unfolds."""
        if not key.startswith(GROUP):
            self.go_to(key)
            return
        name = key.removeprefix(GROUP)
        self.folded ^= {name}
        group = self.outline.group_of(key)
        if group is not None and name in self.folded and self.current in group.ids:
            self.current = key
        elif group is not None and self.current == key:
            self.current = group.ids[0]
        self.redraw(keeps_place=True)
