"""What belongs to a store: files and links, whatever their names, and everything left out is named."""

from __future__ import annotations

import errno
import os
import socket
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store import folder as folder_module
from dreamreview.store import scan as scan_module
from dreamreview.store.folder import Folder
from dreamreview.store.rooted import Root
from dreamreview.store.scan import (
    Entry,
    check_memory_path,
    content,
    digest_of,
    is_bookkeeping,
    scan,
    tree_digest,
    twins,
)

SHA_X = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
"""The sha256 of ``x``."""


@pytest.fixture(params=[True, False], ids=["descriptors", "checked paths"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Root:
    monkeypatch.setattr(folder_module, "HAS_DIR_FD", request.param and folder_module.HAS_DIR_FD)
    (tmp_path / "store").mkdir()
    return Root(tmp_path / "store")


def _fill(root: Root, *paths: str, data: bytes = b"x") -> None:
    for path in paths:
        whole = Path(root.path, path)
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_bytes(data)


def test_files_and_links_are_seen_as_they_are(root: Root) -> None:
    _fill(root, "MEMORY.md", "memory/2026-01-02.md", "memory/.dreams/recall.json", "empty.md")
    os.chmod(root.absolute("MEMORY.md"), 0o640)
    os.utime(root.absolute("MEMORY.md"), ns=(5, 7))
    os.symlink("../../secret", root.absolute("way.md"))
    os.symlink("memory", root.absolute("folder"))
    found = scan(root)
    assert list(found.entries) == ["MEMORY.md", "empty.md", "folder", "memory/.dreams/recall.json",
                                   "memory/2026-01-02.md", "way.md"]  # fmt: skip
    inode = os.lstat(root.absolute("MEMORY.md")).st_ino
    assert found.entries["MEMORY.md"] == Entry("MEMORY.md", "file", 1, 7, 0o640, inode)
    link = found.entries["way.md"]
    assert (link.kind, link.mode, content(root, link)) == ("link", LINK_MODE, b"../../secret")
    assert content(root, found.entries["folder"]) == b"memory"
    assert found.excluded == {}


def test_bookkeeping_at_the_root_is_no_memory_and_not_named(root: Root) -> None:
    _fill(root, ".dream.lock", ".dream-state.json", ".dream-state.json.corrupt-1", ".dream-manifest.json",
          ".dream-proposals/p/a.md", ".dreamreview/lock", ".git/HEAD")  # fmt: skip
    _fill(root, "sub/.dream.lock", "sub/.dreamreview/x.md", ".dreams/a.md", ".dream-other.md")
    found = scan(root)
    assert list(found.entries) == [".dream-other.md", ".dreams/a.md", "sub/.dream.lock", "sub/.dreamreview/x.md"]
    assert found.excluded == {}


def test_a_nested_repository_is_left_out_whole_and_named(root: Root) -> None:
    _fill(root, "a.md", "tools/kit/.git/HEAD", "tools/kit/readme.md", "tools/notes.md", "tree/.git", "tree/b.md")
    found = scan(root)
    assert list(found.entries) == ["a.md", "tools/notes.md"]
    assert found.excluded == {"tools/kit": "a git repository of its own", "tree": "a git repository of its own"}
    assert found.leaves_out("tree/b.md")
    assert found.leaves_out("tools/kit")
    assert not found.leaves_out("tools/kitchen.md")
    assert not found.leaves_out("tools/notes.md")


def test_large_special_and_ignored_files_are_named(root: Root) -> None:
    _fill(root, "small.md", ".DS_Store", "deep/.consolidate-lock", ".dream-tmp-0123456789abcdef", ".dream-tmp-plan.md")
    _fill(root, "big.md", data=b"12345678")
    os.mkfifo(root.absolute("pipe.md"))
    found = scan(root, size_limit=7)
    assert list(found.entries) == [".dream-tmp-plan.md", "small.md"]
    assert found.excluded == {
        ".DS_Store": "ignored by the configuration",
        ".dream-tmp-0123456789abcdef": "left by a write that was interrupted",
        "big.md": "8 bytes, over the limit of 7",
        "deep/.consolidate-lock": "ignored by the configuration",
        "pipe.md": "a pipe, not a regular file",
    }
    assert "big.md" in scan(root, size_limit=8).entries


def test_a_socket_is_named() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as short, socket.socket(socket.AF_UNIX) as end:
        end.bind(f"{short}/s.md")
        assert scan(Root(short)).excluded == {"s.md": "a socket, not a regular file"}


@pytest.mark.parametrize(
    ("glob", "left_out"),
    [
        ("*.bak", {"a.bak", "sub/b.bak", "sub/deep/c.bak"}),
        ("sub", {"sub"}),
        ("sub/", {"sub"}),
        ("sub/*.bak", {"sub/b.bak"}),
        ("sub/**/*.bak", {"sub/b.bak", "sub/deep/c.bak"}),
        ("**/deep", {"sub/deep"}),
        ("/a.bak", {"a.bak"}),
        ("/b.bak", set()),
        ("[", set()),
        ("A.BAK", set()),
        ("?.bak", {"a.bak", "sub/b.bak", "sub/deep/c.bak"}),
    ],
)
def test_globs_leave_out_names_or_whole_paths(root: Root, glob: str, left_out: set[str]) -> None:
    _fill(root, "a.bak", "sub/b.bak", "sub/deep/c.bak", "keep.md")
    found = scan(root, ignore=[glob])
    assert set(found.excluded) == left_out
    assert "keep.md" in found.entries


def test_nothing_is_ignored_by_an_empty_list(root: Root) -> None:
    _fill(root, ".DS_Store", "a.md")
    assert list(scan(root, ignore=[]).entries) == [".DS_Store", "a.md"]
    assert list(scan(root, ignore=["", "/"]).entries) == [".DS_Store", "a.md"]


def test_bookkeeping_in_other_letters_is_left_out_and_named(root: Root) -> None:
    _fill(root, ".DreamReview/lock", ".Git/HEAD", "sub/.GIT/HEAD", "sub/.DreamReview/a.md", "sub/b.md")
    found = scan(root)
    assert list(found.entries) == ["sub/.DreamReview/a.md", "sub/b.md"]
    assert set(found.excluded) == {".DreamReview", ".Git", "sub/.GIT"}


@pytest.mark.parametrize(
    "path",
    [".dream.lock", ".dreamreview/lock", ".DreamReview/x", ".git/hooks/post-commit", "a/.git/config", "a/.GIT/config",
     ".dream-proposals/p/a.md", ".dream-state.json", ".dream-manifest.json", "a/.dream-tmp-0123456789abcdef",
     "../a.md", ""],
)  # fmt: skip
def test_no_change_may_speak_of_bookkeeping(path: str) -> None:
    with pytest.raises(UnsafePathError):
        check_memory_path(path)


@pytest.mark.parametrize("path", ["memory/.dreams/a.json", "a/.dreamreview/b.md", ".github/x.md", "git.md", "é\n.md"])
def test_a_change_may_speak_of_memory(path: str) -> None:
    assert "/".join(check_memory_path(path)) == path
    assert not is_bookkeeping(path)


def test_a_folder_that_cannot_be_listed_is_named_and_the_rest_is_seen(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fill(root, "a.md", "closed/b.md", "open/c.md")
    real = Folder.enter

    def enter(self: Folder, name: str) -> Folder:
        if name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(self, name)

    monkeypatch.setattr(Folder, "enter", enter)
    found = scan(root)
    assert list(found.entries) == ["a.md", "open/c.md"]
    assert found.excluded == {"closed": "cannot be listed: permission denied"}


def test_a_file_that_goes_away_meanwhile_is_not_there(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(root, "a.md", "gone.md")
    real = Folder.lstat

    def lstat(self: Folder, name: str) -> os.stat_result | None:
        return None if name == "gone.md" else real(self, name)

    monkeypatch.setattr(Folder, "lstat", lstat)
    assert list(scan(root).entries) == ["a.md"]


def test_folders_are_followed_down_to_a_bound(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan_module, "DEPTH_LIMIT", 3)
    _fill(root, "1/2/3/in.md", "1/2/3/4/out.md")
    found = scan(root)
    assert list(found.entries) == ["1/2/3/in.md"]
    assert found.excluded == {"1/2/3/4": "more than 3 folders deep"}


def test_a_root_that_is_gone_is_an_error(root: Root) -> None:
    os.rmdir(root.path)
    with pytest.raises(StoreError, match="cannot list"):
        scan(root)


def test_any_name_is_seen(root: Root) -> None:
    names = ["new\nline.md", 'q"uote.md', "bad\udcff.md", "-dash.md", ":c.md", "a\\b.md", "sp ace.md", "x b/y.md"]
    _fill(root, *names)
    assert sorted(scan(root).entries) == sorted(names)


def test_twins_are_kept_apart_and_reported(root: Root) -> None:
    names = ["Readme.md", "README.md", "Ame\u0301lie.md", "Am\u00e9lie.md", "AM\u00c9LIE.md", "other.md", "d/readme.md"]
    _fill(root, *names)
    found = scan(root)
    assert sorted(found.entries) == sorted(names)
    assert twins(found.entries) == (
        ("AM\u00c9LIE.md", "Ame\u0301lie.md", "Am\u00e9lie.md"),
        ("README.md", "Readme.md"),
    )


def test_digests_are_those_of_sha256() -> None:
    assert digest_of(b"x") == SHA_X
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert tree_digest([]) == empty


def test_a_tree_digest_sees_names_modes_and_contents_in_any_order() -> None:
    entries = [("a.md", 0o644, SHA_X), ("b/\udcff\n.md", 0o600, SHA_X), ("c", LINK_MODE, SHA_X)]
    whole = tree_digest(entries)
    assert tree_digest(reversed(entries)) == whole
    changed = [
        [("a.md", 0o755, SHA_X), *entries[1:]],
        [("A.md", 0o644, SHA_X), *entries[1:]],
        [("a.md", 0o644, digest_of(b"y")), *entries[1:]],
        entries[1:],
    ]
    assert whole not in {tree_digest(other) for other in changed}
    assert len({tree_digest(other) for other in changed}) == 4


_TREES = st.lists(st.tuples(st.text("ab\n ", min_size=1, max_size=6), st.sampled_from([0o644, 0o600])), max_size=4)


@given(_TREES, _TREES)
def test_different_trees_have_different_digests(one: list[tuple[str, int]], two: list[tuple[str, int]]) -> None:
    left = {(path, mode, SHA_X) for path, mode in one}
    right = {(path, mode, SHA_X) for path, mode in two}
    assert (tree_digest(left) == tree_digest(right)) == (left == right)
