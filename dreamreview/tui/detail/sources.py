"""The files behind a card, and which of their lines lie in a secret that spans lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dreamreview.model.secrets import find_secrets

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.model.memory import Document, Note

SECRET_SCAN_LIMIT = 256_000
"""Bytes of a text up to which secrets that span lines are looked for; single lines are masked whatever the size."""


class Sources:
    """Base texts by path, each read and searched once."""

    def __init__(self, base_text: Callable[[str], Text]) -> None:
        self._base_text = base_text
        self._texts: dict[str, Text] = {}
        self._hidden: dict[str, frozenset[int]] = {}
        self._documents: dict[str, Document] = {}

    def forget(self) -> None:
        """Read everything again when it is next asked for."""
        self._texts.clear()
        self._hidden.clear()
        self._documents.clear()

    def base(self, path: str) -> Text:
        """Return a file as it was when the proposal was made."""
        if path not in self._texts:
            self._texts[path] = self._base_text(path)
        return self._texts[path]

    def hidden(self, path: str) -> frozenset[int]:
        """Return the 0-based lines of a base file that lie in a secret spanning lines."""
        if path not in self._hidden:
            self._hidden[path] = secret_lines(self.base(path))
        return self._hidden[path]

    def note_at(self, path: str, line: int) -> Note | None:
        """Return the innermost note of a base file that holds a 1-based line; None without one or in a huge file."""
        text = self.base(path)
        if sum(map(len, text)) > SECRET_SCAN_LIMIT:
            return None
        if path not in self._documents:
            from dreamreview.model.markdown import parse

            self._documents[path] = parse(path, b"".join(text))
        found = [note for note in self._documents[path].notes if note.first <= line <= note.last]
        return min(found, key=lambda note: note.last - note.first, default=None)


def secret_lines(text: Text) -> frozenset[int]:
    """Return the 0-based lines of a text that lie in a secret spanning lines, such as a private key."""
    if sum(map(len, text)) > SECRET_SCAN_LIMIT:
        return frozenset()
    decoded = [line.decode("utf-8", "surrogateescape") for line in text]
    joined = "".join(decoded)
    hidden: set[int] = set()
    for span in find_secrets(joined):
        if "\n" in joined[span.start : span.stop]:
            first = joined.count("\n", 0, span.start)
            hidden.update(range(first, joined.count("\n", 0, span.stop) + 1))
    return frozenset(hidden)
