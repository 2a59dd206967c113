"""Stores are looked at when they were written to, now and then in any case, and whatever becomes of one of them."""

from __future__ import annotations

import queue
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import watchdog.observers

from dreamreview.daemon import watching
from dreamreview.daemon.watching import Watching
from dreamreview.errors import DreamReviewError, StoreError

PATIENCE = 10.0
NEVER = 600.0


class Looks:
    """Stores under watch; every look is told with what it saw."""

    def __init__(self) -> None:
        self.told: queue.Queue[str] = queue.Queue()
        self.failures: queue.Queue[str] = queue.Queue()
        self.polled: queue.Queue[str] = queue.Queue()
        self.answers: list[bool | DreamReviewError] = []
        """What the next looks come to; True where nothing is said."""

    def look(self, folder: str) -> bool:
        answer = self.answers.pop(0) if self.answers else True
        self.told.put(folder)
        if isinstance(answer, DreamReviewError):
            raise answer
        return answer

    def fail(self, folder: str, error: DreamReviewError) -> None:
        self.failures.put(f"{Path(folder).name}: {error}")

    def poll(self, folder: str, reason: str) -> None:
        self.polled.put(f"{Path(folder).name}: {reason}")

    def next(self) -> str:
        return self.told.get(timeout=PATIENCE)


Start = Callable[..., tuple[Watching, Looks]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start to watch some folders; stop in the end."""
    running: list[tuple[Watching, threading.Thread]] = []

    def begin(*folders: Path, poll: float = NEVER, looks: Looks | None = None) -> tuple[Watching, Looks]:
        looks = looks or Looks()
        names = [str(folder) for folder in folders]
        watcher = Watching(names, looks.look, looks.fail, looks.poll, quiet=0.02, poll=poll)
        thread = threading.Thread(target=watcher.run, daemon=True)
        thread.start()
        running.append((watcher, thread))
        return watcher, looks

    yield begin
    for watcher, thread in running:
        watcher.stop()
        thread.join(timeout=PATIENCE)
        assert not thread.is_alive()


def test_every_store_is_looked_at_first(tmp_path: Path, start: Start) -> None:
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
    _, looks = start(*folders)
    assert [looks.next() for _ in folders] == list(map(str, folders))


@pytest.mark.parametrize("place", ["new.md", "memory/2026-09-15.md"])
def test_a_store_that_is_written_to_is_looked_at_again_and_no_other(tmp_path: Path, start: Start, place: str) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        (folder / "memory").mkdir(parents=True)
    _, looks = start(one, other)
    looks.next(), looks.next()
    (one / place).write_bytes(b"new\n")
    assert looks.next() == str(one)


def test_a_folder_that_is_new_is_watched_from_then_on(tmp_path: Path, start: Start) -> None:
    _, looks = start(tmp_path)
    looks.next()
    (tmp_path / "memory").mkdir()
    looks.next()
    (tmp_path / "memory" / "a.md").write_bytes(b"a\n")
    assert looks.next() == str(tmp_path)


def test_what_we_write_ourselves_beside_the_memory_is_no_hint(tmp_path: Path, start: Start) -> None:
    (tmp_path / ".dreamreview").mkdir()
    watcher, looks = start(tmp_path)
    looks.next()
    (tmp_path / ".dreamreview" / "owner.json").write_bytes(b"{}")
    (tmp_path / ".dream.lock").write_bytes(b"1")
    (tmp_path / "mark.md").write_bytes(b"m\n")
    assert looks.next() == str(tmp_path)
    watcher.stop()
    assert looks.told.qsize() <= 1  # the mark may come as two hints, apart


def test_a_store_is_looked_at_now_and_then_without_a_hint(tmp_path: Path, start: Start) -> None:
    _, looks = start(tmp_path, poll=0.01)
    assert [looks.next() for _ in range(5)] == [str(tmp_path)] * 5


def test_a_store_that_is_busy_is_tried_again_soon(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "_RETRY_SECONDS", 0.001)
    looks = Looks()
    looks.answers = [False, False, True]
    start(tmp_path, looks=looks)
    assert [looks.next() for _ in range(3)] == [str(tmp_path)] * 3


def test_a_look_that_fails_is_told_once_and_stops_nothing(tmp_path: Path, start: Start) -> None:
    looks = Looks()
    looks.answers = [StoreError("the disk is full"), StoreError("the disk is full"), True, StoreError("it is again")]
    start(tmp_path, poll=0.01, looks=looks)
    for _ in range(5):
        looks.next()
    told = [looks.failures.get(timeout=PATIENCE) for _ in range(2)]
    assert told == [f"{tmp_path.name}: the disk is full", f"{tmp_path.name}: it is again"]
    assert looks.failures.empty()


def test_a_store_that_vanishes_and_comes_back_is_looked_at_again(tmp_path: Path, start: Start) -> None:
    store = tmp_path / "s"
    store.mkdir()
    watcher, looks = start(store)
    looks.next()
    shutil.rmtree(store)
    assert looks.next() == str(store)
    while not looks.told.empty():
        looks.told.get()
    watcher.stop()
    store.mkdir()
    _, again = start(store)
    assert again.next() == str(store)


def test_where_watches_have_run_out_a_store_is_polled(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(watchdog.observers.Observer, "schedule", refuse)
    watcher, looks = start(tmp_path, poll=0.01)
    assert [looks.next() for _ in range(3)] == [str(tmp_path)] * 3
    assert watcher.watched == frozenset()
    said = "the system has no watches left (fs.inotify.max_user_watches)"
    assert (looks.polled.get(timeout=PATIENCE), looks.polled.empty()) == (f"{tmp_path.name}: {said}", True)


def test_a_store_with_very_many_folders_is_polled(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "WATCHED_FOLDERS", 4)
    for number in range(5):
        (tmp_path / f"{number}").mkdir()
    watcher, looks = start(tmp_path, poll=0.01)
    looks.next(), looks.next()
    assert watcher.watched == frozenset()
    assert looks.polled.get(timeout=PATIENCE) == f"{tmp_path.name}: it has more than 4 folders"
    assert looks.polled.empty()


def test_where_the_system_watches_nothing_a_store_is_polled(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_self: object) -> None:
        raise OSError(24, "inotify instance limit reached")

    monkeypatch.setattr(watchdog.observers.Observer, "start", refuse)
    _, looks = start(tmp_path, poll=0.01)
    assert [looks.next() for _ in range(3)] == [str(tmp_path)] * 3
    assert looks.polled.get(timeout=PATIENCE) == f"{tmp_path.name}: the system watches no more folders for you"
    assert looks.polled.empty()


def test_a_store_that_comes_back_is_looked_at_at_once(tmp_path: Path, start: Start) -> None:
    store = tmp_path / "s"
    _, looks = start(store)
    assert looks.next() == str(store)
    (tmp_path / "made").mkdir()
    (tmp_path / "made").rename(store)
    assert looks.next() == str(store)
    assert looks.polled.empty()


def test_a_store_that_is_never_quiet_is_looked_at_all_the_same() -> None:
    store = watching._Store("s")
    store.end(100.0, NEVER, is_done=True)
    now = 100.0
    while not store.is_due(now):
        store.hint(now, quiet=1.0)
        now += 0.5
    assert now <= 100.0 + watching.PATIENCE_SECONDS + 1.0


def test_hints_during_a_look_are_not_lost() -> None:
    store = watching._Store("s")
    store.begin()
    store.hint(100.0, quiet=1.0)
    store.end(105.0, NEVER, is_done=True)
    assert store.is_due(105.0)


def test_no_wait_is_so_long_that_an_interrupt_right_before_it_is_not_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float | None] = []
    looks = Looks()
    watcher = Watching([str(tmp_path)], looks.look, looks.fail, looks.poll, poll=NEVER)

    def wait(_event: threading.Event, timeout: float | None = None) -> bool:
        waits.append(timeout)
        if len(waits) == 3:
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr(threading.Event, "wait", wait)
    monkeypatch.setattr(watching, "_listening", lambda: None)
    with pytest.raises(KeyboardInterrupt):
        watcher.run()
    assert waits == [0.0, 1.0, 1.0]
