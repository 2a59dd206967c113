from __future__ import annotations

import pytest

from dreamreview.dream.relation import Kinship, compare
from dreamreview.dream.slots import flips, read
from dreamreview.dream.voices import is_passive, traded_parts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The fox follows the hare", "The fox is followed by the hare"),
        ("The clerk was paid by the baker", "The baker was paid by the clerk"),
        ("Alice teaches Bob in Oslo", "Bob teaches Alice in Oslo"),
        ("In Oslo Alice is taught by Bob", "Alice teaches Bob in Oslo"),
        ("The exporter calls the importer every night", "Every night the exporter is called by the importer"),
    ],
)
def test_who_does_and_to_whom_it_is_done_may_not_trade_places(one: str, other: str) -> None:
    assert traded_parts(read(one), read(other)) is not None
    assert compare(one, other).kinship is Kinship.DISTINCT
    assert compare(other, one).kinship is Kinship.DISTINCT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice is taught by Bob in Oslo", "Bob teaches Alice in Oslo"),
        ("Every morning the nurse feeds the cat", "The cat is fed by the nurse every morning"),
        ("Secrets are never committed", "Never commit secrets"),
        ("The keys must not be sent by mail", "Never send the keys by mail"),
        ("Marta is the lead of the web team", "The web team's lead is Marta"),
        ("Cats and dogs play in the yard", "Dogs and cats play in the yard"),
        ("Behind the mill the pump is listening on port 8546", "The pump listens on port 8546 behind the mill"),
    ],
)
def test_another_voice_or_order_trades_nothing(one: str, other: str) -> None:
    assert compare(one, other).kinship is Kinship.DUPLICATE
    assert compare(other, one).kinship is Kinship.DUPLICATE


def test_a_text_is_passive_where_it_says_what_is_done() -> None:
    assert is_passive(read("The keys must never be sent"))
    assert is_passive(read("Lunch is cooked by Ada"))
    assert not is_passive(read("Ada is cooking lunch"))


def test_what_a_passive_denies_is_not_denied_of_what_it_is_done_to() -> None:
    passive = read("The letter is never opened")
    assert passive.denied == {"open"}
    assert passive.patients == {"letter"}
    assert flips(passive, read("Never open the letter")) == frozenset()
    assert read("The man is not singing").patients == frozenset()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The import job depends on the export job", "The export job depends on the import job"),
        ("Service A calls service B", "Service B calls service A"),
        ("Julia lives in Bern and works in Basel", "Julia lives in Basel and works in Bern"),
        ("The boat leaves before the storm", "The storm comes before the boat leaves"),
        ("The parser is slower than the lexer of old", "The lexer of old is slower than the parser"),
    ],
)
def test_what_stands_round_a_verb_or_a_word_of_direction_may_not_trade_sides(one: str, other: str) -> None:
    assert compare(one, other).kinship is not Kinship.DUPLICATE
    assert compare(other, one).kinship is not Kinship.DUPLICATE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Before the storm comes, the boat leaves", "The boat leaves before the storm comes"),
        ("A small boat lies at the new pier", "At the new pier lies a small boat"),
        ("Ivy covers the old wall", "The old wall is covered in ivy"),
    ],
)
def test_another_order_or_voice_trades_no_sides(one: str, other: str) -> None:
    assert compare(one, other).kinship is Kinship.DUPLICATE
    assert compare(other, one).kinship is Kinship.DUPLICATE
