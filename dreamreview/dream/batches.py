"""Many small suggestions of one sort about one file, shown as one change whose edits can be taken one by one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.model.memory import Document, Role
from dreamreview.model.proposal import Act, Evidence, Kind

if TYPE_CHECKING:
    from dreamreview.dream.engine import Corpus, Draft

MOST_DATES = 3
"""Dates of one file that are shown one by one."""
MOST_ENTRIES = 5
"""Missing entries of an index that are shown one by one."""
_MOST_NAMED = 12
"""Members that a reason names; every one of them is among the edits."""


def batched(drafts: Sequence[Draft], corpus: Corpus) -> tuple[Draft, ...]:
    """Return drafts in their order, those of one file or section as one in the place of the first.

    Dates are taken together by file where it has more than `MOST_DATES`, missing entries by section of the index where
    there are more than `MOST_ENTRIES`. It is for drafts that arbitration let in, so that one that must go takes none
    with it.
    """
    is_crowded = sum(1 for draft in drafts if _is_entry(draft)) > MOST_ENTRIES
    keys = [_group(draft, corpus, is_crowded) for draft in drafts]
    sizes = Counter(keys)
    groups: dict[Hashable, list[Draft]] = defaultdict(list)
    for number, (draft, key) in enumerate(zip(drafts, keys, strict=True)):
        is_many = key is not None and sizes[key] > (MOST_DATES if draft.kind is Kind.DATE else 1)
        groups[key if is_many else number].append(draft)
    return tuple(_batch(group) for group in groups.values())


def _batch(group: Sequence[Draft]) -> Draft:
    if len(group) == 1:
        return group[0]
    return _dates(group) if group[0].kind is Kind.DATE else _entries(group)


def _group(draft: Draft, corpus: Corpus, is_crowded: bool) -> Hashable:
    """Return what the drafts of a batch share, None where a draft stands alone."""
    if draft.detector == "relative_dates" and len({edit.path for edit in draft.edits}) == 1:
        return draft.kind, draft.edits[0].path
    if is_crowded and _is_entry(draft):
        edit = draft.edits[0]
        return draft.kind, edit.path, _section(corpus.documents[edit.path], edit.start)
    return None


def _is_entry(draft: Draft) -> bool:
    """Tell whether a draft only adds a line to the index."""
    edits = draft.edits
    return draft.detector == "index_lines" and len(edits) == 1 and edits[0].act is Act.LINES and not edits[0].old


def _section(document: Document, last: int) -> int:
    """Return the line of the heading that a 1-based line stands under, 0 for none."""
    return next((line for line in range(last, 0, -1) if document.roles[line - 1] is Role.HEADING), 0)


def _dates(group: Sequence[Draft]) -> Draft:
    group = sorted(group, key=lambda draft: draft.edits[0].start)
    path = group[0].edits[0].path
    first, last = group[0].edits[0].start + 1, max(edit.stop for draft in group for edit in draft.edits)
    reasons = {draft.reason for draft in group}
    reason = (
        group[0].reason if len(reasons) == 1 else "Each line speaks from its own day; later its word means another."
    )
    said = _listed([_said(draft, len(reasons) > 1) for draft in group])
    title = f"{len(group)} notes with relative dates in {path}, lines {first} to {last}"
    return _one(group, title, f"{reason} {said}. Each line is an edit of its own.")


def _said(draft: Draft, is_dated: bool) -> str:
    spoken = f" (of {draft.evidence[0].date})" if is_dated else ""
    return f"line {draft.edits[0].start + 1}{spoken}: {draft.title}"


def _entries(group: Sequence[Draft]) -> Draft:
    group = sorted(group, key=lambda draft: (draft.edits[0].start, draft.texts))
    names = [text for draft in group for text in draft.texts]
    title = f"No entry for {len(names)} files: {', '.join(names[:2])}{' and others' if len(names) > 2 else ''}"
    remarks = " ".join(dict.fromkeys(draft.reason for draft in group[:_MOST_NAMED]))
    return _one(group, title, f"For each of {_listed(names)}: {remarks} Each entry is an edit of its own.")


def _listed(parts: Sequence[str]) -> str:
    more = len(parts) - _MOST_NAMED
    return "; ".join(parts[:_MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")


def _one(group: Sequence[Draft], title: str, reason: str) -> Draft:
    return replace(
        group[0],
        title=title,
        reason=reason,
        confidence=min(draft.confidence for draft in group),
        evidence=_pieces(piece for draft in group for piece in draft.evidence),
        texts=tuple(text for draft in group for text in draft.texts),
        edits=tuple(edit for draft in group for edit in draft.edits),
        flags=tuple(dict.fromkeys(flag for draft in group for flag in draft.flags)),
        measures=min(group, key=lambda draft: draft.confidence).measures,
    )


def _pieces(pieces: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys(pieces))
