"""Looking for credentials takes work in proportion to a line's length, whatever stands in it; counted, not timed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

from dreamreview.model.patterns import Pattern
from dreamreview.model.secret_shapes import SHAPES, Shape
from dreamreview.model.secret_words import FORMS
from dreamreview.model.secrets import find_secrets, mask
from tests.model.regex_work import Work

SIZE = int(200 * max(1.0, float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))))
"""Characters of the shorter of two lines; the longer has twice as many."""
GROWTH = 3.2
"""Twice the line may take this much more work; what is quadratic takes four times as much."""
STEPS = 600
"""Characters looked at for one character of the line, at most."""
STEPS_OF_A_SHAPE = 20
"""The same for a shape, which is anchored; a run that is tried from each of its places takes a hundred and more."""

RUNS = ("aB3", "-", "key ", "密码", "ab://b:", "curl -u ", ";a=")
FORM_IDS = [f"{form.rule} {number}" for number, form in enumerate(FORMS)]


def steps(pattern: str, flags: int, piece: str, size: int) -> int:
    return Work(re.compile(pattern, flags), (piece * size)[:size]).find_all()


@pytest.mark.parametrize("source", ["a+b", "(?:a+)+b", "[a-z]+@", r"\w+:\w+;"])
def test_what_is_not_linear_is_seen(source: str) -> None:
    size = 5 if ")+" in source else 100
    assert steps(source, 0, "a", 2 * size) > GROWTH * steps(source, 0, "a", size)


@pytest.mark.parametrize(("source", "piece"), [("a{3}b", "a"), ("(?<!a)a{0,50}b", "a"), ("x(?:a|b)", "xa")])
def test_what_is_linear_passes(source: str, piece: str) -> None:
    assert steps(source, 0, piece, 200) <= GROWTH * steps(source, 0, piece, 100)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_the_shape_of_a_key_makes_no_more_work_than_the_line_is_long(shape: Shape) -> None:
    for piece in (*shape.needs[:1], shape.needs[0] + "a", "a", "0/"):
        size = 4 * SIZE
        assert steps(shape.pattern.source, shape.pattern.flags, piece, size) <= STEPS_OF_A_SHAPE * size, piece


@pytest.mark.parametrize("number", range(len(FORMS)), ids=FORM_IDS)
def test_the_form_of_a_line_makes_no_more_work_than_it_is_long(number: int) -> None:
    for pattern in _patterns(number):
        for piece in RUNS:
            less, more = (steps(pattern.source, pattern.flags, piece, size) for size in (SIZE, 2 * SIZE))
            assert more <= GROWTH * less, piece
            assert more <= STEPS * 2 * SIZE, piece


def _patterns(number: int) -> Iterator[Pattern]:
    form = FORMS[number]
    yield form.pattern
    if form.whole is not None:
        yield form.whole


@pytest.mark.parametrize(
    "piece", ["password=aB3dEf7h ", "token: x?key=aB3dEf7hiJ9kL&", "db://u:aB3dE5@ ", "sk-aB3dEf7hiJ9kLmN0 "]
)
def test_a_line_is_looked_at_a_few_times_however_many_secrets_it_holds(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []
    search = Pattern.finditer

    def counted(pattern: Pattern, text: str) -> Iterator[re.Match[str]]:
        tried.append(len(text))
        return search(pattern, text)

    monkeypatch.setattr(Pattern, "finditer", counted)
    work: list[int] = []
    for size in (100, 200):
        tried.clear()
        assert len(find_secrets(piece * size)) >= size
        work.append(sum(tried))
    assert work[1] <= 2.1 * work[0]


@pytest.mark.parametrize(
    "piece", ["a", "key ", "-----BEGIN PRIVATE KEY----- ", "eyJ", "a://b:c@", "password=\t", "\\n", "密码"]
)
def test_a_very_long_line_is_read_to_its_end(piece: str) -> None:
    text = piece * (60_000 // len(piece)) + " token=aB3dEf7hiJ9kLmN0 end"
    masked = mask(text)
    assert masked.endswith(" end")
    assert "aB3dEf7hiJ9kLmN0" not in masked
