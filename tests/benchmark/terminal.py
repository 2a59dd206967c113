"""A program in a pseudo-terminal: when it paints, how long a key takes, how much memory it came to hold."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from pathlib import Path

LIMIT = 60.0
"""Seconds to wait for something to be painted."""
QUIET = 0.05
"""Seconds without output after which a paint counts as ended."""


class Terminal:
    """A program in a terminal of 80x24.

    It runs from compiled modules, as pip leaves those of what it installs.

    Args:
        command: program and arguments.
        compiled: folder of compiled modules.
    """

    def __init__(self, command: list[str], compiled: Path) -> None:
        self._command = command
        self._seen = b""
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", TEXTUAL_ANIMATIONS="none", PYTHONPYCACHEPREFIX=str(compiled))
            os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
            os.execvp(command[0], command)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._begun = time.perf_counter()

    def painted(self, pattern: bytes) -> float:
        """Return the seconds since the start once something that a pattern matches was written.

        Raises:
            RuntimeError: the program ended, or the limit passed, before that.
        """
        while time.perf_counter() - self._begun < LIMIT and self._read(0.5) is not False:
            if re.search(pattern, self._seen):
                return time.perf_counter() - self._begun
        raise RuntimeError(f"{self._command} did not paint {pattern!r}; it wrote {self._seen[-300:]!r}")

    def settle(self, quiet: float = QUIET) -> None:
        """Read until nothing is written for a while."""
        while self._read(quiet):
            pass

    def press(self, key: bytes) -> float:
        """Press a key and return the seconds until something is painted."""
        begun = time.perf_counter()
        os.write(self._fd, key)
        while self._read(LIMIT) is None:
            pass
        seconds = time.perf_counter() - begun
        self.settle()
        return seconds

    def memory(self) -> int:
        """Return the most bytes of memory that the program ever held."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(found[1]) * 1024 if found else 0

    def close(self) -> None:
        """End the program at once."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._fd)

    def _read(self, wait: float) -> bool | None:
        """Read what is there: True when something was, None when nothing came in time, False at the end."""
        if not select.select([self._fd], [], [], wait)[0]:
            return None
        try:
            self._seen += os.read(self._fd, 65536)
        except OSError:
            return False
        return True
