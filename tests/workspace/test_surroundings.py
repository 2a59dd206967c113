"""A clock that is set back and a home that is missing: nothing of a store depends on either."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from dreamreview.model.review import Op
from dreamreview.settings import Settings
from dreamreview.workspace import Workspace
from tests.workspace.stores import DAILY, accept_all, lay, leave_copy, left_over, memory, workspace


def at(folder: Path, day: int) -> Workspace:
    """Open a folder on a day of September 2026."""
    return Workspace(folder, Settings(), lambda: datetime(2026, 9, day, 12, 0, tzinfo=UTC))


def test_a_clock_set_back_between_dream_apply_and_undo_changes_no_outcome(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", DAILY)
    before = memory(folder)
    late, early = at(folder, 20), at(folder, 2)
    made = late.dream().proposal
    assert early.status().pending == 1
    review = late.open(made)
    for change in review.proposal.changes:
        review.decide(Op.CHOOSE, change.id, choice="A") if change.options else review.decide(Op.ACCEPT, change.id)
    first = early.apply(made)
    assert first.stale == ()
    after = memory(folder)
    assert after != before
    name = leave_copy(folder, dict.fromkeys(DAILY, b"all new\n"), "20260901T000000000")
    accept_all(early.open(name))
    second = at(folder, 1).apply(name)
    assert second.apply is not None
    assert [line.apply for line in early.history()] == [second.apply, first.apply]
    assert at(folder, 1).undo().undone == second.apply
    assert memory(folder) == after
    assert early.undo().undone == first.apply
    assert memory(folder) == before
    assert left_over(folder) == []


def test_without_a_home_every_command_works_on_a_folder_that_is_named(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", DAILY)
    keep = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "PYTHONPATH", "VIRTUAL_ENV")}
    for home in ({}, {"HOME": str(tmp_path / "gone")}, {"HOME": "/dev/null"}):
        for words in (["dream"], ["proposals"], ["show"], ["status"], ["history"], ["doctor"]):
            command = [sys.executable, "-m", "dreamreview", *words, str(folder)]
            done = subprocess.run(command, env={**keep, **home}, capture_output=True, text=True, check=False)
            assert done.returncode in (0, 5), (words, home, done.stderr)
            assert "Traceback" not in done.stderr
    assert not (tmp_path / "gone").exists()
    assert workspace(folder).status().pending == 1
