"""What a killed git leaves in the private history keeps nobody from working on."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from dreamreview.model.review import Op
from dreamreview.store import git_locks
from dreamreview.store.history import REPOSITORY
from dreamreview.store.lock import hold
from dreamreview.store.rooted import Root
from tests.workspace.stores import FOREIGN, reviewed, texts, workspace

if TYPE_CHECKING:
    from pathlib import Path

PLACES = ("HEAD.lock", "config.lock", "packed-refs.lock", "refs/heads/main.lock", "refs/pending/a2.lock")
BEFORE, AFTER = b"a\nb\nc\nd\ne\n", b"A\nb\nc\nd\nE\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store in which one of two changes was applied."""
    opened, review = reviewed(tmp_path / "s", {"m.md": BEFORE}, {"m.md": AFTER})
    review.decide(Op.ACCEPT, review.proposal.changes[0].id)
    opened.apply()
    return tmp_path / "s"


def leave(store: Path, place: str, *, age: float = 60.0) -> Path:
    """Leave a lock as a killed git does."""
    path = store / REPOSITORY / place
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"")
    now = path.stat().st_mtime
    os.utime(path, (now - age, now - age))
    return path


def apply_the_other(store: Path) -> None:
    opened = workspace(store)
    review = opened.open(FOREIGN)
    review.decide(Op.ACCEPT, review.proposal.changes[1].id)
    opened.apply()


def test_the_history_is_looked_for_where_it_is() -> None:
    assert git_locks.FOLDERS[0] == REPOSITORY


def test_nothing_is_found_where_nothing_was_left(store: Path) -> None:
    assert not git_locks.has_any(Root(store))
    assert git_locks.sweep(Root(store)) == ()


@pytest.mark.parametrize("place", PLACES)
def test_a_lock_that_a_killed_git_left_stops_neither_an_apply_nor_an_undo(store: Path, place: str) -> None:
    left = leave(store, place)
    apply_the_other(store)
    assert texts(store) == {"m.md": AFTER}
    assert not left.exists()
    leave(store, place)
    opened = workspace(store)
    opened.undo()
    opened.undo()
    assert texts(store) == {"m.md": BEFORE}


@pytest.mark.parametrize("place", PLACES)
def test_opening_a_store_takes_them_away(store: Path, place: str) -> None:
    left = leave(store, place)
    assert workspace(store).settle() == ()
    assert not left.exists()


def test_a_lock_of_a_git_at_work_just_now_is_waited_for(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = leave(store, "refs/heads/main.lock", age=0.0)
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        left.unlink(missing_ok=True)

    monkeypatch.setattr("dreamreview.store.git_locks.time.sleep", wait)
    assert git_locks.sweep(Root(store)) == ()
    assert len(waits) == 1


def test_a_young_lock_that_nobody_takes_away_goes_in_the_end(store: Path) -> None:
    leave(store, "refs/heads/main.lock", age=0.0)
    assert git_locks.sweep(Root(store)) == (f"{REPOSITORY}/refs/heads/main.lock",)


HOLDING = """
import sys
from dreamreview.store.lock import hold
from dreamreview.store.rooted import Root
with hold(Root(sys.argv[1]), "apply"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_they_stay_while_another_program_holds_the_store(store: Path) -> None:
    left = leave(store, "refs/heads/main.lock")
    other = subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "held\n"
    workspace(store).settle()
    assert left.exists()
    other.communicate()
    workspace(store).settle()
    assert not left.exists()


def test_locks_elsewhere_are_none_of_ours(store: Path, tmp_path: Path) -> None:
    theirs = [store / "notes.lock", store / ".git" / "index.lock", store / ".dreamreview" / "other.lock"]
    for path in theirs:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    outside = tmp_path / "elsewhere"
    (outside / "refs").mkdir(parents=True)
    (outside / "refs" / "x.lock").write_bytes(b"")
    with hold(Root(store), "test"):
        os.rename(store / REPOSITORY / "refs", tmp_path / "kept")
        (store / REPOSITORY / "refs").symlink_to(outside / "refs")
        assert git_locks.sweep(Root(store)) == ()
    assert all(path.exists() for path in theirs)
    assert (outside / "refs" / "x.lock").exists()
