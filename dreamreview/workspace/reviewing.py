"""One proposal under review: its changes, the decisions on them, and what is derived for a person to see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError, UsageError
from dreamreview.model.derived import Derived
from dreamreview.model.narrative import SUMMARY_MISMATCH, mismatches
from dreamreview.model.proposal import GONE
from dreamreview.model.records import Record, applied_units, apply_of, released
from dreamreview.model.review import (
    Counts,
    LogEntry,
    Op,
    Review,
    count,
    parse_target,
    reduce,
    seen_of,
    validate,
)
from dreamreview.model.secrets import mask
from dreamreview.store import reviews
from dreamreview.store.bookkeeping import MANIFEST, PROPOSALS
from dreamreview.store.opening import open_copy
from dreamreview.workspace.fitting import Fitting
from dreamreview.workspace.marking import marked, touching_pins
from dreamreview.workspace.recalled import shifting
from dreamreview.workspace.restating import brings_news, restatements
from dreamreview.workspace.values import Card, Decision, Stale

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.model.fidelity import Fidelity
    from dreamreview.model.files import FileState
    from dreamreview.model.proposal import Change, Evidence, Proposal
    from dreamreview.store.views import OpenedCopy
    from dreamreview.workspace.context import Context
    from dreamreview.workspace.sessions import Session

MANY_FILES = 300
"""Files of a store from which the first card is shown before what is derived is worked out."""

AUTHOR = "person"
"""Who decides: only people do, whatever front end they use."""


class OpenReview:
    """A proposal as it is now, with the decisions on it. Bytes and texts in it are raw: whoever draws them masks.

    Args:
        context: the store.
        proposal_id: which proposal.
        kept: the proposal as it was last opened, to begin with; `examine` reads it again.
        keeps: as for `open_copy`.
    """

    def __init__(
        self, context: Context, proposal_id: str, kept: OpenedCopy | None = None, *, keeps: bool = False
    ) -> None:
        self._context = context
        self._keeps = keeps
        self._id = proposal_id
        self._writing = RLock()
        """Held while decisions or what they stand on change: an app reads again in the background."""
        self._is_kept = kept is not None
        if kept is None:
            self.refresh()
        else:
            self._take(kept)

    def refresh(self) -> None:
        """Read the copy, the log, the history and the live folder again."""
        context = self._context
        opened = open_copy(
            context.root,
            self._id,
            context.scan,
            context.differ,
            ignore=context.settings.ignore,
            size_limit=context.settings.size_limit,
            now=context.now(),
            keeps=self._keeps,
        )
        with self._writing:
            self._is_kept = False
            self._take(opened)

    def _take(self, opened: OpenedCopy) -> None:
        self._opened = opened
        self._seen: dict[str, str] = {}
        self._fitting = Fitting(self._context, opened)
        self._stamps: dict[str, object] | None = None
        """Path to its stat in the store and in the copy, as first looked at since; None before the first look."""
        for name in ("_restated", "_shifting", "_pinned"):
            self.__dict__.pop(name, None)
        self.reload()

    def reload(self) -> None:
        """Read the log and the history again, not the copy."""
        with self._writing:
            self._records: tuple[Record, ...] = self._context.records()
            self._log = reviews.load(self._context.root, self._id)
            self._entries: list[LogEntry] = list(self._log.entries)
            for name in ("_stale", "_derived", "_rejected_before"):
                self.__dict__.pop(name, None)
            self._reduce()

    def _reduce(self) -> None:
        self._review = reduce(
            self.proposal.changes,
            self._entries,
            released(self._records, self._id),
            {} if self.proposal.is_observed else applied_units(self._records, self._id),
            seen=self._seen,
            base_lines=self.base_text,
            is_read_only=self._log.read_only,
        )

    def has_moved(self, change_id: str | None = None) -> bool:
        """Tell whether a file that a change names (or any change) was touched, in the store or in the copy.

        It is held against the first call since the proposal was read, and only looks at names, sizes and times.
        """
        named = {edit.path for change in self.proposal.changes for edit in change.all_edits}
        if self._stamps is None:
            self._stamps = {path: self._stamp(path) for path in (*named, MANIFEST)}
            return False
        change = self.proposal.change(change_id) if change_id is not None else None
        asked = {edit.path for edit in change.all_edits} if change is not None else named
        return any(self._stamps.get(path) != self._stamp(path) for path in (*asked, MANIFEST))

    def _stamp(self, path: str) -> object:
        found: list[object] = []
        for where in (path, f"{PROPOSALS}/{self._id}/{path}"):
            try:
                stat = self._context.root.stat(where)
            except (DreamReviewError, OSError):
                stat = None
            found.append((stat.st_mtime_ns, stat.st_size, stat.st_ino, stat.st_mode) if stat else None)
        return found

    @property
    def proposal(self) -> Proposal:
        """The proposal as its copy shows it."""
        return self._opened.proposal

    @property
    def review(self) -> Review:
        """The decisions so far."""
        return self._review

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was odd, one sentence each."""
        claims = (
            f"{SUMMARY_MISMATCH}: {claim}" for claim in mismatches(self.proposal.narrative, self.proposal.changes)
        )
        return (*self._opened.warnings, *self._log.warnings, *claims)

    @property
    def counts(self) -> Counts:
        """How many changes are in which state."""
        applied = apply_of(self._records, self._id)
        return count(self._review.of.values(), stale=len(self._stale), applied=len(applied))

    @property
    def first_counts(self) -> Counts:
        """How many changes are in which state, without a look at the live folder: none counts as stale yet."""
        return count(self._review.of.values(), applied=len(apply_of(self._records, self._id)))

    @property
    def last_decision(self) -> int:
        """Number of the newest log entry; 0 without one."""
        return self._review.next_n - 1

    def base_text(self, path: str) -> Text:
        """Return what a path holds in the base; nothing where it is not there."""
        state = self._opened.base(path)
        return state.text if state else ()

    def proposed_text(self, path: str) -> Text:
        """Return what a path holds in the copy; nothing where it is not there."""
        state = self._opened.proposed(path)
        return state.text if state else ()

    def base_state(self, path: str) -> FileState | None:
        """Return what stands under a path in the base."""
        return self._opened.base(path)

    def proposed_state(self, path: str) -> FileState | None:
        """Return what stands under a path in the copy, or where the changes were made already, in the folder."""
        return self._opened.proposed(path)

    def card(self, change_id: str) -> Card:
        """Return one card.

        Raises:
            UsageError: there is no such change.
        """
        change = self._change(change_id)
        from dreamreview.model.loss import is_destructive

        derived = self._derived.get(change_id, Derived())
        change = change.flagged(flag for each in derived.planted for flag in each.flags)
        return Card(
            change=marked(
                change,
                self._restated.get(change_id, ()),
                is_shifting=change_id in self._shifting,
                is_pinned=change_id in self._pinned,
            ),
            review=self._review.of[change_id],
            applied=apply_of(self._records, self._id).get(change_id),
            stale=self._stale.get(change_id),
            derived=derived,
            is_destructive=change_id in self._pinned or is_destructive(change, derived, self.base_text),
            rejected_before=change.fingerprint in self._rejected_before,
        )

    def cards(self) -> tuple[Card, ...]:
        """Return all cards, in the order of the proposal."""
        return tuple(self.card(change.id) for change in self.proposal.changes)

    def fidelity(self, *, is_chosen: bool = False) -> Fidelity:
        """Return what the proposal, or what was chosen of it, would do beyond its own words, the worst first."""
        from dreamreview.workspace.fidelity import report_on

        return report_on(self, self._opened, self._context.settings.policy, is_chosen=is_chosen)

    @property
    def is_slow_to_examine(self) -> bool:
        """Tell whether what is derived takes longer to work out than a person wants to wait for the first card."""
        is_large = "_derived" not in self.__dict__ and len(self._opened.proposed_paths) > MANY_FILES
        return self._is_kept or is_large or ("_restated" not in self.__dict__ and brings_news(self.proposal))

    def first_cards(self) -> tuple[Card, ...]:
        """Return all cards with nothing derived yet; until then each counts as destructive, so that bulk asks."""
        applied = apply_of(self._records, self._id)
        return tuple(
            Card(
                change=change,
                review=self._review.of[change.id],
                applied=applied.get(change.id),
                stale=None,
                derived=Derived(),
                is_destructive=True,
                rejected_before=change.fingerprint in self._rejected_before,
            )
            for change in self.proposal.changes
        )

    def examine(self) -> None:
        """Read what was only kept, and work out what is derived, so that `cards` answers at once."""
        if self._is_kept:
            self.refresh()
        self.cards()

    def sessions(self, change_id: str) -> list[Session]:
        """Return the sessions that the notes of a change come from.

        Raises:
            UsageError: there is no such change.
        """
        from dreamreview.workspace.sessions import sessions_behind

        context = self._context
        return sessions_behind(context.root.path, context.settings, self._change(change_id), self.base_text)

    def _change(self, change_id: str) -> Change:
        change = self.proposal.change(change_id)
        if change is None:
            raise UsageError(f"there is no change {change_id!r} in proposal {self._id}")
        return change

    def decide(
        self,
        op: Op,
        target: str,
        *,
        choice: str | None = None,
        text: bytes | None = None,
        reason: str = "",
        seen: str | None = None,
    ) -> None:
        """Write one decision to the log.

        Raises:
            UsageError: it makes no sense, or the change is no longer what was seen.
        """
        self.decide_all([Decision(op, target, choice, text, reason, seen)])

    def decide_all(self, decisions: Sequence[Decision]) -> None:
        """Write several decisions to the log, all of them or, where one makes no sense, none.

        One undo takes them all back.

        Raises:
            UsageError: one of them makes no sense, or its change is no longer what was seen.
        """
        self._refuse_read_only()
        with self._writing:
            first = self._review.next_n
            of = first if len(decisions) > 1 else None
            self._append([self._entry(decision, number, of) for number, decision in enumerate(decisions, first)])

    def _entry(self, decision: Decision, number: int, of: int | None) -> LogEntry:
        target = parse_target(decision.target)
        change = self.proposal.change(target.change)
        op, choice = decision.op, decision.choice
        if op is Op.CHOOSE and choice == "skip":
            op, choice = Op.SKIP, None
        validate(
            change,
            op,
            target,
            choice,
            text=decision.text,
            review=self._review.of.get(target.change),
            changes=self.proposal.changes,
            base_lines=self.base_text,
        )
        if change is not None and GONE in change.flags and op in (Op.ACCEPT, Op.CHOOSE, Op.EDIT):
            raise UsageError(f"change {target.change} is not in the copy any more, which was edited by hand")
        seen = seen_of(change) if change is not None else None
        if decision.seen is not None and decision.seen != seen:
            raise UsageError(f"change {target.change} is no longer what was shown: look at it again, then decide")
        return LogEntry(
            n=number,
            at=self._context.instant(),
            by=AUTHOR,
            op=op,
            on=str(target),
            choice=choice,
            text=decision.text,
            reason=mask(decision.reason),
            seen=seen,
            of=of,
        )

    def undo(self) -> bool:
        """Take the newest decision back, with those of the same breath; False when there is none."""
        with self._writing:
            return self._step(Op.UNDO, self._review.undoes_together if self._review.can_undo else ())

    def redo(self) -> bool:
        """Make the decisions again that undo took back last; False when there is none."""
        with self._writing:
            return self._step(Op.REDO, self._review.redoes_together if self._review.can_redo else ())

    def _step(self, op: Op, numbers: Sequence[int]) -> bool:
        self._refuse_read_only()
        if not numbers:
            return False
        at, first = self._context.instant(), self._review.next_n
        self._append([LogEntry(n=n, at=at, by=AUTHOR, op=op, of=of) for n, of in enumerate(numbers, first)])
        return True

    def _append(self, entries: list[LogEntry]) -> None:
        reviews.append(self._context.root, self._id, entries)
        self._entries += entries
        self.__dict__.pop("_stale", None)
        self._reduce()

    def _refuse_read_only(self) -> None:
        if self._review.is_read_only:
            raise UsageError(f"the review of {self._id} was written by a newer dreamreview: update, then decide")

    @cached_property
    def _derived(self) -> Mapping[str, Derived]:
        from dreamreview.model.loss import derive
        from dreamreview.workspace.flagging import with_planted

        opened, changes = self._opened, self.proposal.changes
        derived = derive(changes, opened.base, opened.proposed, opened.proposed_paths)
        return with_planted(changes, derived, self.base_text)

    @cached_property
    def _restated(self) -> Mapping[str, tuple[Evidence, ...]]:
        return restatements(self._opened, self._context.now().date())

    @cached_property
    def _pinned(self) -> frozenset[str]:
        return touching_pins(self.proposal.changes, self.base_text)

    @cached_property
    def _shifting(self) -> frozenset[str]:
        return frozenset() if self.proposal.is_observed else shifting(self._context.root, self.proposal.changes)

    @cached_property
    def _rejected_before(self) -> frozenset[str]:
        return reviews.rejected_fingerprints(self._context.root, besides=self._id)

    @cached_property
    def _stale(self) -> Mapping[str, Stale]:
        return self._fitting.stale(self._review.of, self._records)
