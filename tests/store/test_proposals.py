from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.model.manifest import loads
from dreamreview.model.proposal import LINK_MODE, Act, Base, Change, FileEdit, Kind, Proposal
from dreamreview.store import bases, proposals
from dreamreview.store.bookkeeping import MANIFEST
from dreamreview.store.rooted import Root
from dreamreview.store.scan import scan

AT = "2026-09-01T12:00:00Z"
NOON = datetime(2026, 9, 1, 12, 0, 0, 123_456, tzinfo=UTC)
NAME = "20260901T120000123"


def line_change(name: str, path: str, line: int, old: bytes, new: bytes) -> Change:
    edit = FileEdit("e1", path, start=line - 1, stop=line, old=(old,), new=(new,))
    return Change(
        id=name, kind=Kind.REWRITE, title=name, reason="", confidence=0.9, fingerprint=f"f{name}", edits=(edit,)
    )


def proposal_of(*changes: Change, name: str = NAME) -> Proposal:
    return Proposal(id=name, created_at=AT, base=Base("declared", "", AT), changes=changes)


def publish(
    store: Path, changes: tuple[Change, ...], changed: Mapping[str, tuple[bytes, int] | None], name: str = NAME
) -> Proposal:
    root = Root(store)
    return proposals.publish(root, proposal_of(*changes, name=name), changed, scan(root))


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    found = {}
    for path in sorted(folder.rglob("*")):
        mode = path.lstat().st_mode
        if path.is_symlink():
            found[str(path.relative_to(folder))] = (LINK_MODE, os.readlink(bytes(path)))
        elif path.is_file():
            found[str(path.relative_to(folder))] = (mode & 0o7777, path.read_bytes())
    return found


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    (folder / "notes").mkdir(parents=True)
    (folder / "MEMORY.md").write_bytes(b"- [A](notes/a.md)\nold line\nlast")
    (folder / "notes" / "a.md").write_bytes(b"alpha\r\nbeta\n")
    (folder / "run.sh").write_bytes(b"#!/bin/sh\n")
    (folder / "run.sh").chmod(0o750)
    (folder / "secret.md").write_bytes(b"")
    (folder / "secret.md").chmod(0o600)
    os.symlink("../outside", folder / "notes" / "link.md")
    os.utime(folder / "notes" / "a.md", ns=(1, 1_700_000_000_123_456_789))
    return folder


CHANGE = line_change("c1", "MEMORY.md", 2, b"old line\n", b"new line\n")
CHANGED = {"MEMORY.md": (b"- [A](notes/a.md)\nnew line\nlast", 0o644)}


def test_an_id_is_the_moment_in_utc_or_the_next_free_millisecond(store: Path) -> None:
    root = Root(store)
    assert proposals.new_id(root, NOON) == NAME
    assert proposals.new_id(root, datetime.fromisoformat("2026-09-01T14:00:00.5+02:00")) == "20260901T120000500"
    (store / ".dream-proposals" / NAME).mkdir(parents=True)
    (store / ".dream-proposals" / ".tmp-20260901T120000124").mkdir()
    (store / ".dreamreview" / "reviews").mkdir(parents=True)
    (store / ".dreamreview" / "reviews" / "20260901T120000125.jsonl").write_bytes(b"")
    (store / ".dreamreview" / "bases").mkdir()
    (store / ".dreamreview" / "bases" / "20260901T120000126").write_bytes(b"")
    assert proposals.new_id(root, NOON) == "20260901T120000127"


def test_the_copy_holds_the_store_with_its_changes_and_nothing_of_ours(store: Path) -> None:
    before = tree(store)
    (store / ".dream-state.json").write_text("{}")
    published = publish(store, (CHANGE,), CHANGED)
    copy = store / ".dream-proposals" / published.id
    held = tree(copy)
    assert held.pop(MANIFEST)[0] == 0o600
    assert held == {**before, "MEMORY.md": (0o644, CHANGED["MEMORY.md"][0])}
    assert (copy / "notes" / "a.md").stat().st_mtime_ns == 1_700_000_000_123_456_789
    assert (copy / "notes" / "a.md").stat().st_ino != (store / "notes" / "a.md").stat().st_ino
    assert copy.stat().st_mode & 0o777 == 0o700
    assert loads((copy / MANIFEST).read_bytes()) == published


def test_folders_of_ours_keep_out_of_a_users_repository(store: Path) -> None:
    publish(store, (CHANGE,), CHANGED)
    assert (store / ".dream-proposals" / ".gitignore").read_bytes() == b"*\n"
    assert (store / ".dreamreview" / ".gitignore").read_bytes() == b"*\n"


def test_a_taken_id_moves_on_and_the_manifest_with_it(store: Path) -> None:
    first = publish(store, (CHANGE,), CHANGED)
    second = publish(store, (CHANGE,), CHANGED)
    assert (first.id, second.id) == (NAME, "20260901T120000124")
    data = proposals.read_manifest(Root(store), second.id)
    assert data is not None
    assert loads(data).id == second.id


def test_creations_deletions_renames_and_links_are_written(store: Path) -> None:
    edits = (
        FileEdit("e1", "run.sh", Act.DELETE, stop=1, old=(b"#!/bin/sh\n",), mode=0o750),
        FileEdit("e2", "run.sh/part.sh", Act.CREATE, new=(b"x\n",), mode=0o755),
    )
    split = Change("c1", Kind.PRUNE, "t", "", 0.5, "f1", edits=edits)
    move = Change("c2", Kind.REWRITE, "t", "", 0.5, "f2", edits=(FileEdit("e1", "secret.md", Act.RENAME, to="s.md"),))
    link = FileEdit("e1", "l.md", Act.CREATE, new=(b"MEMORY.md",), mode=LINK_MODE)
    made = Change("c3", Kind.ADD, "t", "", 0.5, "f3", edits=(link,))
    changed = {
        "run.sh": None,
        "run.sh/part.sh": (b"x\n", 0o755),
        "secret.md": None,
        "s.md": (b"", 0o600),
        "l.md": (b"MEMORY.md", LINK_MODE),
    }
    before = tree(store)
    published = publish(store, (split, move, made), changed)
    held = tree(store / ".dream-proposals" / published.id)
    assert {path: held[path] for path in held.keys() - before.keys() - {MANIFEST}} == {
        "run.sh/part.sh": (0o755, b"x\n"),
        "s.md": (0o600, b""),
        "l.md": (LINK_MODE, b"MEMORY.md"),
    }
    assert before.keys() - held.keys() == {"run.sh", "secret.md"}


def test_a_copy_that_says_something_else_than_its_changes_is_refused(store: Path) -> None:
    with pytest.raises(StoreError, match=r"says something else of MEMORY\.md than its copy would hold"):
        publish(store, (CHANGE,), {"MEMORY.md": (b"other", 0o644)})
    with pytest.raises(StoreError, match=r"says something else of MEMORY\.md"):
        publish(store, (CHANGE,), {})
    with pytest.raises(StoreError, match=r"says something else of run\.sh"):
        publish(store, (CHANGE,), {**CHANGED, "run.sh": None})
    assert proposals.list_ids(Root(store)) == ()


def test_a_change_that_does_not_fit_its_base_is_refused(store: Path) -> None:
    late = line_change("c1", "MEMORY.md", 9, b"x\n", b"y\n")
    with pytest.raises(StoreError, match="does not fit its base: edit reaches line 9 of 3"):
        publish(store, (late,), CHANGED)


@pytest.mark.parametrize("path", ["../x.md", "/x.md", ".dreamreview/x", ".git/config", "a/.GIT/config", "a//b"])
def test_a_changed_path_that_leads_outside_or_into_bookkeeping_is_refused(store: Path, path: str) -> None:
    with pytest.raises(UnsafePathError):
        publish(store, (), {path: (b"x", 0o644)})


def test_a_failure_leaves_no_trace(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_kw: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(bases, "write", fail)
    with pytest.raises(StoreError, match="the disk is full"):
        publish(store, (CHANGE,), CHANGED)
    assert os.listdir(store / ".dream-proposals") == [".gitignore"]
    assert os.listdir(store / ".dreamreview" / "staging") == []


KILLED = """
import os, sys
from dreamreview.store import staging
from dreamreview.store.rooted import Root
with staging.staged(Root(sys.argv[1]), "20260901T120000000") as staged:
    open(os.path.join(staged.copy.path, "half.md"), "w").close()
    os._exit(9)
"""


def test_publishing_sweeps_first(store: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(store)], check=False)
    publish(store, (CHANGE,), CHANGED)
    assert sorted(os.listdir(store / ".dream-proposals")) == [".gitignore", NAME]


def test_proposals_are_listed_newest_first_by_name_or_by_time(store: Path) -> None:
    folder = store / ".dream-proposals"
    for name in ("20260901T120000000", "20260903T120000000", "by hand", ".tmp-x"):
        (folder / name).mkdir(parents=True)
    (folder / "a file").write_bytes(b"")
    os.symlink(store, folder / "20260904T120000000")
    seconds = datetime(2026, 9, 2, tzinfo=UTC).timestamp()
    os.utime(folder / "by hand", (seconds, seconds))
    root = Root(store)
    assert proposals.list_ids(root) == ("20260903T120000000", "by hand", "20260901T120000000")
    assert proposals.created_at(root, "by hand") == "2026-09-02T00:00:00.000Z"
    assert proposals.created_at(root, "20260903T120000001") == "2026-09-03T12:00:00.001Z"


@pytest.mark.parametrize("name", ["..", ".tmp-x", "a/b", "", "/etc", "a\0b"])
def test_a_name_that_is_no_proposal_is_refused(name: str) -> None:
    with pytest.raises(UnsafePathError):
        proposals.place(name)


def test_an_impossible_moment_in_a_name_is_tolerated(store: Path) -> None:
    (store / ".dream-proposals" / "99999999T999999999").mkdir(parents=True)
    root = Root(store)
    assert proposals.list_ids(root) == ("99999999T999999999",)
    assert proposals.created_at(root, "99999999T999999999") == "1970-01-01T00:00:00.000Z"


def test_a_status_is_kept_in_the_manifest_with_all_that_others_wrote_there(store: Path) -> None:
    root = Root(store)
    published = publish(store, (CHANGE,), CHANGED)
    place = store / ".dream-proposals" / published.id / MANIFEST
    document = {**json.loads(place.read_bytes()), "of others": [1]}
    place.write_text(json.dumps(document))
    proposals.save_status(root, published.id, "applied")
    assert json.loads(place.read_bytes()) == {**document, "status": "applied"}
    peeked = proposals.peek(root, published.id)
    assert peeked is not None
    assert peeked.status == "applied"


def test_closing_takes_the_copy_and_keeps_manifest_and_base(store: Path) -> None:
    root = Root(store)
    published = publish(store, (CHANGE,), CHANGED)
    proposals.close(root, published, "discarded")
    assert os.listdir(store / ".dream-proposals" / published.id) == [MANIFEST]
    peeked = proposals.peek(root, published.id)
    assert peeked is not None
    assert (peeked.status, peeked.changes) == ("discarded", published.changes)
    assert proposals.new_id(root, NOON) == "20260901T120000124"
    record, _ = bases.read(root, published.id)
    assert record is not None
    assert record.texts == {"MEMORY.md": b"- [A](notes/a.md)\nold line\nlast"}


def test_an_unreadable_file_is_left_out_of_copy_and_base_alike(store: Path) -> None:
    root = Root(store)
    live = scan(root)
    (store / "run.sh").unlink()
    os.mkfifo(store / "run.sh")
    published = proposals.publish(root, proposal_of(CHANGE), CHANGED, live)
    assert not (store / ".dream-proposals" / published.id / "run.sh").exists()
    record, _ = bases.read(root, published.id)
    assert record is not None
    assert "run.sh" not in record.base
    assert list(record.excluded) == ["run.sh"]
