"""A fault of ours in a real terminal: one line, masked and inert, and never what the variables held."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from dreamreview.cli.main import run
from dreamreview.tui.screens.inbox import InboxScreen
def broken(self, *_):
    held = "the-ferry-leaves-at-nine"
    raise ZeroDivisionError("half a \\x1b]52;c;eA== boat password: Gannet-5521-Harbour")
InboxScreen.on_mount = broken
sys.exit(run([sys.argv[1]]))
"""


def _leave(folder: Path, *, program: str = PROGRAM, **environment: str) -> tuple[int, str]:
    (folder / "MEMORY.md").write_text("- a fact\n")
    master, slave = pty.openpty()
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
        "COLUMNS": "80",
        "LINES": "24",
        **environment,
    }
    with subprocess.Popen(
        [sys.executable, "-c", program, str(folder)], stdin=slave, stdout=slave, stderr=slave, env=env
    ) as run:
        os.close(slave)
        written = b""
        while chunk := _read(master):
            written += chunk
    os.close(master)
    return run.returncode, written.decode("utf-8", "replace")


def _read(fd: int) -> bytes:
    try:
        return os.read(fd, 65536)
    except OSError:
        return b""


@pytest.mark.skipif(not hasattr(pty, "openpty"), reason="needs a pseudo-terminal")
def test_a_crash_of_the_app_is_one_masked_line_without_a_traceback(tmp_path: Path) -> None:
    code, written = _leave(tmp_path)
    assert code == 1
    assert "unexpected ZeroDivisionError: half a ␛]52;c;eA== boat password: " in written
    assert "Gannet-5521" not in written
    assert "Traceback" not in written
    assert "the-ferry-leaves-at-nine" not in written


@pytest.mark.skipif(not hasattr(pty, "openpty"), reason="needs a pseudo-terminal")
def test_a_crash_in_the_background_is_told_as_what_it_is_to_its_end(tmp_path: Path) -> None:
    code, written = _leave(tmp_path, program=PROGRAM.replace("InboxScreen.on_mount", "InboxScreen._first_look"))
    assert code == 1
    assert "unexpected ZeroDivisionError: half a" in written
    assert "every decision is saved" in " ".join(written.split())
    assert "Traceback" not in written


def test_those_who_debug_see_the_traceback_of_the_app(tmp_path: Path) -> None:
    code, written = _leave(tmp_path, DREAMREVIEW_DEBUG="1")
    assert code == 1
    assert "Traceback" in written
