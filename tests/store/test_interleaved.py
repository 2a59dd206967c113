"""Somebody writes to the files of a plan between any two calls of it: whatever he wrote is there afterwards."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from dreamreview.errors import StoreError
from dreamreview.store import writers
from dreamreview.store.journal import Journal
from dreamreview.store.rooted import Root
from dreamreview.store.transaction import Transaction
from tests.store.test_transaction import RECORD, CutOffError, entry_of, fill, left_over, plan_of
from tests.workspace.shim import Call, shim

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
ROUNDS = int(40 * SCALE)
"""Plans that somebody interferes with."""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds descriptors in /proc")

BEFORE = {"edited.md": b"#1\n#2\n#3\n", "goes.md": b"#4\n#5\n", "notes/also.md": b"#6\n"}
AFTER = {"comes.md": b"#7\n", "edited.md": b"#1\n#8\n#3\n", "notes/also.md": b"#9\n#6\n"}
LINE = re.compile(rb"#\d+\n")


def lines_of(files: Mapping[str, bytes]) -> set[bytes]:
    return {line for data in files.values() for line in LINE.findall(data)}


@dataclass
class Somebody:
    """Writes at calls drawn beforehand, and remembers what he wrote and what he took away."""

    folder: Path
    rnd: Random
    at: list[int]
    """Numbers of the calls before which he acts."""
    cut: int | None = None
    """The call at which the program is cut off."""
    wrote: set[bytes] = field(default_factory=set)
    took: set[bytes] = field(default_factory=set)
    did: list[str] = field(default_factory=list)
    held: list[tuple[str, int]] = field(default_factory=list)
    calls: int = 0

    def __call__(self, call: Call) -> None:
        number, self.calls = self.calls, self.calls + 1
        for _ in range(self.at.count(number)):
            self.act(call)
        if number == self.cut:
            self.did.append(f"cut off at {number} {call.site} {call.path}")
            raise CutOffError

    def begin_again(self) -> None:
        """Write beside what comes next as well, which has some 120 calls where there is something to settle."""
        self.did.append("then")
        self.calls = 0
        self.at = [self.rnd.randrange(120) for _ in range(self.rnd.randint(0, 2))]
        self.cut = self.rnd.randrange(120) if self.rnd.random() < 0.3 else None

    def act(self, call: Call) -> None:
        path = self.folder / self.rnd.choice(sorted({*BEFORE, *AFTER}))
        acts = [self.add, self.add, self.open, self.over, self.anew, self.remove]
        act = self.close if self.held and self.rnd.random() < 0.6 else self.rnd.choice(acts)
        self.did.append(f"{act.__name__} {path.name} before {self.calls - 1} {call.site} {call.path}")
        act(path)

    def line(self) -> bytes:
        line = b"#%d\n" % (100 + len(self.wrote))
        self.wrote.add(line)
        return line

    def add(self, path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        with path.open("ab") as file:
            file.write(self.line())

    def open(self, path: Path) -> None:
        """Keep a file open to add to it later."""
        if path.exists():
            self.held.append((path.name, os.open(path, os.O_WRONLY | os.O_APPEND)))

    def holds(self, path: Path) -> bool:
        return any(name == path.name for name, _ in self.held)

    def close(self, _path: Path) -> None:
        _, fd = self.held.pop(0)
        os.write(fd, self.line())
        os.close(fd)

    def taking(self, path: Path) -> bytes:
        """Remember that what a file held, or was to hold, is gone by his own hand; return what he puts there."""
        name = str(path.relative_to(self.folder))
        for files in (BEFORE, AFTER):
            self.took |= lines_of({name: files.get(name, b"")})
        if path.exists():
            self.took |= set(LINE.findall(path.read_bytes()))
        return self.line()

    def over(self, path: Path) -> None:
        """Put another file over one that he does not hold open: what he wrote there he would lose himself."""
        if self.holds(path):
            return
        path.parent.mkdir(exist_ok=True)
        (self.folder / "part").write_bytes(self.taking(path))
        (self.folder / "part").replace(path)

    def anew(self, path: Path) -> None:
        """Write a file anew in its place."""
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(self.taking(path))

    def remove(self, path: Path) -> None:
        if path.exists() and not self.holds(path):
            self.wrote.discard(self.taking(path))
            path.unlink()


def live(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and ".dreamreview" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def calls_of(folder: Path) -> int:
    somebody = Somebody(folder, Random(0), [])
    fill(folder, BEFORE)
    with shim(folder, somebody):
        Transaction(Root(folder)).carry_out(RECORD, plan_of(BEFORE, AFTER), entry_of(BEFORE, AFTER))
    assert live(folder) == AFTER
    return somebody.calls


def interfered(folder: Path, somebody: Somebody) -> bool:
    """Carry a plan out and settle what was cut off, both while somebody writes; tell whether it was done."""
    fill(folder, BEFORE)
    acts: list[Callable[[], object]] = [
        lambda: Transaction(Root(folder)).carry_out(RECORD, plan_of(BEFORE, AFTER), entry_of(BEFORE, AFTER)),
        lambda: Transaction(Root(folder)).settle(),
    ]
    for act in acts:
        try:
            with shim(folder, somebody):
                act()
        except (StoreError, CutOffError) as error:
            somebody.did.append(f"{type(error).__name__}: {error}")
        somebody.begin_again()
    while somebody.held:
        somebody.did.append(f"closed {somebody.held[0][0]}")
        somebody.close(folder)
    somebody.did += Transaction(Root(folder)).settle()
    return bool(Journal(Root(folder)).records())


def refuse(_root: Root, path: str, other: str) -> bool:
    raise StoreError(f"cannot link {path} to {other}: the file system has no second names")


@pytest.mark.parametrize("has_links", [True, False])
def test_nothing_that_somebody_writes_beside_a_plan_is_lost(
    has_links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "PATIENCE_SECONDS", 0.0)
    if not has_links:
        monkeypatch.setattr(Root, "link", refuse)
    count, rnd, done = calls_of(tmp_path / "count"), Random(20260915), 0
    for number in range(ROUNDS):
        folder, seed = tmp_path / f"round{number}", rnd.randrange(2**32)
        own = Random(seed)
        first = own.randrange(count)
        at = [min(count - 1, first + own.choice((0, 1, 2, 5, 20))) for _ in range(own.randint(0, 3))]
        cut = own.randrange(first, count) if own.random() < 0.3 else None
        somebody = Somebody(folder, own, [first, *at], cut)
        is_done = interfered(folder, somebody)
        done += is_done
        gone = lines_of(BEFORE) - lines_of(AFTER) if is_done else set()
        wanted = (lines_of(BEFORE) - gone | somebody.wrote) - somebody.took
        assert wanted - lines_of(live(folder)) == set(), (seed, somebody.did)
        assert left_over(folder) == [], (seed, somebody.did)
    assert 0 < done < ROUNDS
