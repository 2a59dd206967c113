"""What a changed copy of a store suggests, wherever it lies and whoever left it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError, InvalidManifestError, StoreError
from dreamreview.model import manifest
from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import Base, Proposal
from dreamreview.store import first_base, proposals
from dreamreview.store.bookkeeping import MANIFEST
from dreamreview.store.comparing import compare
from dreamreview.store.copying import Stamp, stamp_all
from dreamreview.store.importing.values import Suggested
from dreamreview.store.opening import left_in
from dreamreview.store.rooted import MissingPathError, Root, shown
from dreamreview.store.scan import Scan, scan

if TYPE_CHECKING:
    from dreamreview.store.importing.ground import Ground

NO_MANIFEST = Proposal(id="", created_at="", base=Base(kind="first-sight", digest="", at=""), changes=())

_NAMED = 5


def from_folder(ground: Ground, source: Root) -> Suggested:
    """Return what a whole copy of a store suggests.

    Where it was made by a dream that declared its changes, those that the copy still shows keep their reasons.

    Raises:
        StoreError: the copy or the store cannot be read, the copy is empty, or git is missing.
    """
    declared, warnings = _declared(source)
    answer = compared(ground, source, name=shown(source.folder), declared=declared, outside=_nested(ground, source))
    dreamer = f", dreamed by {shown(declared.engine.name)}" if declared is not NO_MANIFEST else ""
    narrative = f"Imported from the folder {shown(os.path.basename(source.path))}{dreamer}."
    return replace(answer, warnings=(*warnings, *answer.warnings), narrative=narrative)


def compared(
    ground: Ground,
    source: Root,
    *,
    name: str,
    declared: Proposal = NO_MANIFEST,
    outside: Mapping[str, str],
    is_known: bool = False,
) -> Suggested:
    """Return how a folder differs from the store as it stands.

    Args:
        ground: the store.
        source: the folder.
        name: what to call it.
        declared: what the folder says of itself.
        outside: paths left out of both sides, with the reason.
        is_known: whether the folder is to be held against the store as it stands, and nothing else was its base.
    """
    seen = scan(source, ground.ignore, ground.size_limit)
    if not seen.entries:
        raise StoreError(f"{name} holds no file that could be memory; name a copy of the whole store")
    excluded = {**ground.live.excluded, **seen.excluded, **outside}
    found, table = _both_sides(ground, source, seen, excluded)
    is_same = bool(declared.base.digest) and proposals.digest_of_tree(found.table) == declared.base.digest
    if is_known or is_same:
        found = replace(found, base=replace(found.base, kind="declared"))
    record = compare(declared, found, table, ground.root, source, ground.differ)
    warnings = _told({**excluded, **record.excluded})
    if record.gone:
        warnings.append(f"{len(record.gone)} declared changes do not fit the store, or the copy no longer shows them")
    if found.table and not table.keys() & found.table.keys():
        warnings.append("it shares no path with the store: is it a copy of it?")
    return Suggested(
        source="folder",
        changes=record.proposal.changes,
        before={path: FileState(split_lines(data), record.base[path].mode) for path, data in record.texts.items()},
        warnings=tuple(warnings),
        is_guess=not (is_known or is_same),
    )


def _both_sides(
    ground: Ground, source: Root, seen: Scan, excluded: dict[str, str]
) -> tuple[first_base.Found, dict[str, Stamp]]:
    """Return the store and the folder without what is left out, to which is added what cannot be read."""
    live, problems = ground.live, dict[str, str]()
    table = stamp_all(source, [seen.entries[path] for path in left_in(seen.entries, excluded)], problems)
    found = first_base.of_live(ground.root, live, left_in(live.entries, excluded), problems, ground.now)
    excluded |= problems
    kept = {path: found.table[path] for path in left_in(found.table, excluded)}
    return replace(found, table=kept), {path: table[path] for path in left_in(table, excluded)}


def _declared(source: Root) -> tuple[Proposal, list[str]]:
    """Return what a copy says of itself, and a warning where that cannot be used."""
    try:
        found = manifest.loads(source.read(MANIFEST, manifest.MAX_BYTES))
    except MissingPathError:
        return NO_MANIFEST, []
    except (InvalidManifestError, DreamReviewError) as error:
        return NO_MANIFEST, [f"what {MANIFEST} says is not used: {error}"]
    return found, []


def _nested(ground: Ground, source: Root) -> dict[str, str]:
    """Return the folder that is imported where it lies in the store: it is no memory of it."""
    inside = ground.inside(source.path)
    return {} if inside is None else {inside: "the folder that is imported"}


def _told(excluded: Mapping[str, str]) -> list[str]:
    if not excluded:
        return []
    named = [f"{shown(path)} ({excluded[path]})" for path in sorted(excluded)[:_NAMED]]
    more = f" and {len(excluded) - _NAMED} more" if len(excluded) > _NAMED else ""
    return [f"left out on both sides: {', '.join(named)}{more}"]
