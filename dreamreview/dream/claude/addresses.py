"""How the model names a file: ``/memories/`` and the path inside the store, and nothing that leads out of it."""

from __future__ import annotations

from dreamreview.dream.claude.working_copy import RefusedError, check_name

ROOT = "/memories"
"""The folder that the memory tool speaks of; a name, not a place on the disk."""


def name_of(path: object) -> str:
    """Return the path inside the store that an address stands for, ``""`` for the store itself.

    Raises:
        RefusedError: it is no text, or leads out.
    """
    if not isinstance(path, str):
        raise RefusedError("a path is a text such as /memories/MEMORY.md")
    if path.rstrip("/") == ROOT:
        return ""
    if not path.startswith(ROOT + "/"):
        raise RefusedError(f"a path begins with {ROOT}/; nothing else can be reached")
    name = path[len(ROOT) + 1 :]
    check_name(name)
    return name


def address_of(name: str) -> str:
    """Return how the model names a file."""
    return f"{ROOT}/{name}"
