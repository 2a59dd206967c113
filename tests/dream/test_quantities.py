from __future__ import annotations

import pytest

from dreamreview.dream.quantities import plain_amounts
from dreamreview.dream.relation import Kinship, compare


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("A crate weighs no more than 20 kg.", "A crate weighs at most 20 kg."),
        ("No member may borrow more than two saws.", "a member may borrow at most two saws."),
        ("Nobody keeps a saw longer than 5 days.", "anybody keeps a saw at most 5 days."),
        ("You must not ring later than nine.", "You must ring at most nine."),
        ("A van can't carry fewer than 3 crates.", "A van can carry at least 3 crates."),
        ("We won't wait longer than 10 minutes.", "We will wait at most 10 minutes."),
        ("The crate must not exceed 20 kg.", "The crate must be at most 20 kg."),
        ("The crate never exceeds 20 kg.", "The crate is at most 20 kg."),
        ("Sharpen the saws every third month.", "Sharpen the saws every 3 months."),
        ("Each other week the van is washed.", "Each 2 weeks the van is washed."),
    ],
)
def test_an_amount_said_in_several_words_has_a_plain_form(text: str, plain: str) -> None:
    assert plain_amounts(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Not a word if it takes more than 5 minutes.",
        "A van carries more than 20 crates, never a saw.",
        "It is not only more than 5 but more than 9.",
        "No crate is worth more than a smile.",
        "Every second crate is blue.",
        "The van leaves every Friday.",
    ],
)
def test_what_is_no_bound_and_no_rhythm_stays(text: str) -> None:
    assert plain_amounts(text) == text


def test_two_ways_to_set_one_bound_do_not_deny_one_another() -> None:
    one, other = "A member may borrow two saws at a time.", "No member can borrow more than two saws at once."
    assert compare(one, other).kinship is not Kinship.CONFLICT


def test_two_bounds_of_one_thing_are_at_odds_however_they_are_said() -> None:
    one, other = "No member may borrow more than two saws.", "A member may borrow at most four saws."
    assert compare(one, other).kinship is Kinship.CONFLICT


def test_what_is_done_at_two_rhythms_is_not_the_same() -> None:
    weekly = "The pump test runs weekly at 2 am on the blue barge."
    assert compare(weekly, "The nightly pump test of the blue barge runs at 2 am.").kinship is Kinship.DISTINCT
    assert compare(weekly, "The weekly pump test of the blue barge runs at 2 am.").kinship is Kinship.DUPLICATE
