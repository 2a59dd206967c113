"""An apply that is killed, at every step and at any instant: all before or all after, and nothing left lying."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from dreamreview.store.git import run
from dreamreview.store.transaction import Checkpoint, Transaction
from dreamreview.workspace import applying
from tests.workspace.stores import Files, accept_all, lay, leave_copy, left_over, memory, workspace

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
ROUNDS = 8 if SCALE <= 1 else min(200, int(40 * SCALE))

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")

COUNT = 20
BEFORE: Files = {
    **{f"note-{number:02}.md": (b"first\nsecond\nlast", 0o640) for number in range(COUNT - 6)},
    **{f"old-{number}.md": (b"goes %d\n" % number, 0o600) for number in range(3)},
    "swap.md": b"a file\n",
}
AFTER: Files = {
    **{f"note-{number:02}.md": (b"first\nsecond, said better\nlast", 0o640) for number in range(COUNT - 6)},
    **{f"new/deep-{number}.md": b"comes %d\n" % number for number in range(3)},
    "swap.md/part.md": b"a part\n",
}


def ready(folder: Path) -> Path:
    """Make a folder with a proposal over twenty files, all of it accepted."""
    review = workspace(lay(folder, BEFORE)).open(leave_copy(folder, AFTER))
    accept_all(review)
    return folder


def in_child(act: Callable[[], object]) -> int:
    """Run something in a process of its own and return how that ended, minus the signal where one ended it."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def apply_stopping_at(folder: Path, checkpoint: Checkpoint) -> int:
    def act() -> None:
        with patch.object(applying, "Transaction", partial(Transaction, checkpoint=checkpoint)):
            workspace(folder).apply()

    return in_child(act)


def steps(folder: Path) -> list[str]:
    """Return the name of every step of that apply."""
    names = folder.with_suffix(".steps")
    ready(folder)
    with names.open("a") as out:
        assert apply_stopping_at(folder, lambda step: print(step, file=out, flush=True)) == 0
    return names.read_text().splitlines()


def check_settled(folder: Path, where: str) -> bool:
    """Settle a folder after a kill, make sure that it is whole, and tell whether the apply was finished."""
    before, after = memory(lay(folder.with_suffix(".before"), BEFORE)), memory(lay(folder.with_suffix(".after"), AFTER))
    opened = workspace(folder)
    status = opened.status()
    assert status.locked_by is None, where
    is_done = memory(folder) == after
    assert is_done or memory(folder) == before, where
    assert left_over(folder) == [], where
    assert [line.undone for line in opened.history()] == [False] * is_done, where
    done = opened.apply()
    assert (done.stale, done.apply is None) == ((), is_done), where
    assert memory(folder) == after, where
    assert opened.undo().stale == (), where
    assert memory(folder) == before, where
    assert not (folder / "new").exists(), where
    return is_done


def test_killed_at_any_step_the_folder_is_all_before_or_all_after(tmp_path: Path) -> None:
    names = steps(tmp_path / "count")
    assert names[:3] == ["stage", "history", "record"]
    assert names[-5:] == ["sync", "verify", "settle", "done", "clear"]
    targets = [name for name in names if name.startswith("target")]
    assert len(targets) == COUNT + 1 + 1
    some = {*names} - {*targets[2:-2]} if SCALE <= 1 else {*names}
    finished = []
    for number, name in enumerate(names):
        if name not in some:
            continue
        folder = ready(tmp_path / f"cut{number}")

        def stop(step: str, at: str = name) -> None:
            if step == at:
                os.kill(os.getpid(), signal.SIGKILL)

        assert apply_stopping_at(folder, stop) == -signal.SIGKILL
        finished.append(check_settled(folder, name))
        history = folder / ".dreamreview" / "history.git"
        assert run(["for-each-ref", "refs/pending"], git_dir=str(history)) == b"", name
    assert finished == sorted(finished)
    assert (finished[0], finished[-1]) == (False, True)


def test_killed_at_any_instant_the_folder_is_all_before_or_all_after(tmp_path: Path) -> None:
    rnd = Random(20260915)
    folder = ready(tmp_path / "whole")
    begun = time.monotonic()
    assert in_child(workspace(folder).apply) == 0
    whole = time.monotonic() - begun
    killed = 0
    for number in range(ROUNDS):
        folder = ready(tmp_path / f"round{number}")
        instant = rnd.uniform(0.001, whole)

        def act(folder: Path = folder, instant: float = instant) -> None:
            # An alarm that nobody handles ends the process at once, as a kill does.
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, instant)
            workspace(folder).apply()

        killed += in_child(act) == -signal.SIGALRM
        check_settled(folder, f"{instant:.4f} s of {whole:.4f}")
    assert killed > 0
