"""Which folder a project of Claude Code is about: the name it keeps the project under says so only in part."""

from __future__ import annotations

import os
import re
from functools import cache

_OTHER = re.compile(r"[^A-Za-z0-9]")
LISTINGS = 200
"""Folders that are listed at most to make out one name."""
ENTRIES = 5000
"""Names of one folder that are considered at most."""


def slug_of(path: str) -> str:
    """Return the name under which Claude Code keeps a folder: all but ASCII letters and digits become dashes."""
    return _OTHER.sub(lambda found: "-" if found[0] <= "\uffff" else "--", path)  # it counts in UTF-16


class Projects:
    """Makes out folders from their names; each folder on the way is listed once."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._names = cache(_folders)
        self._left = 0

    def folder_of(self, slug: str) -> str | None:
        """Return the folder that a name stands for; None where none that exists bears it."""
        self._left = LISTINGS
        return self._below(os.sep, slug[1:]) if slug.startswith("-") else None

    def label(self, slug: str) -> str:
        """Return a name as a person reads it: the folder it stands for, else what can be said of it."""
        folder = self.folder_of(slug)
        if folder is not None:
            return from_home(folder, self._home)
        start = slug_of(self._home) + "-"
        return f"~/{slug.removeprefix(start)}" if slug.startswith(start) else slug

    def _below(self, folder: str, rest: str) -> str | None:
        """Return the folder in or under `folder` whose path reads `rest`; longer names go first."""
        if self._left <= 0:
            return None
        self._left -= 1
        for name, said in self._names(folder):
            if said == rest:
                return os.path.join(folder, name)
            if rest.startswith(said + "-"):
                found = self._below(os.path.join(folder, name), rest[len(said) + 1 :])
                if found is not None:
                    return found
        return None


def _folders(folder: str) -> tuple[tuple[str, str], ...]:
    """Return the folders in a folder, each with how it reads in a name, those that read longest first."""
    found: list[tuple[str, str]] = []
    try:
        with os.scandir(folder) as entries:
            for entry, _ in zip(entries, range(ENTRIES), strict=False):
                if _is_folder(entry):
                    found.append((entry.name, slug_of(entry.name)))
    except OSError:
        return ()
    return tuple(sorted(found, key=lambda pair: (-len(pair[1]), pair[0])))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def from_home(path: str, home: str) -> str:
    """Return a path as people write it, from their home on."""
    return "~" + path[len(home) :] if path == home or path.startswith(os.path.join(home, "")) else path
