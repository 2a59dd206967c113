from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        ("The mill is closed on Mondays", "On Mondays the mill is closed", "duplicate"),
        ("The mill opens at 07:00", "The mill opens at 08:00", "conflict"),
        ("The mill opens at 07:00", "Ruth keeps bees behind the barn", "distinct"),
        ("Plan to use Redis for the session cache", "Redis is on for the session cache", "distinct"),
        ("The project uses PostgreSQL", "The project migrated from PostgreSQL to MySQL", "conflict"),
        ("- Keep the lamp lit", "- Keep the lamp lit", "duplicate"),
        ("", "", "distinct"),
    ],
)
def test_two_texts_have_one_of_three_relations(command: Command, one: str, other: str, relation: str) -> None:
    answer = command("compare", one, other, "--json")
    (found,) = answer.json()
    assert (answer.code, answer.err) == (0, "")
    assert list(found) == ["a", "b", "relation", "score", "reason"]
    assert (found["a"], found["b"], found["relation"]) == (one, other, relation)
    assert 0 <= found["score"] <= 1


def test_a_person_reads_one_line_with_score_and_reason(command: Command) -> None:
    answer = command("compare", "The mill opens at 07:00", "The mill opens at 08:00")
    assert (answer.code, answer.out) == (0, "conflict (1.00): 07:00 in one, 08:00 in the other\n")


def test_pairs_are_answered_in_their_order(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes(b"\xef\xbb\xbfa red barn\ta red barn\r\nbees\t\nThe mill opens at 7:00\tThe mill opens at 8:00")
    found = command("compare", "--pairs", file, "--json").json()
    assert [(each["a"], each["b"], each["relation"]) for each in found] == [
        ("a red barn", "a red barn", "duplicate"),
        ("bees", "", "distinct"),
        ("The mill opens at 7:00", "The mill opens at 8:00", "conflict"),
    ]


def test_two_long_texts_that_begin_alike_are_shown_where_they_differ(command: Command) -> None:
    told = "The relay on the northern mole of the harbour, which was built by the old crew, listens for pings on port"
    shown = command("compare", "--pairs", "-", stdin=f"{told} 9443.\t{told} 8443.\n").out.splitlines()[1:]
    assert [line.partition("listens")[2] for line in shown] == [" for pings on port 9443.", " for pings on port 8443."]
    assert all(line.startswith("    …") and len(line) <= 104 for line in shown)


def test_pairs_come_from_stdin_as_well(command: Command) -> None:
    answer = command("compare", "--pairs", "-", stdin="a red barn\ta red barn\n")
    assert answer.out == "1  duplicate (1.00): the same words\n    a red barn\n    a red barn\n"


def test_a_line_separator_inside_a_text_ends_no_line(command: Command) -> None:
    found = command("compare", "--pairs", "-", "--json", stdin="a\u2028b\ta\u2028b\n").json()
    assert [each["a"] for each in found] == ["a\u2028b"]


def test_an_empty_file_has_no_answers(command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").touch()
    answer = command("compare", "--pairs", tmp_path / "empty.tsv", "--json")
    assert (answer.code, answer.json()) == (0, [])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["one text"], "two texts are compared, not 1"),
        (["a", "b", "c"], "two texts are compared, not 3"),
        (["a", "b", "--pairs", "-"], "give A and B, or --pairs FILE"),
        ([], "two texts are compared, not 0"),
    ],
)
def test_a_wrong_command_line_is_a_usage_error_in_one_line(command: Command, words: list[str], says: str) -> None:
    answer = command("compare", *words)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert says in answer.err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"a\tb\nno tab here\n", ":2 holds no tab"),
        (b"a\tb\tc\n", ":1 holds 2 tabs"),
        (b"a\tb\n\nc\td\n", ":2 holds no tab"),
        (b"a\t\xff\n", ":1 is not UTF-8"),
    ],
)
def test_a_line_that_is_no_pair_is_named(command: Command, tmp_path: Path, line: bytes, says: str) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes(line)
    answer = command("compare", "--pairs", file, "--json")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert f"pairs.tsv{says}" in answer.err


def test_a_file_that_cannot_be_read_fails_in_one_line(command: Command, tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.tsv", tmp_path):
        answer = command("compare", "--pairs", path)
        assert (answer.code, answer.out, answer.err.count("\n")) == (1, "", 1)


def test_a_file_too_large_is_refused(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dreamreview.cli.compare.MOST", 3)
    (tmp_path / "large.tsv").write_text("ab\tc\n")
    answer = command("compare", "--pairs", tmp_path / "large.tsv")
    assert (answer.code, answer.out) == (1, "")
    assert "holds more than" in answer.err


def test_a_text_too_long_for_a_statement_is_compared_as_a_whole(command: Command) -> None:
    long = "the mill turns " * 400
    assert command("compare", long, long, "--json").json()[0]["relation"] == "duplicate"
    (found,) = command("compare", long, long + "no", "--json").json()
    assert (found["relation"], found["reason"]) == ("distinct", "too long for one statement (at most 4,000 characters)")


def test_what_a_terminal_would_obey_and_secrets_are_not_drawn(command: Command) -> None:
    token = "ghp_" + "a1B2" * 9
    pair = f"\x1b[31mkey {token}\tkey {token}\n"
    drawn = command("compare", "--pairs", "-", stdin=pair).out
    assert "\x1b" not in drawn
    assert token not in drawn
    assert token not in command("compare", "--pairs", "-", "--json", stdin=pair).out
