"""All of a plan or nothing of it, wherever the program is cut off."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.model.edits import Rebased, rebase, split_lines
from dreamreview.model.plan import Plan, Target, digest
from dreamreview.model.proposal import LINK_MODE
from dreamreview.model.records import Record
from dreamreview.model.weave import begin
from dreamreview.store import exchanging, reverting, writers
from dreamreview.store.git import run
from dreamreview.store.history import REPOSITORY, Entry, History, woven_of
from dreamreview.store.journal import Journal
from dreamreview.store.rooted import Root
from dreamreview.store.transaction import DriftedError, Transaction


class CutOffError(BaseException):
    """The program ends here."""


RECORD = Record(id="a1", at="2026-09-15T12:00:00Z", op="apply", proposal="p")
BEFORE = {"a.md": b"a\n", "b.md": b"b\n", "goes.md": b"gone\n", "swap": b"a file\n"}
AFTER = {"a.md": b"A\n", "b.md": b"b\n", "new/deep.md": b"new\n", "swap/part.md": b"a part\n"}


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".dreamreview" not in path.parts
    }


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
        (folder / name).chmod(0o640)


def plan_of(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Plan:
    targets = [
        Target(
            path,
            digest(before[path]) if path in before else None,
            0o640 if path in before else None,
            after.get(path),
            0o640 if path in after else None,
        )
        for path in sorted(before.keys() | after.keys(), key=lambda path: (path in after, path))
        if before.get(path) != after.get(path)
    ]
    return Plan(targets=tuple(targets))


def entry_of(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Entry:
    weave = begin("u:a.md", "a.md", split_lines(before.get("a.md", b"")), 0o640, b"\n")
    return Entry(
        id="a1",
        message="apply a1",
        seconds=1_800_000_000,
        weaves={weave.uid: weave},
        index={weave.uid: woven_of(weave, frozenset())},
        before={path: before.get(path) for path in before.keys() | after.keys()},
        after={path: after.get(path) for path in before.keys() | after.keys()},
        modes={},
    )


def carry_out(folder: Path, checkpoint: Callable[[str], None] = lambda _step: None) -> Record:
    return Transaction(Root(folder), checkpoint).carry_out(RECORD, plan_of(BEFORE, AFTER), entry_of(BEFORE, AFTER))


def left_over(folder: Path) -> list[str]:
    staged = (folder / ".dreamreview/journal").glob("*")
    journal = [path.name for path in staged if path.suffix != ".json"]
    temps = [str(path) for path in folder.rglob(".dream-tmp-*")]
    return journal + temps


def test_a_plan_is_carried_out_whole_and_recorded(tmp_path: Path) -> None:
    fill(tmp_path, BEFORE)
    done = carry_out(tmp_path)
    assert files_of(tmp_path) == AFTER
    assert (tmp_path / "a.md").stat().st_mode & 0o777 == 0o640
    assert Journal(Root(tmp_path)).records() == (done,)
    assert done.made == ("new", "swap")
    assert list(History(Root(tmp_path)).weaves(["u:a.md"])) == ["u:a.md"]
    assert left_over(tmp_path) == []


def steps(tmp_path: Path) -> list[str]:
    fill(tmp_path / "count", BEFORE)
    seen: list[str] = []
    carry_out(tmp_path / "count", seen.append)
    return seen


def settled_after_each_cut(tmp_path: Path) -> Iterator[tuple[Path, dict[str, bytes]]]:
    """Cut a plan off before each of its steps, settle it, see that it is whole; yield each folder and its files."""
    names = steps(tmp_path)
    for number, name in enumerate(names):
        folder = tmp_path / f"cut{number}"
        fill(folder, BEFORE)
        left = [None] * number

        def stop(step: str, left: list[None] = left) -> None:
            if not left:
                raise CutOffError(step)
            left.pop()

        with pytest.raises(CutOffError):
            carry_out(folder, stop)
        Transaction(Root(folder)).settle()
        after = files_of(folder)
        assert after in (BEFORE, AFTER), name
        assert left_over(folder) == []
        yield folder, after


def test_cut_off_at_any_step_the_folder_is_all_before_or_all_after(tmp_path: Path) -> None:
    outcomes = []
    for folder, after in settled_after_each_cut(tmp_path):
        assert len(Journal(Root(folder)).records()) == (after == AFTER)
        outcomes.append(after == AFTER)
    assert outcomes[0] is False
    assert outcomes[-1] is True
    assert outcomes == sorted(outcomes)


def test_a_failure_of_the_system_at_any_write_leaves_the_folder_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, rename = Root.replace, exchanging.renameat2
    calls = 0

    def count(failing: int) -> None:
        nonlocal calls
        calls += 1
        if calls == failing:
            raise StoreError("the disk is full")

    for failing in range(1, 7):
        folder, calls = tmp_path / f"fail{failing}", 0
        fill(folder, BEFORE)

        def replace(self: Root, one: str, other: str, *, durable: bool = True, at: int = failing) -> None:
            count(at)
            real(self, one, other, durable=durable)

        def renameat2(old: int, name: str, new: int, other: str, flags: int, at: int = failing) -> int:
            count(at)
            return rename(old, name, new, other, flags)

        monkeypatch.setattr(Root, "replace", replace)
        monkeypatch.setattr(exchanging, "renameat2", renameat2)
        try:
            carry_out(folder)
            assert files_of(folder) == AFTER
        except StoreError:
            assert files_of(folder) == BEFORE
        assert left_over(folder) == []
    assert calls == 5


def test_a_file_that_changed_since_the_plan_is_never_overwritten(tmp_path: Path) -> None:
    fill(tmp_path, BEFORE)
    (tmp_path / "b.md").write_bytes(b"b\n")
    (tmp_path / "a.md").write_bytes(b"X\n")
    with pytest.raises(DriftedError, match=r"a\.md was changed"):
        carry_out(tmp_path)
    assert files_of(tmp_path) == {**BEFORE, "a.md": b"X\n"}
    assert left_over(tmp_path) == []


def test_what_a_program_writes_into_a_file_it_holds_open_is_kept(tmp_path: Path) -> None:
    fill(tmp_path, BEFORE)
    held = (tmp_path / "a.md").open("ab", buffering=0)

    def write_late(step: str) -> None:
        if step == "verify":
            held.write(b"late\n")

    with pytest.raises(DriftedError):
        carry_out(tmp_path, write_late)
    held.close()
    assert files_of(tmp_path) == {**BEFORE, "a.md": b"a\nlate\n"}


HAS_LEASES = sys.platform.startswith("linux")


@pytest.mark.skipif(not HAS_LEASES, reason="Linux alone tells who has a file open")
def test_a_file_that_a_program_keeps_open_to_write_to_it_is_left_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "PATIENCE_SECONDS", 0.0)
    fill(tmp_path, BEFORE)
    with (tmp_path / "a.md").open("ab", buffering=0) as held:
        with pytest.raises(DriftedError, match=r"^a\.md is open for writing in another program; close it there"):
            carry_out(tmp_path)
        assert files_of(tmp_path) == BEFORE
        assert left_over(tmp_path) == []
        held.write(b"much later\n")
    assert files_of(tmp_path) == {**BEFORE, "a.md": b"a\nmuch later\n"}


@pytest.mark.skipif(not HAS_LEASES, reason="Linux alone tells who has a file open")
def test_a_program_that_is_just_writing_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path, BEFORE)
    held = (tmp_path / "a.md").open("ab", buffering=0)

    def write_and_close(_seconds: float) -> None:
        held.write(b"late\n")
        held.close()

    monkeypatch.setattr(time, "sleep", write_and_close)
    with pytest.raises(DriftedError, match=r"a\.md was changed while it was being written"):
        carry_out(tmp_path)
    assert files_of(tmp_path) == {**BEFORE, "a.md": b"a\nlate\n"}


@pytest.mark.skipif(not HAS_LEASES, reason="Linux alone lets names change places")
@pytest.mark.parametrize("path", ["a.md", "new/deep.md"])
def test_a_file_that_is_put_there_at_the_last_moment_is_left_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    real = exchanging.renameat2
    came: list[str] = []

    def just_before(old: int, name: str, new: int, other: str, flags: int) -> int:
        if other == Path(path).name and not came:
            came.append(other)
            (tmp_path / "theirs").write_bytes(b"theirs\n")
            (tmp_path / "theirs").replace(tmp_path / path)
        return real(old, name, new, other, flags)

    monkeypatch.setattr(exchanging, "renameat2", just_before)
    fill(tmp_path, BEFORE)
    with pytest.raises(DriftedError, match="was changed while it was being written"):
        carry_out(tmp_path)
    assert files_of(tmp_path) == {**BEFORE, path: b"theirs\n"}
    assert left_over(tmp_path) == []


def test_what_is_written_while_ours_is_taken_out_again_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = {"a.md": b"one\ntwo\nthree\n", "b.md": b"b\n"}, {"a.md": b"one\nTWO\nthree\n", "b.md": b"B\n"}
    fill(tmp_path, before)

    def others(step: str) -> None:
        if step == "target 1":  # a.md is ours by now
            (tmp_path / "a.md").write_bytes(b"zero\none\nTWO\nthree\n")
            (tmp_path / "b.md").write_bytes(b"b of others\n")

    def meanwhile(*given: object) -> Rebased:
        if not (tmp_path / "a.md").read_bytes().endswith(b"late\n"):
            with (tmp_path / "a.md").open("ab") as file:
                file.write(b"late\n")
        return rebase(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(reverting, "rebase", meanwhile)
    with pytest.raises(DriftedError):
        Transaction(Root(tmp_path), others).carry_out(RECORD, plan_of(before, after), entry_of(before, after))
    assert files_of(tmp_path) == {"a.md": b"zero\none\ntwo\nthree\nlate\n", "b.md": b"b of others\n"}
    assert left_over(tmp_path) == []


def test_what_takes_the_name_of_a_file_that_went_is_kept_behind_it_when_that_comes_back(tmp_path: Path) -> None:
    before, after = {"b.md": b"b\n", "goes.md": b"one\ntwo\n"}, {"b.md": b"B\n"}
    fill(tmp_path, before)
    held = (tmp_path / "goes.md").open("ab", buffering=0)

    def others(step: str) -> None:
        if step == "verify":
            held.write(b"late\n")
            held.close()
            (tmp_path / "goes.md").write_bytes(b"begun anew\n")

    with pytest.raises(DriftedError):
        Transaction(Root(tmp_path), others).carry_out(RECORD, plan_of(before, after), entry_of(before, after))
    assert files_of(tmp_path) == {"b.md": b"b\n", "goes.md": b"one\ntwo\nlate\nbegun anew\n"}
    assert left_over(tmp_path) == []


def a_folder(path: Path) -> None:
    path.mkdir()


def a_link(path: Path) -> None:
    path.symlink_to("b.md")


@pytest.mark.parametrize("taker", [a_folder, a_link])
def test_a_file_that_went_comes_back_beside_what_is_no_file_and_took_its_name(
    tmp_path: Path, taker: Callable[[Path], None]
) -> None:
    before, after = {"b.md": b"b\n", "goes.md": b"one\n"}, {"b.md": b"B\n"}
    fill(tmp_path, before)

    def others(step: str) -> None:
        if step == "verify":
            taker(tmp_path / "goes.md")
            with (tmp_path / ".dreamreview/journal/a1/old-1").open("ab") as held:
                held.write(b"late\n")

    with pytest.raises(DriftedError):
        Transaction(Root(tmp_path), others).carry_out(RECORD, plan_of(before, after), entry_of(before, after))
    assert (tmp_path / "goes.md").is_dir() or (tmp_path / "goes.md").readlink() == Path("b.md")
    assert (tmp_path / "goes.md.kept-1").read_bytes() == b"one\n"
    assert (tmp_path / "b.md").read_bytes() == b"b\nlate\n"
    assert left_over(tmp_path) == []


@pytest.mark.skipif(not HAS_LEASES, reason="Linux alone tells who has a file open")
@pytest.mark.parametrize("step", ["sync", "verify"])
def test_a_file_that_a_program_still_has_open_after_a_cut_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    monkeypatch.setattr(writers, "PATIENCE_SECONDS", 0.0)
    fill(tmp_path, BEFORE)
    with (tmp_path / "a.md").open("ab", buffering=0) as held:

        def stop(now: str) -> None:
            if now == step:
                raise CutOffError(step)

        with pytest.raises(CutOffError):
            carry_out(tmp_path, stop)
        assert (tmp_path / "a.md").read_bytes() == b"A\n"
        assert Transaction(Root(tmp_path)).settle() == (
            "took back the apply a1 that was cut off: its files were edited since",
        )
        held.write(b"much later\n")
    assert files_of(tmp_path) == {**BEFORE, "a.md": b"a\nmuch later\n"}
    assert left_over(tmp_path) == []


@pytest.mark.skipif(not HAS_LEASES, reason="Linux alone tells who has a file open")
def test_what_is_appended_to_ours_while_a_cut_comes_as_it_is_taken_away_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = {"z.md": b"z\n"}, {"new.md": b"new\n", "z.md": b"Z\n"}
    fill(tmp_path, before)
    held: list[int] = []

    def others(step: str) -> None:
        if step == "target 1":  # new.md is there by now
            held.append(os.open(tmp_path / "new.md", os.O_WRONLY | os.O_APPEND))
            (tmp_path / "z.md").write_bytes(b"of others\n")

    def cut(_seconds: float) -> None:
        raise CutOffError("while the writer is waited for")

    monkeypatch.setattr(time, "sleep", cut)
    with pytest.raises(CutOffError):
        Transaction(Root(tmp_path), others).carry_out(RECORD, plan_of(before, after), entry_of(before, after))
    os.write(held[0], b"by an agent\n")
    os.close(held[0])
    Transaction(Root(tmp_path)).settle()
    assert files_of(tmp_path) == {"new.md": b"new\nby an agent\n", "z.md": b"of others\n"}
    assert left_over(tmp_path) == []


def test_a_name_beside_that_is_taken_is_passed_over(tmp_path: Path) -> None:
    before, after = {"b.md": b"b\n", "goes.md": b"one\n", "goes.md.kept-1": b"older\n"}, {"b.md": b"B\n"}
    after["goes.md.kept-1"] = b"older\n"
    fill(tmp_path, before)

    def others(step: str) -> None:
        if step == "verify":
            (tmp_path / "goes.md").mkdir()
            with (tmp_path / ".dreamreview/journal/a1/old-1").open("ab") as held:
                held.write(b"late\n")

    with pytest.raises(DriftedError):
        Transaction(Root(tmp_path), others).carry_out(RECORD, plan_of(before, after), entry_of(before, after))
    assert (tmp_path / "goes.md.kept-1").read_bytes() == b"older\n"
    assert (tmp_path / "goes.md.kept-2").read_bytes() == b"one\n"


def test_where_names_cannot_change_places_files_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchanging, "renameat2", lambda *_args: errno.EINVAL)
    assert {after == AFTER for _, after in settled_after_each_cut(tmp_path)} == {False, True}


def test_where_nothing_is_told_of_open_files_nothing_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "no lease")

    monkeypatch.setattr("dreamreview.store.writers.fcntl.fcntl", refuse)
    fill(tmp_path, BEFORE)
    carry_out(tmp_path)
    assert files_of(tmp_path) == AFTER


def test_what_a_program_writes_late_is_kept_also_after_a_cut(tmp_path: Path) -> None:
    fill(tmp_path, BEFORE)
    held = (tmp_path / "a.md").open("ab", buffering=0)

    def stop(step: str) -> None:
        if step == "sync":
            raise CutOffError(step)

    with pytest.raises(CutOffError):
        carry_out(tmp_path, stop)
    held.write(b"late\n")
    held.close()
    Transaction(Root(tmp_path)).settle()
    assert files_of(tmp_path) == {**BEFORE, "a.md": b"a\nlate\n"}
    assert left_over(tmp_path) == []


def test_an_edit_made_after_the_cut_is_kept_whichever_way_it_is_settled(tmp_path: Path) -> None:
    names = steps(tmp_path)
    for number in range(names.index("target 0"), len(names)):
        folder = tmp_path / f"edit{number}"
        fill(folder, BEFORE)
        count = iter(range(len(names)))

        def stop(step: str, at: int = number, count: object = count) -> None:
            if next(count) == at:  # type: ignore[call-overload]
                raise CutOffError(step)

        with pytest.raises(CutOffError):
            carry_out(folder, stop)
        with (folder / "a.md").open("ab") as file:
            file.write(b"by the agent\n")
        Transaction(Root(folder)).settle()
        after = files_of(folder)
        assert after["a.md"].endswith(b"by the agent\n")
        assert left_over(folder) == []
        rest = {path: data for path, data in after.items() if path != "a.md"}
        before = {path: data for path, data in BEFORE.items() if path != "a.md"}
        assert rest in (before, {path: data for path, data in AFTER.items() if path != "a.md"})
        assert after["a.md"] == (b"a\n" if rest == before else b"A\n") + b"by the agent\n"


def test_links_are_made_and_taken_back_without_following_them(tmp_path: Path) -> None:
    (tmp_path / "target.md").write_bytes(b"stays\n")
    before, after = digest(b"target.md"), b"other.md"
    os.symlink("target.md", tmp_path / "link.md")
    plan = Plan(targets=(Target("link.md", before, LINK_MODE, after, LINK_MODE),))
    Transaction(Root(tmp_path)).carry_out(RECORD, plan, entry_of({}, {}))
    assert os.readlink(tmp_path / "link.md") == "other.md"
    assert (tmp_path / "target.md").read_bytes() == b"stays\n"


def test_our_files_are_for_the_owner_alone(tmp_path: Path) -> None:
    fill(tmp_path, BEFORE)
    carry_out(tmp_path)
    modes = {
        path.stat().st_mode & 0o077 for path in (tmp_path / ".dreamreview" / "journal").rglob("*") if path.is_file()
    }
    assert modes == {0}
    assert (tmp_path / ".dreamreview").stat().st_mode & 0o777 == 0o700


def pending(folder: Path) -> bytes:
    return run(["for-each-ref"], git_dir=str(folder / REPOSITORY))


def test_a_failure_of_staging_leaves_nothing_of_the_commit_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, BEFORE)

    real = Root.fsync_dir

    def refuse(root: Root, path: str = "") -> None:
        if path == ".dreamreview/journal/a1":
            raise StoreError("the disk is full")
        real(root, path)

    monkeypatch.setattr(Root, "fsync_dir", refuse)
    with pytest.raises(StoreError, match="the disk is full"):
        carry_out(tmp_path)
    monkeypatch.setattr(Root, "fsync_dir", real)
    assert files_of(tmp_path) == BEFORE
    assert (left_over(tmp_path), pending(tmp_path), Journal(Root(tmp_path)).records()) == ([], b"", ())
    carry_out(tmp_path)
    assert files_of(tmp_path) == AFTER
    assert pending(tmp_path).split()[1:] == [b"commit", b"refs/heads/main"]


def test_a_failure_of_the_commit_leaves_nothing_of_what_was_staged(tmp_path: Path) -> None:
    fill(tmp_path, BEFORE)

    def damage(step: str) -> None:
        if step == "history":
            objects = tmp_path / REPOSITORY / "objects"
            objects.rename(tmp_path.with_name(f"{tmp_path.name}-objects"))
            objects.write_bytes(b"")  # git would make the folder anew

    with pytest.raises(StoreError, match="git fast-import ended with status"):
        carry_out(tmp_path, damage)
    assert files_of(tmp_path) == BEFORE
    assert left_over(tmp_path) == []
    assert Journal(Root(tmp_path)).records() == ()


def test_many_staged_files_are_all_waited_for_and_a_failure_of_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {f"n{number:02}.md": b"%d\n" % number for number in range(40)}
    after = {path: b"new " + data for path, data in before.items()}
    real, synced = os.fsync, set[str]()

    def fsync(fd: int, failing: str | None = None) -> None:
        name = os.path.basename(os.readlink(f"/proc/self/fd/{fd}"))
        synced.add(name)
        if name == failing:
            raise OSError(errno.EIO, "failed")
        real(fd)

    for failing in ("new-29", None):
        folder = tmp_path / f"failing {failing}"
        fill(folder, before)
        monkeypatch.setattr(os, "fsync", partial(fsync, failing=failing))
        transaction = Transaction(Root(folder))
        if failing:
            with pytest.raises(
                StoreError, match=r"cannot write \.dreamreview/journal/a1/new-29 .*disk reports an error"
            ):
                transaction.carry_out(RECORD, plan_of(before, after), entry_of(before, after))
        else:
            transaction.carry_out(RECORD, plan_of(before, after), entry_of(before, after))
        assert files_of(folder) == (before if failing else after)
        assert left_over(folder) == []
    assert {f"new-{number}" for number in range(40)} | {"a1"} <= synced


@pytest.mark.parametrize("is_full", [False, True])
def test_what_is_half_taken_back_is_taken_back_whole_or_finished_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_full: bool
) -> None:
    """Renames fail from the third on, as on a full disk; where it is full, nothing can be written down either."""
    monkeypatch.setattr(exchanging, "renameat2", lambda *_args: errno.ENOSYS)
    fill(tmp_path, BEFORE)
    replaced, written = Root.replace, Journal.write
    calls = {"replace": 0, "write": 0}

    def replace(self: Root, source: str, target: str, *, durable: bool = True) -> None:
        calls["replace"] += 1
        if calls["replace"] > 2 and calls["replace"] != 4:
            raise StoreError("the disk is full")
        replaced(self, source, target, durable=durable)

    def write(self: Journal, record: Record) -> None:
        calls["write"] += 1
        if is_full and calls["write"] > 1:
            raise StoreError("the disk is full")
        written(self, record)

    monkeypatch.setattr(Root, "replace", replace)
    monkeypatch.setattr(Journal, "write", write)
    with pytest.raises(StoreError, match="the disk is full"):
        carry_out(tmp_path)
    monkeypatch.setattr(Root, "replace", replaced)
    monkeypatch.setattr(Journal, "write", written)
    Transaction(Root(tmp_path)).settle()
    assert files_of(tmp_path) == (AFTER if is_full else BEFORE)
    assert left_over(tmp_path) == []


@pytest.mark.parametrize(
    "damage",
    [
        {"targets": [["../outside.md", None, None, None, None, None]]},
        {"targets": [[".dreamreview/lock", None, None, None, None, None]]},
        {"made": ["/etc"]},
        {"commit": "0" * 40 + "\ndelete refs/heads/main"},
        {"state": "begun"},
        {"id": "a2"},
    ],
)
def test_a_record_that_none_of_ours_can_be_is_not_acted_on(tmp_path: Path, damage: dict[str, object]) -> None:
    fill(tmp_path, BEFORE)

    def stop(step: str) -> None:
        if step == "target 1":
            raise CutOffError(step)

    with pytest.raises(CutOffError):
        carry_out(tmp_path, stop)
    half, record = files_of(tmp_path), tmp_path / ".dreamreview/journal/a1.json"
    whole = record.read_bytes()
    record.write_text(json.dumps({**json.loads(whole), **damage}))
    with pytest.raises(StoreError, match=r"what was cut off cannot be settled: \.dreamreview/journal/a1\.json in "):
        Transaction(Root(tmp_path)).settle()
    assert files_of(tmp_path) == half
    record.write_bytes(whole)
    Transaction(Root(tmp_path)).settle()
    assert files_of(tmp_path) in (BEFORE, AFTER)


def test_a_file_takes_the_place_of_a_folder_whose_last_file_went_just_before_the_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, AFTER)

    def stop(_root: Root, _path: str) -> bool:
        raise CutOffError

    monkeypatch.setattr(Root, "remove_dir", stop)
    with pytest.raises(CutOffError):
        Transaction(Root(tmp_path)).carry_out(RECORD, plan_of(AFTER, BEFORE), entry_of(AFTER, BEFORE))
    monkeypatch.undo()
    assert (tmp_path / "swap").is_dir()
    Transaction(Root(tmp_path)).settle()
    assert files_of(tmp_path) == BEFORE
    assert left_over(tmp_path) == []


def test_a_history_that_was_cut_off_while_it_was_made_is_made_again(tmp_path: Path) -> None:
    fill(tmp_path, BEFORE)
    repository = tmp_path / REPOSITORY
    (repository / "refs" / "heads").mkdir(parents=True)
    (repository / "HEAD").write_bytes(b"")
    (repository / "config").write_bytes(b"[co")
    carry_out(tmp_path)
    assert files_of(tmp_path) == AFTER
    assert list(History(Root(tmp_path)).weaves(["u:a.md"])) == ["u:a.md"]


def test_a_folder_takes_the_place_of_a_link(tmp_path: Path) -> None:
    fill(tmp_path, {"b.md": b"b\n"})
    (tmp_path / "notes").symlink_to("b.md")
    targets = (
        Target("notes", digest(b"b.md"), LINK_MODE, None, None),
        Target("notes/part.md", None, None, b"a part\n", 0o640),
    )
    after = {"b.md": b"b\n", "notes/part.md": b"a part\n"}
    entry = entry_of({"b.md": b"b\n"}, after)
    seen: list[str] = []
    shutil.copytree(tmp_path, tmp_path.with_name("whole"), symlinks=True)
    Transaction(Root(tmp_path.with_name("whole")), seen.append).carry_out(RECORD, Plan(targets=targets), entry)
    assert files_of(tmp_path.with_name("whole")) == after
    for number in range(len(seen)):
        folder = tmp_path.with_name(f"cut{number}")
        shutil.copytree(tmp_path, folder, symlinks=True)
        left = iter(range(number))

        def stop(step: str, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise CutOffError(step)

        with pytest.raises(CutOffError):
            Transaction(Root(folder), stop).carry_out(RECORD, Plan(targets=targets), entry)
        Transaction(Root(folder)).settle()
        assert (folder / "notes").is_symlink() or files_of(folder) == after
        assert left_over(folder) == []
