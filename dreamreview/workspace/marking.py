"""What is said on the card of a change besides what its maker said: what it repeats, moves or touches in the folder."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.model.proposal import Act
from dreamreview.model.recalled import SHIFTS_RECALLED
from dreamreview.workspace.restating import DUPLICATE_OF

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dreamreview.model.edits import Text
    from dreamreview.model.proposal import Change, Evidence, FileEdit

TOUCHES_PINNED = "touches-pinned"
"""Flag of a change that would rewrite, or take away, lines of a pinned note; it counts as destructive."""


def marked(change: Change, repeats: tuple[Evidence, ...], *, is_shifting: bool, is_pinned: bool) -> Change:
    """Return a change as it is shown: one that says nothing new names the facts that it repeats."""
    found = ((bool(repeats), DUPLICATE_OF), (is_shifting, SHIFTS_RECALLED), (is_pinned, TOUCHES_PINNED))
    change = change.flagged(flag for is_so, flag in found if is_so)
    return replace(change, evidence=(*change.evidence, *repeats)) if repeats else change


def touching_pins(changes: Iterable[Change], text_of: Callable[[str], Text]) -> frozenset[str]:
    """Return the ids of the changes that would alter lines of a pinned note, in whichever of their options.

    Args:
        changes: of one proposal.
        text_of: what a path holds in the base.
    """
    from dreamreview.model.pins import may_hold_pins, pinned_lines  # reads markdown, which a first paint does not

    edits: dict[str, list[tuple[str, FileEdit]]] = defaultdict(list)
    for change in changes:
        for edit in change.all_edits:
            if edit.act in (Act.LINES, Act.DELETE):
                edits[edit.path].append((change.id, edit))
    found: set[str] = set()
    for path, several in edits.items():
        text = text_of(path)
        if may_hold_pins(text):
            pinned = {line - 1 for line in pinned_lines(path, text, range(len(text)))}
            found.update(change for change, edit in several if not pinned.isdisjoint(range(edit.start, edit.stop)))
    return frozenset(found)
