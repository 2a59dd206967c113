from __future__ import annotations

import errno
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.store import flushing
from dreamreview.store.rooted import Root


def test_what_a_block_wrote_is_flushed_at_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flushed: list[bool] = []
    monkeypatch.setattr(flushing, "flush", lambda _root, _path="": flushed.append((tmp_path / "a").exists()))
    with flushing.flushing(Root(tmp_path), beside=False):
        (tmp_path / "a").write_bytes(b"a")
        assert flushed == []
    assert flushed == [True]


def test_beside_a_block_it_is_flushed_again_and_again_and_once_more_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flushing, "_EVERY_SECONDS", 0.001)
    flushed: list[bool] = []
    monkeypatch.setattr(flushing, "flush", lambda _root, _path="": flushed.append((tmp_path / "a").exists()))
    with flushing.flushing(Root(tmp_path), beside=True):
        while len(flushed) < 3:
            pass
        (tmp_path / "a").write_bytes(b"a")
    assert flushed[0] is False
    assert flushed[-1] is True


@pytest.mark.parametrize("beside", [False, True])
def test_an_error_of_the_disk_is_told_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: bool) -> None:
    monkeypatch.setattr(flushing, "_EVERY_SECONDS", 0.001)
    monkeypatch.setattr(flushing, "syncfs", lambda _fd: errno.EIO)
    with pytest.raises(StoreError, match="the disk reports an error"), flushing.flushing(Root(tmp_path), beside=beside):
        pass


def folders_of(top: Path, count: int) -> list[str]:
    names = [f"folder{number}" for number in range(count)]
    for name in names:
        (top / name).mkdir()
    return names


@pytest.mark.parametrize(("count", "all_at_once"), [(15, 0), (16, 1)])
def test_the_names_in_many_folders_are_flushed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, all_at_once: int
) -> None:
    calls: list[int] = []
    waits: list[str] = []

    def syncfs(fd: int) -> int:
        calls.append(fd)
        return 0

    monkeypatch.setattr(flushing, "syncfs", syncfs)
    monkeypatch.setattr(Root, "fsync_dir", lambda _root, path="": waits.append(path))
    names = folders_of(tmp_path, count)
    flushing.flush_names(Root(tmp_path), names)
    assert len(calls) == all_at_once
    assert waits == ([] if all_at_once else names)


def test_the_names_in_many_folders_are_flushed_one_by_one_where_the_system_cannot_do_better(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[str] = []
    monkeypatch.setattr(flushing, "syncfs", lambda _fd: errno.ENOSYS)
    monkeypatch.setattr(Root, "fsync_dir", lambda _root, path="": waits.append(path))
    names = folders_of(tmp_path, 16)
    flushing.flush_names(Root(tmp_path), names)
    assert waits == names


def test_a_folder_that_is_gone_is_passed_over(tmp_path: Path) -> None:
    flushing.flush_names(Root(tmp_path), ["gone"])
