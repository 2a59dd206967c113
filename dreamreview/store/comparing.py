"""How a copy is held against its base: the texts that differ read, and the changes found put on record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.model.claims import path_problem
from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.manifest import ranked
from dreamreview.store.bases import BaseRecord
from dreamreview.store.composing import names_of
from dreamreview.store.copying import Stamp, read_held, same_content
from dreamreview.store.proposals import digest_of_tree, distrusted
from dreamreview.store.reconcile import Reconciled, reconcile
from dreamreview.store.scan import digest_of
from dreamreview.store.undeclared import BASE_UNKNOWN, as_changes

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change, Proposal
    from dreamreview.store.differ import GitDiffer
    from dreamreview.store.first_base import Found
    from dreamreview.store.rooted import Root


@dataclass(slots=True)
class _Sides:
    """Base and copy while they are compared: stamps of all paths, bytes of those that matter."""

    base: dict[str, Stamp]
    copy: dict[str, Stamp]
    texts: dict[str, bytes]
    after: dict[str, bytes]
    unknown: set[str]


def compare(
    proposal: Proposal, found: Found, table: Mapping[str, Stamp], live: Root, copy: Root, differ: GitDiffer
) -> BaseRecord:
    """Return the record of a copy compared with its base.

    Args:
        proposal: as declared; without changes where nothing is.
        found: the base.
        table: stamps of the copy.
        live: the store.
        copy: the folder of the copy.
        differ: where hunks come from.

    Raises:
        StoreError: a text of the copy cannot be read, or git is missing.
    """
    sides = _Sides(dict(found.table), dict(table), {}, {}, set(found.unknown))
    excluded = _take_out_bad_names(sides)
    names = _differing(sides)
    names |= {name for change in proposal.changes for edit in change.all_edits for name in names_of(edit)}
    _read_copy(sides, copy, names)
    _read_base(sides, live, found.texts, names)
    before = {path: FileState(split_lines(data), sides.base[path].mode) for path, data in sides.texts.items()}
    after = {path: FileState(split_lines(data), sides.copy[path].mode) for path, data in sides.after.items()}
    is_guess = found.base.kind == "first-sight" and found.base.tree is None and not found.is_known
    unknown = frozenset(sides.base.keys() | sides.copy.keys() if is_guess else sides.unknown)
    kept, rest, gone = _told(reconcile(proposal.changes, before, after, differ), before, unknown)
    base = replace(found.base, digest=found.base.digest or digest_of_tree(sides.base))
    return BaseRecord(
        proposal=_summed(replace(proposal, changes=ranked((*kept, *rest)), base=base), rest),
        base=sides.base,
        texts=sides.texts,
        copy=distrusted(sides.copy),
        gone=gone,
        order=(*(change.id for change in proposal.changes), *(change.id for change in rest)),
        undeclared=len(rest),
        unknown=frozenset(sides.unknown),
        excluded=excluded,
        is_known=found.is_known,
    )


def _differing(sides: _Sides) -> set[str]:
    base, copy = sides.base, sides.copy
    return {path for path in base.keys() | copy.keys() if not same_content(base.get(path), copy.get(path))}


def _take_out_bad_names(sides: _Sides) -> dict[str, str]:
    """Take paths that no change may speak of out of both sides, and return them with the reason."""
    excluded = {path: f"its path {problem}" for path in _differing(sides) if (problem := path_problem(path))}
    for path in excluded:
        sides.base.pop(path, None)
        sides.copy.pop(path, None)
    return excluded


def _read_copy(sides: _Sides, copy: Root, names: set[str]) -> None:
    """Read what the copy holds; what changed since it was stamped is taken as it is now."""
    for path in names & sides.copy.keys():
        stamp = sides.copy[path]
        data = read_held(copy, path, stamp.mode)
        if data is None:
            del sides.copy[path]
            continue
        sides.after[path] = data
        if (digest := digest_of(data)) != stamp.digest:
            sides.copy[path] = stamp._replace(size=len(data), mtime_ns=-1, digest=digest)


def _read_base(sides: _Sides, live: Root, texts: Mapping[str, bytes], names: set[str]) -> None:
    """Find the base text of each path; what live holds now stands in where it is kept nowhere."""
    for path in names & sides.base.keys():
        stamp = sides.base[path]
        data = texts.get(path)
        if data is None and path in sides.after and digest_of(sides.after[path]) == stamp.digest:
            data = sides.after[path]
        if data is None:
            data = read_held(live, path, stamp.mode)
            if data is None or digest_of(data) != stamp.digest:
                sides.unknown.add(path)
        if data is None:
            del sides.base[path]
            continue
        sides.texts[path] = data
        if path in sides.unknown:
            sides.base[path] = stamp._replace(size=len(data), mtime_ns=-1, digest=digest_of(data))


def _told(
    told: Reconciled, before: Mapping[str, FileState], unknown: frozenset[str]
) -> tuple[tuple[Change, ...], tuple[Change, ...], tuple[Change, ...]]:
    """Return the kept, the undeclared and the gone changes, with their flags and with ids that differ."""
    kept = tuple(_flagged(change, unknown) for change in told.kept)
    taken = {change.id for change in (*told.kept, *told.gone)}
    rest = []
    for change in as_changes(told.rest, before, unknown=unknown):
        fresh = change
        while fresh.id in taken:
            fresh = replace(fresh, id=digest_of(fresh.id.encode("ascii"))[:12])
        taken.add(fresh.id)
        rest.append(fresh)
    return kept, tuple(rest), told.gone


def _flagged(change: Change, unknown: frozenset[str]) -> Change:
    flags = tuple(flag for flag in change.flags if flag != BASE_UNKNOWN)
    if any(name in unknown for edit in change.all_edits for name in names_of(edit)):
        flags = (*flags, BASE_UNKNOWN)
    return replace(change, flags=flags)


def _summed(proposal: Proposal, rest: Collection[Change]) -> Proposal:
    """Give a proposal of nothing but undeclared changes a summary, counted from them."""
    if len(rest) < len(proposal.changes) or proposal.engine.name != "unknown":
        return proposal
    counts = Counter(str(change.kind) for change in rest)
    listed = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    return replace(proposal, summary=f"Changes that nobody declared: {listed or 'none'}.")
