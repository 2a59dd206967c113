"""What is wrong with a store as it is: duplicates, conflicts, stale, dangling, unindexed, oversize, unreadable."""

from __future__ import annotations

from dataclasses import dataclass

from dreamreview.dream.health import Finding
from dreamreview.workspace.context import Context


@dataclass(frozen=True, slots=True)
class Health:
    """What an examination found."""

    findings: tuple[Finding, ...]
    files: int
    notes: int
    index_lines: int
    index_bytes: int
    index_over: tuple[int, ...]
    """Lines of the index that an agent does not read."""


def examine(context: Context) -> Health:
    """Examine a store; changes nothing."""
    raise NotImplementedError
