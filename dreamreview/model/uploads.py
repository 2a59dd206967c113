"""What is known of a memory store that lives at a service: ids and digests, so that nothing is sent twice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from dreamreview.errors import InvalidManifestError

SCHEMA = "dreamreview/hosted@1"
DREAMS_KEPT = 100
"""Ids of earlier dreams that are remembered."""

_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_ANY = TypeVar("_ANY")


def is_id(value: object) -> bool:
    """Tell whether a value can be an id of the service: short, and harmless in an address."""
    return isinstance(value, str) and bool(_ID.fullmatch(value))


def is_digest(value: object) -> bool:
    """Tell whether a value is a sha256 as the service writes one."""
    return isinstance(value, str) and bool(_DIGEST.fullmatch(value))


@dataclass(frozen=True, slots=True)
class Sent:
    """One memory at the service."""

    id: str
    """Empty until the service has answered with one."""
    version: str = ""
    digests: tuple[str, ...] = ()
    """sha256 of every content that may stand there by our doing: what was sent, and what was about to be."""


@dataclass(frozen=True, slots=True)
class Running:
    """A dream that was asked for and whose result was not fetched yet."""

    id: str = ""
    """Empty while it is not known whether the service took the request."""
    sent: Mapping[str, str] = field(default_factory=dict)
    """Path to the sha256 of the file that the dream was made of."""


@dataclass(frozen=True, slots=True)
class Uploads:
    """What a memory folder has to do with a memory store at a service; the default is nothing."""

    endpoint: str = ""
    """Address of the service; what is known of one says nothing of another."""
    token: str = ""
    """Random text that the store over there bears, so that it is found again if its id was lost."""
    store: str = ""
    """Id of the memory store."""
    is_mirror: bool = False
    """Whether the store lives there and the folder is a copy of it; else it is a copy of the folder."""
    memories: Mapping[str, Sent] = field(default_factory=dict)
    """By path in the folder."""
    running: Running | None = None
    dreams: tuple[str, ...] = ()
    """Ids of the dreams that ended, oldest first."""
    waiting: tuple[str, ...] = ()
    """Paths that are to be written back to the store that the folder is a copy of."""
    imported: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Proposal that shows what others changed there to path to digest of what it shows; empty for nothing there."""

    def expected(self, path: str) -> str:
        """Return the digest of what a person has seen to stand there under a path; empty for nothing."""
        shown = [seen[path] for seen in self.imported.values() if path in seen]
        known = self.memories.get(path, Sent(""))
        return shown[-1] if shown else (known.digests[-1] if known.digests else "")

    def returned(self, path: str, sent: Sent | None) -> Uploads:
        """Return what is known once a path was written back; None where nothing stands there any more."""
        memories = {name: one for name, one in self.memories.items() if name != path}
        if sent is not None:
            memories[path] = sent
        imported = {
            proposal: {name: digest for name, digest in seen.items() if name != path}
            for proposal, seen in self.imported.items()
            if seen.keys() - {path}
        }
        waiting = tuple(name for name in self.waiting if name != path)
        return replace(self, memories=memories, imported=imported, waiting=waiting)

    def ended(self) -> Uploads:
        """Return what is known once a dream has ended."""
        done = (self.running.id,) if self.running and self.running.id else ()
        return replace(self, running=None, dreams=(*self.dreams, *done)[-DREAMS_KEPT:])


def parse(data: bytes) -> Uploads:
    """Read what was kept.

    Raises:
        InvalidManifestError: it does not follow the format.
    """
    try:
        found = json.loads(data)
        return Uploads(
            endpoint=_text(found["endpoint"]) if found["schema"] == SCHEMA else _text(None),
            token=_text(found["token"]),
            store=_name(found["store"]),
            is_mirror=found["is_mirror"] is True,
            memories=_table(found["memories"], _sent),
            running=None if found["running"] is None else _running(found["running"]),
            dreams=tuple(_name(one) for one in found["dreams"]),
            waiting=tuple(_text(one) for one in found["waiting"]),
            imported=_table(found["imported"], lambda one: _table(one, _digest)),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InvalidManifestError("it holds what was never written there") from error


def serialise(uploads: Uploads) -> bytes:
    """Return what is known as bytes to keep."""
    document = {
        "schema": SCHEMA,
        "endpoint": uploads.endpoint,
        "token": uploads.token,
        "store": uploads.store,
        "is_mirror": uploads.is_mirror,
        "memories": {path: [one.id, one.version, *one.digests] for path, one in uploads.memories.items()},
        "running": None if uploads.running is None else {"id": uploads.running.id, "sent": {**uploads.running.sent}},
        "dreams": list(uploads.dreams),
        "waiting": list(uploads.waiting),
        "imported": {name: {**seen} for name, seen in uploads.imported.items()},
    }
    return json.dumps(document, separators=(",", ":")).encode("ascii") + b"\n"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _name(value: Any) -> str:
    if value != "" and not is_id(value):
        raise ValueError("no id")
    return str(value)


def _digest(value: Any) -> str:
    if value != "" and not is_digest(value):
        raise ValueError("no digest")
    return str(value)


def _sent(value: Any) -> Sent:
    name, version, *digests = value
    return Sent(_name(name), _name(version), tuple(_digest(one) for one in digests))


def _running(value: Any) -> Running:
    return Running(_name(value["id"]), _table(value["sent"], _digest))


def _table(value: Any, of: Callable[[Any], _ANY]) -> dict[str, _ANY]:
    return {path: of(one) for path, one in value.items()}
