"""The JSON that `show` prints and `decide --from` reads back: the manifest with every change's state, masked."""

from __future__ import annotations

import base64
import dataclasses
from typing import TYPE_CHECKING, Any

from dreamreview.cli.output import printable, safe
from dreamreview.model import manifest
from dreamreview.model.narrative import SUMMARY_MISMATCH
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from dreamreview.workspace import Card, OpenReview

_SPOKEN = frozenset({"title", "reason", "quote", "label", "narrative", "summary", "base", "live"})
"""Keys whose text is made for reading."""

_CARRIED = ("old", "new")
"""Keys of an edit that hold lines of the store, as text or, with ``_b64``, as bytes that are not UTF-8."""


def to_json(review: OpenReview) -> dict[str, Any]:
    """Return a proposal as `show` prints it: masked, its changes with what was decided and what became of them."""
    cards = {card.change.id: card for card in review.cards()}
    shape = manifest.to_json(
        dataclasses.replace(review.proposal, changes=tuple(card.change for card in cards.values()))
    )
    shape["changes"] = [_masked(change) | _state(cards[change["id"]]) for change in shape["changes"]]
    shape = {key: safe(value) if key in _SPOKEN and isinstance(value, str) else value for key, value in shape.items()}
    return shape | {"fidelity": _fidelity(review), "counts": dataclasses.asdict(review.counts)}


def _fidelity(review: OpenReview) -> dict[str, Any]:
    """Return what the proposal does beyond its own words, the worst first."""
    found = review.fidelity()
    return {
        "findings": [
            {"fault": each.fault.name.lower(), "change": each.change, "items": [safe(item) for item in each.items]}
            for each in found.findings
        ],
        "mended": found.mended,
        "indexes": [
            {
                "path": printable(each.path),
                "lines": [each.lines, each.lines_after],
                "bytes": [each.size, each.size_after],
                "is_over": each.is_over,
            }
            for each in found.indexes
        ],
        SUMMARY_MISMATCH: [safe(claim) for claim in found.mismatches],
    }


def _state(card: Card) -> dict[str, Any]:
    stale = card.stale
    return {
        "state": str(card.review.state),
        "choice": card.review.choice,
        "applied": card.applied,
        "stale": stale and {"reason": safe(stale.reason), "base": mask(stale.base), "live": mask(stale.live)},
        "seen": card.seen,
        "planted": [
            {"in": safe(found.place), "how": found.how, "said": safe(found.said)} for found in card.derived.planted
        ],
    }


def _masked(value: Any) -> Any:
    """Return JSON values with the secrets of their texts masked; an edit that lost one says ``masked``."""
    if isinstance(value, list):
        return [_masked(each) for each in value]
    if not isinstance(value, dict):
        return value
    shape = {
        key: mask(each) if key in _SPOKEN and isinstance(each, str) else _masked(each) for key, each in value.items()
    }
    for key in _CARRIED:
        if isinstance(value.get(key), str):
            shape[key] = mask(value[key])
        if isinstance(value.get(f"{key}_b64"), str):
            shape[f"{key}_b64"] = _masked_bytes(value[f"{key}_b64"])
    is_masked = any(shape.get(key) != value.get(key) for side in _CARRIED for key in (side, f"{side}_b64"))
    return shape | {"masked": True} if is_masked else shape


def _masked_bytes(text: str) -> str:
    raw = base64.b64decode(text).decode("utf-8", "surrogateescape")
    return base64.b64encode(mask(raw).encode("utf-8", "surrogateescape")).decode("ascii")
