"""The engine that needs no model: every detector asks its question, arbitration lets in what fits together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from dreamreview.dream.arbitration import arbitrate, fingerprint
from dreamreview.dream.batches import batched
from dreamreview.dream.detectors import DETECTORS
from dreamreview.dream.engine import Corpus, Detector, Draft, Dreamt, Policy
from dreamreview.dream.paraphrase import forget_texts
from dreamreview.dream.runs import in_runs

if TYPE_CHECKING:
    from dreamreview.model.proposal import Kind

NAME = "local"
"""Name of the engine in manifests and on the command line."""


def dream(
    corpus: Corpus,
    policy: Policy,
    is_known: Callable[[str], bool] = lambda _: False,
    detectors: Sequence[Detector] = DETECTORS,
) -> Dreamt:
    """Dream a corpus: pure, offline, the same answer for the same input.

    Args:
        corpus: the store.
        policy: what its owner wants.
        is_known: tells of a fingerprint whether it is in an open proposal, was rejected, or was undone. Known drafts
            take part in arbitration and are left out afterwards, so that nothing slips into their place.
        detectors: the questions to ask, in order.
    """
    drafts: list[Draft] = []
    try:
        for detector in detectors:
            drafts += detector(corpus, policy)
    finally:
        forget_texts()
    admitted = arbitrate(drafts, corpus, is_known)
    unknown = [draft for draft in admitted if not is_known(fingerprint(draft))]
    batches = in_runs(batched(unknown, corpus), corpus)
    fresh = tuple(draft for draft in batches if not is_known(fingerprint(draft)))
    known = len(admitted) - len(unknown) + len(batches) - len(fresh)
    return Dreamt(drafts=fresh, narrative=narrative(len(corpus.documents), [draft.kind for draft in fresh], known))


def narrative(files: int, kinds: Collection[Kind], known: int) -> str:
    """Return what a dream says of itself.

    Args:
        files: how many were read.
        kinds: the kind of each change.
        known: how many changes were left out, for they were suggested before or have to wait.
    """
    counted = Counter(kind.value for kind in kinds)
    found = ", ".join(f"{kind} {count}" for kind, count in sorted(counted.items()))
    said = f" Suggests {_count(len(kinds), 'change')}: {found}." if kinds else " Found nothing to suggest."
    more = f" {_count(known, 'suggestion')} known from before left out." if known else ""
    return f"Read {_count(files, 'file')}.{said}{more}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def explain(drafts: Iterable[Draft]) -> Counter[str]:
    """Count drafts by the detector that made them."""
    return Counter(draft.detector for draft in drafts)
