"""Changes behind our back: what others did to a store since it was last looked at becomes a proposal to keep or not.

What we wrote ourselves and what an agent only added is settled without a word. The rest stays in the one open proposal
of its kind until it is decided, however often the store is looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError
from dreamreview.model.files import FileState
from dreamreview.store import observed, proposals, seen
from dreamreview.store.composing import names_of
from dreamreview.store.copying import Stamp
from dreamreview.store.journal import Journal
from dreamreview.store.noticing import Noticed, notice
from dreamreview.store.proposals import distrusted
from dreamreview.store.rooted import shown
from dreamreview.store.scan import digest_of
from dreamreview.store.seen import Seen
from dreamreview.store.snapshots import Held, Snapshots, looking

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change, Proposal
    from dreamreview.store.bases import BaseRecord
    from dreamreview.workspace.context import Context

READY = "ready"

ATTEMPTS = 20
"""Looks that may be spoilt by an apply of ours before one is left for later."""

RETRY_SECONDS = 0.1

Folded = Mapping[str, FileState | None]
"""Path to what it is to hold once what was decided about it is settled, None for nothing."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What came of a look at a store."""

    proposal: str | None = None
    """The open proposal of what others changed."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Kind to number of the changes in it."""
    alarms: tuple[str, ...] = ()
    """What is alarming about those that are undecided, one sentence each."""
    files: int = 0
    """Files and links of the store."""
    is_first: bool = False
    """Whether there was nothing to compare with: the store was kept as it is."""
    is_news: bool = False
    """Whether that proposal was made, or changed, by this look."""
    is_busy: bool = False
    """Whether the store could not be looked at now, since an apply or another look is under way."""
    warnings: tuple[str, ...] = ()


def look(
    context: Context, wait: float = 0.0, pause: Callable[[float], None] = time.sleep, *, is_known: bool = False
) -> Looked:
    """Compare a store with how it was last seen, and keep how it is.

    Args:
        context: the store.
        wait: seconds to wait for another look to end.
        pause: waits for some seconds.
        is_known: whether it was looked at before: a folder of that name of which nothing is known is another one.

    Raises:
        StoreError: the folder is gone or was replaced, or its snapshots cannot be read or written.
    """
    if is_known and not context.root.exists(seen.PLACE):
        raise StoreError(f"{shown(context.root.folder)} is not the folder that was watched; it waits for that one")
    with looking(context.root, wait) as is_ours:
        return Look(context, pause).take() if is_ours else Looked(is_busy=True)


class Look:
    """One look at a store, of which there is one at a time: `looking` is held.

    Args:
        context: the store.
        pause: waits for some seconds.
        folded: what was just decided about paths that others changed.
        keeps_all: whether all that others changed is settled as it is.
    """

    def __init__(
        self,
        context: Context,
        pause: Callable[[float], None] = time.sleep,
        folded: Folded | None = None,
        *,
        keeps_all: bool = False,
    ) -> None:
        self._context = context
        self._root = context.root
        self._pause = pause
        self._folded = folded or {}
        self._keeps_all = keeps_all
        self._before, warning = seen.read(context.root)
        self._warnings = [warning] if warning else []

    def take(self) -> Looked:
        """Look, and write down what was seen."""
        found = self._between_applies()
        if found is None:
            return Looked(is_busy=True)
        noticed, applied = found
        self._warn(noticed)
        before = self._before
        if before is None:
            return self._first(noticed, applied)
        if self._is_quiet(before, noticed, applied):
            if distrusted(noticed.live) != before.live:
                seen.write(self._root, replace(before, live=distrusted(noticed.live), mounts=noticed.mounts))
            return self._looked(before.proposal, noticed)
        return self._compare(before, noticed, applied)

    def _between_applies(self) -> tuple[Noticed, int] | None:
        """Look while no apply of ours is half done; return the number of the last one, too."""
        journal = Journal(self._root)
        for _ in range(ATTEMPTS):
            last = journal.last()
            if not journal.has_remains():
                noticed = notice(self._root, self._before, self._context.scan, self._pause)
                if journal.last() == last and not journal.has_remains():
                    return noticed, last
            self._pause(RETRY_SECONDS)
        return None

    def _warn(self, noticed: Noticed) -> None:
        self._warnings += [f"{path} is being written to just now; it is looked at later" for path in noticed.unsteady]
        self._warnings += [f"{path}: {reason}" for path, reason in noticed.unread.items()]

    def _first(self, noticed: Noticed, applied: int) -> Looked:
        changed = {path: (data, noticed.live[path].mode) for path, data in noticed.texts.items()}
        now, number = self._context.now(), self._next_number()
        commit = Snapshots(self._root).keep(number, now, changed, {})
        live = distrusted(noticed.live)
        fresh = Seen(self._context.instant(), number, commit, applied, live, mounts=noticed.mounts)
        left = self._left_open()
        if left is not None:
            return self._taken_up(fresh, left)
        seen.write(self._root, fresh)
        return replace(self._looked(None, noticed), is_first=True)

    def _left_open(self) -> BaseRecord | None:
        """Return what is known of an open proposal of what others did, where what was seen last is lost."""
        for name in proposals.list_ids(self._root):
            record = observed.record_of(self._root, name)
            if record is not None and record.proposal.status == READY:
                return record
        return None

    def _taken_up(self, fresh: Seen, left: BaseRecord) -> Looked:
        """Go on from what an open proposal knows: what is undecided in it stays undecided."""
        names = {name for change in left.proposal.changes for edit in change.edits for name in names_of(edit)}
        others = {path: left.base.get(path) for path in names}
        texts = {path: (data, left.base[path].mode) for path, data in left.texts.items()}
        number = fresh.number + 1
        commit = Snapshots(self._root).keep(number, self._context.now(), {}, texts, fresh.commit)
        known = replace(fresh, number=number, commit=commit, others=others, proposal=left.proposal.id, is_told=False)
        seen.write(self._root, known)
        looked = Look(self._context, self._pause, self._folded, keeps_all=self._keeps_all).take()
        return replace(looked, warnings=(*self._warnings, *looked.warnings))

    def _next_number(self) -> int:
        """Return a number above that of every kept state, also where what was seen last is lost."""
        states = Snapshots(self._root).all()
        return states[-1].number + 1 if states else 1

    def _is_quiet(self, before: Seen, noticed: Noticed, applied: int) -> bool:
        """Tell whether nothing happened since the store was last looked at, and all of what happened then is told."""
        is_told = before.is_told and (before.proposal is not None or not before.others)
        is_same = not noticed.differs and applied == before.applied
        is_shown = before.proposal is None or self._root.exists(proposals.place(before.proposal))
        return is_told and is_same and is_shown and not self._folded and not self._keeps_all

    def _compare(self, before: Seen, noticed: Noticed, applied: int) -> Looked:
        """Find what others did, keep the state, and tell it."""
        from dreamreview.workspace.tracing import trace

        traced = trace(self._context, before, noticed, applied, self._folded, keeps_all=self._keeps_all)
        now = self._context.now()
        fresh = replace(
            before,
            at=self._context.instant(),
            applied=applied,
            live=distrusted(noticed.live),
            others={path: _stamp(state) for path, state in traced.base.items()},
            mounts=noticed.mounts,
        )
        if traced.live or fresh.others.keys() | before.others.keys():
            kept = {path: _held(state) for path, state in traced.base.items() if state is not None}
            changed = {path: _held(state) if state else None for path, state in traced.live.items()}
            number = before.number + 1
            commit = Snapshots(self._root).keep(number, now, changed, kept, before.commit)
            fresh = replace(fresh, number=number, commit=commit)
        was = self._changes(before.proposal)
        told = self._tell(fresh, traced.changes_of(self._context), traced.base)
        Snapshots(self._root).thin(now, fresh.number)
        return replace(self._looked(told, noticed), is_news=told is not None and self._changes(told) != was)

    def _changes(self, proposal: str | None) -> tuple[Change, ...]:
        record = observed.record_of(self._root, proposal) if proposal is not None else None
        return record.proposal.changes if record else ()

    def _tell(self, fresh: Seen, proposal: Proposal | None, base: Folded) -> str | None:
        """Write what others did to the open proposal, or to a new one; close the open one where nothing is left."""
        root, is_open = self._root, fresh.proposal is not None and self._is_open(fresh.proposal)
        if proposal is None:
            seen.write(root, replace(fresh, is_told=False))
            if is_open and fresh.proposal is not None:
                proposals.save_status(root, fresh.proposal, self._end(fresh.proposal))
            seen.write(root, replace(fresh, proposal=None, is_told=True))
            return None
        old = observed.record_of(root, fresh.proposal) if is_open and fresh.proposal else None
        name = fresh.proposal if is_open and fresh.proposal else proposals.new_id(root, self._context.now())
        if old is not None:
            proposal = replace(proposal, created_at=old.proposal.created_at, base=old.proposal.base)
        fresh = replace(fresh, proposal=name)
        seen.write(root, replace(fresh, is_told=False))
        texts = {path: state for path, state in base.items() if state is not None}
        observed.publish(root, replace(proposal, id=name), fresh.base, texts)
        seen.write(root, fresh)
        return name

    def _is_open(self, proposal: str) -> bool:
        if not self._root.exists(proposals.place(proposal)):
            return False
        record = observed.record_of(self._root, proposal)
        return record is None or record.proposal.status == READY

    def _end(self, proposal: str) -> str:
        """Return how a proposal ends of which nothing is left: decided, or overtaken by what others did since."""
        if self._keeps_all:
            return "discarded"
        from dreamreview.workspace.known import standing

        found = standing(self._context, proposal, self._context.records())
        return "superseded" if found.is_untouched else "applied"

    def _looked(self, proposal: str | None, noticed: Noticed) -> Looked:
        from dreamreview.workspace.alarming import alarms_of_proposal
        from dreamreview.workspace.dreaming import counts_of

        return Looked(
            proposal=proposal,
            counts=counts_of(self._changes(proposal)),
            alarms=alarms_of_proposal(self._context, proposal) if proposal is not None else (),
            files=len(noticed.live),
            warnings=tuple(self._warnings),
        )


def _held(state: FileState) -> Held:
    return b"".join(state.text), state.mode


def _stamp(state: FileState | None) -> Stamp | None:
    if state is None:
        return None
    data = b"".join(state.text)
    return Stamp(len(data), -1, state.mode, 0, digest_of(data))
