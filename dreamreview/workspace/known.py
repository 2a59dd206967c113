"""What a new dream must not suggest again: what open proposals hold, what was rejected, what was taken back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.model.proposal import IMPORTED
from dreamreview.model.records import Record, applied_units, apply_of, released, undone_fingerprints
from dreamreview.model.review import Counts, Review, State, count, reduce
from dreamreview.store import proposals, reviews

if TYPE_CHECKING:
    from dreamreview.model.proposal import Proposal
    from dreamreview.workspace.context import Context

READY = "ready"


@dataclass(frozen=True, slots=True)
class Standing:
    """One proposal with the decisions on it, without a look at its copy."""

    id: str
    proposal: Proposal | None
    """None for one made by another program that was never opened."""
    review: Review
    status: str
    problem: str | None = None
    counts: Counts = field(default_factory=Counts)

    @property
    def is_ours(self) -> bool:
        """Tell whether an engine of ours declared it."""
        found = self.proposal
        return found is not None and found.base.kind == "declared" and found.engine.name != IMPORTED

    @property
    def is_untouched(self) -> bool:
        """Tell whether nothing in it was ever decided."""
        return self.review.next_n == 1


def status_of(stored: str, review: Review, *, is_observed: bool = False) -> str:
    """Return the status of a proposal: as stored, but for what the decisions and an undo say since.

    Where the changes were made already, what is accepted or rejected has to be settled by an apply.
    """
    if is_observed:
        return stored
    found = Counter(one.state for one in review.of.values())
    if stored == "applied" and not all(one.is_settled and not one.chosen for one in review.of.values()):
        return READY
    if stored == READY and review.of and found[State.REJECTED] == found.total():
        return "discarded"
    return stored


def standing(context: Context, proposal_id: str, records: tuple[Record, ...]) -> Standing:
    """Return how one proposal stands; a broken one comes with a problem instead of a proposal."""
    try:
        proposal = proposals.peek(context.root, proposal_id)
        log = reviews.load(context.root, proposal_id)
    except DreamReviewError as error:
        return Standing(proposal_id, None, Review(of={}), READY, problem=str(error))
    changes = proposal.changes if proposal else ()
    is_observed = proposal is not None and proposal.is_observed
    review = reduce(
        changes,
        log.entries,
        released(records, proposal_id),
        {} if is_observed else applied_units(records, proposal_id),
        is_read_only=log.read_only,
    )
    status = status_of(proposal.status if proposal else READY, review, is_observed=is_observed)
    counts = count(review.of.values(), applied=len(apply_of(records, proposal_id)))
    return Standing(proposal_id, proposal, review, status, counts=counts)


def standings(context: Context) -> tuple[Standing, ...]:
    """Return how every proposal stands, newest first."""
    records = context.records()
    return tuple(standing(context, name, records) for name in proposals.list_ids(context.root))


@dataclass(frozen=True, slots=True)
class Known:
    """Fingerprints a new dream leaves out, and the proposals it would replace."""

    settled: frozenset[str]
    """Rejected, kept on both sides, taken back, or under review."""
    waiting: frozenset[str]
    """Held only by proposals of ours in which nothing was decided."""
    replaceable: tuple[str, ...]
    """Those proposals."""


def known_fingerprints(context: Context) -> Known:
    """Return what a new dream must know of earlier suggestions."""
    settled = set(reviews.rejected_fingerprints(context.root)) | undone_fingerprints(context.records())
    waiting: set[str] = set()
    replaceable: list[str] = []
    for found in standings(context):
        if found.proposal is None:
            continue
        prints = {change.fingerprint for change in found.proposal.changes}
        if found.status == READY and found.is_ours and found.is_untouched:
            replaceable.append(found.id)
            waiting |= prints
        elif found.status == READY:
            settled |= prints
        else:
            settled |= {change.fingerprint for change in found.proposal.changes if _is_remembered(found, change.id)}
    return Known(frozenset(settled), frozenset(waiting - settled), tuple(replaceable))


def _is_remembered(found: Standing, change_id: str) -> bool:
    """Tell whether a change of a closed proposal was settled in a way that its evidence may outlive."""
    verdict = found.review.of[change_id]
    return verdict.state is State.REJECTED or verdict.choice is not None
