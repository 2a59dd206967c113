"""Forgetting: no byte is left anywhere, and everything else is as it was."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.errors import StoreError, UsageError
from dreamreview.model.forgetting.asking import Wish
from dreamreview.model.review import Op, State
from dreamreview.store.copying import read_held
from dreamreview.store.forgetting import everywhere
from dreamreview.store.forgetting.everywhere import Checkpoint
from dreamreview.store.rooted import Root
from dreamreview.store.transaction import Transaction
from dreamreview.workspace import Decision, Workspace, forgetting
from dreamreview.workspace.guarding import look
from tests.workspace.stores import LAYOUTS, Files, lay, leave_copy, left_over, memory, texts, workspace
from tests.workspace.test_kill import in_child
from tests.workspace.traces import traces

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
EXAMPLES = max(4, int(10 * SCALE))

SECRET = b"- The spare key hangs behind quarry-lantern-5192 in the shed.\n"
NEEDLE = b"quarry-lantern-5192"


def look_at(opened: Workspace) -> None:
    look(opened._context, pause=lambda _: None)


def accept_some(opened: Workspace, proposal: str, rnd: Random) -> None:
    review = opened.open(proposal)
    for change in review.proposal.changes:
        op = rnd.choice([Op.ACCEPT, Op.ACCEPT, Op.REJECT, Op.SKIP])
        review.decide(op, change.id, reason="because of it" if op is Op.REJECT else "")


# --- the laws, over random stores ---------------------------------------------------------------------------------

VOCABULARY = [
    *(b"- Fact %d says that bed %d gets %d litres.\n" % (n, n * 7, n * 31) for n in range(9)),
    b"- Caf\xe9 number 44-171 is written in latin one.\n",
    "- Straße 77b heißt jetzt «Südring 40».\n".encode(),
    b"- A line of Windows, ticket QX-2207.\r\n",
    b'- Quoted "like this" with a \\ backslash, 661-B.\n',
    SECRET,
]


def random_text(rnd: Random) -> bytes:
    lines = rnd.sample(VOCABULARY, rnd.randint(1, 8))
    data = b"".join(rnd.choices([b"", b"# Notes\n\n"]) + lines)
    return data.removesuffix(b"\n") if rnd.random() < 0.3 else data


def changed_text(rnd: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    for _ in range(rnd.randint(1, 3)):
        at = rnd.randint(0, len(lines))
        act = rnd.random()
        if act < 0.5:
            lines[at:at] = [rnd.choice(VOCABULARY)]
        elif lines and act < 0.8:
            del lines[min(at, len(lines) - 1)]
        elif lines:
            old = lines[min(at, len(lines) - 1)]
            lines[min(at, len(lines) - 1)] = old.rstrip(b"\r\n") + b" And more of it.\n"
    return b"".join(line if line.endswith(b"\n") else line + b"\n" for line in lines[:-1]) + b"".join(lines[-1:])


def live_through(folder: Path, rnd: Random) -> Workspace:
    """Give a store a past: proposals, decisions, applies, undos, edits by others, looks."""
    names = [f"note-{n}.md" for n in range(rnd.randint(1, 4))]
    opened = workspace(lay(folder, {name: random_text(rnd) for name in names}))
    if rnd.random() < 0.6:
        look_at(opened)
    for number in range(rnd.randint(1, 3)):
        act = rnd.random()
        if act < 0.75:
            now = texts(folder)
            after = {name: changed_text(rnd, data) if rnd.random() < 0.7 else data for name, data in now.items()}
            if rnd.random() < 0.3:
                after[f"new-{number}.md"] = random_text(rnd)
            if len(after) > 1 and rnd.random() < 0.3:
                del after[rnd.choice(sorted(after))]
            proposal = leave_copy(folder, after, f"2026091{number}T090000000")
            accept_some(opened, proposal, rnd)
            if rnd.random() < 0.7:
                opened.apply(proposal)
        elif opened.history() and act < 0.85:
            opened.undo()
        else:
            path = folder / rnd.choice(sorted(texts(folder)) or ["note-0.md"])
            path.write_bytes(changed_text(rnd, path.read_bytes() if path.exists() else b""))
        if rnd.random() < 0.4:
            look_at(opened)
    return opened


def without(data: bytes, needle: bytes) -> bytes:
    return b"".join(line for line in data.splitlines(keepends=True) if needle not in line)


def needle_of(line: bytes) -> bytes:
    return line.strip().removeprefix(b"- ").rstrip(b".")


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_after_any_past_no_byte_is_left_and_the_rest_of_the_memory_is_as_it_was(seed: int) -> None:
    rnd = Random(seed)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "store"
        opened = live_through(folder, rnd)
        needle = needle_of(rnd.choice(VOCABULARY))
        before = memory(folder)
        receipt = opened.forget(match=needle)
        assert traces(folder, needle) == []
        assert receipt.left == ()
        assert memory(folder) == {path: (mode, without(data, needle)) for path, (mode, data) in before.items()}
        assert left_over(folder) == []
        assert opened.forget(match=needle).is_empty


@contextmanager
def two_pasts(seed: int) -> Iterator[tuple[Path, Path, Workspace, bytes]]:
    """Yield a store with a random past, a twin of it, the store's workspace, and what to forget."""
    rnd = Random(seed)
    with tempfile.TemporaryDirectory() as place:
        folder, twin = Path(place) / "store", Path(place) / "twin"
        opened = live_through(folder, rnd)
        needle = needle_of(rnd.choice(VOCABULARY))
        shutil.copytree(folder, twin, symlinks=True)
        yield folder, twin, opened, needle


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_undoing_everything_gives_what_it_would_have_given_less_what_was_forgotten(seed: int) -> None:
    with two_pasts(seed) as (folder, twin, opened, needle):
        opened.forget(match=needle)
        for store in (opened, workspace(twin)):
            while any(not line.undone for line in store.history()):
                if store.undo().apply is None:
                    break
        kept = {path: without(data, needle) for path, data in texts(twin).items()}
        assert texts(folder) == kept
        assert traces(folder, needle) == []


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_changes_that_are_not_about_it_keep_their_decisions_and_apply_as_before(seed: int) -> None:
    with two_pasts(seed) as (_folder, twin, opened, needle):
        receipt = opened.forget(match=needle)
        for line in workspace(twin).proposals():
            was, now = workspace(twin).open(line.id), opened.open(line.id)
            assert all("gone" not in change.flags for change in now.proposal.changes)
            lost = {one.partition("/")[2] for one in receipt.withdrawn if one.startswith(line.id)}
            cut = {one.partition("/")[2] for one in receipt.cut if one.startswith(line.id)}
            left = [one for one in was.proposal.changes if one.id not in lost]
            for old, new in zip(left, now.proposal.changes, strict=True):
                if new.id not in cut:
                    assert (new.kind, new.fingerprint) == (old.kind, old.fingerprint)
                    assert now.review.of[new.id].state == was.review.of[old.id].state
                    assert now.review.of[new.id].reason == was.review.of[old.id].reason


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_of_a_dream_no_line_leaves_a_trace_and_what_is_left_of_it_applies(tmp_path: Path, layout: str) -> None:
    source = lay(tmp_path / "source", LAYOUTS[layout])
    assert workspace(source).dream().proposal is not None
    places = [
        (path, number, line)
        for path, data in texts(source).items()
        for number, line in enumerate(data.splitlines(keepends=True), 1)
        if len(needle_of(line)) > 12
    ]
    for path, number, line in Random(layout).sample(places, min(len(places), max(5, int(8 * SCALE)))):
        folder = tmp_path / f"{path.replace('/', '-')}-{number}"
        shutil.copytree(source, folder, symlinks=True)
        opened = workspace(folder)
        receipt = opened.forget(f"{path}:{number}")
        if not receipt.left:
            assert traces(folder, needle_of(line)) == [], (path, number)
        (proposal,) = [one.id for one in opened.proposals()]
        review = opened.open(proposal)
        assert review.warnings == ()
        assert not any({"gone", "forgotten"} & set(change.flags) for change in review.proposal.changes)
        assert {one.partition("/")[2] for one in receipt.withdrawn}.isdisjoint(
            one.id for one in review.proposal.changes
        )
        before = memory(folder)
        review.decide_all([Decision(Op.ACCEPT, one.id) for one in review.proposal.changes if not one.options])
        assert opened.apply(proposal).stale == ()
        if not receipt.left:
            assert traces(folder, needle_of(line)) == [], (path, number)
        assert opened.undo().stale == ()
        assert memory(folder) == before


# --- one line, one file -------------------------------------------------------------------------------------------


def test_a_line_that_is_named_goes_and_nothing_else(tmp_path: Path) -> None:
    opened = workspace(lay(tmp_path / "s", {"a.md": b"keep\n" + SECRET + b"last", "b.md": b"other\n"}))
    receipt = opened.forget("a.md:2")
    assert texts(tmp_path / "s") == {"a.md": b"keep\nlast", "b.md": b"other\n"}
    assert [(one.where, one.path, one.count) for one in receipt.removed] == [("memory", "a.md", 1)]
    assert traces(tmp_path / "s", NEEDLE) == []


@pytest.mark.parametrize(
    ("data", "line", "left"),
    [
        (b"one\r\ntwo quince-881\r\nthree\r\n", 2, b"one\r\nthree\r\n"),
        (b"one\n\xff\xfe quince-881 \x80\nthree", 2, b"one\nthree"),
        (b"one\nquince-881", 2, b"one\n"),
        (b"quince-881\n", 1, b""),
        (b"one\rtwo quince-881\rthree\nfour\n", 1, b"four\n"),
        ("x\n- Grüße an quince-881 «süß»\n".encode(), 2, b"x\n"),
    ],
)
def test_lines_of_any_bytes_go_to_the_byte(tmp_path: Path, data: bytes, line: int, left: bytes) -> None:
    folder = lay(tmp_path / "s", {"a.md": data})
    opened = workspace(folder)
    look_at(opened)
    opened.open(leave_copy(folder, {"a.md": data + b"\nmore\n"}))
    opened.forget(f"a.md:{line}")
    assert (folder / "a.md").read_bytes() == left
    assert traces(folder, b"quince-881") == []


def test_the_same_line_of_another_file_stays_and_is_named(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"x\n" + SECRET, "b.md": SECRET + b"y\n"})
    opened = workspace(folder)
    look_at(opened)
    receipt = opened.forget("a.md:2")
    assert texts(folder) == {"a.md": b"x\n", "b.md": SECRET + b"y\n"}
    assert [(one.path, one.reason) for one in receipt.left] == [("b.md:1", "the same stands here and stays")]
    look_at(opened)
    assert opened.proposals() == ()
    opened.forget(match=NEEDLE)
    assert traces(folder, NEEDLE) == []


def test_of_two_equal_lines_of_a_file_the_named_one_goes(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": SECRET + b"middle\n" + SECRET})
    workspace(folder).forget("a.md:3")
    assert texts(folder) == {"a.md": SECRET + b"middle\n"}


def test_a_file_goes_with_all_that_was_ever_in_it(tmp_path: Path) -> None:
    old = b"---\nname: shed\ntype: project\n---\n\nThe old code was juniper-3340.\n"
    new = b"---\nname: shed\ntype: project\n---\n\nThe new code is juniper-9951.\n"
    other = b"---\nname: pond\ntype: project\n---\n\nThe pond is two metres deep.\n"
    folder = lay(tmp_path / "s", {"shed.md": old, "pond.md": other})
    opened = workspace(folder)
    proposal = leave_copy(folder, {"shed.md": new, "pond.md": other + b"The code is juniper-9951 there.\n"})
    accept_some(opened, proposal, Random(3))
    opened.apply(proposal)
    look_at(opened)
    opened.forget("shed.md")
    assert "shed.md" not in texts(folder)
    assert traces(folder, b"The old code was juniper-3340") == []
    assert traces(folder, b"The new code is juniper-9951") == []
    opened.undo()
    assert "shed.md" not in texts(folder)
    assert other.splitlines() == [line for line in texts(folder)["pond.md"].splitlines() if b"juniper" not in line]


def test_a_name_that_ends_like_a_line_number_is_that_file(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"at 10:30": b"meet at dock-5522\n", "at 10": b"one\n"})
    workspace(folder).forget("at 10:30")
    assert texts(folder) == {"at 10": b"one\n"}


@pytest.mark.parametrize("place", ["b.md", "a.md:3", "a.md:0", "../a.md", ".dreamreview/lock", "", "a.md:2:2"])
def test_what_is_not_there_is_refused(tmp_path: Path, place: str) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\ntwo\n"})
    with pytest.raises(UsageError):
        workspace(folder).forget(place)
    assert texts(folder) == {"a.md": b"one\ntwo\n"}


def test_planning_writes_nothing_to_the_memory_and_says_what_carrying_out_does(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"x\n" + SECRET})
    opened = workspace(folder)
    look_at(opened)
    opened.open(leave_copy(folder, {"a.md": b"y\n" + SECRET}))
    planned = opened.plan_forgetting("a.md:2")
    assert texts(folder) == {"a.md": b"x\n" + SECRET}
    done = opened.forget("a.md:2")
    assert (planned.receipt.removed, planned.receipt.withdrawn) == (done.removed, done.withdrawn)
    assert {one.where for one in done.removed} == {"memory", "snapshots", "copy", "manifest", "base"} - {"manifest"}


def test_lines_of_pinned_notes_are_named(tmp_path: Path) -> None:
    files: Files = {"a.md": b"# A\n\n- [PINNED] Never tell lintel-77.\n- Tell lintel-78.\n"}
    opened = workspace(lay(tmp_path / "s", files))
    assert opened.plan_forgetting("a.md:3").pinned == ("a.md:3",)
    assert opened.plan_forgetting("a.md:4").pinned == ()
    assert opened.plan_forgetting(match=b"lintel").pinned == ("a.md:3",)


def test_an_apply_that_brought_it_is_undone_without_bringing_it_back(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\ntwo\n" + SECRET + b"three\n"})
    opened = workspace(folder)
    proposal = leave_copy(folder, {"a.md": b"one\nthree, and four\n"})
    review = opened.open(proposal)
    review.decide_all([Decision(Op.ACCEPT, change.id) for change in review.proposal.changes])
    applied = opened.apply(proposal).apply
    receipt = opened.forget(match=NEEDLE)
    assert [one.partition("/")[0] for one in receipt.undo] == [applied]
    assert traces(folder, NEEDLE) == []
    assert opened.undo(applied).stale == ()
    assert texts(folder) == {"a.md": b"one\ntwo\nthree\n"}
    assert traces(folder, NEEDLE) == []


def test_what_others_did_with_it_is_told_without_it(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\ntwo\n" + SECRET + b"three\n", "b.md": b"stays\n"})
    opened = workspace(folder)
    look_at(opened)
    (folder / "a.md").write_bytes(b"one\n")
    look_at(opened)
    (proposal,) = opened.ready()
    change = opened.open(proposal).proposal.changes[0].id
    opened.open(proposal).decide(Op.REJECT, change, reason="it holds the shed")
    opened.forget(match=NEEDLE)
    assert traces(folder, NEEDLE) == []
    look_at(opened)
    assert opened.ready() == (proposal,)
    review = opened.open(proposal)
    (left,) = review.proposal.changes
    assert left.edits[0].old == (b"two\n", b"three\n")
    assert review.review.of[left.id].state is State.UNDECIDED
    review.decide(Op.REJECT, left.id)
    opened.apply(proposal)
    assert texts(folder)["a.md"] == b"one\ntwo\nthree\n"


def test_a_text_that_a_person_wrote_for_a_change_goes_and_its_decision_is_void(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\n", "b.md": b"two\n"})
    opened = workspace(folder)
    review = opened.open(leave_copy(folder, {"a.md": b"uno\n", "b.md": b"dos\n"}))
    first, second = review.proposal.changes
    review.decide(Op.EDIT, first.id, text=b"eins " + NEEDLE + b"\n")
    review.decide(Op.ACCEPT, second.id)
    opened.forget(match=NEEDLE)
    assert traces(folder, NEEDLE) == []
    review.refresh()
    assert [review.review.of[one.id].state for one in (first, second)] == [State.UNDECIDED, State.ACCEPTED]


def test_what_is_kept_of_rejections_loses_it(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\n", "b.md": b"two\n"})
    opened = workspace(folder)
    proposal = leave_copy(folder, {"a.md": b"one\n" + SECRET, "b.md": b"two\n"})
    review = opened.open(proposal)
    review.decide(Op.REJECT, review.proposal.changes[0].id, reason="no " + NEEDLE.decode())
    opened.discard(proposal)
    assert traces(folder, NEEDLE) != []
    opened.forget(match=NEEDLE)
    assert traces(folder, NEEDLE) == []
    assert (folder / ".dreamreview" / "rejected.jsonl").read_bytes() == b""


def test_a_file_of_ours_that_nobody_knows_goes_with_it(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\n" + SECRET})
    opened = workspace(folder)
    look_at(opened)
    (folder / ".dreamreview" / "index.sqlite").write_bytes(b"\0\1quarry\0lantern\0")
    (folder / ".dreamreview" / "stray").write_bytes(b"\0\1" + SECRET)
    staged = folder / ".dream-proposals" / ".tmp-other" / "a.md"
    staged.parent.mkdir(parents=True)
    staged.write_bytes(b"one\n" + SECRET)
    (folder / ".dreamreview" / "quarantine").mkdir()
    (folder / ".dreamreview" / "quarantine" / "x").write_bytes(b"kept\n" + SECRET)
    opened.forget(match=NEEDLE)
    assert traces(folder, NEEDLE) == []
    assert (folder / ".dreamreview" / "quarantine" / "x").read_bytes() == b"kept\n"
    assert staged.read_bytes() == b"one\n"
    assert [(folder / ".dreamreview" / name).exists() for name in ("index.sqlite", "stray")] == [False, False]


def test_what_is_kept_of_a_base_and_cannot_be_read_goes(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\n" + SECRET})
    opened = workspace(folder)
    opened.discard(leave_copy(folder, {"a.md": b"uno\n"}))
    (place,) = (folder / ".dreamreview" / "bases").iterdir()
    place.write_bytes(place.read_bytes() + b"x")
    opened.forget(match=NEEDLE)
    assert traces(folder, NEEDLE) == []
    assert not place.exists()


def test_what_is_no_memory_is_named_and_stays(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"a.md": b"one\n" + SECRET, ".DS_Store": SECRET})
    receipt = workspace(folder).forget(match=NEEDLE)
    assert [one.path for one in receipt.left] == [".DS_Store"]
    assert (folder / ".DS_Store").read_bytes() == SECRET


def test_a_name_that_holds_it_is_told_without_it(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"quarry-lantern-5192.md": b"one\n" + SECRET})
    receipt = workspace(folder).forget(match=NEEDLE)
    assert receipt.left[0].path == "(a name that holds it)"
    kept = (folder / ".dreamreview" / "forgotten" / "f1.json").read_bytes()
    assert NEEDLE not in kept


# --- kills --------------------------------------------------------------------------------------------------------


def busy(folder: Path) -> Workspace:
    """Make a store in which everything that is kept of it holds the line."""
    before: Files = {"a.md": b"one\ntwo\n" + SECRET + b"three\n", "b.md": b"stays\n", "c.md": SECRET}
    opened = workspace(lay(folder, before))
    look_at(opened)
    first = leave_copy(folder, {"a.md": b"one\n" + SECRET + b"three\n", "b.md": b"stays\n" + SECRET, "c.md": SECRET})
    accept_some(opened, first, Random(1))
    review = opened.open(first)
    review.decide(Op.ACCEPT, review.proposal.changes[0].id)
    opened.apply(first)
    look_at(opened)
    second = leave_copy(folder, {"a.md": b"one\nthree\n", "b.md": b"stays well\n"}, "20260914T100000000")
    opened.open(second).decide(Op.ACCEPT, opened.open(second).proposal.changes[0].id, reason="like " + NEEDLE.decode())
    return opened


def steps(folder: Path) -> list[str]:
    names: list[str] = []
    opened = busy(folder)
    forgetting.forget(opened._context, Wish(match=NEEDLE), names.append)
    return names


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_killed_at_any_step_it_is_finished_at_the_next_start_or_was_never_begun(tmp_path: Path) -> None:
    names = steps(tmp_path / "whole")
    assert names[:2] == ["request", "memory"]
    assert names[-2:] == ["look again", "receipt"]
    for number, name in enumerate(names):
        folder = tmp_path / f"cut{number}"
        opened = busy(folder)
        before = memory(folder)

        def stop(step: str, at: str = name) -> None:
            if step == at:
                os.kill(os.getpid(), signal.SIGKILL)

        def act(opened: Workspace = opened, stop: Checkpoint = stop) -> None:
            forgetting.forget(opened._context, Wish(match=NEEDLE), stop)

        assert in_child(act) == -signal.SIGKILL
        fresh = workspace(folder)
        told = fresh.settle()
        if name == "request":
            assert memory(folder) == before
            continue
        assert any("forgetting f" in sentence for sentence in told), name
        assert traces(folder, NEEDLE) == [], name
        assert memory(folder) == memory(tmp_path / "whole"), name
        assert left_over(folder) == [], name
        assert [(line.id, line.counts) for line in fresh.proposals()] == [
            (line.id, line.counts) for line in workspace(tmp_path / "whole").proposals()
        ], name
        assert fresh.settle() == ()
        assert fresh.undo().stale == ()
        assert traces(folder, NEEDLE) == [], name


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_killed_at_any_instant_it_is_finished_at_the_next_start_or_was_never_begun(tmp_path: Path) -> None:
    rnd = Random(77)
    busy(tmp_path / "made")
    before = memory(tmp_path / "made")
    shutil.copytree(tmp_path / "made", tmp_path / "whole", symlinks=True)
    begun = time.monotonic()
    assert in_child(lambda: workspace(tmp_path / "whole").forget(match=NEEDLE)) == 0
    whole, killed = time.monotonic() - begun, 0
    for number in range(max(5, int(8 * SCALE))):
        folder = tmp_path / f"round{number}"
        shutil.copytree(tmp_path / "made", folder, symlinks=True)
        instant = rnd.uniform(0.001, whole)

        def act(folder: Path = folder, instant: float = instant) -> None:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, instant)
            workspace(folder).forget(match=NEEDLE)

        killed += in_child(act) == -signal.SIGALRM
        opened = workspace(folder)
        opened.settle()
        if memory(folder) == before:
            assert opened.forget(match=NEEDLE).removed, instant
        assert memory(folder) == memory(tmp_path / "whole"), instant
        assert traces(folder, NEEDLE) == [], instant
        assert left_over(folder) == [], instant
        assert opened.undo().stale == (), instant
    assert killed > 0


def test_a_failure_before_the_memory_is_written_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s"
    opened, before = busy(folder), memory(folder)

    def full(*_args: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(forgetting, "_write_live", full)
        with pytest.raises(StoreError, match="the disk is full"):
            opened.forget(match=NEEDLE)
    assert memory(folder) == before
    assert opened.settle() == ()
    opened.forget(match=NEEDLE)
    assert traces(folder, NEEDLE) == []


def test_a_failure_of_which_the_memory_is_yet_to_be_settled_is_finished_by_the_next_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "s"
    opened = busy(folder)

    def full(*_args: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(Transaction, "_verify", full)
        patched.setattr(Transaction, "_back", full)
        with pytest.raises(StoreError, match="the disk is full"):
            opened.forget(match=NEEDLE)
    opened.settle()
    assert traces(folder, NEEDLE) == []
    assert opened.settle() == ()


def test_a_failure_after_it_is_finished_by_the_next_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "s"
    opened = busy(folder)

    def full(*_args: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(everywhere, "carry_out", full)
        with pytest.raises(StoreError, match="the rest follows"):
            opened.forget(match=NEEDLE)
        assert opened.settle() == ("something is still to be forgotten: the disk is full",)
    assert opened.settle() == ("finished forgetting f2, which was cut off",)
    assert traces(folder, NEEDLE) == []


def unreadable(monkeypatch: pytest.MonkeyPatch, path: str, after: int) -> None:
    """Let a file be read so many times, and no more from then on."""
    reads = [0]

    def read(root: Root, one: str, mode: int) -> bytes | None:
        reads[0] += one == path
        return None if one == path and reads[0] > after else read_held(root, one, mode)

    monkeypatch.setattr("dreamreview.workspace.whereabouts.read_held", read)


def test_a_file_that_cannot_be_read_is_named_as_one_that_may_hold_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = busy(tmp_path / "s")
    unreadable(monkeypatch, "a.md", after=0)
    receipt = opened.forget(match=NEEDLE)
    told = [(one.path, one.reason) for one in receipt.left]
    assert told == [("a.md", "whether it stands here is not known: it cannot be read")]
    assert NEEDLE not in (tmp_path / "s" / "b.md").read_bytes()


def test_nothing_is_forgotten_where_a_file_cannot_be_read_any_more_that_was_to_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = busy(tmp_path / "s")
    before = memory(tmp_path / "s")
    unreadable(monkeypatch, "a.md", after=1)
    with pytest.raises(StoreError, match=r"^a\.md in .* may hold it, yet it cannot be read; try again in a moment$"):
        opened.forget(match=NEEDLE)
    assert memory(tmp_path / "s") == before
    monkeypatch.undo()
    assert opened.forget(match=NEEDLE).removed
    assert traces(tmp_path / "s", NEEDLE) == []


def test_a_file_whose_name_holds_it_excuses_no_other_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = busy(tmp_path / "s")
    (tmp_path / "s" / "quarry-lantern-5192.md").write_bytes(b"one\n")
    unreadable(monkeypatch, "a.md", after=1)
    with pytest.raises(StoreError, match=r"^a\.md in .* may hold it, yet it cannot be read"):
        opened.forget(match=NEEDLE)
