"""How what is staged reaches the disk before it counts."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.store import flushing
from dreamreview.store.journal import Journal
from dreamreview.store.rooted import Root

Waits = list[str]


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> Waits:
    """Names of the files and folders that were waited for, and ``everything`` where the file system was."""
    seen: Waits = []
    fsync, syncfs = os.fsync, flushing.syncfs

    def watched(fd: int) -> None:
        seen.append(os.path.basename(os.readlink(f"/proc/self/fd/{fd}")))
        fsync(fd)

    def watched_all(fd: int) -> int:
        seen.append("everything")
        return syncfs(fd)

    monkeypatch.setattr(os, "fsync", watched)
    monkeypatch.setattr(flushing, "syncfs", watched_all)
    return seen


def staging(folder: Path, count: int) -> Callable[[], None]:
    """Stage so many files, and return what waits for them."""
    journal = Journal(Root(folder))
    journal.begin("a1")
    for number in range(count):
        journal.stage("a1", number, b"staged\n", 0o644, None)
    return lambda: journal.sync("a1", range(count))


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="descriptors have no names here")
@pytest.mark.parametrize("count", [1, 7, 8, 63])
def test_each_of_some_staged_files_is_waited_for(tmp_path: Path, waits: Waits, count: int) -> None:
    wait = staging(tmp_path, count)
    waits.clear()
    wait()
    assert sorted(waits) == sorted([*(f"new-{number}" for number in range(count)), "a1"])
    assert waits[-1] == "a1"


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="descriptors have no names here")
def test_many_are_waited_for_at_once(tmp_path: Path, waits: Waits) -> None:
    wait = staging(tmp_path, 64)
    waits.clear()
    wait()
    assert waits == ["everything"]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="descriptors have no names here")
def test_many_are_waited_for_one_by_one_where_the_system_cannot_do_better(
    tmp_path: Path, waits: Waits, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flushing, "syncfs", lambda _fd: errno.ENOSYS)
    wait = staging(tmp_path, 64)
    waits.clear()
    wait()
    assert sorted(waits) == sorted([*(f"new-{number}" for number in range(64)), "a1"])


def test_an_error_of_the_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flushing, "syncfs", lambda _fd: errno.EIO)
    with pytest.raises(StoreError, match=r"cannot write .*: the disk reports an error"):
        staging(tmp_path, 64)()
