"""The one door to a store: dream, open a review, apply, undo, status; it holds the clock and the configuration."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError, StoreError, UsageError
from dreamreview.settings import Settings, load
from dreamreview.store import proposals, staging
from dreamreview.store.bookkeeping import FORGETTING, NOTICE
from dreamreview.store.journal import Journal
from dreamreview.store.opening import open_kept
from dreamreview.store.rooted import Root
from dreamreview.workspace.context import Context
from dreamreview.workspace.known import READY, Standing, standings
from dreamreview.workspace.reviewing import OpenReview
from dreamreview.workspace.values import (
    ApplyResult,
    Card,
    Decision,
    DreamResult,
    HistoryLine,
    ImportResult,
    ProposalLine,
    Stale,
    Status,
    There,
)

if TYPE_CHECKING:
    # What dreams, applies and takes back is loaded when it is asked for: no review has to wait for it.
    from dreamreview.dream.engine import Progress
    from dreamreview.dream.refusals import Refusals
    from dreamreview.model.forgetting.receipt import Receipt
    from dreamreview.model.proposal import Change
    from dreamreview.workspace.forgetting import Planned
    from dreamreview.workspace.guarding import Looked
    from dreamreview.workspace.health import Health
    from dreamreview.workspace.memory import OpenMemory

__all__ = [
    "ApplyResult",
    "Card",
    "Decision",
    "DreamResult",
    "HistoryLine",
    "ImportResult",
    "OpenReview",
    "ProposalLine",
    "Stale",
    "Status",
    "There",
    "Workspace",
]


def _ignore_progress(_progress: Progress) -> None:
    return None


def _never() -> bool:
    return False


class Workspace:
    """One memory folder and everything that can be done with it.

    Args:
        folder: the memory folder.
        settings: configuration; the user's own without one.
        now: the clock for dates, ids and log times; the real one, or what ``DREAMREVIEW_NOW`` says, without one.

    Raises:
        StoreError: there is no such folder.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        settings: Settings | None = None,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        settings = settings or load()
        self._context = Context(root=Root(folder), settings=settings, now=now or settings.clock)

    @property
    def folder(self) -> str:
        """The folder as it was chosen, absolute."""
        return self._context.root.folder

    def now(self) -> datetime:
        """Return the time that ages are counted from."""
        return self._context.now()

    def settle(self) -> tuple[str, ...]:
        """Finish or take back what was cut off, and say so; nothing to do is the rule.

        A store that another program holds is left alone: whoever holds it settles it.
        """
        root, journal = self._context.root, Journal(self._context.root)
        is_forgetting = root.exists(FORGETTING)
        is_cut_off = journal.has_remains() or journal.unfinished() or root.exists(NOTICE) or staging.has_temps(root)
        if not (is_cut_off or is_forgetting):
            return ()
        from dreamreview.workspace import writing

        told = writing.settle(root)
        if is_forgetting:
            from dreamreview.workspace import forgetting

            told += forgetting.settle(self._context)
        return told

    def dream(
        self,
        engine: str | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        is_cancelled: Callable[[], bool] | None = None,
    ) -> DreamResult:
        """Dream the store into a proposal, with the configured engine without a name; see `dreaming.dream`."""
        from dreamreview.workspace import dreaming

        self.settle()
        return dreaming.dream(self._context, engine, on_progress or _ignore_progress, is_cancelled or _never)

    def import_(self, source: str, data: bytes | None = None) -> ImportResult:
        """Make a proposal of what others suggest for the store; see `importing.import_`."""
        from dreamreview.workspace import importing

        self.settle()
        return importing.import_(self._context, source, data)

    def proposals(self) -> tuple[ProposalLine, ...]:
        """Return every proposal, newest first; those never opened are opened for their counts.

        Raises:
            StoreError: the folder is gone.
        """
        self._context.root.require()
        return tuple(self._line(found) for found in standings(self._context))

    def ready(self) -> tuple[str, ...]:
        """Return the ids of the proposals that wait, newest first, without opening any."""
        return tuple(found.id for found in standings(self._context) if found.status == READY and not found.problem)

    def at_once(self, proposal: str | None = None) -> OpenReview | None:
        """Open a proposal, or the only one that waits, as it was last opened; None where nothing was kept of it."""
        with suppress(DreamReviewError, OSError):
            waiting = (proposal,) if proposal else self.ready()
            kept = open_kept(self._context.root, waiting[0]) if len(waiting) == 1 else None
            if kept is not None:
                return OpenReview(self._context, waiting[0], kept)
        return None

    def _line(self, found: Standing) -> ProposalLine:
        counts, proposal, problem = found.counts, found.proposal, found.problem
        if proposal is None or found.status == READY:
            try:
                opened = OpenReview(self._context, found.id)
                counts, proposal, problem = opened.counts, opened.proposal, None
            except DreamReviewError as error:
                problem = str(error)
        created = proposal.created_at if proposal else proposals.created_at(self._context.root, found.id)
        engine = proposal.engine.name if proposal else "unknown"
        return ProposalLine(found.id, found.status, created, engine, counts, problem)

    def resolve(self, prefix: str | None) -> str | None:
        """Return the id that a prefix means, or the newest ready one without a prefix; None where nothing is ready.

        Raises:
            UsageError: no proposal, or more than one, begins like that.
        """
        if prefix is None:
            return next((found.id for found in standings(self._context) if found.status == READY), None)
        ids = proposals.list_ids(self._context.root)
        if prefix in ids:
            return prefix
        fitting = [name for name in ids if prefix and name.startswith(prefix)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise UsageError(f"{prefix!a} begins {len(fitting)} proposals: {', '.join(fitting[:5])}; say more of it")
        raise UsageError(f"there is no proposal {prefix!a} in {self.folder}; `dreamreview proposals` lists them")

    def open(self, proposal: str | None = None) -> OpenReview:
        """Open a proposal for review, the newest ready one without a name.

        Raises:
            UsageError: there is no such proposal, or none is ready.
        """
        self.settle()
        found = self.resolve(proposal)
        if found is None:
            raise UsageError(f"no proposal is ready in {self.folder}; `dreamreview dream` makes one")
        return OpenReview(self._context, found)

    def refused(self, engine: str | None, changes: Iterable[Change]) -> Refusals:
        """Return the pairs of statements that a dream looked at and left apart; see `explaining.refused`."""
        from dreamreview.workspace.explaining import refused

        return refused(self._context, engine, changes)

    def text_with(self, review: OpenReview, changes: Iterable[Change]) -> str:
        """Return the whole text of the store with the edits of some changes of a proposal made; nothing is written."""
        from dreamreview.workspace.evaluating import text_with

        return text_with(self._context, review, changes)

    def apply(self, proposal: str | None = None, dry_run: bool = False) -> ApplyResult:
        """Carry out what was accepted of a proposal, in one transaction; what no longer fits is left for review.

        Raises:
            UsageError: there is no such proposal.
            StoreLockedError: another program holds the store.
            StoreError: the system refused something; nothing was written then.
        """
        self.settle()
        found = self.resolve(proposal)
        if found is None:
            return ApplyResult(apply=None, dry_run=dry_run)
        from dreamreview.workspace import giving_back, writing

        def act(is_plan: bool) -> ApplyResult:
            return writing.apply(self._context, found, dry_run=is_plan)

        return giving_back.carried_on(self._context, act, dry_run=dry_run)

    def give_back(self) -> There | None:
        """Write what waits back to the store at the service that the folder is a copy of; see `giving_back`."""
        self.settle()
        from dreamreview.workspace import giving_back

        return giving_back.give_back(self._context)

    def undo(self, apply: str | None = None, change: str | None = None, dry_run: bool = False) -> ApplyResult:
        """Take back an apply (the newest that stands without a name) or one change of it; later edits stay.

        Raises:
            UsageError: there is no such apply or change.
            StoreLockedError: another program holds the store.
            StoreError: the system refused something; nothing was written then.
        """
        self.settle()
        from dreamreview.workspace import giving_back, writing

        def act(is_plan: bool) -> ApplyResult:
            return writing.undo(self._context, apply, change, dry_run=is_plan)

        return giving_back.carried_on(self._context, act, dry_run=dry_run)

    def history(self) -> tuple[HistoryLine, ...]:
        """Return every apply, newest first."""
        from dreamreview.workspace.applied import applied

        self.settle()
        return applied(self._context)

    def plan_forgetting(self, place: str | None = None, match: bytes | None = None) -> Planned:
        """Work out what forgetting something would remove and where; arguments as for `forget`."""
        from dreamreview.workspace import forgetting

        self.settle()
        return forgetting.plan(self._context, forgetting.wish_of(self._context, place, match))

    def forget(self, place: str | None = None, match: bytes | None = None, seen: str | None = None) -> Receipt:
        """Delete something for good, from the memory and from all that is kept of it.

        Args:
            place: ``PATH`` or ``PATH:LINE``.
            match: bytes; every line that holds them goes.
            seen: `Planned.seen` of what was shown; None trusts the memory as it is.

        Raises:
            UsageError: there is no such place, or not just one of the two was given.
            StoreLockedError: another program holds the store.
            StoreError: the system refused something; what was begun by then is finished later.
        """
        from dreamreview.workspace import forgetting

        self.settle()
        return forgetting.forget(self._context, forgetting.wish_of(self._context, place, match), seen=seen)

    def discard(self, proposal: str) -> None:
        """Reject what is undecided in a proposal and close it.

        Raises:
            UsageError: there is no such proposal.
            StoreLockedError: another program holds the store.
        """
        self.settle()
        found = self.resolve(proposal)
        if found is None:
            raise UsageError("name the proposal to discard; `dreamreview proposals` lists them")
        from dreamreview.workspace import writing

        writing.discard(self._context, found)

    def status(self) -> Status:
        """Return how the store stands, for a prompt.

        Raises:
            StoreError: the folder is gone.
        """
        self._context.root.require()
        from dreamreview.workspace.standing import status_of_store

        return status_of_store(self._context, self.settle())

    def look(self, wait: float = 0.0, *, is_known: bool = False) -> Looked:
        """Compare the store with how it was last seen, and keep how it is; see `guarding.look`.

        Raises:
            StoreError: the folder is gone or was replaced, or what is kept of it cannot be read or written.
        """
        self._context.root.require()
        told = self.settle()
        from dreamreview.workspace import guarding

        try:
            looked = guarding.look(self._context, wait, is_known=is_known)
        except StoreError:
            self._context.root.require()  # where the folder itself went, that is what there is to tell
            raise
        return replace(looked, warnings=(*told, *looked.warnings))

    def doctor(self) -> Health:
        """Return what is wrong with the store as it is; changes nothing."""
        from dreamreview.workspace.health import examine

        return examine(self._context)

    def memory(self) -> OpenMemory:
        """Look at the store as it is, to browse and search it; its notes are read when they are asked for.

        Raises:
            StoreError: the folder cannot be looked at.
        """
        self.settle()
        from dreamreview.workspace.memory import OpenMemory

        return OpenMemory(self._context)
