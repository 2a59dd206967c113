from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.model.occurrence import TRIES, Hunt, Sought, occurs

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))


@pytest.mark.parametrize(
    ("needle", "text"),
    [
        ("9001", "port 9001."),
        ("9001", "端口9001用于"),
        ("30", "after 30s"),
        ("Kim", "ask kim, she knows"),
        ("docs/a.md", "(docs/a.md)"),
        ("make x", "`make x`"),
        ("Ириной", "“Ириной”"),
        ("2026-03-01", "2026-03-01T10:00"),
        ("Zürich", "in Zürich"),
    ],
)
def test_a_literal_is_found_where_it_stands_alone(needle: str, text: str) -> None:
    sought = Sought(needle)
    Hunt([sought]).search("a.md", text.encode())
    assert sought.is_found


@pytest.mark.parametrize(
    ("needle", "text"),
    [
        ("9001", "19001 90010"),
        ("5", "2.5 and 5.2"),
        ("500", "1,500"),
        ("03", "2026-03-01"),
        ("Kim", "Kimono"),
        ("v1", "v12 ev1"),
        ("make x", "make  x"),
        ("Ириной", "Ирина"),
    ],
)
def test_a_literal_is_not_found_inside_something_longer(needle: str, text: str) -> None:
    sought = Sought(needle)
    Hunt([sought]).search("a.md", text.encode())
    assert not sought.is_found


def test_a_hunt_ends_when_everything_is_found() -> None:
    hunt = Hunt([Sought("a1"), Sought("б")])
    assert not hunt.is_over
    hunt.search("x.md", b"a1\n")
    assert not hunt.is_over
    hunt.search("y.md", "б\n".encode())
    assert hunt.is_over


def test_another_text_can_be_searched_in_place_of_a_file() -> None:
    plain, replaced = Sought("a1"), Sought("a1", {"x.md": b"b2\n"})
    Hunt([plain, replaced]).search("x.md", b"a1\n")
    assert (plain.is_found, replaced.is_found) == (True, False)


def test_a_literal_inside_too_many_longer_words_counts_as_there() -> None:
    assert not occurs(b"a", b"ab " * 5)
    assert occurs(b"a", b"ab " * TRIES)


@settings(max_examples=int(200 * SCALE), deadline=None)
@given(
    st.lists(st.sampled_from(["a1", "b2", "10", "1", "é", "x-y", "2.5"]), max_size=6),
    st.sampled_from(["a1", "1", "é", "x-y", "2.5"]),
)
def test_a_word_among_words_is_found_exactly_if_it_is_there(words: list[str], needle: str) -> None:
    sought = Sought(needle)
    Hunt([sought]).search("a.md", " ".join(words).encode())
    assert sought.is_found == (needle in words)
