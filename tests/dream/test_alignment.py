from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.dream.alignment import are_spelled_alike, is_alignable, opcodes
from dreamreview.dream.relation import Kinship, compare
from dreamreview.dream.similarity import GROWTH, normal

WORDS = st.lists(st.sampled_from(["mill", "race", "weir", "gate", "lock"]), max_size=12)


@given(WORDS, WORDS)
def test_texts_are_aligned_as_difflib_aligns_them(one: list[str], other: list[str]) -> None:
    assert is_alignable(one, other)
    assert opcodes(one, other) == SequenceMatcher(None, one, other, autojunk=False).get_opcodes()


def test_a_few_words_over_and_over_are_taken_as_a_whole() -> None:
    one, other = ["mill", "race"] * 400, ["race", "mill"] * 400
    assert not is_alignable(one, other)
    assert opcodes(one, other) == [("replace", 0, 800, 0, 800)]


def test_long_texts_of_many_words_are_aligned() -> None:
    one = [f"word{number}" for number in range(2_000)]
    assert is_alignable(one, one[::-1])


def test_words_are_spelled_alike_by_their_letters_and_only_up_to_a_length() -> None:
    assert are_spelled_alike("colour", "colours")
    assert not are_spelled_alike("mill", "race")
    assert not are_spelled_alike("a" * 900, "a" * 899)
    assert are_spelled_alike("a" * 900, "a" * 900)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("水门开" * 1300, "开门水" * 1300),
        ("dog cat " * 499, "cat dog " * 499),
        ("is read by x " * 300, "x reads is by " * 280),
    ],
    ids=["characters", "words", "voices"],
)
def test_repetitive_texts_that_differ_are_never_made_one(one: str, other: str) -> None:
    assert compare(one, other).kinship is Kinship.DISTINCT


def test_a_character_that_stands_for_a_sentence_is_not_written_out_again_and_again() -> None:
    text = "\ufdfa" * 1000
    assert len(normal(text)) <= GROWTH * len(text)
    assert normal("ﬁt") == "fit"
