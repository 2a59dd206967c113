"""Where decisions are kept: one append-only log a proposal, and what was rejected for good."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from dreamreview.model.review import LoadedLog, LogEntry, entry_to_json, parse_log
from dreamreview.store.bookkeeping import OWN, REVIEWS, make_folder
from dreamreview.store.rooted import MissingPathError, Root

FOLDER = REVIEWS
REJECTED = f"{OWN}/rejected.jsonl"
_LIMIT = 64 * 1024 * 1024


def load(root: Root, proposal: str) -> LoadedLog:
    """Return the decisions on a proposal, oldest first; none where there is no log."""
    try:
        return parse_log(root.read(_log(proposal), _LIMIT))
    except MissingPathError:
        return parse_log(b"")


def append(root: Root, proposal: str, entries: Iterable[LogEntry]) -> None:
    """Add decisions to the log of a proposal, all in one write; they are on the disk afterwards."""
    lines = b"".join(_line(entry_to_json(entry)) for entry in entries)
    if not lines:
        return
    make_folder(root, FOLDER)
    root.append(_log(proposal), _mend(root, _log(proposal)) + lines)


def remember_rejected(root: Root, proposal: str, rejected: Mapping[str, str], at: str) -> None:
    """Keep the fingerprints of rejected changes after their proposal is closed.

    Args:
        root: the store.
        proposal: where they were rejected.
        rejected: fingerprint to the reason given.
        at: when, RFC 3339.
    """
    known = rejected_fingerprints(root)
    lines = b"".join(
        _line({"v": 1, "fingerprint": fingerprint, "proposal": proposal, "reason": reason, "at": at})
        for fingerprint, reason in rejected.items()
        if fingerprint not in known
    )
    if lines:
        make_folder(root, OWN)
        root.append(REJECTED, _mend(root, REJECTED) + lines)


def rejected_fingerprints(root: Root, besides: str | None = None) -> frozenset[str]:
    """Return the fingerprints kept by `remember_rejected`; lines that cannot be read are left out.

    Those that were rejected in the proposal `besides` alone are left out as well.
    """
    try:
        data = root.read(REJECTED, _LIMIT)
    except MissingPathError:
        return frozenset()
    found: set[str] = set()
    for line in data.split(b"\n"):
        try:
            entry = json.loads(line) if line else {"fingerprint": None}
            value, proposal = entry["fingerprint"], entry.get("proposal")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
        if isinstance(value, str) and (besides is None or proposal != besides):
            found.add(value)
    return frozenset(found)


def _log(proposal: str) -> str:
    return f"{FOLDER}/{proposal}.jsonl"


def _line(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=True).encode("ascii") + b"\n"


def _mend(root: Root, path: str) -> bytes:
    """Return what parts a new line from a torn last one; nothing where the last line is whole."""
    found = root.stat(path)
    if found is None or found.st_size == 0:
        return b""
    return b"" if root.read(path, _LIMIT).endswith(b"\n") else b"\n"
