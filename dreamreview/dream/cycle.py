"""The dream cycle: orient, gather, consolidate, prune and reindex, with progress told and stops obeyed in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from dreamreview.dream import local
from dreamreview.dream.detectors import PHASES
from dreamreview.dream.engine import (
    Corpus,
    Detector,
    Draft,
    DreamCancelledError,
    Dreamt,
    Estimate,
    Policy,
    Progress,
    Task,
)


def run(
    corpus: Corpus,
    policy: Policy,
    on_progress: Callable[[Progress], None],
    is_cancelled: Callable[[], bool],
) -> Dreamt:
    """Dream a corpus with the local engine.

    Raises:
        DreamCancelledError: `is_cancelled` said so.
    """
    found: list[Draft] = []

    def ask(phase: str, detector: Detector, corpus: Corpus, policy: Policy) -> Iterable[Draft]:
        for draft in detector(corpus, policy):
            if is_cancelled():
                raise DreamCancelledError("the dream was stopped; nothing was kept")
            found.append(draft)
            yield draft
        on_progress(Progress(phase=phase, files=len(corpus.documents), changes=len(found)))

    detectors = [partial(ask, phase, detector) for phase, several in PHASES for detector in several]
    return local.dream(corpus, policy, detectors=detectors)


@dataclass(frozen=True, slots=True)
class LocalEngine:
    """The engine that needs no model and no network."""

    name: str = local.NAME
    model: str | None = None
    needs_copy: bool = False

    def estimate(self, task: Task) -> Estimate | None:  # noqa: ARG002 - as every engine
        """Say nothing: it costs nothing and sends nothing."""
        return None

    def dream(self, task: Task) -> Dreamt:
        """Dream once; see `run`."""
        return run(task.corpus, task.policy, task.on_progress, task.is_cancelled)
