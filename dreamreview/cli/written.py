"""What an apply or an undo did, or would do: the same words and the same JSON for both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamreview.cli.output import printable

if TYPE_CHECKING:
    from dreamreview.workspace import ApplyResult

IN_PART = 4
"""Exit status when some of it no longer fits the live folder and was left."""

NOTHING: dict[str, object] = {"apply": None, "written": [], "deleted": [], "renamed": [], "stale": [], "dry_run": False}
"""The JSON of an apply where there is no proposal."""


def shape(result: ApplyResult) -> dict[str, object]:
    """Return a result as JSON values."""
    return {
        "apply": result.apply,
        "written": [printable(path) for path in result.written],
        "deleted": [printable(path) for path in result.deleted],
        "renamed": [[printable(old), printable(new)] for old, new in result.renamed],
        "stale": list(result.stale),
        "dry_run": result.dry_run,
    }


def effects(result: ApplyResult) -> Iterator[str]:
    """Yield what happens to each path, deletions and renames by name, and what no longer fits."""
    for path in result.written:
        yield f"  write   {path}"
    for path in result.deleted:
        yield f"  delete  {path}"
    for old, new in result.renamed:
        yield f"  rename  {old} -> {new}"
    for path in result.kept:
        yield f"  keep    {path} (a line of it was kept)"
    if result.settled:
        kept = f"{len(result.settled)} change{'s' if len(result.settled) > 1 else ''}"
        yield f"  keep    {kept} as others made {'them' if len(result.settled) > 1 else 'it'}"
    if result.stale:
        yield f"  stale   {' '.join(result.stale)}: they no longer fit the live folder and stay as they are"


def is_empty(result: ApplyResult) -> bool:
    """Tell whether nothing would be written."""
    return not (result.written or result.deleted or result.renamed)


def exit_status(result: ApplyResult) -> int:
    """Return the exit status that a result calls for."""
    return IN_PART if result.stale or result.clashes else 0
