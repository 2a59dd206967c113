"""What a store says once a part of a proposal is carried out, for whoever measures an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.store.composing import composed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dreamreview.model.proposal import Change
    from dreamreview.workspace.context import Context
    from dreamreview.workspace.reviewing import OpenReview


def text_with(context: Context, review: OpenReview, changes: Iterable[Change]) -> str:
    """Return the whole text of a store with the edits of some changes made, file after file; nothing is written."""
    edits = [edit for change in changes for edit in change.edits]
    base = {path: context.live(path) for path in context.scan().entries}
    base |= {edit.path: review.base_state(edit.path) for edit in edits}
    tree = composed({path: state for path, state in base.items() if state is not None}, edits)
    return "\n".join(b"".join(tree[path].text).decode("utf-8", "replace") for path in sorted(tree))
