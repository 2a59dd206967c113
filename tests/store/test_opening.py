from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.model.edits import split_lines
from dreamreview.model.files import FileState
from dreamreview.model.proposal import LINK_MODE, Act, Base, Change, Evidence, FileEdit, Kind, Option, Proposal
from dreamreview.store import bases, opening, proposals
from dreamreview.store.bookkeeping import MANIFEST
from dreamreview.store.composing import composed, default_edits, rendered
from dreamreview.store.copying import Stamp, stamp_all
from dreamreview.store.differ import GitDiffer, Pair
from dreamreview.store.first_base import Snapshot
from dreamreview.store.opening import open_copy
from dreamreview.store.rooted import MissingPathError, Root
from dreamreview.store.scan import Entry, scan
from dreamreview.store.views import OpenedCopy

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
AT = "2026-09-01T12:00:00Z"
NAME = "20260901T120000000"
NOW = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)
TEXT = b"one\ntwo\nthree\nfour\nfive\nsix\n"


class Counting(GitDiffer):
    """A differ that knows how many pairs it was asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def many(self, pairs: list[Pair]) -> list[tuple[object, ...]]:  # type: ignore[override]
        self.asked += len(pairs)
        return super().many(pairs)  # type: ignore[return-value]


def opened(store: Path, name: str = NAME, differ: GitDiffer | None = None, **more: object) -> OpenedCopy:
    root = Root(store)
    return open_copy(root, name, lambda: scan(root), differ or GitDiffer(), now=NOW, **more)  # type: ignore[arg-type]


def age(folder: Path, seconds: float = 100) -> None:
    """Make files look as if they had been written a while ago."""
    for path in folder.rglob("*"):
        found = path.lstat()
        moved = found.st_mtime_ns - int(seconds * 1e9)
        os.utime(path, ns=(moved, moved), follow_symlinks=False)


def edits(found: OpenedCopy) -> list[tuple[str, str, bytes, bytes]]:
    return [
        (edit.path, str(edit.act), b"".join(edit.old), b"".join(edit.new))
        for change in found.proposal.changes
        for edit in change.edits
    ]


def held(view: Callable[[str], FileState | None], path: str) -> bytes | None:
    state = view(path)
    return None if state is None else b"".join(state.text)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    (folder / "notes").mkdir(parents=True)
    (folder / "MEMORY.md").write_bytes(TEXT)
    (folder / "notes" / "a.md").write_bytes(b"alpha\nlast")
    (folder / "notes" / "b.md").write_bytes(b"beta\n")
    age(folder)
    return folder


@pytest.fixture
def copy(store: Path) -> Path:
    """A bare proposal that changes a line, adds a file and drops another."""
    target = store / ".dream-proposals" / NAME
    shutil.copytree(store, target, ignore=shutil.ignore_patterns(".dream*"))
    (target / "MEMORY.md").write_bytes(TEXT.replace(b"two", b"TWO"))
    (target / "notes" / "b.md").unlink()
    (target / "new.md").write_bytes(b"new\n")
    age(target)
    return target


BARE = [
    ("MEMORY.md", "lines", b"two\n", b"TWO\n"),
    ("new.md", "create", b"", b"new\n"),
    ("notes/b.md", "delete", b"beta\n", b""),
]


@pytest.mark.usefixtures("copy")
def test_a_bare_copy_is_compared_with_live_and_says_that_its_base_is_unknown(store: Path) -> None:
    found = opened(store)
    assert edits(found) == BARE
    assert [change.flags for change in found.proposal.changes] == [("base-unknown",)] * 3
    assert (found.proposal.id, found.proposal.status, found.proposal.created_at) == (
        NAME,
        "ready",
        "2026-09-01T12:00:00.000Z",
    )
    assert (found.proposal.base.kind, found.proposal.base.at) == ("first-sight", "2026-09-15T12:00:00Z")
    assert found.proposal.summary == "Changes that nobody declared: 1 create, 1 delete, 1 edit."
    assert found.warnings == ()


@pytest.mark.usefixtures("copy")
def test_base_and_copy_can_be_looked_up_path_by_path(store: Path) -> None:
    found = opened(store)
    for view in (found, opened(store)):
        assert held(view.base, "MEMORY.md") == TEXT
        assert held(view.proposed, "MEMORY.md") == TEXT.replace(b"two", b"TWO")
        assert held(view.base, "notes/a.md") == held(view.proposed, "notes/a.md") == b"alpha\nlast"
        assert (held(view.base, "new.md"), held(view.proposed, "new.md")) == (None, b"new\n")
        assert (held(view.base, "notes/b.md"), held(view.proposed, "notes/b.md")) == (b"beta\n", None)
        assert view.base_paths == {"MEMORY.md", "notes/a.md", "notes/b.md"}
        assert view.proposed_paths == {"MEMORY.md", "notes/a.md", "new.md"}


def test_a_later_drift_of_live_does_not_move_the_base(store: Path, copy: Path) -> None:
    first = opened(store)
    (store / "MEMORY.md").write_bytes(b"all new\n")
    (store / "notes" / "a.md").unlink()
    assert opened(store).proposal == first.proposal
    assert held(opened(store).base, "MEMORY.md") == TEXT
    assert held(opened(store).base, "notes/a.md") == b"alpha\nlast"
    (copy / "MEMORY.md").write_bytes(TEXT.replace(b"three", b"3"))
    assert edits(opened(store))[0] == ("MEMORY.md", "lines", b"three\n", b"3\n")


def test_a_copy_that_is_still_being_written_is_compared_again(store: Path, copy: Path) -> None:
    opened(store)
    (copy / "notes" / "b.md").write_bytes(b"beta\n")
    (copy / "notes" / "a.md").write_bytes(b"ALPHA\nlast")
    found = opened(store)
    assert edits(found) == [BARE[0], BARE[1], ("notes/a.md", "lines", b"alpha\n", b"ALPHA\n")]
    assert found.warnings == ()


def test_a_path_whose_base_is_not_kept_and_live_moved_on_is_named(store: Path, copy: Path) -> None:
    opened(store)
    (store / "notes" / "a.md").write_bytes(b"other\nlast")
    (copy / "notes" / "a.md").write_bytes(b"ALPHA\nlast")
    found = opened(store)
    assert ("notes/a.md", "lines", b"other\n", b"ALPHA\n") in edits(found)
    assert found.warnings == (
        "what these held when the copy was made is not known; live is compared instead: notes/a.md",
    )


@pytest.mark.usefixtures("copy")
def test_a_second_look_at_a_copy_that_stood_still_reads_and_compares_nothing(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened(store)
    read: list[str] = []

    def note(root: Root, entries: list[Entry], problems: dict[str, str]) -> dict[str, Stamp]:
        read.extend(entry.path for entry in entries)
        return stamp_all(root, entries, problems)

    monkeypatch.setattr(opening, "stamp_all", note)
    differ = Counting()
    assert opened(store, differ=differ).proposal == first.proposal
    assert (read, differ.asked) == ([], 0)
    (store / ".dream-proposals" / NAME / "new.md").write_bytes(b"NEW\n")
    opened(store, differ=differ)
    assert read == ["new.md"]


def test_a_change_of_the_same_size_in_the_same_moment_is_seen(store: Path, copy: Path) -> None:
    place = copy / "notes" / "a.md"
    young = int(datetime.now(UTC).timestamp() * 1e9)
    os.utime(place, ns=(young, young))
    opened(store)
    inode = place.stat().st_ino
    with place.open("r+b") as file:
        file.write(b"ALPHA")
    os.utime(place, ns=(young, young))
    assert place.stat().st_ino == inode
    assert ("notes/a.md", "lines", b"alpha\n", b"ALPHA\n") in edits(opened(store))


def test_a_snapshot_is_the_base_where_one_is_known(store: Path, copy: Path) -> None:
    del copy
    (store / "MEMORY.md").write_bytes(b"live moved on\n")
    files = {"MEMORY.md": (0o644, TEXT), "notes/a.md": (0o644, b"alpha\nlast"), "notes/b.md": (0o644, b"beta\n")}
    found = opened(store, snapshot=Snapshot(tree="abc", at=AT, files=files))
    assert edits(found) == BARE
    assert [change.flags for change in found.proposal.changes] == [(), (), ()]
    assert (found.proposal.base.tree, found.proposal.base.at) == ("abc", AT)
    assert edits(opened(store)) == BARE


def test_only_the_executable_bit_of_a_mode_counts(store: Path, copy: Path) -> None:
    (copy / "notes" / "a.md").chmod(0o600)
    assert edits(opened(store)) == BARE
    (copy / "notes" / "a.md").chmod(0o755)
    found = opened(store)
    assert [change.title for change in found.proposal.changes][-2:] == [
        "Make notes/a.md executable",
        "Delete notes/b.md",
    ]


def test_what_is_left_out_of_one_side_is_left_out_of_both_and_named(store: Path, copy: Path) -> None:
    (store / "big.bin").write_bytes(b"x" * 2000)
    (copy / "big.bin").write_bytes(b"small")
    (store / "small.bin").write_bytes(b"small")
    (copy / "small.bin").write_bytes(b"x" * 2000)
    (store / "sub").mkdir()
    (store / "sub" / ".DS_Store").write_bytes(b"")
    (copy / "sub").write_bytes(b"a file now")
    root = Root(store)
    found = open_copy(root, NAME, lambda: scan(root, size_limit=1000), GitDiffer(), size_limit=1000)
    assert edits(found) == BARE
    limit = "(2,000 bytes, over the limit of 1,000)"
    named = f"big.bin {limit}, small.bin {limit}, sub/.DS_Store (ignored by the configuration)"
    assert found.warnings == (f"left out of the review on both sides: {named}",)


def test_bookkeeping_inside_a_copy_is_ignored_with_a_warning(store: Path, copy: Path) -> None:
    (copy / ".dreamreview" / "reviews").mkdir(parents=True)
    (copy / ".dreamreview" / "reviews" / f"{NAME}.jsonl").write_text('{"op":"accept"}')
    (copy / ".dream-state.json").write_text("{}")
    found = opened(store)
    assert edits(found) == BARE
    assert found.warnings == (
        f".dream-proposals/{NAME} holds bookkeeping of its own, which is ignored: .dream-state.json, .dreamreview",
    )


def test_a_name_that_no_change_may_speak_of_is_left_out_and_named(store: Path, copy: Path) -> None:
    (copy / ".dream-diary.md").write_bytes(b"x\n")
    found = opened(store)
    assert edits(found) == BARE
    assert found.warnings == (
        "left out of the review on both sides: .dream-diary.md (its path leads into the bookkeeping)",
    )
    assert opened(store).warnings == found.warnings


def test_a_proposal_that_is_a_link_or_missing_is_refused(store: Path, tmp_path: Path) -> None:
    (store / ".dream-proposals").mkdir()
    (tmp_path / "outside").mkdir()
    os.symlink(tmp_path / "outside", store / ".dream-proposals" / NAME)
    with pytest.raises(UnsafePathError):
        opened(store)
    with pytest.raises(MissingPathError):
        opened(store, "20260902T120000000")


def test_links_in_a_copy_are_not_followed(store: Path, copy: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"hidden\n")
    (copy / "notes" / "a.md").unlink()
    os.symlink("../../../../secret", copy / "notes" / "a.md")
    os.symlink(tmp_path, copy / "folder")
    found = opened(store)
    assert ("folder", "create", b"", os.fsencode(tmp_path)) in edits(found)
    assert [edit for edit in edits(found) if edit[0] == "notes/a.md"] == [
        ("notes/a.md", "delete", b"alpha\nlast", b""),
        ("notes/a.md", "create", b"", b"../../../../secret"),
    ]
    state = found.proposed("notes/a.md")
    assert state == FileState((b"../../../../secret",), LINK_MODE)


def test_a_folder_of_any_name_can_be_a_proposal(store: Path, copy: Path) -> None:
    copy.rename(copy.parent / "by\nhand \udcff.md")
    found = opened(store, "by\nhand \udcff.md")
    assert edits(found) == BARE
    assert found.proposal.id == "by\nhand \udcff.md"
    assert opened(store, "by\nhand \udcff.md").proposal == found.proposal


def test_a_damaged_record_is_named_and_made_again(store: Path, copy: Path) -> None:
    del copy
    opened(store)
    place = store / ".dreamreview" / "bases" / NAME
    place.write_bytes(place.read_bytes()[:-1])
    found = opened(store)
    assert edits(found) == BARE
    assert found.warnings == (
        f"what was kept of the base of {NAME} is damaged (its digest differs); compared with live instead",
    )
    assert opened(store).warnings == ()


# --- proposals of our own ---------------------------------------------------------------------------------------------


def declared(name: str, *own: FileEdit, options: tuple[Option, ...] = ()) -> Change:
    kind = Kind.CONFLICT if options else Kind.REWRITE
    return Change(name, kind, name.title(), "r", 0.9, f"f{name}", edits=own, options=options)


def lines(path: str, first: int, old: bytes, new: bytes, name: str = "e1") -> FileEdit:
    before = split_lines(old)
    return FileEdit(name, path, start=first - 1, stop=first - 1 + len(before), old=before, new=split_lines(new))


SECOND = declared("c1", lines("MEMORY.md", 2, b"two\n", b"TWO\n"))
FIFTH = declared("c2", lines("MEMORY.md", 5, b"five\n", b"FIVE\nand a half\n"))
APPENDED = declared("c3", lines("notes/a.md", 3, b"", b"added\n"))
DROPPED = declared("c4", FileEdit("e1", "notes/b.md", Act.DELETE, stop=1, old=(b"beta\n",), mode=0o644))
CREATED = declared("c5", FileEdit("e1", "new.md", Act.CREATE, new=(b"new\n",), mode=0o644))
CHANGED: Mapping[str, tuple[bytes, int] | None] = {
    "MEMORY.md": (b"one\nTWO\nthree\nfour\nFIVE\nand a half\nsix\n", 0o644),
    "notes/a.md": (b"alpha\nlast\nadded\n", 0o644),
    "notes/b.md": None,
    "new.md": (b"new\n", 0o644),
}
ALL = (SECOND, FIFTH, APPENDED, DROPPED, CREATED)


def publish(
    store: Path, changes: tuple[Change, ...] = ALL, changed: Mapping[str, tuple[bytes, int] | None] = CHANGED
) -> Path:
    root = Root(store)
    suggestion = Proposal(id=NAME, created_at=AT, base=Base("declared", "", AT), changes=changes)
    published = proposals.publish(root, suggestion, changed, scan(root))
    return store / ".dream-proposals" / published.id


def brief(found: OpenedCopy) -> list[tuple[str, str, tuple[str, ...]]]:
    return [
        (change.id if len(change.id) < 12 else "", str(change.kind), change.flags) for change in found.proposal.changes
    ]


def test_declared_changes_are_shown_as_they_were_published(store: Path) -> None:
    publish(store)
    differ = Counting()
    found = opened(store, differ=differ)
    assert [(change.id, change.edits[0].new, change.flags) for change in found.proposal.changes] == [
        (change.id, change.edits[0].new, ()) for change in ALL
    ]
    assert (found.proposal.base.kind, found.warnings, differ.asked) == ("declared", (), 0)
    assert held(found.base, "notes/a.md") == b"alpha\nlast"
    assert held(found.proposed, "notes/a.md") == b"alpha\nlast\nadded\n"


def test_live_may_drift_between_publishing_and_opening(store: Path) -> None:
    publish(store)
    (store / "MEMORY.md").write_bytes(b"other\n")
    found = opened(store)
    assert len(found.proposal.changes) == 5
    assert held(found.base, "MEMORY.md") == TEXT


def test_a_lost_record_is_worked_out_of_the_copy_and_proven(store: Path) -> None:
    publish(store)
    first = opened(store).proposal
    shutil.rmtree(store / ".dreamreview")
    (store / "MEMORY.md").write_bytes(b"other\n")
    differ = Counting()
    found = opened(store, differ=differ)
    assert [(change.id, change.edits, change.flags) for change in found.proposal.changes] == [
        (change.id, change.edits, ()) for change in first.changes
    ]
    assert held(found.base, "MEMORY.md") == TEXT
    assert held(found.base, "notes/a.md") == b"alpha\nlast"
    assert held(found.base, "notes/b.md") == b"beta\n"


def test_a_declared_change_that_was_taken_out_by_hand_is_gone_and_the_rest_stays(store: Path) -> None:
    copy = publish(store)
    (copy / "MEMORY.md").write_bytes(b"one\ntwo\nthree\nfour\nFIVE\nand a half\nsix\n")
    found = opened(store)
    assert brief(found) == [
        ("c1", "rewrite", ("gone",)),
        ("c2", "rewrite", ()),
        ("c3", "rewrite", ()),
        ("c4", "rewrite", ()),
        ("c5", "rewrite", ()),
    ]
    assert opened(store).proposal == found.proposal


def test_an_edit_by_hand_beside_a_declared_change_is_added(store: Path) -> None:
    copy = publish(store)
    (copy / "MEMORY.md").write_bytes(b"zero\none\nTWO\nthree\n4\nFIVE\nand a half\nsix\nseven\n")
    found = opened(store)
    assert brief(found)[:5] == [(f"c{n}", "rewrite", ()) for n in range(1, 6)]
    assert [change.edits for change in found.proposal.changes[5:]] == [
        (FileEdit("e1", "MEMORY.md", start=0, stop=0, new=(b"zero\n",), rank=0),),
        (FileEdit("e1", "MEMORY.md", start=3, stop=4, old=(b"four\n",), new=(b"4\n",), rank=2),),
        (FileEdit("e1", "MEMORY.md", start=6, stop=6, new=(b"seven\n",), rank=4),),
    ]
    assert [change.edits[0].rank for change in found.proposal.changes[:2]] == [1, 3]
    assert opened(store).proposal == found.proposal


def test_an_edit_by_hand_inside_a_declared_change_replaces_it(store: Path) -> None:
    copy = publish(store)
    (copy / "MEMORY.md").write_bytes(b"one\nTWO\nthree\nfour\nFIVE\nand two halves\nsix\n")
    found = opened(store)
    assert brief(found)[1] == ("c2", "rewrite", ("gone",))
    assert found.proposal.changes[5].edits == (
        FileEdit("e1", "MEMORY.md", start=4, stop=5, old=(b"five\n",), new=(b"FIVE\n", b"and two halves\n"), rank=2),
    )


def test_a_line_put_before_a_declared_insertion_at_the_same_gap_replaces_it(store: Path) -> None:
    copy = publish(store)
    (copy / "notes" / "a.md").write_bytes(b"alpha\nlast\nfirst\nadded\n")
    found = opened(store)
    assert brief(found)[2] == ("c3", "rewrite", ("gone",))
    assert found.proposal.changes[5].edits[0].new == (b"first\n", b"added\n")


def test_a_line_put_after_a_declared_insertion_stands_beside_it(store: Path) -> None:
    copy = publish(store)
    (copy / "notes" / "a.md").write_bytes(b"alpha\nlast\nadded\nmore\n")
    found = opened(store)
    assert brief(found)[2] == ("c3", "rewrite", ())
    assert found.proposal.changes[5].edits == (FileEdit("e1", "notes/a.md", start=2, stop=2, new=(b"more\n",), rank=1),)


def test_a_created_file_edited_by_hand_is_gone_and_created_anew(store: Path) -> None:
    copy = publish(store)
    (copy / "new.md").write_bytes(b"newer\n")
    found = opened(store)
    assert brief(found)[4:] == [("c5", "rewrite", ("gone",)), ("", "create", ())]
    assert found.proposal.changes[5].edits[0].new == (b"newer\n",)


def test_a_deleted_file_put_back_by_hand_makes_its_change_gone(store: Path) -> None:
    copy = publish(store)
    (copy / "notes" / "b.md").write_bytes(b"beta\nand more\n")
    found = opened(store)
    assert brief(found)[3] == ("c4", "rewrite", ("gone",))
    assert edits(found)[5:] == [("notes/b.md", "lines", b"", b"and more\n")]


def test_a_file_removed_by_hand_takes_its_declared_edits_along(store: Path) -> None:
    copy = publish(store)
    (copy / "MEMORY.md").unlink()
    found = opened(store)
    assert brief(found) == [
        ("c1", "rewrite", ("gone",)),
        ("c2", "rewrite", ("gone",)),
        ("c3", "rewrite", ()),
        ("c4", "rewrite", ()),
        ("c5", "rewrite", ()),
        ("", "delete", ()),
    ]


def test_a_change_of_which_one_edit_is_gone_is_gone_as_a_whole(store: Path) -> None:
    both = declared("c1", lines("MEMORY.md", 2, b"two\n", b"TWO\n"), lines("notes/b.md", 1, b"beta\n", b"BETA\n", "e2"))
    changed = {"MEMORY.md": (TEXT.replace(b"two", b"TWO"), 0o644), "notes/b.md": (b"BETA\n", 0o644)}
    copy = publish(store, (both,), changed)
    (copy / "notes" / "b.md").write_bytes(b"beta\n")
    found = opened(store)
    assert brief(found) == [("c1", "rewrite", ("gone",)), ("", "edit", ())]
    assert found.proposal.changes[1].edits[0].new == (b"TWO\n",)


def test_a_conflict_stays_while_the_lines_it_is_about_stand_in_the_copy(store: Path) -> None:
    sides = (
        Option("A", "a", (Evidence("MEMORY.md", 2, 2, "two"),), (lines("MEMORY.md", 3, b"three\n", b"", "A1"),)),
        Option("B", "b", (Evidence("MEMORY.md", 3, 3, "three"),), (lines("MEMORY.md", 2, b"two\n", b"", "B1"),)),
    )
    copy = publish(store, (declared("c1", options=sides),), {})
    assert brief(opened(store)) == [("c1", "conflict", ())]
    (copy / "MEMORY.md").write_bytes(TEXT + b"seven\n")
    assert brief(opened(store)) == [("c1", "conflict", ()), ("", "edit", ())]
    (copy / "MEMORY.md").write_bytes(TEXT.replace(b"two", b"2"))
    assert brief(opened(store)) == [("c1", "conflict", ("gone",)), ("", "edit", ())]


def test_a_manifest_changed_after_publishing_is_not_believed(store: Path) -> None:
    copy = publish(store)
    data = (copy / MANIFEST).read_bytes()
    (copy / MANIFEST).write_bytes(data.replace(b'"old":"two\\n"', b'"old":"2\\n"'))
    found = opened(store)
    assert brief(found)[0] == ("c1", "rewrite", ("gone",))
    assert edits(found)[5:] == [("MEMORY.md", "lines", b"two\n", b"TWO\n")]


def test_a_damaged_manifest_is_named_and_the_copy_compared(store: Path) -> None:
    copy = publish(store)
    (copy / MANIFEST).write_bytes(b'{"schema": "dreamreview/proposal@1", "id": 7}')
    found = opened(store)
    assert [change.flags for change in found.proposal.changes] == [()] * 5
    assert [str(change.kind) for change in found.proposal.changes] == ["edit", "edit", "create", "edit", "delete"]
    (warning,) = found.warnings
    assert warning.startswith(f".dream-proposals/{NAME}/{MANIFEST} cannot be used (")
    assert warning.endswith("what the copy shows is taken instead")
    assert held(found.base, "MEMORY.md") == TEXT


def test_a_manifest_that_went_missing_is_remembered(store: Path) -> None:
    copy = publish(store)
    (copy / MANIFEST).unlink()
    assert brief(opened(store)) == [(f"c{n}", "rewrite", ()) for n in range(1, 6)]
    (copy / "notes" / "b.md").write_bytes(b"beta\n")
    assert brief(opened(store))[3] == ("c4", "rewrite", ("gone",))


def test_live_is_known_to_be_the_base_where_its_digest_proves_it(store: Path) -> None:
    copy = publish(store)
    shutil.rmtree(store / ".dreamreview")
    (copy / "new.md").write_bytes(b"newer\n")
    found = opened(store)
    assert brief(found)[3:] == [("c4", "rewrite", ()), ("c5", "rewrite", ("gone",)), ("", "create", ())]
    assert found.proposal.base.kind == "declared"


def test_a_copy_and_a_manifest_from_elsewhere_are_held_against_live(store: Path) -> None:
    copy = publish(store)
    (store / "notes" / "c.md").write_bytes(b"since then\n")
    shutil.rmtree(store / ".dreamreview")
    (copy / "new.md").write_bytes(b"newer\n")
    found = opened(store)
    assert brief(found) == [
        ("c1", "rewrite", ("base-unknown",)),
        ("c2", "rewrite", ("base-unknown",)),
        ("c3", "rewrite", ("base-unknown",)),
        ("c4", "rewrite", ("base-unknown",)),
        ("c5", "rewrite", ("gone",)),
        ("", "create", ("base-unknown",)),
        ("", "delete", ("base-unknown",)),
    ]


def test_a_closed_proposal_is_opened_from_what_was_kept(store: Path) -> None:
    publish(store)
    root = Root(store)
    proposals.close(root, opened(store).proposal, "applied")
    found = opened(store)
    assert (found.proposal.status, len(found.proposal.changes)) == ("applied", 5)
    assert held(found.base, "MEMORY.md") == TEXT
    assert held(found.proposed, "MEMORY.md") == b"one\nTWO\nthree\nfour\nFIVE\nand a half\nsix\n"
    assert (held(found.proposed, "new.md"), held(found.proposed, "notes/b.md")) == (b"new\n", None)
    assert found.proposed_paths == {"MEMORY.md", "notes/a.md", "new.md"}
    proposals.save_status(root, NAME, "ready")
    assert opened(store).proposal.status == "ready"


def test_a_closed_bare_proposal_gets_a_manifest(store: Path, copy: Path) -> None:
    first = opened(store)
    proposals.close(Root(store), first.proposal, "discarded")
    assert os.listdir(copy) == [MANIFEST]
    found = opened(store)
    assert edits(found) == BARE
    assert found.proposal.status == "discarded"
    assert held(found.proposed, "new.md") == b"new\n"


def test_a_text_that_moves_under_an_open_proposal_is_not_shown_as_what_was_compared(store: Path, copy: Path) -> None:
    found = opened(store)
    (copy / "MEMORY.md").write_bytes(b"moved\n")
    with pytest.raises(StoreError, match=rf"MEMORY\.md changed while {NAME} was open; open it again"):
        found.proposed("MEMORY.md")


def test_a_record_is_private(store: Path, copy: Path) -> None:
    del copy
    opened(store)
    assert (store / ".dreamreview" / "bases" / NAME).stat().st_mode & 0o777 == 0o600
    record, problem = bases.read(Root(store), NAME)
    assert record is not None
    assert problem is None
    assert set(record.texts) == {"MEMORY.md", "notes/b.md"}
    assert record.base["notes/a.md"].digest == hashlib.sha256(b"alpha\nlast").hexdigest()


# --- any bytes, any names ---------------------------------------------------------------------------------------------

LINES = (
    b"alpha\n",
    b"beta\r\n",
    b"gam\rma\n",
    b"\x0c\n",
    "x\u2028y\n".encode(),
    b"\xff bad\n",
    b"+++ b/f\n",
    b"same\n",
    b"same\n",
)
NAMES = (
    "MEMORY.md",
    "sp ace.md",
    "x b/y.md",
    ":c.md",
    "-d.md",
    'q"uote.md',
    "new\nline.md",
    "bad\udcff.md",
    "deep/er/z.md",
)
bodies = st.builds(
    lambda body, tail: b"".join(body) + tail,
    st.lists(st.sampled_from(LINES), max_size=9),
    st.sampled_from((b"", b"last")),
)
files = st.tuples(bodies, st.sampled_from((0o644, 0o600, 0o755)))
folders = st.dictionaries(st.sampled_from(NAMES), files, max_size=6)


def lay(folder: Path, files: Mapping[str, tuple[bytes, int]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path, (data, mode) in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        place.chmod(mode)


@settings(max_examples=max(1, int(40 * SCALE)), deadline=None, suppress_health_check=list(HealthCheck))
@given(folders, folders, folders)
def test_any_copy_of_any_store_is_told_byte_for_byte(
    live: Mapping[str, tuple[bytes, int]], copy: Mapping[str, tuple[bytes, int]], later: Mapping[str, tuple[bytes, int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder)
        lay(store, live)
        for shown in (copy, {**copy, **later}):
            lay(store / ".dream-proposals" / NAME, shown)
            for found in (opened(store), opened(store)):
                base = {path: state for path in found.base_paths if (state := found.base(path))}
                assert {path: b"".join(state.text) for path, state in base.items()} == {
                    p: d for p, (d, _) in live.items()
                }
                after = composed(base, default_edits(found.proposal.changes))
                text = {
                    path: rendered(state, base[path].text if path in base else ()).text for path, state in after.items()
                }
                assert {path: b"".join(lines) for path, lines in text.items()} == {p: d for p, (d, _) in shown.items()}
                runs = {path: bool(state.mode & 0o100) for path, state in after.items()}
                assert runs == {path: bool(mode & 0o100) for path, (_, mode) in shown.items()}
