"""What an engine changed in its private copy: all of it together is the copy, and of what moved meanwhile nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given
from hypothesis import settings as laws
from hypothesis import strategies as st

from dreamreview.store.composing import composed, default_edits, rendered
from dreamreview.store.differ import GitDiffer
from dreamreview.store.rooted import Root
from dreamreview.store.scan import scan
from dreamreview.store.tree_changes import TreeChanges, changes_in
from dreamreview.store.working_copy import working_copy
from tests.workspace.stores import Files, lay, texts

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
NAMES = ("a.md", "b.md", "deep/c.md", "deep/er/d.md", "odd \udcff.md")

line = st.sampled_from((b"one\n", b"two\r\n", b"three", b"\xff\n", b"\n"))
trees = st.dictionaries(
    st.sampled_from(NAMES), st.lists(line, max_size=4).map(b"".join) | st.binary(max_size=6), max_size=4
)


def _changed(folder: Path, before: Files, after: Files, meanwhile: Files | None = None) -> TreeChanges:
    """Return what an engine changed that left one tree of another, while the store became a third."""
    store = lay(folder / "store", before)
    root = Root(store)
    with working_copy(str(folder / "place"), root, scan(root)) as working:
        copy = Path(working.copy.path)
        for name in os.listdir(copy):
            path = copy / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        lay(copy, after)
        lay(store, meanwhile or {})
        return changes_in(working, root, GitDiffer())


@laws(max_examples=int(25 * SCALE), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(before=trees, after=trees)
def test_all_changes_together_are_what_was_left_in_the_copy(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = _changed(Path(folder), before, after)
        live = texts(Path(folder) / "store")
    assert live == before
    if before and not after:
        assert found.is_emptied
        return
    tree = composed(found.before, default_edits(found.changes))
    untouched = {path: data for path, data in before.items() if path not in found.before}
    made = {
        path: b"".join(rendered(state, found.before[path].text if path in found.before else ()).text)
        for path, state in tree.items()
    }
    assert untouched | made == after
    assert not found.warnings


def test_of_files_that_moved_meanwhile_nothing_is_changed(tmp_path: Path) -> None:
    before = {"a.md": b"one\n", "b.md": b"two\n", "c.md": b"three\n"}
    found = _changed(
        tmp_path,
        before,
        {"a.md": b"one, tidied\n", "b.md": b"two, tidied\n"},
        {"a.md": b"one, by the agent\n", "c.md": b"3\n"},
    )
    assert [change.edits[0].path for change in found.changes] == ["b.md"]
    assert found.warnings == ("changed while the engine thought, so what it did there is left out: a.md, c.md",)


def test_a_copy_without_a_file_is_told_from_one_of_an_empty_store(tmp_path: Path) -> None:
    assert _changed(tmp_path / "one", {"a.md": b"x"}, {}).is_emptied
    assert not _changed(tmp_path / "other", {}, {}).is_emptied
    assert _changed(tmp_path / "third", {}, {"a.md": b"x\n"}).changes[0].edits[0].path == "a.md"
