from __future__ import annotations

import pytest

from dreamreview.dream import cues


@pytest.mark.parametrize("phrases", [cues.CORRECTIONS, cues.PLANS, cues.OPINIONS, cues.SAFETY, cues.CJK_NEGATIONS])
def test_phrases_are_lower_case_without_blanks_around_them(phrases: tuple[str, ...]) -> None:
    assert phrases
    assert all(phrase == phrase.strip().casefold() for phrase in phrases)


def test_longer_denials_come_before_those_they_begin_with() -> None:
    marks = cues.CJK_NEGATIONS
    for place, mark in enumerate(marks):
        assert not any(later != mark and later.startswith(mark) for later in marks[place + 1 :]), mark


def test_scopes_have_no_word_in_common() -> None:
    seen: set[str] = set()
    for scope in cues.SCOPES:
        assert not scope & seen
        seen |= scope
