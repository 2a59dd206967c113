from __future__ import annotations

from dreamreview.dream.irregular_forms import IRREGULAR
from dreamreview.dream.particles import PARTICLES
from dreamreview.dream.words import ANTONYMS, CJK_TWINS, STOP_WORDS, SYNONYMS, lines, words


def test_tables_are_read_from_plain_text() -> None:
    assert words(" a  b\n c ") == {"a", "b", "c"}
    assert lines("\n  one two\n  three\n") == ("one two", "three")


def test_every_word_of_a_line_stands_for_its_first() -> None:
    assert IRREGULAR["sent"] == "send"
    assert SYNONYMS["kid"] == SYNONYMS["child"] == "child"


def test_pairs_have_two_sides() -> None:
    assert all(len(pair) == 2 for pair in ANTONYMS | PARTICLES)


def test_denials_carry_no_topic() -> None:
    assert {"not", "never", "without"} <= STOP_WORDS


def test_a_longer_chinese_word_is_replaced_before_a_shorter_one_inside_it() -> None:
    order = list(CJK_TWINS)
    for place, word in enumerate(order):
        assert not any(word != later and word in later for later in order[place + 1 :]), word
