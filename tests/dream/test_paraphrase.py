from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.kin_words import kin, rows
from dreamreview.dream.paraphrase import closeness, example, nearest, restates
from dreamreview.dream.similarity import Weights
from dreamreview.dream.slots import read

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
EVEN = Weights({})
WORDS = st.frozensets(st.sampled_from(("answer", "reply", "dump", "backup", "kept", "stored", "boat", "pier")))


def _restates(one: str, other: str) -> bool:
    return restates(read(one), read(other), EVEN) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "The harbour log is backed up every night and kept for ninety days.",
            "A copy of the harbour log is saved each night; it stays for 90 days.",
        ),
        (
            "Rope lockers are labelled with the coiling date and the initials of whoever coiled.",
            "On each rope locker write your initials and the date on which it was coiled.",
        ),
        (
            "Never show a member the error code.",
            "Members must not see error codes.",
        ),
        (
            "Always run the spell check before a notice is published.",
            "Before publishing a notice, have its spelling checked; run it every time.",
        ),
        (
            "Die Leinen werden vor jeder Ausfahrt geprüft.",
            "Vor jeder Ausfahrt ist eine Prüfung der Leinen nötig.",
        ),
        (
            "Детям до семи лет билет на паром не нужен.",
            "На паром дети младше семи лет едут без билета.",
        ),
        (
            "提交之前先运行拼写检查，公共队列很慢。",
            "推送前要执行拼写检查，共享队列太慢。",
        ),
        (
            "Boat tickets look like `B-0417-N`: class letter, number, pier letter.",
            "A boat ticket has the form `B-<number>-<pier>`, class letter first, pier letter last.",
        ),
    ],
)
def test_the_same_in_near_words_is_one_statement(one: str, other: str) -> None:
    assert _restates(one, other)
    assert _restates(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The log is kept for ninety days at the pier.", "The log is kept for thirty days at the pier."),
        ("Show members the error code and a hint.", "Never show members the error code, give a hint."),
        ("Rosa answers for the pier and the keys.", "Piet answers for the pier and the keys."),
        ("Ship the red crates by the morning boat.", "Ship the blue crates by the morning boat."),
        ("On staging the log is kept for a week.", "On production the log is kept for a week."),
        ("We plan to keep the log in the new archive.", "The log is kept in the new archive."),
        ("Ticket 41: the lamp fails at night.", "Ticket 47: the lamp fails at night."),
        ("The log goes to `pier-a` every night.", "The log goes to `pier-b` every night."),
        ("Die Lampe wird nachts gelöscht.", "Die Lampe wird nachts nie gelöscht."),
        ("发布前必须通知客户。", "发布前不要通知客户。"),
        ("Read the tide → write the log → ring", "Write the log → read the tide → ring"),
        (
            "Fewer than five calls a week to the pier office.",
            "Calls to the pier office a week: 31 in spring, 12 in May.",
        ),
        ("", ""),
    ],
)
def test_what_differs_in_a_slot_is_never_one(one: str, other: str) -> None:
    assert not _restates(one, other)
    assert not _restates(other, one)


def test_vectors_lower_the_bar_and_move_no_slot() -> None:
    one, other = read("The oven takes forty minutes to heat."), read("Load the oven after forty minutes, never sooner.")
    assert restates(one, other, EVEN) is None
    assert restates(one, other, EVEN, nearness=1.0) is not None
    assert restates(one, read("Load the oven after fifty minutes, never sooner."), EVEN, nearness=1.0) is None


def test_a_piece_of_code_is_known_by_its_pattern() -> None:
    one, other = read("Crates look like `K-0417-N`"), read("The form is `K-<number>-<pier>`")
    assert example(one, other) == ("k-0417-n", "k-<number>-<pier>")
    assert example(one, read("The form is `Q-<number>-<pier>`")) is None


def test_of_summaries_only_those_that_are_nearest_to_one_another_are_a_pair() -> None:
    summaries = [
        read("Small notices. One matter per notice. Keep tide and wind apart, each matter in a notice of its own."),
        read(
            "Split notices, keep them brief. Tide and wind each get a notice; separate matters go in different notices."
        ),
        read("Lamp oil. The lamp on the mole burns oil from the blue can."),
    ]
    assert [(first, second) for first, second, _ in nearest(summaries)] == [(0, 1)]


@given(WORDS, WORDS)
@settings(max_examples=int(200 * SCALE))
def test_closeness_is_a_share_and_whole_for_the_same_words(one: frozenset[str], other: frozenset[str]) -> None:
    found = closeness(one, other, EVEN)
    assert 0.0 <= found.heavy <= found.light <= 1.0 + 1e-9
    assert closeness(one, one, EVEN).light == (1.0 if one else 0.0)


@given(st.text(max_size=12), st.text(max_size=12))
@settings(max_examples=int(300 * SCALE))
def test_nearness_of_words_knows_no_order(one: str, other: str) -> None:
    assert kin(one, other) == kin(other, one)
    assert 0.0 <= kin(one, other) < 1.0


def test_words_of_one_row_share_a_mark() -> None:
    assert rows(frozenset(("refund",))) & rows(frozenset(("repai",)))
    assert rows(frozenset(("harbour",))) == frozenset()
