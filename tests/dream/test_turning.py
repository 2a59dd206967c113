from __future__ import annotations

import pytest

from dreamreview.dream.relation import Kinship, compare
from dreamreview.dream.slots import read
from dreamreview.dream.turning import belongings, edited, swapped, traded, turned_state


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The hare runs away from the mill", "The hare runs towards the mill"),
        ("Some clerks wait while some other clerks eat", "Some clerks wait while every other clerk eats"),
        ("A cart stands behind a barn, in front of a tree", "A cart stands behind a barn, behind a tree"),
        ("The square is empty, with absolutely no one around", "The square is empty, with absolutely everybody around"),
        ("A few ships lie near the pier and wait for wind", "Many ships lie near the pier and wait for wind"),
    ],
)
def test_a_small_word_that_turns_a_text_round_is_seen_at_its_place(one: str, other: str) -> None:
    assert compare(one, other).kinship is not Kinship.DUPLICATE
    assert compare(other, one).kinship is not Kinship.DUPLICATE


def test_what_is_said_of_two_things_may_have_been_traded() -> None:
    one = read("The old server of the harbour feeds the new cache")
    other = read("The new server of the harbour feeds the old cache")
    assert traded(one, other) == ("cach", "server")
    assert swapped(one, other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The red door and the blue gate are locked", "The blue gate and the red door are locked"),
        ("A small boat lies at the new pier", "At the new pier lies a small boat"),
        ("The first message on the channel is lost at night", "At night the first channel message is lost"),
    ],
)
def test_another_order_trades_nothing(one: str, other: str) -> None:
    assert traded(read(one), read(other)) is None
    assert compare(one, other).kinship is Kinship.DUPLICATE


def test_a_state_is_turned_only_where_all_else_is_the_same() -> None:
    on = read("The pump is on at night")
    assert turned_state(on, read("The pump is off at night")) == ("on", "off")
    assert turned_state(on, read("The fan is off at night")) is None
    assert turned_state(on, on) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The clerk writes forty letters before noon", "Before noon the clerk reads forty letters"),
        ("All apprentices get the small key on their first day", "On their first day all masters get the small key"),
        ("Ring the warden if the sluice is open", "Unless the sluice is open, ring the warden"),
        ("Bills above 250 crowns are read by Omar", "Bills above 250 crowns are read by Omar's aunt"),
        ("All apprentices get a key on the first day", "All apprentices lose a key on the first day"),
    ],
)
def test_one_word_for_another_says_something_else_in_any_order(one: str, other: str) -> None:
    assert compare(one, other).kinship is not Kinship.DUPLICATE
    assert compare(other, one).kinship is not Kinship.DUPLICATE


def test_words_left_over_at_different_places_stand_for_nothing() -> None:
    one, other = "Flour comes from the Teller mill on Mondays", "The Teller mill delivers flour every Monday"
    assert swapped(read(one), read(other)) != ("com", "deliver")


def test_a_text_is_an_edit_of_another_where_a_word_or_two_were_changed() -> None:
    one = read("Ruth leads the choir and Jon leads the band")
    assert edited(one, read("Jon leads the choir and Ruth leads the band")) == (("ruth", "jon"), ("jon", "ruth"))
    assert edited(one, one) == ()
    assert edited(one, read("The band is led by Jon and the choir by Ruth")) == ()


def test_what_belongs_to_somebody_is_not_what_somebody_is_unless_both_say_whose_it_is() -> None:
    owned = read("Signs show the hours in the harbour's zone")
    assert belongings(owned, read("Signs show the hours of the harbour")) is None
    assert belongings(owned, read("Signs show the hours to the harbour")) == ("zon", "harbour")
