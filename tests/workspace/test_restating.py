"""A proposal by others that says over again what the folder says already is marked, and names the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dreamreview.dream import restating as engine
from dreamreview.model.proposal import Kind
from dreamreview.workspace import restating
from tests.workspace.stores import lay, leave_copy, reviewed, typed, workspace

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from tests.workspace.stores import Files

FERRY = b"# Ferry\n\n- Tickets for the evening ferry are sold at the kiosk only.\n- The deck is closed in winter.\n"
LAMP = b"# Lamp\n\n- The lamp on the mole is green.\n"
BEFORE: Files = {"ferry.md": FERRY, "lamp.md": LAMP}


def repeated(folder: Path, after: Files, before: Files = BEFORE) -> list[tuple[Kind, list[tuple[str, int]]]]:
    """Return kind and named places of every change that is marked in a copy by another program."""
    _, review = reviewed(folder, before, after)
    return [
        (card.change.kind, [(one.path, one.first) for one in card.change.evidence if one.path in before])
        for card in review.cards()
        if "duplicate-of" in card.change.flags
    ]


@pytest.mark.parametrize(
    "fact",
    [
        b"- Tickets for the evening ferry are sold at the kiosk only.\n",
        b"* TICKETS for the evening ferry  are sold at the kiosk only\n",
        b"The evening ferry: tickets are sold only at the kiosk.\n",
    ],
)
def test_a_new_file_that_restates_a_fact_names_where_it_stands(tmp_path: Path, fact: bytes) -> None:
    after: Files = {**BEFORE, "tickets.md": b"# Where to buy\n\n" + fact}
    assert repeated(tmp_path / "s", after) == [(Kind.CREATE, [("ferry.md", 3)])]


def test_a_line_put_into_another_file_is_marked_as_well(tmp_path: Path) -> None:
    line = b"- Tickets for the evening ferry are sold at the kiosk only.\n"
    after: Files = {**BEFORE, "lamp.md": LAMP + line}
    (marked,) = repeated(tmp_path / "s", after)
    assert (marked[0], ("ferry.md", 3) in marked[1]) == (Kind.EDIT, True)


def test_in_a_script_without_blanks_too(tmp_path: Path) -> None:
    before: Files = {"码头.md": "# 码头\n\n- 渡轮的晚班船票只在码头的售票亭出售。\n".encode()}
    after: Files = {**before, "票.md": "# 船票\n\n- 渡轮的晚班船票只在码头的售票亭出售\n".encode()}
    assert repeated(tmp_path / "s", after, before) == [(Kind.CREATE, [("码头.md", 3)])]


@pytest.mark.parametrize(
    "after",
    [
        pytest.param({**BEFORE, "new.md": b"# New\n\n- The crane on the quay lifts nine tonnes.\n"}, id="a new fact"),
        pytest.param(
            {**BEFORE, "new.md": b"# New\n\n- Tickets for the morning ferry are sold at the kiosk only.\n"},
            id="another ferry",
        ),
        pytest.param(
            {"ferry.md": FERRY.replace(b"- Tickets for the evening ferry are sold at the kiosk only.\n", b""),
             "lamp.md": LAMP + b"- Tickets for the evening ferry are sold at the kiosk only.\n"},
            id="a fact that moves",
        ),
        pytest.param(
            {**BEFORE, "ferry.md": FERRY.replace(b"sold at the kiosk only", b"sold only at the kiosk")},
            id="a fact in other words at its place",
        ),
        pytest.param({"boats.md": FERRY, "lamp.md": LAMP}, id="a file under another name"),
        pytest.param({"ferry.md": FERRY}, id="a file that goes"),
    ],
)  # fmt: skip
def test_what_says_something_new_or_moves_is_not_marked(tmp_path: Path, after: Files) -> None:
    assert repeated(tmp_path / "s", after) == []


def test_what_was_said_twice_before_is_no_news(tmp_path: Path) -> None:
    line = b"- Tickets for the evening ferry are sold at the kiosk only.\n"
    before: Files = {"ferry.md": FERRY, "kiosk.md": b"# Kiosk\n\n" + line}
    after: Files = {"ferry.md": FERRY, "kiosk.md": b"# Kiosk\n\n" + line.replace(b"only.", b"only!")}
    assert repeated(tmp_path / "s", after, before) == []


def test_a_secret_in_the_fact_is_named_masked(tmp_path: Path) -> None:
    key = "sk-" + "b7Kq2Lm9Tz4" * 3
    line = f"- The gateway on the pier is opened with the key {key} alone.\n".encode()
    _, review = reviewed(
        tmp_path / "s", {"gate.md": b"# Gate\n\n" + line}, {"gate.md": b"# Gate\n\n" + line, "b.md": b"# B\n\n" + line}
    )
    (card,) = review.cards()
    assert "duplicate-of" in card.change.flags
    assert key not in "".join(one.quote for one in card.change.evidence)


def test_decisions_are_bound_to_the_change_and_not_to_the_mark(tmp_path: Path) -> None:
    after: Files = {**BEFORE, "tickets.md": b"- Tickets for the evening ferry are sold at the kiosk only.\n"}
    opened, review = reviewed(tmp_path / "s", BEFORE, after)
    (card,) = review.cards()
    assert "duplicate-of" in card.change.flags
    assert card.seen == review.first_cards()[0].seen
    assert opened.open().proposal == review.proposal


def test_a_dream_of_ours_is_not_held_against_the_store_again(tmp_path: Path) -> None:
    twin = typed("kettle", "reference", "The kettle", "The kettle in the hall boils in four minutes and a half.\n")
    opened = workspace(lay(tmp_path / "s", {"a.md": twin, "b.md": twin, "c.md": b"- Yesterday the hall was swept.\n"}))
    opened.dream()
    assert not any("duplicate-of" in card.change.flags for card in opened.open().cards())


def test_a_line_put_by_hand_into_a_copy_of_ours_is(tmp_path: Path) -> None:
    days = b"# 2026-09-11\n\n- Yesterday the mixer was repaired.\n"
    folder = lay(tmp_path / "s", {"memory/2026-09-11.md": days, **BEFORE})
    opened = workspace(folder)
    name = opened.dream().proposal
    assert name is not None
    copy = {"tickets.md": b"- Tickets for the evening ferry are sold at the kiosk only.\n"}
    leave_copy(folder, copy, name)
    marked = [card.change.kind for card in opened.open(name).cards() if "duplicate-of" in card.change.flags]
    assert marked == [Kind.CREATE]


@pytest.mark.parametrize(
    ("stands", "comes", "line"),
    [
        pytest.param(
            "# Ferry\n\nTickets for the evening ferry\nare sold at the kiosk only.\n",
            "# Ticket\n\nTickets for the evening\nferry are sold at the kiosk\nonly.\n",
            3,
            id="wrapped",
        ),
        pytest.param(
            "# Ferry\n\nThe deck is closed in winter.\nTickets for the evening ferry are sold at the kiosk only.\n",
            "- Tickets for the evening ferry are sold at the kiosk only.\n",
            4,
            id="one sentence of a paragraph",
        ),
        pytest.param(
            "The deck is closed in winter.\n§\nTickets for the evening ferry are sold\n\nat the kiosk only.\n",
            "Tickets for the evening ferry are sold at the kiosk only.\n",
            3,
            id="an entry",
        ),
    ],
)
def test_however_the_lines_are_broken(tmp_path: Path, stands: str, comes: str, line: int) -> None:
    before: Files = {"ferry.md": stands.encode()}
    marked = repeated(tmp_path / "s", {**before, "new.md": comes.encode()}, before)
    assert marked == [(Kind.CREATE, [("ferry.md", line)])]


def test_who_is_meant_is_known_from_the_whole_folder(tmp_path: Path) -> None:
    before: Files = {
        "bread.md": b"- Odile bakes the bread for the evening ferry.\n",
        "flour.md": b"- About flour one asks Odile, and about sugar one asks Marta.\n",
    }
    after: Files = {**before, "new.md": b"- Marta bakes the bread for the evening ferry.\n"}
    assert repeated(tmp_path / "s", after, before) == []


def test_the_same_words_all_over_a_folder_are_marked_too(tmp_path: Path) -> None:
    before: Files = {
        f"{number:03d}.md": f"- The kiosk sells ice in paper cups, as told under {1000 + number}.\n".encode()
        for number in range(250)
    }
    before = {**before, "ice.md": b"- The kiosk sells ice in paper cups.\n"}
    after: Files = {**before, "new.md": b"# New\n\n- The kiosk sells ice in paper cups.\n"}
    (marked,) = repeated(tmp_path / "s", after, before)
    assert ("ice.md", 1) in marked[1]


def test_what_is_beyond_the_lines_looked_at_is_neither_marked_nor_taken_for_standing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restating, "MOST_LINES", 1)
    line = b"- Tickets for the morning boat are sold at the harbour office.\n"
    after: Files = {**BEFORE, "a.md": line, "b.md": line, "c.md": FERRY.splitlines(keepends=True)[2]}
    assert repeated(tmp_path / "s", after) == []


@pytest.mark.parametrize(("where", "limit", "value"), [(restating, "MOST_PARSED", 5), (engine, "READ_CLOSE", 0)])
def test_beyond_the_limits_of_work_nothing_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: ModuleType, limit: str, value: int
) -> None:
    monkeypatch.setattr(where, limit, value)
    after: Files = {**BEFORE, "new.md": b"- Tickets for the evening ferry are sold at the kiosk only.\n"}
    assert repeated(tmp_path / "s", after) == []
