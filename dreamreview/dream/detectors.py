"""The questions that the local engine asks of a store, in the order it asks them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.dream import (
    index_lines,
    instructions,
    link_repairs,
    redaction,
    relative_dates,
    retention,
    statements,
    surroundings,
)

if TYPE_CHECKING:
    from dreamreview.dream.engine import Detector

PHASES: tuple[tuple[str, tuple[Detector, ...]], ...] = (
    ("gather", (redaction.find, instructions.find)),
    ("consolidate", (statements.find, surroundings.find, relative_dates.find)),
    ("prune", (retention.find,)),
    ("index", (link_repairs.find, index_lines.find)),
)
"""What is asked in each phase after the store was read (orient). The phases of Spring AI's AutoDreamService."""

DETECTORS: tuple[Detector, ...] = tuple(detector for _, several in PHASES for detector in several)
