"""An agent writes, rewrites and deletes at random beside dreams, decisions, applies and undos, as long as one likes."""

from __future__ import annotations

import fcntl
import gc
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median

import pytest

from dreamreview.model.plan import digest
from dreamreview.model.review import Op
from dreamreview.settings import Settings
from dreamreview.store import bare, noticing
from dreamreview.store.journal import Journal
from dreamreview.store.lock import holder
from dreamreview.store.rooted import Root
from dreamreview.store.snapshots import REPOSITORY
from dreamreview.store.transaction import DriftedError
from dreamreview.workspace import Decision, OpenReview, Workspace
from tests.workspace.agent import SERIAL
from tests.workspace.stores import lay, left_over, memory
from tests.workspace.traces import kept_bytes

SECONDS = float(os.environ.get("DREAMREVIEW_SOAK_SECONDS", "10"))
"""How long the agent works."""

TICK = timedelta(minutes=7)
"""What the clock of the memory moves on between two rounds."""

DISK_FACTOR = 3
"""What everything kept of a memory may take of the disk, in bytes that were written to the memory."""

ALLOWANCE = 2 * 1024 * 1024
"""Bytes that it may take besides, which count only where little was written: folders and blocks of the file system."""

MOST_GROWTH = 1.5 if SECONDS < 300 else 1.1
"""What the last third of the rounds may hold of memory, in that of the third before; caches fill up in the first."""

MOST_LEFT = 1.1
"""What snapshots may take once they are thinned, in sizes of a single one."""

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="measures memory by /proc"),
]


@dataclass
class Told:
    """What the agent noted down."""

    wrote: set[bytes] = field(default_factory=set)
    took: set[bytes] = field(default_factory=set)
    size: int = 0
    """Bytes that it wrote."""


class Bench:
    """The memory, the agent beside it, and a clock that runs faster than others."""

    def __init__(self, place: Path, rnd: Random) -> None:
        self.folder = lay(place / "memory", {"MEMORY.md": b"# What I know\n\n- The bread goes out by 16:30.\n"})
        self.notes, self._baton = place / "notes", place / "baton"
        self.notes.touch()
        self._baton.touch()
        self.rnd, self.now = rnd, datetime(2026, 9, 15, 12, 0, tzinfo=UTC)
        self.opened = Workspace(self.folder, Settings(), lambda: self.now)
        self.written = 0
        """Bytes that applies and undos wrote to the memory."""
        self.did: Counter[str] = Counter()

    @contextmanager
    def agent(self) -> Iterator[None]:
        command = [sys.executable, "-m", "tests.workspace.agent", self.folder, self.notes, "7", self._baton]
        process = subprocess.Popen([str(word) for word in command])
        try:
            yield
            assert process.poll() is None
        finally:
            with self.alone():
                process.kill()
                process.wait()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep the agent from its next act."""
        with self._baton.open("r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def told(self, start: int = 0) -> Told:
        told = Told()
        for line in self.notes.read_bytes()[start:].splitlines():
            word, _, rest = line.partition(b" ")
            if word == b"bytes":
                told.size += int(rest)
            elif word in (b"wrote", b"took"):
                (told.wrote if word == b"wrote" else told.took).add(rest)
        return told

    def size(self) -> int:
        """Return the bytes that the agent wrote, without holding its notes: what this process holds is measured."""
        with self.notes.open("rb") as notes:
            return sum(int(line.partition(b" ")[2]) for line in notes if line.startswith(b"bytes "))

    def touched(self, start: int) -> set[str]:
        """Return the files that the agent wrote to since its notes were so long."""
        return set(re.findall(r"^begin (.*)$", self.notes.read_bytes()[start:].decode(), re.MULTILINE))

    def lost(self) -> set[bytes]:
        """Return what it wrote, did not take away itself, and is nowhere any more."""
        told = self.told()
        left = told.wrote - told.took
        for _, data in kept_bytes(self.folder):
            left -= set(SERIAL.findall(data))
        return left

    def disk(self) -> int:
        """Return the bytes of the disk that everything kept beside the memory takes."""
        return sum(disk_of(place) for place in self.folder.glob(".dream*"))


def disk_of(place: Path) -> int:
    """Return the bytes of the disk that a file, or a folder with all that is in it, takes."""
    return sum(path.lstat().st_blocks * 512 for path in (place, *place.rglob("*")) if path.exists())


def decide(review: OpenReview, rnd: Random) -> None:
    """Accept most, reject some, leave some; of a conflict, take one side."""
    decisions = []
    for change in review.proposal.changes:
        dice = rnd.random()
        if dice < 0.6:
            option = rnd.choice(change.options).key if change.options else None
            decisions.append(Decision(Op.CHOOSE if option else Op.ACCEPT, change.id, option))
        elif dice < 0.85:
            decisions.append(Decision(Op.REJECT, change.id))
    review.decide_all(decisions)


def leave_other(bench: Bench) -> None:
    """Leave a copy as another dreamer would, in which lines are gone, changed and moved from file to file."""
    rnd, name = bench.rnd, (bench.now + timedelta(milliseconds=500)).strftime("%Y%m%dT%H%M%S%f")[:-3]
    with bench.alone():
        held = memory(bench.folder)
    moved: list[bytes] = []
    copy = bench.folder / ".dream-proposals" / name
    for path, (mode, data) in held.items():
        lines = []
        for line in data.splitlines(keepends=True):
            dice = rnd.random()
            if dice < 0.03:
                moved.append(line)
            elif dice > 0.06:
                lines.append(line.replace(b"rpm", b"rounds a minute") if dice > 0.97 else line)
        if rnd.random() < 0.9:
            lay(copy, {path: (b"".join(lines + moved), mode)})
            moved.clear()
    bench.did["copy"] += 1


def propose(bench: Bench) -> None:
    if bench.rnd.random() < 0.5:
        leave_other(bench)
    elif bench.opened.dream().proposal:
        bench.did["dream"] += 1


def check_whole(bench: Bench, transaction: str, start: int) -> None:
    """See that every file that the agent left alone is as a transaction left it."""
    record = next(one for one in Journal(Root(bench.folder)).records() if one.id == transaction)
    touched, live = bench.touched(start), memory(bench.folder)
    for target in record.targets:
        if target.path not in touched:
            mode, data = live.get(target.path, (None, b""))
            assert (digest(data) if mode is not None else None, mode) == (target.after, target.after_mode), target.path
    bench.written += sum(len(live[one.path][1]) for one in record.targets if one.path in live)


def write(bench: Bench, what: str, *arguments: str) -> None:
    """Apply or undo, beside the agent or without it, and see that it was done whole or not at all."""
    act = getattr(bench.opened, what)
    is_alone = bench.rnd.random() < 0.3
    with bench.alone():
        start = bench.notes.stat().st_size
        done = act(*arguments).apply if is_alone else None
    if not is_alone:
        try:
            done = act(*arguments).apply
        except DriftedError:
            bench.did["put off"] += 1
    with bench.alone():
        assert left_over(bench.folder) == []
        if done is not None:
            bench.did[what] += 1
            check_whole(bench, done, start)


def round_of(bench: Bench) -> None:
    bench.opened.look(wait=5.0)
    propose(bench)
    for proposal in bench.opened.ready():
        review = bench.opened.open(proposal)
        decide(review, bench.rnd)
        write(bench, "apply", proposal)
        if proposal in bench.opened.ready() and bench.rnd.random() < 0.9:
            bench.opened.discard(proposal)
    standing = [line.apply for line in bench.opened.history() if not line.undone]
    if standing and bench.rnd.random() < 0.4:
        write(bench, "undo", bench.rnd.choice(standing))
    bench.now += TICK


def resident() -> int:
    """Return the bytes of memory that this process holds."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def settle_all(bench: Bench) -> None:
    """Decide all that waits, so that nothing is undecided."""
    bench.opened.look(wait=5.0)
    for proposal in bench.opened.ready():
        bench.opened.discard(proposal)
    assert bench.opened.ready() == ()


def thinned(bench: Bench, place: Path) -> float:
    """Return what the snapshots take, once a year has gone by, in sizes of a single one of the same memory."""
    settle_all(bench)
    bench.now += timedelta(days=365)
    with (bench.folder / "MEMORY.md").open("ab") as file:
        file.write(b"- All is quiet now.\n")
    settle_all(bench)
    shutil.copytree(bench.folder, place, ignore=shutil.ignore_patterns(".dream*"))
    Workspace(place, Settings(), lambda: bench.now).look()
    sizes = []
    for folder in (bench.folder, place):
        bare.pack(Root(folder), REPOSITORY)
        sizes.append(sum(path.stat().st_size for path in (folder / REPOSITORY / bare.PACKS).iterdir()))
    assert disk_of(bench.folder / REPOSITORY) < 2 * disk_of(place / REPOSITORY)
    return sizes[0] / sizes[1]


def test_nothing_is_lost_beside_an_agent_that_never_rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noticing, "SETTLING_SECONDS", 0.005)
    bench, rounds = Bench(tmp_path, Random(20260915)), 0
    held: list[int] = []
    ratios: list[float] = []
    begun = time.monotonic()
    with bench.agent():
        while time.monotonic() < begun + SECONDS:
            round_of(bench)
            rounds += 1
            held.append(resident())
            if rounds % 10 == 0:
                size, disk = bench.size() + bench.written, bench.disk()
                ratios.append(disk / size)
                assert disk <= DISK_FACTOR * size + ALLOWANCE, (disk, size)
    assert bench.lost() == set()
    assert holder(Root(bench.folder)) is None
    assert left_over(bench.folder) == []
    told, share = bench.told(), thinned(bench, tmp_path / "one")
    third = len(held) // 3
    growth = median(held[-third:]) / median(held[third : 2 * third]) if third else 1.0
    sys.stdout.write(
        f"{SECONDS:.0f} s, {rounds} rounds: {dict(bench.did)}; {len(told.wrote)} lines written in {told.size:,} bytes, "
        f"{len(told.took)} taken away, none lost; disk {', '.join(f'{one:.2f}' for one in ratios[-1:])} of what was "
        f"written; memory {median(held[-third:]) / 2**20:.1f} MiB, {growth:.3f} of the third before; "
        f"snapshots once thinned {share:.2f} of a single one\n"
    )
    assert bench.did["apply"] > 0
    assert growth < MOST_GROWTH
    assert share < MOST_LEFT
