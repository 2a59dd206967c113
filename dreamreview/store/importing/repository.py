"""Which git repository holds a folder, and where in it the folder lies; found by looking, without running git."""

from __future__ import annotations

import os
from dataclasses import dataclass

_POINTER_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Repository:
    """The repository that holds a folder."""

    top: str
    """Folder of its working tree."""
    git_dir: str
    prefix: bytes
    """Where the folder lies in it, ``/`` between the parts; empty for the top itself."""


def repository_of(folder: str) -> Repository | None:
    """Return the repository that holds a folder (links resolved), None where none does."""
    top = os.path.realpath(folder)
    while True:
        git_dir = _git_dir(os.path.join(top, ".git"))
        if git_dir is not None:
            inside = os.path.relpath(os.path.realpath(folder), top)
            prefix = b"" if inside == os.curdir else os.fsencode(inside.replace(os.sep, "/"))
            return Repository(top, git_dir, prefix)
        above = os.path.dirname(top)
        if above == top:
            return None
        top = above


def _git_dir(place: str) -> str | None:
    """Return where a ``.git`` leads: itself, or for a linked working tree or submodule the folder it names."""
    if os.path.isdir(place):
        return place if os.path.exists(os.path.join(place, "HEAD")) else None
    try:
        with open(place, "rb") as file:
            text = file.read(_POINTER_BYTES)
    except OSError:
        return None
    if not text.startswith(b"gitdir: "):
        return None
    named = os.fsdecode(text.removeprefix(b"gitdir: ").rstrip(b"\r\n"))
    git_dir = os.path.normpath(os.path.join(os.path.dirname(place), named))
    return git_dir if os.path.isdir(git_dir) else None
