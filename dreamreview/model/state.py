"""When a store last dreamed and how that went: the value behind ``.dream-state.json``, in Spring AI's keys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from dreamreview.errors import InvalidManifestError

OURS = "dreamreview"
"""The key under which everything of ours lies."""

COMPLETED, FAILED, SKIPPED = "completed", "failed", "skipped"
"""How a dream can end. Spring AI's words."""

_AT, _SESSIONS, _STATUS, _SUMMARY = "lastDreamAt", "sessionsSinceLastDream", "lastDreamStatus", "lastDreamSummary"
_SEEN = "sessions"
_SEEN_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class DreamState:
    """What is known of the dreams of a store; the default is a store that never dreamed."""

    last_dream_at: datetime | None = None
    """When a dream last completed, in UTC."""
    sessions: int = 0
    """Turns, or sessions where they are told apart, since then."""
    last_status: str | None = None
    last_summary: str | None = None
    ours: Mapping[str, object] = field(default_factory=dict)
    """What only we keep, by key."""
    raw: Mapping[str, object] = field(default_factory=dict)
    """The document as it was read; its unknown keys survive."""

    def ended(self, status: str, summary: str, now: datetime) -> DreamState:
        """Return the state after a dream; only one that completed moves the clock and zeroes the counter."""
        if status != COMPLETED:
            return replace(self, last_status=status, last_summary=summary)
        ours = {key: value for key, value in self.ours.items() if key != _SEEN}
        at = now.astimezone(UTC)
        return replace(self, last_dream_at=at, sessions=0, last_status=status, last_summary=summary, ours=ours)

    def after_turn(self, session: str | None = None) -> DreamState:
        """Return the state after one more turn; with the name of a session, each of them counts once a dream."""
        if session is None:
            return replace(self, sessions=self.sessions + 1)
        found = self.ours.get(_SEEN)
        seen = [name for name in found if isinstance(name, str)] if isinstance(found, list) else []
        if session in seen:
            return self
        ours = {**self.ours, _SEEN: [*seen, session][-_SEEN_LIMIT:]}
        return replace(self, sessions=self.sessions + 1, ours=ours)

    def keeping(self, key: str, value: object) -> DreamState:
        """Return the state with one thing of ours set to a value of JSON; None takes it away."""
        ours = {**self.ours, key: value}
        if value is None:
            del ours[key]
        return replace(self, ours=ours)


def parse(data: bytes) -> DreamState:
    """Read the bytes of a state file.

    Raises:
        InvalidManifestError: they are no JSON object, or one of Spring AI's keys holds what it cannot hold.

    """
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InvalidManifestError("it is not JSON") from error
    if not isinstance(raw, dict):
        raise InvalidManifestError("it is not a JSON object")
    ours = raw.get(OURS)
    if not (ours is None or isinstance(ours, dict)):
        raise InvalidManifestError(f"{OURS} is not an object")
    return DreamState(
        last_dream_at=_instant(raw.get(_AT)),
        sessions=_count(raw.get(_SESSIONS)),
        last_status=_text(raw, _STATUS),
        last_summary=_text(raw, _SUMMARY),
        ours=ours or {},
        raw=raw,
    )


def serialise(state: DreamState) -> bytes:
    """Return the bytes of a state file; unknown keys stay as they were read, and an unmoved instant to the letter."""
    document = dict(state.raw)
    if _AT not in document or _readable(document[_AT]) != state.last_dream_at:
        document[_AT] = None if state.last_dream_at is None else _written(state.last_dream_at)
    document[_SESSIONS] = state.sessions
    document[_STATUS] = state.last_status
    document[_SUMMARY] = state.last_summary
    if state.ours or OURS in document:
        document[OURS] = dict(state.ours)
    return (json.dumps(document, indent=2, ensure_ascii=True) + "\n").encode("ascii")


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _readable(value: object) -> datetime | None:
    try:
        return _instant(value)
    except InvalidManifestError:
        return None


def _instant(value: object) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidManifestError(f"{_AT} is no instant")
    try:
        at = datetime.fromisoformat(value)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidManifestError(f"{_AT} is no instant") from error


def _count(value: object) -> int:
    if value is None:
        return 0
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidManifestError(f"{_SESSIONS} is no count")
    return value


def _text(raw: Mapping[str, object], key: str) -> str | None:
    value = raw.get(key)
    if value is not None and not isinstance(value, str):
        raise InvalidManifestError(f"{key} is no text")
    return value
