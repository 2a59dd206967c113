"""How a plan reaches the disk: all of it or nothing, whatever happens in between.

Staged bytes and the next commit of the history are written first; then a record that says so is the point of no
return; then each path is replaced in one step, after one more look that nobody wrote there meanwhile.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import groupby

from dreamreview.errors import DreamReviewError, StoreError, UnsafePathError
from dreamreview.model import records
from dreamreview.model.plan import Plan, Target, digest
from dreamreview.model.proposal import LINK_MODE
from dreamreview.model.records import Record, RecordedTarget
from dreamreview.store.flushing import flush_names
from dreamreview.store.history import Entry, History
from dreamreview.store.journal import Journal
from dreamreview.store.pinned import PinnedRoot
from dreamreview.store.replacing import State, state_of, take_place
from dreamreview.store.reverting import Reverting
from dreamreview.store.rooted import Root, shown
from dreamreview.store.writers import open_elsewhere


class DriftedError(StoreError):
    """A path changed between planning and writing; nothing was written, plan again."""


Checkpoint = Callable[[str], None]
"""Called with the name of each step before it is taken; tests stop or kill the program there."""


def _no_checkpoint(_step: str) -> None:
    return None


class Transaction:
    """Carries plans out on one store and settles those that were cut off. The caller holds the lock."""

    def __init__(self, root: Root, checkpoint: Checkpoint = _no_checkpoint) -> None:
        self._root = PinnedRoot(root)
        self._journal = Journal(self._root)
        self._history = History(root)
        self._reverting = Reverting(self._root, self._journal, self._history)
        self._checkpoint = checkpoint
        self._copied: set[int] = set()
        """Numbers of targets of which a copy may have been put aside, rather than the file itself."""

    def carry_out(self, record: Record, plan: Plan, entry: Entry, removable: frozenset[str] = frozenset()) -> Record:
        """Write every target of a plan and keep the record.

        Args:
            record: what is done, without targets and state.
            plan: targets and woven texts.
            entry: the commit of the history that goes with it.
            removable: folders that we once made, removed again when this leaves them empty.

        Raises:
            DriftedError: somebody wrote to one of the paths since the plan was made; nothing of it is left.
            StoreError: the system refused something; nothing of it is left.
        """
        prepared = self._prepare(record, plan, entry)
        try:
            with self._root.pinned(self._journal.place(record.id)):
                self._forward(prepared, is_fresh=True)
                self._verify(prepared)
        except DreamReviewError as error:
            try:
                self._back(prepared)
            except DreamReviewError:
                raise StoreError(f"{error} (what was begun is finished or taken back by the next command)") from error
            raise
        done = self._conclude(prepared, removable)
        with suppress(DreamReviewError):  # it is done; a disk that is too full to tidy up can wait
            self._history.tidy()
        return done

    def settle(self) -> tuple[str, ...]:
        """Finish or take back a transaction that was cut off; return what was done, one sentence each."""
        told: list[str] = []
        for record in self._journal.unfinished():
            self._sweep(record)
            self._copied = set(range(len(record.targets)))
            if self._is_finished(record):
                self._conclude(record, frozenset())
                told.append(f"finished the {record.op} {record.id} that was cut off")
            else:
                self._back(record)
                told.append(f"took back the {record.op} {record.id} that was cut off: its files were edited since")
        for left in self._journal.remains():
            self._history.abandon(left)
            self._journal.clear(left)
        return tuple(told)

    def _sweep(self, record: Record) -> None:
        """Remove what was half written beside the files of a record when the program was cut off."""
        for folder in {os.path.dirname(target.path) for target in record.targets}:
            with suppress(StoreError, UnsafePathError):
                self._root.sweep_temps(folder)

    def _prepare(self, record: Record, plan: Plan, entry: Entry) -> Record:
        self._checkpoint("stage")
        self._journal.begin(record.id)
        try:
            place = self._journal.place(record.id)
            with self._history.preparing(entry) as wait_for_commit, self._root.pinned(place):
                targets = tuple(self._staged(record.id, plan.targets))
                made = tuple(self._missing_folders(plan.targets))
                self._journal.sync(record.id, [target.staged for target in targets if target.staged is not None])
                self._checkpoint("history")
                commit = wait_for_commit()
            prepared = replace(record, state=records.PREPARED, commit=commit, targets=targets, made=made)
            self._checkpoint("record")
            self._journal.write(prepared)
        except DreamReviewError:
            with suppress(DreamReviewError):
                self._history.abandon(record.id)
            self._journal.forget(record.id)
            raise
        return prepared

    def _staged(self, record_id: str, targets: Iterable[Target]) -> Iterator[RecordedTarget]:
        for folder, group in groupby(enumerate(targets), lambda one: os.path.dirname(one[1].path)):
            with self._root.pinned(folder):
                for number, target in group:
                    yield self._stage(record_id, number, target)

    def _stage(self, record_id: str, number: int, target: Target) -> RecordedTarget:
        after, staged = None, None
        if target.after is not None:
            after = digest(target.after)
            staged = number
            mode = 0o600 if target.after_mode in (None, LINK_MODE) else target.after_mode or 0
            self._journal.stage(record_id, number, target.after, mode, self._standing(target.path))
        return RecordedTarget(target.path, target.before, target.before_mode, after, target.after_mode, staged)

    def _missing_folders(self, targets: Iterable[Target]) -> list[str]:
        missing: dict[str, None] = {}
        for target in targets:
            parts = target.path.split("/")[:-1] if target.after is not None else []
            for depth in range(1, len(parts) + 1):
                folder = "/".join(parts[:depth])
                if folder not in missing and not self._is_folder(folder):
                    missing[folder] = None
        return list(missing)

    def _is_folder(self, path: str) -> bool:
        found = self._standing(path)
        return found is not None and stat.S_ISDIR(found.st_mode)

    def _standing(self, path: str) -> os.stat_result | None:
        """Return what stands under a path; None for nothing, also where a link that may go first stands above it."""
        try:
            return self._root.stat(path)
        except (StoreError, UnsafePathError):
            return None

    def _state(self, path: str) -> State:
        return state_of(self._root, path)

    def _forward(self, record: Record, *, is_fresh: bool = False) -> None:
        """Bring each path from before to after; paths that are there already are left alone.

        `is_fresh` says that nothing of it was carried out before.
        """
        folders: set[str] = set()
        for number, target in enumerate(record.targets):
            folder = os.path.dirname(target.path)
            with self._root.pinned(folder):
                if self._move(record, number, is_fresh=is_fresh):
                    folders.add(folder)
        self._checkpoint("sync")
        # What was put aside is gone from its place for certain only once the journal has it.
        above = {os.path.dirname(made) for made in record.made}
        flush_names(self._root, [*sorted(folders | above), self._journal.place(record.id)])

    def _move(self, record: Record, number: int, *, is_fresh: bool) -> bool:
        """Bring one path from before to after, and tell whether anything had to be done."""
        target = record.targets[number]
        now = self._reverting.state(record, target.path)
        if now == (target.after, target.after_mode) or (not is_fresh and self._reverting.was_written(record, number)):
            if not is_fresh and target.after is None:
                self._clear_way(record, target.path)
            return False
        if now != (target.before, target.before_mode):
            raise DriftedError(f"{shown(target.path)} was changed while it was being written; try again")
        self._checkpoint(f"target {number}")
        if target.after is None:
            self._put_aside(record, number)
        else:
            self._put_in_place(record, number)
        return True

    def _put_aside(self, record: Record, number: int) -> None:
        path = record.targets[number].path
        self._root.replace(path, self._journal.aside(record.id, number), durable=False)
        self._clear_way(record, path)

    def _clear_way(self, record: Record, path: str) -> None:
        """Remove the folders above a path that went where a file is to stand."""
        for folder in _ancestors(path):
            if not any(folder == target.path and target.after is not None for target in record.targets):
                continue
            for emptied in _ancestors(path):
                if emptied == folder or emptied.startswith(f"{folder}/"):
                    self._root.remove_dir(emptied)

    def _put_in_place(self, record: Record, number: int) -> None:
        target = record.targets[number]
        staged = self._journal.staged(record.id, number)
        if target.before is not None:
            self._keep(record, number)
        parent = os.path.dirname(target.path)
        if parent:
            self._root.make_dirs(parent)
        if target.after_mode == LINK_MODE:
            self._root.symlink(os.fsdecode(self._root.read(staged)), target.path)
            self._root.remove(staged)
        elif not take_place(self._root, staged, target.path, (target.before, target.before_mode)):
            self._reverting.spare(record, number)
            raise DriftedError(f"{shown(target.path)} was changed while it was being written; try again")

    def _keep(self, record: Record, number: int) -> None:
        """Give what stands there a second name in the journal, so that whatever is written to it meanwhile is seen.

        One that was given before the program was cut off stays.
        """
        target, aside = record.targets[number], self._journal.aside(record.id, number)
        if target.before_mode == LINK_MODE:
            if not self._root.exists(aside):
                self._root.symlink(self._root.read_link(target.path), aside)
            return
        try:
            self._root.link(target.path, aside)
        except StoreError:
            # Some file systems have no second names; a copy then keeps the bytes as they are now.
            self._copied.add(number)
            if not self._root.exists(aside):
                self._root.create(aside, self._root.read(target.path), target.before_mode or 0o600, durable=True)

    def _verify(self, record: Record) -> None:
        """Look once more at what was put aside: a program that had a file open may have written to it.

        One that still has it open is waited for; for long, it would write to what nobody will ever read.
        """
        self._checkpoint("verify")
        files = {self._stood(record, n): one for n, one in enumerate(record.targets) if _is_file(one)}
        busy = open_elsewhere(self._root, files, self._journal.record(record.id))
        if busy is not None:
            path = shown(files[busy].path)
            raise DriftedError(f"{path} is open for writing in another program; close it there and try again")
        late = self._written_late(record)
        if late is not None:
            raise DriftedError(f"{shown(late.path)} was changed while it was being written; try again")

    def _written_late(self, record: Record) -> RecordedTarget | None:
        """Return a target of which what was put aside is no more what stood there before."""
        for number, target in enumerate(record.targets):
            stood = self._stood(record, number)
            if target.before is None or self._state(stood)[0] == target.before:
                continue
            if self._root.exists(stood):
                return target
        return None

    def _stood(self, record: Record, number: int) -> str:
        """Return where the file lies that stood before, as it may still be written to."""
        if number in self._copied:
            return self._reverting.stood(record, number)
        return self._journal.aside(record.id, number)

    def _conclude(self, record: Record, removable: frozenset[str]) -> Record:
        self._checkpoint("settle")
        if record.commit:
            self._history.settle(record.id, record.commit)
        done = replace(record, state=records.DONE)
        self._checkpoint("done")
        self._journal.write(done)
        self._checkpoint("clear")
        self._journal.clear(record.id)
        gone = [target.path for target in record.targets if target.after is None]
        emptied = {folder for path in gone for folder in _ancestors(path)} & removable
        for folder in sorted(emptied, key=len, reverse=True):
            self._root.remove_dir(folder)
        return done

    def _is_finished(self, record: Record) -> bool:
        """Carry out what is left of a record, where nobody wrote to its files since; tell whether it is done."""
        if not self._can_go_forward(record):
            return False
        try:
            self._forward(record)
            self._verify(record)
        except DriftedError:
            return False
        return True

    def _can_go_forward(self, record: Record) -> bool:
        if record.state == records.BACK:
            return False
        for number, target in enumerate(record.targets):
            now = self._reverting.state(record, target.path)
            if self._reverting.is_spoilt(record, number):
                return False
            if now in ((target.before, target.before_mode), (target.after, target.after_mode)):
                continue
            if not self._reverting.was_written(record, number):
                return False
        return self._written_late(record) is None

    def _back(self, record: Record) -> None:
        """Bring each path back to before; what others wrote on top of ours stays.

        That it began is written down first: half of it taken back reads like the other half still to be done.
        """
        if record.state != records.BACK:
            self._journal.write(replace(record, state=records.BACK))
        for number in reversed(range(len(record.targets))):
            self._reverting.take_back(record, number)
        for folder in reversed(record.made):
            with suppress(StoreError):
                self._root.remove_dir(folder)
        self._history.abandon(record.id)
        self._journal.forget(record.id)


def _is_file(target: RecordedTarget) -> bool:
    return target.before is not None and target.before_mode != LINK_MODE


def _ancestors(path: str) -> list[str]:
    """Return the folders above a path, nearest first."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(len(parts) - 1, 0, -1)]
