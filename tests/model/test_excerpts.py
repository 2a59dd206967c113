from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.excerpts import differing, excerpt

RELAY = "The relay on the northern mole of the harbour listens for weather pings on port 9443 and answers them."
KILN = "The kiln in the small workshop behind the old customs house is never fired on Sundays"
LONG = f"{RELAY} The crew looks after it in turns."
TEXTS = st.text(alphabet="ab 天地\n5-", max_size=120)


def test_an_excerpt_is_the_beginning_on_one_line() -> None:
    assert excerpt("one\n  two", 60) == "one two"
    assert excerpt(RELAY, 30) == "The relay on the northern mol…"


@pytest.mark.parametrize(
    ("text", "other", "shown"),
    [
        (RELAY, RELAY.replace("9443", "8443"), "…listens for weather pings on port 9443 and answers them."),
        (RELAY.replace("9443", "8443"), RELAY, "…listens for weather pings on port 8443 and answers them."),
        (LONG, LONG.replace("9443", "8443"), "…weather pings on port 9443 and answers them. The crew look…"),
        (KILN, KILN.replace("never ", ""), "…behind the old customs house is never fired on Sundays"),
        (KILN.replace("never ", ""), KILN, "…workshop behind the old customs house is fired on Sundays"),
    ],
)
def test_what_two_texts_begin_with_is_elided_where_they_differ_later(text: str, other: str, shown: str) -> None:
    assert differing(text, other, 60) == shown


def test_the_beginning_stays_where_it_shows_the_difference() -> None:
    assert differing("Ann " + RELAY, "Bo " + RELAY, 30) == "Ann The relay on the northern…"
    assert differing("Port 9443.", "Port 8443.", 60) == "Port 9443."
    assert differing(RELAY, RELAY, 30) == "The relay on the northern mol…"


def test_words_that_are_named_count_more_than_others_that_differ() -> None:
    text = "Since the move in March and all that came of it the desk of the booking service is looked after by Tom"
    other = "The desk of the booking service is looked after by Ida"
    assert differing(text, other, 40) == "…the move in March and all that came of…"
    assert differing(text, other, 40, ["Tom"]) == "…booking service is looked after by Tom"


def test_a_secret_is_masked_before_it_is_cut() -> None:
    text = f"{'The relay on the mole ' * 4}has the password: FAKE-0000-mail"
    assert "FAKE-0000" not in differing(text, "The relay on the mole has none", 60)


@given(TEXTS, TEXTS, st.integers(min_value=2, max_value=40))
def test_no_excerpt_is_wider_than_wanted(text: str, other: str, width: int) -> None:
    line = " ".join(text.split())
    shown = differing(text, other, width)
    assert len(shown) <= width
    assert shown.strip("…") in line
    assert (shown == line) == (len(line) <= width)
