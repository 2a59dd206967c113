"""Merges that say of one section what stands in another, line by line, shown as one change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.dream.evidence import evidence
from dreamreview.dream.lists import RUN
from dreamreview.model.memory import Document, Role
from dreamreview.model.proposal import Evidence, Kind
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from dreamreview.dream.engine import Corpus, Draft


def in_runs(drafts: Sequence[Draft], corpus: Corpus) -> tuple[Draft, ...]:
    """Return drafts in their order, the merges between two sections as one where there are at least `RUN`.

    It is for drafts that arbitration let in; every line stays an edit of its own.
    """
    keys = [_sections(draft, corpus) for draft in drafts]
    groups: dict[Hashable, list[Draft]] = defaultdict(list)
    for draft, key in zip(drafts, keys, strict=True):
        if key is not None:
            groups[key].append(draft)
    run_of: dict[int, list[Draft]] = {}
    for group in groups.values():
        for run in _runs(group, corpus):
            run_of.update((id(draft), run) for draft in run if len(run) >= RUN)
    joined: list[Draft] = []
    shown: set[int] = set()
    for draft in drafts:
        run = run_of.get(id(draft), [draft])
        if id(run[0]) not in shown:
            shown.add(id(run[0]))
            joined.append(_one(run, corpus) if len(run) > 1 else draft)
    return tuple(joined)


def _runs(group: Sequence[Draft], corpus: Corpus) -> list[list[Draft]]:
    """Cut the merges between two sections where a line stands between them that is none of theirs."""
    runs: list[list[Draft]] = []
    for draft in sorted(group, key=lambda draft: (draft.evidence[0].first, draft.evidence[1].first)):
        if runs and all(_follows(runs[-1][-1].evidence[side], draft.evidence[side], corpus) for side in (0, 1)):
            runs[-1].append(draft)
        else:
            runs.append([draft])
    return runs


def _follows(one: Evidence, other: Evidence, corpus: Corpus) -> bool:
    roles = corpus.documents[one.path].roles[one.last : other.first - 1]
    return other.first > one.last and all(role in (Role.BLANK, Role.COMMENT) for role in roles)


def _sections(draft: Draft, corpus: Corpus) -> tuple[tuple[str, int], tuple[str, int]] | None:
    """Return the two sections whose lines a draft makes one, None where it is no merge of two lines."""
    if draft.detector != "duplicates" or draft.kind is not Kind.MERGE or len(draft.evidence) != 2:
        return None
    near, far = ((item.path, heading_above(corpus.documents[item.path], item.first)) for item in draft.evidence)
    return (near, far) if near != far else None


def heading_above(document: Document, line: int) -> int:
    """Return the line of the heading that a 1-based line stands under, 0 for none."""
    return next((above for above in range(line - 1, 0, -1) if document.roles[above - 1] is Role.HEADING), 0)


def _joined(run: Sequence[Draft], side: int, corpus: Corpus) -> Evidence:
    """Return the lines of one section that a run is about, as one piece."""
    first, last = run[0].evidence[side], run[-1].evidence[side]
    return evidence(corpus.documents[first.path], first.first, last.last, first.date)


def _one(run: Sequence[Draft], corpus: Corpus) -> Draft:
    sides = tuple(_joined(run, side, corpus) for side in (0, 1))
    near, far = (
        _named(corpus.documents[side.path], heading_above(corpus.documents[side.path], side.first)) for side in sides
    )
    places = [f"{side.path}:{side.first}-{side.last}" for side in sides]
    return replace(
        run[0],
        title=f"Say {len(run)} lines once: {near} and {far}",
        reason=(
            f"{len(run)} lines in a row stand at {places[0]} and at {places[1]}. "
            "Of each two the one that stays gets what it lacks; each line is an edit of its own."
        ),
        confidence=min(draft.confidence for draft in run),
        evidence=sides,
        texts=tuple(text for draft in run for text in draft.texts),
        edits=tuple(edit for draft in run for edit in draft.edits),
        flags=tuple(dict.fromkeys(flag for draft in run for flag in draft.flags)),
        measures=min(run, key=lambda draft: draft.confidence).measures,
    )


def _named(document: Document, heading: int) -> str:
    if not heading:
        return document.path
    text = mask(document.line_text(heading).strip("#= \t"))
    return f"“{text if len(text) <= 40 else text[:39] + '…'}” ({document.path})"
