from __future__ import annotations

import errno
import fcntl
import hashlib
import os
from pathlib import Path

import pytest

from dreamreview.model.proposal import LINK_MODE
from dreamreview.store import copying
from dreamreview.store.copying import FICLONE, Stamp, copy_all, read_all, same_content, stamp_all, tree_mode
from dreamreview.store.rooted import Root
from dreamreview.store.scan import scan

BIG = b"0123456789abcdef" * 8192


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "a\nb.md").write_bytes(b"a\r\n\xff")
    (folder / "deep" / "er" / "a\nb.md").chmod(0o640)
    (folder / "big.bin").write_bytes(BIG)
    (folder / "run").write_bytes(b"")
    (folder / "run").chmod(0o555)
    os.symlink("/etc", folder / "deep" / "link")
    os.symlink("missing", folder / "dangling.md")
    os.utime(folder / "deep" / "er" / "a\nb.md", ns=(5, 1_600_000_000_000_000_007))
    return folder


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    return folder


def copied(source: Path, target: Path) -> tuple[dict[str, Stamp], dict[str, Stamp], dict[str, str]]:
    root = Root(source)
    problems: dict[str, str] = {}
    return *copy_all(root, scan(root).entries.values(), Root(target), problems), problems


def test_bytes_modes_times_and_links_are_copied(source: Path, target: Path) -> None:
    before = os.umask(0o077)
    try:
        came, went, problems = copied(source, target)
    finally:
        os.umask(before)
    assert problems == {}
    assert (target / "deep" / "er" / "a\nb.md").read_bytes() == b"a\r\n\xff"
    assert (target / "deep" / "er" / "a\nb.md").stat().st_mode & 0o7777 == 0o640
    assert (target / "deep" / "er" / "a\nb.md").stat().st_mtime_ns == 1_600_000_000_000_000_007
    assert (target / "run").stat().st_mode & 0o7777 == 0o555
    assert (target / "big.bin").read_bytes() == BIG
    assert os.readlink(target / "deep" / "link") == "/etc"
    assert os.readlink(target / "dangling.md") == "missing"
    assert (target / "deep").stat().st_mode & 0o777 == 0o700
    assert came.keys() == went.keys() == {"big.bin", "dangling.md", "deep/er/a\nb.md", "deep/link", "run"}
    assert all(same_content(came[path], went[path]) for path in came)


def test_stamps_are_those_of_a_scan_with_digests(source: Path, target: Path) -> None:
    _, went, _ = copied(source, target)
    root = Root(target)
    entries = scan(root).entries
    assert went == stamp_all(root, entries.values(), {})
    assert {path: stamp[:4] for path, stamp in went.items()} == {
        path: (entry.size, entry.mtime_ns, entry.mode, entry.inode) for path, entry in entries.items()
    }
    assert went["deep/link"] == Stamp(
        4, entries["deep/link"].mtime_ns, LINK_MODE, entries["deep/link"].inode, hashlib.sha256(b"/etc").hexdigest()
    )


def test_a_copy_shares_no_byte_that_can_be_written(source: Path, target: Path) -> None:
    copied(source, target)
    with (target / "big.bin").open("r+b") as file:
        file.write(b"XXXX")
    assert (source / "big.bin").read_bytes() == BIG


def test_blocks_are_shared_where_the_file_system_can(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def clone(fd: int, request: int, origin: int) -> int:
        asked.append(request)
        os.write(fd, os.pread(origin, len(BIG), 0))
        return 0

    monkeypatch.setattr(fcntl, "ioctl", clone)
    _, went, _ = copied(source, target)
    assert asked == [FICLONE]
    assert (target / "big.bin").read_bytes() == BIG
    assert went["big.bin"].digest == hashlib.sha256(BIG).hexdigest()


def test_where_blocks_cannot_be_shared_bytes_are_written(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source / "bigger.bin").write_bytes(BIG + b"x")
    asked: list[int] = []

    def refuse(_fd: int, request: int, _origin: int) -> int:
        asked.append(request)
        raise OSError(errno.EOPNOTSUPP, "no")

    monkeypatch.setattr(fcntl, "ioctl", refuse)
    copied(source, target)
    assert asked == [FICLONE]
    assert (target / "big.bin").read_bytes() == BIG
    assert (target / "bigger.bin").read_bytes() == BIG + b"x"


def test_a_file_that_changes_while_its_blocks_are_shared_is_written_as_it_was_read(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def clone(fd: int, _request: int, _origin: int) -> int:
        (source / "big.bin").write_bytes(b"new")
        os.write(fd, b"new")
        return 0

    monkeypatch.setattr(fcntl, "ioctl", clone)
    _, went, _ = copied(source, target)
    assert (target / "big.bin").read_bytes() == BIG
    assert went["big.bin"].digest == hashlib.sha256(BIG).hexdigest()


def test_what_changed_or_vanished_since_the_scan_is_read_as_it_is_now(source: Path) -> None:
    root = Root(source)
    entries = scan(root).entries
    (source / "run").unlink()
    (source / "run").write_bytes(b"longer now")
    (source / "big.bin").unlink()
    (source / "deep" / "er" / "a\nb.md").unlink()
    (source / "deep" / "er").rmdir()
    read = {one.path: one.data for one in read_all(root, entries.values(), {})}
    assert read == {"run": b"longer now", "deep/link": b"/etc", "dangling.md": b"missing"}
    assert stamp_all(root, entries.values(), {})["run"].size == 10


def test_a_file_that_became_a_link_or_a_pipe_is_named_and_not_read(source: Path, tmp_path: Path) -> None:
    root = Root(source)
    entries = scan(root).entries
    (tmp_path / "secret").write_bytes(b"hidden")
    (source / "big.bin").unlink()
    os.symlink(tmp_path / "secret", source / "big.bin")
    (source / "deep" / "er" / "a\nb.md").unlink()
    os.mkfifo(source / "deep" / "er" / "a\nb.md")
    problems: dict[str, str] = {}
    read = [one.path for one in read_all(root, entries.values(), problems)]
    assert sorted(read) == ["dangling.md", "deep/link", "run"]
    assert sorted(problems) == ["big.bin", "deep/er/a\nb.md"]
    assert "not a regular file" in problems["deep/er/a\nb.md"]


def test_a_folder_that_became_a_link_is_not_entered(source: Path, tmp_path: Path) -> None:
    root = Root(source)
    entries = scan(root).entries
    (source / "deep").rename(tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", source / "deep")
    problems: dict[str, str] = {}
    read = [one.path for one in read_all(root, entries.values(), problems)]
    assert sorted(read) == ["big.bin", "dangling.md", "run"]
    assert sorted(problems) == ["deep/er/a\nb.md", "deep/link"]


def test_of_a_mode_only_kind_and_executable_bit_count() -> None:
    assert [tree_mode(mode) for mode in (0o600, 0o644, 0o755, 0o700, 0o611, LINK_MODE)] == [
        0o644,
        0o644,
        0o755,
        0o755,
        0o644,
        LINK_MODE,
    ]
    one = Stamp(1, 2, 0o644, 3, "d")
    assert same_content(one, Stamp(1, 9, 0o600, 9, "d"))
    assert not same_content(one, one._replace(mode=0o744))
    assert not same_content(one, one._replace(digest="e"))
    assert not same_content(one, None)
    assert same_content(None, None)


def test_sharing_blocks_is_tried_for_large_files_only() -> None:
    assert copying.CLONE_FROM == 65536
