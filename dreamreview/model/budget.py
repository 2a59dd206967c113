"""How much a dream may use up, and which of its bounds is reached."""

from __future__ import annotations

from dataclasses import dataclass


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
            return f"{self.turns:,} turns"
        if self.tokens is not None and tokens >= self.tokens:
            return f"{self.tokens:,} tokens"
        if self.seconds is not None and seconds >= self.seconds:
            return f"{self.seconds:,.10g} seconds"
        if self.cost_usd is not None and cost_usd >= self.cost_usd:
            return f"${self.cost_usd:,.2f}"
        if self.changes is not None and changes >= self.changes:
            return f"{self.changes:,} changes"
        return None
