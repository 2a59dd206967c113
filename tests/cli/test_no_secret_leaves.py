"""Twenty-five planted secrets leave by no output: every command, its errors and logs, and the bytes of the app."""

from __future__ import annotations

import io
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dreamreview.cli.main import run
from dreamreview.model.review import Op
from tests.model.secret_samples import BESIDE, SHAPES, beside, fill
from tests.workspace.stores import FOREIGN, lay, leave_copy, workspace

ISSUED = (
    "anthropic",
    "github",
    "aws-access-key",
    "google-api",
    "slack",
    "telegram",
    "stripe",
    "npm",
    "jwt",
    "sendgrid",
)
BY_WORDS = (
    *(
        "env line",
        "JSON",
        "YAML",
        "bearer",
        "postgres",
        "query",
        "cookie",
        "login of curl",
        "prose",
        "prose in Chinese",
    ),
    *("XML", "connection string", "flag", "table", "private token header"),
)
SECRETS: dict[str, str] = {}
LINES: dict[str, str] = {}
for _name in ISSUED:
    SECRETS[_name] = fill(SHAPES[_name], random.Random(_name))
    LINES[_name] = f"- The {_name} access is {SECRETS[_name]} since May."
for _name in BY_WORDS:
    _line, SECRETS[_name] = beside(BESIDE[_name], random.Random(_name))
    LINES[_name] = f"- {_line}" if _name not in ("YAML", "table") else _line
NAMED = fill(SHAPES["gitlab"], random.Random("in a name"))
"""The one that is in the name of a file."""
PLANTED = {**SECRETS, "file name": NAMED}

BODY = "\n\n".join(LINES.values()) + "\n"
INDEX = "".join(f"- [Note {number}](note_{number}.md) - {line[2:]}\n" for number, line in enumerate(LINES.values()))
SAID = LINES["prose"][2:]
STORE = {
    "MEMORY.md": f"# Memory\n\n{INDEX}",
    "note_1.md": f"# Access, {SECRETS['github']}\n\n{BODY}",
    "note_2.md": f"# Access again\n\n{BODY}",
    f"{NAMED}.md": "- Odile mends sails on Mondays.\n- Odile mends sails on Mondays.\n",
    "typed.md": f"---\nname: access\ndescription: {SAID}\ntype: reference\n---\n\nSee {LINES['env line'][2:]}\n",
    "memory/2026-09-12.md": f"# 2026-09-12\n\n- Yesterday {LINES['postgres'][2:]} was set up.\n",
}
COPY = {
    **STORE,
    "note_1.md": STORE["note_1.md"].replace("since May", "since June"),
    "note_3.md": STORE["note_2.md"],
    f"{NAMED}.md": "- Odile mends sails on Mondays.\n",
}
del COPY["note_2.md"]


def leaked(printed: str) -> list[str]:
    """Return the names of the secrets of which more than the ends stands in a text, in any of the usual spellings."""
    forms = (printed, printed.encode().decode("unicode_escape", "replace") if "\\u" in printed else "")
    return [name for name, secret in PLANTED.items() if any(secret in form or secret[6:-4] in form for form in forms)]


def encoded(files: dict[str, str]) -> dict[str, bytes]:
    return {name: text.encode() for name, text in files.items()}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("DREAMREVIEW_CONFIG", "DREAMREVIEW_FOLDER", "DREAMREVIEW_NOW", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    return lay(tmp_path / "store", encoded(STORE))


def test_every_sample_is_a_secret_of_its_own_and_long_enough_to_be_looked_for() -> None:
    assert len(set(PLANTED.values())) == len(PLANTED) >= 20
    assert min(map(len, PLANTED.values())) >= 12
    assert leaked("\n".join(LINES.values())) == list(SECRETS)


def lived_through(store: Path, tmp_path: Path) -> Iterator[tuple[str, ...]]:
    """Yield command lines that show whatever a store can show, in an order in which each has something to show."""
    folder, copy = str(store), str(lay(tmp_path / "copy", encoded(COPY)))
    yield ("dream", folder, "--explain")
    yield ("dream", folder, "--json")
    yield ("import", folder, copy)
    yield ("import", folder, copy, "--json")
    for words in (("show",), ("show", "--json"), ("show", "--patch"), ("proposals",), ("proposals", "--json")):
        yield (words[0], folder, *words[1:])
    yield ("review", folder, "--plain")
    newest = workspace(store).resolve(None) or ""
    for change in workspace(store).open().proposal.changes:
        if not change.options:
            yield ("decide", folder, newest, "--accept", change.id, "--reason", LINES["prose"])
    yield ("decide", folder, newest, "--accept", SECRETS["github"])
    yield ("apply", folder, "--dry-run")
    yield ("apply", folder, "--yes")
    yield ("history", folder)
    yield ("history", folder, "--json")
    yield ("undo", folder, "--dry-run")
    yield ("undo", folder, "--json")
    yield ("status", folder)
    yield ("status", folder, "--json")
    yield ("doctor", folder)
    yield ("doctor", folder, "--json")
    yield ("watch", folder, "--once")
    yield ("forget", folder, "note_1.md:3", "--dry-run")
    yield ("forget", folder, "--match", SECRETS["stripe"], "--dry-run")
    yield ("forget", folder, f"{NAMED}.md", "--yes", "--json")
    yield ("show", folder, SECRETS["npm"])
    yield ("show", str(tmp_path / SECRETS["slack"]))
    yield ("import", folder, str(tmp_path / SECRETS["jwt"]))
    yield ("decide", folder, "newest", "--edit", f"x={tmp_path / SECRETS['npm']}")


def test_no_command_prints_one(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    seen = 0
    for words in lived_through(store, tmp_path):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"list\nwhy\nbase\n\n\n?\nq\n")))
        run(list(words))
        printed = capfd.readouterr()
        named = ["file name"] if {"--json", "--patch"} & set(words) else []  # an address, which other programs follow
        assert [name for name in leaked(printed.out + printed.err) if name not in named] == [], words[:3]
        assert "Traceback" not in printed.err
        seen += len(printed.out)
    assert seen > 20_000


def texts_for_readers(value: Any, key: str = "") -> Iterator[str]:
    """Yield the strings of a document but for the lines of the store that it has to hold: those undo and apply need."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from texts_for_readers(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from texts_for_readers(each, key)
    elif isinstance(value, str) and key not in RAW:
        yield value


RAW = {"old", "new", "old_b64", "new_b64", "text", "text_b64", "path", "to", "paths", "mode"}
"""Keys under which the bytes of the memory lie, and its paths."""


def test_what_is_kept_for_reading_holds_none(store: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for words in lived_through(store, tmp_path):
        if words[0] in {"dream", "import", "decide", "apply", "undo", "watch"}:
            run(list(words))
    review = workspace(store).open(leave_copy(store, encoded(COPY)))
    review.decide(Op.NOTE, review.proposal.changes[0].id, reason=LINES["bearer"])
    review.decide(Op.REJECT, review.proposal.changes[0].id, reason=LINES["bearer"])
    capfd.readouterr()
    documents = [path for path in store.rglob("*.json*") if ".dream" in str(path) and path.is_file()]
    assert len(documents) > 4
    for path in documents:
        for line in path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]:
            told = "\n".join(texts_for_readers(json.loads(line)))
            assert [name for name in leaked(told) if name != "file name"] == [], path


def test_names_of_what_we_write_hold_none(store: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for words in lived_through(store, tmp_path):
        if words[0] in {"dream", "import", "decide", "apply", "undo", "watch"}:
            run(list(words))
    capfd.readouterr()
    ours = [path.relative_to(store) for path in store.rglob("*") if path.is_relative_to(store / ".dreamreview")]
    assert len(ours) > 10
    assert [path for path in ours if leaked(str(path))] == []


def test_a_crash_tells_none(store: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError(f"cannot read {LINES['github']} and {LINES['postgres']}")

    monkeypatch.setattr("dreamreview.workspace.Workspace.status", broken)
    assert run(["status", str(store)]) != 0
    printed = capfd.readouterr()
    assert "RuntimeError" in printed.err
    assert leaked(printed.out + printed.err) == []


@pytest.mark.skipif(sys.platform == "win32", reason="pty")
def test_the_app_draws_none(store: Path, tmp_path: Path) -> None:
    from tests.tui.test_real import Terminal

    leave_copy(store, encoded(COPY))
    (tmp_path / "home").mkdir(exist_ok=True)
    terminal = Terminal("review", str(store), FOREIGN, rows=40, columns=110, home=tmp_path / "home")
    try:
        terminal.sees("decided")
        for key in "JJJJJJ":
            before = len(terminal.raw)
            terminal.press(key)
            terminal.until(lambda before=before: len(terminal.raw) > before)  # type: ignore[misc]
        terminal.press("e")
        terminal.sees("⟦secret 1⟧")
    finally:
        terminal.close()
    assert len(terminal.raw) > 10_000
    assert leaked(terminal.raw.decode("utf-8", "replace")) == []
