"""What the open app has watched for it: proposals as they arrive, and what others change in the memory itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dreamreview.daemon.arrivals import Arrivals
from dreamreview.daemon.watching import Watching

if TYPE_CHECKING:
    from dreamreview.errors import DreamReviewError
    from dreamreview.workspace import Workspace

DELAY_SECONDS = 1.5
"""Seconds before the first look at the memory, which reads all of it where it was never looked at."""


class Lookout(Arrivals):
    """Watches the proposals of some stores, as `Arrivals` does, and looks at the stores in a thread of its own.

    What others changed becomes a proposal, and that arrives like any other. A store that cannot be looked at is looked
    at again later; the inbox tells by itself of one that cannot be read.

    Args:
        folders: the stores.
        on_change: called with one of `folders` when its proposals changed.
        delay: seconds before the first look.
    """

    def __init__(
        self, folders: Sequence[str], on_change: Callable[[str], None], *, delay: float = DELAY_SECONDS
    ) -> None:
        super().__init__(folders, on_change)
        self._delay = delay
        self._workspaces: dict[str, Workspace] = {}
        self._was_looked_at: set[str] = set()
        self._watching = Watching(folders, self._look_at, self._failed)
        self._is_over = threading.Event()
        self._looking = threading.Thread(target=self._run_looks, name="lookout", daemon=True)

    def start(self) -> None:
        """Begin to watch, and a little later to look."""
        super().start()
        self._looking.start()

    def stop(self) -> None:
        """Stop watching; a look that is under way is not waited for, and can be cut off anywhere."""
        self._is_over.set()
        self._watching.stop()
        super().stop()

    def _run_looks(self) -> None:
        if not self._is_over.wait(self._delay):
            self._watching.run()

    def _look_at(self, folder: str) -> bool:
        from dreamreview.workspace import Workspace

        if folder not in self._workspaces:
            self._workspaces[folder] = Workspace(folder)
        found = self._workspaces[folder].look(is_known=folder in self._was_looked_at)
        if not found.is_busy:
            self._was_looked_at.add(folder)
        return not found.is_busy

    def _failed(self, folder: str, error: DreamReviewError) -> None:
        del folder, error  # the inbox tells why a store cannot be read
