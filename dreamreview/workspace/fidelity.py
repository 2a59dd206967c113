"""The report on a proposal under review: all of it, or what was accepted of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.errors import DreamReviewError
from dreamreview.model.fidelity import Fidelity, Judged, fidelity
from dreamreview.model.occurrence import occurs
from dreamreview.model.support import unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dreamreview.dream.engine import Corpus, Policy
    from dreamreview.model.edits import Text
    from dreamreview.model.proposal import Change, FileEdit
    from dreamreview.model.units import Chosen
    from dreamreview.store.views import OpenedCopy
    from dreamreview.workspace.reviewing import OpenReview
    from dreamreview.workspace.values import Card


UNSUPPORTED = "unsupported"
"""Flag of a change that states what stands neither in the memory nor in what is read with it."""


def with_unsupported(changes: Sequence[Change], corpus: Corpus) -> tuple[Change, ...]:
    """Flag the changes of an engine that cites nothing where they state what was said nowhere before."""
    read = {**corpus.context, **corpus.documents}

    def before(path: str) -> Text | None:
        return read[path].lines if path in read else None

    come = {name for change in changes for edit in change.all_edits for name in (edit.path, edit.to) if name}
    stated = unsupported(changes, before, read, {*corpus.files, *come})
    return tuple(change.flagged([UNSUPPORTED] if any(stated[change.id].values()) else []) for change in changes)


def report_on(review: OpenReview, opened: OpenedCopy, policy: Policy, *, is_chosen: bool) -> Fidelity:
    """Return the report; of changes that others made already, what they state is not held against the folder."""
    proposal = review.proposal
    cards = [card for card in review.cards() if not is_chosen or card.review.chosen]

    def base(path: str) -> Text | None:
        try:
            state = opened.base(path)
        except DreamReviewError:
            return None
        return state.text if state is not None else None

    stated: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    if not proposal.is_observed:
        changes = [card.change for card in cards]
        stated = unsupported(changes, base, opened.base_paths, opened.proposed_paths)
        stated = {change.id: _unsaid(review, change, stated.get(change.id, {})) for change in changes}
    judged = [
        Judged(
            change=card.change,
            derived=card.derived,
            choice=card.review.choice,
            unsupported=stated.get(card.change.id, {}),
            edits=_made(card, is_chosen=is_chosen),
        )
        for card in cards
    ]
    return fidelity(proposal, judged, lambda path: base(path) or (), (policy.index_lines, policy.index_bytes))


def _unsaid(review: OpenReview, change: Change, stated: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    """Return what a change states that is not said either in a session it cites, as far as that is on this machine."""
    if not any(stated.values()) or not any(piece.session for piece in change.evidence):
        return stated
    turns = (turn.text for session in review.sessions(change.id) for turn in session.turns)
    said = "\n".join(turns).encode("utf-8", "replace").lower()
    return {
        key: tuple(literal for literal in literals if not occurs(literal.encode("utf-8", "replace").lower(), said))
        for key, literals in stated.items()
    }


def _made(card: Card, *, is_chosen: bool) -> tuple[FileEdit, ...]:
    """Return the edits that are made of a change, each with no more than what was accepted of it."""
    return tuple(map(_accepted, card.review.chosen)) if is_chosen else card.change.edits


def _accepted(part: Chosen) -> FileEdit:
    old = tuple(part.edit.old[line - 1] for line in sorted(part.old))
    new = tuple(part.edit.new[line - 1] for line in sorted(part.new))
    return replace(part.edit, old=old, new=new)
