"""One card for what is the same suggestion in several places: drafts with equal fingerprints folded into one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreamreview.dream.engine import Draft


def folded(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Yield drafts in the order they came, those of the same kind over the same texts as one with all their edits.

    A fingerprint leaves paths out, so such drafts would be one suggestion to whoever remembers decisions.
    """
    groups: dict[tuple[str, frozenset[str]], list[Draft]] = {}
    for draft in drafts:
        groups.setdefault((draft.kind, frozenset(draft.texts)), []).append(draft)
    for group in groups.values():
        yield group[0] if len(group) == 1 else _one(group)


def _one(group: list[Draft]) -> Draft:
    titles = list(dict.fromkeys(draft.title for draft in group))
    reasons = list(dict.fromkeys(draft.reason for draft in group))
    more = len(titles) - 1
    return replace(
        group[0],
        title=titles[0] + (f" and {more} more of the same" if more else ""),
        reason=reasons[0] + (f" It stands in {len(group)} places." if len(reasons) == 1 else ""),
        confidence=min(draft.confidence for draft in group),
        evidence=tuple(piece for draft in group for piece in draft.evidence),
        edits=tuple(edit for draft in group for edit in draft.edits),
        flags=tuple(dict.fromkeys(flag for draft in group for flag in draft.flags)),
    )
