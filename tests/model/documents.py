"""Manifests as plain values, for tests that change one thing in them."""

from __future__ import annotations

from typing import Any

import pytest

from dreamreview.errors import InvalidManifestError
from dreamreview.model import manifest


def lines_edit(first: int, last: int, old: str, new: str, **more: Any) -> dict[str, Any]:
    return {"id": "e1", "path": "a.md", "lines": [first, last], "old": old, "new": new} | more


def one_change(*edits: dict[str, Any], **more: Any) -> dict[str, Any]:
    base = {"kind": "rewrite", "title": "t", "reason": "r", "confidence": 0.5, "fingerprint": "f" * 64}
    return {"id": "c1", **base, "edits": list(edits)} | more


def document(*made: dict[str, Any], **more: Any) -> dict[str, Any]:
    numbered = [change | {"id": f"c{place}"} if change["id"] == "c1" else change for place, change in enumerate(made)]
    head = {"schema": "dreamreview/proposal@1", "id": "20260901T120000000", "created_at": "2026-09-01T12:00:00Z"}
    base = {"kind": "declared", "tree": None, "digest": "d" * 64, "at": "2026-09-01T12:00:00Z"}
    return head | {"base": base, "changes": numbered} | more


def create(path: str, edit_id: str = "e1") -> dict[str, Any]:
    return {"id": edit_id, "path": path, "act": "create", "mode": 0o644, "new": "x\n"}


def delete(path: str, edit_id: str = "e1") -> dict[str, Any]:
    return {"id": edit_id, "path": path, "act": "delete", "mode": 0o644, "old": "x\n"}


def rename(path: str, to: str, edit_id: str = "e1") -> dict[str, Any]:
    return {"id": edit_id, "path": path, "act": "rename", "to": to}


def mode(path: str, edit_id: str = "e1") -> dict[str, Any]:
    return {"id": edit_id, "path": path, "act": "mode", "old_mode": 0o644, "new_mode": 0o600}


def refusal(shape: object) -> str:
    with pytest.raises(InvalidManifestError) as caught:
        manifest.from_json(shape)
    return str(caught.value)
