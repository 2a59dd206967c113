"""A look, and a decision on what others did, that are killed: the next look tells the same, and no byte is lost."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from dreamreview.model.proposal import Kind
from dreamreview.model.review import Op
from dreamreview.store import bases, noticing, observed, proposals, seen
from dreamreview.store.rooted import Root
from dreamreview.store.snapshots import Snapshots
from dreamreview.store.transaction import Transaction
from dreamreview.workspace import Decision, OpenReview
from tests.workspace.stores import Files, Memory, lay, left_over, memory, workspace

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
ROUNDS = 6 if SCALE <= 1 else min(100, int(20 * SCALE))

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")

FILES: Files = {f"note-{number}.md": (b"first %d\nsecond\nlast" % number, 0o600) for number in range(9)}
GONE = [f"note-{number}.md" for number in range(6)]

STEPS: tuple[tuple[Any, str], ...] = (
    (Snapshots, "keep"),
    (Snapshots, "thin"),
    (seen, "write"),
    (observed, "publish"),
    (bases, "write"),
    (proposals, "save_status"),
    (Root, "rename"),
    (Transaction, "carry_out"),
)
"""What a look, or a decision, does that lasts; it is killed before and after each."""


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noticing, "SETTLING_SECONDS", 0.0)


def ready(folder: Path) -> Path:
    """Make a store that was looked at, and let others delete and change some of it."""
    lay(folder, FILES)
    workspace(folder).look()
    for name in GONE:
        (folder / name).unlink()
    (folder / "note-7.md").write_bytes(b"first 7\nchanged\nlast")
    return folder


def in_child(act: Callable[[], object]) -> int:
    """Run something in a process of its own and return how that ended: its status, or minus the signal."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@contextmanager
def dying(at: int) -> Iterator[list[str]]:
    """Kill this process at the step of that number, each counted twice: before and after it. -1 only counts."""
    told: list[str] = []

    def mark(name: str) -> None:
        told.append(name)
        if len(told) - 1 == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def wrapped(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def step(*args: object, **options: object) -> object:
            mark(f"before {name}")
            answer = real(*args, **options)
            mark(f"after {name}")
            return answer

        return step

    with ExitStack() as patches:
        for owner, name in STEPS:
            patches.enter_context(patch.object(owner, name, wrapped(name, getattr(owner, name))))
        yield told


def count(folder: Path, act: Callable[[Path], object]) -> list[str]:
    with dying(-1) as told:
        act(folder)
    return told


def look(folder: Path) -> None:
    workspace(folder).look()


def take_back(folder: Path) -> None:
    """Take four deletions back, keep one, and leave the rest undecided."""
    review = opened(folder)
    gone = [change.id for change in review.proposal.changes if change.kind is Kind.DELETE]
    decisions = [Decision(Op.REJECT, change) for change in gone[:4]] + [Decision(Op.ACCEPT, gone[4])]
    review.decide_all(decisions)
    workspace(folder).apply(review.proposal.id)


def opened(folder: Path) -> OpenReview:
    found = workspace(folder).look().proposal
    assert found is not None
    return workspace(folder).open(found)


def paths(review: OpenReview) -> list[str]:
    return [change.edits[0].path for change in review.proposal.changes]


def check_look(folder: Path, where: str, start: Memory) -> None:
    assert paths(opened(folder)) == [*GONE, "note-7.md"], where
    assert len(workspace(folder).ready()) == 1, where
    review = opened(folder)
    review.decide_all([Decision(Op.REJECT, change.id) for change in review.proposal.changes])
    workspace(folder).apply(review.proposal.id)
    assert memory(folder) == start, where
    assert workspace(folder).look().proposal is None, where
    assert left_over(folder) == [], where
    assert [name for name in os.listdir(folder / ".dream-proposals") if name.startswith(".tmp")] == [], where


def test_killed_at_any_step_of_a_look_the_next_one_tells_the_same(tmp_path: Path) -> None:
    start = memory(lay(tmp_path / "start", FILES))
    steps = count(ready(tmp_path / "whole"), look)
    assert {"before keep", "after publish", "after rename"} <= set(steps)
    for number, name in enumerate(steps):
        folder = ready(tmp_path / f"cut{number}")

        def act(folder: Path = folder, number: int = number) -> None:
            with dying(number):
                look(folder)

        assert in_child(act) == -signal.SIGKILL
        check_look(folder, f"{number}: {name}", start)


def test_killed_at_any_step_of_a_decision_nothing_is_lost(tmp_path: Path) -> None:
    start = memory(lay(tmp_path / "start", FILES))
    folder = ready(tmp_path / "whole")
    look(folder)
    steps = count(folder, take_back)
    after = memory(folder)
    assert {"before carry_out", "after carry_out"} <= set(steps)
    for number, name in enumerate(steps):
        folder = ready(tmp_path / f"cut{number}")
        look(folder)
        before = memory(folder)

        def act(folder: Path = folder, number: int = number) -> None:
            with dying(number):
                take_back(folder)

        assert in_child(act) == -signal.SIGKILL
        workspace(folder).settle()
        assert memory(folder) in (before, after), f"{number}: {name}"
        left = opened(folder)
        assert {GONE[5], "note-7.md"} <= set(paths(left)), f"{number}: {name}"
        left.decide_all([Decision(Op.REJECT, change.id) for change in left.proposal.changes])
        workspace(folder).apply(left.proposal.id)
        kept = {path: held for path, held in start.items() if path != GONE[4]}
        assert memory(folder) in (start, kept), f"{number}: {name}"
        assert workspace(folder).look().proposal is None, f"{number}: {name}"


def test_killed_at_any_instant_of_a_look_the_next_one_tells_the_same(tmp_path: Path) -> None:
    rnd = Random(20260915)
    start = memory(lay(tmp_path / "start", FILES))
    killed = 0
    for number in range(ROUNDS):
        folder = ready(tmp_path / f"round{number}")
        instant = rnd.uniform(0.001, 0.12)

        def act(folder: Path = folder, instant: float = instant) -> None:
            # An alarm that nobody handles ends the process at once, as a kill does.
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, instant)
            look(folder)

        killed += in_child(act) == -signal.SIGALRM
        check_look(folder, f"{instant:.4f} s", start)
    assert killed > 0
