"""Old snapshots grow fewer: all of a day, daily for a month, weekly after."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.thinning import thinned

NOW = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)  # a Tuesday


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def kept(*moments: str, now: datetime = NOW) -> list[str]:
    return sorted(one.strftime("%Y-%m-%dT%H:%M") for one in thinned(map(at, moments), now))


def test_every_snapshot_of_the_last_day_stays() -> None:
    day = ["2026-09-14T12:00", "2026-09-14T12:01", "2026-09-15T09:30", "2026-09-15T11:59"]
    assert kept(*day) == day


def test_of_an_older_day_the_last_one_stays() -> None:
    assert kept("2026-09-12T08:00", "2026-09-12T20:00", "2026-09-13T07:00", "2026-09-15T11:00") == [
        "2026-09-12T20:00",
        "2026-09-13T07:00",
        "2026-09-15T11:00",
    ]


def test_after_a_month_the_last_one_of_each_week_from_monday_stays() -> None:
    # 3 to 9 August 2026 is a week, the 10th a Monday; 16 August is 30 days ago at noon.
    moments = ["2026-08-03T08:00", "2026-08-09T23:00", "2026-08-10T08:00", "2026-08-12T08:00", "2026-08-16T11:00"]
    assert kept(*moments, "2026-09-15T11:00") == ["2026-08-09T23:00", "2026-08-16T11:00", "2026-09-15T11:00"]


def test_the_newest_stays_however_old_it_is() -> None:
    assert kept("2020-01-01T08:00", "2020-01-01T09:00") == ["2020-01-01T09:00"]


def test_what_lies_ahead_since_the_clock_was_set_back_stays() -> None:
    assert kept("2031-01-01T08:00", "2031-01-01T09:00", "2026-09-15T11:00") == [
        "2026-09-15T11:00",
        "2031-01-01T08:00",
        "2031-01-01T09:00",
    ]


@given(st.lists(st.integers(0, 400 * 24 * 60), max_size=60))
def test_thinning_twice_is_thinning_once(minutes: list[int]) -> None:
    moments = {NOW - timedelta(minutes=one) for one in minutes}
    once = thinned(moments, NOW)
    assert thinned(once, NOW) == once
    assert once <= moments
