"""What a dream has used so far, and how much of its budget is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.dream.claude.prices import Tokens, cost_of, price_of
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
    _last: Tokens = field(default_factory=Tokens)
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
        self._last = tokens
        self.turns += 1

    def room(self, wanted: int) -> int:
        """Return how many tokens the next reply may have, `wanted` at most; 0 where the budget has no room for one.

        What will be read is about what was read and written last; money for it counts as if nothing were cached anew.
        """
        prompt = self._last.total
        if self.budget.tokens is not None:
            wanted = min(wanted, self.budget.tokens - self.spent.total - prompt)
        price = price_of(self.model)
        if self.budget.cost_usd is not None and price is not None:
            reading = cost_of(self.model, Tokens(cache_read=self._last.prompt, cache_write=self._last.output)) or 0.0
            per_token = (price.long.output if price.long and prompt > (price.long_from or 0) else price.output) / 1e6
            wanted = min(wanted, int((self.budget.cost_usd - self._cost - reading) / per_token))
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
