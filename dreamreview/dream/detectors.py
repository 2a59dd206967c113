"""The questions that the local engine asks of a store, in the order it asks them."""

from __future__ import annotations

from dreamreview.dream import (
    index_lines,
    instructions,
    link_repairs,
    redaction,
    relative_dates,
    retention,
    statements,
)
from dreamreview.dream.engine import Detector

DETECTORS: tuple[Detector, ...] = (
    redaction.find,
    instructions.find,
    statements.find,
    retention.find,
    relative_dates.find,
    link_repairs.find,
    index_lines.find,
)
