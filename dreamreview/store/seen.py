"""What is known of a store since it was last looked at: every path as it stood, and what of it is not decided yet."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.errors import UnsafePathError
from dreamreview.store.bookkeeping import OWN, make_folder
from dreamreview.store.copying import Stamp, stamps_of
from dreamreview.store.rooted import MissingPathError

if TYPE_CHECKING:
    from dreamreview.store.rooted import Root

FOLDER = f"{OWN}/snapshots"
"""Where all that is kept of earlier states of a store lies."""

PLACE = f"{FOLDER}/seen"

_HEAD = re.compile(rb"dreamreview/seen@1 ([0-9a-f]{64})\n")


@dataclass(frozen=True, slots=True)
class Seen:
    """A store as it was last looked at."""

    at: str
    """When, RFC 3339 UTC."""
    number: int
    """Number of its snapshot; the order of looks, whatever the clock said."""
    commit: str
    """Object name of that snapshot."""
    applied: int
    """Number of the last apply or undo of ours that is part of it."""
    live: Mapping[str, Stamp]
    """Every path; a stamp that cannot be trusted has ``mtime_ns`` -1."""
    others: Mapping[str, Stamp | None] = field(default_factory=dict)
    """Path to what it held before others changed it, None for nothing, where that is not decided yet."""
    proposal: str | None = None
    """The open proposal that shows what others changed."""
    is_told: bool = True
    """False while that proposal is being written: it has to be written again then."""
    mounts: tuple[str, ...] = ()
    """Folders of the store that lay on another file system than it."""

    @property
    def base(self) -> dict[str, Stamp]:
        """Every path as it would be without what others did and nobody decided."""
        table = {**self.live, **self.others}
        return {path: stamp for path, stamp in table.items() if stamp is not None}


def read(root: Root) -> tuple[Seen | None, str | None]:
    """Return what is known, None where the store was never looked at, and a warning where it cannot be used.

    Raises:
        StoreError: it cannot be read just now; to look at the store as if for the first time would lose what it tells.
    """
    try:
        data = root.read(PLACE)
    except MissingPathError:
        return None, None
    except UnsafePathError as error:
        return None, f"what was seen of the store before cannot be read: {error}"
    try:
        return _parsed(data), None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        return None, f"what was seen of the store before is damaged ({error}); it is looked at as if for the first time"


def write(root: Root, seen: Seen) -> None:
    """Keep what was seen, mode 0600, in one step.

    Raises:
        StoreError: it cannot be written.
    """
    document = {
        "at": seen.at,
        "number": seen.number,
        "commit": seen.commit,
        "applied": seen.applied,
        "live": [list(seen.live), *(list(column) for column in zip(*seen.live.values(), strict=True))],
        "others": {path: list(stamp) if stamp else None for path, stamp in seen.others.items()},
        "proposal": seen.proposal,
        "told": seen.is_told,
        "mounts": list(seen.mounts),
    }
    body = json.dumps(document, separators=(",", ":")).encode("ascii")
    head = f"dreamreview/seen@1 {hashlib.sha256(body).hexdigest()}\n".encode("ascii")
    make_folder(root, FOLDER)
    root.write_atomic(PLACE, head + body, 0o600)


def _parsed(data: bytes) -> Seen:
    head = _HEAD.match(data)
    if head is None:
        raise ValueError("no such format")
    body = data[head.end() :]
    if hashlib.sha256(body).hexdigest().encode("ascii") != head[1]:
        raise ValueError("its digest differs")
    found = json.loads(body)
    proposal = found["proposal"]
    return Seen(
        at=str(found["at"]),
        number=int(found["number"]),
        commit=str(found["commit"]),
        applied=int(found["applied"]),
        live=stamps_of(found["live"]),
        others={path: None if row is None else Stamp(*row) for path, row in found["others"].items()},
        proposal=None if proposal is None else str(proposal),
        is_told=bool(found["told"]),
        mounts=tuple(map(str, found["mounts"])),
    )
