"""The manifest: how a proposal lies on disk, and how one is read back without believing a word of it."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, NoReturn

from dreamreview.errors import InvalidManifestError
from dreamreview.model.manifest_read import DERIVED_FLAGS, check_changes, from_json, ranked
from dreamreview.model.manifest_write import SCHEMA, JsonObject, change_to_json, to_json

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.model.proposal import Proposal

__all__ = [
    "DERIVED_FLAGS",
    "MAX_BYTES",
    "SCHEMA",
    "JsonObject",
    "change_to_json",
    "check_changes",
    "dumps",
    "from_json",
    "loads",
    "ranked",
    "to_json",
    "undeclared_fingerprint",
    "undeclared_id",
]

MAX_BYTES = 64 * 1024 * 1024
"""Largest manifest that is read or written."""


def dumps(proposal: Proposal) -> bytes:
    """Return the bytes of a manifest: UTF-8, one JSON document and a line end.

    Raises:
        InvalidManifestError: it would be larger than `MAX_BYTES`, or a value has no place in JSON.
    """
    try:
        document = json.dumps(to_json(proposal), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        data = document.encode("utf-8") + b"\n"
    except ValueError as error:
        raise InvalidManifestError(f"document: cannot be written as JSON: {error}") from error
    if len(data) > MAX_BYTES:
        raise InvalidManifestError(f"document: {len(data)} bytes are more than {MAX_BYTES}")
    return data


def loads(data: bytes) -> Proposal:
    """Read a proposal from the bytes of its manifest.

    Raises:
        InvalidManifestError: it is too large, no JSON, or does not follow the format; the message names the place.
    """
    if len(data) > MAX_BYTES:
        raise InvalidManifestError(f"document: {len(data)} bytes are more than {MAX_BYTES}")
    try:
        shape = json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise InvalidManifestError("document: is nested too deeply") from None
    except ValueError as error:
        raise InvalidManifestError(f"document: is no JSON: {error}") from None
    return from_json(shape)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def undeclared_id(kind: str, path: str, to: str | None, first_line: int, old: Text, new: Text) -> str:
    """Return the id of a difference that nobody declared: the first 12 hex of a sha256, the same whoever computes it.

    Args:
        kind: kind of the change.
        path: base path.
        to: new name of a renamed path, else None.
        first_line: first base line of its edit, 1-based; 1 for acts on whole paths.
        old: base lines taken away.
        new: lines that stand there instead.
    """
    return _digest(kind, path, to or "", str(first_line), b"".join(old), b"".join(new))[:12]


def undeclared_fingerprint(kind: str, path: str, old: Text, new: Text) -> str:
    """Return what makes an undeclared difference the same suggestion again, as lower-case hex of a sha256."""
    return _digest(kind, path, b"".join(old), b"".join(new))


def _digest(*parts: str | bytes) -> str:
    """Return the sha256 of parts, each preceded by its length so that no two lists of parts look alike."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else part.encode("utf-8", "surrogateescape")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()
