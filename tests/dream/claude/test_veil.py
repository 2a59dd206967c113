"""Secrets stay at home: what is sent holds none, and what comes back puts each where it stood and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.dream.claude.veil import UnknownTokenError, Veil
from dreamreview.model.secrets import find_secrets, mask

KEY = "sk-" + "Ab3dEf6hIj9kLm2nOp5q"
TEXTS = (
    "db password: hunter2zebra9 and more",
    f"export API_KEY={KEY}",
    f"the token is '{KEY}' again",
    "curl -u joe:s3cretpass99 host",
    "see https://u:pa55w0rdX@h/x?token=abcdef1234567890",
    "Authorization: Bearer abcdef0123456789ABC",
    "密码: hunter2zebra9",
)
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----",
    *("MIIEpAIBAAKCAQEA" + "x1Yz9" * 9 for _ in range(3)),
    "-----END RSA PRIVATE KEY-----",
)


@pytest.mark.parametrize("lines", [TEXTS, ("a key", *PEM, "and on"), *((text,) for text in TEXTS)])
def test_nothing_that_is_sent_holds_a_secret(lines: tuple[str, ...]) -> None:
    sent = Veil("n0nce").lines(lines)
    assert len(sent) == len(lines)
    assert sent != lines
    whole = "\n".join(lines)
    for span in find_secrets(whole):
        for piece in whole[span.start : span.stop].split("\n"):
            assert piece not in "\n".join(sent)
    assert [mask(line) for line in sent] == list(sent)


@pytest.mark.parametrize("text", TEXTS)
def test_what_comes_back_is_what_stood_there(text: str) -> None:
    veil = Veil("n0nce")
    (sent,) = veil.lines((text,))
    assert veil.revealed(sent, veil.tokens_of(sent)) == text


def test_a_secret_has_one_token_wherever_it_stands() -> None:
    first, second = Veil("n0nce").lines(TEXTS[1:3])
    assert (first, second) == ("export API_KEY=[hidden-n0nce-1]", "the token is '[hidden-n0nce-1]' again")


def test_a_known_secret_is_hidden_where_nothing_says_that_it_is_one() -> None:
    veil = Veil("n0nce")
    veil.lines(TEXTS[:1])
    assert (
        veil.text("hunter2zebra9 is gone, hunter2zebra99 is not") == "[hidden-n0nce-1] is gone, hunter2zebra99 is not"
    )
    assert veil.for_people("[hidden-n0nce-1] and hunter2zebra9") == "*** and ***"


def test_a_token_of_another_place_is_not_turned_back() -> None:
    veil = Veil("n0nce")
    veil.lines(TEXTS)
    with pytest.raises(UnknownTokenError):
        veil.revealed("the key is [hidden-n0nce-1]", frozenset())


def test_a_token_that_stands_for_nothing_is_refused() -> None:
    with pytest.raises(UnknownTokenError):
        Veil("n0nce").revealed("the key is [hidden-other-7]", frozenset())


def test_words_that_look_like_a_token_stay_what_they_are() -> None:
    veil = Veil("n0nce")
    assert veil.revealed("[hidden-other-7]", frozenset({"[hidden-other-7]"})) == "[hidden-other-7]"


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=40), min_size=1))
def test_as_many_lines_are_sent_as_there_are(lines: list[str]) -> None:
    assert len(Veil("n0nce").lines(lines)) == len(lines)
