from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.vocabulary import Vocabulary, cut

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))


def learnt(*texts: str) -> Vocabulary:
    vocabulary = Vocabulary()
    for text in texts:
        vocabulary.learn(text, cut(text), len(text.split("\n")))
    vocabulary.settle()
    return vocabulary


@settings(max_examples=int(300 * SCALE), deadline=None)
@given(st.text(st.sampled_from("aZ9_-*.,é渡轮的\u2028\u00a0\ufb01 \t\r\n\ufdfa") | st.characters(codec="utf-8")))
def test_lines_stay_where_they_are(text: str) -> None:
    assert cut(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- the **kiosk**, at pier_4 (open)", ["the", "kiosk", "at", "pier", "4", "open"]),
        ("“Fähre” – um 9", ["Fähre", "um", "9"]),
        ("渡轮晚班", ["渡轮", "轮晚", "晚班"]),
        ("船的pier", ["船", "pier"]),
        ("数据库检查", ["库检", "检查"]),
    ],
)
def test_a_text_is_cut_into_words(text: str, words: list[str]) -> None:
    assert cut(text).split() == words


@pytest.mark.parametrize(
    ("one", "other"), [("Tickets", "ticket"), ("kids", "children"), ("the kiosk", "Kiosk"), ("gate 12", "gates 7")]
)
def test_forms_of_a_word_count_as_one(one: str, other: str) -> None:
    vocabulary = Vocabulary()
    assert vocabulary.keys(one) == vocabulary.keys(other)


def test_large_numbers_tell_texts_apart() -> None:
    assert Vocabulary().keys("port 8080") == {"port", "=8080"}


def test_words_are_counted_over_all_files_and_forms() -> None:
    vocabulary = learnt("a ferry\nferries\n", "the Ferry")
    assert (vocabulary.counts["ferri"], vocabulary.lines) == (3, 4)
    assert vocabulary.spellings(["ferri"]) == {"ferry", "ferries", "Ferry"}


def test_the_rarer_word_weighs_more_and_one_of_several_as_much_as_its_rarest() -> None:
    vocabulary = learnt("\n".join(["the ferry leaves"] * 30 + ["the ferry and the mole"]))
    assert vocabulary.weight("mol") == 1.0
    assert 0 < vocabulary.weight("ferri") < 0.5
    assert vocabulary.weight("ferry.leaves") == vocabulary.weight("leav")


def test_a_character_weighs_by_how_often_it_stands_there() -> None:
    vocabulary = learnt("渡轮\n" * 40 + "码头\n")
    assert vocabulary.weight("渡") < vocabulary.weight("码")


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["Ask Odile.\n", "- Odile bakes.\n"], {"odile"}),
        (["- Kiosk tickets.\n", "- Odile bakes.\n"], set()),
        (["The Kiosk is shut.\n", "A kiosk.\n"], set()),
        (["We met **Odile**, Marta\n"], {"odile", "marta"}),
        (["Спросите Мариам\n"], {"мариам"}),
    ],
)
def test_names_are_capitalised_inside_sentences_and_never_written_small(texts: list[str], names: set[str]) -> None:
    assert learnt(*texts).names == names
