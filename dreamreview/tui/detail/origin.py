"""The rows of where a change comes from: what it rests on first, then who made it and what a decision is bound to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamreview.model.budget import in_dollars
from dreamreview.model.narrative import SUMMARY_MISMATCH, mismatches
from dreamreview.tui.detail.facts import source_of
from dreamreview.tui.detail.rows import BLANK, Row, Words
from dreamreview.tui.inert import own, said

if TYPE_CHECKING:
    from dreamreview.model.proposal import Proposal
    from dreamreview.workspace.values import Card

NAME_CELLS = 12
"""Cells of the column of names."""


def origin_rows(proposal: Proposal, card: Card) -> Iterator[Row]:
    """Yield the evidence of a card, then facts about the change, then about its proposal."""
    change, usage = card.change, proposal.usage
    cost = "" if usage.cost_usd is None else f"{in_dollars(usage.cost_usd)}, "
    sides = [("Evidence", change.evidence), *((f"Side {option.key}", option.evidence) for option in change.options)]
    for name, evidence in sides:
        for piece in evidence:
            yield Words((said(f"{name}  ", "kind"), *source_of(piece)))
            yield from (Words((own("  "), said(line, "quote")), hang=2) for line in piece.quote.split("\n"))
            yield BLANK
    yield from _facts(
        ("Change", f"{change.id}, {change.kind}, phase {change.phase or 'not named'}"),
        ("Confidence", f"{change.confidence:.2f}"),
        ("Note", card.review.note),
        ("Fingerprint", f"{change.fingerprint}: once rejected, what has it is not suggested again"),
        ("Digest", f"{card.seen}: a decision holds for the change that has it"),
    )
    yield BLANK
    yield from _facts(
        ("Proposal", proposal.id),
        ("Dreamed", proposal.created_at),
        ("By", " ".join(filter(None, (proposal.engine.name, proposal.engine.version, proposal.engine.model)))),
        ("With", ", ".join(f"{name} {said_of_it}" for name, said_of_it in proposal.engine.settings)),
        ("Base", f"{proposal.base.kind}, taken {proposal.base.at}"),
        ("Cost", f"{cost}{usage.input_tokens} tokens in, {usage.output_tokens} out, {usage.seconds:.1f} s"),
        ("Holds", proposal.summary),
    )
    if proposal.narrative:
        yield BLANK
        yield from (Words((said(line, "quote"),)) for line in proposal.narrative.split("\n"))
    for claim in mismatches(proposal.narrative, proposal.changes):
        yield Words((own(f"{SUMMARY_MISMATCH}  ", "warn"), said(claim)), hang=4)


def _facts(*facts: tuple[str, str]) -> Iterator[Row]:
    for name, value in facts:
        if value:
            yield Words((own(f"{name:<{NAME_CELLS}}", "dim"), said(value)), hang=NAME_CELLS)
