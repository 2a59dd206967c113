"""A budget says which of its bounds is reached, in words."""

from __future__ import annotations

import pytest

from dreamreview.model.budget import Budget, in_dollars


def test_without_bounds_there_is_always_room() -> None:
    assert Budget().reached(turns=10**9, tokens=10**9, seconds=1e9, cost_usd=1e9, changes=10**9) is None


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (Budget(turns=20), "20 turns"),
        (Budget(tokens=100_000), "100,000 tokens"),
        (Budget(seconds=90.5), "90.5 seconds"),
        (Budget(cost_usd=1.5), "$1.50"),
        (Budget(changes=40), "40 changes"),
    ],
)
def test_a_bound_is_reached_at_it_and_not_before(budget: Budget, told: str) -> None:
    used = {"turns": 20, "tokens": 100_000, "seconds": 90.5, "cost_usd": 1.5, "changes": 40}
    assert budget.reached(**used) == told  # type: ignore[arg-type]
    assert budget.reached(**{name: value * 0.99 for name, value in used.items()}) is None  # type: ignore[arg-type]


def test_the_first_bound_is_told_where_several_are_reached() -> None:
    assert Budget(turns=1, tokens=1).reached(turns=5, tokens=5) == "1 turn"


@pytest.mark.parametrize(
    ("amount", "told"),
    [
        (0.0, "$0.00"),
        (0.0004, "<$0.001"),
        (0.0044, "$0.004"),
        (0.03, "$0.03"),
        (0.0995, "$0.10"),
        (0.26, "$0.26"),
        (1.0, "$1.00"),
        (1_234.5, "$1,234.50"),
    ],
)
def test_small_amounts_are_told_to_a_tenth_of_a_cent(amount: float, told: str) -> None:
    assert in_dollars(amount) == told
