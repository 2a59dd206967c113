"""Taking an apply back brings the dream state back with the files: the clock, the proposal, what waits in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dreamreview.model.review import Op, State
from tests.workspace.stores import FOREIGN, accept_all, lay, leave_copy, memory, reviewed, workspace

if TYPE_CHECKING:
    from pathlib import Path

    from dreamreview.workspace import Workspace

STATE = b'{"lastDreamAt":"2026-09-01T03:00:00Z","sessionsSinceLastDream":4,"lastDreamStatus":"completed","theirs":[1]}'
BEFORE, AFTER = b"a\nb\nc\nd\ne\n", b"A\nb\nc\nd\nE\n"


def dreamt(folder: Path) -> Workspace:
    """Return a store that a dream of ours left a proposal in."""
    files = {"log.md": b"# 2026-09-11\n\n- Yesterday the mixer was repaired.\n", "gone.md": b""}
    opened = workspace(lay(folder, files))
    assert opened.dream().proposal is not None
    return opened


def test_neither_an_apply_nor_its_undo_touches_what_is_known_of_dreams(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": BEFORE}, {"m.md": AFTER})
    state = tmp_path / "s" / ".dream-state.json"
    state.write_bytes(STATE)
    accept_all(review)
    opened.apply()
    assert state.read_bytes() == STATE
    opened.undo()
    assert state.read_bytes() == STATE


def test_the_clock_of_dreams_stands_where_the_dream_put_it(tmp_path: Path) -> None:
    opened = dreamt(tmp_path / "s")
    before = opened.status()
    accept_all(opened.open())
    opened.apply()
    assert opened.status().pending == 0
    opened.undo()
    assert opened.status() == before


def test_the_proposal_waits_again_with_its_changes_undecided(tmp_path: Path) -> None:
    opened = dreamt(tmp_path / "s")
    start, name = memory(tmp_path / "s"), opened.resolve(None)
    accept_all(opened.open())
    opened.apply()
    assert opened.resolve(None) is None
    opened.undo()
    assert memory(tmp_path / "s") == start
    assert opened.resolve(None) == name
    review = opened.open()
    assert review.counts.undecided == review.counts.changes == len(review.proposal.changes)
    assert [card.applied for card in review.cards()] == [None] * len(review.proposal.changes)
    accept_all(review)
    assert opened.apply().stale == ()


@pytest.mark.parametrize("is_whole", [True, False])
def test_what_was_rejected_beside_it_stays_rejected_and_is_not_told_as_rejected_before(
    tmp_path: Path, *, is_whole: bool
) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": BEFORE}, {"m.md": AFTER})
    kept, refused = (change.id for change in review.proposal.changes)
    review.decide(Op.ACCEPT, kept)
    review.decide(Op.REJECT, refused)
    opened.apply()
    opened.undo(change=None if is_whole else kept)
    again = opened.open(FOREIGN)
    assert {change: found.state for change, found in again.review.of.items()} == {
        kept: State.UNDECIDED,
        refused: State.REJECTED,
    }
    assert [card.rejected_before for card in again.cards()] == [False, False]


def test_a_later_proposal_by_others_tells_what_was_rejected_before(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": BEFORE}, {"m.md": AFTER})
    kept, refused = (change.id for change in review.proposal.changes)
    review.decide(Op.ACCEPT, kept)
    review.decide(Op.REJECT, refused)
    opened.apply()
    later = leave_copy(tmp_path / "s", {"m.md": AFTER}, "20260915T090000000")
    (card,) = opened.open(later).cards()
    assert (card.rejected_before, card.change.edits[0].new) == (True, (b"E\n",))
