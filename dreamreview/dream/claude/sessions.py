"""What was said in the sessions since the last dream: found by name only, read and never written, bounded."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from dreamreview.dream.claude.framing import cut
from dreamreview.dream.claude.working_copy import RefusedError
from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.store.rooted import Root

MOST_FILES = 200
"""Sessions that are read, newest first."""
MOST_BYTES = 16 << 20
"""Bytes above which a session is left out."""
MOST_IN_ALL = 64 << 20
"""Bytes of sessions that are read in all."""
LONGEST_TURN = 20_000
"""Characters of one turn that are kept."""
HITS = 25
"""Turns that one search answers with."""
SPAN = 60
"""Lines of a session that are read at once."""

_USER, _AGENT = "user", "assistant"
SIGNALS: Mapping[str, re.Pattern[str]] = {
    "corrections": re.compile(
        r"(?i)^\W*(?:no|nope|nah|wait|actually|stop|nein|halt|нет)\b|^\W*(?:不对|不是|错了|違う)"
        r"|\b(?:that(?:'s| is) (?:wrong|not (?:right|correct|what))|don['’]t|do not|stop \w+ing|instead|rather than"
        r"|I (?:said|meant|told you)|you should(?:n['’]t| not)?|not anymore|no longer|falsch|nicht so|stattdessen)\b"
        r"|неправильно|не так|вместо|不要|别再|而不是|じゃなく"
    ),
    "saves": re.compile(
        r"(?i)\b(?:remember (?:that|this|to|it)|keep (?:that |this )?in mind|note (?:that|this|down)|save (?:this|that)"
        r"|write (?:this|that|it) down|don['’]t forget|from now on|for (?:the )?future|always|never"
        r"|merk(?:e)? dir|ab jetzt|in Zukunft|immer|niemals)\b|запомни|впредь|всегда|记住|記住|以后|今後|覚えて"
    ),
    "decisions": re.compile(
        r"(?i)\b(?:we(?:['’]ve| have)? (?:decided|agreed|settled|chose|chosen)|decision\b"
        r"|let['’]s (?:go with|use|keep|drop)"
        r"|(?:we|I)['’]?(?:ll| will) (?:use|go with|keep)|going with|wir (?:nehmen|machen|bleiben)|entschieden"
        r"|beschlossen)|решили|договорились|决定|決定|就用"
    ),
}
"""What a turn sounds like: a correction, a wish to keep something, a decision. The signals of mem0's dream skill."""

_SPOKEN = re.compile(
    r"\s*(?:\*\*)?(?P<who>user|human|me|assistant|agent|claude|ai)(?:\*\*)?\s*[:：]\s*(?:\*\*)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What one line of a session says."""

    line: int
    """1-based, in its file."""
    who: str
    """``user``, ``assistant``, or empty where that is not said."""
    text: str
    """On one line; empty for what is no speech: tool output, bookkeeping, what was said before the last dream."""
    at: datetime | None = None


class Sessions:
    """The sessions that a dream may read; what is not among the files it was handed does not exist for it."""

    def __init__(self, files: Sequence[str], since: datetime | None = None) -> None:
        self._files = files[:MOST_FILES]
        self._since = since
        self.unread: list[str] = []
        """Names of sessions that could not be read."""

    @cached_property
    def _turns(self) -> dict[str, tuple[str, tuple[Turn, ...]]]:
        """Name of a session to its file name and turns, newest session first."""
        found: dict[str, tuple[str, tuple[Turn, ...]]] = {}
        room = MOST_IN_ALL
        for path in self._files:
            folder, leaf = os.path.split(path)
            try:
                data = Root(folder).read(leaf, min(MOST_BYTES, room))
            except (StoreError, UnsafePathError):
                self.unread.append(leaf)
                continue
            room -= len(data)
            stem = os.path.splitext(leaf)[0]
            found[leaf if stem in found else stem] = leaf, tuple(self._read(leaf, data))
        return found

    def names(self) -> tuple[str, ...]:
        """Return the sessions in which something was said, newest first."""
        return tuple(name for name, (_, turns) in self._turns.items() if any(turn.text for turn in turns))

    def texts(self, name: str) -> tuple[tuple[str, ...], str]:
        """Return the text of each line of a session, and its file name.

        Raises:
            RefusedError: there is no such session.
        """
        leaf, turns = self._one(name)
        return tuple(turn.text for turn in turns), leaf

    def turns(self, name: str) -> tuple[Turn, ...]:
        """Return what each line of a session says; nothing for one that could not be read."""
        _, turns = self._turns.get(name, ("", ()))
        return turns

    def date(self, name: str, line: int) -> str | None:
        """Return the day on which a line of a session was said, where that is known."""
        _, turns = self._one(name)
        at = turns[line - 1].at if line <= len(turns) else None
        return at.date().isoformat() if at else None

    def search(
        self, query: str, signal: str, shown: Callable[[str], str] = lambda text: text
    ) -> list[tuple[str, Turn]]:
        """Return turns that hold every word of a query and sound like a signal (``any`` for all), newest session first.

        Args:
            query: words.
            signal: one of `SIGNALS`, or ``any``.
            shown: turns a text into what may be known of it, so that nothing else can be found out by asking.

        Raises:
            RefusedError: there is no such signal.
        """
        if signal != "any" and signal not in SIGNALS:
            raise RefusedError(f"signal is one of any, {', '.join(SIGNALS)}")
        words = query.casefold().split()
        found: list[tuple[str, Turn]] = []
        for name, (_, turns) in self._turns.items():
            for turn in turns:
                is_heard = signal == "any" or (turn.who != _AGENT and SIGNALS[signal].search(turn.text))
                if turn.text and is_heard and _holds(turn.text, words) and _holds(shown(turn.text), words):
                    found.append((name, turn))
                    if len(found) >= HITS:
                        return found
        return found

    def read(self, name: str, first: int, last: int) -> list[Turn]:
        """Return the turns on some lines of a session, at most `SPAN` lines on.

        Raises:
            RefusedError: there is no such session.
        """
        _, turns = self._one(name)
        return [turn for turn in turns[max(first - 1, 0) : min(last, first + SPAN)] if turn.text]

    def _one(self, name: str) -> tuple[str, tuple[Turn, ...]]:
        found = self._turns.get(name)
        if found is None:
            raise RefusedError(f"there is no session {name[:80]!a} since the last dream")
        return found

    def _read(self, leaf: str, data: bytes) -> Iterator[Turn]:
        lines = data.decode("utf-8", "replace").split("\n")
        if lines and not lines[-1]:
            lines.pop()
        is_log = leaf.lower().endswith((".jsonl", ".ndjson"))
        for number, line in enumerate(lines, start=1):
            turn = _logged(number, line) if is_log else _written(number, line)
            is_old = self._since is not None and turn.at is not None and turn.at < self._since
            yield Turn(number, "", "") if is_old else turn


def _holds(text: str, words: Sequence[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)


def _written(number: int, line: str) -> Turn:
    """Read a line of a plain transcript."""
    spoken = _SPOKEN.match(line)
    who = "" if spoken is None else _USER if spoken["who"].lower() in {"user", "human", "me"} else _AGENT
    return Turn(number, who, _one_line(line[spoken.end() :] if spoken else line))


def _logged(number: int, line: str) -> Turn:
    """Read a record of Claude Code's log: what a person or the agent said, and nothing that a tool printed."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return Turn(number, "", "")
    if not isinstance(record, dict) or record.get("isMeta") or record.get("isSidechain"):
        return Turn(number, "", "")
    message = record.get("message")
    who = record.get("type")
    if who not in {_USER, _AGENT} or not isinstance(message, dict):
        return Turn(number, "", "")
    return Turn(number, str(who), _one_line(_said(message.get("content"))), _instant(record.get("timestamp")))


def _said(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    pieces = (piece.get("text") for piece in content if isinstance(piece, dict) and piece.get("type") == "text")
    return " ".join(piece for piece in pieces if isinstance(piece, str))


def _one_line(text: str) -> str:
    return " ".join(cut(text, LONGEST_TURN).encode("utf-8", "replace").decode("utf-8").split())


def _instant(given: object) -> datetime | None:
    if not isinstance(given, str):
        return None
    try:
        at = datetime.fromisoformat(given)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)
