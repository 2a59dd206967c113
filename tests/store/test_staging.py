from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.store import proposals, staging
from dreamreview.store.rooted import Root

NAME = "20260901T120000123"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    return folder


KILLED = """
import os, sys
from dreamreview.store import staging
from dreamreview.store.rooted import Root
with staging.staged(Root(sys.argv[1]), "20260901T120000000") as staged:
    open(os.path.join(staged.copy.path, "half.md"), "w").close()
    os._exit(9)
"""


def test_what_a_killed_program_left_is_swept_and_what_others_stage_is_not(store: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(store)], check=False)
    others = store / ".dream-proposals" / ".tmp-20260901T110000000"
    others.mkdir()
    assert (store / ".dream-proposals" / ".tmp-20260901T120000000" / "half.md").exists()
    assert proposals.list_ids(Root(store)) == ()
    assert staging.sweep(Root(store)) == ("20260901T120000000",)
    assert sorted(os.listdir(store / ".dream-proposals")) == [".gitignore", ".tmp-20260901T110000000"]
    assert os.listdir(store / ".dreamreview" / "staging") == []


def test_a_folder_that_is_being_staged_is_not_swept(store: Path) -> None:
    root = Root(store)
    with staging.staged(root, NAME) as staged:
        (Path(staged.copy.path) / "a.md").write_bytes(b"a")
        assert staging.sweep(root) == ()
        assert (Path(staged.copy.path) / "a.md").exists()
        with pytest.raises(StoreError, match="is being written by another program"), staging.staged(root, NAME):
            pass
        assert (Path(staged.copy.path) / "a.md").exists()


def test_a_staged_folder_is_private_and_gone_at_the_end(store: Path) -> None:
    with staging.staged(Root(store), NAME) as staged:
        assert staged.path == f".dream-proposals/.tmp-{NAME}"
        assert Path(staged.copy.path).stat().st_mode & 0o777 == 0o700
    assert os.listdir(store / ".dream-proposals") == [".gitignore"]
    assert os.listdir(store / ".dreamreview" / "staging") == []


def test_a_folder_of_others_is_not_built_in(store: Path) -> None:
    (store / ".dream-proposals" / f".tmp-{NAME}").mkdir(parents=True)
    with pytest.raises(StoreError, match="is there already"), staging.staged(Root(store), NAME):
        pass
    assert (store / ".dream-proposals" / f".tmp-{NAME}").exists()


def test_nothing_to_sweep_is_fine(store: Path) -> None:
    assert staging.sweep(Root(store)) == ()


def test_a_folder_that_others_made_under_our_name_meanwhile_is_not_swept(store: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(store)], check=False)
    path = store / ".dream-proposals" / ".tmp-20260901T120000000"
    path.rename(store / "moved")
    path.mkdir()
    (path / "theirs.md").write_bytes(b"x")
    staging.sweep(Root(store))
    assert (path / "theirs.md").exists()
    assert os.listdir(store / ".dreamreview" / "staging") == []
