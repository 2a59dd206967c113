"""What is not as it was is told once it stands still, and never where it cannot be told."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.store import noticing, seen
from dreamreview.store.copying import Stamp
from dreamreview.store.noticing import Noticed, notice
from dreamreview.store.rooted import Root
from dreamreview.store.scan import Entry, Scan, scan
from dreamreview.store.seen import Seen

Act = Callable[[], object]


def still(_seconds: float) -> None:
    return None


def first(folder: Path, **files: bytes) -> Seen:
    """Make a store of notes, look at it, and return what was seen."""
    for name, data in files.items():
        (folder / f"{name}.md").write_bytes(data)
    root = Root(folder)
    found = notice(root, None, lambda: scan(root), still)
    known = Seen("", 1, "", 0, found.live, mounts=found.mounts)
    seen.write(root, known)
    return known


def again(folder: Path, known: Seen, *acts: Act) -> Noticed:
    """Look again; each pause lets one more thing happen."""
    root, left = Root(folder), list(acts)

    def pause(_seconds: float) -> None:
        if left:
            left.pop(0)()

    return notice(root, known, lambda: scan(root), pause)


def test_a_store_that_was_not_touched_is_not_read(tmp_path: Path) -> None:
    known = first(tmp_path, a=b"a\n", b=b"b\n")
    found = again(tmp_path, known)
    assert (found.texts, found.differs, found.unsteady) == ({}, frozenset(), ())
    assert found.live == known.live


def test_what_was_written_deleted_and_made_is_told(tmp_path: Path) -> None:
    known = first(tmp_path, a=b"a\n", b=b"b\n", c=b"c\n")
    (tmp_path / "a.md").write_bytes(b"A\n")
    (tmp_path / "b.md").unlink()
    (tmp_path / "d.md").write_bytes(b"d\n")
    found = again(tmp_path, known)
    assert found.differs == {"a.md", "b.md", "d.md"}
    assert found.texts == {"a.md": b"A\n", "d.md": b"d\n"}
    assert found.live.keys() == {"a.md", "c.md", "d.md"}


def test_a_file_that_was_only_touched_does_not_differ(tmp_path: Path) -> None:
    known = first(tmp_path, a=b"a\n")
    os.utime(tmp_path / "a.md", (1, 1))
    found = again(tmp_path, known)
    assert found.differs == frozenset()
    assert found.live["a.md"].mtime_ns == 1_000_000_000


def test_the_executable_bit_differs_and_no_other(tmp_path: Path) -> None:
    known = first(tmp_path, a=b"a\n", b=b"b\n")
    (tmp_path / "a.md").chmod(0o600)
    (tmp_path / "b.md").chmod(0o755)
    assert again(tmp_path, known).differs == {"b.md"}


def test_a_file_that_is_emptied_and_filled_again_does_not_differ(tmp_path: Path) -> None:
    known = first(tmp_path, a=b"all of it\n")
    (tmp_path / "a.md").write_bytes(b"")
    found = again(tmp_path, known, lambda: (tmp_path / "a.md").write_bytes(b"all of it\n"))
    assert found.differs == frozenset()


def test_a_file_that_is_replaced_by_way_of_nothing_is_never_gone(tmp_path: Path) -> None:
    known = first(tmp_path, a=b"old\n")
    (tmp_path / "a.md").unlink()
    found = again(tmp_path, known, lambda: (tmp_path / "a.md").write_bytes(b"new\n"))
    assert found.texts == {"a.md": b"new\n"}
    assert found.live.keys() == {"a.md"}


def test_what_never_stands_still_is_as_it_was_and_named(tmp_path: Path) -> None:
    known = first(tmp_path, a=b"a\n", b=b"b\n")
    (tmp_path / "a.md").write_bytes(b"")
    (tmp_path / "b.md").unlink()
    grow = [lambda n=number: (tmp_path / "a.md").write_bytes(b"x" * (n + 1)) for number in range(noticing.LOOKS)]
    found = again(tmp_path, known, *grow)
    assert found.unsteady == ("a.md",)
    assert found.live == {"a.md": known.live["a.md"]}
    assert found.differs == {"b.md"}


def test_a_file_that_changes_while_it_is_read_is_not_taken_half(tmp_path: Path) -> None:
    known = first(tmp_path, a=b"old\n")
    (tmp_path / "a.md").write_bytes(b"half")
    root = Root(tmp_path)
    scans: list[Scan] = []

    def look() -> Scan:
        scans.append(scan(root))
        if len(scans) == 2:
            (tmp_path / "a.md").write_bytes(b"half and the rest\n")
        return scans[-1]

    found = notice(root, known, look, still)
    assert found.unsteady == ("a.md",)
    assert found.live == known.live


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions stop")
def test_what_cannot_be_read_is_not_gone(tmp_path: Path) -> None:
    known = first(tmp_path, a=b"a\n")
    (tmp_path / "a.md").chmod(0)
    found = again(tmp_path, known)
    assert found.live.keys() == {"a.md"}
    assert found.unread.keys() == {"a.md"}


def test_what_cannot_be_read_is_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = first(tmp_path, a=b"a\n")
    (tmp_path / "a.md").write_bytes(b"A\n")

    def refuse(_root: Root, entries: list[Entry], problems: dict[str, str]) -> list[object]:
        problems.update((entry.path, "permission denied") for entry in entries)
        return []

    monkeypatch.setattr(noticing, "read_all", refuse)
    found = again(tmp_path, known)
    assert found.live == known.live
    assert (found.differs, found.unread) == (frozenset(), {"a.md": "permission denied"})


@pytest.mark.parametrize("act", ["a repository of its own", "a pipe", "too large"])
def test_what_is_left_out_of_a_look_is_not_gone(tmp_path: Path, act: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "in.md").write_bytes(b"in\n")
    known = first(tmp_path, a=b"a\n")
    root, limit = Root(tmp_path), 100
    if act == "a repository of its own":
        (tmp_path / "sub" / ".git").mkdir()
    elif act == "a pipe":
        (tmp_path / "a.md").unlink()
        os.mkfifo(tmp_path / "a.md")
    else:
        (tmp_path / "a.md").write_bytes(b"x" * 101)
    found = notice(root, known, lambda: scan(root, size_limit=limit), still)
    assert found.differs == frozenset()
    assert found.live == known.live


def test_a_folder_that_is_gone_is_an_error(tmp_path: Path) -> None:
    store = tmp_path / "s"
    store.mkdir()
    known, root = first(store, a=b"a\n"), Root(store)
    store.rename(tmp_path / "t")
    with pytest.raises(StoreError, match="does not exist"):
        notice(root, known, lambda: scan(root), still)


def test_a_folder_that_goes_while_it_is_looked_at_is_an_error(tmp_path: Path) -> None:
    store = tmp_path / "s"
    store.mkdir()
    known = first(store, a=b"a\n", b=b"b\n")
    (store / "a.md").write_bytes(b"A\n")

    def swap() -> None:
        store.rename(tmp_path / "t")
        store.mkdir()

    with pytest.raises(StoreError, match="moved or replaced"):
        again(store, known, swap)


def test_an_empty_folder_in_place_of_the_store_is_an_error(tmp_path: Path) -> None:
    store = tmp_path / "s"
    store.mkdir()
    known = first(store, a=b"a\n")
    store.rename(tmp_path / "t")
    store.mkdir()
    with pytest.raises(StoreError, match="moved or replaced"):
        again(store, known)


def test_a_folder_on_another_file_system_that_is_not_there_is_not_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "in.md").write_bytes(b"in\n")
    devices = {"far": 99}
    monkeypatch.setattr(noticing, "_device", lambda _root, folder: devices.get(folder))
    known = first(tmp_path, a=b"a\n")
    assert known.mounts == ("far",)
    (tmp_path / "far" / "in.md").unlink()
    assert again(tmp_path, known).differs == {"far/in.md"}
    devices["far"] = tmp_path.stat().st_dev
    assert again(tmp_path, known).differs == frozenset()


def test_a_stamp_that_is_not_trusted_is_looked_at_again(tmp_path: Path) -> None:
    known = first(tmp_path, a=b"a\n")
    stamp = known.live["a.md"]
    wrong = Seen("", 1, "", 0, {"a.md": Stamp(stamp.size, -1, stamp.mode, stamp.inode, "0" * 64)})
    assert again(tmp_path, wrong).differs == {"a.md"}
