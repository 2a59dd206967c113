"""A dream by a program that is killed, while the program runs and at any instant: the store stays as it was."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from dreamreview.settings import private_folder
from tests.workspace.commands import dreamed_by, private_copies
from tests.workspace.stores import DAILY, accept_all, lay, left_over, memory, workspace

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
ROUNDS = 8 if SCALE <= 1 else min(200, int(40 * SCALE))
WAIT = 60.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")

TIDY = "(here / 'MEMORY.md').write_text('# Memory\\n'); (here / 'memory/2026-09-14.md').unlink()"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def _started(act: Callable[[], object]) -> int:
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(0)
    return child


def _until(is_met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT
    while not is_met():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _killed(child: int) -> int:
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:  # it went just now, or the system does not tell
        return not Path("/proc/self").exists()


def test_killed_while_the_program_runs_nothing_is_kept_and_the_program_ends(tmp_path: Path) -> None:
    store, mark = lay(tmp_path / "store", DAILY), tmp_path / "mark"
    before = memory(store)
    code = f"""
    {TIDY}
    pathlib.Path({str(mark)!r} + ".new").write_text(str(os.getpid()))
    os.rename({str(mark)!r} + ".new", {str(mark)!r})
    time.sleep(600)
    """
    child = _started(lambda: dreamed_by(store, code).dream())
    _until(mark.exists)
    assert _killed(child) == -signal.SIGKILL
    _until(lambda: not _runs(int(mark.read_text())))
    opened = dreamed_by(store, TIDY)
    assert (memory(store), opened.ready(), left_over(store)) == (before, (), [])
    assert len(private_copies()) == 2  # the copy, and the lock that nobody holds
    assert opened.dream().proposal is not None
    assert private_copies() == []


def test_copies_of_dreams_that_run_are_left_alone(tmp_path: Path) -> None:
    one, other, mark = lay(tmp_path / "one", DAILY), lay(tmp_path / "other", DAILY), tmp_path / "mark"
    child = _started(lambda: dreamed_by(one, f"open({str(mark)!r}, 'w').close(); time.sleep(600)").dream())
    _until(mark.exists)
    assert dreamed_by(other, TIDY).dream().proposal is not None
    assert len(private_copies()) == 2
    _killed(child)


def test_killed_at_any_instant_there_is_a_whole_proposal_or_none(tmp_path: Path) -> None:
    started = time.monotonic()
    _until_ended(_started(lambda: dreamed_by(lay(tmp_path / "measured", DAILY), TIDY).dream()))
    took, random = time.monotonic() - started, Random(11)
    for number in range(ROUNDS):
        store = lay(tmp_path / f"store-{number}", DAILY)
        before = memory(store)
        child = _started(lambda store=store: dreamed_by(store, TIDY).dream())  # type: ignore[misc]
        time.sleep(took * random.uniform(0.1, 1.1))
        _killed(child)
        opened = workspace(store)
        opened.settle()
        assert (memory(store), left_over(store)) == (before, [])
        for name in opened.ready():
            review = opened.open(name)
            assert {change.kind.value for change in review.proposal.changes} == {"edit", "delete"}
            accept_all(review)
            opened.apply(name)
            assert (store / "MEMORY.md").read_bytes() == b"# Memory\n"
    # What was starting a program right then may hold on to its copy a moment longer.
    _until(
        lambda: dreamed_by(lay(tmp_path / "last", DAILY), TIDY).dream().status == "completed" and not private_copies()
    )


def _until_ended(child: int) -> None:
    os.waitpid(child, 0)


def test_what_lies_beside_private_copies_is_not_swept(tmp_path: Path) -> None:
    place = Path(private_folder())
    (place / "kept").mkdir(parents=True)
    (place / "kept" / "note.md").write_text("not ours\n")
    dreamed_by(lay(tmp_path / "store", DAILY), TIDY).dream()
    assert private_copies() == ["kept"]
