"""What a result becomes in a copy that moved on since it was looked at."""

from __future__ import annotations

from pathlib import Path

from dreamreview.dream.hosted.laying import Sides, laid, write
from dreamreview.dream.hosted.service import Memory, digest_of
from dreamreview.store.differ import GitDiffer
from dreamreview.store.rooted import Root
from tests.dream.hosted.test_returning import out


def test_a_file_that_somebody_writes_to_just_now_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("newer\n")
    (tmp_path / "b.md").write_text("newer\n")
    sides = Sides({"a.md": out("a.md", "old\n"), "b.md": out("b.md", "old\n")}, files=frozenset({"a.md", "b.md"}))
    root = Root(tmp_path)

    found = laid([Memory("mem_1", "/a.md", digest_of("dreamed\n"), "", "dreamed\n")], sides, root, GitDiffer())
    write(found, root)

    assert found.left == [
        "a.md: not taken, somebody writes to it here just now",
        "b.md: not deleted, somebody writes to it here just now",
    ]
    assert (tmp_path / "a.md").read_text() == (tmp_path / "b.md").read_text() == "newer\n"


def test_a_file_keeps_its_permission_bits_and_a_new_one_gets_the_usual_ones(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("old\n")
    (tmp_path / "a.md").chmod(0o600)
    root = Root(tmp_path)
    memories = [
        Memory("mem_1", "/a.md", digest_of("new\n"), "", "new\n"),
        Memory("mem_2", "/sub/b.md", digest_of("b\n"), "", "b\n"),
    ]

    write(laid(memories, Sides({"a.md": out("a.md", "old\n")}, files=frozenset({"a.md"})), root, GitDiffer()), root)

    modes = {path: (tmp_path / path).stat().st_mode & 0o777 for path in ("a.md", "sub/b.md")}
    assert modes == {"a.md": 0o600, "sub/b.md": 0o644}


def test_a_rename_that_cannot_be_made_leaves_the_file_where_it_was(tmp_path: Path) -> None:
    for name in ("a.md", "Other.md"):
        (tmp_path / name).write_text(f"{name}\n")
    root = Root(tmp_path)
    sent = {"a.md": out("a.md", "a.md\n")}
    renamed = [Memory("mem_1", "/other.md", digest_of("a.md\n"), "", "a.md\n")]

    found = laid(renamed, Sides(sent, files=frozenset({"a.md", "Other.md"})), root, GitDiffer())

    assert (found.written, found.removed) == ({}, set())
    assert found.left == ["other.md: not taken, some systems cannot tell its path from Other.md"]
