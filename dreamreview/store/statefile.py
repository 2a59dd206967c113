"""The bytes of ``.dream-state.json``: read tolerantly, written in one step, set aside when they make no sense."""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from dreamreview.errors import DreamReviewError
from dreamreview.model.state import DreamState, parse, serialise
from dreamreview.store.rooted import MissingPathError, Root, shown

NAME = ".dream-state.json"
"""At the root of a store. Spring AI's name."""

_NEW_MODE = 0o644
_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a store knows of its dreams."""

    state: DreamState
    warning: str | None = None
    """Why the file was not believed, in one sentence; the state is then that of a store that never dreamed."""


def load(root: Root) -> Loaded:
    """Read the state of a store; never fails, and changes nothing."""
    try:
        return Loaded(parse(root.read(NAME, _LIMIT)))
    except MissingPathError:
        return Loaded(DreamState())
    except DreamReviewError as error:
        problem = f"{NAME} in {shown(root.folder)} cannot be used and counts as never dreamed"
        return Loaded(DreamState(), f"{problem}: {error}")


def update(root: Root, change: Callable[[DreamState], DreamState]) -> Loaded:
    """Read, change and write the state of a store that is held; a file that makes no sense is set aside, not lost.

    Raises:
        StoreError: the folder cannot be written to.

    """
    loaded = load(root)
    found = root.stat(NAME)
    warning = None
    if loaded.warning is not None and found is not None:
        aside = _set_aside(root)
        warning, found = f"{loaded.warning}; it was kept as {aside}", None
    state = change(loaded.state)
    data = serialise(state)
    if found is None or root.read(NAME, _LIMIT) != data:
        root.write_atomic(NAME, data, _NEW_MODE if found is None else stat.S_IMODE(found.st_mode))
    return Loaded(state, warning)


def _set_aside(root: Root) -> str:
    aside = next(name for n in count(1) if not root.exists(name := f"{NAME}.corrupt-{n}"))
    root.replace(NAME, aside)
    return aside
