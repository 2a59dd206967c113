"""Parts of a change: one line of several, the second hunk without the first, one paragraph of a file that goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamreview.model.proposal import Act
from dreamreview.model.review import Op, State
from tests.workspace.stores import FOREIGN, Files, accept_all, reviewed, texts, workspace


def decide_lines(folder: Path, before: Files, after: Files, lines: str) -> bytes:
    """Accept some lines of the only edit of a copy, apply, and return what the file holds."""
    opened, review = reviewed(folder, before, after)
    (change,) = review.proposal.changes
    review.decide(Op.ACCEPT, f"{change.id}.{change.edits[0].id}:{lines}")
    opened.apply()
    return texts(folder)["m.md"]


@pytest.mark.parametrize(
    ("before", "after", "lines", "result"),
    [
        pytest.param(b"a\nb", b"a\nB\n", "+1", b"a\nb\nB\n", id="only what comes"),
        pytest.param(b"a\nb", b"a\nB\n", "-1", b"a\n", id="only what goes"),
        pytest.param(b"A\nB\n", b"A1\nB1\n", "-1,+1", b"A1\nB\n", id="the first of two changed lines"),
        pytest.param(b"end", b"end\none\ntwo\nthree\n", "+1", b"end\none\n", id="the first of three at the end"),
        pytest.param(b"hello\nworld", b"hello\nworld\ntail", "+1", b"hello\nworld\ntail", id="after an open line"),
        pytest.param(b"a\r\nb\r\n", b"A\r\nB\r\n", "-2,+2", b"a\r\nB\r\n", id="one of two in crlf"),
    ],
)
def test_some_lines_of_an_edit(tmp_path: Path, before: bytes, after: bytes, lines: str, result: bytes) -> None:
    assert decide_lines(tmp_path / "s", {"m.md": before}, {"m.md": after}, lines) == result


def test_the_second_of_two_far_edits_alone_and_then_the_first(tmp_path: Path) -> None:
    lines = [f"{at}\n".encode() for at in range(20)]
    after = [b"top 1\n", b"top 2\n", b"top 3\n", *lines[:15], b"changed\n", *lines[16:]]
    opened, review = reviewed(tmp_path / "s", {"m.md": b"".join(lines)}, {"m.md": b"".join(after)})
    first, second = review.proposal.changes
    review.decide(Op.ACCEPT, second.id)
    opened.apply()
    assert texts(tmp_path / "s")["m.md"] == b"".join([*lines[:15], b"changed\n", *lines[16:]])
    opened.open(FOREIGN).decide(Op.ACCEPT, first.id)
    opened.apply()
    assert texts(tmp_path / "s")["m.md"] == b"".join(after)


def test_among_equal_lines_the_middle_insertion_lands_in_the_middle(tmp_path: Path) -> None:
    base = [b"a\n"] * 11
    after = [b"c\n", b"b\n", *base[:5], b"d\n", *base[5:]]
    opened, review = reviewed(tmp_path / "s", {"m.md": b"".join(base)}, {"m.md": b"".join(after)})
    review.decide(Op.ACCEPT, review.proposal.changes[1].id)
    opened.apply()
    assert texts(tmp_path / "s")["m.md"] == b"".join([*base[:5], b"d\n", *base[5:]])


def test_a_kept_paragraph_keeps_a_deleted_file(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"one\n\ntwo\n", "k.md": b"k\n"}, {"k.md": b"k\n"})
    (change,) = review.proposal.changes
    assert change.edits[0].act is Act.DELETE
    review.decide(Op.ACCEPT, f"{change.id}.{change.edits[0].id}:-1-2")
    done = opened.apply()
    assert (done.kept, done.deleted) == (("m.md",), ())
    assert texts(tmp_path / "s")["m.md"] == b"two\n"


def test_a_new_file_accepted_in_part_has_just_that_part(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"k.md": b"k\n"}, {"k.md": b"k\n", "m.md": b"one\ntwo\n"})
    (change,) = review.proposal.changes
    review.decide(Op.ACCEPT, f"{change.id}.{change.edits[0].id}:+2")
    opened.apply()
    assert texts(tmp_path / "s")["m.md"] == b"two\n"
    opened.undo()
    assert texts(tmp_path / "s") == {"k.md": b"k\n"}


def test_ids_and_states_survive_lines_undo_redo_and_a_new_start(tmp_path: Path) -> None:
    _, review = reviewed(tmp_path / "s", {"m.md": b"A\nB\n"}, {"m.md": b"A1\nB1\n"})
    (change,) = review.proposal.changes
    review.decide(Op.ACCEPT, f"{change.id}.e1:-1,+1")
    assert review.undo()
    assert review.redo()
    again = workspace(tmp_path / "s").open(FOREIGN)
    assert [one.id for one in again.proposal.changes] == [change.id]
    assert again.review.of[change.id].state is State.PARTIAL
    assert again.review.of == review.review.of


def test_rejecting_after_accepting_lines_leaves_no_impossible_file(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"k.md": b"k\n"}, {"k.md": b"k\n", "m.md": b"one\ntwo\n"})
    (change,) = review.proposal.changes
    review.decide(Op.ACCEPT, f"{change.id}.e1:+1")
    review.decide(Op.REJECT, change.id)
    assert opened.apply().apply is None
    assert texts(tmp_path / "s") == {"k.md": b"k\n"}


@pytest.mark.parametrize(
    ("live", "result"),
    [
        pytest.param(b"A\nb\nc\nd\ne\n", b"A\nb\nC\nd\ne\n", id="two lines above"),
        pytest.param(b"a\nB!\nc\nd\ne\n", b"a\nB!\nC\nd\ne\n", id="the line above"),
        pytest.param(b"a\nb\nc\nD!\ne\n", b"a\nb\nC\nD!\ne\n", id="the line below"),
        pytest.param(b"a\nb\nnew\nc\nnew\nd\ne\n", b"a\nb\nnew\nC\nnew\nd\ne\n", id="lines put around it"),
        pytest.param(b"c\n", b"C\n", id="everything around it gone"),
        pytest.param(b"c\nx\n" + b"a\nb\nc\nd\ne\n", b"c\nx\na\nb\nC\nd\ne\n", id="its like put above"),
    ],
)
def test_an_accepted_line_needs_none_of_the_lines_around_it(tmp_path: Path, live: bytes, result: bytes) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"a\nb\nc\nd\ne\n"}, {"m.md": b"a\nb\nC\nd\ne\n"})
    accept_all(review)
    (tmp_path / "s" / "m.md").write_bytes(live)
    assert opened.apply().stale == ()
    assert texts(tmp_path / "s")["m.md"] == result
    opened.undo()
    assert texts(tmp_path / "s")["m.md"] == live


def test_only_the_added_line_leaves_the_unclosed_end_unclosed(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"l1\nl2\nl3"}, {"m.md": b"l1\nl2\nl2.2\nl3\n"})
    added, closed = review.proposal.changes
    review.decide(Op.ACCEPT, added.id)
    review.decide(Op.REJECT, closed.id)
    opened.apply()
    assert texts(tmp_path / "s")["m.md"] == b"l1\nl2\nl2.2\nl3"


@pytest.mark.parametrize(("op", "result"), [(Op.ACCEPT, b"a\r\nB\r\nc\r\n"), (Op.REJECT, b"a\r\nb\r\nc\r\n")])
def test_a_decided_line_of_a_crlf_file_leaves_nothing_to_review(tmp_path: Path, op: Op, result: bytes) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"a\r\nb\r\nc\r\n"}, {"m.md": b"a\r\nB\r\nc\r\n"})
    review.decide(op, review.proposal.changes[0].id)
    opened.apply()
    assert texts(tmp_path / "s")["m.md"] == result
    assert opened.resolve(None) is None
