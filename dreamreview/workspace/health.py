"""What is wrong with a store as it is, and what in it is no memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.dream import health
from dreamreview.dream.gathering import gather
from dreamreview.dream.health import Finding, Health
from dreamreview.store.scan import twins

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dreamreview.store.scan import Scan
    from dreamreview.workspace.context import Context

__all__ = ["Finding", "Health", "examine"]


def examine(context: Context) -> Health:
    """Examine a store as an agent would read it, and name what is no memory in it; changes nothing."""
    scan = context.scan()
    gathered = gather(context.root, scan, context.now().date(), lambda _progress: None, lambda: False)
    found = health.examine(gathered.corpus, context.settings.policy)
    return replace(found, findings=(*found.findings, *unread(scan, gathered.warnings)))


def unread(scan: Scan, warnings: Iterable[str]) -> Iterator[Finding]:
    """Yield what is no memory in a store: what is left out, links, twins in name, files that cannot be read."""
    yield from (Finding("unreadable", path, None, f"left out: {reason}") for path, reason in scan.excluded.items())
    yield from (
        Finding("unreadable", path, None, "a link: shown, never followed")
        for path, entry in scan.entries.items()
        if entry.kind == "link"
    )
    yield from (
        Finding("unreadable", group[0], None, f"differs from {', '.join(group[1:])} only in case or accent form")
        for group in twins(scan.entries)
    )
    yield from (Finding("unreadable", "", None, warning) for warning in warnings)
