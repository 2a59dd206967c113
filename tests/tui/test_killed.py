"""A large review in a pseudo-terminal: decided by single keys and in bulk, killed in between, gone on with, undone."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pytest

from dreamreview.model.review import State
from dreamreview.settings import Settings
from dreamreview.workspace import Workspace
from tests.tui.test_real import NAME, Terminal, publish

FILES, EDITS, APART = 60, 5, 8
CHANGES = FILES * EDITS
SHAPES = ("heron", "otter", "marten", "badger", "weasel", "plover", "curlew", "osprey", "linnet", "dipper")
KEYS = {"a": State.ACCEPTED, "r": State.REJECTED}
PRESSED = "".join(islice(cycle("aar"), 280))
"""What is pressed at once, and goes on while the program is killed."""
ENOUGH = 30
"""Decisions on disk from which it is killed."""


def name_of(number: int) -> str:
    return f"{SHAPES[number // 10]}-{SHAPES[number % 10]}"


def line(file: int, place: int) -> str:
    return f"The {name_of(file)} keeps watch by the {SHAPES[place // 5]} pool under {SHAPES[place % 5 + 5]} stones.\n"


def text(file: int, *, is_changed: bool) -> str:
    lines = [line(file, place) for place in range(EDITS * APART)]
    if is_changed:
        for edit in range(EDITS):
            lines[edit * APART + 3] = f"{lines[edit * APART + 3][:-2]}, at {SHAPES[edit]} hour.\n"
    return "".join(lines)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    for file in range(FILES):
        (folder / f"{name_of(file)}.md").write_text(text(file, is_changed=False))
    publish(folder, NAME, {f"{name_of(file)}.md": text(file, is_changed=True) for file in range(FILES)})
    return folder


@pytest.fixture
def terminals(store: Path) -> Iterator[list[Terminal]]:
    opened = [Terminal(str(store))]
    yield opened
    for each in opened:
        each.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.md")}


def states(folder: Path) -> list[State]:
    return [one.state for one in Workspace(folder, Settings()).open(NAME).review.of.values()]


def on_disk(folder: Path) -> int:
    log = folder / ".dreamreview" / "reviews" / f"{NAME}.jsonl"
    return log.read_bytes().count(b"\n") if log.exists() else 0


def asks(terminal: Terminal, words: str) -> None:
    """Press for the whole group until it is asked about: while the proposal is still read, it says so instead."""

    def is_asked() -> bool:
        if words not in terminal.text:
            terminal.press("A")
        return words in terminal.text

    terminal.until(is_asked)


def agrees(terminal: Terminal, words: str) -> None:
    """Say yes until it is taken: what has just appeared does not hear keys at once."""

    def is_taken() -> bool:
        if words not in terminal.text:
            terminal.press("y")
        return words in terminal.text

    terminal.until(is_taken)


def test_a_large_review_goes_on_after_a_kill_and_is_undone_to_the_byte(store: Path, terminals: list[Terminal]) -> None:
    before = contents(store)
    first = terminals[0]
    first.sees(f"0 of {CHANGES} decided")
    first.press(PRESSED)
    first.until(lambda: on_disk(store) >= ENOUGH)
    first.process.send_signal(signal.SIGKILL)
    assert first.ends() == -signal.SIGKILL

    kept = states(store)
    done = kept.index(State.UNDECIDED)
    assert ENOUGH <= done <= len(PRESSED)
    assert kept == [*(KEYS[key] for key in PRESSED[:done]), *[State.UNDECIDED] * (CHANGES - done)]
    assert contents(store) == before

    again = Terminal(str(store))
    terminals.append(again)
    again.sees(f"{done} of {CHANGES} decided")
    again.press("r")
    again.sees(f"{done + 1} of {CHANGES} decided")
    assert states(store) == [*kept[:done], State.REJECTED, *kept[done + 1 :]]

    asks(again, "y yes")
    agrees(again, f"{CHANGES} of {CHANGES} decided")
    again.press("\x13")
    again.sees("y writes")
    agrees(again, "Applied")
    verdicts = (*kept[:done], State.REJECTED)
    assert contents(store) == {
        f"{name_of(file)}.md": expected(file, verdicts[place * EDITS : (place + 1) * EDITS]).encode()
        for place, file in enumerate(sorted(range(FILES), key=name_of))
    }
    again.press("U")
    again.until(lambda: contents(store) == before)


def expected(file: int, verdicts: tuple[State, ...]) -> str:
    lines = text(file, is_changed=True).splitlines(keepends=True)
    for edit, verdict in enumerate(verdicts):
        if verdict is State.REJECTED:
            lines[edit * APART + 3] = line(file, edit * APART + 3)
    return "".join(lines)
