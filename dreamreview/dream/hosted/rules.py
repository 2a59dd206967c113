"""What may go to a memory store and what may come from one: names, sizes and numbers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping

from dreamreview.errors import UnsafePathError
from dreamreview.model.claims import path_problem
from dreamreview.model.secrets import find_secrets
from dreamreview.store.moves import above, fold
from dreamreview.store.scan import check_memory_path

MAX_BYTES = 102_400
"""Bytes of one memory. The Memory Stores API's limit."""
MAX_NAME = 1_024
"""Bytes of a memory's path. The Memory Stores API's limit."""
MAX_SEGMENTS = 20
"""Parts of a memory's path. The Memory Stores API's limit."""
MAX_MEMORIES = 10_000
"""Memories of a store. The Memory Stores guide's limit; a service with a lower one says so itself."""
MAX_TOTAL = 104_857_600
"""Bytes of all memories of a store. The Memory Stores guide's limit."""

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def name_problem(name: str) -> str | None:
    """Say why a memory store cannot hold a path; None when it can.

    Args:
        name: the path as the service has it, with ``/`` in front.
    """
    parts = name.split("/")[1:]
    if not name.startswith("/") or any(part in {"", ".", ".."} for part in parts):
        return "its path has an empty part, . or .."
    if len(parts) > MAX_SEGMENTS:
        return f"its path has more than {MAX_SEGMENTS} parts"
    if any(unicodedata.category(character) in _UNSEEN for character in name):
        return "its path holds a character that is not seen, or none of UTF-8"
    if len(name.encode("utf-8")) > MAX_NAME:
        return f"its path is longer than {MAX_NAME:,} bytes"
    if not unicodedata.is_normalized("NFC", name):
        return "its path is not in Unicode's composed form"
    if find_secrets(name):
        return "its path holds what looks like a secret"
    return None


def arrival_problem(name: str) -> str | None:
    """Say why a memory that is new there may not come to the folder; None when it may."""
    problem = name_problem(name)
    if problem is not None:
        return problem
    path = name.removeprefix("/")
    if path_problem(path) is not None:
        return f"its path {path_problem(path)}"
    try:
        check_memory_path(path)
    except UnsafePathError:
        return "its path is bookkeeping, or none that this system can hold"
    return None


def standing_problems(kept: Iterable[str], came: Iterable[str]) -> Mapping[str, str]:
    """Return the paths that come to a folder and cannot stand there beside the others, with the reason.

    Args:
        kept: paths that stand there already, and stay.
        came: paths that are new; of two that exclude each other the first stands.
    """
    files = set(kept)
    twins = {fold(path): path for path in files}
    folders = {name for path in files for name in above(path)}
    problems: dict[str, str] = {}
    for path in came:
        twin = twins.get(fold(path))
        blocked = next((name for name in above(path) if name in files), None)
        if twin is not None:
            problems[path] = f"some systems cannot tell its path from {twin}"
        elif blocked is not None:
            problems[path] = f"its path leads through the file {blocked}"
        elif path in folders:
            problems[path] = "a folder of that name is there"
        else:
            files.add(path)
            twins[fold(path)] = path
            folders.update(above(path))
    return problems
