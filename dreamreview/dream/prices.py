"""What a token costs with each model, as its maker publishes it."""

from __future__ import annotations

import re
from dataclasses import dataclass

SOURCE = "https://platform.claude.com/docs/en/about-claude/pricing"
"""Where the prices stand: first-party API, standard tier, cache entries of five minutes."""
AS_OF = "2026-10-24"
"""Day on which the table was last held against its source."""

_MILLION = 1_000_000
_DATED = re.compile(r"-20\d{6}$|\[1m\]$")
"""What may follow the name of a model: the day of a snapshot, the mark of a long window."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    input: float
    output: float
    cache_write: float
    cache_read: float
    long_from: int | None = None
    """Tokens of a prompt, cached ones included, above which `long` holds for the whole request."""
    long: Price | None = None


_OPUS = Price(5.00, 25.00, 6.25, 0.50)
_SONNET_4 = Price(3.00, 15.00, 3.75, 0.30)
_PRICES = {
    "claude-fable-5-1": Price(10.00, 50.00, 12.50, 0.25),
    "claude-fable-5": Price(10.00, 50.00, 12.50, 1.00),
    "claude-opus-5-5": Price(4.00, 20.00, 5.00, 0.20),
    "claude-opus-5": _OPUS,
    "claude-opus-4-8": _OPUS,
    "claude-opus-4-7": _OPUS,
    "claude-opus-4-6": _OPUS,
    "claude-opus-4-5": _OPUS,
    "claude-sonnet-5-5": Price(2.00, 10.00, 2.50, 0.10),
    "claude-sonnet-5": Price(2.00, 10.00, 2.50, 0.20),
    "claude-sonnet-4-6": _SONNET_4,
    "claude-sonnet-4-5": _SONNET_4,
    "claude-haiku-5-5": Price(0.10, 0.50, 0.125, 0.01, 100_000, Price(0.50, 2.50, 0.625, 0.05)),
    "claude-haiku-4-5": Price(1.00, 5.00, 1.25, 0.10),
}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one request, or of several."""

    fresh: int = 0
    """Input that no cache took part in."""
    cache_write: int = 0
    cache_read: int = 0
    output: int = 0

    @property
    def prompt(self) -> int:
        """All that was read."""
        return self.fresh + self.cache_write + self.cache_read

    @property
    def total(self) -> int:
        """All that was read and written."""
        return self.prompt + self.output

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.fresh + other.fresh,
            self.cache_write + other.cache_write,
            self.cache_read + other.cache_read,
            self.output + other.output,
        )


def price_of(model: str) -> Price | None:
    """Return the price of a model, None where the table does not know it: no guess is made from a similar name."""
    return _PRICES.get(_DATED.sub("", model))


def cost_of(model: str, tokens: Tokens) -> float | None:
    """Return what one request costs in US dollars; None where the price of the model is not known."""
    price = price_of(model)
    if price is None:
        return None
    if price.long is not None and price.long_from is not None and tokens.prompt > price.long_from:
        price = price.long
    dollars = (
        tokens.fresh * price.input
        + tokens.cache_write * price.cache_write
        + tokens.cache_read * price.cache_read
        + tokens.output * price.output
    )
    return dollars / _MILLION
