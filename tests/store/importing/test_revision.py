from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamreview.errors import StoreError, UsageError
from dreamreview.model.proposal import Kind
from dreamreview.store.importing.revision import check_revision, from_revision
from tests.store.importing.grounds import gone, ground_of, left, made
from tests.workspace.repositories import commit, git


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "r"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    return folder


@pytest.mark.parametrize(
    "revision",
    ["", "-h", "--help", "--output=x", "^HEAD", "HEAD..main", "a\nb", "a\0b", "\x1b[2J", "\udcff", "x" * 300],
)
def test_what_is_no_single_revision_never_reaches_git(revision: str) -> None:
    with pytest.raises(UsageError, match="revision"):
        check_revision(revision)


@pytest.mark.parametrize("revision", ["HEAD", "HEAD~2", "main@{1}", ":/fix", "v1.0", "a/b-c", "é", "HEAD^{/two words}"])
def test_what_git_calls_a_revision_may_be_asked_for(revision: str) -> None:
    assert check_revision(revision) == revision


def test_each_way_back_is_a_card_that_names_the_commit(repository: Path) -> None:
    old = commit(repository, {"a.md": (b"one\ntwo\n", 0o644), "b.md": (b"b\n", 0o644)})
    commit(repository, {"a.md": (b"one\n2\n", 0o644), "c.md": (b"c\n", 0o644)})
    found = from_revision(ground_of(repository), "HEAD~1")
    assert (made(found), gone(found)) == ({"a.md": b"one\ntwo\n", "b.md": b"b\n"}, {"c.md"})
    assert {change.kind for change in found.changes} == {Kind.EDIT, Kind.CREATE, Kind.DELETE}
    (reason,) = {change.reason for change in found.changes}
    assert reason.startswith(f"So the store stood in {old[:10]} (")
    assert reason.endswith(" a commit).")
    assert not found.is_guess
    assert {flag for change in found.changes for flag in change.flags} == set()


def test_a_store_below_the_top_of_its_repository_is_restored_alone(repository: Path) -> None:
    commit(repository, {"src.py": (b"1\n", 0o644), "my memory/deep/a.md": (b"one\n", 0o644)})
    commit(repository, {"src.py": (b"2\n", 0o644), "my memory/deep/a.md": (b"two\n", 0o644)})
    found = from_revision(ground_of(repository / "my memory"), "HEAD~1")
    assert made(found) == {"deep/a.md": b"one\n"}


def test_what_git_ignores_stays_as_it_is(repository: Path) -> None:
    commit(repository, {".gitignore": (b"*.cache\n", 0o644), "a.md": (b"one\n", 0o644)})
    (repository / "x.cache").write_bytes(b"kept\n")
    (repository / "untracked.md").write_bytes(b"new\n")
    found = from_revision(ground_of(repository), "HEAD")
    assert gone(found) == {"untracked.md"}
    assert found.warnings == ("left out on both sides: x.cache (git ignores it, so the revision tells nothing of it)",)


def test_text_that_lies_in_lfs_and_submodules_are_left_out_by_name(repository: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n"
    commit(repository, {"a.md": (b"one\n", 0o644), "big.bin": (pointer, 0o644)})
    head = git(repository, "rev-parse", "HEAD").decode().strip()
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    git(repository, "commit", "-q", "-m", "a submodule")
    (repository / "big.bin").write_bytes(b"the text itself\n")
    found = from_revision(ground_of(repository), "HEAD")
    assert found.changes == ()
    lfs = "big.bin (its text lies in Git LFS, not in the repository)"
    assert found.warnings == (f"left out on both sides: {lfs}, sub (a git repository of its own)",)


def test_no_repository_no_revision_and_no_such_folder_then_are_said_plainly(repository: Path, tmp_path: Path) -> None:
    commit(repository, {"a.md": (b"one\n", 0o644)})
    commit(repository, {"memory/a.md": (b"one\n", 0o644)})
    (tmp_path / "alone").mkdir()
    with pytest.raises(StoreError, match=r"alone lies in no git repository, so there is no git:HEAD"):
        from_revision(ground_of(tmp_path / "alone"), "HEAD")
    with pytest.raises(StoreError, match=r"r has no revision 'nothing'; `git log` lists them"):
        from_revision(ground_of(repository), "nothing")
    with pytest.raises(StoreError, match=r"memory was not in its repository at [0-9a-f]{10}; choose a later revision"):
        from_revision(ground_of(repository / "memory"), "HEAD~1")
    with pytest.raises(StoreError, match=r"r has no revision 'HEAD:memory'"):
        from_revision(ground_of(repository), "HEAD:memory")


def test_a_linked_working_tree_is_part_of_its_repository(repository: Path, tmp_path: Path) -> None:
    commit(repository, {"a.md": (b"one\n", 0o644)})
    git(repository, "worktree", "add", "-q", str(tmp_path / "w"), "HEAD")
    (tmp_path / "w" / "a.md").write_bytes(b"two\n")
    assert made(from_revision(ground_of(tmp_path / "w"), "main")) == {"a.md": b"one\n"}


def test_nothing_of_the_repository_is_run_or_written(repository: Path, tmp_path: Path) -> None:
    commit(repository, {"a.md": (b"one\n", 0o644), ".gitattributes": (b"* filter=x diff=x\n", 0o644)})
    ran = tmp_path / "ran"
    for key in ("core.fsmonitor", "filter.x.smudge", "filter.x.clean", "diff.x.textconv", "gpg.program", "core.pager"):
        git(repository, "config", key, f"touch {ran}")
    git(repository, "config", "log.showSignature", "true")
    (repository / "a.md").write_bytes(b"two\n")
    index = (repository / ".git" / "index").read_bytes()
    assert made(from_revision(ground_of(repository), "HEAD")) == {"a.md": b"one\n"}
    assert not ran.exists()
    assert (repository / ".git" / "index").read_bytes() == index


def test_names_that_git_reads_as_magic_are_names(repository: Path) -> None:
    commit(repository, {"a.md": (b"one\n", 0o644)})
    (repository / ":!x.md").write_bytes(b"x\n")
    (repository / os.fsdecode(b"\xff.md")).write_bytes(b"y\n")
    found = from_revision(ground_of(repository), "HEAD")
    assert (gone(found), left(found)) == ({":!x.md", "\udcff.md"}, [])
