"""What a forgetting removed and where, and what it means for what is left: never the text itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Removed:
    """One place that held it."""

    where: str
    """``memory``, ``copy``, ``manifest``, ``base``, ``decisions``, ``rejections``, ``history``, ``snapshots``,
    ``state``, ``index`` or ``other``."""
    path: str
    """The file, the proposal, or nothing."""
    count: int
    """Lines of a file, texts of a repository, else how often."""


@dataclass(frozen=True, slots=True)
class Left:
    """One place where it still stands, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a forgetting comes to."""

    forget: str | None
    """Its id; None for one that is only planned."""
    at: str
    removed: tuple[Removed, ...] = ()
    withdrawn: tuple[str, ...] = ()
    """``PROPOSAL/CHANGE`` that cannot be applied any more: what it was about is gone."""
    cut: tuple[str, ...] = ()
    """``PROPOSAL/CHANGE`` that lost lines and has to be decided anew."""
    undo: tuple[str, ...] = ()
    """``APPLY/CHANGE`` of which an undo gives back only the rest."""
    left: tuple[Left, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Tell whether there was nothing to remove."""
        return not self.removed


def receipt_to_json(receipt: Receipt) -> dict[str, object]:
    """Return a receipt as JSON values."""
    return {
        "forget": receipt.forget,
        "at": receipt.at,
        "removed": [{"where": one.where, "path": _shown(one.path), "count": one.count} for one in receipt.removed],
        "withdrawn": list(receipt.withdrawn),
        "cut": list(receipt.cut),
        "undo": list(receipt.undo),
        "left": [{"path": _shown(one.path), "reason": one.reason} for one in receipt.left],
    }


def receipt_from_json(found: Mapping[str, Any]) -> Receipt:
    """Read a receipt back; a missing or wrong value raises what Python raises."""
    return Receipt(
        forget=found["forget"],
        at=found["at"],
        removed=tuple(Removed(one["where"], one["path"], int(one["count"])) for one in found["removed"]),
        withdrawn=tuple(found["withdrawn"]),
        cut=tuple(found["cut"]),
        undo=tuple(found["undo"]),
        left=tuple(Left(one["path"], one["reason"]) for one in found["left"]),
    )


def _shown(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
