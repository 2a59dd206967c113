"""Which changes of a proposal move lines that OpenClaw's recall store names by number."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.model.recalled import Remembered, remembered, shifts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dreamreview.model.proposal import Change
    from dreamreview.store.rooted import Root

INSIDE = "memory/.dreams/short-term-recall.json"
"""Where the recall store lies in an OpenClaw workspace, whose paths it names from its root."""
BESIDE = ".dreams/short-term-recall.json"
"""The same where the store that is reviewed is the ``memory`` folder of a workspace."""
LIMIT = 16 * 1024 * 1024
"""Bytes above which a recall store is not read."""


def shifting(root: Root, changes: Iterable[Change]) -> frozenset[str]:
    """Return the ids of the changes that move or rewrite remembered lines; one that cannot be read names none."""
    runs = _runs(root)
    return frozenset(change.id for change in changes if shifts(change, runs)) if runs else frozenset()


def _runs(root: Root) -> Remembered:
    inside = _read(root, INSIDE)
    if inside is not None:
        return inside
    return {path.removeprefix("memory/"): runs for path, runs in (_read(root, BESIDE) or {}).items()}


def _read(root: Root, place: str) -> Remembered | None:
    try:
        return remembered(json.loads(root.read(place, LIMIT)))
    except (DreamReviewError, ValueError, RecursionError):
        return None
