"""What a dream has used so far, and how much of its budget is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.dream.prices import Tokens, cost_of, price_of
from dreamreview.model.proposal import Usage

if TYPE_CHECKING:
    from dreamreview.model.budget import Budget

SMALLEST = 1_024
"""Tokens of a reply below which it is not worth asking for one."""


@dataclass(slots=True)
class Meter:
    """Counts tokens, money, time and turns."""

    model: str
    budget: Budget
    clock: Callable[[], float] = time.monotonic
    spent: Tokens = field(default_factory=Tokens)
    turns: int = 0
    _cost: float = 0.0
    _coming: Tokens = field(default_factory=Tokens)
    """What the next request will read, at about."""
    _begun: float = field(init=False)

    def __post_init__(self) -> None:
        self._begun = self.clock()

    @property
    def cost(self) -> float | None:
        """US dollars so far; None where the price of the model is not known."""
        return self._cost if price_of(self.model) else None

    @property
    def seconds(self) -> float:
        """How long the dream has taken."""
        return self.clock() - self._begun

    def add(self, tokens: Tokens) -> None:
        """Count one reply."""
        self.spent += tokens
        self._cost += cost_of(self.model, tokens) or 0.0
        self._coming = Tokens(cache_read=tokens.prompt, cache_write=tokens.output)
        self.turns += 1

    def expect(self, prompt: int) -> None:
        """Reckon with so many tokens of a first request."""
        self._coming = Tokens(cache_write=prompt)

    def room(self, wanted: int) -> int:
        """Return how many tokens the next reply may have, `wanted` at most; 0 where the budget has no room for one.

        A request reads about what was read and written before it, from the cache as far as it was there.
        """
        coming, price = self._coming, price_of(self.model)
        if self.budget.tokens is not None:
            wanted = min(wanted, self.budget.tokens - self.spent.total - coming.total)
        if self.budget.cost_usd is not None and price is not None:
            is_long = price.long is not None and coming.total > (price.long_from or 0)
            a_token = (price.long if is_long and price.long else price).output / 1_000_000
            left = self.budget.cost_usd - self._cost - (cost_of(self.model, coming) or 0.0)
            wanted = min(wanted, int(left / a_token))
        return wanted if wanted >= SMALLEST else 0

    def reached(self, changes: int = 0) -> str | None:
        """Return the bound that is reached, in words; None where there is room."""
        return self.budget.reached(
            turns=self.turns,
            tokens=self.spent.total,
            seconds=self.seconds,
            cost_usd=self._cost,
            changes=changes,
        )

    def usage(self) -> Usage:
        """Return what the dream used, as the manifest keeps it."""
        return Usage(
            input_tokens=self.spent.fresh + self.spent.cache_write,
            output_tokens=self.spent.output,
            cache_read_tokens=self.spent.cache_read,
            cost_usd=None if self.cost is None else round(self._cost, 6),
            seconds=round(self.seconds, 3),
            turns=self.turns,
        )
