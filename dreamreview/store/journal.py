"""The journal: one record for every apply and undo, and the staged bytes of the one that is under way."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError, InvalidManifestError, StoreError
from dreamreview.model import records
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store.bookkeeping import make_folder
from dreamreview.store.flushing import flush_one
from dreamreview.store.folder import is_temp, telling, write_all
from dreamreview.store.rooted import MissingPathError, Root, shown
from dreamreview.store.scan import check_memory_path

if TYPE_CHECKING:
    from dreamreview.model.records import Record

FOLDER = ".dreamreview/journal"
_RECORD_LIMIT = 64 * 1024 * 1024
_AT_ONCE = 8
"""How many staged files are waited for at a time; more gain nothing."""
_MANY = 64
"""Staged files from which the file system is flushed as a whole: a wait for each takes longer than what else waits."""


class Journal:
    """The journal of one store."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self.warnings: list[str] = []
        """What could not be read, one sentence each."""
        self._unread: dict[str, str] = {}

    def records(self) -> tuple[Record, ...]:
        """Return every transaction that was carried out, oldest first."""
        return tuple(record for record in self._all() if record.state == records.DONE)

    def unfinished(self) -> tuple[Record, ...]:
        """Return transactions that were prepared and not finished, oldest first."""
        return tuple(record for record in self._all() if record.state != records.DONE)

    def has_remains(self) -> bool:
        """Tell whether a transaction is under way or was cut off; cheap enough for every command."""
        with suppress(MissingPathError):
            return any(not name.endswith(".json") for name in self._root.listing(FOLDER))
        return False

    def remains(self) -> tuple[str, ...]:
        """Return the ids of transactions with staged bytes that wait for nothing any more.

        Raises:
            StoreError: the record of one cannot be read, so nobody can tell whether those bytes are still needed.
        """
        waiting = {record.id for record in self.unfinished()}
        names = (name for name in self._names() if not name.endswith(".json") and not is_temp(name))
        left = tuple(name for name in names if name not in waiting)
        for name in left:
            if name in self._unread:
                where = f"{FOLDER}/{name}.json in {shown(self._root.path)}"
                raise StoreError(f"what was cut off cannot be settled: {where} is needed for it: {self._unread[name]}")
        return left

    def next_id(self, letter: str) -> str:
        """Return a fresh id for an apply (``a``) or an undo (``u``)."""
        return f"{letter}{self.last() + 1}"

    def last(self) -> int:
        """Return the number of the newest transaction, also of one that is under way; 0 without any."""
        numbers = (name[1:].partition(".")[0] for name in self._names())
        return max((int(number) for number in numbers if number.isdigit()), default=0)

    def write(self, record: Record) -> None:
        """Keep a record, in one step and on the disk."""
        self._root.make_dirs(FOLDER, 0o700)
        self._root.write_atomic(self.record(record.id), records.dumps(record), 0o600)

    def forget(self, record_id: str) -> None:
        """Remove a record, for good before what was staged for it: without that it would read as carried out."""
        if self._root.remove(self.record(record_id)):
            self._root.fsync_dir(FOLDER)
        self.clear(record_id)

    def clear(self, record_id: str) -> None:
        """Remove what was staged for a transaction."""
        self._root.remove_tree(self.place(record_id))

    def stage(self, record_id: str, number: int, data: bytes, mode: int, like: os.stat_result | None) -> None:
        """Write bytes that are to replace a file, with its mode and owner; `sync` waits until they are on the disk."""
        name = self.staged(record_id, number)
        with telling("write", name, self._root.path):
            fd = self._root.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            try:
                write_all(fd, data)
                if like is not None and hasattr(os, "fchown"):
                    _give(fd, like)
                if hasattr(os, "fchmod"):
                    os.fchmod(fd, mode)
            finally:
                os.close(fd)
        if not hasattr(os, "fchmod"):
            self._root.chmod(name, mode)

    def sync(self, record_id: str, numbers: Iterable[int]) -> None:
        """Wait until staged files are on the disk: all are written before the first wait, which is quicker.

        Several waits at a time let the system write one batch for all; for many files it is asked for that at once.
        """
        names = [self.staged(record_id, number) for number in numbers]
        if len(names) >= _MANY and flush_one(self._root, self.place(record_id)):
            return
        if len(names) < _AT_ONCE:
            self._sync(names)
        else:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(_AT_ONCE) as pool:
                list(pool.map(self._sync, (names[first::_AT_ONCE] for first in range(_AT_ONCE))))
        self._root.fsync_dir(self.place(record_id))

    def _sync(self, names: Iterable[str]) -> None:
        for name in names:
            with telling("write", name, self._root.path):
                fd = os.open(self._root.absolute(name), os.O_RDONLY)
                try:
                    os.fsync(fd)
                finally:
                    os.close(fd)

    def begin(self, record_id: str) -> None:
        """Make the folder that a transaction stages its bytes in."""
        make_folder(self._root, FOLDER)
        self._root.make_dirs(self.place(record_id), 0o700)

    def record(self, record_id: str) -> str:
        """Return the path of a record."""
        return f"{FOLDER}/{record_id}.json"

    def place(self, record_id: str) -> str:
        """Return the path of the folder in which a transaction stages its bytes."""
        return f"{FOLDER}/{record_id}"

    def staged(self, record_id: str, number: int) -> str:
        """Return the path of a staged file."""
        return f"{self.place(record_id)}/new-{number}"

    def aside(self, record_id: str, number: int) -> str:
        """Return the path where what stood before is put aside."""
        return f"{self.place(record_id)}/old-{number}"

    def _names(self) -> tuple[str, ...]:
        with suppress(MissingPathError):
            return self._root.listing(FOLDER)
        return ()

    def _all(self) -> list[Record]:
        found: list[Record] = []
        self.warnings.clear()
        self._unread.clear()
        for name in self._names():
            if not name.endswith(".json"):
                continue
            try:
                found.append(_believed(name, self._root.read(f"{FOLDER}/{name}", _RECORD_LIMIT)))
            except DreamReviewError as error:
                self.warnings.append(f"{FOLDER}/{name} is left out: {error}")
                self._unread[name.removesuffix(".json")] = str(error)
        return sorted(found, key=lambda record: record.number)


def _believed(name: str, data: bytes) -> Record:
    """Read a record that may have been written by anybody.

    Raises:
        InvalidManifestError: it is none of ours, or holds what none of ours can.
        UnsafePathError: it speaks of a path that is no memory.
    """
    try:
        record = records.loads(data)
    except RecursionError as error:
        raise InvalidManifestError("it is nested too deeply") from error
    texts = (record.at, record.op, record.proposal, *record.deeds, *record.made, record.of or "", record.commit or "")
    numbers = [record.decided, *(one.staged or 0 for one in record.targets)]
    modes = [mode or 0 for one in record.targets for mode in (one.before_mode, one.after_mode)]
    digests = [text or "" for one in record.targets for text in (one.before, one.after)]
    if not (
        f"{record.id}.json" == name
        and all(isinstance(text, str) for text in (*texts, *digests))
        and all(type(number) is int and 0 <= number < 2**53 for number in (*numbers, *modes))
        and all(mode <= 0o7777 or mode == LINK_MODE for mode in modes)
        and re.fullmatch(r"([0-9a-f]{40}([0-9a-f]{24})?)?", record.commit or "")
        and record.state in (records.PREPARED, records.BACK, records.DONE)
    ):
        raise InvalidManifestError("it holds what no record of ours holds")
    for path in (*(target.path for target in record.targets), *record.made):
        check_memory_path(path)
    return record


def _give(fd: int, like: os.stat_result) -> None:
    """Give an open file the owner of another, where that is allowed."""
    if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(OSError):
            os.fchown(fd, like.st_uid, like.st_gid)
