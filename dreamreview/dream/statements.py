"""What comes of holding every statement of a store against its nearest others: merges, conflicts, successions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamreview.dream.claims import know
from dreamreview.dream.contradictions import find_conflicts
from dreamreview.dream.duplicates import find_merges
from dreamreview.dream.enumerations import find_told
from dreamreview.dream.hooks import find_drift
from dreamreview.dream.judging import judge_all
from dreamreview.dream.lists import in_company
from dreamreview.dream.twin_files import find_twins
from dreamreview.dream.vectors import find as find_model

if TYPE_CHECKING:
    from dreamreview.dream.engine import Corpus, Draft, Policy


def find(corpus: Corpus, policy: Policy) -> Iterator[Draft]:
    """Yield merges of files and of statements, contradictions, plans that were carried out, and drifted index lines."""
    store = know(corpus, find_model(policy.semantic, policy.cache))
    verdicts = in_company(tuple(judge_all(store)), store)
    gone: set[str] = set()
    for path, draft in find_twins(corpus, store, verdicts):
        gone.add(path)
        yield draft
    yield from find_merges(store, verdicts, frozenset(gone))
    yield from find_told(store, verdicts, frozenset(gone))
    yield from find_conflicts(store, verdicts)
    yield from find_drift(corpus, store)
