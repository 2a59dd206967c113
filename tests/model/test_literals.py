from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model.literals import MOST, literals_of

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))


@pytest.mark.parametrize(
    ("line", "literals"),
    [
        (
            "- Ada Quill keeps the Printer on VLAN 12 (2026-03-01).",
            ("Quill", "Printer", "VLAN", "12", "2026-03-01"),
        ),
        ("Run `make release --fast` at 14:30 on Friday.", ("make release --fast", "14:30", "Friday")),
        ("See docs/setup.md, ~/bin/x.sh and ../up/there.", ("docs/setup.md", "~/bin/x.sh", "../up/there")),
        ("Read https://wiki.example/a?b=1. Mail kit@mail.example!", ("https://wiki.example/a?b=1", "kit@mail.example")),
        ("The limit is 10MB, 30 % or $5.50, not 1,500.", ("10MB", "30 %", "$5.50", "1,500")),
        ("tag v1.2.3, commit 3f2a9c1, ticket #260, p95", ("v1.2.3", "3f2a9c1", "#260", "p95")),
        ("use snake_case and CamelCase", ("snake_case", "CamelCase")),
        ("on 12 March 2026, Mar 3rd and 2026年3月2日", ("12 March 2026", "Mar 3rd", "2026年3月2日")),
        ("端口9001用于测试", ("9001",)),
        ("встреча с Ириной в Казани", ("Ириной", "Казани")),
    ],
)
def test_literals_are_listed_in_the_order_they_stand(line: str, literals: tuple[str, ...]) -> None:
    assert literals_of([line.encode()]) == literals


@pytest.mark.parametrize(
    "line",
    [
        "",
        "plain words and nothing else",
        "The first word. Another sentence! And a third",
        "- Bullet: Value — Phrase",
        "## Heading In Title Case",
        "> Quoted",
        "1. item",
        "[ ] I do and/or do not",
        "**Why:** because",
        "e.g. this, i.e. that",
        "--- ` ` ***",
    ],
)
def test_common_words_are_no_literals(line: str) -> None:
    assert literals_of([line.encode()]) == ()


def test_a_literal_is_listed_once_whatever_its_case() -> None:
    assert literals_of([b"ask Kim on port 80\n", b"then KIM and port 80 again\n"]) == ("Kim", "80")


def test_a_list_of_literals_ends_somewhere() -> None:
    assert len(literals_of([b"n%d\n" % number for number in range(3 * MOST)])) == MOST


@settings(max_examples=int(150 * SCALE), deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=4))
def test_any_bytes_can_be_searched(lines: list[bytes]) -> None:
    assert all(any(character.isalnum() for character in literal) for literal in literals_of(lines))


@pytest.mark.parametrize(
    "piece", [b"a", b"A", b"a-", b"a.", b"a/", b"1.", b"`", b"1", b"a@", b"http://", b"jan ", b"_"]
)
def test_a_huge_line_is_searched_in_bounded_work(piece: bytes) -> None:
    assert len(literals_of([piece * (8 * 1024 * 1024 // len(piece))])) <= MOST
