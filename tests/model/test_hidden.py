from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.hidden import LONGEST_SAID, hidden_in, look_through, unseen_in
from tests.model.hiding import HIDDEN, UNSEEN, by_look_alikes

SAID = "nobody shall read this sentence"


@pytest.mark.parametrize("way", HIDDEN)
def test_what_a_note_has_no_use_for_is_found_and_told(way: str) -> None:
    (found,) = hidden_in(HIDDEN[way](SAID))
    assert SAID in (found.said, found.said[::-1])
    assert found.kind


@pytest.mark.parametrize("way", UNSEEN)
def test_what_a_page_does_not_show_is_found_and_told(way: str) -> None:
    assert [part.said for part in unseen_in(UNSEEN[way](SAID))] == [SAID]
    assert list(hidden_in(UNSEEN[way](SAID))) == []


def test_a_word_with_letters_of_another_alphabet_that_look_alike_is_told_as_it_looks() -> None:
    (found,) = hidden_in("the " + by_look_alikes("password") + " of the gate")
    assert found.said == "password"


def test_characters_without_width_amid_a_word_are_found_with_the_word() -> None:
    (found,) = hidden_in("the in\u200bstruction of the gate")
    assert (found.said, found.kind) == ("instruction", "by characters without width amid a word")


@pytest.mark.parametrize(
    "text",
    [
        "naïve café, Straße, Ελλάδα, Москва, Wi‑Fi, Ærø",
        "μs, kΩ, ΔT, τ_ave, 5 Å, x² and α-test",
        "می‌خواهم کتاب بخوانم",
        "\u05e9\u05dc\u05d5\u05dd \u202aABC\u202c",
        "👩‍👩‍👧 went to the fair, ❤️ and ☎️, 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "नमस्ते क्‍ष",
        "Schiff\u00adfahrts\u00adgesellschaft",
        "ภาษา\u200bไทย",
        "\ufeff# A note",
        "| a " + " " * 60 + "| b |",
        "a line\r\nand another\r\n",
        '<span style="color: #333">plain</span> <p style="background-color:#fff">plain text</p>',
        "<details><summary>More</summary>all of it</details>",
        '<div style="opacity: 0.8">plain text</div>',
        "\x1b[32mgreen\x1b[0m",
        "x = y  # two blanks",
    ],
)
def test_what_has_its_use_is_left_alone(text: str) -> None:
    assert list(hidden_in(text)) == []


def test_nothing_is_told_at_length() -> None:
    (found,) = hidden_in(HIDDEN["white letters"]("word " * 300))
    assert len(found.said) == LONGEST_SAID


@given(st.text(max_size=300) | st.text("<>!-\"'= \t\r\n[]():#\u200b\u202e\u202c\U000e0041ab\u043e", max_size=300))
def test_any_text_is_looked_at_without_harm(text: str) -> None:
    for part in (*hidden_in(text), *unseen_in(text)):
        assert 0 <= part.start < part.stop <= len(text)
    assert len(look_through(text)) == len(text)
