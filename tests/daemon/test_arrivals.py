from __future__ import annotations

import queue
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dreamreview.daemon import arrivals
from dreamreview.daemon.arrivals import Arrivals

PATIENCE = 10.0
Start = Callable[[Path], threading.Semaphore]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start watchers whose semaphore is released with every call; stop them all in the end."""
    running: list[Arrivals] = []

    def begin(folder: Path) -> threading.Semaphore:
        calls = threading.Semaphore(0)
        watcher = Arrivals([str(folder)], lambda _: calls.release(), quiet=0.02, poll=0.5)
        watcher.start()
        running.append(watcher)
        return calls

    yield begin
    for watcher in running:
        watcher.stop()


def publish(folder: Path, name: str) -> Path:
    """Leave a proposal as programs do: made under a name with a dot, renamed into place."""
    root = folder / ".dream-proposals"
    root.mkdir(exist_ok=True)
    made = root / f".tmp-{name}"
    made.mkdir()
    (made / "a.md").write_text("a\n")
    return made.rename(root / name)


def test_a_proposal_that_is_published_is_noticed(tmp_path: Path, start: Start) -> None:
    (tmp_path / ".dream-proposals").mkdir()
    calls = start(tmp_path)
    publish(tmp_path, "20260301T090000000")
    assert calls.acquire(timeout=PATIENCE)


def test_the_first_proposal_of_a_store_is_noticed(tmp_path: Path, start: Start) -> None:
    calls = start(tmp_path)
    publish(tmp_path, "20260301T090000000")
    assert calls.acquire(timeout=PATIENCE)
    publish(tmp_path, "20260302T090000000")
    assert calls.acquire(timeout=PATIENCE)


def test_a_folder_of_proposals_that_is_replaced_is_still_watched(tmp_path: Path, start: Start) -> None:
    publish(tmp_path, "20260301T090000000")
    calls = start(tmp_path)
    shutil.rmtree(tmp_path / ".dream-proposals")
    assert calls.acquire(timeout=PATIENCE)
    publish(tmp_path, "20260302T090000000")
    assert calls.acquire(timeout=PATIENCE)


def test_a_proposal_that_goes_is_noticed(tmp_path: Path, start: Start) -> None:
    made = publish(tmp_path, "20260301T090000000")
    calls = start(tmp_path)
    shutil.rmtree(made)
    assert calls.acquire(timeout=PATIENCE)


def test_changes_of_the_memory_itself_are_none_of_its_business(tmp_path: Path, start: Start) -> None:
    publish(tmp_path, "20260301T090000000")
    calls = start(tmp_path)
    (tmp_path / "MEMORY.md").write_text("note\n")
    publish(tmp_path, "20260302T090000000")
    assert calls.acquire(timeout=PATIENCE)
    assert not calls.acquire(blocking=False)


def test_without_a_watch_the_folder_is_polled(tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "no space left on device: watches have run out")

    monkeypatch.setattr(arrivals, "Observer", refuse)
    calls = start(tmp_path)
    publish(tmp_path, "20260301T090000000")
    assert calls.acquire(timeout=PATIENCE)


def test_a_store_that_is_not_there_is_no_error(tmp_path: Path, start: Start) -> None:
    calls = start(tmp_path / "later")
    (tmp_path / "later").mkdir()
    publish(tmp_path / "later", "20260301T090000000")
    assert calls.acquire(timeout=PATIENCE)


def test_stopping_ends_the_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    watcher = Arrivals([str(tmp_path)], lambda _: None)
    watcher.start()
    watcher.stop()
    assert threading.active_count() <= before


def test_of_many_stores_the_one_that_changed_is_told_and_few_are_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "WATCHED_STORES", 2)
    folders = [tmp_path / f"store{number}" for number in range(40)]
    for folder in folders:
        folder.mkdir()
    told: queue.Queue[str] = queue.Queue()
    watcher = Arrivals([str(folder) for folder in folders], told.put, quiet=0.02, poll=0.2)
    before = threading.active_count()
    watcher.start()
    try:
        assert watcher.watched == {str(folder) for folder in folders[:2]}
        assert threading.active_count() - before <= 8
        for place in (0, 39, 1, 20):
            publish(folders[place], "20260301T090000000")
            assert told.get(timeout=PATIENCE) == str(folders[place])
    finally:
        watcher.stop()
    assert told.empty()


def test_a_store_that_goes_and_comes_back_is_noticed(tmp_path: Path, start: Start) -> None:
    folder = tmp_path / "memory"
    publish_into = folder / ".dream-proposals"
    publish_into.mkdir(parents=True)
    publish(folder, "20260301T090000000")
    calls = start(folder)
    shutil.rmtree(folder)
    assert calls.acquire(timeout=PATIENCE)
    folder.mkdir()
    publish(folder, "20260302T090000000")
    assert calls.acquire(timeout=PATIENCE)
