"""How a store becomes a corpus: every text file read once, parsed, and kept apart from what is not memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from dreamreview.dream.engine import Corpus, DreamCancelledError, Progress
from dreamreview.errors import StoreError
from dreamreview.model.markdown import parse

if TYPE_CHECKING:
    from dreamreview.model.memory import Document
    from dreamreview.store.rooted import Root
    from dreamreview.store.scan import Scan

MEMORY_ENDINGS = (".md", ".markdown", ".mdx", ".txt")
"""Endings of files that hold memory; others belong to the store and are copied, never dreamed."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A corpus with the bytes it was made from."""

    corpus: Corpus
    warnings: tuple[str, ...]
    """Files that could not be read, one sentence each; the rest is dreamed all the same."""


def gather(
    root: Root,
    scan: Scan,
    today: date,
    on_progress: Callable[[Progress], None],
    is_cancelled: Callable[[], bool],
) -> Gathered:
    """Read and parse a store.

    Raises:
        DreamCancelledError: `is_cancelled` said so.
    """
    documents: dict[str, Document] = {}
    warnings: list[str] = []
    for number, (path, entry) in enumerate(scan.entries.items()):
        if is_cancelled():
            raise DreamCancelledError("the dream was stopped; nothing was kept")
        if entry.kind != "file" or not path.lower().endswith(MEMORY_ENDINGS):
            continue
        try:
            documents[path] = parse(path, root.read(path))
        except StoreError as error:
            warnings.append(str(error))
        if number % 50 == 0:
            on_progress(Progress(phase="orient", files=len(documents)))
    modes = {path: entry.mode for path, entry in scan.entries.items()}
    corpus = Corpus(documents=documents, files=frozenset(scan.entries), today=today, modes=modes)
    on_progress(Progress(phase="gather", files=len(documents)))
    return Gathered(corpus=corpus, warnings=tuple(warnings))
