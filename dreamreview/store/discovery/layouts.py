"""Where the known systems keep their memory inside a project, and whether a folder holds any."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from dreamreview.store.bookkeeping import OWN, PROPOSALS

INDEX = "MEMORY.md"
AGENTS = 200
"""Agents of one project that are looked at."""
ENTRIES = 1000
"""Names of one folder that are looked at for a note."""
FOLDERS = 50
"""Folders in it that are looked at for one."""
ANCESTORS = 40
"""Folders above the current one that are looked at for the root of its repository."""

_OWN_MARKS = (INDEX, OWN, PROPOSALS)
_BANK = ("projectbrief.md", "activeContext.md")
"""Files that Cline's and Roo's memory bank begins with."""
_SOUL = ("SOUL.md", "IDENTITY.md")
"""Files that say who the agent of an OpenClaw workspace is."""
_INNER = (".claude/memory", ".serena/memories", "memory-bank", ".kilocode/rules/memory-bank")
"""Folders that are a memory by their name: Claude Code, Serena, Cline and Roo, Kilo Code."""
_BY_AGENT = (".claude/agent-memory", ".claude/agent-memory-local")
"""Folders with a memory for each agent of Claude Code."""
_COMMON = ("memory", "memories")
"""Names that are a memory's (Claude Code, OpenClaw, Hermes, Codex) only with an index or dated notes inside."""
_DATED = re.compile(r"\d{4}-\d\d-\d\d.*\.md")


def memories_of(project: str) -> Iterator[str]:
    """Yield the memory folders of a project, relative to it; "." alone where the project is one itself."""
    if is_memory(project):
        yield "."
        return
    for inner in _INNER:
        if holds_memory(os.path.join(project, inner)):
            yield inner
    for inner in _BY_AGENT:
        for name in _names(os.path.join(project, inner), AGENTS):
            if holds_memory(os.path.join(project, inner, name)):
                yield f"{inner}/{name}"
    for inner in _COMMON:
        if _has_memory_names(os.path.join(project, inner)):
            yield inner


def is_memory(folder: str) -> bool:
    """Tell whether a folder is a memory by what lies in it, or by where it lies."""
    if _has(folder, _OWN_MARKS) or _has(folder, _BANK):
        return True
    if _has(folder, _SOUL) and os.path.isdir(os.path.join(folder, "memory")):
        return True
    inside = folder.replace(os.sep, "/")
    is_named = inside.endswith(tuple(f"/{inner}" for inner in _INNER)) or os.path.dirname(inside).endswith(_BY_AGENT)
    return is_named and holds_memory(folder)


def holds_memory(folder: str) -> bool:
    """Tell whether a folder, or one directly in it, holds a note, or whether we have been there."""
    try:
        return _holds(folder)
    except OSError:
        return False


def _holds(folder: str) -> bool:
    """Tell the same.

    Raises:
        OSError: the folder cannot be listed.
    """
    folders: list[str] = []
    with os.scandir(folder) as entries:
        for entry in islice(entries, ENTRIES):
            if entry.name in (OWN, PROPOSALS) or _is_note(entry.name):
                return True
            if entry.name[:1] != "." and entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
    return any(_is_note(name) for inner in folders[:FOLDERS] for name in _names(inner, ENTRIES))


def problem_of(folder: str) -> str:
    """Return why a folder cannot be looked at; empty where it can, or where there is none."""
    try:
        with os.scandir(folder):
            return ""
    except (FileNotFoundError, NotADirectoryError):
        return "the link leads nowhere" if os.path.islink(folder) else ""
    except OSError as error:
        return f"it cannot be read: {(error.strerror or str(error)).lower()}"


def repository_of(folder: str) -> str | None:
    """Return the root of the git repository around a folder; None where there is none."""
    for _ in range(ANCESTORS):
        if os.path.lexists(os.path.join(folder, ".git")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    return None


def _has_memory_names(folder: str) -> bool:
    return any(name in _OWN_MARKS or _DATED.fullmatch(name) for name in _names(folder, ENTRIES))


def _is_note(name: str) -> bool:
    return name.lower().endswith(".md")


def _has(folder: str, names: Sequence[str]) -> bool:
    return any(os.path.lexists(os.path.join(folder, name)) for name in names)


def _names(folder: str, limit: int) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in islice(entries, limit))
    except OSError:
        return []
