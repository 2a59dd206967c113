"""Reasons given for rejections reach the next dream: bounded, masked, and only while they stand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dreamreview.dream.engine import Rejection
from dreamreview.model.review import Op
from dreamreview.store.rooted import Root
from dreamreview.workspace import Decision, Workspace
from dreamreview.workspace.context import Context
from dreamreview.workspace.rejections import MOST, REASON_CHARACTERS, rejections
from tests.workspace.commands import dreamed_by
from tests.workspace.stores import FOREIGN, NOW, lay, leave_copy, workspace

KEY = "sk-ant-api03-q8Zr51vLm0TxWc7Yd2Kp94Hs6Bn3Gf"
"""Invented."""


def _rejections(opened: Workspace) -> tuple[Rejection, ...]:
    from dreamreview.settings import Settings

    return rejections(Context(Root(opened.folder), Settings(), lambda: NOW))


def _rejected(folder: Path, reason: str, *, before: bytes = b"The boat is blue.\n") -> Workspace:
    opened = workspace(lay(folder, {"boat.md": before}))
    review = opened.open(leave_copy(folder, {"boat.md": b"The boat is red.\n"}))
    review.decide(Op.REJECT, review.proposal.changes[0].id, reason=reason)
    return opened


def test_a_reason_comes_with_what_it_was_about(tmp_path: Path) -> None:
    opened = _rejected(tmp_path, "it was painted\nlast week")
    assert _rejections(opened) == (
        Rejection("Edit boat.md line 1", "it was painted last week", ("The boat is blue.",)),
    )


def test_a_rejection_without_a_reason_tells_nothing(tmp_path: Path) -> None:
    assert _rejections(_rejected(tmp_path, " ")) == ()


def test_what_is_decided_anew_is_rejected_no_more(tmp_path: Path) -> None:
    opened = _rejected(tmp_path, "no")
    review = opened.open(FOREIGN)
    review.decide(Op.ACCEPT, review.proposal.changes[0].id)
    assert _rejections(opened) == ()


def test_a_reason_outlives_its_proposal(tmp_path: Path) -> None:
    opened = _rejected(tmp_path, "it is blue")
    opened.discard(FOREIGN)
    opened.dream()
    assert [one.reason for one in _rejections(opened)] == ["it is blue"]


def test_keys_are_masked_and_long_reasons_cut(tmp_path: Path) -> None:
    (found,) = _rejections(_rejected(tmp_path, f"{KEY} {'x' * 3000}", before=f"token: {KEY}\n".encode()))
    assert KEY not in repr(found)
    assert len(found.reason) == REASON_CHARACTERS
    assert found.reason.endswith("…")


def test_the_newest_come_first_and_only_so_many(tmp_path: Path) -> None:
    lines = [f"Line {number} of the log.\n" for number in range(MOST + 5)]
    opened = workspace(lay(tmp_path, {"log.md": "\n".join(lines).encode()}))
    tidied = "\n".join(line.replace("the log", "the book") for line in lines)
    review = opened.open(leave_copy(tmp_path, {"log.md": tidied.encode()}))
    for number, change in enumerate(review.proposal.changes):
        review.decide_all([Decision(Op.REJECT, change.id, reason=f"reason {number}")])
    found = [one.reason for one in _rejections(opened)]
    assert found == [f"reason {number}" for number in range(MOST + 4, 4, -1)]


@pytest.mark.skipif(sys.platform == "win32", reason="the programs of these tests speak POSIX")
def test_the_next_dream_by_a_program_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    _rejected(tmp_path / "store", "it was painted")
    opened = dreamed_by(tmp_path / "store", "(here / 'told.md').write_text(sys.stdin.read())")
    review = opened.open(opened.dream().proposal)
    (told,) = [change for change in review.proposal.changes if change.edits[0].path == "told.md"]
    assert b"- Edit boat.md line 1: it was painted\n" in told.edits[0].new
