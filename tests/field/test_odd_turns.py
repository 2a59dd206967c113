"""More that hurt people: markers in conflicts, links and files that swap, binaries, finer words on decided edits."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamreview.model.proposal import LINK_MODE, Act, Kind
from dreamreview.model.review import Op, State
from tests.workspace.stores import Files, accept_all, lay, left_over, memory, reviewed, texts, typed, workspace

MARKED = "Keep <<<<<<< and ||||||| and ======= in the notes about merges."


def test_both_sides_of_a_conflict_stay_as_they_are_whatever_they_contain(tmp_path: Path) -> None:
    files: Files = {
        "a.md": typed("a", "project", "gateway", f"The moisture gateway listens on port 7070.\n\n{MARKED}\n"),
        "b.md": typed("b", "project", "probe", "The moisture gateway listens on port 7171.\n"),
    }
    folder = lay(tmp_path / "s", files)
    before = memory(folder)
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    (conflict,) = [change for change in review.proposal.changes if change.kind is Kind.CONFLICT]
    review.decide(Op.CHOOSE, conflict.id, choice="both")
    assert opened.apply().written == ()
    assert memory(folder) == before
    again = opened.dream()
    kinds = set() if again.proposal is None else set(again.counts)
    assert "conflict" not in kinds


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"x.md": b"text\n"}, {"x.md": (b"../../secret", LINK_MODE)}),
        ({"x.md": (b"nowhere", LINK_MODE)}, {"x.md": b"text\n"}),
        ({"x.md": (b"one", LINK_MODE)}, {"x.md": (b"two", LINK_MODE)}),
        ({"p.png": b"\x89PNG\0\1"}, {"p.png": b"\x89PNG\0\2\n\0"}),
        ({"p.png": b"\x89PNG\0\1", "k.md": b"k\n"}, {"k.md": b"k\n"}),
        ({"m.md": b"one\ntwo\0\nthree\n"}, {"m.md": b"one\ntwo\0\nthree!\n"}),
        ({"m.md": "\ufeffa\n".encode()}, {"m.md": b"a\n"}),
        ({"notes.md/part.md": b"p\n"}, {"notes.md": b"p\n"}),
        ({"Readme.md": b"a\n"}, {"Readme.md": b"a\n", "README.md": b"b\n"}),
        ({"Ame\u0301lie.md": b"a\n"}, {"Am\u00e9lie.md": b"a\n"}),
        ({"empty.md": b""}, {"full.md": b"x\n"}),
    ],
)
def test_each_difference_is_shown_applied_and_undone(tmp_path: Path, before: Files, after: Files) -> None:
    opened, review = reviewed(tmp_path / "s", before, after)
    start = memory(tmp_path / "s")
    wanted = texts(tmp_path / "s" / ".dream-proposals" / review.proposal.id)
    assert review.proposal.changes
    assert all(card.change.title for card in review.cards())
    accept_all(review)
    assert opened.apply().stale == ()
    assert texts(tmp_path / "s") == wanted
    assert opened.undo().stale == ()
    assert memory(tmp_path / "s") == start
    assert left_over(tmp_path / "s") == []


def test_a_card_without_text_is_listed(tmp_path: Path) -> None:
    _, review = reviewed(tmp_path / "s", {"r.md": (b"a\n", 0o644)}, {"r.md": (b"a\n", 0o755)})
    assert [change.kind for change in review.proposal.changes] == [Kind.MODE]


def test_a_finer_decision_on_an_accepted_edit_keeps_the_rest_accepted(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"a\nb\nc\n"}, {"m.md": b"A\nB\nC\n"})
    (change,) = review.proposal.changes
    review.decide(Op.ACCEPT, change.id)
    review.decide(Op.REJECT, f"{change.id}.e1:-2,+2")
    assert review.card(change.id).review.state is State.PARTIAL
    opened.apply()
    assert texts(tmp_path / "s")["m.md"] == b"A\nb\nC\n"


def test_a_finer_decision_on_an_edited_text_counts_its_own_lines(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"m.md": b"a\n"}, {"m.md": b"A\n"})
    (change,) = review.proposal.changes
    review.decide(Op.EDIT, change.id, text=b"one\ntwo\nthree\n")
    review.decide(Op.REJECT, f"{change.id}.e1:+2")
    opened.apply()
    assert texts(tmp_path / "s")["m.md"] == b"one\nthree\n"


def test_alternating_lines_of_adjacent_blocks(tmp_path: Path) -> None:
    before, after = b"a\nb\nc\nd\ne\n", b"A\nB\nc\nD\nE\n"
    opened, review = reviewed(tmp_path / "s", {"m.md": before}, {"m.md": after})
    one, two = review.proposal.changes
    review.decide(Op.ACCEPT, f"{one.id}.e1:-1,+1")
    review.decide(Op.ACCEPT, f"{two.id}.e1:-2,+2")
    opened.apply()
    assert texts(tmp_path / "s")["m.md"] == b"A\nb\nc\nd\nE\n"


def test_half_of_a_swap_of_file_and_folder_cannot_be_applied(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", {"n.md": b"all\n"}, {"n.md/p.md": b"other\n"})
    (change,) = review.proposal.changes
    create = next(edit for edit in change.edits if edit.act is Act.CREATE)
    review.decide(Op.ACCEPT, f"{change.id}.{create.id}")
    opened.apply()
    assert texts(tmp_path / "s") == {"n.md": b"all\n"}


def test_an_index_of_many_short_lines_is_over_its_lines(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"MEMORY.md": b"".join(b"- [N](n.md) - %d\n" % at for at in range(300))})
    health = workspace(folder).doctor()
    assert health.index_bytes < 25_000
    assert health.index_over
    assert "oversize" in {finding.cls for finding in health.findings}


def test_a_memory_that_is_a_link_to_outside_is_left_alone(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_bytes(b"- [Gone](gone.md)\n- Yesterday.\n")
    folder = lay(tmp_path / "s", {"MEMORY.md": (b"../outside.md", LINK_MODE), "a.md": b"Fact of the pier.\n"})
    before = memory(folder)
    opened = workspace(folder)
    if opened.dream().proposal is not None:
        accept_all(opened.open())
        opened.apply()
    assert outside.read_bytes() == b"- [Gone](gone.md)\n- Yesterday.\n"
    assert memory(folder)["MEMORY.md"] == before["MEMORY.md"]


def test_a_second_dream_with_nothing_decided_makes_no_second_proposal(tmp_path: Path) -> None:
    twin = b"The kettle in the hall boils in four minutes and thirty seconds.\n"
    opened = workspace(lay(tmp_path / "s", {"a.md": twin, "b.md": twin}))
    assert opened.dream().proposal is not None
    assert opened.dream().proposal is None
    assert len(opened.proposals()) == 1
