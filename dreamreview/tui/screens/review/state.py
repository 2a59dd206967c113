"""What the review screen knows and how it is shown; the layers above it change the one and ask for the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len

from dreamreview.model.review import State
from dreamreview.model.third import is_conflict
from dreamreview.tui.commands import review as commands
from dreamreview.tui.detail.card import card_rows
from dreamreview.tui.detail.diff import Manner
from dreamreview.tui.detail.rows import Row, Unit, Words
from dreamreview.tui.detail.sources import Sources
from dreamreview.tui.inert import ELLIPSIS, Part, own, safe, said, shorten, shorten_path, shorten_start
from dreamreview.tui.outline import (
    GROUP,
    Filter,
    Group,
    Grouping,
    Outline,
    leads_of,
    outline,
    paths_of,
    twins_of,
    without_lead,
)
from dreamreview.tui.pieces import Piece, line_marks, marks_of, pieces_of
from dreamreview.tui.screens.place import Place
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.painted import Line
from dreamreview.tui.widgets.rowlist import Row as ListRow
from dreamreview.tui.widgets.rowlist import RowList
from dreamreview.tui.wording import APPLIED, MARKS, STALE, brief, count, progress, roll_up, short_progress

if TYPE_CHECKING:
    from dreamreview.model.derived import Moved
    from dreamreview.tui.ports import OpenReviewLike
    from dreamreview.tui.surroundings import Surroundings
    from dreamreview.workspace.values import Card

CONTEXTS: tuple[int | None, ...] = (3, 10, None)
"""Lines around an edit that `z` goes through; None is the whole file."""
SPLIT_FROM = 110
"""Cells of the detail from which old and new stand side by side when that is left to the width."""
PATH_LEAST = 12
"""Cells from which the file of a change is named behind its title."""
TWIN_LEAST = 8
"""The same where another change has that title too."""
NARROW = 72
"""Cells of the screen below which list and detail take turns."""

Columns = Literal["auto", "unified", "split"]


@dataclass(slots=True)
class LineChoice:
    """The line mode: which lines of a piece are chosen, and where the cursor is."""

    piece: Piece
    order: tuple[Unit, ...]
    chosen: set[Unit] = field(default_factory=set)
    at: int = 0


class ReviewState(Place[None]):
    """State of a review and its drawing."""

    def __init__(self, around: Surroundings, review: OpenReviewLike) -> None:
        super().__init__()
        self.around = around
        self.review = review
        self.sources = Sources(review.base_text)
        self.by_id: dict[str, Card] = {}
        self.folded: set[str] = set()
        self.split_edits: set[tuple[str, str]] = set()
        self.grouping = Grouping.KIND
        self.filter = Filter()
        self.hides_decided = False
        self.found = ""
        self.hit: int | None = None
        """Row of the card that n and N stand on."""
        self._looks = 0
        self._is_away = False
        """Whether a screen that may write stands in front."""
        self.list_width: int | None = None
        """Cells of the list, where the person chose."""
        self.columns: Columns = "auto"
        self.context = 0
        self.is_wrapped = True
        self.pane: Literal["list", "detail"] = "detail"
        self.current: str | None = None
        self.piece: int | None = None
        self.lines: LineChoice | None = None
        self.notice = ""
        self.outline = Outline(())
        self.leads: frozenset[str] = frozenset()
        """What more than one title begins with."""
        self.twins: frozenset[str] = frozenset()
        """Titles that more than one change has."""
        self.drawn_split: bool | None = None
        """Whether the card was drawn with old and new side by side."""

    # --- what there is ---------------------------------------------------------------------------

    def read_cards(self) -> None:
        """Take all cards anew; in a large store without what is derived, until that is worked out."""
        cards = self.review.first_cards() if self.review.is_slow_to_examine else self.review.cards()
        self.by_id = {card.change.id: card for card in cards}
        titles = [card.change.title for card in self.by_id.values()]
        self.leads, self.twins = leads_of(titles), twins_of(titles)
        self.regroup()

    def reread(self, *ids: str) -> None:
        """Take some cards anew, after a decision about them."""
        if self.review.is_slow_to_examine:
            self.read_cards()
            return
        for change in ids:
            self.by_id[change] = self.review.card(change)

    def regroup(self) -> None:
        """Work out which cards are shown, in which groups."""
        self.outline = outline(list(self.by_id.values()), self.grouping, self.shows, self.current)
        if self.outline.group_of(self.current) is None:
            self.current = next(iter(self.outline.ids), None)
            self.piece = None

    def shows(self, card: Card) -> bool:
        """Tell whether the filter lets a card through."""
        if self.hides_decided and card.review.state is not State.UNDECIDED:
            return False
        return self.filter.matches(card)

    @property
    def card(self) -> Card | None:
        """The card at the cursor; None on a group, or when there is nothing."""
        return self.by_id.get(self.current or "")

    @property
    def group(self) -> Group | None:
        """The group at the cursor."""
        return self.outline.group_of(self.current)

    @property
    def states(self) -> dict[str, State]:
        """What was decided, by id."""
        return {change: card.review.state for change, card in self.by_id.items()}

    @property
    def pieces(self) -> list[Piece]:
        """What the cursor can stand on in the card."""
        card = self.card
        if card is None:
            return []
        return pieces_of(card, [edit for change, edit in self.split_edits if change == card.change.id])

    @property
    def piece_here(self) -> Piece | None:
        """The edit or piece at the cursor; None when the cursor stands on the change as a whole."""
        pieces = self.pieces
        if self.piece is None or not pieces or self.is_on_conflict:
            return None
        return pieces[min(self.piece, len(pieces) - 1)]

    @property
    def is_on_conflict(self) -> bool:
        """Whether the card at the cursor is settled by choosing a side."""
        return self.card is not None and is_conflict(self.card.change)

    @property
    def option_keys(self) -> list[str]:
        """Keys of the sides of the conflict at the cursor, in order; none elsewhere."""
        return [option.key for option in self.card.change.options if option.key != "both"] if self.card else []

    @property
    def is_narrow(self) -> bool:
        """Whether list and detail take turns."""
        return self.size.width < NARROW

    # --- how it is shown -------------------------------------------------------------------------

    @property
    def list_view(self) -> RowList:
        """The list on the left."""
        return self.query_one("#changes", RowList)

    @property
    def detail(self) -> DetailView:
        """The pane on the right."""
        return self.query_one("#detail", DetailView)

    def say(self, sentence: str) -> None:
        """Say something in passing, beside the progress."""
        self.notice = sentence
        self.show_progress()

    def redraw(self, *, keeps_place: bool = False) -> None:
        """Show everything as it is now; `keeps_place` leaves the detail scrolled where it is."""
        self.set_class(self.pane == "list", "-list")
        rows = [ListRow(key, is_heading) for key, is_heading in self.outline.visible(self.folded)]
        self.list_view.show(rows, self.current, is_active=self.pane == "list" or self.is_narrow)
        self.show_detail(keeps_place=keeps_place)
        self.show_progress()
        self.refresh_bar()

    def show_progress(self) -> None:
        """Show the line on top."""
        review = self.review
        counts = review.first_counts if review.is_slow_to_examine else review.counts
        parts = []
        if self.filter.words:
            parts.append(said(f"  filter: {' '.join(self.filter.words)}", "warn"))
        if self.hides_decided:
            parts.append(own("  decided ones hidden", "warn"))
        if self.review.review.is_read_only:
            parts.append(own("  read-only", "warn"))
        told, short, notice = progress(counts), short_progress(counts), f"  {self.notice}" if self.notice else ""
        taken = sum(cell_len(part.text) for part in parts)
        if (parts or notice) and cell_len(told) + taken + cell_len(notice) > self.size.width:
            told, notice = short, brief(notice, self.size.width - cell_len(short) - taken)
        parts += [said(notice, "kind")] if notice else []
        self.query_one("#progress", Line).show(own(told, "title"), *parts)

    def show_detail(self, *, keeps_place: bool = False) -> None:
        """Show the card at the cursor."""
        detail = self.detail
        offset = detail.scroll_offset
        self.hit = None
        self.drawn_split = self.is_split
        detail.show(self.rows(), is_wrapped=self.is_wrapped)
        self.show_cursor()
        if keeps_place:
            detail.scroll_to(offset.x, offset.y, animate=False, immediate=True)
        else:
            detail.scroll_to(0, 0, animate=False, immediate=True)

    def show_cursor(self) -> None:
        """Show where the cursor stands in the card, and what is chosen there."""
        if self.lines is not None:
            unit = self.lines.order[self.lines.at]
            row = self.detail.row_of_unit(unit)
            piece = self.lines.piece
            marks = line_marks(piece, self.lines.chosen)
            self.detail.mark(marks, edit=piece.edit.id, piece=piece.number, cursor=row)
            if row is not None:
                self.detail.go_to_row(row, margin=3)
            return
        marks = marks_of(self.card.review) if self.card else {}
        here = self.piece_here
        edit, number = (here.edit.id, here.number) if here else ("", 0)
        self.detail.mark(marks, edit=edit, piece=number, cursor=self.hit, found=self.found)

    @property
    def is_split(self) -> bool:
        """Whether old and new stand side by side at the present width."""
        return self.columns == "split" or (self.columns == "auto" and self.detail.room >= SPLIT_FROM)

    def manner(self, card: Card) -> Manner:
        """Return how the edits of a card are drawn."""
        change = card.change.id
        return Manner(
            context=CONTEXTS[self.context],
            is_split=self.is_split,
            is_observed=self.review.proposal.is_observed,
            pieces=[edit for owner, edit in self.split_edits if owner == change],
            moved={
                **{(kept.path, kept.line): f"also in {_place(kept)}" for kept in card.derived.kept},
                **{(moved.path, moved.line): f"moved to {_place(moved)}" for moved in card.derived.moved},
            },
            arrived={
                (line.edit, line.number): f"moved from {line.from_path}:{line.from_line}"
                for line in card.derived.arrived
            },
        )

    def rows(self) -> Sequence[Row]:
        """Return what the detail shows."""
        card = self.card
        if card is not None:
            return card_rows(card, self.sources, self.manner(card))
        group = self.group
        if group is not None:
            keys = [self.key(one) for one in (commands.AcceptGroup, commands.RejectGroup, commands.ToDetail)]
            return [
                Words((said(group.name, "title"),)),
                Words((own(self._roll_up(group)),)),
                Words((own("{} accepts what is undecided in it, {} rejects it, {} unfolds it.".format(*keys), "dim"),)),
            ]
        if not self.by_id:
            return [Words((own("This proposal holds no changes. q goes back.", "dim"),))]
        keys = [self.key(one) for one in (commands.CloseLayer, commands.HideDecided)]
        return [Words((own("Nothing matches. {} clears the filter, {} shows what is decided.".format(*keys), "dim"),))]

    def _roll_up(self, group: Group) -> str:
        decided = sum(self.by_id[change].review.state is not State.UNDECIDED for change in group.ids)
        return f"{count(len(group.ids), 'change')}, {decided} decided"

    def draw_row(self, row: ListRow, width: int) -> Sequence[Part]:
        """Return one line of the list."""
        group = self.outline.group_of(row.key) if row.key.startswith(GROUP) else None
        if group is not None:
            states = [self.by_id[change].review.state for change in group.ids]
            mark = roll_up(states)
            tail = f" {len(states) - states.count(State.UNDECIDED)}/{len(states)}"
            arrow = "▸" if group.name in self.folded else "▾"
            name = shorten_path(group.name, width - len(tail) - 4)
            return (
                own(arrow, "dim"),
                own(f"{mark.glyph}{mark.letter} ", mark.look),
                Part(name, "kind"),
                own(tail, "dim"),
            )
        card = self.by_id[row.key]
        mark = MARKS[card.review.state]
        flag = (own(STALE.glyph, "warn"),) if card.stale or card.review.is_void else ()
        if card.applied:
            flag = (own(APPLIED.glyph, "dim"),)
        kind = (own(f"{card.change.kind} ", "dim"),) if self.grouping is Grouping.FILE else ()
        look = "dim" if card.review.state is State.REJECTED else "text"
        head = (own(f" {mark.glyph}{mark.letter}", mark.look), *flag, own(" "), *kind)
        return *head, *self._title_in(card, width - sum(cell_len(part.text) for part in head), look)

    def _title_in(self, card: Card, room: int, look: str) -> tuple[Part, ...]:
        """Return a title in so many cells: with its file where there is room, without its lead where there is not."""
        title = said(card.change.title, look)
        path = next(iter(paths_of(card.change)), "")
        is_named = self.grouping is Grouping.FILE or path in card.change.title
        is_twin = card.change.title in self.twins and not is_named
        if is_twin:
            title = Part(shorten(title.text, max(room - cell_len(safe(path)) - 2, room // 2 - 1)), look)
        left = room - cell_len(title.text) - 2
        if left >= (TWIN_LEAST if is_twin else PATH_LEAST) and not is_named:
            return title, own("  "), Part(shorten_path(path, left), "dim")
        short = safe(without_lead(card.change.title, self.leads))
        if left >= -2 or short == safe(card.change.title):
            return (title,)
        if not short.startswith(ELLIPSIS):
            return own("… ", "dim"), Part(short, look)
        # What such a title is about stands at its end, unless something is left out there as well.
        return (Part(short if short.endswith(ELLIPSIS) else shorten_start(short, room), look),)


def _place(moved: Moved) -> str:
    return f"line {moved.to_line}" if moved.to_path == moved.path else f"{moved.to_path}:{moved.to_line}"
