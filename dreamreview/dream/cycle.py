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
    asking = _Asking(on_progress, is_cancelled, budget)
    detectors = [partial(asking.ask, phase, detector) for phase, several in PHASES for detector in several]
    return replace(local.dream(corpus, policy, detectors=detectors), warnings=asking.warnings)


class _Asking:
    """Asks one detector after the other, for as long as it may."""

    def __init__(
        self, on_progress: Callable[[Progress], None], is_cancelled: Callable[[], bool], budget: Budget
    ) -> None:
        self._on_progress = on_progress
        self._is_cancelled = is_cancelled
        self._budget = budget
        self._begun = time.monotonic()
        self._found = 0
        self._left: dict[str, None] = {}
        """Phases of which something was not asked."""

    def ask(self, phase: str, detector: Detector, corpus: Corpus, policy: Policy) -> Iterable[Draft]:
        """Yield what one detector suggests."""
        if self._is_over(phase):
            return
        for draft in detector(corpus, policy):
            if self._is_cancelled():
                raise DreamCancelledError("the dream was stopped; nothing was kept")
            self._found += 1
            yield draft
            if self._is_over(phase):
                break
        self._on_progress(Progress(phase=phase, files=len(corpus.documents), changes=self._found))

    def _is_over(self, phase: str) -> bool:
        is_over = self._budget.reached(seconds=time.monotonic() - self._begun) is not None
        if is_over:
            self._left[phase] = None
        return is_over

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was left for the next dream, where something was."""
        if not self._left:
            return ()
        bound = self._budget.reached(seconds=math.inf)
        return (f"the budget of {bound} is reached: the next dream goes on with {', '.join(self._left)}",)


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
