"""One run of the app for one page: a process of its own, which does not outlive the page or the server."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from subprocess import PIPE
from typing import TYPE_CHECKING

from dreamreview.tui.browser import packets

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Awaitable, Callable, Sequence

GRACE = 10.0
"""Seconds an app has to end by itself; what it was writing by then is finished or taken back at the next start."""

_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
_START = (
    "import sys; root = sys.argv.pop(1); root in sys.path or sys.path.insert(0, root); "
    "from dreamreview.__main__ import main; main()"
)


class Session:
    """A run of the app and its two pipes."""

    def __init__(self, process: Process) -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("the app of a session is reached by pipes")
        self._process = process
        self._stdin = process.stdin
        self._stdout = process.stdout

    @classmethod
    async def start(cls, arguments: Sequence[str], width: int, height: int) -> Session:
        """Start the app with the arguments of its command line, for a screen of so many columns and lines.

        Raises:
            OSError: no process can be had.
        """
        # Python's own search path would begin in the current folder, which may be somebody's memory: -P leaves it out.
        command = (sys.executable, "-P", "-c", _START, _PACKAGES, *arguments)
        environment = _environment(width, height)
        # An interrupt from the terminal is for the server, which then ends the app in order.
        return cls(
            await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, env=environment, start_new_session=True
            )
        )

    async def show(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send what the app draws, until it ends or the page is gone."""
        with suppress(EOFError, ConnectionError):
            if not await packets.begun(self._stdout):
                return
            while True:
                kind, payload = await packets.read(self._stdout)
                if kind == packets.DATA:
                    await send(payload)

    async def type(self, packet: bytes) -> None:
        """Hand the app a packet; one that has ended takes none."""
        with suppress(ConnectionError):
            self._stdin.write(packet)
            await self._stdin.drain()

    async def end(self) -> None:
        """Let the app end in order, or end it, and wait until it is gone."""
        if self._process.returncode is None:
            with suppress(ConnectionError):
                self._stdin.write(packets.QUIT)
            self._stdin.close()
        with suppress(TimeoutError):
            # What it still draws is read, or it would wait for ever to be read.
            async with asyncio.timeout(GRACE):
                while await self._stdout.read(1 << 16):
                    pass
                await self._process.wait()
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


def _environment(width: int, height: int) -> dict[str, str]:
    """Return the environment of an app whose screen is a page, whatever the terminal of the server can do."""
    return {
        **os.environ,
        "TEXTUAL_DRIVER": "dreamreview.tui.browser.driver:PageDriver",
        "TEXTUAL_COLOR_SYSTEM": "truecolor",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "COLUMNS": str(width),
        "ROWS": str(height),
    }
