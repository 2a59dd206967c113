from __future__ import annotations

import pytest

from dreamreview.dream.kinds import is_akin, is_said, is_somebody, narrower
from dreamreview.dream.similarity import stem


def stems(*words: str) -> frozenset[str]:
    return frozenset(map(stem, words))


def test_a_kind_holds_what_its_kinds_hold() -> None:
    assert stems("dog", "puppy", "sparrow") <= narrower(stem("animal"))
    assert narrower(stem("puppy")) == frozenset()


@pytest.mark.parametrize(("word", "said"), [("dog", "puppies"), ("boat", "ships"), ("grassy", "grass"), ("pair", "x")])
def test_a_thing_is_spoken_of_by_what_is_of_its_kind_by_near_words_and_by_forms(word: str, said: str) -> None:
    assert is_said(stem(word), stems(said))


@pytest.mark.parametrize(
    ("word", "said"), [("puppy", "dogs"), ("man", "woman"), ("art", "artist"), ("flute", "guitar")]
)
def test_a_thing_is_not_spoken_of_by_a_wider_kind_or_by_a_sibling(word: str, said: str) -> None:
    assert not is_said(stem(word), stems(said))


def test_two_words_are_akin_where_one_names_the_kind_of_the_other() -> None:
    assert is_akin(stem("man"), stem("person"))
    assert is_akin(stem("person"), stem("man"))
    assert not is_akin(stem("man"), stem("woman"))


def test_a_person_may_be_anybody_and_nobody_else_may() -> None:
    assert is_somebody(stem("person"), stem("sailor"))
    assert not is_somebody(stem("man"), stem("sailor"))
    assert not is_somebody(stem("animal"), stem("dog"))
