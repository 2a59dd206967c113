"""The session that a note names is found where the agent keeps it, and nowhere else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from dreamreview.errors import UsageError
from dreamreview.settings import Settings
from dreamreview.workspace import Workspace
from tests.workspace.stores import NOW, lay, leave_copy

if TYPE_CHECKING:
    from pathlib import Path

    from dreamreview.workspace.sessions import Session

NAME = "0b7c1f5e-0000-4000-8000-2f6d8a0c9e11"
SAID = [
    {"type": "user", "timestamp": "2026-09-01T08:30:00Z", "message": {"content": "The gate is oiled in May."}},
    {"type": "assistant", "message": {"content": [{"type": "text", "text": "Noted."}, {"type": "tool_use"}]}},
    {"type": "system", "message": {"content": "not said by anybody"}},
]
LOG = "".join(json.dumps(one) + "\n" for one in SAID).encode()


def note(key: str, value: str = NAME) -> bytes:
    return f"---\nname: gate\n{key}: {value}\n---\n\nThe gate is oiled in May.\n".encode()


FLAT = note("originSessionId")
NESTED = f"---\nname: gate\nmetadata:\n  originSessionId: {NAME}\n---\n\nThe gate is oiled in May.\n".encode()


def sessions(tmp_path: Path, text: bytes, transcripts: tuple[str, ...] = ()) -> list[Session]:
    """Lay a store out in Claude Code's own folder, with one note that a copy edits, and ask for its sessions."""
    store = lay(tmp_path / "claude" / "projects" / "-home-x-garden" / "memory", {"gate.md": text})
    leave_copy(store, {"gate.md": text.replace(b"May", b"June")})
    settings = Settings(claude_settings=str(tmp_path / "claude" / "settings.json"), transcripts=transcripts)
    review = Workspace(store, settings, lambda: NOW).open()
    return review.sessions(review.proposal.changes[0].id)


@pytest.mark.parametrize("text", [FLAT, NESTED], ids=["flat", "nested"])
def test_a_session_beside_the_memory_is_read(tmp_path: Path, text: bytes) -> None:
    lay(tmp_path / "claude" / "projects" / "-home-x-garden", {f"{NAME}.jsonl": LOG})
    (found,) = sessions(tmp_path, text)
    assert (found.name, found.notes) == (NAME, ("gate.md",))
    assert found.path == str(tmp_path / "claude" / "projects" / "-home-x-garden" / f"{NAME}.jsonl")
    assert [(turn.who, turn.text) for turn in found.turns] == [
        ("user", "The gate is oiled in May."),
        ("assistant", "Noted."),
    ]
    assert str(found.turns[0].at) == "2026-09-01 08:30:00+00:00"


def test_a_session_in_a_folder_that_the_user_names_is_read(tmp_path: Path) -> None:
    lay(tmp_path / "kept", {f"{NAME}.md": b"User: the gate is oiled in May\n"})
    (found,) = sessions(tmp_path, FLAT, (str(tmp_path / "kept"),))
    assert [(turn.who, turn.text) for turn in found.turns] == [("user", "the gate is oiled in May")]


def test_a_session_that_is_named_as_a_file_is_read(tmp_path: Path) -> None:
    lay(tmp_path / "kept", {f"{NAME}.jsonl": LOG, "other.jsonl": LOG})
    (found,) = sessions(
        tmp_path, FLAT, (str(tmp_path / "kept" / "other.jsonl"), str(tmp_path / "kept" / f"{NAME}.jsonl"))
    )
    assert found.path == str(tmp_path / "kept" / f"{NAME}.jsonl")


def test_a_session_that_is_nowhere_is_named_without_a_place(tmp_path: Path) -> None:
    (found,) = sessions(tmp_path, FLAT)
    assert (found.name, found.path, found.turns) == (NAME, None, ())


def test_a_link_in_place_of_a_session_is_not_followed(tmp_path: Path) -> None:
    lay(tmp_path, {"away.jsonl": LOG})
    lay(tmp_path / "claude" / "projects" / "-home-x-garden", {})
    (tmp_path / "claude" / "projects" / "-home-x-garden" / f"{NAME}.jsonl").symlink_to(tmp_path / "away.jsonl")
    (found,) = sessions(tmp_path, FLAT)
    assert found.path is None


@pytest.mark.parametrize(
    "value", ["../../../../etc/passwd", "a/b/c/d/e/f/g/h", "short", "*" * 12, "x" * 65, ".hidden-name"]
)
def test_a_name_that_could_lead_elsewhere_is_no_session(tmp_path: Path, value: str) -> None:
    assert sessions(tmp_path, note("originSessionId", value)) == []


def test_a_note_without_the_key_names_no_session(tmp_path: Path) -> None:
    assert sessions(tmp_path, b"The gate is oiled in May.\n") == []


def test_a_change_that_is_not_there_is_refused(tmp_path: Path) -> None:
    store = lay(tmp_path / "s", {"a.md": b"a\n"})
    leave_copy(store, {"a.md": b"b\n"})
    with pytest.raises(UsageError, match="there is no change 'c9'"):
        Workspace(store, Settings(), lambda: NOW).open().sessions("c9")
