"""What an apply or an undo did, or would do: the same words and the same JSON for both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamreview.cli.output import printable, safe
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from dreamreview.workspace import ApplyResult, There

IN_PART = 4
"""Exit status when some of it no longer fits the live folder and was left."""

SHOWN_LINES = 40
"""Lines of each text of a conflict that are shown."""

NOTHING: dict[str, object] = {"apply": None, "written": [], "deleted": [], "renamed": [], "stale": [], "dry_run": False}
"""The JSON of an apply where there is no proposal."""


def shape(result: ApplyResult) -> dict[str, object]:
    """Return a result as JSON values."""
    there = {} if result.there is None else {"there": there_shape(result.there)}
    return {
        "apply": result.apply,
        "written": [printable(path) for path in result.written],
        "deleted": [printable(path) for path in result.deleted],
        "renamed": [[printable(old), printable(new)] for old, new in result.renamed],
        "stale": list(result.stale),
        "dry_run": result.dry_run,
        **there,
    }


def there_shape(there: There) -> dict[str, object]:
    """Return what became of a store at the service as JSON values; texts are masked."""
    return {
        "store": there.store,
        "written": [_text(path) for path in there.written],
        "conflicts": [
            {
                "path": _text(one.path),
                "here": None if one.here is None else mask(one.here),
                "there": None if one.there is None else mask(one.there),
            }
            for one in there.conflicts
        ],
        "left": [_text(told) for told in there.left],
        "problem": None if there.problem is None else _text(there.problem),
    }


def _text(text: str) -> str:
    return safe(printable(text))


def there_told(there: There) -> Iterator[str]:
    """Yield what became of a store at the service, each conflict with both texts."""
    for path in there.written:
        yield f"  there   {path}"
    for one in there.conflicts:
        yield f"  clash   {one.path}: others changed it in {there.store} meanwhile, so it was left there as it is"
        yield from _both(one.here, "here")
        yield from _both(one.there, "there")
    for told in there.left:
        yield f"  waits   {told}"
    if there.conflicts:
        source = f"memstore:{there.store}"
        yield f"`dreamreview import FOLDER {source}` shows their text for review; nothing of either was lost"
    if there.problem:
        yield f"not all is in {there.store or 'the store at the service'} yet: {there.problem}"
        yield "`dreamreview apply` sends what waits"


def _both(text: str | None, side: str) -> Iterator[str]:
    if text is None:
        yield f"    {side}: nothing"
        return
    lines = text.splitlines() or [""]
    yield from (f"    {side}: {line}" for line in lines[:SHOWN_LINES])
    if len(lines) > SHOWN_LINES:
        yield f"    {side}: and {len(lines) - SHOWN_LINES} more lines"


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
    if result.there is not None:
        yield from there_told(result.there)


def is_empty(result: ApplyResult) -> bool:
    """Tell whether nothing would be written."""
    return not (result.written or result.deleted or result.renamed)


def exit_status(result: ApplyResult) -> int:
    """Return the exit status that a result calls for."""
    is_whole = result.there is None or result.there.is_whole
    return IN_PART if result.stale or result.clashes or not is_whole else 0
