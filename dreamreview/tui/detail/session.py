"""The session behind a note, as rows: who said what, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.tui.detail.rows import BLANK, Row, Words
from dreamreview.tui.inert import own, said
from dreamreview.tui.wording import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dreamreview.workspace.sessions import Session

NAMES = {"user": "Person", "assistant": "Agent", "": "Text"}
"""What the sides of a session are called."""

NOT_HERE = "It is not on this machine, or not where sessions are looked for (`transcripts` in the configuration)."


def rows_of(sessions: Sequence[Session]) -> Iterator[Row]:
    """Yield each session: the notes that name it, where it lies, and what was said in it."""
    for number, session in enumerate(sessions):
        if number:
            yield BLANK
        yield Words((own("Session  ", "kind"), said(session.name)))
        for note in session.notes:
            yield Words((own("named by ", "dim"), said(note, "path")), hang=9)
        yield Words((own("read at  ", "dim"), said(session.path, "path")) if session.path else (own(NOT_HERE, "dim"),))
        for turn in session.turns:
            day = turn.at.strftime("  %Y-%m-%d %H:%M") if turn.at else ""
            yield BLANK
            yield Words((own(NAMES.get(turn.who, NAMES[""]), "kind"), own(day, "dim")))
            yield Words((own("  "), said(turn.text, "quote")), hang=2)
        if session.more:
            yield BLANK
            yield Words((own(f"{count(session.more, 'turn')} more, not shown", "dim"),))
