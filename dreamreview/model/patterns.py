"""Regular expressions that are compiled when they are first used: some take longer to compile than to search with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property


class Pattern:
    """A regular expression, compiled at its first use.

    Args:
        source: the expression.
        flags: as for ``re.compile``.
    """

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self.flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.source, self.flags)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in a text."""
        return self._compiled.search(text)

    def match(self, text: str, start: int = 0, stop: int | None = None) -> re.Match[str] | None:
        """Return the match that begins at a place of a text, none beyond `stop`."""
        return self._compiled.match(text, start) if stop is None else self._compiled.match(text, start, stop)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches in a text."""
        return self._compiled.finditer(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match that is all of a text."""
        return self._compiled.fullmatch(text)

    def split(self, text: str) -> list[str]:
        """Return the parts of a text between the matches in it."""
        return self._compiled.split(text)
