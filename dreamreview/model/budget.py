"""How much a dream may use up, and which of its bounds is reached."""

from __future__ import annotations

from dataclasses import dataclass


def in_dollars(amount: float) -> str:
    """Return an amount of US dollars as people read it: in cents, and below ten cents to a tenth of a cent."""
    if 0 < amount < 0.001:
        return "<$0.001"
    text = f"${amount:,.2f}" if amount >= 0.1 else f"${amount:.3f}"
    return text[:-1] if len(text.partition(".")[2]) == 3 and text.endswith("0") else text


@dataclass(frozen=True, slots=True)
class Budget:
    """What a dream may use up at most; None for no bound of the user's."""

    turns: int | None = None
    """Replies of a model."""
    tokens: int | None = None
    """Tokens in and out, those read from a cache included."""
    seconds: float | None = None
    cost_usd: float | None = None
    changes: int | None = None
    """Changes of one proposal."""

    def reached(
        self, *, turns: int = 0, tokens: int = 0, seconds: float = 0.0, cost_usd: float = 0.0, changes: int = 0
    ) -> str | None:
        """Return the bound that is reached in words, such as ``20 turns``; None while there is room for more."""
        if self.turns is not None and turns >= self.turns:
            return _some(self.turns, "turn")
        if self.tokens is not None and tokens >= self.tokens:
            return _some(self.tokens, "token")
        if self.seconds is not None and seconds >= self.seconds:
            return _some(self.seconds, "second")
        if self.cost_usd is not None and cost_usd >= self.cost_usd:
            return in_dollars(self.cost_usd)
        if self.changes is not None and changes >= self.changes:
            return _some(self.changes, "change")
        return None


def _some(number: float, noun: str) -> str:
    return f"{number:,.10g} {noun}{'' if number == 1 else 's'}"
