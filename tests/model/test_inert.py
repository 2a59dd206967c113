from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.inert import inert, show_bytes

_DANGEROUS = {"Cc", "Cf", "Cs", "Zl", "Zp", "Co"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [bold]text[/bold] - [x] done", "plain [bold]text[/bold] - [x] done"),
        ("a\x1b[31mred", "a␛[31mred"),
        ("\x00\x07\x7f", "␀␇␡"),
        ("\x9b2J", "⟨U+009B⟩2J"),
        ("abc\u202edcba", "abc⟨U+202E⟩dcba"),
        ("a\u200bb\ufeffc", "a⟨U+200B⟩b⟨U+FEFF⟩c"),
        ("a\u2028b\u2029c", "a⟨U+2028⟩b⟨U+2029⟩c"),
        ("a\udc9bb\ud800", "a⟨x9B⟩b⟨U+D800⟩"),
        ("tag\U000e0041", "tag⟨U+E0041⟩"),
        ("hidden\U000e0100\u3164", "hidden⟨U+E0100⟩⟨U+3164⟩"),
        ("a\tb\nc\r", "a␉b␊c␍"),
        ("Grüße 東京 🎯\ufe0f é", "Grüße 東京 🎯\ufe0f é"),
    ],
)
def test_what_a_terminal_obeys_or_hides_becomes_a_mark(text: str, shown: str) -> None:
    assert inert(text) == shown


def test_line_feeds_and_tabs_stay_where_asked_for() -> None:
    assert inert("a\tb\nc", keep_newlines=True) == "a␉b\nc"
    assert inert("a\tb\nc", keep_tabs=True) == "a\tb␊c"


@given(st.text(alphabet=st.characters(), max_size=200))
def test_nothing_dangerous_is_left(text: str) -> None:
    shown = inert(text)
    assert not {unicodedata.category(char) for char in shown} & _DANGEROUS
    assert inert(shown) == shown
    shown.encode("utf-8")


@given(st.text(alphabet=st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=100))
def test_letters_marks_and_punctuation_are_left_alone(text: str) -> None:
    hidden = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x3164, 0xFFA0}
    if not any(ord(char) in hidden or 0xE0100 <= ord(char) < 0xE01F0 for char in text):
        assert inert(text) == text


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (b"a\n", "a"),
        (b"a\r\n", "a"),
        (b"a\r", "a␍"),
        (b"a\tb", "a␉b"),
        (b"caf\xe9\n", "caf\ufffd"),
        (b"", ""),
    ],
)
def test_a_line_is_shown_without_its_end(line: bytes, shown: str) -> None:
    assert show_bytes(line) == shown


def test_a_line_keeps_its_tabs_where_asked_for() -> None:
    assert show_bytes(b"a\tb\x1b\n", keep_tabs=True) == "a\tb␛"
