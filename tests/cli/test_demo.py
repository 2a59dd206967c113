from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dreamreview.cli import demo, output

Command = Callable[..., Any]

KINDS = ("conflict", "date", "index", "merge", "prune", "quarantine", "redact")


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made during the test."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_the_sample_yields_a_card_of_every_sort_and_leaves_nothing_behind(command: Command, scratch: Path) -> None:
    answer = command("demo")
    assert (answer.code, answer.err) == (0, "")
    assert [kind for kind in KINDS if f" {kind}: " not in answer.out] == []
    assert "Tern-4417-Quayside" not in answer.out
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("now", ["2025-10-01T00:00:00Z", "2031-02-28T23:59:59Z"])
def test_the_sample_tells_the_same_whenever_it_is_dreamt(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, now: str
) -> None:
    monkeypatch.setenv("DREAMREVIEW_NOW", now)
    assert command("demo", "--keep", tmp_path / "kept").code == 0
    shown = command("show", tmp_path / "kept", "--json").json()
    assert sorted({change["kind"] for change in shown["changes"]}) == sorted(KINDS)


def test_the_sample_stays_where_it_is_wanted(command: Command, tmp_path: Path) -> None:
    answer = command("demo", "--keep", tmp_path / "kept")
    assert answer.code == 0
    assert answer.out.endswith(f"the sample store stays in {tmp_path / 'kept'}\n")
    assert (tmp_path / "kept" / "MEMORY.md").is_file()
    assert (tmp_path / "kept" / "memory" / "2025-05-06.md").is_file()


def test_a_folder_that_holds_something_is_left_alone(command: Command, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.md").write_text("mine\n")
    answer = command("demo", "--keep", tmp_path / "mine")
    assert answer.code == 2
    assert "is not empty" in answer.err
    assert os.listdir(tmp_path / "mine") == ["notes.md"]


def test_on_a_terminal_the_app_opens_on_the_sample(
    command: Command, monkeypatch: pytest.MonkeyPatch, scratch: Path
) -> None:
    opened: list[str] = []

    def open_app(workspace: Any) -> int:
        opened.append(workspace.folder)
        return 0

    monkeypatch.setattr(output, "is_terminal", lambda: True)
    monkeypatch.setattr(demo, "open_app", open_app)
    answer = command("demo")
    assert answer.code == 0
    assert [os.path.basename(folder) for folder in opened] == ["memory"]
    assert list(scratch.iterdir()) == []
