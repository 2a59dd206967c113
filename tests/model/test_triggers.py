"""When a store dreams by itself: the truth table of the gates, exact at their edges, safe from clocks that lie."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.state import DreamState
from dreamreview.model.triggers import Gates, manual

NOW = datetime(2026, 9, 15, 12, tzinfo=UTC)
TICK = timedelta(microseconds=1)

_INSTANTS = st.integers(0, 30 * 10**15).map(lambda n: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=n))


def _state(hours: float, sessions: int) -> DreamState:
    return DreamState(last_dream_at=NOW - timedelta(hours=hours), sessions=sessions)


@pytest.mark.parametrize(
    ("hours", "sessions", "reasons"),
    [
        (1, 10, ("time: 1.0h < 24h",)),
        (48, 2, ("sessions: 2 < 5",)),
        (48, 10, ()),
        (24, 5, ()),
        (24, 4, ("sessions: 4 < 5",)),
        (1, 4, ("time: 1.0h < 24h", "sessions: 4 < 5")),
        (23.999, 5, ("time: 23.9h < 24h",)),
        (0, 5, ("time: 0.0h < 24h",)),
    ],
)
def test_both_gates_must_be_open_and_each_closed_one_says_why(
    hours: float, sessions: int, reasons: tuple[str, ...]
) -> None:
    assert Gates()(_state(hours, sessions), NOW) == reasons


def test_the_edge_is_exact_to_the_microsecond() -> None:
    edge = DreamState(last_dream_at=NOW - timedelta(hours=24), sessions=5)
    assert Gates()(edge, NOW - TICK) == ("time: 23.9h < 24h",)
    assert Gates()(edge, NOW) == ()


def test_a_store_that_never_dreamed_has_the_time() -> None:
    assert Gates()(DreamState(sessions=4), NOW) == ("sessions: 4 < 5",)
    assert Gates()(DreamState(sessions=5), NOW) == ()


def test_a_clock_that_went_back_delays_but_never_blocks_for_ever() -> None:
    ahead = DreamState(last_dream_at=NOW + timedelta(hours=2), sessions=9)
    assert Gates()(ahead, NOW) == ("time: 2.0h < 24h (the last dream lies ahead of the clock)",)
    assert Gates()(ahead, NOW + timedelta(hours=26)) == ()
    far = DreamState(last_dream_at=NOW + timedelta(days=3_000), sessions=9)
    assert Gates()(far, NOW) == ()


@pytest.mark.parametrize(
    ("hours", "sessions"), [(0, 5), (-1, 5), (24, 0), (24, -1), (float("nan"), 5), (float("inf"), 5)]
)
def test_gates_that_cannot_be_meant_are_refused(hours: float, sessions: int) -> None:
    with pytest.raises(ValueError, match="must be more than 0"):
        Gates(hours=hours, sessions=sessions)


def test_other_minima_are_told_as_they_are() -> None:
    assert Gates(hours=0.5, sessions=1)(_state(0.25, 0), NOW) == ("time: 0.2h < 0.5h", "sessions: 0 < 1")


@pytest.mark.parametrize(
    ("state", "missing"),
    [
        (_state(0, 0), ("0 of 24 hours", "0 of 5 sessions")),
        (_state(23.999, 4), ("23.9 of 24 hours", "4 of 5 sessions")),
        (_state(48, 2), ("2 of 5 sessions",)),
        (_state(1, 9), ("1 of 24 hours",)),
        (_state(-2, 9), ("2 of 24 hours (the clock is behind)",)),
        (_state(48, 9), ()),
        (DreamState(), ("0 of 5 sessions",)),
    ],
)
def test_how_far_it_is_to_a_dream_is_told_in_words(state: DreamState, missing: tuple[str, ...]) -> None:
    assert Gates().missing(state, NOW) == missing
    assert len(missing) == len(Gates()(state, NOW))


def test_a_single_session_is_told_as_one() -> None:
    assert Gates(hours=0.5, sessions=1).missing(_state(0.25, 0), NOW) == ("0.2 of 0.5 hours", "0 of 1 session")


def test_the_time_that_is_due_is_told() -> None:
    assert Gates().due(DreamState(), NOW) == NOW
    assert Gates().due(_state(23, 0), NOW) == NOW + timedelta(hours=1)
    assert Gates().due(_state(99, 0), NOW) == NOW


@given(st.integers(0, 10**6), _INSTANTS | st.none(), _INSTANTS)
def test_a_manual_store_never_dreams_by_itself(sessions: int, last: datetime | None, now: datetime) -> None:
    assert manual(DreamState(last_dream_at=last, sessions=sessions), now) == ("manual: dreams only when asked",)


@given(
    _INSTANTS | st.none(),
    _INSTANTS,
    st.integers(0, 9),
    st.floats(0.01, 10_000),
)
def test_gates_fire_once_time_is_due_and_sessions_suffice(
    last: datetime | None, now: datetime, sessions: int, hours: float
) -> None:
    gates, state = Gates(hours=hours), DreamState(last_dream_at=last, sessions=sessions)
    is_due = gates.due(state, now) <= now
    assert (gates(state, now) == ()) == (is_due and sessions >= 5)
    assert gates(state, gates.due(state, now)) == (() if sessions >= 5 else (f"sessions: {sessions} < 5",))
