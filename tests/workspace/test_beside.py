"""What belongs to a store and lies beside it: what the agent reads as well, and its sessions since the last dream."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamreview.settings import Settings
from dreamreview.workspace.beside import CONTEXT_BYTES, context_of, sessions_of
from tests.workspace.stores import lay

MARCH = datetime(2026, 3, 1, tzinfo=UTC)


def _settings(home: Path, *transcripts: Path) -> Settings:
    return Settings(claude_settings=str(home / ".claude" / "settings.json"), transcripts=tuple(map(str, transcripts)))


def _at(path: Path, month: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n")
    moment = datetime(2026, month, 15, tzinfo=UTC).timestamp()
    os.utime(path, (moment, moment))
    return path


def test_what_the_agent_reads_beside_its_memory_is_found_by_a_name_for_people(tmp_path: Path) -> None:
    project = lay(
        tmp_path / "project",
        {".git/config": b"", "CLAUDE.md": b"Be brief.\n", ".claude/memory/MEMORY.md": b"x", ".claude/CLAUDE.md": b"y"},
    )
    lay(tmp_path / ".claude", {"CLAUDE.md": b"Everywhere.\n"})
    lay(tmp_path, {"CLAUDE.md": b"Another project.\n"})
    found = context_of(str(project / ".claude" / "memory"), _settings(tmp_path))
    assert {name: b"".join(document.lines) for name, document in found.items()} == {
        "../CLAUDE.md": b"y",
        "../../CLAUDE.md": b"Be brief.\n",
        "~/.claude/CLAUDE.md": b"Everywhere.\n",
    }


def test_what_is_no_file_or_too_large_for_one_is_passed_over(tmp_path: Path) -> None:
    store = lay(tmp_path / "store", {"MEMORY.md": b"x"})
    (tmp_path / "CLAUDE.md").mkdir()
    (tmp_path / "AGENTS.md").write_bytes(b"x" * (CONTEXT_BYTES + 1))
    assert context_of(str(store), Settings()) == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
def test_a_link_beside_the_memory_leads_to_markdown_and_to_nothing_else(tmp_path: Path) -> None:
    store = lay(tmp_path / "store", {"MEMORY.md": b"x"})
    lay(tmp_path / "home", {".netrc": b"login me\n", "rules.md": b"Be brief.\n", "chain": b"y"})
    (tmp_path / "AGENTS.md").symlink_to(tmp_path / "home" / ".netrc")
    (tmp_path / "CLAUDE.md").symlink_to(tmp_path / "home" / "rules.md")
    (tmp_path / "home" / "way.md").symlink_to(tmp_path / "home" / "chain")
    (tmp_path / "SOUL.md").symlink_to(tmp_path / "home" / "way.md")
    assert list(context_of(str(store), Settings())) == ["../CLAUDE.md"]


def test_a_pipe_beside_the_memory_is_not_waited_for(tmp_path: Path) -> None:
    store = lay(tmp_path / "store", {"MEMORY.md": b"x"})
    os.mkfifo(tmp_path / "CLAUDE.md")
    assert context_of(str(store), Settings()) == {}


def test_sessions_of_claude_code_lie_beside_the_memory_of_their_project(tmp_path: Path) -> None:
    project = tmp_path / ".claude" / "projects" / "-home-kay-boats"
    new, newer = _at(project / "b.jsonl", 4), _at(project / "a.jsonl", 5)
    _at(project / "old.jsonl", 2)
    _at(project / "notes.md", 5)
    _at(tmp_path / ".claude" / "projects" / "-home-kay-other" / "c.jsonl", 5)
    found = sessions_of(str(project / "memory"), _settings(tmp_path), MARCH)
    assert found == (str(newer), str(new))


def test_sessions_of_a_memory_inside_its_project_are_found_by_the_name_of_the_project(tmp_path: Path) -> None:
    slug = str(tmp_path / "boats").replace("/", "-").replace("_", "-")
    session = _at(tmp_path / ".claude" / "projects" / slug / "a.jsonl", 5)
    assert sessions_of(str(tmp_path / "boats" / ".claude" / "memory"), _settings(tmp_path), None) == (str(session),)


def test_the_user_names_more_of_them(tmp_path: Path) -> None:
    folder, file = tmp_path / "chats", _at(tmp_path / "one.log", 4)
    text = _at(folder / "monday.txt", 5)
    _at(folder / "picture.png", 5)
    os.symlink(file, folder / "link.txt")
    found = sessions_of(str(tmp_path / "store"), _settings(tmp_path, folder, file, tmp_path / "nowhere"), MARCH)
    assert found == (str(text), str(file))


def test_a_store_elsewhere_has_no_sessions_of_its_own(tmp_path: Path) -> None:
    _at(tmp_path / "a.jsonl", 5)
    assert sessions_of(str(tmp_path / "store"), _settings(tmp_path), None) == ()
