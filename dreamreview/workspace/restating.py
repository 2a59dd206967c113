"""What a proposal by others says over again, and where the folder says it already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.model.moves import brought_by
from dreamreview.model.proposal import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from dreamreview.model.edits import Text
    from dreamreview.model.moves import Line
    from dreamreview.model.proposal import Change, Evidence, Proposal
    from dreamreview.store.views import OpenedCopy

OURS = "local"
"""The engine that looks for duplicates itself, whose changes need no second look."""

DUPLICATE_OF = "duplicate-of"
"""Flag of a change that says over again what stands in the folder and stays there."""

_UNDECLARED = frozenset((Kind.EDIT, Kind.CREATE, Kind.DELETE, Kind.RENAME, Kind.MODE))
MOST_LINES = 2_000
"""New lines that are held against the folder; of a larger proposal, those beyond stay unmarked."""
MOST_PARSED = 10_000
"""Lines of the files that are parsed for what may be said again, at fifty microseconds each. Files that do not fit in
are left out, and a file that never could is not even held against what is new."""
KEPT = 4_000_000
"""Characters of the folder that are kept in memory meanwhile; the rest is read again when it is needed again."""


def restatements(opened: OpenedCopy, today: date) -> Mapping[str, tuple[Evidence, ...]]:
    """Return, for each change by others that says nothing new, the facts that it repeats."""
    if not brings_news(opened.proposal):
        return {}
    changes = _by_others(opened.proposal)
    lines = [line for line in brought_by(opened.proposal.changes, _Reader(opened)) if line.change in changes]
    if not lines:
        return {}
    return _held_against(opened, changes, lines, today)


def brings_news(proposal: Proposal) -> bool:
    """Tell whether others would write something that has to be held against the folder."""
    return any(edit.new for change in _by_others(proposal).values() for edit in change.edits)


def _by_others(proposal: Proposal) -> dict[str, Change]:
    is_ours = proposal.engine.name == OURS
    return {change.id: change for change in proposal.changes if not is_ours or change.kind in _UNDECLARED}


class _Reader:
    """Texts of the proposed folder; what cannot be read counts as not there."""

    def __init__(self, opened: OpenedCopy) -> None:
        self._opened = opened
        self._kept: dict[str, str] = {}
        self._left = KEPT

    def __call__(self, path: str) -> Text | None:
        """Return the lines of a file, None for a link and where nothing stands."""
        try:
            state = self._opened.proposed(path)
        except DreamReviewError:
            return None
        return state.text if state is not None and not state.is_link else None

    def bytes_of(self, path: str) -> bytes | None:
        """Return the same in one."""
        text = self(path)
        return None if text is None else b"".join(text)

    def said(self, path: str) -> str | None:
        """Return the same as a text, which is asked for several times; None for a file too long to parse."""
        kept = self._kept.get(path)
        data = self.bytes_of(path) if kept is None else None
        if data is None or data.count(b"\n") >= MOST_PARSED:
            return kept
        text = _said(data)
        if len(text) <= self._left:
            self._kept[path] = text
            self._left -= len(text)
        return text


def _held_against(
    opened: OpenedCopy, changes: Mapping[str, Change], lines: Sequence[Line], today: date
) -> Mapping[str, tuple[Evidence, ...]]:
    # The engine takes a while to load, which only a review of something new by others has to wait for.
    from dreamreview.dream.gathering import MEMORY_ENDINGS
    from dreamreview.dream.shortlist import shortlist

    read = _Reader(opened)
    paths = [path for path in sorted(opened.proposed_paths) if path.lower().endswith(MEMORY_ENDINGS)]
    places = [line.place for line in lines if line.path.lower().endswith(MEMORY_ENDINGS)]
    found = shortlist(read.said, paths, places, places[:MOST_LINES])
    if not found.pairs:
        return {}
    from dreamreview.dream.restating import Folder, restated

    def replaced(change: str) -> list[str]:
        return [_said(line) for edit in changes[change].edits for line in edit.old]

    folder = Folder(read.bytes_of, opened.proposed_paths, today, MOST_PARSED)
    return restated(found, folder, {line.place: line.change for line in lines}, replaced)


def _said(data: bytes) -> str:
    return data.decode("utf-8", "replace")
