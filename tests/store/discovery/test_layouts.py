from __future__ import annotations

import os
from pathlib import Path

import pytest

from dreamreview.store.discovery.layouts import holds_memory, is_memory, memories_of, problem_of, repository_of


def write(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("- a fact\n")
    return folder


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["MEMORY.md"], ["."]),
        (["MEMORY.md", "memory/2026-01-02.md", ".serena/memories/a.md"], ["."]),
        (["projectbrief.md"], ["."]),
        (["SOUL.md", "memory/2026-01-02.md"], ["."]),
        ([".dreamreview/x", "a.md"], ["."]),
        ([".claude/memory/MEMORY.md"], [".claude/memory"]),
        ([".claude/agent-memory/tester/MEMORY.md", ".claude/agent-memory/lint/a.md"],
         [".claude/agent-memory/lint", ".claude/agent-memory/tester"]),
        ([".serena/memories/build.md", "memory-bank/activeContext.md"], [".serena/memories", "memory-bank"]),
        ([".kilocode/rules/memory-bank/brief.md"], [".kilocode/rules/memory-bank"]),
        ([".serena/memories/topic/build.md"], [".serena/memories"]),
        (["memory/MEMORY.md"], ["memory"]),
        (["memory/2026-01-02-notes.md"], ["memory"]),
        (["memories/MEMORY.md"], ["memories"]),
        (["memory/allocator.md", "memories/photo.md", "README.md"], []),
        (["src/memory-bank/a.md"], []),
        ([".serena/memories/notes.txt"], []),
        ([], []),
    ],
)  # fmt: skip
def test_the_memories_of_a_project_are_where_the_known_systems_keep_them(
    tmp_path: Path, names: list[str], found: list[str]
) -> None:
    assert list(memories_of(str(write(tmp_path, *names)))) == found


@pytest.mark.parametrize("inner", [".serena/memories", ".claude/memory", "memory-bank", ".claude/agent-memory/tester"])
def test_a_folder_is_a_memory_by_where_it_lies(tmp_path: Path, inner: str) -> None:
    write(tmp_path, f"{inner}/a.md")
    assert is_memory(str(tmp_path / inner))
    assert not is_memory(str(tmp_path / inner / ".."))


def test_a_folder_without_a_note_is_empty_until_we_have_been_there(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "one/two/deep.md", ".hidden/a.md")
    assert not holds_memory(str(tmp_path))
    (tmp_path / ".dream-proposals").mkdir()
    assert holds_memory(str(tmp_path))


def test_a_folder_that_leads_into_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path)
    assert not holds_memory(str(tmp_path))
    assert list(memories_of(str(tmp_path))) == []


def test_why_a_folder_cannot_be_looked_at_is_told(tmp_path: Path) -> None:
    (tmp_path / "gone").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    assert problem_of(str(tmp_path)) == problem_of(str(tmp_path / "never")) == ""
    assert problem_of(str(tmp_path / "gone")) == "the link leads nowhere"
    assert problem_of(str(tmp_path / "loop")).startswith("it cannot be read: ")


def test_the_root_of_a_repository_is_the_nearest_folder_with_git_in_it(tmp_path: Path) -> None:
    (tmp_path / "work/api/src/deep").mkdir(parents=True)
    (tmp_path / "work/api/.git").write_text("gitdir: elsewhere\n")
    assert repository_of(str(tmp_path / "work/api/src/deep")) == str(tmp_path / "work/api")
    assert repository_of(os.sep) is None
