"""What every use case of a workspace stands on: the folder, the configuration, the clock, the history."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from dreamreview.errors import UnsafePathError
from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import LINK_MODE
from dreamreview.model.records import Record, retired_by
from dreamreview.store.differ import GitDiffer
from dreamreview.store.journal import Journal
from dreamreview.store.rooted import SpecialFileError
from dreamreview.store.scan import Scan, scan

if TYPE_CHECKING:
    from dreamreview.model.plan import Ground
    from dreamreview.model.weave import Weave
    from dreamreview.settings import Settings
    from dreamreview.store.history import History, Woven
    from dreamreview.store.rooted import Root


@dataclass(slots=True)
class Context:
    """One store, opened."""

    root: Root
    settings: Settings
    now: Callable[[], datetime]
    differ: GitDiffer = field(default_factory=GitDiffer)

    def instant(self) -> str:
        """Return the time now, RFC 3339 UTC to the millisecond."""
        return self.now().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def scan(self) -> Scan:
        """Look at the store as it is."""
        return scan(self.root, self.settings.ignore, self.settings.size_limit)

    def records(self) -> tuple[Record, ...]:
        """Return every apply and undo, oldest first."""
        return Journal(self.root).records()

    def live(self, path: str) -> FileState | None:
        """Return what stands under a path of the store; None for nothing, and for what is no file or behind a link."""
        try:
            found = self.root.look(path)
        except (UnsafePathError, SpecialFileError):
            return None
        if found is None:
            return None
        data, mode = found
        return FileState((data,) if mode == LINK_MODE else split_lines(data), mode)


def nothing(_path: str) -> FileState | None:
    """Stand for a base that is not needed."""
    return None


def ground_of(
    context: Context,
    records: Iterable[Record],
    weaves: dict[str, Weave],
    base: Callable[[str], FileState | None] = nothing,
) -> Ground:
    """Return the world as a plan sees it; each path is read once."""
    from dreamreview.model.plan import Ground

    names: list[frozenset[str]] = []

    def all_names() -> frozenset[str]:
        if not names:
            names.append(frozenset(context.scan().entries))
        return names[0]

    return Ground(
        live=cache(context.live),
        base=cache(base),
        names=all_names,
        differ=context.differ,
        retired=retired_by(records),
        weaves=weaves,
    )


def weaves_by_name(history: History, index: dict[str, Woven], paths: Iterable[str]) -> dict[str, Weave]:
    """Return the woven texts of paths by their name now; of two that bear one name, the one that exists."""
    wanted = set(paths)
    uids: dict[str, str] = {}
    for uid, woven in index.items():
        if woven.name in wanted and (woven.name not in uids or woven.exists):
            uids[woven.name] = uid
    loaded = history.weaves(uids.values())
    return {name: loaded[uid] for name, uid in uids.items()}


def weaves_by_uid(history: History, index: dict[str, Woven], uids: Iterable[str]) -> dict[str, Weave]:
    """Return woven texts by uid, with those that bear the same names now."""
    wanted = set(uids)
    names = {index[uid].name for uid in wanted if uid in index}
    return history.weaves(wanted | {uid for uid, woven in index.items() if woven.name in names})
