"""What a proposal by others says over again, and where the folder says it already."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from heapq import nlargest
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.model.moves import brought_by
from dreamreview.model.proposal import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
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
_MOST_LINES = 2_000
_MOST_FILES = 200
"""Files that are read as memory; those that share most words with what is new come first."""
_SHARE = 0.3
"""Share of the words of a new line that a file must hold to be read as memory."""
_STEM = 5
"""Letters by which a word is known again in another form."""
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def restatements(opened: OpenedCopy, today: date) -> Mapping[str, tuple[Evidence, ...]]:
    """Return, for each change by others that says nothing new, the facts that it repeats."""
    if not brings_news(opened.proposal):
        return {}
    changes = _by_others(opened.proposal)
    lines = [line for line in brought_by(opened.proposal.changes, _Reader(opened)) if line.change in changes]
    if not lines:
        return {}
    return _held_against(opened, changes, lines[:_MOST_LINES], today)


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

    def __call__(self, path: str) -> Text | None:
        """Return the lines of a file, None for a link and where nothing stands."""
        try:
            state = self._opened.proposed(path)
        except DreamReviewError:
            return None
        return state.text if state is not None and not state.is_link else None


def _held_against(
    opened: OpenedCopy, changes: Mapping[str, Change], lines: Sequence[Line], today: date
) -> Mapping[str, tuple[Evidence, ...]]:
    # The engine takes a while to load, which only a review of something new by others has to wait for.
    from dreamreview.dream.engine import Corpus
    from dreamreview.dream.gathering import MEMORY_ENDINGS
    from dreamreview.dream.restating import restated
    from dreamreview.model.markdown import parse

    read = _Reader(opened)
    paths = [path for path in sorted(opened.proposed_paths) if path.lower().endswith(MEMORY_ENDINGS)]
    changed = {line.path for line in lines}
    near = {*changed, *_nearest(read, [path for path in paths if path not in changed], lines)}
    texts = {path: text for path in paths if path in near and (text := read(path)) is not None}
    corpus = Corpus(
        documents={path: parse(path, b"".join(text)) for path, text in texts.items()},
        files=frozenset(opened.proposed_paths),
        today=today,
    )
    replaced = {name: [_said(line) for edit in change.edits for line in edit.old] for name, change in changes.items()}
    return restated(corpus, {line.place: line.change for line in lines}, replaced)


def _nearest(read: _Reader, paths: Iterable[str], lines: Sequence[Line]) -> list[str]:
    """Return the files that hold enough of the words of some new line."""
    wanted = [frozenset(_words(_said(line.text))) for line in lines]
    holders: dict[str, list[int]] = defaultdict(list)
    for number, words in enumerate(wanted):
        for word in words:
            holders[word].append(number)
    shares: dict[str, float] = {}
    for path in paths:
        here = holders.keys() & _words(_said(b"".join(read(path) or ())))
        hits = Counter(number for word in here for number in holders[word])
        best = max((count / len(wanted[number]) for number, count in hits.items()), default=0.0)
        if best >= _SHARE:
            shares[path] = best
    return nlargest(_MOST_FILES, shares, key=shares.__getitem__)


def _said(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _words(text: str) -> set[str]:
    """Return the beginnings of the words of a text; what is written without blanks comes in pairs of characters."""
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        if _UNSPACED.search(word):
            found.update(word[at : at + 2] for at in range(max(len(word) - 1, 1)))
        elif len(word) > 2 or word.isdigit():
            found.add(word[:_STEM])
    return found
