"""Decisions are bound to what was seen, stale items never block the others, and every write finds the right store."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamreview.errors import UsageError
from dreamreview.model.review import Op
from tests.workspace.stores import FOREIGN, accept_all, lay, leave_copy, reviewed, texts, workspace

LINES = [f"line {at}\n".encode() for at in range(12)]


def edited(*places: int) -> bytes:
    return b"".join(b"new " + line if at in places else line for at, line in enumerate(LINES))


def test_a_lost_anchor_makes_one_item_stale_and_the_others_apply(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"".join(LINES)}, {"m.md": edited(2, 8)})
    accept_all(review)
    (tmp_path / "s" / "m.md").write_bytes(b"".join(LINES[:2] + LINES[3:]))
    done = opened.apply()
    assert len(done.stale) == 1
    assert texts(tmp_path / "s")["m.md"] == b"".join(LINES[:2] + LINES[3:]).replace(b"line 8", b"new line 8")
    stale = opened.open(FOREIGN).card(done.stale[0]).stale
    assert stale is not None
    assert (stale.base, "line 3" in stale.live) == ("line 2", True)
    again = opened.apply()
    assert (again.apply, again.stale) == (None, done.stale)


def test_an_accept_of_something_else_than_what_was_seen_is_refused(tmp_path: Path) -> None:
    _, review = reviewed(tmp_path / "s", {"m.md": b"".join(LINES)}, {"m.md": edited(2)})
    (change,) = review.proposal.changes
    with pytest.raises(UsageError, match="no longer what was shown"):
        review.decide(Op.ACCEPT, change.id, seen="0" * 64)
    assert review.counts.accepted == 0


def test_a_copy_that_changes_between_two_looks_asks_for_a_new_decision(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"".join(LINES)}, {"m.md": edited(2)})
    accept_all(review)
    leave_copy(tmp_path / "s", {"m.md": edited(2).replace(b"new line 2", b"evil line 2")})
    again = opened.open(FOREIGN)
    assert again.counts.accepted == 0
    assert opened.apply().apply is None
    assert texts(tmp_path / "s")["m.md"] == b"".join(LINES)


def test_a_line_that_two_sessions_append_is_never_lost(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"MEMORY.md": b"- one\n"}, {"MEMORY.md": b"- one\n- two\n"})
    accept_all(review)
    (tmp_path / "s" / "MEMORY.md").write_bytes(b"- one\n- by another session\n")
    opened.apply()
    assert texts(tmp_path / "s")["MEMORY.md"] == b"- one\n- by another session\n- two\n"


def test_a_file_edited_to_the_same_size_and_time_is_still_seen_as_edited(tmp_path: Path) -> None:
    import os

    opened, review = reviewed(tmp_path / "s", {"m.md": b"aaa\nbbb\n"}, {"m.md": b"aaa\nBBB\n"})
    accept_all(review)
    path = tmp_path / "s" / "m.md"
    found = path.stat()
    path.write_bytes(b"aaa\nccc\n")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert len(opened.apply().stale) == 1
    assert path.read_bytes() == b"aaa\nccc\n"


def test_what_was_rejected_is_not_proposed_again_and_comes_marked_from_others(tmp_path: Path) -> None:
    twin = b"The kettle in the hall boils in four minutes and thirty seconds.\n"
    folder = lay(tmp_path / "s", {"a.md": twin, "b.md": twin})
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    review.decide_all([])
    for change in review.proposal.changes:
        review.decide(Op.REJECT, change.id, reason="wanted twice")
    assert opened.dream().proposal is None
