"""Who did what to a store between two looks: step by step, ours, an agent's additions, and what others changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import dreamreview
from dreamreview.model.claims import path_problem
from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import LINK_MODE, OBSERVED, Base, Engine, Proposal
from dreamreview.model.settling import added, carried, is_addition
from dreamreview.store import proposals
from dreamreview.store.copying import tree_mode
from dreamreview.store.history import History
from dreamreview.store.snapshots import Snapshots
from dreamreview.store.undeclared import differences
from dreamreview.workspace.dreaming import summary_of
from dreamreview.workspace.flagging import plants, watched

if TYPE_CHECKING:
    from dreamreview.model.records import Record
    from dreamreview.store.noticing import Noticed
    from dreamreview.store.seen import Seen
    from dreamreview.workspace.context import Context

WATCH = "watch"
"""Name of the engine of a proposal of what others changed already."""

REASON = "Somebody did this in the folder itself already: accept keeps it, reject takes it back."

NARRATIVE = (
    "These changes were made in the folder itself, by an agent, an editor or another program. "
    "Accept keeps a change as it is, reject takes it back; what is undecided stays as it is."
)

States = Mapping[str, FileState | None]


@dataclass(frozen=True, slots=True)
class Traced:
    """What a look found."""

    live: States
    """Paths that are not as they were seen before, as they are; None for nothing."""
    base: States
    """Paths that others changed, as they would be without that; None for nothing."""
    after: States
    """The same paths as they are."""
    at: str
    commit: str

    def changes_of(self, context: Context) -> Proposal | None:
        """Return what others changed as a proposal without an id; None where they changed nothing."""
        if not self.base:
            return None
        before = {path: state for path, state in self.base.items() if state is not None}
        after = {path: state for path, state in self.after.items() if state is not None}
        changes = tuple(
            watched(one) for one in differences(before, after, context.differ, reason=REASON, has_own_modes=True)
        )
        return Proposal(
            id="",
            created_at=context.instant(),
            base=Base(kind=OBSERVED, digest="", at=self.at, tree=self.commit),
            changes=changes,
            engine=Engine(name=WATCH, version=dreamreview.__version__),
            summary=summary_of(changes),
            narrative=NARRATIVE,
        )


def trace(
    context: Context, before: Seen, noticed: Noticed, applied: int, folded: States, *, keeps_all: bool = False
) -> Traced:
    """Follow every path that was touched from how it was seen last to how it is.

    Args:
        context: the store.
        before: how it was seen last.
        noticed: how it is.
        applied: number of the last apply or undo of ours that is part of it.
        folded: what was just decided about paths that others changed.
        keeps_all: whether all that others changed is settled as it is.

    Raises:
        StoreError: the snapshots or the history are damaged.
    """
    records = [one for one in context.records() if before.applied < one.number <= applied]
    return _Tracing(context, before, noticed, records, folded).run(keeps_all=keeps_all)


@dataclass(slots=True)
class _Step:
    """One transaction of ours on one path."""

    before: FileState | None
    after: FileState | None
    is_settled: bool
    """False for what takes back what others did, or undoes that: it decides nothing about the base."""


class _Tracing:
    """Everything that is known of the paths that were touched."""

    def __init__(self, context: Context, before: Seen, noticed: Noticed, records: list[Record], folded: States) -> None:
        self._context = context
        self._before = before
        self._noticed = noticed
        self._folded = folded
        self._steps: dict[str, list[_Step]] = defaultdict(list)
        for record in records:
            self._take(record)
        self._touched = {*noticed.differs, *before.others, *self._steps, *folded}
        self._seen_texts = Snapshots(context.root).texts(before.commit, self._touched, before=False)
        self._base_texts = Snapshots(context.root).texts(before.commit, before.others)

    def _take(self, record: Record) -> None:
        """Note what a transaction of ours did, path by path."""
        if record.commit is None:
            return
        history, is_settled = History(self._context.root), not _is_observed(self._context, record)
        paths = [target.path for target in record.targets]
        was, became = history.files(f"{record.commit}^", paths), history.files(record.commit, paths)
        for target in record.targets:
            first = _state(was.get(target.path), target.before_mode if target.before is not None else None)
            last = _state(became.get(target.path), target.after_mode if target.after is not None else None)
            self._steps[target.path].append(_Step(first, last, is_settled))

    def run(self, *, keeps_all: bool) -> Traced:
        """Return what came of it."""
        live: dict[str, FileState | None] = {}
        base: dict[str, FileState | None] = {}
        after: dict[str, FileState | None] = {}
        for path in sorted(self._touched):
            then, now = self._then(path), self._now(path)
            if not _same(then, now):
                live[path] = now
            wanted = now if keeps_all or path_problem(path) else self._wanted(path, then, now)
            if not _same(wanted, now):
                base[path], after[path] = wanted, now
        return Traced(live, base, after, self._before.at, self._before.commit)

    def _then(self, path: str) -> FileState | None:
        stamp = self._before.live.get(path)
        return _state(self._seen_texts.get(path), stamp.mode if stamp else None)

    def _now(self, path: str) -> FileState | None:
        stamp = self._noticed.live.get(path)
        if stamp is None:
            return None
        data = self._noticed.texts.get(path)
        return _state(self._seen_texts.get(path) if data is None else data, stamp.mode)

    def _wanted(self, path: str, then: FileState | None, now: FileState | None) -> FileState | None:
        """Return what a path would hold without what others did to it."""
        differ, at = self._context.differ, then
        wanted = self._base(path, then)
        for step in self._steps.get(path, ()):
            if self._is_addition(path, at, step.before):
                wanted = carried(wanted, at, step.before, differ)
            if step.is_settled:
                wanted = carried(wanted, step.before, step.after, differ)
            at = step.after
        if path in self._folded:
            wanted = self._folded[path]
        return carried(wanted, at, now, differ) if self._is_addition(path, at, now) else wanted

    def _base(self, path: str, then: FileState | None) -> FileState | None:
        if path not in self._before.others:
            return then
        stamp = self._before.others[path]
        return _state(self._base_texts.get(path), stamp.mode if stamp else None)

    def _is_addition(self, path: str, before: FileState | None, after: FileState | None) -> bool:
        """Tell whether what somebody added needs no decision; what reads like an order or hides text does."""
        if after is None or not is_addition(path, before, after):
            return False
        return not plants(added(before, after))


def _is_observed(context: Context, record: Record) -> bool:
    if record.proposal not in proposals.list_ids(context.root):
        return False
    found = proposals.peek(context.root, record.proposal)
    return found is not None and found.is_observed


def _state(data: bytes | None, mode: int | None) -> FileState | None:
    if data is None or mode is None:
        return None
    return FileState((data,) if mode == LINK_MODE else split_lines(data), mode)


def _same(one: FileState | None, other: FileState | None) -> bool:
    """Tell whether a path holds the same: bytes, kind and executable bit."""
    if one is None or other is None:
        return one is other
    return one.text == other.text and tree_mode(one.mode) == tree_mode(other.mode)
