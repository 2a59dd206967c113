"""The store that an import speaks of: what stands in it, and which paths no change may touch."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.model.claims import path_problem
from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store.copying import read_held
from dreamreview.store.moves import above
from dreamreview.store.rooted import shown
from dreamreview.store.scan import Scan, check_memory_path, is_ignored

if TYPE_CHECKING:
    from dreamreview.store.differ import GitDiffer
    from dreamreview.store.rooted import Root


@dataclass(slots=True)
class Ground:
    """A store as it stands while something is imported."""

    root: Root
    live: Scan
    differ: GitDiffer
    now: datetime
    ignore: tuple[str, ...]
    size_limit: int
    held: dict[str, FileState | None] = field(default_factory=dict)

    def state(self, path: str) -> FileState | None:
        """Return what stands under a path; nothing for what is left out of the store or behind a link.

        Raises:
            StoreError: it is there, but cannot be read.
        """
        if path not in self.held:
            entry = self.live.entries.get(path)
            data = read_held(self.root, path, entry.mode) if entry else None
            if entry and data is None:
                raise StoreError(f"cannot read {path!a} in {self.root.folder}; look at its permissions, then try again")
            self.held[path] = FileState(split_lines(data), entry.mode) if entry and data is not None else None
        return self.held[path]

    def refusal(self, path: str) -> str | None:
        """Say why no change may speak of a path; None where one may."""
        problem = path_problem(path)
        if problem is not None:
            return f"its path {problem}"
        try:
            check_memory_path(path)
        except UnsafePathError:
            return "its path is bookkeeping, or none that this system can hold"
        if self.live.leaves_out(path) or is_ignored(path, self.ignore):
            return "the store leaves it out"
        return None

    def link_above(self, path: str) -> str | None:
        """Return the link that a path would lead through, where there is one."""
        entries = self.live.entries
        return next((name for name in above(path) if name in entries and entries[name].mode == LINK_MODE), None)

    def inside(self, name: str) -> str | None:
        """Return an absolute path as it is called in the store; None where it lies elsewhere."""
        for folder in (self.root.folder, self.root.path):
            rest = name.removeprefix(folder.rstrip("/") + "/")
            if rest != name:
                return rest
        return None


def misplaced(tree: Mapping[str, bool], came: Collection[str]) -> dict[str, str]:
    """Return the paths that came to a tree and cannot stand there, with the reason.

    Args:
        tree: every path, and whether it is a link.
        came: those that are new.
    """
    reasons: dict[str, str] = {}
    for path in tree:
        for name in above(path):
            if name in tree and path in came:
                reasons[path] = f"its path leads through the {'link' if tree[name] else 'file'} {shown(name)}"
            elif name in tree and name in came:
                reasons[name] = "a folder of that name is there"
    return reasons
