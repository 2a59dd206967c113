"""Bytes under a memory folder: reached by name only, never through a link, and written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store import folder as folder_module
from dreamreview.store.rooted import MissingPathError, Root, SpecialFileError, check_path

STEPS = ("open", "write", "fsync", "fchmod", "replace", "close")
"""The calls by which a file is put in place; any of them can be the last one of a process."""


@pytest.fixture(params=[True, False], ids=["descriptors", "checked paths"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Root:
    monkeypatch.setattr(folder_module, "HAS_DIR_FD", request.param and folder_module.HAS_DIR_FD)
    (tmp_path / "store").mkdir()
    return Root(tmp_path / "store")


def _outside(root: Root) -> Path:
    outside = Path(root.path).parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_bytes(b"kept\n")
    return outside


def _untouched(outside: Path) -> bool:
    return sorted(outside.iterdir()) == [outside / "secret.md"] and (outside / "secret.md").read_bytes() == b"kept\n"


@pytest.mark.parametrize("path", ["", "/", "/etc/passwd", ".", "..", "a/../b", "a/./b", "a//b", "a/", "a\0b", "\ud800"])
def test_a_path_that_could_lead_outside_is_refused(path: str) -> None:
    with pytest.raises(UnsafePathError, match="is no path inside a memory folder"):
        check_path(path)


@pytest.mark.parametrize("path", ["C:/x", "c:x", "a\\..\\b", "\\\\host\\share", "a:stream", "nul.", "x "])
def test_what_windows_gives_a_meaning_is_refused_there_alone(path: str) -> None:
    with pytest.raises(UnsafePathError):
        check_path(path, windows=True)
    assert "/".join(check_path(path, windows=False)) == path


@pytest.mark.parametrize(
    "name",
    ["new\nline.md", 'q"uote.md', "bad\udcff.md", "-rf.md", ":c.md", "a\\b.md", "$(touch pwn).md", "tab\t.md", "x .md ",
     "Ame\u0301lie.md", "~", "...", "[br].md", "日本語.md"],
)  # fmt: skip
def test_any_name_the_system_can_hold_works(root: Root, name: str) -> None:
    path = f"{name}/{name}"
    assert root.make_dirs(name) == [name]
    root.write_atomic(path, b"text\n", 0o640)
    assert root.read(path) == b"text\n"
    assert root.listing(name) == (name,)
    root.replace(path, f"{name}/other")
    assert root.remove(f"{name}/other")
    assert root.remove_dir(name)
    assert root.listing() == ()


@given(st.text(max_size=30))
def test_a_checked_path_stays_below_its_folder(path: str) -> None:
    try:
        parts = check_path(path)
    except UnsafePathError:
        return
    whole = os.path.normpath(os.path.join("/store", *parts))
    assert whole.startswith("/store/")
    assert "/".join(parts) == path


def test_the_folder_itself_may_be_a_link(root: Root, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to("store")
    alias = Root(tmp_path / "alias")
    alias.write_atomic("a.md", b"x", 0o600)
    assert root.read("a.md") == b"x"
    assert alias.folder == str(tmp_path / "alias")


def test_a_folder_that_is_missing_or_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    with pytest.raises(StoreError, match=r"nowhere does not exist"):
        Root(tmp_path / "nowhere")
    with pytest.raises(StoreError, match=r"f is not a folder"):
        Root(tmp_path / "f")


ACTS: dict[str, Callable[[Root, str], object]] = {
    "read": lambda root, path: root.read(path),
    "write": lambda root, path: root.write_atomic(path, b"bad", 0o600),
    "create": lambda root, path: root.create(path, b"bad", 0o600),
    "append": lambda root, path: root.append(path, b"bad"),
    "chmod": lambda root, path: root.chmod(path, 0o777),
}
THROUGH_PARENT: dict[str, Callable[[Root, str], object]] = ACTS | {
    "stat": lambda root, path: root.stat(path),
    "remove": lambda root, path: root.remove(path),
    "remove_tree": lambda root, path: root.remove_tree(path),
    "make_dirs": lambda root, path: root.make_dirs(path),
    "symlink": lambda root, path: root.symlink("x", path),
    "rename": lambda root, path: root.replace("mine.md", path),
    "link": lambda root, path: root.link("mine.md", path),
    "set_times": lambda root, path: root.set_times(path, 0, 0),
}


@pytest.mark.parametrize("act", sorted(THROUGH_PARENT))
@pytest.mark.parametrize("depth", ["", "deep/"])
def test_a_folder_that_is_a_link_is_never_entered(root: Root, act: str, depth: str) -> None:
    outside = _outside(root)
    root.create("mine.md", b"mine", 0o600)
    os.makedirs(os.path.join(root.path, depth), exist_ok=True)
    os.symlink(outside, os.path.join(root.path, depth, "way"))
    for path in (f"{depth}way/secret.md", f"{depth}way/new.md"):
        with pytest.raises(UnsafePathError):
            THROUGH_PARENT[act](root, path)
    assert _untouched(outside)
    assert root.read("mine.md") == b"mine"


@pytest.mark.parametrize("act", sorted(ACTS))
def test_a_file_that_is_a_link_is_never_followed(root: Root, act: str) -> None:
    outside = _outside(root)
    os.symlink(outside / "secret.md", os.path.join(root.path, "MEMORY.md"))
    os.symlink(outside / "new.md", os.path.join(root.path, "dangling.md"))
    for path in ("MEMORY.md", "dangling.md"):
        with pytest.raises((UnsafePathError, StoreError)):
            ACTS[act](root, path)
    assert _untouched(outside)
    assert root.read_link("MEMORY.md") == str(outside / "secret.md")


def test_a_link_is_replaced_and_removed_as_itself(root: Root) -> None:
    outside = _outside(root)
    root.symlink(str(outside / "secret.md"), "a.md")
    root.write_atomic("a.md", b"mine", 0o644, over_link=True)
    assert root.read("a.md") == b"mine"
    root.symlink("nowhere", "a.md")
    assert root.read_link("a.md") == "nowhere"
    assert root.exists("a.md")
    root.symlink(str(outside), "way")
    with pytest.raises(UnsafePathError):
        root.remove_tree("way")
    assert root.remove("way")
    assert root.remove("a.md")
    assert _untouched(outside)


def test_a_tree_is_removed_without_leaving_it(root: Root) -> None:
    outside = _outside(root)
    root.make_dirs("copy/deep")
    root.create("copy/deep/a.md", b"x", 0o400)
    root.symlink(str(outside), "copy/deep/way")
    assert root.remove_tree("copy")
    assert not root.remove_tree("copy")
    assert _untouched(outside)


def test_missing_paths_are_told_apart(root: Root) -> None:
    root.create("file.md", b"", 0o600)
    for path in ("none.md", "none/below.md", "file.md/below.md"):
        assert root.stat(path) is None
        assert not root.exists(path)
        assert not root.remove(path)
        with pytest.raises(MissingPathError):
            root.read(path)
    for path in ("none/below.md", "file.md/below.md"):
        with pytest.raises(MissingPathError, match="cannot write"):
            root.write_atomic(path, b"", 0o600)


def test_folders_are_made_and_named_outermost_first(root: Root) -> None:
    assert root.make_dirs("a/b/c", 0o700) == ["a", "a/b", "a/b/c"]
    assert root.make_dirs("a/b/d", 0o700) == ["a/b/d"]
    assert root.make_dirs("a/b", 0o700) == []
    assert stat.S_IMODE(os.stat(os.path.join(root.path, "a/b")).st_mode) == 0o700
    assert not root.remove_dir("a")
    assert root.remove_dir("a/b/d")


def test_a_folder_or_pipe_in_the_way_is_refused(root: Root) -> None:
    root.make_dirs("folder.md")
    os.mkfifo(os.path.join(root.path, "pipe.md"))
    for act in (ACTS["read"], ACTS["write"], ACTS["append"]):
        for path in ("folder.md", "pipe.md"):
            with pytest.raises(StoreError):
                act(root, path)
    with pytest.raises(StoreError, match="a folder stands where a file is needed"):
        root.remove("folder.md")
    assert sorted(os.listdir(root.path)) == ["folder.md", "pipe.md"]


def test_modes_times_and_second_names(root: Root) -> None:
    root.write_atomic("a.md", b"one", 0o4750 & 0o777)
    assert stat.S_IMODE(os.stat(root.absolute("a.md")).st_mode) == 0o750
    root.chmod("a.md", 0o604)
    root.set_times("a.md", 1_000, 2_000)
    found = root.stat("a.md")
    assert found is not None
    assert (stat.S_IMODE(found.st_mode), found.st_atime_ns, found.st_mtime_ns) == (0o604, 1_000, 2_000)
    assert root.link("a.md", "b.md")
    assert not root.link("a.md", "b.md")
    root.append("b.md", b" two")
    assert root.read("a.md") == b"one two"
    with pytest.raises(StoreError, match="something of that name is already there"):
        root.create("a.md", b"x", 0o600)
    assert root.read("a.md") == b"one two"


def test_a_name_may_change_in_case_alone(root: Root) -> None:
    root.create("Readme.md", b"x", 0o600)
    root.replace("Readme.md", "README.md")
    assert root.listing() == ("README.md",)


def test_a_look_tells_files_and_links_from_nothing(root: Root) -> None:
    root.create("a.md", b"a\n", 0o640)
    root.symlink("a.md", "l.md")
    root.make_dirs("sub")
    os.mkfifo(root.absolute("pipe"))
    looks = {name: root.look(name) for name in ("a.md", "l.md", "sub", "none.md", "none/a.md", "a.md/a.md")}
    assert looks == {
        "a.md": (b"a\n", 0o640),
        "l.md": (b"a.md", LINK_MODE),
        **dict.fromkeys(("sub", "none.md", "none/a.md", "a.md/a.md")),
    }
    with pytest.raises(SpecialFileError, match="pipe is not a regular file"):
        root.look("pipe")


def test_a_read_is_bounded(root: Root) -> None:
    root.create("a.md", b"12345", 0o600)
    assert root.read("a.md", limit=5) == b"12345"
    with pytest.raises(StoreError, match="more than 4 bytes"):
        root.read("a.md", limit=4)


def test_a_file_that_changes_while_it_is_read_is_read_again(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.create("a.md", b"old old", 0o600)
    real, writes = os.read, [b"half", b"whole"]

    def read(fd: int, size: int) -> bytes:
        data = real(fd, size)
        if data and writes:
            Path(root.absolute("a.md")).write_bytes(writes.pop(0))
        return data

    monkeypatch.setattr(os, "read", read)
    assert root.read("a.md") == b"whole"
    assert writes == []


def test_a_file_that_never_stands_still_is_an_error(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    root.create("a.md", b"x", 0o600)
    real = os.read

    def read(fd: int, size: int) -> bytes:
        data = real(fd, size)
        with Path(root.absolute("a.md")).open("ab") as file:
            file.write(b"x")
        return data if size and len(data) < 9 else b""

    monkeypatch.setattr(os, "read", read)
    with pytest.raises(StoreError, match="keeps changing"):
        root.read("a.md")


def _after(count: int, kill: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let `count` of the calls that put a file in place succeed, then `kill` before the next."""
    made: list[str] = []
    for name in STEPS:
        real = getattr(os, name)

        def step(*args: object, _name: str = name, _real: Callable[..., object] = real, **more: object) -> object:
            if len(made) == count:
                kill()
            made.append(_name)
            return _real(*args, **more)

        monkeypatch.setattr(os, name, step)
    return made


def _fails(root: Root, data: bytes) -> bool:
    try:
        root.write_atomic("a.md", data, 0o600)
    except StoreError as error:
        return "the disk is full; free some space" in str(error)
    return False


@pytest.mark.parametrize("old", [b"old\n" * 5_000, None], ids=["over a file", "new"])
def test_a_failure_at_any_step_leaves_all_or_nothing_and_no_litter(root: Root, old: bytes | None) -> None:
    new, seen = b"new\n" * 9_000, set()
    for count in range(60):
        root.remove("a.md")
        if old is not None:
            root.create("a.md", old, 0o600)

        def fail() -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with pytest.MonkeyPatch.context() as patch:
            made = _after(count, fail, patch)
            if _fails(root, new):
                assert len(made) >= count
        found = root.read("a.md") if root.exists("a.md") else None
        assert found in (old, new)
        assert "replace" not in made[:-1] or found == new
        assert [name for name in root.listing() if name != "a.md"] == []
        seen.add(found)
        if len(made) < count:
            break
    assert seen == {old, new}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_kill_at_any_step_leaves_all_or_nothing(root: Root) -> None:
    old, new, seen = b"old\n" * 5_000, b"new\n" * 9_000, []
    for count in range(60):
        root.write_atomic("a.md", old, 0o640)
        child = os.fork()
        if not child:
            with pytest.MonkeyPatch.context() as patch:
                _after(count, lambda: os._exit(9), patch)
                root.write_atomic("a.md", new, 0o640)
                os._exit(0)
        _, status = os.waitpid(child, 0)
        found = root.read("a.md")
        assert found in (old, new)
        left = [name for name in root.listing() if name != "a.md"]
        assert len(left) <= 1
        assert list(root.sweep_temps()) == left
        seen.append(found)
        if os.waitstatus_to_exitcode(status) == 0:
            break
    assert seen == sorted(seen, reverse=True)
    assert set(seen) == {old, new}


def test_a_temporary_name_that_is_planted_is_not_written_through(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = _outside(root)
    monkeypatch.setattr("secrets.token_hex", lambda size: "ab" * size)
    os.symlink(outside / "secret.md", os.path.join(root.path, ".dream-tmp-" + "ab" * 8))
    with pytest.raises((StoreError, UnsafePathError)):
        root.write_atomic("a.md", b"bad", 0o600)
    assert _untouched(outside)
    assert not root.exists("a.md")


@pytest.mark.skipif(not hasattr(os, "chown") or os.geteuid() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(root: Root) -> None:
    root.create("a.md", b"x", 0o600)
    os.chown(root.absolute("a.md"), 4321, 4321)
    root.write_atomic("a.md", b"y", 0o600)
    found = root.stat("a.md")
    assert found is not None
    assert (found.st_uid, found.st_gid) == (4321, 4321)


@settings(max_examples=50)
@given(st.binary(max_size=2_000), st.sampled_from([0o600, 0o644, 0o755, 0o400]))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, data: bytes, mode: int) -> None:
    root = Root(tmp_path_factory.mktemp("store"))
    root.write_atomic("a.md", data, mode)
    assert root.read("a.md") == data
    found = root.stat("a.md")
    assert found is not None
    assert stat.S_IMODE(found.st_mode) == mode


def test_descriptors_are_closed_whatever_happens(root: Root) -> None:
    root.make_dirs("a/b")
    root.create("a/b/c.md", b"x", 0o600)
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for act in THROUGH_PARENT.values():
        for path in ("a/b/c.md/d", "none/x", "a/b"):
            with suppress(StoreError, UnsafePathError):
                act(root, path)
    after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert after == before


@pytest.mark.parametrize(("refusals", "winerror"), [(2, 5), (4, 32), (5, 32), (1, None)])
def test_a_rename_that_windows_refuses_for_a_moment_is_tried_again(
    root: Root, monkeypatch: pytest.MonkeyPatch, refusals: int, winerror: int | None
) -> None:
    root.create("a.md", b"old", 0o600)
    real, refused, waited = os.replace, [0], list[float]()

    def replace(*names: Any, **folders: Any) -> None:
        refused[0] += 1
        if refused[0] <= refusals:
            error = PermissionError(errno.EACCES, "in use")
            error.winerror = winerror  # type: ignore[attr-defined]
            raise error
        real(*names, **folders)

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr("time.sleep", waited.append)
    if refusals > 4 or winerror is None:
        with pytest.raises(StoreError, match="permission denied"):
            root.write_atomic("a.md", b"new", 0o600)
        assert (root.read("a.md"), root.listing()) == (b"old", ("a.md",))
    else:
        root.write_atomic("a.md", b"new", 0o600)
        assert root.read("a.md") == b"new"
    assert len(waited) == (0 if winerror is None else min(refusals, 4))
