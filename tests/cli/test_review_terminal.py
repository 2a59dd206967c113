"""The plain review as the program itself, in a pseudo-terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamreview.settings import Settings
from dreamreview.workspace import Workspace
from tests.tui.test_real import GARDEN, NAME, Terminal, publish


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "garden.md").write_text(GARDEN)
    publish(folder, NAME, {"garden.md": GARDEN.replace("at six", "at seven").replace("left\n", "right\n")})
    return folder


@pytest.fixture
def terminal(store: Path) -> Iterator[Terminal]:
    opened = Terminal("review", str(store), "--plain", rows=80, columns=160)
    yield opened
    opened.close()


def test_a_person_decides_is_wrong_at_will_and_leaves_by_ctrl_d(store: Path, terminal: Terminal) -> None:
    terminal.sees("Change 1 of 2: accept (a)")
    terminal.press("one\ntwo\nthree\nfour\n")
    terminal.sees("no such answer: four")
    terminal.press("r the tap is fixed\n")
    terminal.sees("Change 2 of 2: accept (a)")
    terminal.press("\x04")
    assert terminal.ends() == 0
    review = Workspace(store, Settings()).open(NAME)
    assert [(one.state, one.reason) for one in review.review.of.values()] == [
        ("rejected", "the tap is fixed"),
        ("undecided", ""),
    ]


def test_no_escape_sequence_is_sent(terminal: Terminal) -> None:
    terminal.sees("Change 1 of 2: accept (a)")
    assert b"\x1b" not in terminal.raw
