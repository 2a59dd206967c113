"""What is written is written under a hold, and what waits for a decision is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamreview.errors import StoreLockedError
from dreamreview.model.review import Op
from dreamreview.store.lock import Held
from tests.workspace.stores import accept_all, reviewed, texts, workspace


@pytest.mark.parametrize("undoes", [False, True])
def test_nothing_is_written_once_another_program_took_the_store_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, undoes: bool
) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"a\n"}, {"m.md": b"b\n"})
    accept_all(review)
    if undoes:
        opened.apply()
    before = texts(tmp_path / "s")

    def lost(_held: Held) -> None:
        raise StoreLockedError("another program holds the store")

    monkeypatch.setattr(Held, "check", lost)
    with pytest.raises(StoreLockedError):
        opened.undo() if undoes else opened.apply()
    assert texts(tmp_path / "s") == before
    assert len(opened.history()) == undoes


def test_a_change_decided_in_part_still_waits(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"A\nB\n"}, {"m.md": b"A1\nB1\n"})
    (change,) = review.proposal.changes
    review.decide(Op.ACCEPT, f"{change.id}.e1:-1,+1")
    opened.apply()
    status = workspace(tmp_path / "s").status()
    assert (status.pending, status.undecided, status.needs_attention) == (1, 1, True)
