from __future__ import annotations

from pathlib import Path

from dreamreview.model.review import Op, State
from dreamreview.workspace import Decision, Workspace

ONE = "20260301T000000000"
TWO = "20260302T000000000"


def _store(folder: Path, *proposals: str) -> Workspace:
    (folder / "pumps.md").write_bytes(b"- Pump one runs.\n- Pump two rests.\n")
    for name in proposals:
        copy = folder / ".dream-proposals" / name
        copy.mkdir(parents=True)
        (copy / "pumps.md").write_bytes(b"- Pump one runs.\n- Pump two runs too.\n")
    return Workspace(folder)


def test_what_was_never_opened_is_not_there_at_once(tmp_path: Path) -> None:
    assert _store(tmp_path, ONE).at_once() is None


def test_the_only_one_that_waits_is_there_at_once_after_its_first_look(tmp_path: Path) -> None:
    workspace = _store(tmp_path, ONE)
    whole = workspace.open(ONE)
    opened = workspace.at_once()
    assert opened is not None
    assert opened.proposal == whole.proposal
    assert opened.is_slow_to_examine
    opened.examine()
    assert not opened.is_slow_to_examine
    assert opened.cards() == whole.cards()


def test_of_several_only_the_named_one_is_there_at_once(tmp_path: Path) -> None:
    workspace = _store(tmp_path, ONE, TWO)
    workspace.open(ONE)
    workspace.open(TWO)
    assert workspace.at_once() is None
    named = workspace.at_once(TWO)
    assert named is not None
    assert named.proposal.id == TWO


def test_a_proposal_whose_copy_is_gone_is_not_there_at_once(tmp_path: Path) -> None:
    workspace = _store(tmp_path, ONE)
    workspace.open(ONE)
    (tmp_path / ".dream-proposals" / ONE / "pumps.md").unlink()
    assert workspace.at_once(ONE) is None


def test_a_decision_on_what_the_copy_no_longer_shows_falls_away_with_the_look(tmp_path: Path) -> None:
    workspace = _store(tmp_path, ONE)
    workspace.open(ONE)
    (tmp_path / ".dream-proposals" / ONE / "pumps.md").write_bytes(b"- Pump one runs.\n- Pump two is sold.\n")
    opened = workspace.at_once()
    assert opened is not None
    (change,) = opened.proposal.changes
    opened.decide_all([Decision(Op.ACCEPT, change.id, seen=opened.first_cards()[0].seen)])
    opened.examine()
    assert [card.review.state for card in opened.cards()] == [State.UNDECIDED]
    assert opened.proposal.changes[0].edits[0].new == (b"- Pump two is sold.\n",)


def test_a_decision_before_the_look_stands_after_it(tmp_path: Path) -> None:
    workspace = _store(tmp_path, ONE)
    workspace.open(ONE)
    opened = workspace.at_once()
    assert opened is not None
    opened.decide_all([Decision(Op.REJECT, opened.proposal.changes[0].id)])
    opened.examine()
    assert [card.review.state for card in opened.cards()] == [State.REJECTED]


def test_decisions_of_one_breath_are_taken_back_by_one_undo_and_after_a_restart_too(tmp_path: Path) -> None:
    workspace = _store(tmp_path, ONE)
    (tmp_path / ".dream-proposals" / ONE / "new.md").write_bytes(b"- Pump three.\n")
    opened = workspace.open(ONE)
    first, second = (change.id for change in opened.proposal.changes)
    opened.decide_all([Decision(Op.REJECT, first)])
    opened.decide_all([Decision(Op.ACCEPT, first), Decision(Op.ACCEPT, second)])
    again = workspace.open(ONE)
    assert again.undo()
    assert [again.review.of[each].state for each in (first, second)] == [State.REJECTED, State.UNDECIDED]
    assert workspace.open(ONE).redo()
    assert [card.review.state for card in workspace.open(ONE).cards()] == [State.ACCEPTED, State.ACCEPTED]
