"""How long it takes from starting a program to its first painted content, in a pseudo-terminal.

Both programs run from compiled modules, as pip leaves those of what it installs; they are compiled in a first run that
is not measured.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

BARE = """
from textual.app import App
from textual.widgets import Label
class Bare(App):
    def compose(self):
        yield Label("bare app is here")
Bare().run()
"""


def painted(command: list[str], pattern: bytes, compiled: Path, limit: float = 60.0) -> float:
    """Return the seconds until a program has painted something that a pattern matches.

    Args:
        command: program and arguments.
        pattern: what to wait for.
        compiled: folder of compiled modules.
        limit: seconds to wait.

    Raises:
        RuntimeError: it ended, or the limit passed, before that.
    """
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", TEXTUAL_ANIMATIONS="none", PYTHONPYCACHEPREFIX=str(compiled))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.execvp(command[0], command)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    begun = time.perf_counter()
    seen = b""
    try:
        while time.perf_counter() - begun < limit:
            if not select.select([fd], [], [], 0.5)[0]:
                continue
            try:
                data = os.read(fd, 65536)
            except OSError:
                break
            seen += data
            if re.search(pattern, seen):
                return time.perf_counter() - begun
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(fd)
    raise RuntimeError(f"{command} did not paint {pattern!r}; it wrote {seen[-300:]!r}")


def our_app(folder: Path, compiled: Path) -> float:
    """Return the seconds from spawning the app on a folder to its first change on screen."""
    return painted([sys.executable, "-m", "dreamreview", str(folder)], rb"of\s.*decided", compiled)


def bare_app(compiled: Path) -> float:
    """Return the same of the smallest Textual app."""
    return painted([sys.executable, "-c", BARE], rb"bare app is here", compiled)
