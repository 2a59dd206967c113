"""A service on the loopback address, a key for it, and time that passes at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest

from dreamreview.dream.engine import Corpus, Dreamt, Progress, Task
from dreamreview.dream.hosted.calling import Clock
from dreamreview.dream.hosted.engine import HostedEngine
from dreamreview.model.budget import Budget
from dreamreview.model.markdown import parse
from dreamreview.store.differ import GitDiffer
from dreamreview.store.rooted import Root
from dreamreview.store.scan import scan
from dreamreview.store.uploads import UploadsFile
from tests.dream.hosted.local_service import KEY, LocalService, serving

TODAY = date(2026, 9, 15)


@dataclass(slots=True)
class Time:
    """Time that passes when somebody waits for it."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)

    def clock(self) -> Clock:
        return Clock(now=lambda: self.seconds, sleep=self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds


@pytest.fixture
def service() -> Iterator[LocalService]:
    with serving(LocalService()) as found:
        yield found


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, service: LocalService) -> None:
    for name in list(os.environ):
        if name.startswith("ANTHROPIC_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", service.address)


@dataclass(slots=True)
class Bench:
    """A memory folder, and dreams of it by the hosted engine in a private copy."""

    live: Path
    copies: Path
    time: Time = field(default_factory=Time)
    told: list[Progress] = field(default_factory=list)
    budget: Budget = field(default_factory=Budget)
    sessions: tuple[str, ...] = ()
    is_cancelled: Callable[[], bool] = lambda: False
    copy: Path = Path()
    _count: int = 0

    def write(self, files: Mapping[str, bytes | str]) -> None:
        for path, data in files.items():
            place = self.live / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data.encode() if isinstance(data, str) else data)

    def dream(self, on_progress: Callable[[Progress], None] | None = None) -> Dreamt:
        """Dream once in a fresh copy; `texts` tells what is in it afterwards."""
        self._count += 1
        self.copy = self.copies / str(self._count)
        self.copy.mkdir(parents=True)
        documents = {}
        found = scan(Root(self.live)).entries
        for path, entry in found.items():
            data = (self.live / path).read_bytes()
            (self.copy / path).parent.mkdir(parents=True, exist_ok=True)
            (self.copy / path).write_bytes(data)
            if entry.kind == "file" and path.endswith((".md", ".txt")):
                documents[path] = parse(path, data)
        corpus = Corpus(documents=documents, files=frozenset(found), today=TODAY)
        task = Task(
            corpus=corpus,
            folder=str(self.copy),
            budget=self.budget,
            on_progress=on_progress or self.told.append,
            is_cancelled=self.is_cancelled,
        )
        return self.engine().dream(task)

    def engine(self) -> HostedEngine:
        file = UploadsFile(Root(self.live))
        return HostedEngine(file, "greenhouse", GitDiffer(), sessions=self.sessions, clock=self.time.clock())

    def texts(self) -> dict[str, bytes]:
        """Return what the copy of the last dream holds."""
        return {path: (self.copy / path).read_bytes() for path in scan(Root(self.copy)).entries}

    def memory(self) -> dict[str, bytes]:
        """Return what the live folder holds."""
        return {path: (self.live / path).read_bytes() for path in scan(Root(self.live)).entries}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    found = Bench(live=tmp_path / "live", copies=tmp_path / "copies")
    found.live.mkdir()
    return found
