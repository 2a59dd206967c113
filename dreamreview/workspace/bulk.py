"""What has to be named where many changes are decided at once: what that very decision would take away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from dreamreview.model.decisions import Op

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.model.proposal import Proposal
    from dreamreview.workspace.values import Card


class HasBase(Protocol):
    """A proposal under review, with what stood before it."""

    @property
    def proposal(self) -> Proposal:
        """The proposal."""

    def base_text(self, path: str, /) -> Text:
        """Return what a path holds in the base."""


def has_to_be_named(review: HasBase, card: Card, op: Op) -> bool:
    """Tell whether a change is never decided so along with others.

    Rejecting what others made already takes it back: a file that they deleted comes back, so nothing has to be named,
    and one that they created goes. All else is judged by what the change itself does.
    """
    if op is not Op.REJECT or not review.proposal.is_observed:
        return card.has_to_be_named
    from dreamreview.model.loss import takes_away_when_taken_back

    return takes_away_when_taken_back(card.change, review.base_text)
