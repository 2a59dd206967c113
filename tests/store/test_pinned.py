"""A folder kept open over many acts is the folder that was looked at, and nothing but quicker to reach."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.store import folder as folder_module
from dreamreview.store.pinned import PinnedRoot
from dreamreview.store.rooted import Root


@pytest.fixture(params=[True, False], ids=["descriptors", "checked paths"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PinnedRoot:
    monkeypatch.setattr(folder_module, "HAS_DIR_FD", request.param and folder_module.HAS_DIR_FD)
    (tmp_path / "store" / "deep" / "er").mkdir(parents=True)
    return PinnedRoot(Root(tmp_path / "store"))


@pytest.mark.parametrize("place", ["", "deep", "deep/er"])
def test_acts_in_and_below_a_pinned_folder_do_what_they_always_do(root: PinnedRoot, place: str) -> None:
    prefix = f"{place}/" if place else ""
    with root.pinned(place):
        root.create(f"{prefix}a.md", b"a\n", 0o640)
        assert root.look(f"{prefix}a.md") == (b"a\n", 0o640)
        root.replace(f"{prefix}a.md", "b.md", durable=False)
        root.link("b.md", f"{prefix}c.md")
        assert root.make_dirs(f"{prefix}new/one") == [f"{prefix}new", f"{prefix}new/one"]
        if place:
            assert root.make_dirs(place) == []
    found = {str(path.relative_to(root.path)): path.read_bytes() for path in Path(root.path).rglob("*.md")}
    assert found == {"b.md": b"a\n", f"{prefix}c.md": b"a\n"}


def test_a_folder_is_free_again_after_the_block(root: PinnedRoot) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    with root.pinned("deep"), root.pinned("deep"):
        root.exists("deep/a.md")
    with pytest.raises(StoreError, match="nothing of that name"), root.pinned("deep"):
        root.read("deep/a.md")
    after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert before == after
    os.rename(os.path.join(root.path, "deep"), os.path.join(root.path, "moved"))
    assert root.look("deep/er") is None


def test_a_pinned_folder_that_becomes_a_link_is_not_followed(root: PinnedRoot, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    with root.pinned("deep"):
        os.rename(os.path.join(root.path, "deep"), os.path.join(root.path, "moved"))
        os.symlink(tmp_path / "outside", os.path.join(root.path, "deep"))
        try:
            root.create("deep/a.md", b"a\n", 0o600)
            assert Path(root.path, "moved", "a.md").read_bytes() == b"a\n"
        except UnsafePathError:
            assert not Path(root.path, "moved", "a.md").exists()
    assert list((tmp_path / "outside").iterdir()) == []


def test_what_cannot_be_pinned_is_told_by_the_act(root: PinnedRoot, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", os.path.join(root.path, "link"))
    with root.pinned("link"), pytest.raises(UnsafePathError, match="is a link"):
        root.create("link/a.md", b"", 0o600)
    with root.pinned("gone"):
        assert root.look("gone/a.md") is None
        assert root.make_dirs("gone") == ["gone"]
        root.create("gone/a.md", b"", 0o600)
    assert root.look("gone/a.md") == (b"", 0o600)
    with pytest.raises(UnsafePathError, match="is no path"), root.pinned("../outside"):
        pass
