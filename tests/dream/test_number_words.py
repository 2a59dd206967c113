from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.dream.number_words import in_digits
from dreamreview.dream.relation import Kinship, compare

_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def said(number: int) -> str:
    """Spell a number from 1 to 999,999 in English."""
    if number >= 1_000:
        rest = f" {said(number % 1_000)}" if number % 1_000 else ""
        return f"{said(number // 1_000)} thousand{rest}"
    if number >= 100:
        rest = f" and {said(number % 100)}" if number % 100 else ""
        return f"{_WORDS[number // 100]} hundred{rest}"
    if number >= 20:
        rest = f"-{_WORDS[number % 10]}" if number % 10 else ""
        return _TENS[number // 10 - 2] + rest
    return _WORDS[number]


@given(st.integers(min_value=21, max_value=999_999))
def test_every_number_that_is_spelled_is_read(number: int) -> None:
    spelled = said(number)
    is_one_word = " " not in spelled and "-" not in spelled
    assert in_digits(f"It took {spelled} crates.") == f"It took {spelled if is_one_word else number} crates."


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("A fine of twenty-five euros.", "A fine of 25 euros."),
        ("Two million rows, a hundred and twenty tables.", "2000000 rows, 120 tables."),
        ("One thousand, and two thousand and one more.", "1000, and 2001 more."),
        ("Two thousand, five of them broken.", "2000, five of them broken."),
        ("One and a half hours, 2 and a half days.", "1.5 hours, 2.5 days."),
        ("It takes an hour and a half.", "It takes 1.5 hours."),
        (
            "It takes a quarter of an hour, at night three quarters of an hour.",
            "It takes 15 minutes, at night 45 minutes.",
        ),
        ("Two dozen eggs, a dozen cups.", "24 eggs, 12 cups."),
        ("Twenty per cent of it, 5 per cent of that.", "Twenty percent of it, 5 percent of that."),
        ("It rings three times an hour.", "It rings every 20 minutes."),
        ("At 40 kilometres per hour, 25 miles an hour.", "At 40 km/h, 25 mph."),
        ("Es kostet fünfundzwanzig Euro.", "Es kostet 25 Euro."),
    ],
)
def test_a_number_of_several_words_is_given_in_digits(text: str, plain: str) -> None:
    assert in_digits(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "One and two are done, three and twenty wait.",
        "Between twenty and thirty guests.",
        "It rings seven times an hour.",
        "Half of it is gone, a hundred left.",
        "We met five, ten times.",
        "A thousand, and then some; a hundred, or two.",
        "A quarter of the budget.",
    ],
)
def test_what_is_no_number_of_several_words_stays(text: str) -> None:
    assert in_digits(text) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The fine for a lost key is twenty-five euros.", "A lost key costs a fine of 25 euros."),
        ("The kiln cools for one and a half hours.", "The kiln cools for 90 minutes."),
    ],
)
def test_an_amount_is_no_contradiction_of_itself_in_digits(one: str, other: str) -> None:
    assert compare(one, other).kinship is not Kinship.CONFLICT
