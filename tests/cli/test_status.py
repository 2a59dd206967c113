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
    assert answer.out.startswith("nothing pending · never dreamed")
    assert answer.out.count("\n") == 1


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
