"""Runs that are cut off, meet each other, find nothing or fail: nothing is lost, and what happened is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from dreamreview.dream.engine import EngineError
from dreamreview.model.proposal import Kind
from dreamreview.model.review import Op
from dreamreview.workspace import Decision, dreaming, guarding
from tests.workspace.stores import TYPED, accept_all, lay, leave_copy, left_over, memory, texts, workspace
from tests.workspace.test_kill import apply_stopping_at, in_child

ROOT = Path(__file__).resolve().parents[2]
needs_kills = pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")

MERGED = {"a.md": b"one\ntwo\nthree\n"}
SOURCES = {"a.md": b"one\n", "b.md": b"two\n", "c.md": b"three\n"}


# --- cut off ------------------------------------------------------------------------------------------------------


@needs_kills
@pytest.mark.parametrize("step", ["target 0", "target 1", "target 2", "sync", "done"])
def test_killed_between_a_merge_and_its_deletions_every_source_comes_back(tmp_path: Path, step: str) -> None:
    folder = lay(tmp_path / "s", SOURCES)
    accept_all(workspace(folder).open(leave_copy(folder, MERGED)))

    def stop(at: str) -> None:
        if at == step:
            os.kill(os.getpid(), signal.SIGKILL)

    assert apply_stopping_at(folder, stop) == -signal.SIGKILL
    opened = workspace(folder)
    opened.settle()
    assert texts(folder) in (SOURCES, MERGED)
    opened.apply()
    assert texts(folder) == MERGED
    assert opened.undo().stale == ()
    assert texts(folder) == SOURCES


@needs_kills
def test_a_dream_that_is_killed_moves_no_clock_and_holds_nobody_up(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", TYPED)
    state = folder / ".dream-state.json"
    state.write_bytes(b'{"lastDreamAt": "2026-09-01T03:00:00Z", "sessionsSinceLastDream": 9}')
    before, due = state.read_bytes(), workspace(folder).status()

    def die() -> None:
        with patch.object(dreaming, "_publish", lambda *_args: os.kill(os.getpid(), signal.SIGKILL)):
            workspace(folder).dream()

    assert in_child(die) == -signal.SIGKILL
    assert state.read_bytes() == before
    now = workspace(folder).status()
    assert (now.next, now.blocked, now.last_dream, now.locked_by) == (due.next, due.blocked, due.last_dream, None)
    assert left_over(folder) == []
    assert workspace(folder).dream().proposal is not None


@needs_kills
def test_a_number_that_another_program_runs_under_now_is_no_holder(tmp_path: Path) -> None:
    """The process that wrote the lock is gone, and its number was given to one that has nothing to do with it."""
    folder = lay(tmp_path / "s", SOURCES)
    accept_all(workspace(folder).open(leave_copy(folder, MERGED)))

    def stop(at: str) -> None:
        if at == "target 1":
            os.kill(os.getpid(), signal.SIGKILL)

    assert apply_stopping_at(folder, stop) == -signal.SIGKILL
    record = folder / ".dreamreview" / "owner.json"
    assert (folder / ".dream.lock").exists()
    owner = json.loads(record.read_bytes())
    record.write_text(json.dumps({**owner, "pid": os.getpid()}))
    assert workspace(folder).status().locked_by is None
    assert left_over(folder) == []
    assert workspace(folder).apply().stale == ()


# --- at once ------------------------------------------------------------------------------------------------------


def test_of_dreams_that_start_together_one_makes_a_proposal_and_none_breaks(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", TYPED)
    before = memory(folder)
    environment = {**os.environ, "HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "dreamreview", "dream", str(folder)]
    programs = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        for _ in range(3)
    ]
    said = [program.communicate(timeout=120) for program in programs]
    codes = sorted(program.returncode for program in programs)
    assert codes[0] == 0
    assert set(codes) <= {0, 3}, said
    assert [errors for _, errors in said if "Traceback" in errors] == []
    opened = workspace(folder)
    assert len(opened.ready()) == 1
    assert memory(folder) == before
    assert left_over(folder) == []


def test_a_file_that_is_caught_while_it_is_written_anew_is_not_taken_for_emptied(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\ntwo\nthree\nfour\n", "b.md": b"stays\n"})
    opened, paused = workspace(folder), 0
    opened.look()
    (folder / "a.md").write_bytes(b"")

    def write_the_rest(_seconds: float) -> None:
        nonlocal paused
        paused += 1
        if paused == 1:
            (folder / "a.md").write_bytes(b"one\ntwo\nthree\nfour\nfive\n")

    looked = guarding.look(opened._context, pause=write_the_rest)
    assert paused > 1
    assert (looked.proposal, looked.alarms) == (None, ())


# --- strays -------------------------------------------------------------------------------------------------------


def test_a_helper_left_in_a_copy_is_one_more_change_and_spoils_no_other(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\ntwo\n"})
    review = workspace(folder).open(leave_copy(folder, {"a.md": b"one\n2\n", "tidy.py": b"print('tidy')\n"}))
    assert [(change.kind, change.edits[0].path) for change in review.proposal.changes] == [
        (Kind.EDIT, "a.md"),
        (Kind.CREATE, "tidy.py"),
    ]
    lay(folder / ".dream-proposals" / ".tmp-other", {"a.md": b"half"})
    assert len(workspace(folder).ready()) == 1


# --- nothing, or a failure ----------------------------------------------------------------------------------------


def test_dreams_that_find_nothing_say_what_was_read_each_time(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"- Odile bakes on weekdays.\n", "b.md": b"- Flour comes on Friday.\n"})
    for _ in range(3):
        done = workspace(folder).dream()
        assert (done.proposal, done.summary) == (None, "nothing new in 2 files")
        assert workspace(folder).status().last_status == "completed"
    state = json.loads((folder / ".dream-state.json").read_bytes())
    assert state["lastDreamSummary"] == "nothing new in 2 files"
    assert not (folder / ".dream-proposals").exists()


def test_a_second_dream_of_a_day_tells_nothing_twice(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", TYPED)
    opened = workspace(folder)
    first = opened.dream().proposal
    review = opened.open(first)
    review.decide_all([Decision(Op.ACCEPT, change.id) for change in review.proposal.changes if not change.options])
    opened.apply(first)
    before = memory(folder)
    again = opened.dream()
    fingerprints = {change.fingerprint for change in opened.open(first).proposal.changes}
    told = opened.open(again.proposal).proposal.changes if again.proposal else ()
    assert {change.fingerprint for change in told} & fingerprints == set()
    assert memory(folder) == before


def test_a_dream_that_fails_says_why_and_the_next_one_that_works_counts(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", TYPED)
    state = folder / ".dream-state.json"

    def fail(*_args: object) -> None:
        raise EngineError("the model did not answer")

    for _ in range(2):
        with patch.object(dreaming, "think", fail), pytest.raises(EngineError, match="did not answer"):
            workspace(folder).dream()
        told = json.loads(state.read_bytes())
        assert (told["lastDreamStatus"], told["lastDreamSummary"]) == ("failed", "the model did not answer")
        assert told["lastDreamAt"] is None
    status = workspace(folder).status()
    assert (status.last_status, status.needs_attention, status.pending) == ("failed", True, 0)
    assert workspace(folder).dream().proposal is not None
    assert workspace(folder).status().last_status == "completed"
