"""The inbox: the folder, the proposals that wait in it, when it was dreamed, and dreaming now."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual.message import Message

from dreamreview.errors import DreamReviewError
from dreamreview.tui.commands.base import CommandType, bindings
from dreamreview.tui.commands.places import INBOX
from dreamreview.tui.detail.rows import BLANK, Words
from dreamreview.tui.inert import Part, own, said, shorten_path
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.tui.screens.rows import RowMoves
from dreamreview.tui.widgets.detail import DetailView
from dreamreview.tui.widgets.keybar import KeyBar
from dreamreview.tui.widgets.painted import Line
from dreamreview.tui.widgets.rowlist import Row, RowList
from dreamreview.tui.wording import count, moment

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from dreamreview.dream.engine import Progress
    from dreamreview.tui.ports import OpenReviewLike
    from dreamreview.tui.screens.place import Failed
    from dreamreview.tui.surroundings import Surroundings
    from dreamreview.workspace.values import DreamResult, ProposalLine, Status


class InboxScreen(RowMoves[None]):
    """The store that is watched."""

    class Read(Message):
        """The folder was looked at."""

        def __init__(self, status: Status, proposals: Sequence[ProposalLine], settled: Sequence[str]) -> None:
            super().__init__()
            self.status = status
            self.proposals = tuple(proposals)
            self.settled = tuple(settled)

    class Opened(Message):
        """A proposal was read."""

        def __init__(self, review: OpenReviewLike, settled: Sequence[str] = ()) -> None:
            super().__init__()
            self.review = review
            self.settled = tuple(settled)

    class Progressed(Message):
        """The dream came further."""

        def __init__(self, progress: Progress) -> None:
            super().__init__()
            self.progress = progress

    class Dreamed(Message):
        """The dream ended."""

        def __init__(self, result: DreamResult) -> None:
            super().__init__()
            self.result = result

    CSS_PATH = "inbox.tcss"
    COMMANDS_HERE: ClassVar[tuple[CommandType, ...]] = INBOX
    BINDINGS: ClassVar[list[BindingType]] = bindings(INBOX)

    def __init__(self, around: Surroundings, proposal: str | None = None, *, opens: bool = True) -> None:
        super().__init__()
        self._around = around
        self._wanted = proposal
        self._is_first_look = opens
        """Whether the next look is the one that opens what waits."""
        self._status: Status | None = None
        self._proposals: dict[str, ProposalLine] = {}
        self._cancelled: threading.Event | None = None
        """Set to cancel the dream that runs; None while none does."""
        self._problem = ""

    def compose(self) -> ComposeResult:
        """Lay out folder, facts, proposals, progress and keys."""
        yield Line(id="folder")
        yield Line(id="facts")
        yield RowList(self._draw, id="proposals")
        yield DetailView(id="empty")
        yield Line(id="dream")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Settle what was left unfinished, then look; later, where a review lies over this already."""
        self.query_one("#folder", Line).show(own("dreamreview ", "title"), said(self._around.workspace.folder, "path"))
        self.query_one("#facts", Line).show(own("reading …", "dim"))
        self.refresh_bar()
        if self._is_first_look:
            self.query_one("#dream", Line).show(own("opening …", "dim"))
            self.in_background("look", self._first_look)

    def _first_look(self) -> Message:
        """Open what was asked for or the only one that waits before anything else is read."""
        workspace = self._around.workspace
        settled = workspace.settle()
        waiting = workspace.ready()
        wanted = self._wanted or (waiting[0] if len(waiting) == 1 else None)
        if wanted is not None:
            with suppress(DreamReviewError):
                return self.Opened(workspace.open(wanted), settled)
        return self.Read(workspace.status(), workspace.proposals(), settled)

    def look(self) -> None:
        """Look at the folder again."""
        self.in_background("look", self._look)

    def _look(self) -> Message:
        workspace = self._around.workspace
        return self.Read(workspace.status(), workspace.proposals(), ())

    def on_inbox_screen_read(self, event: Read) -> None:
        """Show what is there; at the start, open what was asked for or the only one that waits."""
        event.stop()
        for sentence in event.settled:
            self.tell(sentence)
        fresh = [line.id for line in event.proposals if line.id not in self._proposals]
        if fresh and self._status is not None and self._cancelled is None:
            self.tell(f"{count(len(fresh), 'new proposal')} arrived")
        self._problem = ""
        self._status = event.status
        self._proposals = {line.id: line for line in event.proposals}
        self._redraw()
        if self._is_first_look:
            self._is_first_look = False
            self._show_dream()
            if self._wanted is not None:
                self.open_proposal(self._wanted)

    def _redraw(self) -> None:
        self.query_one("#facts", Line).show(*self._facts())
        rows = self.query_one(RowList)
        keys = list(self._proposals)
        cursor = rows.cursor if rows.cursor in self._proposals else next(iter(keys), None)
        rows.show([Row(key) for key in keys], cursor)
        empty = self.query_one("#empty", DetailView)
        rows.display, empty.display = bool(keys), not keys
        if not keys:
            empty.show(list(self._advice()))
        self.refresh_bar()

    def _facts(self) -> Iterator[Part]:
        status = self._status
        if self._problem:
            yield said(self._problem, "danger")
            return
        if status is None:
            return
        yield own(f"{status.pending} pending · {status.undecided} undecided", "kind")
        last = moment(status.last_dream) if status.last_dream else "never"
        yield said(f" · last dream {last}", "dim")
        if status.last_status:
            yield said(f" ({status.last_status})", "warn" if status.last_status == "failed" else "dim")
        if status.next:
            yield said(f" · next {moment(status.next)}", "dim")
        if status.locked_by:
            yield said(f" · held by {status.locked_by}", "warn")
        if status.blocked:
            yield said(f" · no dream now: {status.blocked}", "warn")

    def _advice(self) -> Iterator[Words]:
        if self._problem:
            yield Words((said(self._problem, "danger"),))
            yield Words((own("^l looks at the folder again.", "dim"),))
            return
        yield Words((own("No proposals yet.", "title"),))
        yield BLANK
        yield Words(
            (own("D", "key"), own("  dreams now: the memory is read, and what can be tidied is proposed")), hang=3
        )
        yield Words((own("   Nothing in the memory changes before you accept and apply it.", "dim"),), hang=3)
        yield BLANK
        where = shorten_path(self._around.workspace.folder + "/.dream-proposals", 60)
        yield Words((own("Proposals that appear in ", "dim"), Part(where, "path"), own(" show up here.", "dim")))

    def _draw(self, row: Row, width: int) -> Sequence[Part]:  # noqa: ARG002 - rows are cut by the list
        line = self._proposals[row.key]
        counts = line.counts
        is_open = line.status == "ready" and line.problem is None
        glyph = own("● ", "open") if is_open else own("  ", "dim")
        when = said(f"{moment(line.created_at) or line.id}  ", "text" if is_open else "dim")
        if line.problem is not None:
            return own("! ", "danger"), when, said(line.problem, "danger")
        what = f"{count(counts.changes, 'change')}, {counts.undecided} undecided"
        rest = said(f"  {line.engine}  {line.id}", "dim")
        state = own("") if is_open else said(f"  {line.status}", "dim")
        return glyph, when, own(what, "kind" if is_open else "dim"), state, rest

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        """Tell whether a command holds now."""
        if action == "open_proposal":
            return bool(self._proposals)
        if action == "dream_now":
            return self._cancelled is None
        return self._cancelled is not None if action == "cancel_dream" else True

    # --- opening ---------------------------------------------------------------------------------

    def action_open_proposal(self) -> None:
        """Open the proposal at the cursor."""
        cursor = self.query_one(RowList).cursor
        if cursor is not None:
            self.open_proposal(cursor)

    def on_row_list_clicked(self, event: RowList.Clicked) -> None:
        """Open the proposal that was clicked."""
        super().on_row_list_clicked(event)
        self.action_open_proposal()

    def open_proposal(self, proposal: str) -> None:
        """Read a proposal and go to its review."""
        self.query_one("#dream", Line).show(own("opening …", "dim"))
        self.in_background("open", lambda: self.Opened(self._around.workspace.open(proposal)))

    def on_inbox_screen_opened(self, event: Opened) -> None:
        """Go to the review."""
        event.stop()
        self._is_first_look = False
        for sentence in event.settled:
            self.tell(sentence)
        self._show_dream()
        if self.app.screen is self:
            self.app.push_screen(ReviewScreen(self._around, event.review))

    def on_screen_resume(self) -> None:
        """Look again when the person comes back."""
        super().on_screen_resume()
        if not self._is_first_look:
            self.look()

    def action_reload(self) -> None:
        """Look at the folder again."""
        self.look()

    def action_history(self) -> None:
        """Show what was applied."""
        from dreamreview.tui.screens.history import HistoryScreen

        self.app.push_screen(HistoryScreen(self._around))

    # --- dreaming --------------------------------------------------------------------------------

    def action_dream_now(self) -> None:
        """Dream in the background."""
        self._cancelled = threading.Event()
        self._show_dream("starting")
        self.in_background("dream", self._dream)
        self.refresh_bar()

    def _dream(self) -> Message:
        cancelled = self._cancelled or threading.Event()
        result = self._around.workspace.dream(on_progress=self._report, is_cancelled=cancelled.is_set)
        return self.Dreamed(result)

    def _report(self, progress: Progress) -> None:
        self.post_message(self.Progressed(progress))

    def on_inbox_screen_progressed(self, event: Progressed) -> None:
        """Show how far the dream is."""
        event.stop()
        progress = event.progress
        facts = [progress.phase, count(progress.files, "file"), count(progress.changes, "change")]
        facts += [f"{progress.tokens} tokens"] if progress.tokens else []
        facts += [f"${progress.cost_usd:.2f}"] if progress.cost_usd else []
        if self._cancelled is not None:
            self._show_dream(" · ".join(facts))

    def _show_dream(self, progress: str = "") -> None:
        line = self.query_one("#dream", Line)
        if self._cancelled is None:
            line.show()
        elif self._cancelled.is_set():
            line.show(own("cancelling …", "warn"))
        else:
            line.show(own("dreaming  ", "kind"), said(progress), own("  X cancels", "dim"))

    def action_cancel_dream(self) -> None:
        """Ask the dream to end."""
        if self._cancelled is not None:
            self._cancelled.set()
            self._show_dream()

    def on_inbox_screen_dreamed(self, event: Dreamed) -> None:
        """Say how it went and look again."""
        event.stop()
        self._cancelled = None
        self._show_dream()
        result = event.result
        self.tell(f"Dream {result.status}: {result.summary}")
        self.look()

    def on_failed(self, event: Failed) -> None:
        """Say what did not work; what could not be read stays on the screen."""
        super().on_failed(event)
        if event.group == "dream":
            self._cancelled = None
        if event.group == "look":
            self._problem = event.problem
        self._show_dream()
        self._redraw()

    def leave(self) -> None:
        """Leave the app."""
        self.app.exit()
