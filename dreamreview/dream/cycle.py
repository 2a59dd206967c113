"""The dream cycle: orient, gather, consolidate, prune and reindex, with progress told and stops obeyed in between."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
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
from dreamreview.model.budget import Budget

NO_BUDGET = Budget()
"""No bounds."""


def run(
    corpus: Corpus,
    policy: Policy,
    on_progress: Callable[[Progress], None],
    is_cancelled: Callable[[], bool],
    budget: Budget = NO_BUDGET,
) -> Dreamt:
    """Dream a corpus with the local engine.

    Where the seconds of the budget are over, no more is asked; what was found by then fits together all the same.

    Raises:
        DreamCancelledError: `is_cancelled` said so.
    """
    found: list[Draft] = []
    begun = time.monotonic()
    left_out: list[str] = []

    def is_over() -> bool:
        return budget.reached(seconds=time.monotonic() - begun) is not None

    def ask(phase: str, detector: Detector, corpus: Corpus, policy: Policy) -> Iterable[Draft]:
        if is_over():
            left_out.append(phase)
            return
        for draft in detector(corpus, policy):
            if is_cancelled():
                raise DreamCancelledError("the dream was stopped; nothing was kept")
            found.append(draft)
            yield draft
            if is_over():
                left_out.append(phase)
                break
        on_progress(Progress(phase=phase, files=len(corpus.documents), changes=len(found)))

    detectors = [partial(ask, phase, detector) for phase, several in PHASES for detector in several]
    dreamt = local.dream(corpus, policy, detectors=detectors)
    if not left_out:
        return dreamt
    bound = budget.reached(seconds=math.inf)
    phases = ", ".join(dict.fromkeys(left_out))
    return replace(dreamt, warnings=(f"the budget of {bound} is reached: the next dream goes on with {phases}",))


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
        return run(task.corpus, task.policy, task.on_progress, task.is_cancelled, task.budget)
