"""What kind of source an import was given, told by what it looks like, and read accordingly."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError, UsageError
from dreamreview.store.bookkeeping import OWN, PROPOSALS
from dreamreview.store.importing import candidates, mem0
from dreamreview.store.importing.candidates import RECALLS, Candidate, is_recall_store, is_report
from dreamreview.store.importing.diff_text import is_diff
from dreamreview.store.importing.folder import from_folder
from dreamreview.store.importing.patch import from_diffs
from dreamreview.store.importing.promoting import from_candidates
from dreamreview.store.importing.revision import from_revision
from dreamreview.store.importing.values import MAX_BYTES, Suggested, within_limit
from dreamreview.store.rooted import Root, shown
from dreamreview.store.scan import scan

if TYPE_CHECKING:
    from dreamreview.store.importing.ground import Ground

STDIN = "-"
REVISION = "git:"
INBOX = ".inbox"
"""Where Gemini CLI leaves the patches of its memory, in folders by kind."""

MAX_PATCHES = 1_000

_ENDINGS = (".patch", ".diff")
_REPORTS = "memory/dreaming"
_NAME = os.path.basename(RECALLS)


def suggested_by(ground: Ground, source: str, data: bytes | None = None) -> Suggested:
    """Return what a source suggests for a store.

    Args:
        ground: the store.
        source: a folder, a file, ``-`` or ``git:`` and a revision.
        data: what stands on stdin, for ``-``.

    Raises:
        UsageError: there is no such source, it is the store itself, or it looks like nothing that can be imported.
        StoreError: it cannot be read, or holds more than an import may.
    """
    if source.startswith(REVISION):
        return from_revision(ground, source.removeprefix(REVISION))
    if source == STDIN:
        return _of_bytes(ground, "stdin", data or b"")
    if os.path.isdir(source):
        return _of_folder(ground, Root(source))
    return _of_bytes(ground, shown(os.path.basename(source)), _read(source), os.path.dirname(os.path.abspath(source)))


def _read(source: str) -> bytes:
    try:
        with open(source, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"cannot read {shown(source)}: {(error.strerror or str(error)).lower()}") from error
    within_limit(shown(source), data, MAX_BYTES, "bytes")
    return data


def _of_bytes(ground: Ground, name: str, data: bytes, folder: str | None = None) -> Suggested:
    within_limit(name, data, MAX_BYTES, "bytes")
    if not data.strip():
        return Suggested(source="patch", narrative=f"{name} is empty.")
    if is_recall_store(data):
        return from_candidates(ground, candidates.read_recalls(name, data), name, _workspace(folder))
    if mem0.is_export(data):
        return mem0.from_export(ground, name, data)
    if is_diff(data):
        return from_diffs(ground, [(name, data)])
    if is_report(data):
        return from_candidates(ground, candidates.read_report(name, data), name, _workspace(folder))
    raise UsageError(f"{name} is no unified diff, no mem0 export and no list of candidates of OpenClaw")


def _workspace(folder: str | None) -> Root | None:
    """Return the OpenClaw workspace that a file of one lies in."""
    while folder is not None:
        above, name = os.path.split(folder)
        if name == "memory":
            return Root(above)
        folder = above if name and above != folder else None
    return None


def _of_folder(ground: Ground, source: Root) -> Suggested:
    is_store = source.path == ground.root.path
    patches = _patches(source, is_store=is_store)
    if patches:
        return from_diffs(ground, patches)
    workspace = _staging(ground, source, is_store=is_store)
    if workspace is not None:
        return from_candidates(ground, _staged(workspace, ground), f"the workspace {_base(workspace)}", workspace)
    inside = ground.inside(source.path)
    if is_store:
        raise UsageError(f"{ground.root.folder} is the memory folder itself; name a changed copy of it")
    if inside is not None and inside.split("/")[0] in (PROPOSALS, OWN):
        raise UsageError(f"{shown(source.folder)} is a proposal of this folder already; `dreamreview show` reads it")
    if ground.root.path.startswith(source.path.rstrip("/") + "/"):
        raise UsageError(f"{shown(source.folder)} holds the memory folder itself; name a changed copy of that folder")
    return from_folder(ground, source)


def _patches(source: Root, *, is_store: bool) -> list[tuple[str, bytes]]:
    """Return the patches of a folder that holds nothing else, or of the inbox of the store itself."""
    if is_store:
        inbox = os.path.join(source.path, INBOX)
        return _read_all(Root(inbox), _named_patches(Root(inbox))) if os.path.isdir(inbox) else []
    found = _named_patches(source)
    is_whole = _is_inbox(source) or len(found) == len(scan(source).entries)
    return _read_all(source, found) if found and is_whole else []


def _is_inbox(source: Root) -> bool:
    return INBOX in source.path.split(os.sep)[-2:]


def _named_patches(source: Root) -> list[str]:
    found = [path for path, entry in scan(source).entries.items() if path.endswith(_ENDINGS) and entry.kind == "file"]
    within_limit(shown(source.folder), found, MAX_PATCHES, "patches")
    return found


def _read_all(source: Root, names: list[str]) -> list[tuple[str, bytes]]:
    found = [(shown(name), source.read(name, MAX_BYTES)) for name in names]
    within_limit(shown(source.folder), b"".join(data for _, data in found), MAX_BYTES, "bytes")
    return found


def _staging(ground: Ground, source: Root, *, is_store: bool) -> Root | None:
    """Return the OpenClaw workspace whose staged memories are meant; None where a folder is a copy of the store."""
    if os.path.basename(source.path) == ".dreams" and source.exists(_NAME):
        return _workspace(source.path)
    has_staged = source.exists("memory") and (source.exists(RECALLS) or source.exists(_REPORTS))
    is_copy = not is_store and ground.root.exists("memory") and ground.root.exists(RECALLS)
    return source if has_staged and not is_copy else None


def _staged(workspace: Root, ground: Ground) -> Iterator[Candidate]:
    """Yield what a workspace has staged: recalls first, then reports of light sleeps that name other lines."""
    seen: set[tuple[str, int, int]] = set()
    for found in islice(_all_of(workspace, ground), candidates.MAX_ENTRIES):
        place = (found.path, found.first, found.last)
        if place not in seen:
            seen.add(place)
            yield found


def _all_of(workspace: Root, ground: Ground) -> Iterator[Candidate]:
    if workspace.exists(RECALLS):
        data = workspace.read(RECALLS, MAX_BYTES)
        if not is_recall_store(data):
            raise StoreError(f"{RECALLS} in {workspace.folder} is not OpenClaw's list of short-term recalls")
        yield from candidates.read_recalls(RECALLS, data)
    for path, entry in scan(workspace, ground.ignore, ground.size_limit).entries.items():
        if path.startswith("memory/") and path.endswith(".md") and entry.kind == "file":
            yield from candidates.read_report(path, workspace.read(path))


def _base(root: Root) -> str:
    return shown(os.path.basename(root.path))
