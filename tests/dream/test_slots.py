from __future__ import annotations

import pytest

from dreamreview.dream.slots import flips, names_of, other_scope, other_thing, read, turned


def test_a_denial_reaches_to_the_next_preposition() -> None:
    assert read("There is no cream in the lower layer").denied == {"cream"}
    assert "lower" in read("There is no cream in the lower layer").reach


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("We never rebase", "rebas"),
        ("It doesn't retry", "retri"),
        ("Mocks are forbidden", "mock"),
        ("The fence is gone", "fenc"),
        ("The cache was removed", "cach"),
        ("free of sugar", "sugar"),
        ("不要部署", "部署"),
    ],
)
def test_what_a_text_denies_is_known(text: str, stem: str) -> None:
    assert stem in read(text).denied


def test_a_bound_is_no_denial() -> None:
    assert read("the peak is no higher than 3 dB").denied == frozenset()


def test_a_word_denied_once_and_said_again_is_not_denied() -> None:
    reading = read("No recap of the answer; the answer comes first")
    assert "answer" not in reading.denied
    assert "answer" in reading.touched or "recap" in reading.touched


def test_denials_flip_only_what_both_speak_of() -> None:
    assert flips(read("Use paper bags"), read("No paper bags")) == {"paper", "bag"}
    assert flips(read("Use paper bags"), read("No string")) == frozenset()


@pytest.mark.parametrize(
    ("text", "is_plan", "is_correction", "is_opinion"),
    [
        ("Plan to use Redis", True, False, False),
        ("Since 2026-03-02 it is Redis", False, True, False),
        ("It no longer uses Redis", False, True, False),
        ("Redis seems fine", False, False, True),
        ("Redis is on", False, False, False),
        ("数据库改用 Redis", False, True, False),
        ("Update: it is Redis", False, True, False),
        ("Cache tab update: it shows Redis", False, False, False),
        ("（変更なし）Redis を使う", False, False, False),
        ("Redis に変更した", False, True, False),
        ("Redis を参照可能。", False, False, False),
        ("可能用 Redis", False, False, True),
    ],
)
def test_modality_is_read_from_cues(text: str, is_plan: bool, is_correction: bool, is_opinion: bool) -> None:
    reading = read(text)
    assert (reading.is_plan, reading.is_correction, reading.is_opinion) == (is_plan, is_correction, is_opinion)


def test_a_move_names_what_was_left_and_what_came() -> None:
    assert read("The choir moved from Alphahall to Betahall.").turn == (
        frozenset(("alphahall",)),
        frozenset(("betahall",)),
    )
    assert read("项目已从 Alphadb 迁移到 Betadb。").turn == (frozenset(("alphadb",)), frozenset(("betadb",)))


def test_names_are_words_that_are_never_written_small() -> None:
    names = names_of(["Ask Marta about builds", "Builds are checked by Marta", "the builds"])
    assert names == {"marta"}


def test_identifiers_and_numbered_things_tell_subjects_apart() -> None:
    assert other_thing(read("Mended in #71"), read("Mended in #72")) is not None
    assert other_thing(read("Disk TAPE-X is full"), read("Disk TAPE-Y is full")) is not None
    assert other_thing(read("Lena bakes in week 12"), read("Lena bakes in week 13")) is not None
    assert other_thing(read("slope of ramp Q"), read("slope of ramp V")) is not None
    assert other_thing(read("it needs Ruby 3"), read("it needs Ruby 4")) is None


def test_environments_tell_statements_apart() -> None:
    assert other_scope(read("Staging has 4 fans"), read("Production has 9 fans")) is not None
    assert other_scope(read("Staging has 4 fans"), read("Staging and production have 4 fans")) is None


def test_small_words_turn_a_sentence_round() -> None:
    assert turned(read("turn it on"), read("turn it off")) == ("on", "off")
    assert turned(read("turn it on"), read("turn on it")) is None


def test_how_much_a_text_says_counts_characters_by_half() -> None:
    assert read("内存管理").size == 2.0
    assert read("memory management").size == 2.0
