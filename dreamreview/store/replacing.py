"""How a file is replaced in a folder in which others write: whatever they write just then is carried over."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError
from dreamreview.model.edits import compose, difference, rebase, render, split_lines, terminator_of
from dreamreview.model.plan import digest
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store.differ import GitDiffer
from dreamreview.store.exchanging import exchange, put_new
from dreamreview.store.rooted import SpecialFileError, shown
from dreamreview.store.writers import open_elsewhere

if TYPE_CHECKING:
    from collections.abc import Callable

    from dreamreview.store.rooted import Root

ATTEMPTS = 20
"""How often a file is replaced anew when somebody writes to it just then."""

_SPECIAL = ("", LINK_MODE)
"""Stands for a pipe, a device or the like: it is not what we found or left, and no text to take edits out of."""

State = tuple[str | None, int | None]
"""Digest and permission bits of what stands under a path, (None, None) where nothing does."""


def state_of(root: Root, path: str) -> State:
    """Return the state of a path."""
    try:
        found = root.look(path)
    except SpecialFileError:
        return _SPECIAL
    return (None, None) if found is None else (digest(found[0]), found[1])


def take_place(root: Root, ours: str, path: str, expected: State) -> bool:
    """Put a file of ours where one stands that is as expected, or none; False where it is not, and that stays.

    Between a look and a write somebody may put another file there: both change places first and are looked at then.
    """
    try:
        if expected[0] is None:
            is_done = put_new(root, ours, path)
        else:
            is_done = exchange(root, ours, path)
            if is_done and state_of(root, ours) != expected:
                exchange(root, ours, path)
                return False
    except StoreError as error:
        if isinstance(error.__cause__, FileExistsError | FileNotFoundError):
            return False
        raise
    if not is_done:
        if state_of(root, path) != expected or (expected[0] is None and root.exists(path)):
            return False
        root.replace(ours, path, durable=False)
    return True


@dataclass(frozen=True, slots=True)
class Known:
    """What a file held when it was last looked at."""

    digest: str
    text: Callable[[], bytes | None]
    """Returns its bytes, which are seldom asked for; None where nothing tells them any more."""


def _same(data: bytes) -> bytes:
    return data


class Replacing:
    """Replaces files; what stood there is kept in a folder of its own until that is removed.

    Args:
        root: the store, which is held.
        spares: path in that folder with which the names of what is put aside begin.
        of_ours: path of a file that nobody has open.
    """

    def __init__(self, root: Root, spares: str, of_ours: str) -> None:
        self._root, self._spares, self._of_ours = root, spares, of_ours

    def left(self) -> tuple[str, ...]:
        """Return what one that was cut off had put aside; ask before anything is replaced."""
        last = self._spare()
        return tuple(f"{self._spares}-{number}" for number in range(int(last.rpartition("-")[2])))

    def rewrite(self, path: str, make: Callable[[bytes], bytes | None], mode: int) -> None:
        """Replace what a file holds by what is made of it; None, or the same again, leaves it.

        Raises:
            StoreError: it keeps changing, or somebody keeps it open to write to it; what they wrote is there.
        """
        for _ in range(ATTEMPTS):
            found = self._root.look(path)
            data = make(found[0]) if found is not None and found[1] != LINK_MODE else None
            if found is None or data is None or data == found[0]:
                return
            spare = self._spare()
            self._root.create(spare, data, mode, durable=True)
            if not take_place(self._root, spare, path, (digest(found[0]), found[1])):
                self.carry(path, Known(digest(data), partial(_same, data)), spare, mode)
                continue
            self._root.fsync_dir(path.rpartition("/")[0])
            late = self._late(spare, digest(found[0]), (path, digest(data), mode))
            if late is None:
                return
            make = partial(carried, found[0], late)
        raise StoreError(f"{shown(path)} keeps changing; try again in a moment")

    def carry(self, path: str, known: Known, put_aside: str, mode: int) -> None:
        """Write what others added to a file that was put aside, since it was as known, to the one that stands."""
        self._add(path, known, put_aside, mode, carried)

    def carry_left(self, path: str, known: Known, left: str, mode: int) -> None:
        """Write what others added to a file that one that was cut off had put aside, where that stands nowhere."""
        self._add(path, known, left, mode, _with_late)

    def remove(self, path: str, known: Known, mode: int) -> None:
        """Take away a file that is as known; one that others wrote to meanwhile stays."""
        spare = self._spare()
        self._root.replace(path, spare)
        late = self._late(spare, known.digest, (path, None, None))
        if late is None:
            return
        if take_place(self._root, spare, path, (None, None)):
            self._root.fsync_dir(path.rpartition("/")[0])
        else:
            self.rewrite(path, partial(carried, known.text() or b"", late), mode)

    def _add(
        self, path: str, known: Known, put_aside: str, mode: int, merge: Callable[[bytes, bytes, bytes], bytes]
    ) -> None:
        """Merge what was written late to what was put aside with what stands; where nothing stands it does alone."""
        late = self._late(put_aside, known.digest, None)
        if late is None:
            return
        if not self._root.exists(path):
            self._create(path, late, mode)
        else:
            self.rewrite(path, partial(merge, known.text() or b"", late), mode)

    def _create(self, path: str, data: bytes, mode: int) -> None:
        self._root.create(path, data, mode, durable=True)
        self._root.fsync_dir(path.rpartition("/")[0])

    def _spare(self) -> str:
        number = 0
        while self._root.exists(f"{self._spares}-{number}"):
            number += 1
        return f"{self._spares}-{number}"

    def _late(self, path: str, known: str, undo: tuple[str, str | None, int | None] | None) -> bytes | None:
        """Return what a file that was put aside holds once nobody writes to it any more; None for the known digest.

        Where somebody keeps it open, it goes back to its place first: `undo` tells that, with what stands there now.
        """
        if open_elsewhere(self._root, [path], self._of_ours) is not None:
            if undo is not None and take_place(self._root, path, undo[0], undo[1:]):
                self._root.fsync_dir(undo[0].rpartition("/")[0])
            raise StoreError(f"{shown(path)} is open for writing in another program; close it there and try again")
        found = self._root.look(path)
        return None if found is None or digest(found[0]) == known else found[0]


def carried(before: bytes, late: bytes, now: bytes) -> bytes:
    """Return a text with what was changed in another one that comes of the same; what clashes is added at its end."""
    base, theirs, ours = split_lines(before), split_lines(late), split_lines(now)
    end, differ = terminator_of(base or theirs), GitDiffer()
    found = rebase(difference(base, theirs, end, differ), difference(base, ours, end, differ))
    if not found.clashes:
        return render(compose(ours, found.edits), end)
    return with_missing(now, late, before)


def _with_late(before: bytes, late: bytes, now: bytes) -> bytes:
    return with_missing(now, late, before)


def joined(before: bytes, now: bytes) -> bytes:
    """Return what a file that went held and what was written under its name since, as one text.

    One that begins anew goes behind the other, as it would have; one that goes on with it stays as it is, and what it
    lacks is added at its end.
    """
    lines = split_lines(before)
    said = {line.strip() for line in lines} & {line.strip() for line in split_lines(now)}
    if said - {b""}:
        return with_missing(now, before)
    joint = b"" if before.endswith(b"\n") or not before else terminator_of(lines)
    return before + joint + now


def with_missing(text: bytes, other: bytes, known: bytes = b"") -> bytes:
    """Return a text and behind it the lines of another one that are neither in it nor known.

    Of a line that the other one has more often than either, the last are missing; a blank one never is where there
    are any.
    """
    counts = [Counter(line.rstrip(b"\r\n") for line in split_lines(each)) for each in (text, known)]
    seen, missing = counts[0] | counts[1], []
    for line in split_lines(other):
        said = line.rstrip(b"\r\n")
        if said in seen and (seen[said] > 0 or not said.strip()):
            seen[said] -= 1
        else:
            missing.append(line)
    end = terminator_of(split_lines(text) or split_lines(other))
    joint = end if missing and text and not text.endswith(b"\n") else b""
    return text + joint + b"".join(missing)
