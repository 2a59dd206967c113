"""Whatever is killed at whatever instant: the next start finds all before or all after, and it can be done again."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from dreamreview.store import noticing
from tests.workspace import test_faults as faults
from tests.workspace.stores import left_over, memory, workspace
from tests.workspace.test_forgetting import NEEDLE, busy
from tests.workspace.test_guard_kill import FILES, check_look, ready
from tests.workspace.test_half_written import half_written
from tests.workspace.test_kill import in_child
from tests.workspace.traces import traces

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
ROUNDS = 2 if SCALE <= 1 else int(2 * SCALE)
"""Kills, for each deed."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noticing, "SETTLING_SECONDS", 0.0)


class Deed(NamedTuple):
    """Something that is killed, and how a store is checked afterwards, which was settled and has nothing left over."""

    prepare: Callable[[Path], object]
    act: Callable[[Path], object]
    check: Callable[[Path], object]


def of_faults(name: str, act: Callable[[Path], object]) -> Deed:
    deed = faults.DEEDS[name]

    def check(folder: Path) -> None:
        assert deed.is_allowed(folder)
        deed.finish(folder)

    return Deed(deed.prepare, act, check)


def check_forgotten(folder: Path) -> None:
    opened = workspace(folder)
    if any(NEEDLE in data for _, data in memory(folder).values()):
        assert opened.forget(match=NEEDLE).removed
    assert traces(folder, NEEDLE) == []
    assert opened.undo().stale == ()
    assert traces(folder, NEEDLE) == []


def check_seen(folder: Path) -> None:
    start = {path: (0o600, held[0]) for path, held in FILES.items() if isinstance(held, tuple)}
    check_look(folder, "after a kill", start)


DEEDS = {
    "dream": of_faults("dream", lambda at: workspace(at).dream()),
    "apply": of_faults("apply", lambda at: workspace(at).apply()),
    "undo": of_faults("undo", lambda at: workspace(at).undo()),
    "forget": Deed(busy, lambda at: workspace(at).forget(match=NEEDLE), check_forgotten),
    "watch": Deed(ready, lambda at: workspace(at).look(), check_seen),
}


def seconds_of(act: Callable[[], object], told: Path) -> float:
    """Return how long something takes in a process of its own, without the start of that."""

    def timed() -> None:
        begun = time.monotonic()
        act()
        told.write_text(str(time.monotonic() - begun))

    assert in_child(timed) == 0
    return float(told.read_text())


@pytest.mark.parametrize("name", DEEDS)
def test_killed_at_any_instant_all_is_before_or_after(name: str, tmp_path: Path) -> None:
    deed, rnd, killed = DEEDS[name], Random(20260915), 0
    deed.prepare(tmp_path / "made")
    for copy in ("warm", "whole"):
        shutil.copytree(tmp_path / "made", tmp_path / copy, symlinks=True)
    deed.act(tmp_path / "warm")  # every module is loaded now, so that kills come while something is done
    whole = seconds_of(lambda: deed.act(tmp_path / "whole"), tmp_path / "took")
    for number in range(ROUNDS):
        folder, instant = tmp_path / f"round{number}", rnd.uniform(0.001, whole if number else whole / 2)
        shutil.copytree(tmp_path / "made", folder, symlinks=True)

        def act(folder: Path = folder, instant: float = instant) -> None:
            # An alarm that nobody handles ends the process at once, as a kill does.
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, instant)
            deed.act(folder)

        killed += in_child(act) == -signal.SIGALRM
        status = workspace(folder).status()
        where = f"{name}, killed after {instant:.4f} s of {whole:.4f}"
        assert (status.locked_by, left_over(folder), half_written(folder)) == (None, [], []), where
        deed.check(folder)
        shutil.rmtree(folder)
    sys.stdout.write(f"{name}: {ROUNDS} runs, {killed} of them killed within {whole:.3f} s, each all before or after\n")
    assert killed > 0
