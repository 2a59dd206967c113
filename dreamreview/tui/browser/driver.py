"""How the app draws on a page: Textual's web driver, which ends the app when whoever carries its screen is gone."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp

if TYPE_CHECKING:
    from textual.app import App


class PageDriver(WebDriver):
    """Reads and writes packets over stdin and stdout."""

    def __init__(
        self, app: App[Any], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._write = partial(_write_whole, self.fileno)

    def run_input_thread(self) -> None:
        """Read until the input ends; without a hand on it the app would run on, seen by nobody."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.post_message(ExitApp())


def _write_whole(target: int, data: bytes) -> int:
    """Write all of the data, as one call need not, and nothing where nobody reads any more."""
    written = 0
    with suppress(BrokenPipeError):
        while written < len(data):
            written += os.write(target, data[written:])
    return written
