"""What a forgetting is asked for, on the disk from its point of no return to its end; and what is kept of it after."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from dreamreview.errors import StoreError
from dreamreview.model.forgetting.asking import Place
from dreamreview.model.forgetting.receipt import Receipt, receipt_from_json, receipt_to_json
from dreamreview.model.forgetting.wanted import Scope, Wanted
from dreamreview.store.bookkeeping import FORGETTING, OWN, make_folder
from dreamreview.store.rooted import MissingPathError

if TYPE_CHECKING:
    from dreamreview.store.rooted import Root

FOLDER = f"{OWN}/forgotten"
"""Where receipts lie, and while a forgetting is under way what it is asked for."""

REQUEST = FORGETTING
MOVES = f"{FOLDER}/moves"
"""What the first steps found out and the later ones need: removed with the request."""


@dataclass(frozen=True, slots=True)
class Request:
    """One forgetting that was begun. It holds the text itself, mode 0600, and is removed at the end."""

    id: str
    at: str
    scope: Scope
    place: Place | None
    """The file or line that was named; None where every line counts."""
    receipt: Receipt


@dataclass(slots=True)
class Moves:
    """What became of the private repositories."""

    commits: dict[str, str] = field(default_factory=dict)
    deeds: set[str] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)


def is_pending(root: Root) -> bool:
    """Tell whether a forgetting was begun and not finished."""
    return root.exists(REQUEST)


def write(root: Root, request: Request) -> None:
    """Put a request on the disk: from here on it will be carried out, whatever happens."""
    scope = request.scope
    document = {
        "v": 1,
        "id": request.id,
        "at": request.at,
        "phrases": [[_coded(word) for word in phrase] for phrase in sorted(scope.wanted.phrases)],
        "raw": [_coded(one) for one in scope.wanted.raw],
        "gone": sorted(scope.gone),
        "only": None if scope.only is None else sorted(scope.only),
        "place": None if request.place is None else asdict(request.place),
        "receipt": receipt_to_json(request.receipt),
    }
    make_folder(root, FOLDER)
    root.write_atomic(REQUEST, json.dumps(document, ensure_ascii=True).encode("ascii"), 0o600)


def read(root: Root) -> Request | None:
    """Return the forgetting that is under way, None where there is none.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        data = root.read(REQUEST)
    except MissingPathError:
        return None
    try:
        found = json.loads(data)
        phrases = frozenset(tuple(_plain(word) for word in phrase) for phrase in found["phrases"])
        only = found["only"]
        scope = Scope(
            Wanted(phrases, tuple(_plain(one) for one in found["raw"])),
            frozenset(found["gone"]),
            None if only is None else frozenset(only),
        )
        return Request(
            id=str(found["id"]),
            at=str(found["at"]),
            scope=scope,
            place=None if found["place"] is None else Place(**found["place"]),
            receipt=receipt_from_json(found["receipt"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{REQUEST} is damaged ({error!r}): ask for what is to be forgotten again") from error


def read_moves(root: Root) -> Moves:
    """Return what earlier steps found out."""
    with suppress(MissingPathError, ValueError, KeyError, TypeError):
        found: Mapping[str, Any] = json.loads(root.read(MOVES))
        return Moves(dict(found["commits"]), set(found["deeds"]), set(found["paths"]))
    return Moves()


def write_moves(root: Root, moves: Moves) -> None:
    """Keep what a step found out."""
    document = {"commits": moves.commits, "deeds": sorted(moves.deeds), "paths": sorted(moves.paths)}
    root.write_atomic(MOVES, json.dumps(document, ensure_ascii=True).encode("ascii"), 0o600)


def close(root: Root, request: Request, receipt: Receipt) -> None:
    """Keep the receipt and let go of the request; nothing of the text is left then."""
    data = json.dumps(receipt_to_json(receipt), ensure_ascii=True, indent=2).encode("ascii") + b"\n"
    root.write_atomic(f"{FOLDER}/{request.id}.json", data, 0o600)
    abandon(root)


def abandon(root: Root) -> None:
    """Let go of a request of which nothing was carried out, or all."""
    root.remove(MOVES)
    root.remove(REQUEST)
    with suppress(MissingPathError):
        root.fsync_dir(FOLDER)


def _coded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _plain(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
