from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[..., Any]


def test_a_fresh_folder_wants_nothing(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "fresh"
    folder.mkdir()
    answer = command("status", folder)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == "nothing pending · never dreamed · no dream due: 0 of 5 sessions\n"


def test_how_far_it_is_to_a_dream_is_told_in_words(command: Command, tmp_path: Path) -> None:
    def said(at: str, sessions: int) -> str:
        state = {"lastDreamAt": at, "sessionsSinceLastDream": sessions, "lastDreamStatus": "completed"}
        (tmp_path / ".dream-state.json").write_text(json.dumps(state))
        return str(command("status", tmp_path).out).partition("(completed) · ")[2]

    assert said("2026-01-05T05:30:00Z", 1) == "no dream due: 2.5 of 24 hours, 1 of 5 sessions since then\n"
    assert said("2026-01-01T05:30:00Z", 5) == "a dream is due\n"
    assert command("status", tmp_path, "--json").json()["blocked"] is None
    said("2026-01-05T05:30:00Z", 1)
    assert command("status", tmp_path, "--json").json()["blocked"] == "time: 2.5h < 24h; sessions: 1 < 5"


def test_what_waits_is_counted_and_wants_attention(command: Command, bare: Path) -> None:
    assert command("status", bare).out.startswith("1 pending, 2 to decide · never dreamed")
    answer = command("status", bare, "--json")
    assert answer.code == 5
    shape = answer.json()
    assert set(shape) == {
        "folder", "pending", "undecided", "last_dream", "last_status", "next", "blocked", "locked_by",
    }  # fmt: skip
    assert (shape["folder"], shape["pending"], shape["undecided"]) == (str(bare), 1, 2)


def test_what_is_decided_no_longer_wants_attention(command: Command, bare: Path) -> None:
    ids = [change["id"] for change in command("show", bare, "--json").json()["changes"]]
    command("decide", bare, "2", "--reject", ids[0], "--reject", ids[1])
    assert command("status", bare).code == 0


def test_a_dream_that_failed_wants_attention(command: Command, tmp_path: Path) -> None:
    state = {"lastDreamAt": None, "sessionsSinceLastDream": 0, "lastDreamStatus": "failed", "lastDreamSummary": "x"}
    (tmp_path / ".dream-state.json").write_text(json.dumps(state))
    answer = command("status", tmp_path)
    assert answer.code == 5
    assert "last dream failed" in answer.out


def test_a_broken_state_file_is_a_warning(command: Command, tmp_path: Path) -> None:
    (tmp_path / ".dream-state.json").write_text("{broken")
    answer = command("status", tmp_path, "--json")
    assert (answer.code, answer.json()["last_dream"]) == (0, None)
    assert answer.err.startswith("dreamreview: ")


def test_a_folder_that_is_not_there_is_one_line(command: Command, tmp_path: Path) -> None:
    answer = command("status", tmp_path / "nowhere")
    assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)
    assert "nowhere" in answer.err
