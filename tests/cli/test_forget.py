"""`dreamreview forget`: what it asks, what it tells, how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamreview.cli import output
from dreamreview.cli.main import run
from tests.cli.conftest import DECLARED_ID, PORTS, SECRET, Command
from tests.workspace.traces import traces

LEFT = PORTS.replace(b"- The password: Tern-4417-Quayside\n", b"")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)


@pytest.fixture
def pinned(tmp_path: Path) -> Path:
    folder = tmp_path / "pinned"
    folder.mkdir()
    (folder / "a.md").write_bytes(b"# A\n\n- [PINNED] Never tell lintel-77.\n- Tell lintel-78.\n")
    return folder


def test_with_a_yes_it_is_gone_and_the_receipt_tells_where_it_was(command: Command, declared: Path) -> None:
    answer = command("forget", declared, "ports.md:3", "--yes")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines() == [
        "forgot f1",
        "  memory     ports.md: 1 line",
        f"  manifest   1 place in the manifest of {DECLARED_ID}",
        f"  base       1 line of the base of {DECLARED_ID}",
        f"  withdrawn  {DECLARED_ID}/red1: it was about this and cannot be applied any more",
        f"the receipt is kept as {declared}/.dreamreview/forgotten/f1.json",
    ]
    assert (declared / "ports.md").read_bytes() == LEFT
    assert traces(declared, SECRET.encode()) == []


def test_a_dry_run_tells_the_same_and_removes_nothing(command: Command, declared: Path) -> None:
    planned = command("forget", declared, "ports.md:3", "--dry-run")
    assert planned.code == 0
    assert (declared / "ports.md").read_bytes() == PORTS
    done = command("forget", declared, "ports.md:3", "--yes")
    assert planned.out.splitlines()[0] == f"this would be removed from {declared}:"
    assert planned.out.splitlines()[1:] == done.out.splitlines()[1:-1]


def test_as_json_it_is_the_receipt_and_holds_nothing_of_the_text(command: Command, declared: Path) -> None:
    answer = command("forget", declared, "--match", SECRET, "--yes", "--json")
    assert SECRET not in answer.out
    document = answer.json()
    assert document == {
        "forget": "f1",
        "at": "2026-01-05T08:00:00.000Z",
        "removed": [
            {"where": "memory", "path": "ports.md", "count": 1},
            {"where": "manifest", "path": DECLARED_ID, "count": 1},
            {"where": "base", "path": DECLARED_ID, "count": 1},
        ],
        "withdrawn": [f"{DECLARED_ID}/red1"],
        "cut": [],
        "undo": [],
        "left": [],
        "dry_run": False,
    }


def test_without_a_terminal_and_a_yes_nothing_is_removed(command: Command, declared: Path) -> None:
    answer = command("forget", declared, "ports.md:3", stdin="y\n")
    assert (answer.code, answer.out) == (2, "")
    assert "--yes" in answer.err
    assert (declared / "ports.md").read_bytes() == PORTS


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("typed", ["\n", "", "n\n"])
def test_enter_means_no(command: Command, declared: Path, typed: str) -> None:
    answer = command("forget", declared, "ports.md:3", stdin=typed)
    assert answer.code == 0
    assert "nothing was forgotten" in answer.err
    assert (declared / "ports.md").read_bytes() == PORTS


@pytest.mark.usefixtures("terminal")
def test_what_is_shown_before_the_question_is_not_the_text(command: Command, declared: Path) -> None:
    answer = command("forget", declared, "ports.md:3", stdin="y\n")
    assert "  memory     ports.md: 1 line\n" in answer.err
    assert SECRET not in answer.err + answer.out
    assert (declared / "ports.md").read_bytes() == LEFT


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("typed", "is_gone"), [("y\n\n", False), ("y\ny\n", True), ("n\ny\n", False)])
def test_a_pinned_note_asks_twice(command: Command, pinned: Path, typed: str, is_gone: bool) -> None:
    command("forget", pinned, "a.md:3", stdin=typed)
    assert (b"lintel-77" not in (pinned / "a.md").read_bytes()) is is_gone


def test_a_pinned_note_needs_two_yes(command: Command, pinned: Path) -> None:
    answer = command("forget", pinned, "a.md:3", "--yes")
    assert (answer.code, "--yes twice" in answer.err) == (2, True)
    assert b"lintel-77" in (pinned / "a.md").read_bytes()
    assert command("forget", pinned, "a.md:4", "--yes").code == 0
    assert command("forget", pinned, "a.md:3", "--yes", "--yes").code == 0
    assert (pinned / "a.md").read_bytes() == b"# A\n\n"


@pytest.mark.usefixtures("terminal")
def test_a_line_that_moves_under_the_question_is_asked_about_again(
    command: Command, declared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def confirm(question: str) -> bool:
        asked.append(question)
        if len(asked) == 1:
            (declared / "ports.md").write_bytes(b"- A line of the agent.\n" + PORTS)
        return len(asked) == 1

    monkeypatch.setattr(output, "confirm", confirm)
    answer = command("forget", declared, "ports.md:3")
    assert len(asked) == 2
    assert "was changed since that was shown; nothing was forgotten" in answer.err
    assert (declared / "ports.md").read_bytes() == b"- A line of the agent.\n" + PORTS


def test_what_stands_nowhere_is_said_so(command: Command, declared: Path) -> None:
    answer = command("forget", declared, "--match", "nowhere at all", "--yes")
    assert (answer.code, answer.out) == (0, f"nothing of that is found in {declared}\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name what to forget"),
        (["ports.md:3", "--match", "x"], "name what to forget"),
        (["ports.md:99"], "there is no line 99 of ports.md: it has 6 lines"),
        (["other.md"], "there is no file other.md"),
        (["--match", ""], "--match takes some text of one line"),
        (["--match", "a\nb"], "--match takes some text of one line"),
        (["../x"], "no path inside a memory folder"),
    ],
)
def test_a_request_that_makes_no_sense_ends_2_in_one_line(
    command: Command, declared: Path, words: list[str], said: str
) -> None:
    answer = command("forget", declared, *words, "--yes")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert said in answer.err


def test_where_nothing_of_ours_writes_it_stays_and_the_status_says_so(command: Command, declared: Path) -> None:
    (declared / ".DS_Store").write_text(SECRET)
    answer = command("forget", declared, "--match", SECRET, "--yes")
    assert answer.code == 4
    assert "  left       .DS_Store: it is no memory and stays as it is" in answer.out


def test_history_says_what_an_undo_gives_back_in_part(command: Command, bare: Path) -> None:
    for change in command("show", bare, "--json").json()["changes"]:
        run(["decide", str(bare), "20260104", "--accept", change["id"]])
    command("apply", bare, "--yes")
    command("forget", bare, "--match", "line five", "--yes")
    rows = command("history", bare).out.splitlines()
    assert [row.endswith(" · in part forgotten") for row in rows] == [False, True, False]
