"""A copy that another program left, whatever bytes and names it holds: all of it, none of it, any part of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.model.edits import LF, render, split_lines, terminator_of
from dreamreview.model.proposal import LINK_MODE, Act, Change, FileEdit
from dreamreview.model.review import Op
from dreamreview.workspace import Decision, Workspace
from tests.workspace.stores import Memory, accept_all, lay, leave_copy, left_over, memory, texts, workspace

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))

LINES = (
    b"alpha\n",
    b"beta\r\n",
    b"gam\rma\n",
    b"\r\r\n",
    b"one\x0ctwo\x0b\x1c\n",
    "u\u2028v\x85\n".encode(),
    b"\xff\xfe bad\n",
    b"nul\x00byte\n",
    b"\xef\xbb\xbfmark\n",
    b"--- a/f\n",
    b"+++ b/f\n",
    b"@@ -1,3 +1,9 @@\n",
    b"\\ No newline at end of file\n",
    b"diff --git a/x b/x\n",
    b"<<<<<<< ours\n",
    b"=======\n",
    b">>>>>>> theirs\n",
    b"\n",
    b" \t\n",
    b"\x1b]52;c;aGk=\x07\n",
    b"- [x] done [/] [[link]]\n",
    "日本語 〽️ 👩‍👩‍👧\n".encode(),
    b"same\n",
    b"same\n",
    b"same\n",
)
NAMES = (
    "MEMORY.md",
    "notes.md",
    "notes.md/part.md",
    "Readme.md",
    "README.md",
    "Am\u00e9lie.md",
    "Ame\u0301lie.md",
    "x b/y.md",
    "a -> b.md",
    '"q".md',
    "tab\there.md",
    "line\nfeed.md",
    "blank .md ",
    "\udcff\udcfe.md",
    ":colon.md",
    "-dash.md",
    "$(touch pwn).md",
    "[br].md",
    "deep/er/still.md",
    "plain.bin",
)
MODES = (0o644, 0o600, 0o755)
TARGETS = (b"MEMORY.md", b"../../outside", b"nowhere", b"/etc/hostname")

Tree = dict[str, tuple[bytes, int]]

contents = st.builds(
    lambda lines, tail: b"".join(lines) + tail,
    st.lists(st.sampled_from(LINES), max_size=8),
    st.sampled_from((b"", b"", b"last", b"last\r")),
)
files = st.one_of(
    st.tuples(contents, st.sampled_from(MODES)),
    st.tuples(contents, st.sampled_from(MODES)),
    st.tuples(contents, st.sampled_from(MODES)),
    st.tuples(st.sampled_from(TARGETS), st.just(LINK_MODE)),
)


def fits(tree: Iterable[str], name: str) -> bool:
    """Tell whether a name can stand in a tree: nothing is a file and a folder at once."""
    return not any(other.startswith(f"{name}/") or name.startswith(f"{other}/") for other in tree)


@st.composite
def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    lines = list(split_lines(data))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines)))
        new = draw(st.lists(st.sampled_from((*LINES, b"end")), max_size=3))
        lines[at : at + draw(st.integers(0, 2))] = new
    return render(tuple(lines), LF)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """Return a folder and a copy of it that somebody edited."""
    base: Tree = {}
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1, max_size=6)):
        if fits(base, name):
            base[name] = draw(files)
    copy: Tree = {}
    for name, (data, mode) in base.items():
        fate = draw(st.sampled_from(("same", "edit", "edit", "edit", "mode", "both", "gone", "move", "swap")))
        if fate == "swap":
            copy[name] = draw(files)
        elif mode == LINK_MODE:
            copy |= {} if fate == "gone" else {name: (data, mode)}
        elif fate == "move":
            to = draw(st.sampled_from(NAMES))
            copy[to if to not in base and fits([*base, *copy], to) else name] = (data, mode)
        elif fate != "gone":
            text = draw(mutated(data)) if fate in ("edit", "both") else data
            copy[name] = (text, draw(st.sampled_from(MODES)) if fate in ("mode", "both") else mode)
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=2)):
        if name not in copy and fits(copy, name):
            copy[name] = draw(files)
    return base, copy


def composed(base: Mapping[str, bytes], changes: Iterable[Change]) -> dict[str, bytes]:
    """Return what a tree of texts becomes by some changes, in the plainest way there is."""
    by_path: dict[str, list[FileEdit]] = {}
    for edit in (edit for change in changes for edit in change.edits):
        by_path.setdefault(edit.path, []).append(edit)
    tree = {path: data for path, data in base.items() if path not in by_path}
    for path, edits in by_path.items():
        old = split_lines(base.get(path, b""))
        lines, reach = [], 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.stop, edit.rank)):
            if edit.act in (Act.LINES, Act.CREATE, Act.DELETE):
                lines += [*old[reach : edit.start], *edit.new]
                reach = edit.stop
        lines += old[reach:]
        acts = {edit.act for edit in edits}
        if lines or Act.CREATE in acts or (path in base and Act.DELETE not in acts):
            name = next((edit.to for edit in edits if edit.to), path)
            tree[name] = render(tuple(lines), terminator_of(old))
    return tree


def runs(held: Memory) -> dict[str, bool]:
    """Return which files may be run by their owner, all that a copy says of modes."""
    return {path: bool(mode & 0o100) for path, (mode, _) in held.items() if mode != LINK_MODE}


reduced = settings(
    max_examples=max(8, int(60 * (SCALE - 1))),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@reduced
@given(pairs())
def test_all_of_a_copy_gives_the_copy_and_undo_gives_the_start(pair: tuple[Tree, Tree]) -> None:
    base, copy = pair
    with TemporaryDirectory() as place:
        folder = lay(Path(place) / "store", base)
        before = memory(folder)
        name = leave_copy(folder, copy)
        wanted = memory(folder / ".dream-proposals" / name)
        opened = workspace(folder)
        review = opened.open(name)
        assert opened.apply(name).apply is None
        assert memory(folder) == before
        accept_all(review)
        done = opened.apply(name)
        assert done.stale == ()
        after = memory(folder)
        assert {path: data for path, (_, data) in after.items()} == {path: data for path, (_, data) in wanted.items()}
        assert runs(after) == runs(wanted)
        if done.apply is not None:
            assert [line.status for line in opened.proposals()] == ["applied"]
            assert opened.undo().stale == ()
        assert memory(folder) == before
        assert left_over(folder) == []


@reduced
@given(pairs())
def test_none_of_a_copy_leaves_the_folder_alone(pair: tuple[Tree, Tree]) -> None:
    base, copy = pair
    with TemporaryDirectory() as place:
        folder = lay(Path(place) / "store", base)
        before = memory(folder)
        opened = workspace(folder)
        review = opened.open(leave_copy(folder, copy))
        review.decide_all([Decision(Op.REJECT, change.id) for change in review.proposal.changes])
        assert opened.apply(review.proposal.id).apply is None
        assert memory(folder) == before
        assert {line.status for line in opened.proposals()} == {"discarded" if review.proposal.changes else "applied"}


@reduced
@given(pairs(), st.randoms(use_true_random=False))
def test_any_part_in_several_applies_gives_its_composition_and_is_undone_in_any_order(
    pair: tuple[Tree, Tree], rnd: Random
) -> None:
    base, copy = pair
    with TemporaryDirectory() as place:
        folder = lay(Path(place) / "store", base)
        before = memory(folder)
        opened = workspace(folder)
        changes = list(opened.open(leave_copy(folder, copy)).proposal.changes)
        rnd.shuffle(changes)
        chosen = changes[: rnd.randint(0, len(changes))]
        batches = split_up(chosen, rnd)
        applied = [carry_out(opened, batch) for batch in batches]
        standing = {path: data for path, (_, data) in before.items()}
        assert texts(folder) == composed(standing, chosen)
        order = list(range(len(batches)))
        rnd.shuffle(order)
        for count, at in enumerate(order, 1):
            assert opened.undo(applied[at]).stale == ()
            left = [change for one in order[count:] for change in batches[one]]
            assert texts(folder) == composed(standing, left)
        assert memory(folder) == before
        assert left_over(folder) == []


def split_up(changes: list[Change], rnd: Random) -> list[list[Change]]:
    """Return changes in up to three heaps, none of them empty."""
    heaps: list[list[Change]] = [[], [], []]
    for change in changes:
        rnd.choice(heaps).append(change)
    return [heap for heap in heaps if heap]


def carry_out(opened: Workspace, batch: list[Change]) -> str:
    review = opened.open()
    review.decide_all([Decision(Op.ACCEPT, change.id) for change in batch])
    done = opened.apply(review.proposal.id)
    assert done.stale == ()
    assert done.apply is not None
    return done.apply
