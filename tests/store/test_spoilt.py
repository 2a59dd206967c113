"""Parsers of what others may have written, fed with spoilt documents by the thousand: read, refused, never more."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from random import Random

import pytest

from dreamreview.errors import DreamReviewError
from dreamreview.model import manifest, state
from dreamreview.model.claims import path_problem
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Base, Proposal
from dreamreview.model.retention import parse_retention
from dreamreview.model.review import LogEntry, Op, entry_to_json, parse_log
from dreamreview.store.importing.diff_text import read_diff
from tests.model.cards import CONFLICT, MANY
from tests.workspace.test_hostile import PATCH, PROSE, RETENTION, spoilt_bytes, spoilt_json, spoilt_lines

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
ROUNDS = int(250 * SCALE)
"""Spoilt documents for each parser."""
BUDGET = 5.0
"""Seconds of processor time that no document of such a size may take: a hundred times what the worst needs."""

AT = "2026-09-01T12:00:00Z"
PROPOSAL = Proposal("20260901T120000000", AT, Base("declared", "d", AT), changes=(MANY,))
DISPUTED = Proposal("20260901T120000000", AT, Base("declared", "d", AT), changes=(CONFLICT,))
LOG = b"".join(
    json.dumps(entry_to_json(entry)).encode() + b"\n"
    for entry in (
        LogEntry(n=1, at=AT, by="person", op=Op.ACCEPT, on="c2.e1:-1,+1-3", seen="ab"),
        LogEntry(n=2, at=AT, by="person", op=Op.EDIT, on="c2.e3", text=b"\xff\n", reason="so"),
        LogEntry(n=3, at=AT, by="person", op=Op.CHOOSE, on="c3", choice="both", of=3),
        LogEntry(n=4, at=AT, by="person", op=Op.UNDO, of=2),
    )
)
STATE = (
    b'{"lastDreamAt": "2026-09-01T12:00:00Z", "turnsSinceLastDream": 3, "lastDreamStatus": "COMPLETED", "extra": [1]}'
)


def _manifest(data: bytes) -> None:
    proposal = manifest.loads(data)
    paths = [name for change in proposal.changes for edit in change.all_edits for name in (edit.path, edit.to) if name]
    assert [path for path in paths if path_problem(path)] == []
    assert manifest.loads(manifest.dumps(proposal)) == proposal


def _state(data: bytes) -> None:
    found = state.parse(data)
    assert state.serialise(state.parse(state.serialise(found))) == state.serialise(found)


def _markdown(data: bytes) -> None:
    document = parse("notes.md", data)
    assert b"".join(document.lines) == data
    assert all(1 <= note.first <= note.last <= len(document.lines) for note in document.notes if document.lines)


PARSERS: dict[str, tuple[bytes, Callable[[bytes, Random], bytes], Callable[[bytes], object]]] = {
    "manifest": (manifest.dumps(PROPOSAL), spoilt_json, _manifest),
    "manifest of a conflict": (manifest.dumps(DISPUTED), spoilt_json, _manifest),
    "log": (LOG, spoilt_lines, parse_log),
    "state": (STATE, spoilt_json, _state),
    "patch": (PATCH, spoilt_bytes, lambda data: read_diff(data, "it")),
    "markdown": (PROSE, spoilt_bytes, _markdown),
    "retention": (RETENTION, spoilt_bytes, lambda data: parse_retention(data.decode("utf-8", "replace"))),
}

REFUSING = frozenset({"manifest", "manifest of a conflict", "state"})
"""Parsers that refuse some documents; the others make of any what they can."""


@contextmanager
def within_budget() -> Iterator[None]:
    """End a parser that does not come back."""
    if sys.platform == "win32":
        yield
        return

    def over(_number: int, _frame: object) -> None:
        raise RuntimeError("over its budget")

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, BUDGET)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("kind", PARSERS)
def test_a_spoilt_document_is_read_or_refused_within_its_budget(kind: str) -> None:
    whole, spoil, read = PARSERS[kind]
    read(whole)
    rnd = Random(f"20260901 {kind}")
    done = 0
    for _ in range(ROUNDS):
        data = spoil(whole, rnd)
        with within_budget(), suppress(DreamReviewError):
            read(data)
            done += 1
    assert done in (range(1, ROUNDS) if kind in REFUSING else range(ROUNDS, ROUNDS + 1))
