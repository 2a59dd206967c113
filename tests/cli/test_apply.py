from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dreamreview.cli import output

Command = Callable[..., Any]


def _accept_all(command: Command, folder: Path) -> None:
    ids = [change["id"] for change in command("show", folder, "--json").json()["changes"]]
    assert command("decide", folder, "2", *(word for name in ids for word in ("--accept", name))).code == 0


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program believe that a person sits there."""
    monkeypatch.setattr(output, "is_terminal", lambda: True)


def test_what_is_accepted_is_written_and_taken_back(command: Command, bare: Path) -> None:
    before = (bare / "MEMORY.md").read_bytes()
    _accept_all(command, bare)
    applied = command("apply", bare, "--yes", "--json")
    assert applied.code == 0
    assert applied.json() == {
        "apply": "a1",
        "written": ["MEMORY.md"],
        "deleted": [],
        "renamed": [],
        "stale": [],
        "dry_run": False,
    }
    assert "line five\n" in (bare / "MEMORY.md").read_text()
    undone = command("undo", bare, "--json")
    assert undone.code == 0
    assert undone.json() == {
        "apply": "u2",
        "written": ["MEMORY.md"],
        "deleted": [],
        "renamed": [],
        "stale": [],
        "dry_run": False,
        "undone": "a1",
    }
    assert (bare / "MEMORY.md").read_bytes() == before


def test_without_a_terminal_and_a_yes_nothing_is_written(command: Command, bare: Path) -> None:
    before = (bare / "MEMORY.md").read_bytes()
    _accept_all(command, bare)
    answer = command("apply", bare, stdin="y\n")
    assert (answer.code, answer.out) == (2, "")
    assert "--yes" in answer.err
    assert (bare / "MEMORY.md").read_bytes() == before


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("typed", ["\n", "", "n\n", "no\n"])
def test_enter_means_no(command: Command, bare: Path, typed: str) -> None:
    before = (bare / "MEMORY.md").read_bytes()
    _accept_all(command, bare)
    answer = command("apply", bare, stdin=typed)
    assert answer.code == 0
    assert "nothing was written" in answer.err
    assert (bare / "MEMORY.md").read_bytes() == before


@pytest.mark.usefixtures("terminal")
def test_a_yes_writes_what_was_shown(command: Command, bare: Path) -> None:
    _accept_all(command, bare)
    answer = command("apply", bare, stdin="y\n")
    assert answer.code == 0
    assert "  write   MEMORY.md\n" in answer.err
    assert "applied a1\n" in answer.out
    assert "line five\n" in (bare / "MEMORY.md").read_text()


@pytest.mark.usefixtures("terminal")
def test_a_folder_that_changes_under_the_question_is_asked_about_again(
    command: Command, bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _accept_all(command, bare)
    asked: list[str] = []

    def confirm(question: str) -> bool:
        asked.append(question)
        if len(asked) == 1:
            text = (bare / "MEMORY.md").read_text()
            (bare / "MEMORY.md").write_text(text.replace("line 5\n", "line 5 by the agent\n"))
        return True

    monkeypatch.setattr(output, "confirm", confirm)
    answer = command("apply", bare)
    assert (answer.code, len(asked)) == (4, 2)
    text = (bare / "MEMORY.md").read_text()
    assert "line 5 by the agent\n" in text
    assert "line thirty\n" in text


def test_a_dry_run_tells_and_writes_nothing(command: Command, bare: Path) -> None:
    before = (bare / "MEMORY.md").read_bytes()
    _accept_all(command, bare)
    answer = command("apply", bare, "--dry-run", "--json")
    assert answer.code == 0
    assert (answer.json()["apply"], answer.json()["written"], answer.json()["dry_run"]) == (None, ["MEMORY.md"], True)
    assert (bare / "MEMORY.md").read_bytes() == before
    assert command("history", bare, "--json").json() == []


def test_what_no_longer_fits_is_left_and_said(command: Command, bare: Path) -> None:
    _accept_all(command, bare)
    text = (bare / "MEMORY.md").read_text()
    (bare / "MEMORY.md").write_text(text.replace("line 5\n", "line 5 by the agent\n"))
    answer = command("apply", bare, "--yes", "--json")
    assert answer.code == 4
    assert len(answer.json()["stale"]) == 1
    text = (bare / "MEMORY.md").read_text()
    assert "line 5 by the agent\n" in text
    assert "line thirty\n" in text


def test_nothing_accepted_writes_nothing_and_is_no_failure(command: Command, bare: Path) -> None:
    before = (bare / "MEMORY.md").read_bytes()
    for words in (["--yes"], []):
        answer = command("apply", bare, *words)
        assert answer.code == 0
        assert "nothing is accepted yet: 0 of 2 decided" in answer.out
    assert (bare / "MEMORY.md").read_bytes() == before


def test_no_proposal_is_one_line_and_no_failure(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    answer = command("apply", tmp_path / "empty", "--yes")
    assert (answer.code, answer.out.count("\n"), answer.err) == (0, 1, "")
    assert command("apply", tmp_path / "empty", "--yes", "--json").json()["apply"] is None


def test_one_change_is_taken_back_alone(command: Command, bare: Path) -> None:
    _accept_all(command, bare)
    command("apply", bare, "--yes")
    first = command("history", bare, "--json").json()[0]["changes"][0]
    assert command("undo", bare, "a1", "--change", first).code == 0
    text = (bare / "MEMORY.md").read_text()
    assert ("line 5\n" in text) != ("line 30\n" in text)
    history = command("history", bare)
    head, *changes = history.out.splitlines()
    assert head.endswith("2 changes · undone in part")
    assert [line.endswith(" · undone") for line in changes] == [line.split()[0] == first for line in changes]


def test_a_later_edit_survives_an_undo(command: Command, bare: Path) -> None:
    _accept_all(command, bare)
    command("apply", bare, "--yes")
    text = (bare / "MEMORY.md").read_text()
    (bare / "MEMORY.md").write_text(text.replace("line five\n", "line five, and more\n"))
    answer = command("undo", bare)
    assert answer.code == 4
    assert "clash" in answer.out
    assert "line five, and more\n" in (bare / "MEMORY.md").read_text()
    assert "line 30\n" in (bare / "MEMORY.md").read_text()


def test_an_apply_that_is_not_there_is_wrong_usage(command: Command, bare: Path) -> None:
    answer = command("undo", bare, "a9")
    assert answer.code == 2
    assert "a9" in answer.err


def test_a_discarded_proposal_no_longer_waits(command: Command, bare: Path) -> None:
    assert command("discard", bare, "2").code == 0
    assert command("proposals", bare, "--json").json()[0]["status"] == "discarded"
    assert command("status", bare).code == 0


def test_the_fixture_for_a_terminal_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert not output.is_terminal()


@pytest.fixture
def newer(bare: Path) -> str:
    """Lay a newer proposal beside the one in `bare`, with nothing decided in it; return its id."""
    name = "20260105T000000000"
    copy = bare / ".dream-proposals" / name
    copy.mkdir()
    (copy / "MEMORY.md").write_text((bare / "MEMORY.md").read_text().replace("line 17\n", "line seventeen\n"))
    return name


def test_decisions_that_wait_in_an_older_proposal_are_named_where_the_newest_has_none(
    command: Command, bare: Path, newer: str
) -> None:
    older = "20260104T000000000"
    before = (bare / "MEMORY.md").read_bytes()
    (first, second) = (change["id"] for change in command("show", bare, older, "--json").json()["changes"])
    assert command("decide", bare, older, "--accept", first).code == 0
    waits = f"decisions wait in {older}: dreamreview apply {bare} {older}"
    for words in (["--yes"], [], ["--dry-run"]):
        answer = command("apply", bare, *words)
        assert (answer.code, answer.out) == (0, f"nothing is accepted yet: 0 of 1 decided; {waits}\n")
    told = command("apply", bare, "--yes", "--json")
    assert (told.json()["apply"], told.code) == (None, 0)
    assert told.err == f"dreamreview: nothing of {newer}, the newest, was to be written; {waits}\n"
    assert (bare / "MEMORY.md").read_bytes() == before
    named = command("apply", bare, newer)
    assert named.out == "nothing is accepted yet: 0 of 1 decided\n"
    assert command("apply", bare, older, "--yes").code == 0
    assert command("apply", bare).out == "nothing is accepted yet: 0 of 1 decided\n"
    assert command("decide", bare, older, "--reject", second).code == 0
    assert command("apply", bare).out == "nothing is accepted yet: 0 of 1 decided\n"


def test_decisions_of_the_newest_are_written_though_an_older_one_waits(
    command: Command, bare: Path, newer: str
) -> None:
    for name in ("20260104T000000000", newer):
        ids = [change["id"] for change in command("show", bare, name, "--json").json()["changes"]]
        assert command("decide", bare, name, "--accept", ids[0]).code == 0
    answer = command("apply", bare, "--yes")
    assert answer.code == 0
    assert answer.out.startswith("applied a1\n")
    assert "line seventeen\n" in (bare / "MEMORY.md").read_text()


def test_a_conflict_of_which_both_sides_stay_writes_nothing_and_says_so(command: Command, declared: Path) -> None:
    assert command("decide", declared, "2", "--choose", "port1=both").code == 0
    answer = command("apply", declared, "2", "--yes")
    assert (answer.code, answer.out.splitlines()[0].partition(":")[0]) == (
        0,
        "what is accepted leaves everything as it is",
    )
