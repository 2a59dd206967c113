"""A private copy of a store: private, outside of it, without ways back into it, and gone when its dream is."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.store.rooted import Root
from dreamreview.store.scan import scan
from dreamreview.store.working_copy import WorkingCopy, remove, sweep, working_copy
from tests.workspace.stores import Files, lay, texts

STORE: Files = {"a.md": (b"one\r\ntwo", 0o600), "deep/b.md": b"\xff\x00\n", ".dream.lock": b"1", ".git/config": b"x"}


def test_it_holds_the_memory_and_nothing_else(tmp_path: Path) -> None:
    store = lay(tmp_path / "store", STORE)
    root, place = Root(store), tmp_path / "place"
    with working_copy(str(place), root, scan(root)) as working:
        copy = Path(working.copy.path)
        assert texts(copy) == {"a.md": b"one\r\ntwo", "deep/b.md": b"\xff\x00\n"}
        assert sorted(os.listdir(copy)) == ["a.md", "deep"]
        assert list(working.base) == ["a.md", "deep/b.md"]
        assert os.listdir(working.scratch) == []
        assert stat.S_IMODE(copy.parent.stat().st_mode) == stat.S_IMODE(place.stat().st_mode) == 0o700
        assert stat.S_IMODE((copy / "a.md").stat().st_mode) == 0o600
    assert os.listdir(place) == []


def test_writing_to_it_writes_to_nothing_else(tmp_path: Path) -> None:
    store = lay(tmp_path / "store", {"a.md": b"one\n", "big.md": b"x" * 200_000})
    os.link(store / "a.md", store / "twin.md")
    os.symlink(store / "a.md", store / "link.md")
    root = Root(store)
    with working_copy(str(tmp_path / "place"), root, scan(root)) as working:
        assert not (Path(working.copy.path) / "link.md").exists()
        assert working.excluded == {"link.md": "a link"}
        for name in ("a.md", "big.md", "twin.md"):
            (Path(working.copy.path) / name).write_text("changed")
    assert (store / "a.md").read_bytes() == b"one\n"
    assert (store / "big.md").read_bytes() == b"x" * 200_000


def test_it_goes_also_when_the_dream_fails(tmp_path: Path) -> None:
    root = Root(lay(tmp_path / "store", STORE))
    with pytest.raises(KeyboardInterrupt), working_copy(str(tmp_path / "place"), root, scan(root)):
        raise KeyboardInterrupt
    assert os.listdir(tmp_path / "place") == []


def test_it_never_lies_in_the_store(tmp_path: Path) -> None:
    store = lay(tmp_path / "store", STORE)
    root = Root(store)
    os.symlink(store, tmp_path / "way-in")
    for place in (store, store / "cache", tmp_path / "way-in" / "cache"):
        with pytest.raises(StoreError, match="would lie inside it"), _made(place, root):
            pass
    assert sorted(os.listdir(store)) == [".dream.lock", ".git", "a.md", "deep"]
    with _made(tmp_path / "store-beside", root) as working:
        assert Path(working.copy.path).is_dir()


def _made(place: Path, root: Root) -> AbstractContextManager[WorkingCopy]:
    return working_copy(str(place), root, scan(root))


def test_a_place_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    root = Root(lay(tmp_path / "store", STORE))
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(StoreError, match="cannot make a private copy of the memory in") as caught,
        _made(tmp_path / "file", root),
    ):
        pass
    assert "\n" not in str(caught.value)


def test_a_copy_that_cannot_be_removed_yet_is_swept_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, place = Root(lay(tmp_path / "store", STORE)), tmp_path / "place"
    with monkeypatch.context() as stuck:
        stuck.setattr("shutil.rmtree", lambda *_args, **_options: None)
        with working_copy(str(place), root, scan(root)):
            pass
        assert sweep(str(place)) == ()
        assert len(os.listdir(place)) == 2
    assert len(sweep(str(place))) == 1
    assert os.listdir(place) == []


def test_a_copy_whose_program_is_gone_is_swept_and_one_that_is_worked_in_is_not(tmp_path: Path) -> None:
    root, place = Root(lay(tmp_path / "store", STORE)), tmp_path / "place"
    with working_copy(str(place), root, scan(root)) as working:
        held = Path(working.copy.path).parent
        lay(place / "dead", {"memory/a.md": b"left\n", "scratch/x": b""})
        (place / "dead.lock").touch()
        (place / "gone.lock").touch()
        (place / "notes").mkdir()
        assert sweep(str(place)) == ("dead", "gone")
        assert sorted(os.listdir(place)) == sorted([held.name, f"{held.name}.lock", "notes"])
    assert sweep(str(tmp_path / "nowhere")) == ()


@pytest.mark.skipif(sys.platform == "win32", reason="permission bits of POSIX")
def test_no_permissions_keep_a_copy_and_no_link_leads_out_of_it(tmp_path: Path) -> None:
    outside = lay(tmp_path / "outside", {"a.md": (b"stays\n", 0o400)})
    outside.chmod(0o500)
    folder = lay(tmp_path / "folder", {"deep/er/a.md": b"x"})
    os.symlink(outside, folder / "link")
    (folder / "deep" / "er").chmod(0)
    (folder / "deep").chmod(0o500)
    remove(str(folder))
    assert not folder.exists()
    assert stat.S_IMODE(outside.stat().st_mode) == 0o500
    assert (outside / "a.md").read_bytes() == b"stays\n"
    outside.chmod(0o700)
