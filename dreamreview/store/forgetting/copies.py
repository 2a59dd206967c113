"""The copy of a proposal, made to hold what its record says of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import LINK_MODE
from dreamreview.store import bases, proposals
from dreamreview.store.composing import composed, default_edits, rendered
from dreamreview.store.copying import read_held
from dreamreview.store.forgetting.contents import without_lines
from dreamreview.store.rooted import Root
from dreamreview.store.scan import digest_of, scan

if TYPE_CHECKING:
    from dreamreview.model.forgetting.wanted import Scope
    from dreamreview.model.proposal import Change
    from dreamreview.store.bases import BaseRecord


def composed_copy(record: BaseRecord, changes: Iterable[Change]) -> dict[str, FileState]:
    """Return what the changes of a proposal make of those paths of its base that any of them names."""
    before = {path: FileState(split_lines(data), record.base[path].mode) for path, data in record.texts.items()}
    tree = composed(before, default_edits(changes))
    return {path: rendered(state, before[path].text if path in before else ()) for path, state in tree.items()}


def match_copy(root: Root, proposal: str, scope: Scope) -> None:
    """Make the copy of a proposal hold what its record says of it; doing it twice changes nothing."""
    place = proposals.place(proposal)
    if not root.exists(place):
        return
    record, _ = bases.read(root, proposal)
    if record is not None and record.is_observed:
        return
    copy, tree = Root(root.absolute(place)), None
    for path, entry in scan(copy, ()).entries.items():
        data = read_held(copy, path, entry.mode)
        stamp = record.copy.get(path) if record is not None else None
        if data is None or (stamp is not None and digest_of(data) == stamp.digest):
            continue
        left = without_lines(scope, path, data, is_link=entry.mode == LINK_MODE)
        is_ours = record is not None and bool(record.copy) and not _is_left_out(path, record.excluded)
        if record is not None and is_ours and (stamp is None or left is None or digest_of(left) != stamp.digest):
            tree = composed_copy(record, record.proposal.changes) if tree is None else tree
            state = tree.get(path) if stamp is not None else None
            left = b"".join(state.text) if state is not None else None if stamp is None else left
        if left is None:
            copy.remove(path)
        elif left != data and entry.mode != LINK_MODE:
            copy.write_atomic(path, left, entry.mode)
    if record is not None and record.copy:
        _bring_back(copy, record, tree)


def _bring_back(copy: Root, record: BaseRecord, tree: Mapping[str, FileState] | None) -> None:
    """Make what a withdrawn change had taken away stand in the copy again."""
    missing = [path for path in record.copy if not copy.exists(path)]
    if missing:
        tree = composed_copy(record, record.proposal.changes) if tree is None else tree
    for path in missing:
        state = tree.get(path) if tree is not None else None
        if state is None:
            continue
        above = path.rpartition("/")[0]
        if above:
            copy.make_dirs(above, 0o700)
        if state.is_link:
            copy.symlink(os.fsdecode(b"".join(state.text)), path)
        else:
            copy.write_atomic(path, b"".join(state.text), state.mode)


def _is_left_out(path: str, excluded: Collection[str]) -> bool:
    parts = path.split("/")
    return any("/".join(parts[:depth]) in excluded for depth in range(1, len(parts) + 1))
