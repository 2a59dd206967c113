"""Whatever others do to a store: taking all of it back restores it, keeping all of it changes nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.model.proposal import LINK_MODE, Act
from dreamreview.model.review import Op
from dreamreview.model.units import units_of
from dreamreview.store import noticing
from dreamreview.store.moves import is_executable
from dreamreview.workspace import Decision, OpenReview
from tests.workspace.stores import Files, Memory, lay, memory, workspace

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
EXAMPLES = max(8, int(20 * SCALE))
CHECKED = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))

NAMES = ("a.md", "b.md", "deep/c.md", "deep/er/d.md", "odd \udcff.md")
LINES = st.sampled_from([b"alpha\n", b"beta\n", b"gamma\r\n", b"\n", b"\xff\0raw\n", b"no end"])
BODIES = st.lists(LINES, max_size=6).map(b"".join)
HELD = st.one_of(
    st.tuples(BODIES, st.sampled_from([0o644, 0o600, 0o755, 0o700])),
    st.tuples(st.sampled_from([b"a.md", b"../out"]), st.just(LINK_MODE)),
)
TREES = st.dictionaries(st.sampled_from(NAMES), HELD, max_size=len(NAMES))


@contextmanager
def store(files: Files) -> Iterator[Path]:
    """Yield a store that was looked at once."""
    with tempfile.TemporaryDirectory() as name, patch.object(noticing, "SETTLING_SECONDS", 0.0):
        folder = lay(Path(name) / "s", files)
        workspace(folder).look()
        yield folder


def become(folder: Path, files: Files) -> None:
    """Do to a store what another program would: take it all away and write it anew."""
    for path in folder.iterdir():
        if not path.name.startswith(".dream"):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    lay(folder, files)


def opened(folder: Path) -> OpenReview | None:
    found = workspace(folder).look().proposal
    return workspace(folder).open(found) if found else None


def known(found: Memory) -> dict[str, tuple[bool, bool, bytes]]:
    """Return a store as changes see it: of modes, the executable bit alone counts."""
    return {path: (mode == LINK_MODE, is_executable(mode), data) for path, (mode, data) in found.items()}


@CHECKED
@given(TREES, TREES)
def test_taking_everything_back_restores_bytes_and_modes(before: Files, after: Files) -> None:
    with store(before) as folder:
        start = memory(folder)
        become(folder, after)
        review = opened(folder)
        middle = memory(folder)
        if review is not None:
            review.decide_all([Decision(Op.REJECT, change.id) for change in review.proposal.changes])
            result = workspace(folder).apply(review.proposal.id)
            assert result.stale == ()
        found = memory(folder)
        folded = {path for path in start if path in middle and _is_addition(start[path], middle[path])}
        expected = {path: held for path, held in start.items() if path not in folded}
        expected |= {path: middle[path] for path in folded}
        assert known(found) == known(expected)
        for path, (mode, _) in start.items():
            if path not in middle:
                assert found[path][0] == mode
        assert opened(folder) is None


def _is_addition(before: tuple[int, bytes], after: tuple[int, bytes]) -> bool:
    (mode, old), (other, new) = before, after
    is_same_sort = LINK_MODE not in (mode, other) and is_executable(mode) == is_executable(other)
    return is_same_sort and bool(old) and new != old and new.startswith(old)


@CHECKED
@given(TREES, TREES)
def test_keeping_everything_changes_nothing_and_is_asked_once(before: Files, after: Files) -> None:
    with store(before) as folder:
        become(folder, after)
        review, middle = opened(folder), memory(folder)
        if review is not None:
            review.decide_all([Decision(Op.ACCEPT, change.id) for change in review.proposal.changes])
            assert workspace(folder).apply(review.proposal.id).apply is None
        assert memory(folder) == middle
        assert opened(folder) is None


@CHECKED
@given(TREES, TREES, st.data())
def test_what_is_taken_back_in_two_goes_is_what_is_taken_back_in_one(
    before: Files, after: Files, data: st.DataObject
) -> None:
    with store(before) as folder:
        become(folder, after)
        review = opened(folder)
        if review is None:
            return
        ids = [change.id for change in review.proposal.changes]
        first = set(data.draw(st.lists(st.sampled_from(ids), unique=True)))
        with tempfile.TemporaryDirectory() as other:
            twin = Path(other) / "s"
            shutil.copytree(folder, twin, symlinks=True)
            whole = opened(twin)
            assert whole is not None
            whole.decide_all([Decision(Op.REJECT, one) for one in ids])
            workspace(twin).apply(whole.proposal.id)
            wanted = memory(twin)
        review.decide_all([Decision(Op.REJECT, one) for one in ids if one in first])
        workspace(folder).apply(review.proposal.id)
        rest = opened(folder)
        if rest is not None:
            rest.decide_all([Decision(Op.REJECT, change.id) for change in rest.proposal.changes])
            workspace(folder).apply(rest.proposal.id)
        assert known(memory(folder)) == known(wanted)
        assert opened(folder) is None


@CHECKED
@given(TREES, TREES, st.data())
def test_any_lines_taken_back_can_be_undone_to_the_bit(before: Files, after: Files, data: st.DataObject) -> None:
    with store(before) as folder:
        become(folder, after)
        review, middle = opened(folder), memory(folder)
        if review is None:
            return
        for change in review.proposal.changes:
            for edit in change.edits:
                if edit.act is not Act.LINES:
                    continue
                units = data.draw(st.sets(st.sampled_from(sorted(units_of(edit)))))
                if units:
                    lines = ",".join(f"{'-' if unit < 0 else '+'}{abs(unit)}" for unit in sorted(units))
                    review.decide(Op.REJECT, f"{change.id}.{edit.id}:{lines}")
        result = workspace(folder).apply(review.proposal.id)
        assert result.stale == ()
        if result.apply is not None:
            workspace(folder).undo(result.apply)
        assert memory(folder) == middle


ACTS = st.lists(
    st.tuples(st.sampled_from(["ours", "theirs", "look", "undo"]), st.integers(0, 5), st.integers(0, 9)), max_size=9
)


@CHECKED
@given(ACTS)
def test_ours_and_theirs_are_told_apart_in_whatever_order_they_come(acts: list[tuple[str, int, int]]) -> None:
    """Others write to the even lines alone and we to the odd ones: all of theirs taken back leaves exactly ours."""
    text = [b"line %d\n" % at for at in range(12)]
    start, ours = list(text), {at: text[at] for at in range(1, 12, 2)}
    with store({"m.md": b"".join(text)}) as folder:
        applies: list[tuple[str, int, bytes]] = []
        for who, place, word in acts:
            live = (folder / "m.md").read_bytes().splitlines(keepends=True)
            if who == "theirs":
                live[2 * place] = b"theirs %d\n" % word
                (folder / "m.md").write_bytes(b"".join(live))
            elif who == "ours":
                at, new = 2 * place + 1, b"ours %d\n" % word
                if live[at] == new:
                    continue
                diff = b"--- a/m.md\n+++ b/m.md\n@@ -%d +%d @@\n-%b+%b" % (at + 1, at + 1, live[at], new)
                name = workspace(folder).import_("-", diff).proposal
                review = workspace(folder).open(name)
                review.decide_all([Decision(Op.ACCEPT, change.id) for change in review.proposal.changes])
                done = workspace(folder).apply(name)
                assert done.apply is not None
                applies.append((done.apply, at, ours[at]))
                ours[at] = new
            elif who == "undo" and applies:
                apply, at, before = applies.pop()
                assert workspace(folder).undo(apply).clashes == ()
                ours[at] = before
            else:
                workspace(folder).look()
        left = opened(folder)
        if left is not None:
            left.decide_all([Decision(Op.REJECT, change.id) for change in left.proposal.changes])
            assert workspace(folder).apply(left.proposal.id).stale == ()
        assert (folder / "m.md").read_bytes() == b"".join(ours.get(at, line) for at, line in enumerate(start))
        assert opened(folder) is None
