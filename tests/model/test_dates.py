from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.dates import date_in_name, find_date, own_date


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2026-04-09.md", "2026-04-09"),
        ("memory/2026-04-09-studio-visit.md", "2026-04-09"),
        ("session_2026_04_09.md", "2026-04-09"),
        ("20260409T1830-standup.md", "2026-04-09"),
        ("20260409183000.md", "2026-04-09"),
        ("logs/2026/04/09.md", "2026-04-09"),
        ("logs/2026-04-09/run.md", "2026-04-09"),
        ("2026-04-09-due-2026-05-01.md", "2026-04-09"),
        ("ticket_1712345678901.md", None),
        ("build-20261399.md", None),
        ("2026-02-30.md", None),
        ("project_ports.md", None),
        ("", None),
    ],
)
def test_a_file_name_tells_its_day(path: str, day: str | None) -> None:
    assert date_in_name(path) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("moved on 2026-04-09 at noon", "2026-04-09"),
        ("2026-04-09T18:30:00.123Z", "2026-04-09"),
        ("since 2026/4/9", "2026-04-09"),
        ("am 9. April 2026 entschieden", "2026-04-09"),
        ("the 9th of April 2026", "2026-04-09"),
        ("April 9, 2026", "2026-04-09"),
        ("Apr. 9th, 2026", "2026-04-09"),
        ("09.04.2026", "2026-04-09"),
        ("2026年4月9日", "2026-04-09"),
        ("2026년 4월 9일", "2026-04-09"),
        ("4/19/2026", "2026-04-19"),
        ("19/4/2026", "2026-04-19"),
        ("4/9/2026", None),
        ("9 April", None),
        ("4/9", None),
        ("release 12.2026.04.09", None),
        ("order 20260409", None),
        ("2026-13-01", None),
        ("first 2026-04-09, then 2026-05-01", "2026-04-09"),
    ],
)
def test_only_whole_and_unambiguous_days_are_read(text: str, day: str | None) -> None:
    assert find_date(text) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-04-09: the kiln was moved", "2026-04-09"),
        ("[2026-04-09] the kiln was moved", "2026-04-09"),
        ("**2026-04-09** the kiln was moved", "2026-04-09"),
        ("the kiln stands in the cellar (2026-04-09).", "2026-04-09"),
        ("limit is 10 (corrected 2026-04-09: 25)", "2026-04-09"),
        ("as of 2026-04-09 the kiln stands in the cellar", "2026-04-09"),
        ("noted 2026-04-09, updated 2026-04-11", "2026-04-11"),
        ("the licence runs until 2026-12-01", None),
        ("hand it in by 2026-12-01 (a Tuesday)", None),
        ("2026-04-09 to 2026-04-20 the office is closed", None),
    ],
)
def test_a_note_speaks_from_its_stamp_and_not_from_a_day_it_mentions(text: str, day: str | None) -> None:
    assert own_date(text) == day


@given(st.text(alphabet="0123456789-/. 年月日aprilmay", max_size=60))
def test_whatever_is_found_is_a_day(text: str) -> None:
    for day in (find_date(text), own_date(text), date_in_name(text)):
        assert day is None or (len(day) == 10 and "01" <= day[5:7] <= "12" and "01" <= day[8:] <= "31")
