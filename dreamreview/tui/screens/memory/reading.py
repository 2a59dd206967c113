"""How the memory screen reads a store: names at once, notes in the background, comparing last and never in the way."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import get_current_worker

from dreamreview.errors import DreamReviewError
from dreamreview.tui.screens.place import Failed, Place

if TYPE_CHECKING:
    from dreamreview.dream.engine import Progress
    from dreamreview.tui.ports import MemoryLike
    from dreamreview.tui.surroundings import Surroundings
    from dreamreview.workspace.memory import FileLine, Findings


class Looked(Message):
    """The folder was looked at; its files are known by name."""

    def __init__(self, memory: MemoryLike, files: Sequence[FileLine]) -> None:
        super().__init__()
        self.memory = memory
        self.files = tuple(files)


class ReadSome(Message):
    """Reading came further."""

    def __init__(self, files: int) -> None:
        super().__init__()
        self.files = files


class Read(Message):
    """Every note was read."""

    def __init__(self, files: Sequence[FileLine], findings: Findings) -> None:
        super().__init__()
        self.files = tuple(files)
        self.findings = findings


class Compared(Message):
    """The notes were held against one another."""

    def __init__(self, memory: MemoryLike, findings: Findings) -> None:
        super().__init__()
        self.memory = memory
        self.findings = findings


class Reads(Place[bool]):
    """A screen that reads a store."""

    def __init__(self, around: Surroundings) -> None:
        super().__init__()
        self.around = around
        self.memory: MemoryLike | None = None

    def look(self) -> None:
        """Look at the folder again, then read it."""
        self.in_background("look", self._look)

    def _look(self) -> Message:
        memory = self.around.workspace.memory()
        return Looked(memory, memory.first_files())

    def read(self, memory: MemoryLike) -> None:
        """Read every note; leaving the screen, or looking again, ends that."""
        self.in_background("look", lambda: self._read(memory))

    def _read(self, memory: MemoryLike) -> Message:
        worker = get_current_worker()

        def tell(progress: Progress) -> None:
            self.post_message(ReadSome(progress.files))

        return Read(*memory.read(tell, lambda: worker.is_cancelled))

    def compare(self, memory: MemoryLike) -> None:
        """Hold the notes against one another in a thread that leaving the program need not wait for."""
        context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(self._compare, memory), daemon=True).start()

    def _compare(self, memory: MemoryLike) -> None:
        answer: Message
        try:
            answer = Compared(memory, memory.compare())
        except (DreamReviewError, OSError) as problem:
            answer = Failed("compare", str(problem))
        with suppress(RuntimeError):
            # The app may have ended meanwhile, and its loop with it.
            self.post_message(answer)
