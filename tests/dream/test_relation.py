from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.relation import Kinship, compare, relate
from dreamreview.dream.similarity import Weights
from dreamreview.dream.slots import read

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The gardener waters the roses", "The roses are watered by the gardener"),
        ("A child feeds the goat", "A kid is feeding the goat"),
        ("Run the linter before every commit", "Before each commit, run the linter"),
        ("The dump is kept for 14 days", "The dump is kept for two weeks"),
        ("The ferry leaves at 14:00", "The ferry leaves at 2 pm"),
        ("A sailor is mending the net", "A person is mending the net"),
        ("Eels are fried by the cook", "The cook is frying eels"),
        ("A brown cart and a black cart stand in the yard", "A black cart and a brown cart stand in the yard"),
        ("Smoking on the pier is forbidden", "Never smoke on the pier"),
        ("每次提交前运行测试。", "提交之前必须先运行测试。"),
        ("Перед каждым коммитом запускать линтер", "Запускайте линтер перед каждым коммитом"),
    ],
)
def test_two_wordings_of_one_fact_are_duplicates(one: str, other: str) -> None:
    assert compare(one, other).kinship is Kinship.DUPLICATE
    assert compare(other, one).kinship is Kinship.DUPLICATE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The gardener waters the roses", "The gardener does not water the roses"),
        ("Nobody waters the roses", "Someone waters the roses"),
        ("Ruth prefers butter", "Ruth does not prefer butter"),
        ("The request timeout is 30 seconds", "The request timeout is 60 seconds"),
        ("The gate opens at 08:00", "The gate opens at 09:00"),
        ("The weekly call is on Monday", "The weekly call is on Friday"),
        ("Indentation is done with tabs", "Indentation is done with spaces"),
        ("Marta leads the team", "Ben leads the team"),
        ("They jump onto the wall", "They jump off the wall"),
        ("The pump is on at night", "The pump is off at night"),
        ("Prefer hemp over nylon", "Prefer nylon over hemp"),
        ("Ruth likes liquorice", "Ruth hates liquorice"),
        ("The lamp in the hall is broken", "The lamp in the hall is intact"),
        ("The tap is enabled for guests", "The tap is disabled for guests"),
        ("Open the sluice without asking", "Never open the sluice without asking"),
        ("The choir used to rehearse in the barn", "The choir rehearses in the barn"),
        ("We no longer use hemp for the bow line", "We use hemp for the bow line"),
        ("Tie it with hemp instead of nylon", "Tie it with nylon"),
        ("回答要用中文。", "回答不要用中文。"),
    ],
)
def test_texts_that_cannot_both_hold_are_conflicts(one: str, other: str) -> None:
    assert compare(one, other).kinship is Kinship.CONFLICT
    assert compare(other, one).kinship is Kinship.CONFLICT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Merged PR #260 after review", "Merged PR #480 after review"),
        ("The chief gardener is Alice Brown", "The chief cook is Sarah Green"),
        ("The fox follows the hare", "The hare follows the fox"),
        ("A man in a red coat is waving", "A man in a blue coat is waving"),
        ("They walk up the lane", "They walk down the lane"),
        ("Staging has one node", "Production has one node"),
        ("A cup of tea", "A cup of coffee"),
        ("Ann is Ben's aunt", "Ben is Ann's aunt"),
        ("The left sluice is jammed", "The right sluice is jammed"),
        ("Ask before opening the sluice", "Never open the sluice without asking"),
        ("Open the sluice", "Never open the sluice without asking"),
        ("The spare key is under the mat", "The spare key is on the mat"),
        ("If the pump stops, ring Ada", "If the pump starts, ring Ada"),
        ("The clerk may export the ledger as a table", "The clerk may import the ledger as a table"),
        ("Only wardens may open the sluice", "Wardens may open the sluice"),
        ("The weekly dump keeps 14 copies", "The weekly dump keeps two weeks of copies"),
        ("Hydra listens on 5432", "Kestrel listens on 3306"),
        ("用户喜欢喝咖啡。", "用户喜欢喝茶。"),
        ("用户住在奥斯陆。", "数据库每晚备份。"),
        ("the of and", "the of and it"),
        ("", ""),
    ],
)
def test_texts_about_different_things_are_distinct(one: str, other: str) -> None:
    assert compare(one, other).kinship is Kinship.DISTINCT
    assert compare(other, one).kinship is Kinship.DISTINCT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mara prefers tabs over spaces in the build files.", "Mara prefers spaces over tabs in the build files."),
        ("The relay forwards from port 80 to port 8080.", "The relay forwards from port 8080 to port 80."),
        ("Run the cleanup before the nightly backup starts.", "Run the nightly backup before the cleanup starts."),
        ("The old press is louder than the new press.", "The new press is louder than the old press."),
    ],
)
def test_things_that_changed_places_round_a_word_of_direction_make_another_statement(one: str, other: str) -> None:
    assert compare(one, other).kinship in (Kinship.DISTINCT, Kinship.CONFLICT)
    assert compare(other, one).kinship in (Kinship.DISTINCT, Kinship.CONFLICT)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The office closes on Friday and on Saturday.", "The office closes on Saturday and on Friday."),
        ("Copy the archive from Lyon to Oslo every week.", "Copy the archive to Oslo from Lyon every week."),
    ],
)
def test_things_in_another_order_without_one_are_the_same(one: str, other: str) -> None:
    assert compare(one, other).kinship is Kinship.DUPLICATE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Plan to use Redis for the session cache", "Redis is on for the session cache"),
        ("The project uses PostgreSQL", "The project migrated from PostgreSQL to MySQL"),
        ("The choir meets on Tuesday", "The choir was moved from Tuesday to Thursday"),
        ("项目使用 PostgreSQL 数据库。", "项目已从 PostgreSQL 迁移到 MySQL。"),
    ],
)
def test_a_plan_and_its_fulfilment_succeed_one_another(one: str, other: str) -> None:
    assert compare(one, other).kinship is Kinship.SUPERSEDE


def test_the_reason_names_what_differs() -> None:
    assert (
        compare("The dump is kept 30 days", "The dump is kept 60 days").reason == "30 days in one, 60 days in the other"
    )


@settings(max_examples=max(20, int(150 * SCALE)), deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_are_judged_alike_from_both_sides(one: str, other: str) -> None:
    forth, back = compare(one, other), compare(other, one)
    assert 0.0 <= forth.score <= 1.0
    assert (forth.kinship is Kinship.CONFLICT) == (back.kinship is Kinship.CONFLICT)


@settings(max_examples=max(20, int(100 * SCALE)), deadline=None)
@given(st.text(max_size=60))
def test_a_text_with_a_word_in_it_is_its_own_duplicate(text: str) -> None:
    expected = Kinship.DISTINCT if not any(char.isalnum() for char in text) else None
    found = compare(text, text).kinship
    assert found is expected if expected else found in (Kinship.DUPLICATE, Kinship.DISTINCT)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tide and crew names kept in harbour logbook entries", "Harbour board shows tide and crew names"),
        ("Rope lockers labelled by length for the night crew", "Night crew checks rope lockers at high tide"),
    ],
)
def test_items_of_lists_are_one_only_where_they_share_more_than_sentences_need(one: str, other: str) -> None:
    assert compare(one, other).kinship is Kinship.DISTINCT
    assert compare(f"{one}.", f"{other}.").kinship is Kinship.DUPLICATE
    assert compare(one, f"{one}, every day").kinship is Kinship.DUPLICATE
    assert compare(f"{one}, 40 euro", f"{other} for 40 euro").kinship is Kinship.DUPLICATE


def test_a_piece_of_code_alone_does_not_bind_two_items_of_lists() -> None:
    one, other = "Rope lockers labelled by length for `dusk`", "`dusk` crew checks rope lockers at high tide"
    assert compare(one, other).kinship is Kinship.DISTINCT
    assert compare(f"{one}.", f"{other}.").kinship is Kinship.DUPLICATE
    assert compare(f"`dawn`: {one}", f"{other}, `dawn` too").kinship is Kinship.DUPLICATE


def test_a_name_that_opens_a_sentence_is_one_where_the_other_text_names_somebody_too() -> None:
    one, other = "The head of the rope store is Piotr.", "Karin heads the rope store."
    known = frozenset(("piotr",))
    found = relate(read(one, known), read(other, known), Weights({}))
    assert found.kinship is Kinship.CONFLICT
