"""Whether a file is something a dream, a backup or an archive left behind, rather than memory."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dreamreview.model.memory import Role

_OUTPUT_FOLDERS = frozenset({".dreams", "dreaming", ".dream-proposals", ".dreamreview", ".openclaw-repair"})
"""Folders in which OpenClaw's dreaming, Spring AI's AutoDreamService and this program keep what they make."""
_ASIDE = re.compile(
    r"[._]?(?:archived?|archives|back-?ups?|bak|trash)(?:[-_. ].*)?$|.*[-_.](?:archived?|back-?up|bak)$"
)
_ASIDE_FILE = re.compile(r".*(?:\.bak|\.orig|\.old|~|[-_.]back-?up)(?:[-_.]?\d[\d\-_.t]*)?$|(?:memory[-_.])?archived?$")
_DREAMT = re.compile(r"\bdreaming:|^[ \t]*[-*+][ \t]+confidence:", re.IGNORECASE)
_DIARIES = frozenset({"dreams.md", "dream-diary.md", "dream_diary.md"})


def is_output(path: str, texts: Sequence[str], roles: Sequence[Role]) -> bool:
    """Tell whether a file holds what is never dreamed again: dream reports, diaries, archives, backups.

    By its place and name, or because nothing but a dream's blocks stands under its headings.
    """
    *folders, name = path.casefold().split("/")
    if any(folder in _OUTPUT_FOLDERS or _ASIDE.match(folder) for folder in folders):
        return True
    stem = name.removesuffix(".md").removesuffix(".markdown")
    if name in _DIARIES or _ASIDE_FILE.match(stem) or _ASIDE_FILE.match(name):
        return True
    if Role.TEXT in roles or Role.FRONTMATTER in roles:
        return False
    managed = (text for text, role in zip(texts, roles, strict=True) if role is Role.MANAGED)
    return any(_DREAMT.search(text) for text in managed)
