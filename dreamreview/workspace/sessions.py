"""The session in which a note was written, as its frontmatter names it, read and never written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.model.markdown import parse
from dreamreview.workspace.beside import session_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from dreamreview.model.edits import Text
    from dreamreview.model.proposal import Change
    from dreamreview.settings import Settings

KEYS = ("originSessionId", "metadata.originSessionId")
"""Where Claude Code names the session in a note's frontmatter."""
MOST_TURNS = 5_000
"""Turns of a session that are shown."""

_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{7,63}")


@dataclass(frozen=True, slots=True)
class Spoken:
    """What was said at one point of a session."""

    who: str
    """``user``, ``assistant``, or empty where that is not said."""
    text: str
    """On one line, raw: whoever draws it masks."""
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Session:
    """A session that a note comes from."""

    name: str
    notes: tuple[str, ...]
    """Paths of the notes that name it."""
    path: str | None
    """Where it lies; None where it is not on this machine."""
    turns: tuple[Spoken, ...] = ()
    more: int = 0
    """Turns beyond those."""


def sessions_behind(store: str, settings: Settings, change: Change, text_of: Callable[[str], Text]) -> list[Session]:
    """Return the sessions that the notes of a change come from, and those that it cites itself.

    They come in the order in which the change names the notes; of those that it cites, the notes are what it edits.

    Args:
        store: the memory folder, absolute.
        settings: where sessions lie.
        change: whose evidence and edits name notes.
        text_of: what a note holds in the base.
    """
    named: dict[str, list[str]] = {}
    for path in _notes_of(change):
        name = _named_in(path, text_of(path))
        if name is not None:
            named.setdefault(name, []).append(path)
    edited = list(dict.fromkeys(edit.path for edit in change.all_edits))
    for piece in change.evidence:
        if piece.session is not None and _ID.fullmatch(piece.session):
            named.setdefault(piece.session, edited)
    return [_read(store, settings, name, notes) for name, notes in named.items()]


def _notes_of(change: Change) -> Iterable[str]:
    pieces = [*change.evidence, *(piece for option in change.options for piece in option.evidence)]
    return dict.fromkeys([*(piece.path for piece in pieces), *(edit.path for edit in change.all_edits)])


def _named_in(path: str, text: Text) -> str | None:
    found = parse(path, b"".join(text)).frontmatter
    name = found.get(*KEYS) if found is not None else None
    return name if name is not None and _ID.fullmatch(name) else None


def _read(store: str, settings: Settings, name: str, notes: Iterable[str]) -> Session:
    path = session_named(store, settings, name)
    if path is None:
        return Session(name, tuple(notes), None)
    from dreamreview.dream.claude.sessions import Sessions

    turns = [Spoken(turn.who, turn.text, turn.at) for turn in Sessions([path]).turns(name) if turn.text]
    return Session(name, tuple(notes), path, tuple(turns[:MOST_TURNS]), max(len(turns) - MOST_TURNS, 0))
