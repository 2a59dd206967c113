"""What applying would write, by effect; then what it wrote, and how to undo it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message
from textual.screen import ModalScreen

from dreamreview.dream.engine import Policy
from dreamreview.model.fidelity import ITEMS, counts_told
from dreamreview.model.index import INDEX_NAMES
from dreamreview.model.narrative import SUMMARY_MISMATCH
from dreamreview.model.proposal import Act
from dreamreview.model.review import State
from dreamreview.tui.commands.base import CommandType, bindings
from dreamreview.tui.commands.everywhere import History
from dreamreview.tui.commands.places import APPLY, No, UndoApply, Yes
from dreamreview.tui.detail.rows import BLANK, Row, Words
from dreamreview.tui.inert import own, said
from dreamreview.tui.screens.guard import Guarded
from dreamreview.tui.screens.reader import Scrolls
from dreamreview.tui.screens.there import there_rows
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.keybar import KeyBar
from dreamreview.tui.widgets.painted import Line
from dreamreview.tui.wording import MARKS, count

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from dreamreview.model.fidelity import Fidelity
    from dreamreview.model.review import Chosen
    from dreamreview.tui.ports import OpenReviewLike
    from dreamreview.tui.screens.place import Failed
    from dreamreview.tui.surroundings import Surroundings
    from dreamreview.workspace.values import ApplyResult, Card

INDEX = "MEMORY.md"
"""The index that the agent reads first."""
LEFT_FOR_LATER = (State.UNDECIDED, State.SKIPPED)
WORST = 6
"""Findings of the report that are shown before the rest is counted."""
NOTHING_ACCEPTED = "Nothing that was accepted is left to write. Accept changes with a, then come back."
NOTHING_BACK = "Nothing was decided yet. Keep changes with a, take them back with r, then come back."
NAMED = 12
"""Changes that are left for later and named before the rest is counted."""


class ApplyScreen(Scrolls[bool], ModalScreen[bool]):
    """Asks before it writes; answers whether something was written."""

    class Planned(Message):
        """It is known what would be written."""

        def __init__(self, result: ApplyResult, fidelity: Fidelity) -> None:
            super().__init__()
            self.result = result
            self.fidelity = fidelity

    class Applied(Message):
        """It was written."""

        def __init__(self, result: ApplyResult) -> None:
            super().__init__()
            self.result = result

    class Undone(Message):
        """It was taken back."""

        def __init__(self, result: ApplyResult) -> None:
            super().__init__()
            self.result = result

    CSS_PATH = "apply.tcss"
    COMMANDS_HERE: ClassVar[tuple[CommandType, ...]] = APPLY
    BINDINGS: ClassVar[list[BindingType]] = bindings(APPLY)

    def __init__(self, around: Surroundings, review: OpenReviewLike) -> None:
        super().__init__()
        self._around = around
        self._review = review
        self._guarded = Guarded(around.clock)
        self._is_ready = False
        """Whether `y` has something to write."""
        self._applied: str | None = None
        cards = review.cards()
        self._sizes = sizes_back(cards) if review.proposal.is_observed else sizes_of(cards)
        self._chosen = sum(bool(card.review.chosen) for card in cards)
        self._refused = sum(bool(card.review.rejected) for card in cards)
        self._has_written = False
        self._is_over = False
        """Whether the question is answered and what is shown is what came of it."""

    @classmethod
    def can_meet(cls, one: CommandType, other: CommandType) -> bool:
        """Tell whether two commands can hold at the same moment: the question and its outcome have their own."""
        pair = {one.action(), other.action()}
        return "close_result" not in pair or not pair & {"yes", "no"}

    def compose(self) -> ComposeResult:
        """Lay out title, summary and keys."""
        yield Line(self._around.workspace.folder, id="apply-title")
        yield DetailView(id="apply-text")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Work out what would be written."""
        self._show("Apply", [Words((own("Working out what would be written …", "dim"),))])
        workspace, proposal = self._around.workspace, self._review.proposal.id
        report = partial(self._review.fidelity, is_chosen=True)
        self.in_background("apply", lambda: self.Planned(workspace.apply(proposal, dry_run=True), report()))

    def page(self) -> DetailView:
        """Return the summary."""
        return self.query_one("#apply-text", DetailView)

    def _show(self, title: str, rows: Sequence[Row]) -> None:
        self.query_one("#apply-title", Line).show(own(title, "title"))
        self.page().show(rows)
        self.page().scroll_home(animate=False)
        self.refresh_bar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Tell whether a command holds now."""
        if action == "yes":
            return self._is_ready
        if action in ("no", "close_result"):
            return self._is_over is (action == "close_result")
        return self._applied is not None if action == "undo_apply" else True

    def on_apply_screen_planned(self, event: Planned) -> None:
        """Show the summary and start to listen."""
        event.stop()
        result = event.result
        self._is_ready = _writes(result) or bool(result.settled)
        self._guarded.start()
        title = self._question() if self._is_ready else "There is nothing to write"
        rows = list(summary_rows(result, self._review, self._sizes, is_plan=True))
        # Of what others did already, what is written is its reverse: the report is about what they did.
        worst = [] if self._review.proposal.is_observed or not self._is_ready else list(fidelity_rows(event.fidelity))
        self._show(title, [*worst, *rows])

    def _question(self) -> str:
        """Return what is asked; of what others did already, what was rejected is taken back and the rest stays."""
        yes, no = self.key(Yes), self.key(No)
        if not self._review.proposal.is_observed:
            return f"Apply {count(self._chosen, 'change')}? {yes} writes, {no} goes back"
        return f"Take {count(self._refused, 'change')} back and keep {self._chosen}? {yes} does, {no} goes back"

    def action_yes(self) -> None:
        """Write it."""
        if not self._guarded.is_open or not self._is_ready:
            return
        self._is_ready = False
        self._show("Applying …", self.page().rows)
        workspace, proposal = self._around.workspace, self._review.proposal.id
        self.in_background("apply", lambda: self.Applied(workspace.apply(proposal)))

    def on_apply_screen_applied(self, event: Applied) -> None:
        """Show what was written."""
        event.stop()
        self._applied = event.result.apply
        self._has_written, self._is_over = self._applied is not None, True
        rows = list(summary_rows(event.result, self._review, self._sizes, is_plan=False))
        later = f"Later it can be undone from the history ({self.key(History)} in the review)."
        rows = [Words((own(later, "dim"),)), BLANK, *rows] if self._applied else rows
        rows += there_rows(event.result.there)
        nothing = "Kept as it is; nothing had to be written" if event.result.settled else "Nothing was written"
        self._has_written |= bool(event.result.settled)
        self._show(f"Applied. {self.key(UndoApply)} undoes it now" if self._applied else nothing, rows)

    def action_undo_apply(self) -> None:
        """Take the apply back that was just made."""
        if self._applied is not None:
            undo = partial(self._around.workspace.undo, self._applied)
            self._applied = None
            self.in_background("apply", lambda: self.Undone(undo()))

    def on_apply_screen_undone(self, event: Undone) -> None:
        """Show what was taken back."""
        event.stop()
        self._is_over = True
        self._show(
            "Undone" if event.result.apply else "Nothing was undone",
            [*undo_rows(event.result), *there_rows(event.result.there)],
        )

    def on_failed(self, event: Failed) -> None:
        """Show why it did not work, in full, and nowhere else."""
        event.stop()
        event.prevent_default()
        self._is_ready, self._is_over = False, True
        rows = [Words((said(event.problem, "danger"),)), Words((own("The memory folder is as it was.", "dim"),))]
        self._show("That did not work", rows)

    def action_no(self) -> None:
        """Go back."""
        if self._guarded.is_open:
            self.dismiss(self._has_written)

    def action_close_result(self) -> None:
        """Go back."""
        self.action_no()


def summary_rows(result: ApplyResult, review: OpenReviewLike, sizes: Sizes, *, is_plan: bool) -> Iterator[Row]:
    """Yield what an apply writes, grouped by effect, and what it leaves alone."""
    makes = Act.DELETE if review.proposal.is_observed else Act.CREATE
    new = {edit.path for change in review.proposal.changes for edit in change.all_edits if edit.act is makes}
    created = [path for path in result.written if path in new]
    changed = [path for path in result.written if path not in new]
    yield from _paths("deletes" if is_plan else "deleted", result.deleted, "danger", sizes)
    yield from _paths("creates" if is_plan else "created", created, "new", sizes)
    yield from _paths("changes" if is_plan else "changed", changed, "text", sizes)
    renamed = [f"{old} to {new_name}" for old, new_name in result.renamed]
    yield from _paths("renames" if is_plan else "renamed", renamed, "text", {})
    yield from _paths("keeps, since a line of it was kept:", result.kept, "warn", {})
    if result.settled:
        kept = f"{'keeps' if is_plan else 'kept'} {count(len(result.settled), 'change')} as others made it"
        yield Words((own(kept, "kind"),))
    yield from _total(result, sizes)
    if not review.proposal.is_observed:  # whose base is not what stands in the folder
        yield from _index_meter(review, sizes)
    yield from _left_alone(result, review)
    if is_plan and not _writes(result) and not result.settled:
        yield Words((own(NOTHING_BACK if review.proposal.is_observed else NOTHING_ACCEPTED, "dim"),))


def fidelity_rows(report: Fidelity) -> Iterator[Row]:
    """Yield what is accepted does beyond its own words, the worst first."""
    for finding in report.findings[:WORST]:
        more = f" and {len(finding.items) - ITEMS} more" if len(finding.items) > ITEMS else ""
        items = said(f"{', '.join(finding.items[:ITEMS])}{more}", "text")
        yield Words((own(f"{finding.fault}  ", "warn"), items, own("  in ", "dim"), said(finding.title, "dim")), hang=4)
    if len(report.findings) > WORST:
        yield Words((own(f"and {count(len(report.findings) - WORST, 'finding')} more, each beside its change", "dim"),))
    for claim in report.mismatches:
        yield Words((own(f"{SUMMARY_MISMATCH}  ", "warn"), said(claim)), hang=4)
    yield Words((own("fidelity  ", "kind"), own(counts_told(report), "dim")), hang=4)


def _total(result: ApplyResult, sizes: Sizes) -> Iterator[Row]:
    """Yield what all of it comes to."""
    touched = {*result.written, *result.deleted, *(old for old, _ in result.renamed)}
    if touched:
        known = [sizes[path] for path in touched if path in sizes]
        gone, come, growth = (sum(each) for each in zip(*known, strict=True)) if known else (0, 0, 0)
        told = f"{count(len(touched), 'file')}, −{gone} +{come} lines, {_signed(growth)} bytes"
        yield Words((own("in all  ", "kind"), own(told)), hang=4)


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "−")


def _writes(result: ApplyResult) -> bool:
    return bool(result.written or result.deleted or result.renamed)


def _index_meter(review: OpenReviewLike, sizes: Sizes) -> Iterator[Row]:
    """Yield how full each index is before and after, as the agent reads only its start."""
    named = dict.fromkeys([INDEX, *sorted(sizes)])
    for path in named:
        base = review.base_text(path) if path.casefold() in INDEX_NAMES else ()
        if (not base and path not in sizes) or path.casefold() not in INDEX_NAMES:
            continue
        old, new, growth = sizes.get(path, (0, 0, 0))
        lines, size, limits = len(base), sum(map(len, base)), Policy()
        after, size_after = lines - old + new, size + growth
        is_over = after > limits.index_lines or size_after > limits.index_bytes
        share = max(after / limits.index_lines, size_after / limits.index_bytes)
        meter = f"{lines} → {after} of {limits.index_lines} lines, {size} → {size_after} of {limits.index_bytes} bytes"
        told = own(f"{_bar(share)} {meter}{' (unchanged)' if path not in sizes else ''}", "warn" if is_over else "dim")
        yield Words((own("index  ", "kind"), said(path, "path"), own("  "), told), hang=4)


def _bar(share: float, cells: int = 10) -> str:
    """Return a bar that is filled to a share; a full one is full, an overfull one says so."""
    filled = min(int(share * cells + 0.5), cells)
    return "█" * filled + "░" * (cells - filled) + ("!" if share > 1 else "")


def _left_alone(result: ApplyResult, review: OpenReviewLike) -> Iterator[Row]:
    if result.stale:
        yield Words((own(f"{count(len(result.stale), 'change')} no longer fit and stay for review:", "warn"),))
        reasons = {clash.change: clash.reason for clash in result.clashes}
        for change_id in result.stale:
            change = review.proposal.change(change_id)
            title = change.title if change else change_id
            yield Words((own("  "), said(title), said(f"  {reasons.get(change_id, '')}", "dim")), hang=4)
    states = review.review.of
    open_ones = [change for change in review.proposal.changes if states[change.id].state in LEFT_FOR_LATER]
    if open_ones:
        yield Words((own(f"{count(len(open_ones), 'change')} undecided or skipped, left for later:", "dim"),))
        for change in open_ones[:NAMED]:
            mark = MARKS[states[change.id].state]
            void = own("  (what was decided is void: it is another change since)", "warn")
            tail = (void,) if states[change.id].is_void else ()
            yield Words((own(f"  {mark.glyph} ", mark.look), said(change.title, "dim"), *tail), hang=4)
        if len(open_ones) > NAMED:
            yield Words((own(f"  and {len(open_ones) - NAMED} more", "dim"),))


Sizes = Mapping[str, tuple[int, int, int]]
"""Path to old lines taken away, new lines brought, and by how many bytes the file grows."""


def sizes_of(cards: Iterable[Card]) -> Sizes:
    """Return what the accepted units of some cards come to, by path."""
    return _sizes(part for card in cards for part in card.review.chosen)


def sizes_back(cards: Iterable[Card]) -> Sizes:
    """Return the same of taking back what was rejected."""
    sizes = _sizes(part for card in cards for part in card.review.rejected)
    return {path: (new, old, -growth) for path, (old, new, growth) in sizes.items()}


def _sizes(parts: Iterable[Chosen]) -> Sizes:
    sizes: dict[str, tuple[int, int, int]] = {}
    for part in parts:
        old, new, growth = sizes.get(part.edit.path, (0, 0, 0))
        gone = sum(len(part.edit.old[line - 1]) for line in part.old)
        come = sum(len(part.edit.new[line - 1]) for line in part.new)
        sizes[part.edit.path] = (old + len(part.old), new + len(part.new), growth + come - gone)
    return sizes


def _paths(verb: str, paths: Sequence[str], look: str, sizes: Sizes) -> Iterator[Row]:
    if not paths:
        return
    yield Words((own(f"{verb} {count(len(paths), 'file')}", "kind"),))
    for path in paths:
        old, new, growth = sizes.get(path, (0, 0, 0))
        size = own(f"  −{old} +{new} lines, {_signed(growth)} bytes" if path in sizes else "", "dim")
        yield Words((own("  "), said(path, look), size), hang=4)


def undo_rows(result: ApplyResult) -> Iterator[Row]:
    """Yield what an undo wrote, and what later edits kept it from."""
    yield from _paths("deletes", result.deleted, "danger", {})
    yield from _paths("puts back", result.written, "text", {})
    yield from _paths("renames", [f"{old} to {new}" for old, new in result.renamed], "text", {})
    for clash in result.clashes:
        yield Words((own("clash in ", "warn"), said(clash.path, "path"), said(f": {clash.reason}", "warn")), hang=2)
        yield from (Words((own("    written then: ", "dim"), said(line, "old")), hang=4) for line in _some(clash.base))
        yield from (Words((own("    there now:    ", "dim"), said(line, "new")), hang=4) for line in _some(clash.live))
    if not _writes(result):
        yield Words((own("Nothing was written: later edits stand in the way, or it is undone already.", "dim"),))


def _some(text: str, limit: int = 20) -> list[str]:
    return text.removesuffix("\n").split("\n")[:limit]
