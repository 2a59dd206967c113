"""What belongs to a store and lies beside it: what the agent reads besides its memory, and its sessions."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from dreamreview.model.markdown import parse
from dreamreview.store.discovery.slugs import slug_of

if TYPE_CHECKING:
    from dreamreview.model.memory import Document
    from dreamreview.settings import Settings

CONTEXT = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", "SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md")
"""Files that agents are handed at the start of every session: Claude Code, Codex, Gemini CLI, OpenClaw."""
SESSION_ENDINGS = (".jsonl", ".md", ".txt")
"""Endings of files that hold a session, in folders that the user names; Claude Code's own are ``.jsonl``."""
MOST_SESSIONS = 200
CONTEXT_BYTES = 256 * 1024
"""Bytes above which a file of the context is not read."""

_LISTED = 10_000
_ABOVE = 3
"""Folders above a store in which its project may begin: ``.claude/agent-memory/NAME`` is the deepest layout."""
_ROOTS = (".git", ".claude")


def context_of(store: str, settings: Settings) -> dict[str, Document]:
    """Return what the agent reads besides a store, by a name for people: beside it, in its project, in its home.

    Files of the store itself are part of it and not named here.
    """
    found: dict[str, Document] = {}
    for folder, shown in _context_folders(store, settings):
        for name in CONTEXT:
            data = _read(os.path.join(folder, name))
            if data is not None:
                found.setdefault(f"{shown}{name}", parse(name, data))
    return found


def _context_folders(store: str, settings: Settings) -> Iterator[tuple[str, str]]:
    above, shown = store, ""
    for _ in range(_ABOVE):
        above, shown = os.path.dirname(above), f"{shown}../"
        if above == os.path.dirname(above):
            break
        yield above, shown
        if any(os.path.lexists(os.path.join(above, name)) for name in _ROOTS):
            break
    if settings.claude_settings is not None:
        yield os.path.dirname(settings.claude_settings), "~/.claude/"


def sessions_of(store: str, settings: Settings, since: datetime | None) -> tuple[str, ...]:
    """Return the sessions of the agent of a store since some moment, newest first, at most `MOST_SESSIONS`.

    Claude Code keeps them beside the memory of a project in its own home, and by the name of the project there. Those
    that the user names in the configuration count for every store. Links are passed over.
    """
    found = {
        path: changed
        for folder, endings in _session_folders(store, settings)
        for path, changed in _files(folder, endings)
        if since is None or changed > since.timestamp()
    }
    return tuple(sorted(found, key=lambda path: (-found[path], path))[:MOST_SESSIONS])


def session_named(store: str, settings: Settings, name: str) -> str | None:
    """Return where the session of a name lies, among those that `sessions_of` looks through; None for none."""
    for place, endings in _session_folders(store, settings):
        named = [place] if not os.path.isdir(place) else [os.path.join(place, name + ending) for ending in endings]
        for path in named:
            if os.path.splitext(os.path.basename(path))[0] == name and any(True for _ in _files(path, endings)):
                return path
    return None


def _session_folders(store: str, settings: Settings) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from ((path, SESSION_ENDINGS) for path in settings.transcripts)
    if settings.claude_settings is None:
        return
    projects = os.path.join(os.path.realpath(os.path.dirname(settings.claude_settings)), "projects")
    parent = os.path.dirname(store)
    if os.path.dirname(parent) == projects:
        yield parent, (".jsonl",)
    inside = f"{os.sep}.claude{os.sep}"
    if inside in store + os.sep:
        yield os.path.join(projects, slug_of(store[: (store + os.sep).rindex(inside)])), (".jsonl",)


def _files(place: str, endings: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    """Yield the files directly in a folder, or the file itself, with the time of their last change."""
    try:
        if not os.path.isdir(place):
            found = os.stat(place, follow_symlinks=False)
            if stat.S_ISREG(found.st_mode):
                yield place, found.st_mtime
            return
        with os.scandir(place) as entries:
            for entry, _ in zip(entries, range(_LISTED), strict=False):
                if entry.name.lower().endswith(endings) and entry.is_file(follow_symlinks=False):
                    yield entry.path, entry.stat(follow_symlinks=False).st_mtime
    except OSError:
        return


def _read(path: str) -> bytes | None:
    """Return what a file of the context says; a link is followed to markdown alone, not to what else a person keeps."""
    try:
        is_markdown = os.path.realpath(path).lower().endswith(".md")
        if not is_markdown or not stat.S_ISREG(os.stat(path).st_mode):
            return None
        with open(path, "rb") as file:
            data = file.read(CONTEXT_BYTES + 1)
    except (OSError, ValueError):
        return None
    return data if len(data) <= CONTEXT_BYTES else None
