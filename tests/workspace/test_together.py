"""Several programs at one store at the same moment: what they do is done once, and nobody meets half of it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dreamreview.errors import StoreLockedError
from dreamreview.model.review import Op
from dreamreview.store.rooted import Root
from dreamreview.store.statefile import load
from dreamreview.workspace import Workspace
from tests.workspace.stores import TYPED, accept_all, lay, leave_copy, left_over, memory, reviewed, texts, workspace

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
ROUNDS = max(1, int(3 * (SCALE - 1)))
CROWD = 8

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks")

STALE = b"1700000000000"
"""A notice of November 2023, by a program that never took it away."""

notices = pytest.mark.parametrize("notice", [None, STALE], ids=["fresh", "stale"])


def crowd(folder: Path, act: Callable[[Workspace], str | None]) -> list[str]:
    """Let a crowd of processes do the same at once; return what each says: its answer, ``locked``, or what broke."""
    ready, start = os.pipe(), os.pipe()
    answers = [os.pipe() for _ in range(CROWD)]
    for _, out in answers:
        if os.fork() == 0:
            opened = workspace(folder)
            os.close(start[1])
            os.write(ready[1], b"r")
            os.read(start[0], 1)
            os.write(out, said(opened, act).encode())
            os._exit(0)
    for _ in range(CROWD):
        os.read(ready[0], 1)
    os.close(start[1])
    for _ in range(CROWD):
        assert os.wait()[1] == 0
    found = [os.read(back, 10_000).decode() for back, _ in answers]
    for end in (*ready, start[0], *(end for pair in answers for end in pair)):
        os.close(end)
    return found


def said(opened: Workspace, act: Callable[[Workspace], str | None]) -> str:
    try:
        return act(opened) or "nothing"
    except StoreLockedError:
        return "locked"
    except BaseException as error:  # noqa: BLE001 - a child of the test tells whatever broke it
        return repr(error)


@notices
def test_of_many_that_apply_at_once_one_writes(tmp_path: Path, notice: bytes | None) -> None:
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        before = {f"n{at}.md": b"one\ntwo\n" for at in range(10)}
        after = {f"n{at}.md": b"one\n2\n" for at in range(10)}
        opened, review = reviewed(folder, dict(before), dict(after))
        accept_all(review)
        if notice:
            (folder / ".dream.lock").write_bytes(notice)
        found = crowd(folder, lambda store: store.apply().apply)
        assert sorted(set(found) - {"locked", "nothing"}) == ["a1"]
        assert found.count("a1") == 1
        assert texts(folder) == after
        assert [line.apply for line in opened.history()] == ["a1"]
        assert left_over(folder) == []
        opened.undo()
        assert texts(folder) == before


@notices
def test_many_that_dream_at_once_leave_one_proposal_to_review(tmp_path: Path, notice: bytes | None) -> None:
    for number in range(ROUNDS):
        folder = lay(tmp_path / str(number), TYPED)
        before = memory(folder)
        if notice:
            (folder / ".dream.lock").write_bytes(notice)
        found = crowd(folder, lambda store: store.dream().proposal)
        made = sorted(set(found) - {"locked", "nothing"})
        opened = workspace(folder)
        assert made
        assert [name for name in made if not name.startswith("20260915T1200000")] == []
        ready = [line.id for line in opened.proposals() if line.status == "ready"]
        assert len(ready) == 1
        assert opened.open().counts.changes > 0
        assert memory(folder) == before
        assert left_over(folder) == []
        assert load(Root(folder)).state.last_status == "completed"
        assert not list((folder / ".dream-proposals").glob(".*[0-9]"))


def test_of_many_that_undo_at_once_one_writes(tmp_path: Path) -> None:
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        before, after = {"m.md": b"a\n", "n.md": b"n\n"}, {"m.md": b"b\n", "n.md": b"N\n"}
        opened, review = reviewed(folder, dict(before), dict(after))
        accept_all(review)
        opened.apply()
        found = crowd(folder, lambda store: store.undo().apply)
        assert sorted(set(found) - {"locked", "nothing"}) == ["u2"]
        assert found.count("u2") == 1
        assert texts(folder) == before
        assert left_over(folder) == []


def test_decisions_made_by_many_at_once_are_all_kept(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {f"n{at}.md": b"one\n" for at in range(CROWD)})
    name = leave_copy(folder, {f"n{at}.md": b"two\n" for at in range(CROWD)})
    opened = workspace(folder)
    first = opened.open(name)
    ids = [change.id for change in first.proposal.changes]

    def decide(store: Workspace) -> str:
        review = store.open(name)
        mine = ids[os.getpid() % CROWD]
        review.decide(Op.ACCEPT, mine)
        return mine

    found = crowd(folder, decide)
    log = (folder / ".dreamreview/reviews" / f"{name}.jsonl").read_bytes().splitlines()
    assert sorted(json.loads(line)["on"] for line in log) == sorted(found)
    again = opened.open(name)
    assert {change for change, one in again.review.of.items() if one.chosen} == set(found)
