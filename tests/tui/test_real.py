"""The app on a real folder: through Pilot, and as the program itself in a pseudo-terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import shutil
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyte
import pytest

from dreamreview.settings import Settings
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace import Workspace
from tests.tui.host import Clock, Host

GARDEN = "# Garden\n\n- beans in row two\n- water at six\n- mulch in May\n- the shed key hangs left\n"
NAME = "20260301T090000000"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "garden.md").write_text(GARDEN)
    (folder / "old.md").write_text("nothing left\n")
    publish(folder, NAME, {"garden.md": GARDEN.replace("at six", "at seven").replace("left\n", "right\n")})
    return folder


def publish(folder: Path, name: str, files: dict[str, str]) -> None:
    root = folder / ".dream-proposals"
    root.mkdir(exist_ok=True)
    made = root / f".tmp-{name}"
    made.mkdir()
    for path, text in files.items():
        (made / path).write_text(text)
    made.rename(root / name)


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.glob("*.md")}


async def test_accept_apply_and_undo_on_a_real_folder(store: Path) -> None:
    before = contents(store)
    workspace = Workspace(store, Settings())
    app = DreamReviewApp(Surroundings(workspace, Clock()), watch=None)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        host = Host(app, pilot, workspace)  # type: ignore[arg-type]
        await host.sees("0 of 3 decided")
        await host.press("a", "a", "r")
        await host.sees("3 of 3 decided · 1 rejected")
        await host.press("ctrl+s")
        await host.sees("y writes")
        assert contents(store) == before
        await host.press("y")
        await host.sees("U undoes it now")
        assert contents(store) != before
        await host.press("U")
        await host.sees("puts back")
        assert contents(store) == before


async def test_a_proposal_that_is_published_shows_up_in_the_inbox(store: Path) -> None:
    workspace = Workspace(store, Settings())
    app = DreamReviewApp(Surroundings(workspace, Clock()))
    async with app.run_test(size=(100, 30)) as pilot:
        host = Host(app, pilot, workspace)  # type: ignore[arg-type]
        await host.sees("0 of 3 decided")
        await host.press("q")
        await host.sees("1 pending")
        publish(store, "20260302T090000000", {"garden.md": GARDEN})
        await host.until(lambda: "20260302T090000000" in host.text, seconds=10)


class Terminal:
    """A pseudo-terminal with the program in it."""

    def __init__(self, *words: str, rows: int = 24, columns: int = 80, home: Path | None = None) -> None:
        self.raw = b""
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        env = os.environ | {"TERM": "xterm-256color", "TEXTUAL_ANIMATIONS": "none", "NO_COLOR": "1"}
        if home is not None:  # a home of its own, to be started in
            ours_only = ("DREAMREVIEW", "CLAUDE", "XDG_")
            env = {name: value for name, value in env.items() if not name.startswith(ours_only)}
            env |= {"HOME": str(home), "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dreamreview", *words], stdin=theirs, stdout=theirs, stderr=theirs, env=env, cwd=home
        )
        os.close(theirs)
        self._ours = ours

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def until(self, test: Callable[[], bool], seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not test():
            assert time.monotonic() < end, f"it never came true; the screen shows\n{self.text}"
            self._read(0.1)

    def sees(self, words: str) -> None:
        self.until(lambda: words in self.text)

    def ends(self) -> int:
        self.until(lambda: self.process.poll() is not None)
        return self.process.returncode

    def _read(self, seconds: float) -> None:
        if not select.select([self._ours], [], [], seconds)[0]:
            return
        try:
            data = os.read(self._ours, 65536)
        except OSError:
            data = b""
        self.raw += data
        self._stream.feed(data)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._ours)


@pytest.fixture
def terminal(store: Path) -> Iterator[Terminal]:
    opened = Terminal(str(store))
    yield opened
    opened.close()


def decided(store: Path) -> dict[str, int]:
    words = [sys.executable, "-m", "dreamreview", "show", str(store), "--json"]
    shown = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    return dict(shown["counts"])


def test_the_program_decides_by_key_and_leaves_by_key(store: Path, terminal: Terminal) -> None:
    terminal.sees("0 of 3 decided")
    terminal.press("a")
    terminal.sees("1 of 3 decided")
    terminal.press("?")
    terminal.sees("Accept the change")
    terminal.press("\x1b")
    terminal.sees("1 of 3 decided")
    terminal.press("q")
    terminal.sees("1 pending")
    terminal.press("q")
    assert terminal.ends() == 0
    assert decided(store)["accepted"] == 1


def test_the_program_sends_nothing_of_the_memory_raw(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "a.md").write_text("plain\n")
    publish(folder, NAME, {"a.md": "\x1b]52;c;b3duZWQ=\x07 \x1b[31mred\x1b[0m \x9b5m [@click=app.quit]x[/]\n"})
    opened = Terminal(str(folder))
    try:
        opened.sees("0 of 1 decided")
        opened.sees("[@click=app.quit]x[/]")
        assert b"52;c;b3duZWQ=\x07" not in opened.raw
        assert "␛]52;c;b3duZWQ=␇" in opened.text
    finally:
        opened.close()
    shutil.rmtree(folder)


def test_the_program_started_in_a_folder_with_two_stores_opens_one_inbox_over_both(tmp_path: Path) -> None:
    home = tmp_path / "home"
    folders = [home / ".serena/memories", home / "memory-bank"]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "garden.md").write_text(GARDEN)
    publish(folders[1], NAME, {"garden.md": GARDEN.replace("at six", "at seven")})
    opened = Terminal(home=home)
    try:
        opened.sees("2 stores · 1 pending · 1 undecided")
        opened.sees("memory-bank")
        opened.press("j")
        opened.press("\r")
        opened.sees("0 of 1 decided")
        opened.press("a")
        opened.sees("1 of 1 decided")
        opened.press("q")
        opened.sees("2 stores · 1 pending · 0 undecided")
        publish(folders[0], NAME, {"garden.md": GARDEN.replace("two", "three")})
        opened.sees("2 stores · 2 pending · 1 undecided")
        opened.press("G")
        opened.sees(".serena/memories")
        opened.press("D")
        opened.sees("Dream completed")
        assert contents(folders[0]) == contents(folders[1]) == {"garden.md": GARDEN}
        opened.press("q")
        assert opened.ends() == 0
    finally:
        opened.close()
    assert decided(folders[1])["accepted"] == 1
