"""The folder moved on since the dream: what merges, what is left for review, what is done already, what undo keeps."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from dreamreview.cli.main import run
from dreamreview.model.review import Op, State
from dreamreview.store import bases, opening
from dreamreview.store.rooted import Root
from dreamreview.workspace import Decision
from tests.workspace.stores import accept_all, lay, leave_copy, memory, reviewed, texts, workspace

LIST = b"- one\n- two\n- three\n- four\n- five\n- six\n- seven\n- eight\n"


def write(folder: Path, name: str, data: bytes) -> None:
    """Write into a file in place, as an editor or an agent does."""
    with (folder / name).open("r+b") as file:
        file.write(data)
        file.truncate()


def test_an_edit_elsewhere_in_the_file_is_merged_and_kept_by_undo(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": LIST}, {"m.md": LIST.replace(b"two", b"2")})
    accept_all(review)
    by_hand = LIST.replace(b"seven", b"seven, by the agent") + b"- nine\n"
    write(tmp_path / "s", "m.md", by_hand)
    done = opened.apply()
    assert (done.stale, done.written) == ((), ("m.md",))
    assert (tmp_path / "s/m.md").read_bytes() == by_hand.replace(b"two", b"2")
    assert opened.undo().stale == ()
    assert (tmp_path / "s/m.md").read_bytes() == by_hand


def test_an_edit_of_the_same_line_makes_the_change_stale_and_shows_both_texts(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": LIST}, {"m.md": LIST.replace(b"two", b"2")})
    accept_all(review)
    by_hand = LIST.replace(b"two", b"two, by hand")
    write(tmp_path / "s", "m.md", by_hand)
    review.refresh()
    (card,) = review.cards()
    assert card.stale is not None
    assert card.stale.base == "- two"
    assert "- two, by hand" in card.stale.live.splitlines()
    assert (card.review.state, review.counts.stale, review.counts.accepted) == (State.ACCEPTED, 1, 1)
    done = opened.apply()
    assert (done.apply, done.stale, done.written) == (None, (card.change.id,), ())
    assert [clash.reason for clash in done.clashes] == [card.stale.reason]
    assert (tmp_path / "s/m.md").read_bytes() == by_hand
    assert opened.proposals()[0].status == "ready"


def test_a_file_that_was_deleted_does_not_come_back(tmp_path: Path) -> None:
    opened, review = reviewed(
        tmp_path / "s", {"m.md": LIST, "n.md": b"n\n"}, {"m.md": LIST.replace(b"two", b"2"), "n.md": b"N\n"}
    )
    accept_all(review)
    (tmp_path / "s/m.md").unlink()
    done = opened.apply()
    (stale,) = done.stale
    assert review.card(stale).change.edits[0].path == "m.md"
    assert texts(tmp_path / "s") == {"n.md": b"N\n"}
    opened.undo()
    assert texts(tmp_path / "s") == {"n.md": b"n\n"}


def test_an_edit_that_was_made_already_is_done_and_undo_leaves_it_to_whoever_made_it(tmp_path: Path) -> None:
    after = LIST.replace(b"two", b"2")
    opened, review = reviewed(tmp_path / "s", {"m.md": LIST}, {"m.md": after})
    accept_all(review)
    write(tmp_path / "s", "m.md", after)
    done = opened.apply()
    assert (done.stale, done.written) == ((), ())
    assert opened.proposals()[0].status == "applied"
    opened.undo()
    assert (tmp_path / "s/m.md").read_bytes() == after


def test_the_rest_is_applied_around_what_no_longer_fits(tmp_path: Path) -> None:
    opened, review = reviewed(
        tmp_path / "s", {"m.md": LIST}, {"m.md": LIST.replace(b"two", b"2").replace(b"seven", b"7")}
    )
    accept_all(review)
    write(tmp_path / "s", "m.md", LIST.replace(b"two", b"zwei"))
    done = opened.apply()
    assert len(done.stale) == 1
    assert (tmp_path / "s/m.md").read_bytes() == LIST.replace(b"two", b"zwei").replace(b"seven", b"7")
    again = opened.apply()
    assert (again.apply, again.stale) == (None, done.stale)
    write(tmp_path / "s", "m.md", (tmp_path / "s/m.md").read_bytes().replace(b"zwei", b"two"))
    last = opened.apply()
    assert (last.stale, last.written) == ((), ("m.md",))
    assert (tmp_path / "s/m.md").read_bytes() == LIST.replace(b"two", b"2").replace(b"seven", b"7")


def test_a_command_that_leaves_something_for_review_ends_with_four(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    _, review = reviewed(
        tmp_path / "s", {"m.md": LIST, "n.md": b"n\n"}, {"m.md": LIST.replace(b"two", b"2"), "n.md": b"N\n"}
    )
    accept_all(review)
    write(tmp_path / "s", "m.md", LIST.replace(b"two", b"zwei"))
    stale = next(change.id for change in review.proposal.changes if change.edits[0].path == "m.md")
    capfd.readouterr()
    assert run(["apply", str(tmp_path / "s"), "--yes", "--json"]) == 4
    printed = json.loads(capfd.readouterr().out)
    assert (printed["stale"], printed["written"]) == ([stale], ["n.md"])
    write(tmp_path / "s", "n.md", b"N, by hand\n")
    assert run(["undo", str(tmp_path / "s"), "--json"]) == 4
    printed = json.loads(capfd.readouterr().out)
    assert (printed["apply"], len(printed["stale"])) == (None, 1)
    assert (tmp_path / "s/n.md").read_bytes() == b"N, by hand\n"


def by_rename(folder: Path) -> None:
    (folder / "to.md").write_bytes(b"in the way\n")


def by_append(folder: Path) -> None:
    with (folder / "goes.md").open("ab") as file:
        file.write(b"news\n")


def by_folder(folder: Path) -> None:
    (folder / "comes.md").mkdir()
    (folder / "comes.md" / "below.md").write_bytes(b"below\n")


def by_link(folder: Path) -> None:
    (folder / "edits.md").unlink()
    os.symlink("goes.md", folder / "edits.md")


@pytest.mark.parametrize(
    ("drift", "path"),
    [(by_rename, "from.md"), (by_append, "goes.md"), (by_folder, "comes.md"), (by_link, "edits.md")],
)
def test_an_act_on_a_path_that_others_wrote_to_is_left_alone(
    tmp_path: Path, drift: Callable[[Path], None], path: str
) -> None:
    before = {"from.md": b"moves\n", "goes.md": b"goes\n", "edits.md": b"a\nb\n"}
    after = {"to.md": b"moves\n", "comes.md": b"comes\n", "edits.md": b"a\nB\n"}
    folder = tmp_path / "s"
    opened, review = reviewed(folder, before, after)
    accept_all(review)
    drift(folder)
    standing = texts(folder)
    done = opened.apply()
    (stale,) = done.stale
    assert review.card(stale).change.edits[0].path == path
    now = texts(folder)
    for name, data in standing.items():
        if name not in ("from.md", "goes.md", "edits.md") or name == path:
            assert now[name] == data
    assert opened.undo().stale == ()
    assert texts(folder) == standing


def test_bits_that_nobody_asked_for_stay_as_their_owner_set_them(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    opened, review = reviewed(folder, {"runs.md": (b"x\n", 0o644)}, {"runs.md": (b"x\n", 0o755)})
    accept_all(review)
    (folder / "runs.md").chmod(0o600)
    opened.apply()
    mode = memory(folder)["runs.md"][0]
    assert mode & 0o600 == 0o600
    assert mode & 0o100
    assert mode & 0o044 == 0
    opened.undo()
    assert memory(folder)["runs.md"] == (0o600, b"x\n")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_partial_applies_are_undone_in_any_order_around_edits_by_hand(tmp_path: Path, order: tuple[int, ...]) -> None:
    folder = tmp_path / "s"
    after = LIST.replace(b"two", b"2").replace(b"four", b"4\n- 4.5").replace(b"- seven\n", b"")
    opened, review = reviewed(folder, {"m.md": LIST}, {"m.md": after})
    applies = []
    for number, change in enumerate(review.proposal.changes):
        review = opened.open(review.proposal.id)
        review.decide(Op.ACCEPT, change.id)
        done = opened.apply()
        assert (done.stale, done.written) == ((), ("m.md",))
        applies.append(done.apply)
        write(folder, "m.md", b"- by hand %d\n" % number + (folder / "m.md").read_bytes())
    assert len(applies) == 3
    hand = b"- by hand 2\n- by hand 1\n- by hand 0\n"
    assert (folder / "m.md").read_bytes() == hand + after
    for count, at in enumerate(order):
        assert opened.undo(applies[at]).stale == ()
        write(folder, "m.md", (folder / "m.md").read_bytes() + b"- end %d\n" % count)
    assert (folder / "m.md").read_bytes() == hand + LIST + b"- end 0\n- end 1\n- end 2\n"


def test_what_is_applied_by_lines_leaves_the_rest_undecided_in_the_same_card(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    opened, review = reviewed(folder, {"m.md": b"a\nb\n"}, {"m.md": b"a\nb\nc\nd\ne\n"})
    (change,) = review.proposal.changes
    review.decide(Op.ACCEPT, f"{change.id}.e1:+2")
    assert opened.apply().written == ("m.md",)
    assert (folder / "m.md").read_bytes() == b"a\nb\nd\n"
    review = opened.open()
    card = review.card(change.id)
    assert (card.review.state, card.review.chosen, card.review.is_settled) == (State.PARTIAL, (), False)
    assert (card.applied, review.counts.applied, opened.resolve(None)) == ("a1", 1, review.proposal.id)
    write(folder, "m.md", b"a\nb\nd\nby hand\n")
    review.decide_all([Decision(Op.ACCEPT, change.id)])
    assert opened.apply().stale == ()
    assert (folder / "m.md").read_bytes() == b"a\nb\nc\nd\nby hand\ne\n"
    assert opened.proposals()[0].status == "applied"
    assert opened.undo("a1").stale == ()
    assert (folder / "m.md").read_bytes() == b"a\nb\nc\nby hand\ne\n"
    assert opened.undo("a2").stale == ()
    assert (folder / "m.md").read_bytes() == b"a\nb\nby hand\n"


def test_a_line_that_others_changed_since_is_not_undone_over_them(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    opened, review = reviewed(folder, {"m.md": LIST}, {"m.md": LIST.replace(b"two", b"2").replace(b"six", b"6")})
    accept_all(review)
    done = opened.apply()
    by_hand = LIST.replace(b"two", b"2, and more").replace(b"six", b"6")
    write(folder, "m.md", by_hand)
    back = opened.undo()
    (stale,) = back.stale
    assert review.card(stale).change.edits[0].start == 1
    assert (folder / "m.md").read_bytes() == by_hand.replace(b"6", b"six")
    assert opened.history()[0].undone is False
    assert len(opened.history()[0].undone_changes) == 1
    write(folder, "m.md", LIST.replace(b"two", b"2"))
    assert opened.undo(done.apply).stale == ()
    assert (folder / "m.md").read_bytes() == LIST


@pytest.mark.parametrize(
    ("after", "by_hand"),
    [
        pytest.param(b"a\nB\nc\n", b"a\nb\nc\n", id="a line"),
        pytest.param(b"a\nc\n", b"a\nb\nc\n", id="a deletion"),
        pytest.param(b"a\nb\nx\ny\nc\n", b"a\nb\nc\n", id="an insertion"),
        pytest.param(b"a\nc\n", b"top\na\nb\nc\n", id="a deletion with an edit elsewhere"),
        pytest.param(None, b"a\nb\nc\n", id="the whole file"),
    ],
)
def test_what_others_took_back_by_hand_is_not_taken_back_twice(
    tmp_path: Path, after: bytes | None, by_hand: bytes
) -> None:
    folder = tmp_path / "s"
    opened, review = reviewed(
        folder,
        {"m.md": b"a\nb\nc\n", "n.md": b"n\n"},
        {"n.md": b"n\n"} if after is None else {"m.md": after, "n.md": b"n\n"},
    )
    accept_all(review)
    opened.apply()
    lay(folder, {"m.md": by_hand})
    undone = opened.undo()
    assert (undone.stale, undone.written) == ((), ())
    assert (folder / "m.md").read_bytes() == by_hand
    assert opened.history()[0].undone


def test_a_created_file_that_somebody_removed_is_undone_without_coming_back(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    opened, review = reviewed(folder, {"m.md": b"m\n"}, {"m.md": b"m\n", "new.md": b"new\n"})
    accept_all(review)
    opened.apply()
    (folder / "new.md").unlink()
    assert opened.undo().stale == ()
    assert texts(folder) == {"m.md": b"m\n"}


def test_a_line_changed_to_and_fro_by_hand_fits_again(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    after = LIST.replace(b"two", b"2").replace(b"four", b"4").replace(b"six", b"6").replace(b"eight", b"8")
    opened, review = reviewed(folder, {"m.md": LIST}, {"m.md": after})
    first, *others = review.proposal.changes
    for change, was, now in zip(others, (b"two", b"zwei", b"deux"), (b"zwei", b"deux", b"two"), strict=True):
        text = (folder / "m.md").read_bytes()
        write(folder, "m.md", text.replace(b"- " + was, b"- " + now))
        review.decide_all([Decision(Op.ACCEPT, first.id), Decision(Op.ACCEPT, change.id)])
        done = opened.apply()
        assert done.stale == (() if now == b"two" else (first.id,))
    assert (folder / "m.md").read_bytes() == after


def test_two_proposals_over_one_file_meet_in_the_order_they_are_applied(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"m.md": LIST})
    opened = workspace(folder)
    first = opened.open(leave_copy(folder, {"m.md": LIST.replace(b"two", b"2")}, "20260914T100000000"))
    second = opened.open(
        leave_copy(folder, {"m.md": LIST.replace(b"two", b"II").replace(b"six", b"6")}, "20260914T110000000")
    )
    accept_all(first)
    accept_all(second)
    assert opened.apply(second.proposal.id).stale == ()
    clashed = opened.apply(first.proposal.id)
    assert (clashed.apply, len(clashed.stale)) == (None, 1)
    assert (folder / "m.md").read_bytes() == LIST.replace(b"two", b"II").replace(b"six", b"6")
    opened.undo()
    assert opened.apply(first.proposal.id).stale == ()
    assert (folder / "m.md").read_bytes() == LIST.replace(b"two", b"2")


@pytest.mark.parametrize("end", ["discard", "apply"])
def test_a_copy_of_which_nothing_could_be_kept_yet_can_be_ended_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\n", "b.md": b"two\n"})
    opened, proposal = workspace(folder), leave_copy(folder, {"a.md": b"uno\n", "b.md": b"two\n"})
    monkeypatch.setattr(bases, "write", lambda *_args, **_more: None)
    if end == "discard":
        opened.discard(proposal)
    else:
        accept_all(opened.open(proposal))
        assert opened.apply(proposal).stale == ()
    monkeypatch.undo()
    assert opened.ready() == ()
    assert [(line.id, line.status) for line in opened.proposals()] == [
        (proposal, {"discard": "discarded", "apply": "applied"}[end])
    ]
    if end == "apply":
        assert opened.undo().stale == ()
    assert texts(folder) == {"a.md": b"one\n", "b.md": b"two\n"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_what_was_applied_first_of_a_copy_fixes_its_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first look past which something is hidden is not kept; an apply cannot wait for a better one."""
    monkeypatch.setattr(opening, "may_pass", lambda _reason: True)
    folder = lay(tmp_path / "s", {"a.md": LIST})
    os.mkfifo(folder / "pipe")
    opened = workspace(folder)
    proposal = leave_copy(folder, {"a.md": LIST.replace(b"one", b"1").replace(b"eight", b"8")})
    first, last = opened.open(proposal).proposal.changes
    assert not bases.exists(Root(folder), proposal)
    opened.open(proposal).decide(Op.ACCEPT, first.id)
    assert opened.apply(proposal).written == ("a.md",)
    assert bases.exists(Root(folder), proposal)
    write(folder, "a.md", b"- 1\n- two\n- seven\n- eight\n")
    assert opened.open(proposal).proposal.changes == (first, last)
    opened.open(proposal).decide(Op.ACCEPT, last.id)
    assert opened.apply(proposal).stale == ()
    assert (folder / "a.md").read_bytes() == b"- 1\n- two\n- seven\n- 8\n"
