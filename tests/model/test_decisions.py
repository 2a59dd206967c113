from __future__ import annotations

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.errors import InvalidManifestError, UsageError
from dreamreview.model.decisions import (
    LogEntry,
    Op,
    Target,
    UnknownEntryError,
    entry_from_json,
    entry_line,
    entry_to_json,
    parse_log,
    parse_target,
)

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
PROSE = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)

targets = st.one_of(
    st.builds(Target, st.sampled_from(["c1", "0f3a"]), st.none() | st.sampled_from(["e1", "A12"])),
    st.tuples(st.frozensets(st.integers(1, 40)), st.frozensets(st.integers(1, 40)))
    .filter(any)
    .map(lambda lines: Target("c1", "e1", *lines)),
)

entries = st.builds(
    LogEntry,
    n=st.integers(1, 10**9),
    at=st.just("2026-09-01T12:00:00Z"),
    by=PROSE,
    op=st.sampled_from(list(Op)),
    on=targets.map(str),
    choice=st.none() | st.sampled_from(["A", "both"]),
    text=st.none() | st.binary(max_size=8),
    reason=PROSE,
    seen=st.none() | st.just("0" * 64),
    of=st.none() | st.integers(1, 99),
)


@settings(max_examples=int(200 * SCALE), deadline=None)
@given(targets)
def test_a_target_comes_back_from_its_name(target: Target) -> None:
    assert parse_target(str(target)) == target


@pytest.mark.parametrize(
    ("word", "target"),
    [
        ("c1", Target("c1")),
        ("c1.e2", Target("c1", "e2")),
        ("c1.e2:-1,+1-3", Target("c1", "e2", frozenset({1}), frozenset({1, 2, 3}))),
        ("c1.e2:+7", Target("c1", "e2", frozenset(), frozenset({7}))),
    ],
)
def test_a_target_is_read_from_what_a_person_types(word: str, target: Target) -> None:
    assert parse_target(word) == target


@pytest.mark.parametrize(
    "word",
    [
        "",
        "C1",
        "c1.",
        "c1:",
        "c1:-1",
        "c1.e1:",
        "c1.e1:1",
        "c1.e1:-0",
        "c1.e1:+3-1",
        "c1.e1:+1,",
        "c1.e1:+1-9999999",
        "é",
    ],
)
def test_a_word_that_names_nothing_is_a_usage_error(word: str) -> None:
    with pytest.raises(UsageError, match=r"names no (change|lines): say"):
        parse_target(word)


def test_lines_are_named_in_runs() -> None:
    assert str(Target("c", "e1", frozenset({3, 1, 2, 5}), frozenset({9}))) == "c.e1:-1-3,-5,+9"


@settings(max_examples=int(200 * SCALE), deadline=None)
@given(st.lists(entries, max_size=5))
def test_a_log_comes_back_as_it_was_written(log: list[LogEntry]) -> None:
    data = b"".join(entry_line(entry) for entry in log)
    loaded = parse_log(data)
    assert (list(loaded.entries), loaded.read_only, loaded.warnings, loaded.length) == (log, False, (), len(data))


def test_a_log_line_has_the_keys_of_the_contract() -> None:
    entry = LogEntry(n=3, at="2026-09-01T12:00:00Z", by="app", op=Op.EDIT, on="c1.e1", text=b"\xff", seen="ab")
    assert json.loads(entry_line(entry)) == {
        "v": 1,
        "n": 3,
        "at": "2026-09-01T12:00:00Z",
        "by": "app",
        "op": "edit",
        "on": "c1.e1",
        "choice": None,
        "text_b64": "/w==",
        "reason": "",
        "seen": "ab",
        "of": None,
    }


@settings(max_examples=int(100 * SCALE), deadline=None)
@given(st.lists(entries, min_size=1, max_size=3), st.data())
def test_a_torn_last_line_is_dropped_without_a_word(log: list[LogEntry], data: st.DataObject) -> None:
    whole = b"".join(entry_line(entry) for entry in log[:-1])
    torn = entry_line(log[-1])
    cut = data.draw(st.integers(0, len(torn) - 1))
    loaded = parse_log(whole + torn[:cut])
    assert (list(loaded.entries), loaded.warnings, loaded.length) == (log[:-1], (), len(whole))


@pytest.mark.parametrize("change", [{"op": "merge"}, {"v": 2}])
def test_a_line_of_a_newer_version_makes_the_log_read_only(change: dict[str, object]) -> None:
    line = json.dumps(entry_to_json(LogEntry(n=1, at="", by="", op=Op.ACCEPT, on="c1")) | change).encode()
    loaded = parse_log(line + b"\n" + entry_line(LogEntry(n=2, at="", by="", op=Op.ACCEPT, on="c2")))
    assert [entry.on for entry in loaded.entries] == ["c2"]
    assert loaded.read_only
    assert [warning.split(":")[0] for warning in loaded.warnings] == ["line 1 of the decisions"]
    with pytest.raises(UnknownEntryError):
        entry_from_json(json.loads(line))


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"[]",
        b"{}",
        b'{"v":1,"op":"accept","n":0}',
        b"\xff",
        b"[" * 100_000,
        b'{"v":1,"op":"edit","n":1,"text_b64":"?"}',
    ],
)
def test_a_line_that_cannot_be_read_is_skipped_with_a_warning(line: bytes) -> None:
    loaded = parse_log(entry_line(LogEntry(n=1, at="", by="", op=Op.SKIP, on="c1")) + line + b"\n\n")
    assert [entry.n for entry in loaded.entries] == [1]
    assert not loaded.read_only
    assert len(loaded.warnings) == 1
    assert loaded.warnings[0].startswith("line 2 of the decisions is skipped: ")


@settings(max_examples=int(300 * SCALE), deadline=None)
@given(st.binary(max_size=60))
def test_no_bytes_stop_a_log_from_being_read(data: bytes) -> None:
    assert parse_log(data).length <= len(data)


def test_a_bad_entry_names_its_key() -> None:
    shape = entry_to_json(LogEntry(n=1, at="", by="", op=Op.ACCEPT)) | {"reason": 7}
    with pytest.raises(InvalidManifestError, match=r"^reason: expected a text$"):
        entry_from_json(shape)
