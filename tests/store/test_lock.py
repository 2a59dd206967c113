"""One holder at a time: among ours, beside other programs, after kills, lying clocks and long sleeps."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamreview.errors import StoreError, StoreLockedError, UnsafePathError
from dreamreview.store import lock, owner
from dreamreview.store.bookkeeping import NOTICE, make_folder
from dreamreview.store.lock import Held, hold, holder
from dreamreview.store.rooted import Root

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
"""Twenty rounds of each kind by default; 500 at a scale of 25."""

MINUTE = 60_000

WORKER = """
import sys
from dreamreview.errors import StoreLockedError
from dreamreview.store.lock import hold
from dreamreview.store.rooted import Root
root = Root(sys.argv[1])
for line in sys.stdin:
    try:
        with hold(root, "test"):
            print("won", flush=True)
            sys.stdin.readline()
        print("released", flush=True)
    except StoreLockedError:
        print("lost", flush=True)
"""

CROWD = """
import contextlib, os, sys, time
from dreamreview.errors import StoreLockedError
from dreamreview.store.lock import hold
from dreamreview.store.rooted import Root
folder, rounds, is_foreign = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "foreign"
root, notice, guard = Root(folder), folder + "/.dream.lock", folder + "/guard"

def inside():
    os.close(os.open(guard, os.O_CREAT | os.O_EXCL))
    os.unlink(guard)
    return 1

def foreign():
    try:
        fd = os.open(notice, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        with contextlib.suppress(FileNotFoundError):
            assert open(notice).read().isdigit()
        return 0
    os.write(fd, str(time.time_ns() // 1_000_000).encode())
    os.close(fd)
    entered = inside()
    os.unlink(notice)
    return entered

def ours():
    try:
        with hold(root, "test"):
            return inside()
    except StoreLockedError:
        return 0

sys.stdin.readline()
print(sum((foreign if is_foreign else ours)() for _ in range(rounds)))
"""


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "store").mkdir()
    return Root(tmp_path / "store")


class Workers:
    """Processes that try for the lock when told to, and keep it until told to let go."""

    def __init__(self, root: Root, count: int) -> None:
        command = [sys.executable, "-c", WORKER, root.path]
        self.all = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(count)
        ]

    def tell(self, worker: subprocess.Popen[str]) -> None:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()

    def answer(self, worker: subprocess.Popen[str]) -> str:
        assert worker.stdout is not None
        return worker.stdout.readline().strip()

    def race(self) -> tuple[list[str], subprocess.Popen[str]]:
        """Let all try at once; return what they say and the first that won."""
        for worker in self.all:
            self.tell(worker)
        answers = [self.answer(worker) for worker in self.all]
        return answers, self.all[answers.index("won")]

    def end(self) -> None:
        for worker in self.all:
            worker.kill()
            worker.communicate()


@pytest.fixture
def workers(root: Root) -> Iterator[Workers]:
    made = Workers(root, 8)
    yield made
    made.end()


def _notice(root: Root) -> Path:
    return Path(root.path, NOTICE)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _foreign(root: Root, text: str, age_minutes: float = 0.0) -> None:
    _notice(root).write_text(text)
    then = time.time_ns() - int(age_minutes * 60_000_000_000)
    os.utime(_notice(root), ns=(then, then))


def _is_free(root: Root) -> bool:
    try:
        with hold(root, "test"):
            return True
    except StoreLockedError:
        return False


def _leave_behind(root: Root) -> bytes:
    """Leave a notice and its record as a process does that is killed while it holds the store."""
    held = Held(root, "dream")
    make_folder(root, ".dreamreview")
    held.announce()
    return _notice(root).read_bytes()


def _edit_owner(root: Root, **values: object) -> None:
    path = Path(root.path, ".dreamreview/owner.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def test_a_holder_is_announced_and_leaves_nothing_behind(root: Root) -> None:
    before = _now()
    with hold(root, "apply") as held:
        text = _notice(root).read_bytes()
        assert text.isdigit()
        assert before <= int(text) <= _now()
        assert _notice(root).stat().st_mode & 0o777 == 0o644
        told = holder(root)
        assert told is not None
        assert told.startswith(f"dreamreview (apply, process {os.getpid()} on ")
        held.check()
    assert holder(root) is None
    assert sorted(os.listdir(root.path)) == [".dreamreview"]
    assert sorted(os.listdir(root.path + "/.dreamreview")) == [".gitignore", "lock"]
    assert Path(root.path, ".dreamreview/.gitignore").read_bytes() == b"*\n"
    modes = {name: os.stat(f"{root.path}/.dreamreview/{name}").st_mode & 0o777 for name in (".", ".gitignore", "lock")}
    assert modes == {".": 0o700, ".gitignore": 0o600, "lock": 0o600}


def test_a_second_holder_is_refused_and_told_who_and_what_to_do(root: Root) -> None:
    refusal = rf"store is locked by dreamreview \(dream, process {os.getpid()} on .*\) since .* UTC; wait until"
    with hold(root, "dream"), pytest.raises(StoreLockedError, match=refusal), hold(root, "apply"):
        pytest.fail("two holders")
    assert _is_free(root)


def test_an_error_in_the_block_lets_go(root: Root) -> None:
    with pytest.raises(KeyboardInterrupt), hold(root, "dream"):
        raise KeyboardInterrupt
    assert not _notice(root).exists()
    assert _is_free(root)


def test_a_waiting_holder_comes_in_when_the_first_is_gone(root: Root) -> None:
    entered, leave, seen = threading.Event(), threading.Event(), []

    def first() -> None:
        with hold(root, "dream"):
            entered.set()
            leave.wait(20)
            seen.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    assert entered.wait(20)
    threading.Timer(0.05, leave.set).start()
    with hold(root, "apply", wait=20):
        seen.append("second")
    thread.join()
    assert seen == ["first", "second"]


def test_the_memory_folder_is_never_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist"), hold(Root(tmp_path / "none"), "dream"):
        pytest.fail("held a folder that is not there")
    assert list(tmp_path.iterdir()) == []


def test_looking_for_the_holder_writes_nothing(root: Root) -> None:
    assert holder(root) is None
    _foreign(root, str(_now()))
    told = holder(root)
    assert told is not None
    assert told.startswith("another program since 20")
    assert os.listdir(root.path) == [NOTICE]


@pytest.mark.parametrize("start", ["fresh", "stale", "garbage", "left by a kill"])
def test_of_eight_processes_one_holds_the_store(root: Root, workers: Workers, start: str) -> None:
    for _ in range(round(20 * SCALE) or 1):
        if start == "stale":
            _foreign(root, str(_now() - 16 * MINUTE), 16)
        elif start == "garbage":
            _foreign(root, "", 16)
        elif start == "left by a kill":
            _leave_behind(root)
            _edit_owner(root, pid=2**22 + 1)
        answers, winner = workers.race()
        assert sorted(answers) == ["lost"] * 7 + ["won"]
        text = _notice(root).read_bytes()
        assert text.isdigit()
        assert holder(root) is not None
        workers.tell(winner)
        assert workers.answer(winner) == "released"
        assert not _notice(root).exists()


def test_a_crowd_of_ours_and_a_foreign_program_never_meet_inside(root: Root) -> None:
    command = [sys.executable, "-c", CROWD, root.path, str(round(60 * SCALE) or 1)]
    crowd = [
        subprocess.Popen([*command, kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for kind in ["ours"] * 5 + ["foreign"]
    ]
    for one in crowd:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    entered = [one.communicate()[0] for one in crowd]
    assert [one.returncode for one in crowd] == [0] * 6
    assert max(map(int, entered)) > 0
    assert sorted(os.listdir(root.path)) == [".dreamreview"]


def test_a_killed_holder_is_succeeded_at_once(root: Root, workers: Workers) -> None:
    answers, winner = workers.race()
    assert answers.count("won") == 1
    winner.send_signal(signal.SIGKILL)
    winner.wait()
    workers.all.remove(winner)
    assert _notice(root).exists()
    assert holder(root) is None
    answers, second = workers.race()
    assert sorted(answers) == ["lost"] * 6 + ["won"]
    workers.tell(second)
    assert workers.answer(second) == "released"


@pytest.mark.parametrize("age", [0, 14.9])
def test_a_foreign_notice_is_honoured_for_a_quarter_of_an_hour(root: Root, age: float) -> None:
    _foreign(root, str(int(_now() - age * MINUTE)), 999)
    with pytest.raises(StoreLockedError, match="is locked by another program since 20"), hold(root, "dream"):
        pytest.fail("held against a fresh notice")
    assert _notice(root).exists()
    _foreign(root, str(_now() - 16 * MINUTE))
    assert holder(root) is None
    assert _is_free(root)
    assert not _notice(root).exists()


def test_the_quarter_of_an_hour_is_exact(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    _foreign(root, "1000000")
    monkeypatch.setattr(lock, "_now_ms", lambda: 1_000_000 + 15 * MINUTE)
    assert holder(root) is not None
    assert not _is_free(root)
    monkeypatch.setattr(lock, "_now_ms", lambda: 1_000_001 + 15 * MINUTE)
    assert holder(root) is None
    assert _is_free(root)


@pytest.mark.parametrize("text", ["", "garbage", '{"pid": 1}', "-5", "12x", "\u0663", "1" * 40])
def test_a_notice_that_cannot_be_read_counts_from_its_file(root: Root, text: str) -> None:
    _foreign(root, text, age_minutes=14)
    assert not _is_free(root)
    _foreign(root, text, age_minutes=16)
    assert _is_free(root)


def test_a_notice_from_the_future_counts_from_its_file(root: Root) -> None:
    ahead = str(_now() + 10_000 * MINUTE)
    _foreign(root, ahead, age_minutes=1)
    assert not _is_free(root)
    _foreign(root, ahead, age_minutes=16)
    assert _is_free(root)
    _foreign(root, ahead, age_minutes=-10)
    assert not _is_free(root)
    _foreign(root, ahead, age_minutes=-10_000)
    assert _is_free(root)


def test_a_notice_of_a_process_that_is_gone_is_taken_over_at_once(root: Root) -> None:
    _leave_behind(root)
    _edit_owner(root, pid=2**22 + 1)
    assert holder(root) is None
    assert _is_free(root)


def test_a_number_that_another_process_got_does_not_count(root: Root) -> None:
    _leave_behind(root)
    _edit_owner(root, pid=os.getppid(), started="1")
    assert holder(root) is None
    assert _is_free(root)


def test_a_holder_that_lives_is_honoured_even_if_its_lock_file_was_removed(root: Root, workers: Workers) -> None:
    _, winner = workers.race()
    os.remove(root.path + "/.dreamreview/lock")
    assert not _is_free(root)
    workers.tell(winner)
    assert workers.answer(winner) == "released"
    assert _is_free(root)


def test_a_lock_file_removed_by_this_very_process_still_keeps_others_out(root: Root) -> None:
    with hold(root, "dream"):
        os.remove(root.path + "/.dreamreview/lock")
        assert not _is_free(root)
    assert _is_free(root)


def test_a_notice_left_before_a_reboot_is_taken_over_at_once(root: Root) -> None:
    _leave_behind(root)
    _edit_owner(root, boot="another boot", pid=1)
    assert owner.this_process().boot is None or holder(root) is None
    assert _is_free(root)


def test_a_holder_on_another_machine_is_honoured_for_a_quarter_of_an_hour(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = _leave_behind(root)
    _edit_owner(root, host="elsewhere", boot="another boot")
    told = holder(root)
    assert told is not None
    assert "on elsewhere" in told
    with pytest.raises(StoreLockedError, match="on elsewhere"), hold(root, "dream"):
        pytest.fail("held against another machine")
    monkeypatch.setattr(lock, "_now_ms", lambda: int(text) + 15 * MINUTE + 1)
    assert holder(root) is None
    assert _is_free(root)


def test_a_foreign_notice_beside_an_old_record_of_ours_is_honoured(root: Root) -> None:
    _leave_behind(root)
    _edit_owner(root, pid=2**22 + 1)
    _foreign(root, str(_now() - MINUTE))
    assert not _is_free(root)


@pytest.mark.parametrize("record", [b"", b"[]", b"{}", b"[" * 60_000, b"\xff", b'{"pid": true, "host": "x"}'])
def test_a_record_that_cannot_be_read_makes_the_notice_a_foreign_one(root: Root, record: bytes) -> None:
    _leave_behind(root)
    Path(root.path, ".dreamreview/owner.json").write_bytes(record)
    told = holder(root)
    assert told is not None
    assert told.startswith("another program")
    assert not _is_free(root)


def test_the_notice_is_renewed_when_it_is_five_minutes_old(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    with hold(root, "dream") as held:
        first = int(_notice(root).read_bytes())
        monkeypatch.setattr(lock, "_now_ms", lambda: first + 5 * MINUTE - 1)
        held.renew()
        assert int(_notice(root).read_bytes()) == first
        monkeypatch.setattr(lock, "_now_ms", lambda: first + 5 * MINUTE)
        held.renew()
        assert int(_notice(root).read_bytes()) == first + 5 * MINUTE
        held.check()
    assert not _notice(root).exists()


def test_the_notice_is_renewed_while_it_is_held(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "_TICK_SECONDS", 0.001)
    renewed = threading.Event()
    monkeypatch.setattr(Held, "renew", lambda _: renewed.set())
    with hold(root, "dream"):
        assert renewed.wait(20)


@pytest.mark.parametrize("written", [0, 1], ids=["record", "record and notice"])
def test_a_kill_in_the_middle_of_a_renewal_is_still_ours(
    root: Root, monkeypatch: pytest.MonkeyPatch, written: int
) -> None:
    make_folder(root, ".dreamreview")
    held = Held(root, "dream")
    held.announce()
    first = int(_notice(root).read_bytes())
    monkeypatch.setattr(lock, "_now_ms", lambda: first + 6 * MINUTE)

    def stop(*_: object, **__: object) -> None:
        raise StoreError("killed")

    if not written:
        monkeypatch.setattr(Root, "replace", stop)
    with contextlib.suppress(StoreError):
        held.renew()
    monkeypatch.undo()
    _edit_owner(root, pid=2**22 + 1)
    assert int(_notice(root).read_bytes()) == first + written * 6 * MINUTE
    assert holder(root) is None
    assert _is_free(root)


def test_a_holder_that_was_robbed_in_its_sleep_notices_and_robs_nobody(root: Root) -> None:
    with hold(root, "dream") as held:
        thief = str(int(_notice(root).read_bytes()) + 1)
        _foreign(root, thief)
        with pytest.raises(StoreLockedError, match="is locked by another program"):
            held.check()
        held.renew()
        assert _notice(root).read_text() == thief
    assert _notice(root).read_text() == thief


def test_a_notice_that_was_removed_is_put_back(root: Root) -> None:
    with hold(root, "dream") as held:
        for act in (held.renew, held.check):
            _notice(root).unlink()
            act()
            assert _notice(root).exists()
    assert not _notice(root).exists()
    held.renew()
    assert not _notice(root).exists()


def test_a_notice_that_comes_first_wins(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Root.link

    def link(self: Root, source: str, target: str) -> bool:
        if target == NOTICE:
            _foreign(root, "5")
        return real(self, source, target)

    monkeypatch.setattr(Root, "link", link)
    assert not _is_free(root)
    assert _notice(root).read_text() == "5"
    assert sorted(os.listdir(root.path + "/.dreamreview")) == [".gitignore", "lock"]


def test_a_notice_that_comes_while_a_stale_one_is_taken_away_is_put_back(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    _foreign(root, "5", 16)
    real, fresh = Root.replace, str(_now())

    def replace(self: Root, source: str, target: str, *, durable: bool = True) -> None:
        if source == NOTICE:
            _notice(root).unlink()
            _foreign(root, fresh)
        real(self, source, target, durable=durable)

    monkeypatch.setattr(Root, "replace", replace)
    assert not _is_free(root)
    assert _notice(root).read_text() == fresh


@pytest.mark.parametrize("name", ["owner.json", "notice"])
def test_a_holder_that_cannot_announce_itself_leaves_no_record(
    root: Root, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    real = Root.write_atomic

    def write(self: Root, path: str, data: bytes, mode: int, *, durable: bool = True, over_link: bool = False) -> None:
        if path == f".dreamreview/{name}":
            raise StoreError("the disk is full")
        real(self, path, data, mode, durable=durable, over_link=over_link)

    monkeypatch.setattr(Root, "write_atomic", write)
    with pytest.raises(StoreError, match="the disk is full"), hold(root, "dream"):
        pytest.fail("held without a notice")
    assert sorted(os.listdir(root.path)) == [".dreamreview"]
    assert sorted(os.listdir(root.path + "/.dreamreview")) == [".gitignore", "lock"]


def test_a_file_system_without_second_names_will_do(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object) -> bool:
        raise StoreError("cannot link")

    monkeypatch.setattr(Root, "link", link)
    with hold(root, "dream"):
        assert _notice(root).read_bytes().isdigit()
        assert not _is_free(root)
    assert _is_free(root)


def test_a_notice_or_folder_that_is_a_link_is_refused(root: Root, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text("1")
    _notice(root).symlink_to(tmp_path / "outside" / "file")
    with pytest.raises(StoreError, match="is not a regular file"), hold(root, "dream"):
        pytest.fail("held through a link")
    assert holder(root) is not None
    _notice(root).unlink()
    os.rename(root.path + "/.dreamreview", tmp_path / "moved")
    os.symlink(tmp_path / "outside", root.path + "/.dreamreview")
    with pytest.raises(UnsafePathError), hold(root, "dream"):
        pytest.fail("held through a link")
    assert sorted(os.listdir(tmp_path / "outside")) == ["file"]
    assert (tmp_path / "outside" / "file").read_text() == "1"


def test_two_stores_are_held_apart(root: Root, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with hold(root, "dream"), hold(Root(tmp_path / "other"), "dream"):
        assert not _is_free(root)
