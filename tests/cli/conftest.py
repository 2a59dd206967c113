"""A command line that runs inside the test, and two stores with a proposal each."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dreamreview.cli.main import run
from dreamreview.model.edits import Edit, compose, split_lines
from dreamreview.model.proposal import Act, Base, Change, Engine, Evidence, FileEdit, Kind, Option, Proposal
from dreamreview.store import proposals
from dreamreview.store.rooted import Root
from dreamreview.store.scan import scan

NOW = "2026-01-05T08:00:00Z"
BARE_ID = "20260104T000000000"
DECLARED_ID = "20260105T000000000"
SECRET = "Tern-4417-Quayside"

PORTS = (
    b"- Staging listens on port 8443.\n"
    b"- Staging listens on port 9443.\n"
    b"- The password: Tern-4417-Quayside\n"
    b"- The heater in the attic was sold in 2019.\n"
    b"- The move happened yesterday.\n"
    b"- Keep the spare key in the blue drawer.\n"
)
INDEX = b"- [Ports](ports.md): who listens where\n- [Gone](gone.md): nothing\n- [Ports](ports.md): again\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


Command = Callable[..., Answer]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Run a command line without a terminal, in an environment of its own."""
    for name in ("DREAMREVIEW_CONFIG", "DREAMREVIEW_FOLDER", "DREAMREVIEW_DEBUG", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    monkeypatch.setenv("DREAMREVIEW_NOW", NOW)

    def command_line(*words: object, stdin: str = "") -> Answer:
        capfd.readouterr()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
            code = run([str(word) for word in words])
        printed = capfd.readouterr()
        return Answer(code=code, out=printed.out, err=printed.err)

    return command_line


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A store with a copy that another program left: lines 5 and 30 of its one file are reworded."""
    folder = tmp_path / "bare"
    copy = folder / ".dream-proposals" / BARE_ID
    copy.mkdir(parents=True)
    lines = [f"line {number}\n" for number in range(40)]
    (folder / "MEMORY.md").write_text("".join(lines))
    lines[5], lines[30] = "line five\n", "line thirty\n"
    (copy / "MEMORY.md").write_text("".join(lines))
    return folder


@pytest.fixture
def declared(tmp_path: Path) -> Path:
    """A store with a proposal of ours that holds one change of each sort a command treats differently."""
    folder = tmp_path / "declared"
    folder.mkdir()
    (folder / "ports.md").write_bytes(PORTS)
    (folder / "MEMORY.md").write_bytes(INDEX)
    root = Root(folder)
    base = Base(kind="declared", digest="", at=NOW)
    engine = Engine(name="local", version="0.1.0")
    proposal = Proposal(id=DECLARED_ID, created_at=NOW, base=base, changes=_changes(), engine=engine, summary="five")
    changed = {name: (_proposed(name, text), 0o644) for name, text in (("ports.md", PORTS), ("MEMORY.md", INDEX))}
    proposals.publish(root, proposal, changed, scan(root))
    return folder


def _changes() -> tuple[Change, ...]:
    one = Option(key="A", label="8443", evidence=(_at(1),), edits=(_lines("A1", "ports.md", 1, 2, PORTS),))
    two = Option(key="B", label="9443", evidence=(_at(2),), edits=(_lines("B1", "ports.md", 0, 1, PORTS),))
    redacted = _lines("e1", "ports.md", 2, 3, PORTS, b"- The password: [redacted]\n")
    dated = _lines("e1", "ports.md", 4, 5, PORTS, b"- The move happened on 2026-01-04.\n")
    index = (_lines("e1", "MEMORY.md", 1, 2, INDEX), _lines("e2", "MEMORY.md", 2, 3, INDEX))
    return (
        _change("port1", Kind.CONFLICT, "Two ports", options=(one, two), suggested="B"),
        _change("prune1", Kind.PRUNE, "Old heater", edits=(_lines("e1", "ports.md", 3, 4, PORTS),), evidence=(_at(4),)),
        _change("date1", Kind.DATE, "Say which day", edits=(dated,), evidence=(_at(5),)),
        _change("index1", Kind.INDEX, "Two lines that point nowhere new", edits=index),
        _change("red1", Kind.REDACT, "A password", edits=(redacted,), flags=("secret",)),
    )


def _change(name: str, kind: Kind, title: str, **rest: Any) -> Change:
    return Change(id=name, kind=kind, title=title, reason="it is so", confidence=0.8, fingerprint=name[0] * 64, **rest)


def _at(line: int) -> Evidence:
    quote = split_lines(PORTS)[line - 1].decode().strip()
    return Evidence(path="ports.md", first=line, last=line, quote=quote, date="2026-01-05")


def _lines(name: str, path: str, start: int, stop: int, base: bytes, new: bytes = b"") -> FileEdit:
    old = split_lines(base)[start:stop]
    return FileEdit(id=name, path=path, act=Act.LINES, start=start, stop=stop, old=old, new=split_lines(new))


def _proposed(path: str, text: bytes) -> bytes:
    edits = [edit for change in _changes() for edit in change.edits if edit.path == path]
    return b"".join(compose(split_lines(text), [Edit(edit.start, edit.stop, edit.new) for edit in edits]))
