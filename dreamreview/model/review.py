"""What was decided about a proposal so far: a pure reducer from its changes and a log to one value."""

from __future__ import annotations

import hashlib
import json
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from dreamreview.errors import UsageError
from dreamreview.model.decisions import (
    LoadedLog,
    LogEntry,
    Op,
    Target,
    UnknownEntryError,
    entry_from_json,
    entry_line,
    entry_to_json,
    parse_log,
    parse_target,
)
from dreamreview.model.manifest_write import edit_to_json, option_to_json
from dreamreview.model.proposal import GONE
from dreamreview.model.third import BaseLines, third_edit, third_side
from dreamreview.model.units import ChangeReview, Chosen, State, Units
from dreamreview.model.validity import check_decision, check_shape, check_unmasked, third_clash
from dreamreview.model.verdicts import judge_change

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change

__all__ = [
    "ChangeReview",
    "Chosen",
    "Counts",
    "LoadedLog",
    "LogEntry",
    "Op",
    "Review",
    "State",
    "Target",
    "UnknownEntryError",
    "count",
    "entry_from_json",
    "entry_line",
    "entry_to_json",
    "group_state",
    "parse_log",
    "parse_target",
    "reduce",
    "seen_of",
    "validate",
]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many changes are in which state."""

    changes: int = 0
    """Sum of the six states."""
    undecided: int = 0
    accepted: int = 0
    rejected: int = 0
    edited: int = 0
    skipped: int = 0
    partial: int = 0
    stale: int = 0
    """Counted beside the states, like `applied`."""
    applied: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """The decisions made so far over the changes of a proposal."""

    of: Mapping[str, ChangeReview]
    """Change to what was decided about it, for every change, in their order."""
    next_n: int = 1
    """Number of the next log entry."""
    can_undo: bool = False
    can_redo: bool = False
    is_read_only: bool = False
    undoes_together: tuple[int, ...] = ()
    """Numbers of the entries that an undo takes back now, decided in the same breath, in that order."""
    redoes_together: tuple[int, ...] = ()
    """Numbers of those that a redo makes again now."""
    ignored: tuple[int, ...] = ()
    """Numbers of decisions that make no sense for these changes: unknown ids, an accepted conflict."""

    @property
    def undoes(self) -> int | None:
        """Number of the entry that an undo takes back first."""
        return next(iter(self.undoes_together), None)

    @property
    def redoes(self) -> int | None:
        """Number of the entry that a redo makes again first."""
        return next(iter(self.redoes_together), None)


def seen_of(change: Change) -> str:
    """Return what a decision on a change is bound to: a sha256 in hex over its id, its edits and its options.

    What the copy no longer shows has another, so that earlier decisions on it are void.
    """
    shown = {
        "id": change.id,
        "edits": [edit_to_json(edit) for edit in change.edits],
        "options": [option_to_json(option) for option in change.options],
    }
    digest = hashlib.sha256(json.dumps(shown, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    return f"{GONE}-{digest}" if GONE in change.flags else digest


def count(reviews: Iterable[ChangeReview], stale: int = 0, applied: int = 0) -> Counts:
    """Roll states up into counts; `stale` and `applied` are counted by the caller, who knows the live folder."""
    by_state = Counter(review.state for review in reviews)
    return Counts(
        changes=by_state.total(),
        undecided=by_state[State.UNDECIDED],
        accepted=by_state[State.ACCEPTED],
        rejected=by_state[State.REJECTED],
        edited=by_state[State.EDITED],
        skipped=by_state[State.SKIPPED],
        partial=by_state[State.PARTIAL],
        stale=stale,
        applied=applied,
    )


def group_state(states: Iterable[State]) -> State:
    """Return the state of a file or group: that of all its changes, or partial; accepted where some are edited."""
    found = set(states)
    if len(found) == 1:
        return found.pop()
    if found == {State.ACCEPTED, State.EDITED}:
        return State.ACCEPTED
    return State.PARTIAL if found else State.UNDECIDED


def validate(
    change: Change | None,
    op: Op,
    target: Target,
    choice: str | None = None,
    *,
    text: bytes | None = None,
    review: ChangeReview | None = None,
    changes: Iterable[Change] = (),
    base_lines: BaseLines | None = None,
) -> None:
    """Make sure that a decision makes sense before it is written to the log.

    Args:
        change: the change it is about; None when the proposal has none with that id.
        op: what to do.
        target: what with.
        choice: option key, ``both`` or ``skip``, for CHOOSE.
        text: the person's text, for EDIT.
        review: what was decided about the change so far; makes the check of lines and options exact.
        changes: all changes of the proposal, to refuse a third text where another change edits the same lines.
        base_lines: base text of a path, to refuse a third text for lines that are not there.

    Raises:
        UsageError: it does not; the message says why and what to do.
    """
    if op in {Op.UNDO, Op.REDO}:
        return
    known = _known(change, target)
    check_decision(known, op, target, choice, text=text, review=review)
    check_unmasked(known, op, target, choice, text, base_lines)
    _check_third(known, op, target, changes)
    if op is Op.EDIT and known.options and base_lines is not None:
        side = third_side(known, target.edit)
        if side is None or third_edit(side, base_lines, target.edit) is None:
            raise UsageError(f"the lines that {known.id} speaks of are not in the base: choose an option instead")


def _known(change: Change | None, target: Target) -> Change:
    if change is None:
        raise UsageError(f"there is no change {target.change} in this proposal")
    return change


def _check_third(change: Change, op: Op, target: Target, changes: Iterable[Change]) -> None:
    if op is Op.EDIT and change.options:
        other = third_clash(change, target, changes)
        if other:
            raise UsageError(f"change {other} edits the same lines: choose an option of {change.id} instead")


@dataclass(frozen=True, slots=True)
class _Read:
    """A decision of the log whose target is known and makes sense."""

    entry: LogEntry
    target: Target
    is_stale: bool
    """Whether the change is no longer what was seen."""


@dataclass(slots=True)
class _Stack:
    """Which entries of a log are in force once every undo and redo is followed; entries go by their place in it."""

    open: frozenset[int]
    """Decisions that count unless they are taken back."""
    live: list[int] = field(default_factory=list)
    """Those not taken back so far, in order."""
    taken_back: set[int] = field(default_factory=set)
    undone: list[int] = field(default_factory=list)
    """Those that a redo can make again, newest last."""
    places: dict[int, int] = field(default_factory=dict)
    """Number of a decision to its place."""

    def follow(self, place: int, entry: LogEntry) -> None:
        """Take one more entry of the log into account."""
        if entry.op is Op.UNDO:
            self._undo(self._newest() if entry.of is None else self.places.get(entry.of))
        elif entry.op is Op.REDO:
            self._redo(self.undone[-1] if entry.of is None and self.undone else self.places.get(entry.of or 0))
        else:
            self.undone.clear()
            self.places[entry.n] = place
            if place in self.open:
                self.live.append(place)

    def _newest(self) -> int | None:
        return self.live[-1] if self.live else None

    def _undo(self, place: int | None) -> None:
        if place is None or place in self.taken_back:
            return
        self.taken_back.add(place)
        self.undone.append(place)
        if place in self.open:
            self.live.remove(place)

    def _redo(self, place: int | None) -> None:
        if place is None or place not in self.undone:
            return
        self.undone.remove(place)
        self.taken_back.discard(place)
        if place in self.open:
            insort(self.live, place)


def _followed(entries: Iterable[LogEntry], counting: frozenset[int]) -> _Stack:
    stack = _Stack(open=counting)
    for place, entry in enumerate(entries):
        stack.follow(place, entry)
    return stack


def reduce(
    changes: Sequence[Change],
    entries: Sequence[LogEntry],
    released: Mapping[str, int] | None = None,
    applied: Mapping[str, Mapping[str, Units]] | None = None,
    *,
    seen: MutableMapping[str, str] | None = None,
    base_lines: BaseLines | None = None,
    is_read_only: bool = False,
) -> Review:
    """Work out what a log of decisions comes to; never raises on any log.

    Args:
        changes: those of the proposal.
        entries: the log, in the order of its lines.
        released: change to the number up to which decisions on it are void, since its apply was undone.
        applied: change to edit to the units that applies carried out: accepted for good, and no longer chosen.
        seen: `seen_of` by change, kept by the caller and added to: worked out once for changes that were decided.
        base_lines: base text of a path, for `old` of a conflict's third text. Pass it wherever bytes are written.
        is_read_only: whether the log holds entries of a newer version.
    """
    released, applied = released or {}, applied or {}
    read, ignored = _read_all(changes, entries, {} if seen is None else seen)
    read = {place: each for place, each in read.items() if each.entry.n > released.get(each.target.change, 0)}
    stack = _followed(entries, frozenset(place for place, each in read.items() if not each.is_stale))
    in_force = [each for place, each in read.items() if place not in stack.taken_back]
    of = _judge_all(changes, in_force, applied, base_lines)
    done = _done(of, applied)
    undoes = _together(entries[place] for place in reversed(stack.live) if read[place].target.change not in done)
    redoes = _together(entries[place] for place in reversed(stack.undone))
    return Review(
        of=of,
        next_n=max((entry.n for entry in entries), default=0) + 1,
        can_undo=bool(undoes) and not is_read_only,
        can_redo=bool(redoes) and not is_read_only,
        is_read_only=is_read_only,
        undoes_together=undoes,
        redoes_together=redoes,
        ignored=ignored,
    )


def _together(entries: Iterable[LogEntry]) -> tuple[int, ...]:
    """Return the number of the first entry, and of those right behind it that were decided in the same breath."""
    entries = iter(entries)
    first = next(entries, None)
    if first is None:
        return ()
    same = takewhile(lambda entry: first.of is not None and entry.of == first.of, entries)
    return (first.n, *(entry.n for entry in same))


def _read_all(
    changes: Sequence[Change], entries: Sequence[LogEntry], seen: MutableMapping[str, str]
) -> tuple[dict[int, _Read], tuple[int, ...]]:
    """Return the decisions that make sense, by their place in the log, and the numbers of those that do not."""
    known = {change.id: change for change in changes}
    read: dict[int, _Read] = {}
    ignored: list[int] = []
    for place, entry in enumerate(entries):
        if entry.op in {Op.UNDO, Op.REDO}:
            continue
        try:
            target = parse_target(entry.on)
            change = _known(known.get(target.change), target)
            check_shape(change, entry.op, target, entry.choice, entry.text)
            _check_third(change, entry.op, target, changes)
        except UsageError:
            ignored.append(entry.n)
            continue
        if entry.seen is not None and target.change not in seen:
            seen[target.change] = seen_of(change)
        is_stale = entry.seen is not None and entry.op is not Op.NOTE and entry.seen != seen[target.change]
        read[place] = _Read(entry, target, is_stale)
    return read, tuple(ignored)


def _judge_all(
    changes: Sequence[Change],
    in_force: Iterable[_Read],
    applied: Mapping[str, Mapping[str, Units]],
    base_lines: BaseLines | None,
) -> dict[str, ChangeReview]:
    by_change: dict[str, list[_Read]] = {}
    for each in in_force:
        by_change.setdefault(each.target.change, []).append(each)
    of: dict[str, ChangeReview] = {}
    for change in changes:
        decisions, done = by_change.get(change.id, []), applied.get(change.id)
        if not decisions and not done:
            of[change.id] = _UNDECIDED
            continue
        weighty = [each for each in decisions if each.entry.op is not Op.NOTE]
        valid = [(each.entry, each.target) for each in decisions if not each.is_stale]
        is_void = bool(weighty) and weighty[-1].is_stale
        of[change.id] = judge_change(change, valid, done, base_lines, is_void=is_void)
    return of


_UNDECIDED = ChangeReview()


def _done(of: Mapping[str, ChangeReview], applied: Mapping[str, Mapping[str, Units]]) -> set[str]:
    """Return the changes all of which was applied, so that no decision about them can be taken back."""
    reviews = {change_id: of[change_id] for change_id, units in applied.items() if units and change_id in of}
    return {
        change_id
        for change_id, review in reviews.items()
        if review.is_settled and not review.chosen and not review.rejected
    }
