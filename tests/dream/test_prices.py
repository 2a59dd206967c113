"""What a dream costs by the published prices."""

from __future__ import annotations

import pytest

from dreamreview.dream.claude.engine import MODEL
from dreamreview.dream.claude.meter import Meter
from dreamreview.dream.prices import Tokens, cost_of, price_of
from dreamreview.model.budget import Budget

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("model", "dollars"),
    [
        ("claude-opus-5-5", (4.0, 5.0, 0.2, 20.0)),
        ("claude-sonnet-5-5", (2.0, 2.5, 0.1, 10.0)),
        ("claude-sonnet-4-6", (3.0, 3.75, 0.3, 15.0)),
        ("claude-haiku-4-5-20251001", (1.0, 1.25, 0.1, 5.0)),
    ],
)
def test_each_sort_of_token_has_its_price(model: str, dollars: tuple[float, ...]) -> None:
    each = (Tokens(fresh=MILLION), Tokens(cache_write=MILLION), Tokens(cache_read=MILLION), Tokens(output=MILLION))
    assert [cost_of(model, tokens) for tokens in each] == pytest.approx(dollars)


def test_a_long_prompt_costs_more_where_the_price_says_so() -> None:
    assert cost_of("claude-haiku-5-5", Tokens(cache_read=100_000, output=1_000)) == pytest.approx(0.0015)
    assert cost_of("claude-haiku-5-5", Tokens(cache_read=100_001, output=1_000)) == pytest.approx(0.00750005)


@pytest.mark.parametrize("model", ["claude-sonnet-9", "gpt", "", "claude-sonnet-5-5-turbo"])
def test_no_price_is_guessed(model: str) -> None:
    assert cost_of(model, Tokens(fresh=1)) is None


def test_the_model_that_is_asked_by_default_has_a_price() -> None:
    assert price_of(MODEL) is not None


def test_room_is_what_tokens_and_money_leave_after_the_next_reading() -> None:
    meter = Meter("claude-sonnet-5-5", Budget(tokens=50_000, cost_usd=0.10), clock=lambda: 0.0)
    assert meter.room(16_000) == 10_000
    meter.add(Tokens(fresh=10_000, output=2_000))
    assert meter.room(16_000) == 5_400
    meter.add(Tokens(cache_read=12_000, output=2_000))
    assert meter.room(16_000) == 3_260


def test_there_is_no_room_for_a_reply_of_a_few_words() -> None:
    meter = Meter("claude-sonnet-5-5", Budget(tokens=5_000), clock=lambda: 0.0)
    meter.add(Tokens(fresh=2_000, output=100))
    assert meter.room(16_000) == 0
