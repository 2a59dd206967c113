"""The engine that needs no model: every detector asks its question, arbitration lets in what fits together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from dreamreview.dream.arbitration import arbitrate, fingerprint
from dreamreview.dream.batches import batched
from dreamreview.dream.detectors import DETECTORS
from dreamreview.dream.engine import Corpus, Detector, Draft, Dreamt, Policy
from dreamreview.dream.runs import in_runs

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
    for detector in detectors:
        drafts += detector(corpus, policy)
    admitted = arbitrate(drafts, corpus)
    unknown = [draft for draft in admitted if not is_known(fingerprint(draft))]
    batches = in_runs(batched(unknown, corpus), corpus)
    fresh = tuple(draft for draft in batches if not is_known(fingerprint(draft)))
    known = len(admitted) - len(unknown) + len(batches) - len(fresh)
    return Dreamt(drafts=fresh, narrative=_narrative(corpus, fresh, known))


def _narrative(corpus: Corpus, drafts: Sequence[Draft], known: int) -> str:
    read = f"Read {_count(len(corpus.documents), 'file')}."
    kinds = Counter(draft.kind.value for draft in drafts)
    found = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    said = f" Suggests {_count(len(drafts), 'change')}: {found}." if drafts else " Found nothing to suggest."
    more = f" {_count(known, 'suggestion')} known from before left out." if known else ""
    return read + said + more


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def explain(drafts: Iterable[Draft]) -> Counter[str]:
    """Count drafts by the detector that made them."""
    return Counter(draft.detector for draft in drafts)
