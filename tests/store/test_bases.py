from __future__ import annotations

import hashlib
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from dreamreview.errors import UnsafePathError
from dreamreview.model.proposal import LINK_MODE, Act, Base, Change, FileEdit, Kind, Proposal
from dreamreview.store import bases
from dreamreview.store.bases import BaseRecord
from dreamreview.store.copying import Stamp
from dreamreview.store.rooted import Root

AT = "2026-09-01T12:00:00Z"
NAME = "20260901T120000000"
EDIT = FileEdit("e1", "bad\udcff\n.md", Act.LINES, 0, 1, (b"\xff\n",), (b"x",))
CHANGE = Change("c1", Kind.EDIT, "t", "r", 0.5, "f", edits=(EDIT,), flags=("base-unknown",))
LOST = Change("c2", Kind.EDIT, "t", "r", 0.5, "f", edits=(EDIT,))
RECORD = BaseRecord(
    proposal=Proposal(id=NAME, created_at=AT, base=Base("first-sight", "d", AT), changes=(CHANGE,), rendering="r"),
    base={"bad\udcff\n.md": Stamp(2, 1_700_000_000_123_456_789, 0o644, 7, "aa"), "l": Stamp(1, -1, LINK_MODE, 8, "bb")},
    texts={"bad\udcff\n.md": b"\xff\n", "l": b"\0", "empty": b""},
    copy={"x": Stamp(1, 2, 0o600, 3, "cc")},
    gone=(LOST,),
    order=("c2", "c1"),
    undeclared=1,
    manifest="m",
    unknown=frozenset({"x"}),
    excluded={"big\udcfe": "too big"},
)


@pytest.fixture
def root(tmp_path: Path) -> Root:
    return Root(tmp_path)


@pytest.fixture(autouse=True)
def nothing_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read comes from the disk."""
    monkeypatch.setattr(bases, "_KEPT", 0)


def test_a_record_that_was_just_written_is_not_parsed_again(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bases, "_KEPT", 4)
    for record in (RECORD, replace(RECORD, base={})):
        bases.write(root, record)
        found, _ = bases.read(root, NAME)
        assert found == record
        assert found is not None
        assert found.base is record.base


def test_a_record_whose_file_stands_as_it_was_read_is_not_read_again_and_a_new_one_is(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bases, "_KEPT", 4)
    monkeypatch.setattr(bases, "_YOUNG_NS", -(10**18))
    bases.write(root, RECORD)
    first, _ = bases.read(root, NAME)
    read: list[str] = []
    asked = root.read

    def counted(path: str, limit: int | None = None) -> bytes:
        read.append(path)
        return asked(path, limit)

    monkeypatch.setattr(root, "read", counted)
    assert bases.read(root, NAME) == (first, None)
    assert read == []
    (Path(root.path) / ".dreamreview" / "bases" / NAME).write_bytes(b"damaged")
    record, warning = bases.read(root, NAME)
    assert (record, read) == (None, [f".dreamreview/bases/{NAME}"])
    assert warning is not None


def test_a_record_that_was_written_a_moment_ago_is_read_again(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bases, "_KEPT", 4)
    bases.write(root, RECORD)
    bases.read(root, NAME)
    (Path(root.path) / ".dreamreview" / "bases" / NAME).write_bytes(b"damaged")
    assert bases.read(root, NAME)[0] is None


def test_what_is_kept_of_a_record_is_what_reading_it_gives(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    second = replace(EDIT, id="e2", start=1, stop=2)
    record = replace(RECORD, proposal=replace(RECORD.proposal, changes=(replace(CHANGE, edits=(EDIT, second)),)))
    bases.write(root, record)
    parsed, _ = bases.read(root, NAME)
    monkeypatch.setattr(bases, "_KEPT", 4)
    bases.write(root, record)
    assert bases.read(root, NAME)[0] == parsed
    assert parsed is not None
    assert [edit.rank for edit in parsed.proposal.changes[0].edits] == [0, 1]


def test_a_record_comes_back_as_it_was(root: Root, tmp_path: Path) -> None:
    bases.write(root, RECORD)
    assert bases.read(root, NAME) == (RECORD, None)
    assert (tmp_path / ".dreamreview" / "bases" / NAME).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / ".dreamreview").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / ".dreamreview" / ".gitignore").read_bytes() == b"*\n"


def test_an_empty_record_comes_back_as_it_was(root: Root) -> None:
    empty = BaseRecord(replace(RECORD.proposal, changes=()), {}, {}, {})
    bases.write(root, empty)
    assert bases.read(root, NAME) == (empty, None)


def test_a_proposal_of_any_name_can_have_a_record(root: Root) -> None:
    odd = replace(RECORD, proposal=replace(RECORD.proposal, id="by hand\udcff"))
    bases.write(root, odd)
    assert bases.read(root, "by hand\udcff") == (odd, None)
    assert bases.exists(root, "by hand\udcff")
    assert bases.remove(root, "by hand\udcff")
    assert bases.read(root, "by hand\udcff") == (None, None)


def test_no_record_is_no_warning(root: Root) -> None:
    assert bases.read(root, NAME) == (None, None)


def test_a_record_with_any_byte_changed_or_missing_is_damaged(root: Root, tmp_path: Path) -> None:
    bases.write(root, RECORD)
    place = tmp_path / ".dreamreview" / "bases" / NAME
    whole = place.read_bytes()
    for at in range(0, len(whole), 7):
        for broken in (whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :], whole[:at]):
            place.write_bytes(broken)
            record, warning = bases.read(root, NAME)
            assert record is None
            assert warning is not None
            assert warning.startswith(f"what was kept of the base of {NAME} is damaged (")


def test_a_record_that_is_a_link_is_not_read(root: Root, tmp_path: Path) -> None:
    (tmp_path / ".dreamreview" / "bases").mkdir(parents=True)
    (tmp_path / ".dreamreview" / "bases" / NAME).symlink_to(tmp_path / "outside")
    record, warning = bases.read(root, NAME)
    assert record is None
    assert warning is not None
    assert "is a link" in warning


@pytest.mark.parametrize("name", ["../x", "a/b", "..", ""])
def test_a_name_that_leads_elsewhere_is_refused(root: Root, name: str) -> None:
    with pytest.raises(UnsafePathError):
        bases.read(root, name)


def test_the_record_of_a_proposal_that_ended_takes_little_room(root: Root, tmp_path: Path) -> None:
    record = replace(RECORD, texts={"long": b"the same line again\n" * 500})
    place = tmp_path / ".dreamreview" / "bases" / NAME
    bases.write(root, record)
    assert place.stat().st_size > 10_000
    over = replace(record, proposal=replace(record.proposal, status="discarded"))
    bases.write(root, over)
    assert place.stat().st_size < 1_500
    assert bases.read(root, NAME) == (over, None)


@pytest.mark.parametrize("body", [b"no such thing", zlib.compress(b"{}" * 600), zlib.compress(b"{}")[:-4]])
def test_a_compressed_record_that_is_none_or_too_large_is_damaged(
    root: Root, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    monkeypatch.setattr(bases, "_LARGEST", 1_000)
    bases.write(root, RECORD)
    head = f"dreamreview/base@2 {hashlib.sha256(body).hexdigest()} 2\n"
    (tmp_path / ".dreamreview" / "bases" / NAME).write_bytes(head.encode() + body)
    found, warning = bases.read(root, NAME)
    assert found is None
    assert warning is not None
    assert warning.startswith(f"what was kept of the base of {NAME} is damaged (")
