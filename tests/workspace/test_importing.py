"""What others suggest, imported: a copy or git's own diff of two folders, accepted and applied, gives the second."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamreview.model.proposal import LINK_MODE
from tests.workspace.stores import accept_all, lay, left_over, memory, texts, workspace
from tests.workspace.test_bare_copies import pairs, runs

if TYPE_CHECKING:
    from tests.workspace.test_bare_copies import Tree

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))

GIT = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.invalid",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.invalid",
}
OPTIONS = (
    (),
    ("-U0",),
    ("-U1",),
    ("-U10", "--function-context"),
    ("--no-prefix",),
    ("-M",),
    ("-M10%", "-U0"),
    ("-B", "-M"),
    ("-C", "--find-copies-harder"),
    ("--src-prefix=old/", "--dst-prefix=new/"),
    ("--full-index", "--patience"),
)

reduced = settings(
    max_examples=max(10, int(40 * SCALE)),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def git(folder: Path, *words: str) -> bytes:
    settled = ("-c", "core.autocrlf=false", "-c", "core.quotePath=true", "-c", "gc.auto=0")
    return subprocess.run(["git", *settled, *words], cwd=folder, env=GIT, check=True, capture_output=True).stdout


def commit(folder: Path, tree: Tree) -> str:
    """Make a folder hold a tree, commit that, and return its revision."""
    for path in folder.iterdir():
        if path.name not in (".git", ".dreamreview", ".dream-proposals"):
            subprocess.run(["rm", "-rf", "--", os.fsencode(path)], check=True)
    lay(folder, tree)
    git(folder, "add", "-A", "-f", ".", ":(exclude).dreamreview", ":(exclude).dream-proposals")
    git(folder, "commit", "-q", "--allow-empty", "-m", "a commit")
    return git(folder, "rev-parse", "HEAD").decode().strip()


def kept_by_git(tree: Tree) -> Tree:
    """Return a tree with the permission bits that git keeps."""
    return {
        path: (data, mode if mode == LINK_MODE else 0o755 if mode & 0o100 else 0o644)
        for path, (data, mode) in tree.items()
    }


def imported(folder: Path, source: str, data: bytes | None = None) -> None:
    """Import, accept all, apply, and undo again; the caller looks between the two."""
    opened = workspace(folder)
    before = memory(folder)
    result = opened.import_(source, data)
    assert result.left == ()
    assert memory(folder) == before
    if result.proposal is None:
        assert result.counts == {}
        return
    review = opened.open(result.proposal)
    assert review.warnings == ()
    accept_all(review)
    done = opened.apply(result.proposal)
    assert done.stale == ()


def undone(folder: Path) -> None:
    opened = workspace(folder)
    if opened.history():
        assert opened.undo().stale == ()


@reduced
@given(pairs(), st.sampled_from(OPTIONS))
def test_the_diff_that_git_makes_gives_the_second_folder(pair: tuple[Tree, Tree], options: tuple[str, ...]) -> None:
    first, second = (kept_by_git(tree) for tree in pair)
    with TemporaryDirectory() as place:
        repository = Path(place) / "r"
        repository.mkdir()
        git(repository, "init", "-q")
        revisions = [commit(repository, tree) for tree in (first, second)]
        diff = git(repository, "diff", "--text", "--no-color", *options, *revisions)
        folder = lay(Path(place) / "store", first)
        before = memory(folder)
        imported(folder, "-", diff)
        assert texts(folder) == {path: data for path, (data, _) in second.items()}
        assert runs(memory(folder)) == {path: mode == 0o755 for path, (_, mode) in second.items() if mode != LINK_MODE}
        undone(folder)
        assert memory(folder) == before
        assert left_over(folder) == []


@reduced
@given(pairs())
def test_a_changed_copy_anywhere_gives_the_copy(pair: tuple[Tree, Tree]) -> None:
    first, second = pair
    with TemporaryDirectory() as place:
        folder, copy = lay(Path(place) / "store", first), lay(Path(place) / "copy", second)
        before, wanted = memory(folder), memory(copy)
        if not wanted:
            return
        imported(folder, str(copy))
        after = memory(folder)
        assert texts(folder) == texts(copy)
        assert runs(after) == runs(wanted)
        assert memory(copy) == wanted
        undone(folder)
        assert memory(folder) == before
        assert left_over(folder) == []


@reduced
@given(pairs(), st.booleans())
def test_a_revision_gives_the_folder_as_it_was_then(pair: tuple[Tree, Tree], is_below: bool) -> None:
    first, second = (kept_by_git(tree) for tree in pair)
    with TemporaryDirectory() as place:
        repository = Path(place) / "r"
        folder = repository / "my memory" if is_below else repository
        folder.mkdir(parents=True)
        git(repository, "init", "-q")
        old = commit(folder, first)
        commit(folder, second)
        before = memory(folder)
        if first:
            imported(folder, f"git:{old}")
            assert {path: data for path, (_, data) in memory(folder).items() if not path.startswith(".git/")} == {
                path: data for path, (data, _) in first.items()
            }
            undone(folder)
        assert memory(folder) == before
