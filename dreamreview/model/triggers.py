"""When a store should dream by itself: gates that say why not yet, cheapest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from dreamreview.model.state import DreamState

HOURS = 24.0
"""Hours between two dreams. The example of Spring AI's documentation, and mem0's dream skill."""

SESSIONS = 5
"""Turns or sessions between two dreams. The example of Spring AI's documentation, and mem0's dream skill."""

HOURS_LIMIT = 100_000.0
"""More hours than anybody waits for a dream."""

Trigger = Callable[[DreamState, datetime], tuple[str, ...]]
"""Given a state and now, why a store does not dream yet; nothing when it should."""


@dataclass(frozen=True, slots=True)
class Gates:
    """A trigger that fires once enough hours have passed and enough turns were made, both counted exactly."""

    hours: float = HOURS
    """More than 0, at most `HOURS_LIMIT`."""
    sessions: int = SESSIONS
    """More than 0."""

    def __post_init__(self) -> None:
        if not (0 < self.hours <= HOURS_LIMIT and self.sessions > 0):
            raise ValueError(f"hours and sessions must be more than 0, not {self.hours:g} and {self.sessions}")

    def __call__(self, state: DreamState, now: datetime) -> tuple[str, ...]:
        """Return why a store does not dream yet, one reason a closed gate; a store that never dreamed has the time."""
        reasons = []
        if not self._has_time(state, now):
            reasons.append(f"time: {_hours(_elapsed(state, now))}h < {self.hours:g}h{_ahead(state, now)}")
        if state.sessions < self.sessions:
            reasons.append(f"sessions: {state.sessions} < {self.sessions}")
        return tuple(reasons)

    def missing(self, state: DreamState, now: datetime) -> tuple[str, ...]:
        """Return how far a store is on the way to its next dream, in words, one part a closed gate."""
        parts = []
        if not self._has_time(state, now):
            behind = " (the clock is behind)" if _is_ahead(state, now) else ""
            parts.append(f"{_hours(_elapsed(state, now)).removesuffix('.0')} of {self.hours:g} hours{behind}")
        if state.sessions < self.sessions:
            parts.append(f"{state.sessions} of {self.sessions} session{'s' if self.sessions > 1 else ''}")
        return tuple(parts)

    def due(self, state: DreamState, now: datetime) -> datetime:
        """Return from when on the time is met, which is now when it is; the sessions are not looked at."""
        if state.last_dream_at is None or self._has_time(state, now):
            return now
        return state.last_dream_at + timedelta(hours=self.hours)

    def _has_time(self, state: DreamState, now: datetime) -> bool:
        return state.last_dream_at is None or _elapsed(state, now) >= timedelta(hours=self.hours)


def manual(_state: DreamState, _now: datetime) -> tuple[str, ...]:
    """Never fire: such a store dreams only when it is asked to. Spring AI's default."""
    return ("manual: dreams only when asked",)


def _elapsed(state: DreamState, now: datetime) -> timedelta:
    # A clock that was wrong when the last dream ended must not keep a store awake for ever: the distance counts.
    return abs(now - state.last_dream_at) if state.last_dream_at is not None else timedelta.max


def _ahead(state: DreamState, now: datetime) -> str:
    return " (the last dream lies ahead of the clock)" if _is_ahead(state, now) else ""


def _is_ahead(state: DreamState, now: datetime) -> bool:
    return state.last_dream_at is not None and state.last_dream_at > now


def _hours(elapsed: timedelta) -> str:
    """Return hours with one digit, rounded down so that a closed gate never looks open."""
    return f"{elapsed // timedelta(minutes=6) / 10:.1f}"
