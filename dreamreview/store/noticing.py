"""What is not as it was when a store was last looked at, told only once it stands still."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError
from dreamreview.store import seen as seen_before
from dreamreview.store.copying import Stamp, read_all, same_content
from dreamreview.store.folder import telling
from dreamreview.store.moves import above
from dreamreview.store.rooted import shown

if TYPE_CHECKING:
    from dreamreview.store.rooted import Root
    from dreamreview.store.scan import Entry, Scan
    from dreamreview.store.seen import Seen

SETTLING_SECONDS = 0.2
"""Seconds between two looks that have to agree: programs write a file in less, also those that empty it first."""

LOOKS = 15
"""Looks after which what does not stand still is left for later."""


@dataclass(frozen=True, slots=True)
class Noticed:
    """A store as it stands."""

    live: Mapping[str, Stamp]
    """Every path; what could not be read, or does not stand still, as it was seen before."""
    texts: Mapping[str, bytes] = field(default_factory=dict)
    """Bytes (a link's target) of the paths that were read."""
    differs: frozenset[str] = frozenset()
    """Paths whose content, kind or executable bit is not as it was seen before."""
    unsteady: tuple[str, ...] = ()
    """Paths that somebody writes to just now."""
    unread: Mapping[str, str] = field(default_factory=dict)
    """Paths that could not be read, with the reason."""
    mounts: tuple[str, ...] = ()
    """Folders of the store that lie on another file system than it."""


def notice(root: Root, seen: Seen | None, scan: Callable[[], Scan], pause: Callable[[float], None]) -> Noticed:
    """Hold a store against what was seen of it before; nothing is written.

    Args:
        root: the store.
        seen: what was seen before, None for the first look.
        scan: looks at the store as it is.
        pause: waits for some seconds.

    Raises:
        StoreError: the folder is gone or was replaced, or is not the one that was seen.
    """
    identity = _identity(root)
    known = seen.live if seen is not None else {}
    found = scan()
    suspects = _suspects(found, known)
    unsteady: set[str] = set()
    if suspects and seen is not None:
        found, suspects, unsteady = _at_rest(scan, found, suspects, known, pause)
        suspects = _without_unmounted(root, suspects, found, seen.mounts)
    problems: dict[str, str] = {}
    read = list(read_all(root, [found.entries[path] for path in suspects if path in found.entries], problems))
    if _identity(root) != identity or (seen is not None and not root.exists(seen_before.PLACE)):
        raise StoreError(f"{shown(root.folder)} was moved or replaced while it was looked at; look again")
    stamps = {one.path: one.stamp for one in read}
    unsteady |= {path for path in suspects if path in found.entries and not _is_whole(found, stamps, problems, path)}
    live = {path: stamp for path, stamp in known.items() if path not in suspects or path in unsteady | problems.keys()}
    live |= {path: stamp for path, stamp in stamps.items() if path not in unsteady}
    return Noticed(
        live=live,
        texts={one.path: one.data for one in read if one.path not in unsteady},
        differs=frozenset(path for path in suspects if not same_content(known.get(path), live.get(path))),
        unsteady=tuple(sorted(unsteady)),
        unread=problems,
        mounts=_mounts(root, live) if suspects or seen is None else seen.mounts,
    )


def _identity(root: Root) -> tuple[int, int]:
    root.require()
    found = _stat(root)
    return found.st_dev, found.st_ino


def _stat(root: Root) -> os.stat_result:
    with telling("look at", ".", root.path):
        return os.stat(root.path)


def _suspects(found: Scan, known: Mapping[str, Stamp]) -> set[str]:
    """Return the paths that may differ, by their stat alone; what is left out of a look is none."""
    entries = found.entries
    suspects = {path for path, entry in entries.items() if not _looks_same(entry, known.get(path))}
    return suspects | {path for path in known if path not in entries and not found.leaves_out(path)}


def _looks_same(entry: Entry, stamp: Stamp | None) -> bool:
    return stamp is not None and stamp[:4] == (entry.size, entry.mtime_ns, entry.mode, entry.inode)


def _at_rest(
    scan: Callable[[], Scan],
    found: Scan,
    suspects: set[str],
    known: Mapping[str, Stamp],
    pause: Callable[[float], None],
) -> tuple[Scan, set[str], set[str]]:
    """Look until two looks agree; return the last one, what may differ, and what never stood still."""
    unsteady: set[str] = set()
    for _ in range(LOOKS):
        pause(SETTLING_SECONDS)
        again = scan()
        fresh = _suspects(again, known)
        unsteady = {path for path in suspects | fresh if found.entries.get(path) != again.entries.get(path)}
        found, suspects = again, fresh
        if not unsteady:
            break
    return found, suspects | unsteady, unsteady


def _is_whole(found: Scan, stamps: Mapping[str, Stamp], problems: Collection[str], path: str) -> bool:
    """Tell whether a path was read as it had been looked at."""
    if path in problems:
        return True
    entry, stamp = found.entries[path], stamps.get(path)
    return stamp is not None and (stamp.size, stamp.mtime_ns) == (entry.size, entry.mtime_ns)


def _without_unmounted(root: Root, suspects: set[str], found: Scan, mounts: Iterable[str]) -> set[str]:
    """Leave out what lay on another file system that is not there now."""
    own = _stat(root).st_dev
    away = [folder for folder in mounts if _device(root, folder) in (None, own)]
    return {path for path in suspects if path in found.entries or not any(up in away for up in above(path))}


def _mounts(root: Root, live: Iterable[str]) -> tuple[str, ...]:
    own = _stat(root).st_dev
    folders = {up for path in live for up in above(path)}
    return tuple(sorted(folder for folder in folders if _device(root, folder) not in (None, own)))


def _device(root: Root, folder: str) -> int | None:
    found = root.stat(folder)
    return found.st_dev if found is not None else None
