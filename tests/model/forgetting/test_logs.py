"""Decisions and records without what is forgotten: every line is still there to be undone and redone."""

from __future__ import annotations

import json

from dreamreview.model.decisions import LogEntry, Op, entry_line, parse_log
from dreamreview.model.forgetting.changes import FORGOTTEN, Outcome
from dreamreview.model.forgetting.logs import redacted_log, redacted_record, redacted_rejections
from dreamreview.model.forgetting.wanted import Scope, Wanted
from dreamreview.model.records import Record, RecordedChange, RecordedTarget

SCOPE = Scope(Wanted(raw=(b"quince",)))
AT = "2026-09-15T12:00:00Z"


def entry(n: int, op: Op, on: str, **more: object) -> bytes:
    return entry_line(LogEntry(n, AT, "person", op, on, **more))  # type: ignore[arg-type]


def test_only_what_speaks_of_it_is_rewritten() -> None:
    same = entry(1, Op.ACCEPT, "aaa", seen="s1") + entry(2, Op.NOTE, "aaa", reason="about pears")
    found = redacted_log(same, SCOPE, Outcome(()))
    assert (found.data, found.void) == (same, 0)


def test_a_decision_on_what_is_withdrawn_keeps_its_number_and_loses_its_words() -> None:
    log = entry(1, Op.REJECT, "aaa", reason="so", seen="s1") + entry(2, Op.UNDO, "", of=1)
    found = redacted_log(log, SCOPE, Outcome((), withdrawn={"aaa": "f"}))
    first, second = parse_log(found.data).entries
    assert (first.n, first.op, first.reason, first.seen) == (1, Op.REJECT, "", FORGOTTEN)
    assert (second.op, second.of, found.void) == (Op.UNDO, 1, 1)


def test_a_decision_follows_its_change_to_other_line_numbers_and_another_id() -> None:
    log = entry(1, Op.ACCEPT, "aaa.e1:-1", seen="s1")
    outcome = Outcome((), ids={"aaa": "bbb"}, seen={"s1": "s2"})
    (found,) = parse_log(redacted_log(log, SCOPE, outcome).data).entries
    assert (found.on, found.seen) == ("bbb.e1:-1", "s2")
    again = redacted_log(redacted_log(log, SCOPE, outcome).data, SCOPE, outcome)
    assert parse_log(again.data).entries == (found,)


def test_a_text_of_a_person_that_holds_it_is_void() -> None:
    (found,) = parse_log(redacted_log(entry(1, Op.EDIT, "aaa", text=b"a quince\n"), SCOPE, None).data).entries
    assert (found.text, found.seen) == (None, FORGOTTEN)


def test_a_torn_line_and_one_that_is_no_json_go_if_they_hold_it() -> None:
    assert redacted_log(b'{"a quin\n{"torn', SCOPE, None).data == b'{"a quin\n{"torn'
    assert redacted_log(b'{"a quince\n{"quince', SCOPE, None).data == b"\n"


def test_rejections_lose_what_is_withdrawn_and_words_that_tell_of_it() -> None:
    rows = [{"fingerprint": name, "reason": why} for name, why in (("f1", ""), ("f2", "a quince"), ("f3", "pear"))]
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    found = redacted_rejections(data, SCOPE, {"f1"})
    assert [json.loads(line) for line in found.splitlines()] == [
        {"fingerprint": "f2", "reason": ""},
        {"fingerprint": "f3", "reason": "pear"},
    ]


def test_a_record_speaks_of_the_lines_that_are_left_and_is_rewritten_once() -> None:
    units = {"e1": (frozenset({1, 2, 3}), frozenset({2}))}
    target = RecordedTarget("n.md", "d1", 0o644, "d2", 0o644, 0)
    record = Record("a1", AT, "apply", "p", {"aaa": RecordedChange("f", units)}, targets=(target,))
    outcome = Outcome((), cut={"aaa": "f"}, units={"aaa": {"e1": (frozenset({2}), frozenset({1}))}})
    found = redacted_record(record, {"p": outcome}, {"a1/aaa"}, {"n.md"}, "f2")
    assert found.changes == {"aaa": RecordedChange("", {"e1": (frozenset({1, 2}), frozenset({1}))})}
    assert (found.targets[0].before, found.targets[0].after) == ("", "")
    assert (found.forgotten, found.forgot) == (("aaa",), ("f2",))
    assert redacted_record(found, {"p": outcome}, {"a1/aaa"}, {"n.md"}, "f2") == found
