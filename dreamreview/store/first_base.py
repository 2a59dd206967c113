"""What a proposal's base is taken to be when its copy is seen for the first time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from dreamreview.model.edits import Text, split_lines
from dreamreview.model.proposal import LINK_MODE, Act, Base, FileEdit, Proposal
from dreamreview.store.composing import default_edits
from dreamreview.store.copying import Stamp, read_all, stamp_all
from dreamreview.store.proposals import digest_of_tree
from dreamreview.store.reconcile import text_before
from dreamreview.store.scan import Entry, Scan, digest_of

if TYPE_CHECKING:
    from dreamreview.store.rooted import Root


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of the store that the history kept."""

    tree: str
    """Its object name."""
    at: str
    """When it was taken, RFC 3339 UTC."""
    files: Mapping[str, tuple[int, bytes]]
    """Path to mode (`LINK_MODE` for a link) and bytes (a link's target)."""


@dataclass(frozen=True, slots=True)
class Found:
    """A base: how it was found, what it holds, and such texts of it as are at hand."""

    base: Base
    """Its digest is worked out later where it was found just now."""
    table: Mapping[str, Stamp]
    texts: Mapping[str, bytes] = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    """Paths whose base could not be known."""
    is_known: bool = False
    """Whether a base found at first sight is more than a guess: the store was seen before the copy was made."""


def of_live(root: Root, live: Scan, left_in: Collection[str], problems: dict[str, str], now: datetime) -> Found:
    """Take the store as it stands for the base, for want of anything better."""
    table = stamp_all(root, [live.entries[path] for path in left_in], problems)
    at = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Found(Base(kind="first-sight", digest="", at=at), table)


def of_snapshot(snapshot: Snapshot) -> Found:
    """Take a state that the history kept for the base."""
    table = {path: _stamp(data, mode) for path, (mode, data) in snapshot.files.items()}
    base = Base(kind="first-sight", digest="", at=snapshot.at, tree=snapshot.tree)
    return Found(base, table, {path: data for path, (_, data) in snapshot.files.items()})


def of_declared(declared: Proposal, root: Root, live: Scan, copy: Root, table: Mapping[str, Stamp]) -> Found | None:
    """Work the base out of a copy by taking the declared edits back; None where the digest does not prove it."""
    if digest_of_tree(table) != declared.rendering:
        return None
    by_path: dict[str, list[FileEdit]] = defaultdict(list)
    for edit in default_edits(declared.changes):
        by_path[edit.path].append(edit)
    targets = {edit.to: path for path, edits in by_path.items() for edit in edits if edit.to is not None}
    before = dict(table)
    texts: dict[str, bytes] = {}
    held = _contents(copy, table, {*by_path, *targets})
    ours = _contents(root, live.entries, by_path)
    for path in {*by_path, *targets}:
        before.pop(path, None)
    for path, edits in by_path.items():
        name = next((edit.to for edit in edits if edit.to is not None), path)
        state = _before(edits, held.get(name), table.get(name), ours.get(path))
        if state is None:
            return None
        data, mode = state
        if mode is not None:
            texts[path] = data
            before[path] = _stamp(data, mode)
    if digest_of_tree(before) != declared.base.digest:
        return None
    return Found(declared.base, before, texts)


def _contents(root: Root, known: Mapping[str, Stamp] | Mapping[str, Entry], paths: Collection[str]) -> dict[str, bytes]:
    entries = []
    for path in paths:
        found = known.get(path)
        if found is not None:
            kind = "link" if found.mode == LINK_MODE else "file"
            entries.append(Entry(path, kind, found.size, found.mtime_ns, found.mode, found.inode))
    return {read.path: read.data for read in read_all(root, entries, {})}


def _before(
    edits: list[FileEdit], after: bytes | None, stamp: Stamp | None, live: bytes | None
) -> tuple[bytes, int | None] | None:
    """Return what a path held before its edits (mode None: it was not there); None where they do not fit."""
    acts = {edit.act: edit for edit in edits}
    if Act.DELETE in acts:
        gone = acts[Act.DELETE]
        return b"".join(gone.old), 0o644 if gone.mode is None else gone.mode
    if Act.CREATE in acts:
        return b"", None
    if after is None or stamp is None:
        return None
    mode = stamp.mode if Act.MODE not in acts else acts[Act.MODE].old_mode
    lines = [edit for edit in edits if edit.act is Act.LINES]
    text = text_before(split_lines(after), lines)
    if text is None or mode is None:
        return None
    data = b"".join(text)
    return (_unclosed(text, lines, live) or data), mode


def _unclosed(text: Text, lines: list[FileEdit], live: bytes | None) -> bytes | None:
    """Return the live bytes where they differ from the text in a final line end that only rendering may have added."""
    if live is None or not text or not any(edit.start == edit.stop == len(text) for edit in lines):
        return None
    data = b"".join(text)
    return live if data in (live + b"\n", live + b"\r\n") else None


def _stamp(data: bytes, mode: int) -> Stamp:
    return Stamp(len(data), -1, mode, 0, digest_of(data))
