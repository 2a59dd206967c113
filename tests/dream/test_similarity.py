from __future__ import annotations

import os
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.candidates import NEIGHBOURS, candidates
from dreamreview.dream.similarity import (
    Sort,
    Weights,
    content,
    overlap_share,
    scan,
    stem,
    weights_of,
)

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
EVEN = Weights({})


def _bag(text: str) -> frozenset[str]:
    return frozenset(content(scan(text)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("releases", "released"),
        ("running", "ran"),
        ("sent", "sends"),
        ("copies", "copy"),
        ("kids", "children"),
        ("moved", "moving"),
        ("agreed", "agrees"),
        ("led", "leads"),
        ("sown", "sowing"),
        ("labelled", "labels"),
        ("cancelling", "cancel"),
        ("коммитом", "коммита"),
        ("테스트를", "테스트는"),
    ],
)
def test_forms_of_one_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_different_words_keep_different_stems() -> None:
    assert len({stem(word) for word in ("release", "relation", "staging", "stage", "post", "postgres")}) == 6


def test_literals_are_kept_whole() -> None:
    tokens = scan("See `make lint`, https://x.invalid/a, docs/ports.md, #312, v2.3.1 and 2026-01-02 at 11:00.")
    sorts = [token.sort for token in tokens if token.sort not in (Sort.WORD, Sort.SIGN)]
    assert sorts == [Sort.CODE, Sort.URL, Sort.PATH, Sort.IDENT, Sort.VERSION, Sort.DATE, Sort.CLOCK]


def test_markup_does_not_matter() -> None:
    assert _bag("**Backups** run [nightly](jobs.md) in *Oslo*") == _bag("Backups run nightly in Oslo")


def test_unicode_forms_do_not_matter() -> None:
    assert _bag(unicodedata.normalize("NFD", "café à Genève")) == _bag("café à Genève")


def test_text_of_stop_words_has_an_empty_bag_and_is_never_alike() -> None:
    assert _bag("it is not of the") == frozenset()
    assert overlap_share(frozenset(), frozenset(), EVEN) == (0.0, 0.0)
    assert overlap_share(frozenset(), _bag("backup"), EVEN) == (0.0, 0.0)


def test_pure_chinese_text_has_tokens() -> None:
    assert _bag("备份每天运行") != frozenset()
    light, _ = overlap_share(_bag("备份每天运行"), _bag("用户住在奥斯陆"), EVEN)
    assert light == 0.0


def test_one_latin_word_shared_does_not_make_mixed_texts_alike() -> None:
    _, heavy = overlap_share(_bag("API"), _bag("API 网关负责认证和限流，部署在上海机房"), EVEN)
    assert heavy < 0.2


def test_a_word_of_every_text_weighs_less_than_one_of_two() -> None:
    bags = [frozenset((f"own{number}", "common", "pair" if number < 2 else "lone")) for number in range(300)]
    weights = weights_of(bags)
    assert weights("common") < weights("pair") < weights("own1")


def test_what_two_texts_of_a_tiny_store_share_is_not_called_common() -> None:
    weights = weights_of([frozenset(("a", "b")), frozenset(("a", "c"))])
    assert weights("a") > 0.8


def test_candidates_are_pairs_of_texts_that_share_rare_words() -> None:
    bags = [_bag("nightly dump of the ledger"), _bag("ledger dump each night"), _bag("tabs in Go files")]
    assert list(candidates(bags, weights_of(bags), 0.3)) == [(0, 1)]


def test_candidates_are_bounded_for_each_text() -> None:
    bags = [frozenset(("same", f"own{number}")) for number in range(150)]
    pairs = list(candidates(bags, EVEN, 0.1))
    assert len(pairs) <= len(bags) * NEIGHBOURS
    assert pairs == sorted(set(pairs))


@settings(max_examples=max(20, int(100 * SCALE)), deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_shares_lie_between_nothing_and_all_and_do_not_depend_on_order(one: str, other: str) -> None:
    light, heavy = overlap_share(_bag(one), _bag(other), EVEN)
    assert 0.0 <= heavy <= light <= 1.0 + 1e-9
    assert overlap_share(_bag(other), _bag(one), EVEN) == (light, heavy)


@settings(max_examples=max(20, int(200 * SCALE)), deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_cut_without_an_error(text: str) -> None:
    assert all(token.raw for token in scan(text))


def test_texts_that_are_set_aside_meet_the_others_and_not_one_another() -> None:
    bags = [frozenset("abcd"), frozenset("abce"), frozenset("abcf")]
    weights = Weights({})
    assert list(candidates(bags, weights, 0.3)) == [(0, 1), (0, 2), (1, 2)]
    assert list(candidates(bags, weights, 0.3, frozenset((0, 1)))) == [(0, 2), (1, 2)]


def test_the_ending_of_a_denial_on_its_own_is_no_word_besides() -> None:
    assert [token.key for token in scan("n't N'T")] == ["not", "not"]


def test_no_word_becomes_one_that_says_nothing() -> None:
    assert _bag("they lose") == _bag("they lost") != frozenset()
    assert stem("los") == "los"


def test_an_acronym_is_no_form_of_a_verb() -> None:
    assert _bag("The LED of the tug") == {"led", "tug"}
    assert _bag("She led the tug") == {"lead", "tug"}


def test_no_longer_says_nothing_of_length() -> None:
    assert _bag("The tug no longer rents") == _bag("The tug rents")
