from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dreamreview.model.proposal import Kind
from dreamreview.workspace import Workspace

Command = Callable[..., Any]


def _states(command: Command, folder: Path) -> dict[str, str]:
    shown = command("show", folder, "2", "--json").json()
    return {
        change["id"]: f"{change['state']} {change['choice']}" if change["choice"] else change["state"]
        for change in shown["changes"]
    }


def _seen(command: Command, folder: Path, name: str) -> str:
    shown = command("show", folder, "2", "--json").json()
    return next(str(change["seen"]) for change in shown["changes"] if change["id"] == name)


UNDECIDED = dict.fromkeys(("date1", "port1", "prune1", "red1", "index1"), "undecided")


def test_several_decisions_of_every_sort_are_kept_at_once(command: Command, declared: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.md"
    text.write_text("- The move happened on Sunday, 2026-01-04.\n")
    answer = command(
        "decide", declared, "2", "--accept", "index1", "--accept", "prune1", "--reject", "red1", "--reason", "not one",
        "--choose", "port1=B", "--edit", f"date1={text}", "--json",
    )  # fmt: skip
    assert answer.code == 0
    assert sorted(answer.json()["decided"]) == ["date1", "index1", "port1", "prune1", "red1"]
    assert answer.json()["counts"]["undecided"] == 0
    assert _states(command, declared) == {
        "date1": "edited",
        "port1": "accepted B",
        "prune1": "accepted",
        "red1": "rejected",
        "index1": "accepted",
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--accept", "port1"], "port1 is a conflict"),
        (["--accept", "nobody"], "there is no change nobody"),
        (["--accept", "index1.e9"], "index1 has no edit e9"),
        (["--accept", "index1.e1:-2"], "e1 of index1 has 1 old lines, so none numbered 2"),
        (["--accept", "date1@0000"], "date1 is not what was seen"),
        (["--choose", "date1=A"], "date1 is no conflict"),
        (["--choose", "port1=C"], "port1 has no option C"),
        (["--choose", "port1"], "'port1' is not of the form ID=A|B|both|skip"),
        (["--edit", "date1=/nowhere/at/all"], "cannot read /nowhere/at/all"),
        (["--accept", "date1", "--reject", "date1"], "date1 is decided twice, and differently"),
        (["--accept"], "--accept and --reject without an ID go with --kind"),
        (["--min-confidence", "0.5", "--accept", "date1"], "--min-confidence goes with --kind"),
        (["--kind", "conflict", "--accept"], "conflicts are settled one by one"),
        (["--kind", "date", "--accept", "date1"], "--kind takes one of --accept and --reject, without an ID"),
        (["--kind", "date", "--accept", "--reject"], "--kind takes one of --accept and --reject, without an ID"),
        ([], "nothing to decide"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_of_the_command_is_kept(
    command: Command, declared: Path, words: list[str], message: str
) -> None:
    first = [] if not words or "--kind" in words else ["--reject", "red1"]
    answer = command("decide", declared, "2", *first, *words)
    assert answer.code == 2
    assert message in answer.err
    assert answer.err.count("\n") == 1
    assert _states(command, declared) == UNDECIDED


def test_what_was_seen_can_be_named(command: Command, declared: Path) -> None:
    seen = _seen(command, declared, "date1")
    assert command("decide", declared, "2", "--accept", f"date1@{seen}").code == 0
    assert _states(command, declared)["date1"] == "accepted"


def test_a_part_may_be_decided_otherwise_than_its_change(command: Command, declared: Path) -> None:
    assert command("decide", declared, "2", "--reject", "index1.e2", "--accept", "index1").code == 0
    assert _states(command, declared)["index1"] == "partial"


def test_a_part_of_a_side_may_be_decided_with_the_choice(command: Command, declared: Path) -> None:
    assert command("decide", declared, "2", "--reject", "port1.B1:-1", "--choose", "port1=B").code == 0
    assert _states(command, declared)["port1"].startswith(("partial", "rejected"))


@pytest.mark.parametrize(
    ("choice", "state"), [("A", "accepted A"), ("B", "accepted B"), ("both", "accepted both"), ("skip", "skipped")]
)
def test_a_conflict_is_settled_by_choosing(command: Command, declared: Path, choice: str, state: str) -> None:
    assert command("decide", declared, "2", "--choose", f"port1={choice}").code == 0
    assert _states(command, declared)["port1"] == state


def test_a_decision_can_be_cleared(command: Command, declared: Path) -> None:
    command("decide", declared, "2", "--accept", "date1", "--choose", "port1=A")
    assert command("decide", declared, "2", "--clear", "date1", "--clear", "port1").code == 0
    assert _states(command, declared) == UNDECIDED


def test_a_kind_is_decided_in_bulk_but_never_what_takes_something_away(command: Command, declared: Path) -> None:
    dates = command("decide", declared, "2", "--kind", "date", "--accept", "--json")
    prunes = command("decide", declared, "2", "--kind", "prune", "--accept", "--json")
    assert (dates.code, dates.json()["decided"]) == (0, ["date1"])
    assert (prunes.code, prunes.json()["decided"]) == (0, [])
    assert "prune1" in prunes.err
    assert _states(command, declared) == UNDECIDED | {"date1": "accepted"}


def test_bulk_leaves_what_is_less_sure_and_what_is_decided(command: Command, declared: Path) -> None:
    sure = command("decide", declared, "2", "--kind", "date", "--min-confidence", "0.9", "--accept", "--json")
    assert sure.json()["decided"] == []
    command("decide", declared, "2", "--reject", "date1")
    again = command("decide", declared, "2", "--kind", "date", "--min-confidence", "0.8", "--accept", "--json")
    assert again.json()["decided"] == []
    assert _states(command, declared)["date1"] == "rejected"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--kind", "prune", "--accept"],
            "nothing was decided: the only change was left out; name each with --accept ID · ",
        ),
        (["--kind", "link", "--reject"], "nothing was decided: no undecided change is of kind link · "),
        (
            ["--kind", "date", "--min-confidence", "0.9", "--accept"],
            "nothing was decided: no undecided change is of kind date and has a confidence of 0.9 or more · ",
        ),
    ],
)
def test_bulk_that_decides_nothing_says_why(command: Command, declared: Path, words: list[str], said: str) -> None:
    answer = command("decide", declared, "2", *words)
    assert (answer.code, answer.out) == (0, f"{said}0 of 5 decided\n")


@pytest.fixture
def rough(tmp_path: Path) -> Path:
    """A store with a copy by another program that creates, deletes, renames, cuts down and touches up files."""
    folder = tmp_path / "rough"
    copy = folder / ".dream-proposals" / "20260104T000000000"
    copy.mkdir(parents=True)
    rows = [f"- row {number} of the garden is dug\n" for number in range(12)]
    before = {
        "cut.md": "".join(rows),
        "touched.md": "".join(rows) + "- the gate is green\n",
        "told.md": "".join(rows) + "- the pump costs 4711 crowns\n",
        "gone.md": "nothing of note\n",
    }
    after = {
        "cut.md": "".join(rows[:6]),
        "touched.md": "".join(rows) + "- the gate is green and wide\n",
        "told.md": "".join(rows) + "- the pump costs little\n",
        "new.md": "- the hedge is cut in May\n",
    }
    for place, files in ((folder, before), (copy, after)):
        for name, text in files.items():
            (place / name).write_text(text)
    return folder


@pytest.mark.parametrize("op", ["--accept", "--reject"])
@pytest.mark.parametrize("store", ["rough", "declared"])
def test_no_kind_decides_in_bulk_what_is_destructive_or_a_conflict(
    command: Command, store: str, op: str, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(store)
    cards = Workspace(folder).open("2").cards()
    named = {card.change.id for card in cards if card.is_destructive or card.change.options}
    decided: set[str] = set()
    told = ""
    for kind in Kind:
        answer = command("decide", folder, "2", "--kind", kind, op, "--json")
        assert answer.code == (2 if kind is Kind.CONFLICT else 0)
        decided |= set(answer.json()["decided"]) if answer.code == 0 else set()
        told += answer.err
    conflicts = {card.change.id for card in cards if card.change.options}
    assert named
    assert decided == {card.change.id for card in cards} - named
    assert named - conflicts == {word for word in told.split() if word in named}
    states = _states(command, folder)
    assert {states[name] for name in named} == {"undecided"}


def test_what_is_cut_down_deleted_or_vanishes_is_named_and_what_is_touched_up_or_new_is_not(
    rough: Path,
) -> None:
    cards = Workspace(rough).open("2").cards()
    assert {next(iter(card.change.all_edits)).path: card.is_destructive for card in cards} == {
        "cut.md": True,
        "told.md": True,
        "gone.md": True,
        "touched.md": False,
        "new.md": False,
    }


def test_the_least_confidence_is_included(command: Command, declared: Path) -> None:
    for least, decided in (("0.81", []), ("0.8", ["date1"])):
        answer = command("decide", declared, "2", "--kind", "date", "--min-confidence", least, "--accept", "--json")
        assert (answer.code, answer.json()["decided"]) == (0, decided)


@pytest.mark.parametrize("least", ["1.5", "-0.1", "nan", "much"])
def test_a_confidence_that_is_none_is_refused(command: Command, declared: Path, least: str) -> None:
    answer = command("decide", declared, "2", "--kind", "date", "--min-confidence", least, "--accept")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert _states(command, declared) == UNDECIDED


def test_decisions_are_read_back_from_what_show_prints(command: Command, declared: Path, tmp_path: Path) -> None:
    document = command("show", declared, "2", "--json").json()
    wanted = {"date1": "accepted", "prune1": "rejected", "index1": "accepted", "red1": "accepted"}
    for change in document["changes"]:
        change["state"] = wanted.get(change["id"], "accepted")
        change["choice"] = "B" if change["id"] == "port1" else None
    file = tmp_path / "decisions.json"
    file.write_text(json.dumps(document))
    assert command("decide", declared, "2", "--from", file).code == 0
    assert _states(command, declared) == wanted | {"port1": "accepted B"}
    again = command("decide", declared, "2", "--from", "-", "--json", stdin=json.dumps(document))
    assert (again.code, again.json()["decided"]) == (0, [])


def test_another_text_is_read_back_from_what_show_prints(command: Command, declared: Path) -> None:
    document = command("show", declared, "2", "--json").json()
    date = next(change for change in document["changes"] if change["id"] == "date1")
    date["state"], date["edits"][0]["new"] = "edited", "- Moved on the fourth of January.\n"
    assert command("decide", declared, "2", "--from", "-", stdin=json.dumps(document)).code == 0
    assert _states(command, declared) == UNDECIDED | {"date1": "edited"}
    command("apply", declared, "--yes")
    assert "- Moved on the fourth of January.\n" in (declared / "ports.md").read_text()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda document: document.update(id="20200101T000000000"), "is about proposal '20200101T000000000'"),
        (lambda document: document["changes"][2].update(seen="0" * 64), "is not what was seen"),
        (lambda document: document["changes"][2].update(state="maybe"), "changes[2].state: 'maybe'"),
        (lambda document: document["changes"][2].update(id="nobody"), "there is no change 'nobody'"),
        (lambda document: document["changes"][2].update(state="edited"), "no edit has another text"),
        (lambda document: document["changes"][2].update(state="partial"), "decided in part"),
        (lambda document: document.pop("changes"), "with a list of changes"),
    ],
)
def test_a_document_that_does_not_fit_decides_nothing(
    command: Command, declared: Path, spoil: Callable[[dict[str, Any]], None], message: str
) -> None:
    document = command("show", declared, "2", "--json").json()
    document["changes"][2]["state"] = document["changes"][4]["state"] = "accepted"
    spoil(document)
    answer = command("decide", declared, "2", "--from", "-", stdin=json.dumps(document))
    assert answer.code == 2
    assert message in answer.err
    assert _states(command, declared) == UNDECIDED


def test_what_is_no_document_is_refused(command: Command, declared: Path) -> None:
    answer = command("decide", declared, "2", "--from", "-", stdin="{nonsense")
    assert answer.code == 2
    assert "not a JSON document" in answer.err


@pytest.mark.parametrize("shown", ["Tern-4…side", "- The password: Tern-4…side or so"])
def test_what_stands_for_a_secret_is_never_written_back(
    command: Command, declared: Path, tmp_path: Path, shown: str
) -> None:
    (tmp_path / "text").write_text(f"{shown}\n", encoding="utf-8")
    answer = command("decide", declared, "2", "--edit", f"red1={tmp_path / 'text'}")
    assert answer.code == 2
    assert "only stands for a secret" in answer.err
    assert _states(command, declared) == UNDECIDED
