from __future__ import annotations

import pytest

from dreamreview.dream.opposites import excluding, is_antonym
from dreamreview.dream.similarity import stem


@pytest.mark.parametrize(
    ("one", "other"), [("red", "blue"), ("fold", "unfold"), ("shirt", "shirtless"), ("careful", "careless")]
)
def test_words_exclude_one_another_by_list_and_by_form(one: str, other: str) -> None:
    near, far = stem(one), stem(other)
    assert excluding(frozenset((near,)), frozenset((far,))) == {(near, far)}
    assert excluding(frozenset((far,)), frozenset((near,))) == {(far, near)}


@pytest.mark.parametrize(("one", "other"), [("red", "door"), ("act", "contact"), ("a", "una")])
def test_other_words_do_not(one: str, other: str) -> None:
    assert excluding(frozenset((stem(one),)), frozenset((stem(other),))) == frozenset()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("enable", "disable", True), ("open", "close", True), ("hopeful", "hopeless", True), ("red", "blue", False)],
)
def test_only_opposites_are_antonyms(one: str, other: str, expected: bool) -> None:
    assert is_antonym(stem(one), stem(other)) is expected
    assert is_antonym(stem(other), stem(one)) is expected
