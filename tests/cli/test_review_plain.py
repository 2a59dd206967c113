from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


def _states(command: Command, folder: Path) -> dict[str, str]:
    shown = command("show", folder, "2", "--json").json()
    return {
        change["id"]: f"{change['state']} {change['choice']}" if change["choice"] else change["state"]
        for change in shown["changes"]
    }


UNDECIDED = dict.fromkeys(("date1", "port1", "prune1", "red1", "index1"), "undecided")


def test_without_an_answer_it_shows_what_there_is_and_decides_nothing(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain")
    assert answer.code == 0
    assert "Conflicts (1)\n  [undecided] port1 Two ports\n" in answer.out
    assert "change 1 of 5 · 0 of 5 decided\n[undecided] port1 conflict: Two ports\n" in answer.out
    assert answer.out.endswith("0 of 5 decided\n")
    assert _states(command, declared) == UNDECIDED


def test_enter_goes_on_and_decides_nothing(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="\n\n\n\n\n\n")
    assert answer.code == 0
    assert "change 5 of 5" in answer.out
    assert "no more changes · 0 of 5 decided\n" in answer.out
    assert _states(command, declared) == UNDECIDED


def test_each_answer_is_kept_and_leads_to_the_next_undecided_change(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="B\nr it stays warm\na\nn\nreject\np\nx\nq\n")
    assert answer.code == 0
    assert _states(command, declared) == UNDECIDED | {"port1": "accepted B", "prune1": "rejected", "red1": "rejected"}
    assert "said: it stays warm" in command("show", declared).out


@pytest.mark.parametrize(
    ("typed", "state"),
    [
        ("A", "accepted A"),
        ("b", "accepted B"),
        ("both", "accepted both"),
        ("skip", "skipped"),
        ("s", "skipped"),
        ("r", "rejected"),
        ("accept", "undecided"),
        ("C", "undecided"),
    ],
)
def test_a_conflict_is_answered_by_the_name_of_a_side(command: Command, declared: Path, typed: str, state: str) -> None:
    command("review", declared, "--plain", stdin=f"{typed}\nq\n")
    assert _states(command, declared)["port1"] == state


def test_a_decision_is_taken_back(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="A\nu\nu\n")
    assert "took back the last decision\n" in answer.out
    assert "there is nothing to take back\n" in answer.out
    assert _states(command, declared) == UNDECIDED


def test_another_text_is_typed_line_by_line(command: Command, declared: Path) -> None:
    typed = "n\nn\ne\n- The move happened on Sunday,\n  2026-01-04.\n.\nq\n"
    command("review", declared, "--plain", stdin=typed)
    assert _states(command, declared) == UNDECIDED | {"date1": "edited"}
    command("apply", declared, "--yes")
    assert "- The move happened on Sunday,\n  2026-01-04.\n" in (declared / "ports.md").read_text()


def test_a_third_text_settles_a_conflict(command: Command, declared: Path) -> None:
    command("review", declared, "--plain", stdin="e\n- Staging listens on ports 8443 and 9443.\n.\nq\n")
    assert _states(command, declared)["port1"].startswith("edited")
    command("apply", declared, "--yes")
    assert "- Staging listens on ports 8443 and 9443.\n" in (declared / "ports.md").read_text()


def test_a_text_whose_end_is_missing_decides_nothing(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="n\nn\ne\n- The move hap")
    assert "the input ended before the text did" in answer.err
    assert _states(command, declared) == UNDECIDED


def test_the_text_to_edit_must_be_named_where_there_are_several(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="n\nn\nn\ne\ne e2\n- [Drawer](ports.md): keys\n.\nq\n")
    assert "name the text to edit: e1, e2" in answer.err
    assert _states(command, declared)["index1"] != "undecided"


def test_what_is_accepted_is_written_after_a_yes(command: Command, declared: Path) -> None:
    before = (declared / "ports.md").read_bytes()
    command("review", declared, "--plain", stdin="A\nw\n\nq\n")
    assert (declared / "ports.md").read_bytes() == before
    answer = command("review", declared, "--plain", stdin="w\ny\nq\n")
    assert "applied a1\n" in answer.out
    assert b"port 9443" not in (declared / "ports.md").read_bytes()


def test_no_proposal_is_one_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    answer = command("review", tmp_path / "empty", "--plain")
    assert (answer.code, answer.out.count("\n"), answer.err) == (0, 1, "")


def test_a_secret_is_never_shown(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="\n\n\n\n\n\nl\n")
    assert "Tern-4417-Quayside" not in answer.out + answer.err
    assert "Tern-4…side" in answer.out
