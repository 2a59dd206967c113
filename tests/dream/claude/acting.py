"""Whole dreams with the real SDK against a server on this machine, in a line or two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import count
from typing import Any

from dreamreview.dream.arbitration import to_changes
from dreamreview.dream.claude.engine import ClaudeEngine
from dreamreview.dream.claude.service import Service
from dreamreview.dream.engine import Corpus, Dreamt, Policy, Progress, Rejection, Task
from dreamreview.model.budget import Budget
from dreamreview.model.edits import Edit, compose
from dreamreview.model.markdown import parse
from dreamreview.model.proposal import Act
from tests.api.messages import Body, Fails, MessagesServer, Says, Script, call

TODAY = date(2031, 5, 20)
KEY = "test-key-of-no-account"


def corpus_of(
    files: Mapping[str, str | bytes], *, others: tuple[str, ...] = (), context: Mapping[str, str] | None = None
) -> Corpus:
    data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    return Corpus(
        documents={path: parse(path, data[path]) for path in sorted(data)},
        files=frozenset({*data, *others}),
        today=TODAY,
        modes=dict.fromkeys(data, 0o640),
        context={name: parse(name, text.encode()) for name, text in (context or {}).items()},
    )


@dataclass
class Played:
    """What came of a dream."""

    server: MessagesServer
    dreamt: Dreamt
    corpus: Corpus
    progress: list[Progress]

    def after(self) -> dict[str, str]:
        """Return the files as they would be with all that is suggested."""
        files = {path: document.lines for path, document in self.corpus.documents.items()}
        edits = [edit for change in to_changes(self.dreamt.drafts) for edit in change.edits]
        for path in {edit.path for edit in edits if edit.act is Act.LINES}:
            own = [Edit(e.start, e.stop, e.new, e.rank) for e in edits if e.path == path and e.act is Act.LINES]
            files[path] = compose(files[path], own)
        for edit in edits:
            if edit.act is Act.CREATE:
                files[edit.path] = edit.new
            elif edit.act is Act.DELETE:
                del files[edit.path]
        for edit in edits:
            if edit.act is Act.RENAME and edit.to is not None:
                files[edit.to] = files.pop(edit.path)
        return {path: b"".join(lines).decode() for path, lines in files.items()}

    def answers(self) -> list[str]:
        """Return what the tools answered, in order."""
        messages = self.server.requests[-1]["messages"]
        return [
            block["content"]
            for message in messages
            if isinstance(message["content"], list)
            for block in message["content"]
            if block["type"] == "tool_result"
        ]


@dataclass
class Staged:
    """What a dream is played with."""

    budget: Budget = field(default_factory=Budget)
    transcripts: tuple[str, ...] = ()
    since: datetime | None = None
    rejections: tuple[Rejection, ...] = ()
    model: str = "claude-sonnet-5-5"
    effort: str | None = None
    is_cancelled: Callable[[], bool] = lambda: False
    clock: Callable[[], float] = lambda: 0.0
    counts: int | Fails = 1_234
    heard: Callable[[Progress], None] = lambda _: None
    pauses: list[float] = field(default_factory=list)


def engine_for(url: str, staged: Staged) -> ClaudeEngine:
    numbers = count(1)
    service = Service(api_key=KEY, base_url=url, pause=staged.pauses.append, jitter=lambda: 1.0)
    return ClaudeEngine(
        model=staged.model,
        effort=staged.effort,
        service=service,
        nonce=lambda: f"nonce{next(numbers)}",
        clock=staged.clock,
    )


@contextmanager
def on_stage(corpus: Corpus, script: Script, staged: Staged | None = None) -> Iterator[Callable[[], Played]]:
    """Yield what plays the dream once."""
    staged = staged or Staged()
    progress: list[Progress] = []

    def hear(each: Progress) -> None:
        progress.append(each)
        staged.heard(each)

    with MessagesServer(script, staged.counts) as server:
        task = Task(
            corpus=corpus,
            policy=Policy(),
            budget=staged.budget,
            transcripts=staged.transcripts,
            since=staged.since,
            rejections=staged.rejections,
            on_progress=hear,
            is_cancelled=staged.is_cancelled,
        )
        yield lambda: Played(server, engine_for(server.url, staged).dream(task), corpus, progress)


def play(corpus: Corpus, script: Script, staged: Staged | None = None) -> Played:
    with on_stage(corpus, script, staged) as dream:
        return dream()


def cites(path: str, first: int, last: int, quote: str) -> Body:
    address = path if ":" in path else f"/memories/{path}"
    return {"path": address, "first": first, "last": last, "quote": quote}


def opens(kind: str, *evidence: Body, title: str = "Tidy this", reason: str = "It says so.", **more: Any) -> Body:
    given = {"kind": kind, "title": title, "reason": reason, "confidence": 0.8, "evidence": list(evidence)}
    return call("open_card", {**given, **more})


def memory(command: str, **given: Any) -> Body:
    return call("memory", {"command": command, **given})


def replaces(path: str, old: str, new: str) -> Body:
    return memory("str_replace", path=f"/memories/{path}", old_str=old, new_str=new)


def closes() -> Body:
    return call("close_card", {})


def turn(*blocks: Body) -> Says:
    """Return a reply that makes several calls."""
    return Says(tuple({**block, "id": f"toolu_{number}"} for number, block in enumerate(blocks)))
