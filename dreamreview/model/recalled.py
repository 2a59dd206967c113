"""Lines that another program remembers by their numbers, and the changes that move them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from dreamreview.model.proposal import Act

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dreamreview.model.proposal import Change, FileEdit

SHIFTS_RECALLED = "shifts-recalled"
"""Flag of a change that moves or rewrites lines which a recall store names by number."""

MOST_ENTRIES = 10_000
"""Entries that are read of a recall store; OpenClaw keeps 512."""

Remembered = dict[str, tuple[tuple[int, int], ...]]
"""Path to the runs of lines that are remembered, first and last, 1-based."""


def remembered(document: object) -> Remembered:
    """Return what a parsed recall store of OpenClaw names: ``{"entries": {key: {"path", "startLine", "endLine"}}}``.

    Entries of another shape are left out.
    """
    entries = document.get("entries") if isinstance(document, dict) else None
    found: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for entry in list(entries.values())[:MOST_ENTRIES] if isinstance(entries, dict) else ():
        if not isinstance(entry, dict):
            continue
        path, first, last = entry.get("path"), entry.get("startLine"), entry.get("endLine")
        if isinstance(path, str) and type(first) is int and type(last) is int and 1 <= first <= last:
            found[path].add((first, last))
    return {path: tuple(sorted(runs)) for path, runs in found.items()}


def shifts(change: Change, runs: Mapping[str, tuple[tuple[int, int], ...]]) -> bool:
    """Tell whether a change, or an option of it, moves or rewrites remembered lines."""
    return any(_shifts(edit, first, last) for edit in change.all_edits for first, last in runs.get(edit.path, ()))


def _shifts(edit: FileEdit, first: int, last: int) -> bool:
    if edit.act in (Act.DELETE, Act.RENAME):
        return True
    if edit.act is not Act.LINES or edit.start >= last:
        return False
    return edit.stop >= first or len(edit.old) != len(edit.new)
