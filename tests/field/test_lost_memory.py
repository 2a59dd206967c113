"""Nothing that an agent remembers is lost: no deletion without a decision, no merge that swallows, no half file."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamreview.dream.engine import Progress
from dreamreview.model.proposal import Act, Kind
from dreamreview.model.review import Op
from tests.workspace.stores import Files, lay, memory, reviewed, texts, typed, workspace

SUBJECTS = (
    "kettles boil at noon",
    "the ferry carries bicycles",
    "paint dries in the loft",
    "letters go by the red box",
    "the tuner comes in spring",
    "apples keep in straw",
    "the gate squeaks in frost",
    "maps hang behind the door",
    "bread rises on the sill",
    "the choir meets upstairs",
    "nets are mended at ebb",
    "the clock loses a minute",
)


def kept_files() -> Files:
    kinds = ["user"] * 5 + ["feedback"] * 14 + ["reference"] * 4
    return {
        f"{kind}_{at:02d}.md": typed(
            f"note {at}", kind, SUBJECTS[at % 12], f"In house {at}, {SUBJECTS[at % 12]} for reason {at * 7}.\n"
        )
        for at, kind in enumerate(kinds)
    }


def deletions(folder: Path) -> list[str]:
    """Return the paths that a dream of a folder would delete."""
    found = workspace(folder)
    if found.dream().proposal is None:
        return []
    changes = found.open().proposal.changes
    return [edit.path for change in changes for edit in change.all_edits if edit.act is Act.DELETE]


def test_typed_notes_are_never_deleted_by_a_dream_alone(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", kept_files())
    before = memory(folder)
    opened = workspace(folder)
    opened.dream()
    opened.apply()
    assert memory(folder) == before
    assert len(before) == 23


def test_sixty_daily_files_stay_sixty_and_byte_identical(tmp_path: Path) -> None:
    days = [f"memory/2026-{month:02d}-{day:02d}.md" for month in (6, 7) for day in range(1, 31)]
    files = {
        path: f"# {path[7:17]}\n\n- Visitor {at} asked for tide table {at * 3}.\n".encode()
        for at, path in enumerate(days)
    }
    folder = lay(tmp_path / "s", files)
    before = memory(folder)
    opened, told = workspace(folder), list[Progress]()
    opened.dream(on_progress=told.append)
    assert memory(folder) == before
    assert len(before) == 60
    assert (told[-1].files, opened.doctor().files) == (60, 60)
    assert deletions(folder) == []


def test_an_old_unique_fact_that_nobody_asked_for_is_kept(tmp_path: Path) -> None:
    note = typed("well", "reference", "Where the well is", "The old well lies under plate 14.\n", created="2019-01-02")
    assert deletions(lay(tmp_path / "s", {"reference_well.md": note})) == []


def test_every_proposed_deletion_is_named_with_a_reason_and_comes_back_by_undo(tmp_path: Path) -> None:
    old = typed("s", "session_state", "Where we were", "We were at step four.\n", created="2026-01-05")
    folder = lay(tmp_path / "s", {"session_old.md": old, "MEMORY.md": b"- [State](session_old.md) - where we were\n"})
    before = memory(folder)
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    (prune,) = [change for change in review.proposal.changes if change.kind is Kind.PRUNE]
    assert "session_old.md" in {piece.path for piece in prune.evidence}
    assert prune.reason
    review.decide(Op.ACCEPT, prune.id)
    done = opened.apply()
    assert done.deleted == ("session_old.md",)
    assert b"session_old.md" not in texts(folder)["MEMORY.md"]
    opened.undo()
    assert memory(folder) == before


def test_an_empty_file_is_offered_for_deletion_and_is_no_memory(tmp_path: Path) -> None:
    assert deletions(lay(tmp_path / "s", {"empty.md": b"", "a.md": b"The lamp is green.\n"})) == ["empty.md"]


def test_an_apply_in_one_folder_never_touches_another(tmp_path: Path) -> None:
    other = lay(tmp_path / "other", {"MEMORY.md": b"theirs\n"})
    before = memory(other)
    opened, review = reviewed(tmp_path / "one", {"MEMORY.md": b"ours\n"}, {"MEMORY.md": b"ours, edited\n"})
    review.decide(Op.ACCEPT, review.proposal.changes[0].id)
    opened.apply()
    assert texts(tmp_path / "one")["MEMORY.md"] == b"ours, edited\n"
    assert memory(other) == before


def test_a_dream_on_its_own_output_proposes_nothing(tmp_path: Path) -> None:
    files: Files = {
        "MEMORY.md": b"- [Tide](tide.md) - when to leave\n",
        "tide.md": b"# Tide\n\n- The pier is dry on 2026-03-01.\n- The boat leaves at 07:10.\n",
        "copy.md": b"# Tide\n\n- The pier is dry on 2026-03-01.\n- The boat leaves at 07:10.\n",
    }
    folder = lay(tmp_path / "s", files)
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    for change in review.proposal.changes:
        choice = change.options[0].key if change.options else None
        review.decide(Op.CHOOSE if choice else Op.ACCEPT, change.id, choice=choice)
    opened.apply()
    assert opened.dream().proposal is None


@pytest.mark.parametrize("broken", [b"---\nname: [a\nx: : y\n---\nBody.\n", b"\xff\xfe\x00bad", b"---\nname: open\n"])
def test_one_broken_file_stops_only_itself(tmp_path: Path, broken: bytes) -> None:
    twin = b"The kettle in the hall boils in four minutes and thirty seconds.\n"
    folder = lay(tmp_path / "s", {"broken.md": broken, "a.md": twin, "b.md": twin})
    opened = workspace(folder)
    assert opened.dream().counts["merge"] == 1
    assert texts(folder)["broken.md"] == broken
