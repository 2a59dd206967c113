from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dreamreview.cli import output

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
    assert "Conflicts 1, Prune 1, Dates 1, Index 1, Redactions 1. Changes in all: 5.\n" in answer.out
    assert "\nConflicts (1)\n\nChange 1 of 5: conflict port1, undecided. 0 of 5 decided.\nTwo ports\n" in answer.out
    assert answer.out.endswith("0 of 5 decided.\n")
    assert answer.err.endswith("Enter leaves it as it is: (the input has ended)\n")
    assert _states(command, declared) == UNDECIDED


def test_enter_goes_on_and_decides_nothing(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="\n\n\n\n\n\n")
    assert answer.code == 0
    assert "port1: left as it is, undecided.\n" in answer.out
    assert "Change 5 of 5: redact red1, undecided. 0 of 5 decided.\n" in answer.out
    assert answer.out.endswith(
        "No more changes.\nConflicts 1, Prune 1, Dates 1, Index 1, Redactions 1. Changes in all: 5.\n0 of 5 decided.\n"
    )
    assert _states(command, declared) == UNDECIDED


def test_who_leaves_at_the_end_hears_the_totals_once(command: Command, declared: Path) -> None:
    out = command("review", declared, "--plain", stdin="\n\n\n\n\nq\n").out
    assert out.splitlines().count("0 of 5 decided.") == 1


def test_each_section_is_headed_once_and_their_numbers_add_up(command: Command, declared: Path) -> None:
    out = command("review", declared, "--plain", stdin="\n\n\n\n\n\n").out
    headings = ("Conflicts (1)", "Prune (1)", "Dates (1)", "Index (1)", "Redactions (1)")
    assert [out.count(f"\n{heading}\n") for heading in headings] == [1, 1, 1, 1, 1]
    assert "Merges" not in out


def test_both_sides_of_a_conflict_are_told_in_full(command: Command, declared: Path) -> None:
    out = command("review", declared, "--plain").out
    assert (
        "Destructive: the side that is not kept can go.\n"
        "Why: it is so\n"
        "Confidence: 0.80 of 1.\n"
        "Side A: 8443\n"
        "Side A, source: ports.md, line 1, dated 2026-01-05.\n"
        "  line 1: - Staging listens on port 8443.\n"
        "  linked from: MEMORY.md, line 1\n"
    ) in out
    assert (
        "If A is kept, edit A1: removes line 2 of ports.md.\n"
        "  stays, line 1: - Staging listens on port 8443.\n"
        "  removes 1, line 2: - Staging listens on port 9443.\n"
        "  stays, line 3: - The password: Tern-4…side\n"
        "Side B, suggested: 9443\n"
    ) in out


def test_what_is_destructive_is_said_so(command: Command, declared: Path) -> None:
    out = command("review", declared, "--plain", stdin="2\n").out
    assert "Old heater\nDestructive: listen to what it takes away before you accept it.\n" in out
    assert "Not found in this folder afterwards: 2019.\n" in out
    assert "Edit e1: removes line 4 of ports.md.\n" in out


def test_no_fact_is_told_by_a_sign_alone(command: Command, declared: Path) -> None:
    out = command("review", declared, "--plain", stdin="\n\n\nr e1\n\n\n").out
    assert [line for line in out.split("\n") if line[:1] in {"+", "-", ">", "@", "["}] == []
    assert not set("·→✓✗●○") & set(out)
    assert "; rejected.\n" in command("review", declared, "--plain", stdin="g index1\n").out


def test_a_question_names_its_answers_and_its_default(command: Command, declared: Path) -> None:
    err = command("review", declared, "--plain", stdin="\n").err
    assert (
        "Change 1 of 5: keep A, keep B, both, skip (s), reject (r), edit (e), help (?), Enter leaves it as it is: \n"
    ) in err
    assert ("Change 2 of 5: accept (a), reject (r), edit (e), help (?), Enter leaves it as it is: ") in err


@pytest.mark.parametrize("place", ["1", "2"])
def test_the_help_names_each_answer_in_a_line_of_its_own(command: Command, declared: Path, place: str) -> None:
    out = command("review", declared, "--plain", stdin=f"{place}\n?\n").out
    assert "\nr or reject: " in out
    assert "\nu or undo: " in out
    assert "\nw or write: " in out
    assert ("\nA or keep A: " in out) is (place == "1")
    assert ("\na or accept: " in out) is (place == "2")


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


def test_the_last_decision_is_taken_back_where_it_was_made(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="A\na\nu\nredo\nu\nu\nu\n")
    assert answer.out.count("Took back the last decision.\n") == 3
    assert "Took back the last decision.\n\nChange 2 of 5: prune prune1, undecided." in answer.out
    assert "Took back the last decision.\n\nConflicts (1)\n\nChange 1 of 5: conflict port1, undecided." in answer.out
    assert "There is nothing to take back.\n" in answer.out
    assert "Made the decision again.\n" in answer.out
    assert _states(command, declared) == UNDECIDED


def test_it_goes_on_where_it_was_left(command: Command, declared: Path) -> None:
    command("review", declared, "--plain", stdin="B\nr\n")
    again = command("review", declared, "--plain")
    assert "Going on at change 3: 2 of 5 decided, 1 accepted, 1 rejected.\n" in again.out
    assert "\nChange 3 of 5: date date1, undecided. 2 of 5 decided, 1 accepted, 1 rejected.\n" in again.out


def test_a_reason_is_asked_for_only_where_that_is_wanted(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="2\nr\ng red1\nr?\nit is mine\ng date1\nwhy\nask Ines\n")
    assert answer.err.count("Enter gives no reason:") == 2
    shown = command("show", declared).out
    assert "said: it is mine\n" in shown
    assert "noted: ask Ines\n" in shown


def test_a_part_is_named_by_its_id(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="g index1\na e1\nr e2:-1\n")
    assert "index1: decided in part.\nA part of it still waits for a decision.\n" in answer.out
    assert _states(command, declared)["index1"] == "partial"
    again = command("review", declared, "--plain", stdin="g index1\n").out
    assert "Edit e1, 1 of 2: removes line 2 of MEMORY.md; accepted.\n" in again
    assert "Edit e2, 2 of 2: removes line 3 of MEMORY.md; rejected.\n" in again


def test_a_split_asks_about_edit_after_edit(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="g index1\ns\na\nwhat\nr\nq\n")
    assert "index1.e1: accept (a), reject (r), stop splitting (q); Enter leaves it as it is: a\n" in answer.err
    assert answer.err.count("index1.e2: accept (a)") == 2
    assert _states(command, declared)["index1"] == "partial"


def test_a_split_edit_is_decided_line_by_line(command: Command, bare: Path) -> None:
    copy = bare / ".dream-proposals" / "20260104T000000000" / "MEMORY.md"
    copy.write_text(copy.read_text().replace("line 6\nline 7\n", "line six\nline seven\n"))
    answer = command("review", bare, "--plain", stdin="s\na\n\nr\n")
    assert "  removes 1, line 6: line 5\n  adds 1: line five\n" in answer.out
    shown = command("review", bare, "--plain", stdin="1\n").out
    assert "by 3 lines; accepted: removal 1, addition 1; rejected: removal 3, addition 3.\n" in shown
    command("apply", bare, "--yes")
    assert "line 4\nline five\nline 6\nline 7\nline 8\n" in (bare / "MEMORY.md").read_text()


def test_what_cannot_be_split_is_said_so(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="g prune1\ns\n")
    assert "this change cannot be split\n" in answer.err


def test_all_of_a_kind_are_decided_after_a_yes(command: Command, bare: Path) -> None:
    copy = bare / ".dream-proposals" / "20260104T000000000" / "MEMORY.md"
    copy.write_text(
        copy.read_text().replace("line five\n", "line 5 or so\n").replace("line thirty\n", "line 30 or so\n")
    )
    refused = command("review", bare, "--plain", stdin="a all\n\n")
    assert "Accept 2 of Edits? [y/N] Enter means no: \n" in refused.err
    assert command("show", bare, "--json").json()["counts"]["undecided"] == 2
    assert command("review", bare, "--plain", stdin="a all\ny\n").code == 0
    assert command("show", bare, "--json").json()["counts"]["accepted"] == 2


def test_a_yes_that_nothing_asked_for_accepts_nothing(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="g date1\ny\nyes\n")
    assert answer.err.count("no such answer: y") == 2
    assert _states(command, declared) == UNDECIDED


def test_nothing_destructive_is_decided_by_the_kind(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="g prune1\na all\ny\n")
    assert "has to be named: prune1.\n" in answer.out
    assert "nothing of Prune can be decided all at once\n" in answer.err
    assert _states(command, declared) == UNDECIDED


def test_the_base_and_the_origin_are_told_on_request(command: Command, declared: Path) -> None:
    out = command("review", declared, "--plain", stdin="g date1\nbase\norigin\n").out
    assert "ports.md when the proposal was made, 6 lines:\n  line 1: - Staging listens on port 8443.\n" in out
    assert "By: local 0.1.0.\n" in out
    assert f"Fingerprint: {'d' * 64}.\n" in out


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("frobnicate", "no such answer: frobnicate; nothing was decided; ? tells all answers"),
        ("g nothing", "nothing is no change: say a number from 1 to 5, or an id"),
        ("9", "9 is no change: say a number from 1 to 5, or an id"),
        ("p", "this is the first change"),
        ("accept", "port1 is a conflict: choose A, B, both or skip"),
    ],
)
def test_an_answer_that_makes_no_sense_is_asked_again(
    command: Command, declared: Path, typed: str, problem: str
) -> None:
    answer = command("review", declared, "--plain", stdin=f"{typed}\nB\n")
    assert f"dreamreview: {problem}\nChange 1 of 5: " in answer.err
    assert _states(command, declared) == UNDECIDED | {"port1": "accepted B"}


def test_a_pipe_that_answers_other_questions_is_stopped(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="B\none\ntwo\nthree\na\na\n")
    assert answer.code == 2
    assert answer.err.endswith("3 answers in a row make no sense: stopped; the decisions before them are kept\n")
    assert _states(command, declared) == UNDECIDED | {"port1": "accepted B"}


def test_a_person_may_be_wrong_as_often_as_they_like(
    command: Command, declared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_typed", lambda: True)
    answer = command("review", declared, "--plain", stdin="one\ntwo\nthree\nfour\nB\n")
    assert answer.code == 0
    assert _states(command, declared)["port1"] == "accepted B"


def test_leaving_offers_to_write_and_enter_means_no(command: Command, declared: Path) -> None:
    before = (declared / "ports.md").read_bytes()
    answer = command("review", declared, "--plain", stdin="A\nq\n\n")
    assert answer.code == 0
    assert f"Write this to {declared}? [y/N] Enter means no: \n" in answer.err
    assert answer.out.endswith(f"dreamreview apply {declared} 20260105T000000000\n")
    assert (declared / "ports.md").read_bytes() == before


def test_the_end_offers_to_write_what_is_accepted(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="A\nr\na\nr\nr\ny\n")
    assert answer.code == 0
    assert "applied a1\n" in answer.out
    assert b"The move happened on 2026-01-04.\n" in (declared / "ports.md").read_bytes()


def test_a_write_that_leaves_something_ends_with_4(command: Command, declared: Path) -> None:
    command("review", declared, "--plain", stdin="A\nq\n")
    text = (declared / "ports.md").read_bytes()
    (declared / "ports.md").write_bytes(text.replace(b"port 9443", b"port 9500"))
    answer = command("review", declared, "--plain", stdin="w\nq\n")
    assert answer.code == 4
    assert "nothing that is accepted fits the live folder" in answer.out


def test_the_end_of_the_input_keeps_everything_and_writes_nothing(command: Command, declared: Path) -> None:
    before = (declared / "ports.md").read_bytes()
    answer = command("review", declared, "--plain", stdin="A")
    assert answer.code == 0
    assert "What is accepted is not written yet; write it with: dreamreview apply" in answer.out
    assert _states(command, declared)["port1"] == "accepted A"
    assert (declared / "ports.md").read_bytes() == before


def test_what_was_decided_before_an_interrupt_is_kept(
    command: Command, declared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(("A", "r"))

    def ask(_question: str) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise KeyboardInterrupt from None

    with monkeypatch.context() as patch:
        patch.setattr(output, "ask", ask)
        assert command("review", declared, "--plain").code == 130
    assert _states(command, declared) == UNDECIDED | {"port1": "accepted A", "prune1": "rejected"}


def test_a_proposal_without_changes_is_said_so(command: Command, bare: Path) -> None:
    copy = bare / ".dream-proposals" / "20260104T000000000" / "MEMORY.md"
    copy.write_bytes((bare / "MEMORY.md").read_bytes())
    answer = command("review", bare, "2", "--plain", stdin="a\n")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith("It holds no changes: there is nothing to review.\n")


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal, and an editor that puts Sunday in the place of what stands there."""
    program = tmp_path / "editor"
    program.write_text('#!/bin/sh\nsed \'s/on 2026/on Sunday, 2026/\' "$1" > "$1.new" && cat "$1.new" > "$1"\n')
    program.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(program))
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr(output, "is_terminal", lambda: True)


@pytest.mark.usefixtures("editor")
def test_an_edit_is_made_in_the_editor_of_the_user(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="g date1\ne\n")
    assert "date1: accepted with your text.\n" in answer.out
    command("apply", declared, "--yes")
    assert b"- The move happened on Sunday, 2026-01-04.\n" in (declared / "ports.md").read_bytes()


@pytest.mark.usefixtures("editor")
def test_an_editor_that_leaves_the_text_decides_nothing(command: Command, declared: Path) -> None:
    answer = command("review", declared, "--plain", stdin="g red1\ne\n")
    assert "the text is as it was; nothing was decided\n" in answer.err
    assert _states(command, declared) == UNDECIDED


@pytest.mark.usefixtures("editor")
def test_a_text_can_be_typed_though_there_is_an_editor(command: Command, declared: Path) -> None:
    command("review", declared, "--plain", stdin="g date1\nt\n- It happened.\n.\n")
    command("apply", declared, "--yes")
    assert b"- It happened.\n" in (declared / "ports.md").read_bytes()


def test_a_dumb_terminal_gets_lines(command: Command, declared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    assert "Change 1 of 5: conflict port1, undecided." in command("review", declared).out


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
