"""What a store knows of its dreams: Spring AI's keys, ours beside them, and whatever else stands there."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.errors import InvalidManifestError
from dreamreview.model.state import DreamState, parse, serialise

NOON = datetime(2026, 9, 15, 12, tzinfo=UTC)

SPRING = b"""{
  "lastDreamAt" : "2026-09-14T03:00:00.123456789Z",
  "sessionsSinceLastDream" : 4,
  "lastDreamStatus" : "completed",
  "lastDreamSummary" : "Merged two notes."
}"""

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
_INSTANTS = st.integers(0, 30 * 10**15).map(lambda n: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=n))


def test_a_state_of_spring_ai_is_read() -> None:
    state = parse(SPRING)
    assert state.last_dream_at == datetime(2026, 9, 14, 3, 0, 0, 123456, tzinfo=UTC)
    assert (state.sessions, state.last_status, state.last_summary) == (4, "completed", "Merged two notes.")


def test_what_spring_ai_wrote_stays_to_the_letter_until_a_dream_moves_it() -> None:
    counted = json.loads(serialise(parse(SPRING).after_turn()))
    assert counted == json.loads(SPRING) | {"sessionsSinceLastDream": 5}
    moved = json.loads(serialise(parse(SPRING).ended("completed", "x", NOON)))
    assert moved["lastDreamAt"] == "2026-09-15T12:00:00Z"


def test_a_store_that_never_dreamed_is_written_in_spring_ais_words() -> None:
    assert serialise(DreamState()) == (
        b'{\n  "lastDreamAt": null,\n  "sessionsSinceLastDream": 0,\n'
        b'  "lastDreamStatus": null,\n  "lastDreamSummary": null\n}\n'
    )
    assert parse(b"{}").last_dream_at is None
    assert parse(serialise(DreamState())).sessions == 0


def test_only_a_completed_dream_moves_the_clock_and_zeroes_the_counter() -> None:
    before = parse(SPRING).after_turn("s1")
    for status in ("failed", "skipped"):
        after = before.ended(status, "it broke", NOON)
        assert (after.last_dream_at, after.sessions, after.ours) == (before.last_dream_at, 5, before.ours)
        assert (after.last_status, after.last_summary) == (status, "it broke")
    done = before.ended("completed", "nothing to do", datetime(2026, 9, 15, 14, tzinfo=timezone(timedelta(hours=2))))
    assert (done.last_dream_at, done.sessions, done.last_status, done.ours) == (NOON, 0, "completed", {})


def test_a_session_counts_once_and_a_turn_each_time() -> None:
    state = DreamState()
    for session in ("a", "b", "a", "a", "b"):
        state = parse(serialise(state)).after_turn(session)
    assert state.sessions == 2
    assert state.after_turn().after_turn().sessions == 4
    assert state.ended("completed", "", NOON).after_turn("a").sessions == 1


def test_the_names_of_sessions_are_bounded() -> None:
    state = DreamState()
    for n in range(1_100):
        state = state.after_turn(str(n))
    kept = state.ours["sessions"]
    assert isinstance(kept, list)
    assert (len(kept), kept[-1], state.sessions) == (1_000, "1099", 1_100)


def test_what_only_we_keep_lies_under_our_key() -> None:
    state = DreamState().keeping("proposal", "p1").keeping("runs", 3)
    assert json.loads(serialise(state))["dreamreview"] == {"proposal": "p1", "runs": 3}
    assert dict(parse(serialise(state)).keeping("runs", None).ours) == {"proposal": "p1"}


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe{", b"[" * 100_000, b"\0" * 40, b'{"lastDreamAt": 5}',
     b'{"lastDreamAt": "yesterday"}', b'{"lastDreamAt": "0001-01-01T00:00:00+14:00"}',
     b'{"sessionsSinceLastDream": "3"}', b'{"sessionsSinceLastDream": -1}', b'{"sessionsSinceLastDream": true}',
     b'{"sessionsSinceLastDream": 1.5}', b'{"lastDreamStatus": 1}', b'{"lastDreamSummary": []}',
     b'{"dreamreview": []}', b'{"sessionsSinceLastDream": ' + b"9" * 5_000 + b"}"],
)  # fmt: skip
def test_what_makes_no_sense_is_told(data: bytes) -> None:
    with pytest.raises(InvalidManifestError):
        parse(data)


def test_a_byte_order_mark_and_an_instant_without_a_zone_are_read() -> None:
    state = parse(b'\xef\xbb\xbf{"lastDreamAt": "2026-09-15T12:00:00"}')
    assert state.last_dream_at == NOON


@given(st.dictionaries(st.text(max_size=4), _JSON, max_size=4), st.dictionaries(st.text(max_size=4), _JSON, max_size=4))
def test_unknown_keys_survive_everything(extra: dict[str, Any], ours: dict[str, Any]) -> None:
    ours.pop("sessions", None)
    data = json.dumps({**extra, "dreamreview": ours}).encode()
    state = parse(data).after_turn().ended("failed", "x", NOON).ended("completed", "y", NOON)
    document = json.loads(serialise(parse(serialise(state))))
    assert {key: document[key] for key in extra if key != "dreamreview"} == {
        key: value for key, value in extra.items() if key != "dreamreview"
    }
    assert document["dreamreview"] == ours


@given(_INSTANTS | st.none(), st.integers(0, 10**9), st.text(max_size=9) | st.none(), st.text(max_size=9) | st.none())
def test_what_is_written_is_read_back(at: datetime | None, sessions: int, status: str | None, said: str | None) -> None:
    state = DreamState(last_dream_at=at, sessions=sessions, last_status=status, last_summary=said)
    again = parse(serialise(state))
    assert (again.last_dream_at, again.sessions, again.last_status, again.last_summary) == (at, sessions, status, said)
    assert serialise(again) == serialise(state)
