"""What others' changes are flagged for before a person sees them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.dream.orders import find_order

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change

INSTRUCTION_LIKE = "instruction-like"

READ_CHARACTERS = 2_000
"""Characters of a line in which orders are looked for."""


def watched(change: Change) -> Change:
    """Flag a change that adds what reads like an order to the agent: others' text is never to be trusted."""
    added = {line for edit in change.all_edits for line in edit.new} - {
        line for edit in change.all_edits for line in edit.old
    }
    if not any(find_order(line.decode("utf-8", "replace")[:READ_CHARACTERS]) for line in added):
        return change
    return replace(change, flags=tuple(dict.fromkeys((*change.flags, INSTRUCTION_LIKE))))
