from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.model.retention import DEFAULT_DAYS, Retention, parse_retention


def _read(*lines: str) -> Retention:
    return parse_retention("\n".join(["# mem0", "", "## Retention", *lines, ""]))


def test_days_and_forever_are_read() -> None:
    read = _read("session_state: 30d", "project: forever", "compact_summary: 7D", "user: FOREVER")
    assert read.days == {"session_state": 30, "project": None, "compact_summary": 7, "user": None}
    assert read.warnings == ()


def test_bullets_blanks_and_windows_line_ends_are_accepted() -> None:
    read = parse_retention("## retention\r\n- session_state : 9d\r\n* `project`: 40d # a while\r\n")
    assert read.days == {"session_state": 9, "project": 40}
    assert read.warnings == ()


@pytest.mark.parametrize("text", ["", "# mem0\n", "## Search\nsession_state: 3d\n", "## RetentionFoo\nuser: 3d\n"])
def test_without_a_section_the_default_holds(text: str) -> None:
    assert parse_retention(text).or_default() == DEFAULT_DAYS


def test_an_empty_section_leaves_the_default() -> None:
    assert _read("", "# nothing yet", "## Search", "user: 1d").or_default() == DEFAULT_DAYS


@pytest.mark.parametrize("value", ["90 d", "-5d", "2w", "never", "none", "ninety", "", "3.5d"])
def test_a_bad_value_is_named_by_line_and_keeps_the_type(value: str) -> None:
    read = _read("", f"session_state: {value}")
    assert read.or_default() == {"session_state": None}
    assert [warning.line for warning in read.warnings] == [5]
    assert "kept for ever" in read.warnings[0].message


def test_zero_days_are_refused() -> None:
    read = _read("session_state: 0d")
    assert read.days == {"session_state": None}
    assert "0 days would prune every “session_state”" in read.warnings[0].message


def test_a_section_of_typos_alone_never_becomes_the_default() -> None:
    read = _read("sesion state 30 days", "issue #12: 3d")
    assert read.or_default() == {}
    assert [warning.line for warning in read.warnings] == [4, 5]


def test_fenced_text_and_comments_are_left_out() -> None:
    read = _read("```", "session_state: 1d", "## Retention", "```", "<!-- user: 2d -->", "# project: 3d", "user: 4d")
    assert read.days == {"user": 4}
    assert read.warnings == ()


def test_an_unknown_type_is_taken_with_a_warning() -> None:
    read = _read("seson_state: 30d")
    assert read.days == {"seson_state": 30}
    assert read.warnings[0].message == "no note has the type “seson_state”"


def test_a_type_of_the_store_is_known() -> None:
    assert parse_retention("## Retention\ngotcha: 5d", known={"gotcha"}).warnings == ()


def test_the_last_of_two_lines_counts_and_is_told() -> None:
    read = _read("user: 5d", "user: 6d")
    assert read.days == {"user": 6}
    assert [warning.line for warning in read.warnings] == [5]


def test_a_second_section_is_told_and_ignored() -> None:
    read = _read("user: 5d", "## Search", "## Retention", "user: 6d")
    assert read.days == {"user": 5}
    assert [warning.line for warning in read.warnings] == [6]


@given(st.text(alphabet="##\n:-`d0 9aRetention", max_size=80))
def test_any_text_reads_and_never_prunes_at_once(text: str) -> None:
    read = parse_retention("## Retention\n" + text)
    assert all(days is None or days > 0 for days in read.days.values())
    assert all(1 <= warning.line <= text.count("\n") + 2 for warning in read.warnings)
