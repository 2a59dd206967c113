"""How what a transaction wrote is taken back, target by target, while others may write to the same files."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.model.edits import compose, difference, invert, rebase, render, split_lines, terminator_of
from dreamreview.model.plan import digest
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store.differ import GitDiffer
from dreamreview.store.replacing import ATTEMPTS, Known, Replacing, State, joined, state_of, take_place, with_missing
from dreamreview.store.rooted import shown

if TYPE_CHECKING:
    from dreamreview.model.records import Record, RecordedTarget
    from dreamreview.store.history import History
    from dreamreview.store.journal import Journal
    from dreamreview.store.rooted import Root


class Reverting:
    """Takes back the targets of a record; what others wrote meanwhile stays, or is carried over.

    Args:
        root: the store, which is held.
        journal: where what was staged and what was put aside lies.
        history: tells what was written.
    """

    def __init__(self, root: Root, journal: Journal, history: History) -> None:
        self._root, self._journal, self._history = root, journal, history
        self._spared: set[tuple[str, int]] = set()
        """Records and numbers of targets that turned out to be others' just when they were to be written."""

    def state(self, record: Record, path: str) -> State:
        """Return the state of a path of a record; behind a link that the record brings or takes away is nothing.

        Raises:
            UnsafePathError: another link stands above it.
        """
        try:
            return state_of(self._root, path)
        except UnsafePathError:
            links = (one.path for one in record.targets if LINK_MODE in (one.before_mode, one.after_mode))
            if any(path.startswith(f"{link}/") for link in links):
                return None, None
            raise

    def was_written(self, record: Record, number: int) -> bool:
        """Tell whether a target was carried out before the program was cut off, and stands."""
        target = record.targets[number]
        if target.staged is None:
            return self._root.exists(self._journal.aside(record.id, number))
        if self._is_beside(record, number):
            return False
        held, mode = self._state(self._journal.staged(record.id, number))
        # Where both changed places, what stood before is there now.
        return held != target.after or (target.after == target.before and mode == target.before_mode)

    def is_spoilt(self, record: Record, number: int) -> bool:
        """Tell whether somebody wrote to ours while it stood in its place, out of which it was taken again."""
        held = self._state(self._journal.staged(record.id, number))[0]
        return held != record.targets[number].after and self._is_beside(record, number)

    def take_back(self, record: Record, number: int) -> None:
        """Bring one path back to before, where it was carried out; nothing that others wrote to it is lost.

        Raises:
            StoreError: the system refused something, or the file keeps changing.
        """
        if (record.id, number) in self._spared:
            return
        target, replacing = record.targets[number], self._replacing(record, number)
        left = replacing.left()
        if self._is_beside(record, number):
            self.spare(record, number)
        elif self.was_written(record, number):
            self._take_back(record, number)
        mode = target.after_mode or target.before_mode or 0o600
        for name in left:
            replacing.carry_left(target.path, self._written(record, target), name, mode)

    def spare(self, record: Record, number: int) -> None:
        """Leave a target out of what is taken back, and carry over what somebody wrote to ours while it stood there."""
        target, staged = record.targets[number], self._journal.staged(record.id, number)
        written = self._written(record, target)
        self._replacing(record, number).carry(target.path, written, staged, target.after_mode or 0o600)
        self._spared.add((record.id, number))

    def stood(self, record: Record, number: int) -> str:
        """Return where what stood before lies: where ours was staged, if both changed places."""
        staged = self._journal.staged(record.id, number)
        has_moved = self._root.exists(staged) and self.was_written(record, number)
        return staged if has_moved else self._journal.aside(record.id, number)

    def _is_beside(self, record: Record, number: int) -> bool:
        """Tell whether what was staged is ours, beside what stands in its place: not there yet, or taken out again.

        Once both changed places, what was staged and what was put aside are two names of what stood before.
        """
        target = record.targets[number]
        staged, aside = self._journal.staged(record.id, number), self._journal.aside(record.id, number)
        here, put_aside = self._root.stat(staged), self._root.stat(aside)
        if here is None or put_aside is None or LINK_MODE in (target.before_mode, target.after_mode):
            return False
        live = self._root.stat(target.path)
        if os.path.samestat(here, put_aside):
            return False
        if live is not None and os.path.samestat(put_aside, live):
            return True
        held = self._state(staged)[0]
        if target.before == target.after or held in (target.before, target.after):
            return held != target.before
        return self.state(record, target.path)[0] != target.after

    def _take_back(self, record: Record, number: int) -> None:
        target, aside = record.targets[number], self.stood(record, number)
        if target.after is None:
            self._bring_back(record, number, aside)
            return
        now = self.state(record, target.path)
        if now == (target.after, target.after_mode):
            if self._restore(record, number, aside):
                return
            now = self.state(record, target.path)
        if now[0] is None and self._state(aside)[0] not in (None, target.before):
            # Theirs is gone, and what was written late stands there.
            if not take_place(self._root, aside, target.path, now):
                raise StoreError(f"{shown(target.path)} keeps changing; try again in a moment")
            self._root.fsync_dir(os.path.dirname(target.path))
        elif now[0] not in (None, target.before) and target.before is not None and now[1] != LINK_MODE:
            self._rebase_back(record, number, aside)

    def _restore(self, record: Record, number: int, aside: str) -> bool:
        """Put back what stood where ours stands now; False where that is ours no more."""
        target, replacing = record.targets[number], self._replacing(record, number)
        if target.before is None:
            if target.after_mode == LINK_MODE:
                self._root.remove(target.path)
            else:
                replacing.remove(target.path, self._written(record, target), target.after_mode or 0o600)
            return True
        for folder in reversed(record.made):
            if folder == target.path or folder.startswith(f"{target.path}/"):
                self._root.remove_dir(folder)
        parent = os.path.dirname(target.path)
        if parent:
            self._root.make_dirs(parent)
        if not take_place(self._root, aside, target.path, (target.after, target.after_mode)):
            return False
        self._root.fsync_dir(parent)
        self._root.fsync_dir(os.path.dirname(aside))
        if target.after is not None and LINK_MODE not in (target.before_mode, target.after_mode):
            written = self._written(record, target)
            replacing.carry(target.path, written, aside, target.before_mode or 0o600)
        return True

    def _replacing(self, record: Record, number: int) -> Replacing:
        spares = f"{self._journal.place(record.id)}/back-{number}"
        return Replacing(self._root, spares, self._journal.record(record.id))

    def _written(self, record: Record, target: RecordedTarget) -> Known:
        return Known(target.after or "", lambda: self._history.pending_file(record.commit or "", target.path))

    def _bring_back(self, record: Record, number: int, aside: str) -> None:
        """Put a file back that went, or what it held to what took its name; beside that where it is no file."""
        path = record.targets[number].path
        for _ in range(ATTEMPTS):
            if self._restore(record, number, aside):
                return
            found, now = self._root.look(aside), self.state(record, path)
            if found is None:
                return
            if LINK_MODE in (found[1], now[1]) or now[0] is None:
                if self._root.exists(path) and self._put_beside(path, aside):
                    return
                continue
            self._replacing(record, number).rewrite(path, partial(joined, found[0]), found[1])
            if self._root.exists(path):
                return
        raise StoreError(f"{shown(path)} keeps changing; try again in a moment")

    def _put_beside(self, path: str, aside: str) -> bool:
        """Give what was put aside the first free name beside its own; False where none is."""
        for number in range(1, ATTEMPTS):
            if take_place(self._root, aside, f"{path}.kept-{number}", (None, None)):
                self._root.fsync_dir(os.path.dirname(path))
                return True
        return False

    def _rebase_back(self, record: Record, number: int, aside: str) -> None:
        """Take our edits out of a file that somebody edited since, where they can be told apart.

        Where they cannot, they stay; what somebody wrote late to the file that stood before is added then.
        """
        target = record.targets[number]
        found = self._history.pending_file(record.commit, target.path) if record.commit else None
        if found is None or target.after is None or not self._root.exists(aside):  # put back before it was cut off
            return
        put_aside = self._root.read(aside)
        before, after = split_lines(put_aside), split_lines(found)
        end, differ = terminator_of(before), GitDiffer()
        edits = difference(before, after, end, differ)

        def without_ours(now: bytes) -> bytes | None:
            live = split_lines(now)
            ours = rebase(invert(before, edits, edits), difference(after, live, end, differ))
            if not ours.clashes:
                return render(compose(live, ours.edits), end)
            return with_missing(now, put_aside) if digest(put_aside) != target.before else None

        self._replacing(record, number).rewrite(target.path, without_ours, target.before_mode or 0o600)

    def _state(self, path: str) -> State:
        return state_of(self._root, path)
