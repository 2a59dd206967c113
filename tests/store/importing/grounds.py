"""A small store to import into, and what an import makes of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dreamreview.store.composing import composed, default_edits, rendered
from dreamreview.store.differ import GitDiffer
from dreamreview.store.importing.ground import Ground
from dreamreview.store.rooted import Root
from dreamreview.store.scan import DEFAULT_IGNORE, SIZE_LIMIT, scan
from tests.workspace.stores import lay

if TYPE_CHECKING:
    from pathlib import Path

    from dreamreview.store.importing.values import Suggested
    from tests.workspace.stores import Files

NOW = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)


def ground_of(folder: Path, files: Files | None = None) -> Ground:
    """Return a folder, filled with some files, as an import sees it."""
    root = Root(folder if folder.exists() else lay(folder, files or {}))
    return Ground(root, scan(root), GitDiffer(), NOW, DEFAULT_IGNORE, SIZE_LIMIT)


def made(found: Suggested) -> dict[str, bytes]:
    """Return what the paths that a source changes hold once all of it is made."""
    before = dict(found.before or {})
    after = composed(before, default_edits(found.changes))
    return {
        path: b"".join(rendered(state, before[path].text if path in before else ()).text)
        for path, state in after.items()
    }


def gone(found: Suggested) -> set[str]:
    """Return the paths that a source takes away."""
    return set(found.before or {}) - made(found).keys()


def left(found: Suggested) -> list[tuple[str, str, str]]:
    """Return what a source holds that did not become a change."""
    return [(one.what, one.place, one.reason) for one in found.left]
