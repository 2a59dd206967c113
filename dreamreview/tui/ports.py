"""What the app needs of a workspace; the real one fits, and so does the fake of the tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import date

    from dreamreview.dream.engine import Progress
    from dreamreview.model.edits import Text
    from dreamreview.model.fidelity import Fidelity
    from dreamreview.model.proposal import Proposal
    from dreamreview.model.review import Counts, Review
    from dreamreview.workspace.memory import FileLine, Findings
    from dreamreview.workspace.pinning import Pinning
    from dreamreview.workspace.sessions import Session
    from dreamreview.workspace.values import (
        ApplyResult,
        Card,
        Decision,
        DreamResult,
        HistoryLine,
        ProposalLine,
        Status,
    )


class OpenReviewLike(Protocol):
    """One proposal under review."""

    @property
    def proposal(self) -> Proposal:
        """The proposal."""

    @property
    def review(self) -> Review:
        """The decisions."""

    @property
    def counts(self) -> Counts:
        """Numbers by state."""

    @property
    def first_counts(self) -> Counts:
        """Numbers by state, with nothing stale yet."""

    @property
    def warnings(self) -> Sequence[str]:
        """What was odd, one sentence each."""

    def card(self, change_id: str, /) -> Card:
        """Return one card."""

    def cards(self) -> Sequence[Card]:
        """Return all cards in the order of the proposal."""

    @property
    def is_slow_to_examine(self) -> bool:
        """Whether what is derived takes a while to work out."""

    def first_cards(self) -> Sequence[Card]:
        """Return all cards with nothing derived yet."""

    def examine(self) -> None:
        """Work out what is derived."""

    def fidelity(self, *, is_chosen: bool = False) -> Fidelity:
        """Return what it does beyond its own words, or what was accepted of it does, the worst first."""

    def decide_all(self, decisions: Sequence[Decision]) -> None:
        """Record several decisions, all or, where one makes no sense, none."""

    def undo(self) -> bool:
        """Take the newest decision back; False when there is none."""

    def redo(self) -> bool:
        """Bring back what undo took; False when there is nothing."""

    def base_text(self, path: str, /) -> Text:
        """Return a file as it was when the proposal was made; empty where there was none."""

    def sessions(self, change_id: str, /) -> Sequence[Session]:
        """Return the sessions that the notes of a change come from."""

    def refresh(self) -> None:
        """Read log, copy and live folder again."""

    def has_moved(self, change_id: str | None = None, /) -> bool:
        """Tell whether a file that a change names (or any change) was touched since it was read."""


class MemoryLike(Protocol):
    """The store as it is, read piece by piece."""

    @property
    def today(self) -> date:
        """The day that ages are counted from."""

    def first_files(self) -> Sequence[FileLine]:
        """Return all files by name, with nothing read yet."""

    def read(
        self, on_progress: Callable[[Progress], None], is_cancelled: Callable[[], bool], /
    ) -> tuple[Sequence[FileLine], Findings]:
        """Read every note, and find what is plain from each file alone."""

    def compare(self) -> Findings:
        """Hold the notes against one another."""

    def again(self, line: FileLine, /) -> FileLine:
        """Return a file as it reads now."""

    def text(self, path: str, /) -> tuple[Text, str]:
        """Return a file as it is right now, and its digest."""

    def weigh(self, path: str, index: int, seen: str, /, *, pinned: bool) -> Pinning:
        """Work out what pinning or unpinning a note would write."""

    def carry_out(self, wanted: Pinning, /) -> ApplyResult:
        """Write a pin, or take it away."""


class WorkspaceLike(Protocol):
    """The one door to a memory folder."""

    @property
    def folder(self) -> str:
        """The folder, absolute."""

    def settle(self) -> Sequence[str]:
        """Finish an unfinished apply; sentences about what was done."""

    def dream(
        self,
        engine: str | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        is_cancelled: Callable[[], bool] | None = None,
    ) -> DreamResult:
        """Dream now."""

    def ready(self) -> Sequence[str]:
        """Return the ids of the proposals that wait, newest first, without opening them."""

    def proposals(self) -> Sequence[ProposalLine]:
        """Return the proposals, newest first."""

    def open(self, proposal: str | None = None) -> OpenReviewLike:
        """Open one proposal for review."""

    def apply(self, proposal: str | None = None, dry_run: bool = False) -> ApplyResult:
        """Write what was accepted."""

    def undo(self, apply: str | None = None, change: str | None = None, dry_run: bool = False) -> ApplyResult:
        """Take an apply, or one change of it, back."""

    def history(self) -> Sequence[HistoryLine]:
        """Return the applies, newest first."""

    def status(self) -> Status:
        """Return the store at a glance."""

    def memory(self) -> MemoryLike:
        """Look at the store as it is, to browse and search it."""
