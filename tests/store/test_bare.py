"""A private repository is made and packed so that every reference keeps all its objects, whenever that is cut off."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest

from dreamreview.store import bare
from dreamreview.store.git import run
from dreamreview.store.rooted import Root
from dreamreview.store.snapshots import REPOSITORY, Snapshots
from tests.workspace.test_kill import in_child

AT = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)


def git(folder: Path, *words: str) -> list[str]:
    return run([*words], git_dir=str(folder / REPOSITORY)).decode("ascii").splitlines()


def filled(folder: Path, states: int = 6) -> Path:
    """Make a repository of many packs, with a state that was dropped, and with what killed programs leave."""
    folder.mkdir()
    kept, parent = Snapshots(Root(folder)), None
    for number in range(states):
        text = b"".join(b"line %d of %d\n" % (line, number) for line in range(200))
        held = {"same.md": (b"same\n", 0o644), f"n{number}.md": (text, 0o644)}
        parent = kept.keep(number + 1, AT + timedelta(hours=number), held, {}, parent)
    git(folder, "update-ref", "-d", git(folder, "for-each-ref", "--format=%(refname)")[0])
    packs = folder / REPOSITORY / "objects" / "pack"
    (packs / "tmp_pack_a1B2c3").write_bytes(b"half")
    (packs / f"{bare.packs(Root(folder), REPOSITORY)[0]}.keep").write_bytes(b"fast-import")
    (folder / REPOSITORY / "fast_import_crash_4242").write_bytes(b"crash")
    return folder


def states_of(folder: Path) -> dict[str, list[str]]:
    """Return every reference with all that it leads to, each object read in full."""
    refs = git(folder, "for-each-ref", "--format=%(refname)")
    assert git(folder, "fsck", "--full", "--strict", "--no-dangling") == []
    return {ref: git(folder, "ls-tree", "-r", ref) for ref in refs}


def objects(folder: Path) -> list[str]:
    return sorted(git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))


def reachable(folder: Path) -> list[str]:
    return sorted({row.split(" ")[0] for row in git(folder, "rev-list", "--objects", "--all")})


def test_packing_keeps_what_references_lead_to_and_nothing_else(tmp_path: Path) -> None:
    folder = filled(tmp_path / "s")
    before, dead = states_of(folder), set(objects(folder)) - set(reachable(folder))
    assert (len(before), len(dead)) == (5, 3)
    bare.pack(Root(folder), REPOSITORY)
    assert states_of(folder) == before
    assert objects(folder) == reachable(folder)
    (name,) = bare.packs(Root(folder), REPOSITORY)
    left = sorted(path.name for path in (folder / REPOSITORY / "objects" / "pack").iterdir())
    assert {one.rpartition(".")[0] for one in left} == {name}
    assert not (folder / REPOSITORY / "fast_import_crash_4242").exists()


def test_packing_twice_changes_nothing(tmp_path: Path) -> None:
    folder = filled(tmp_path / "s")
    bare.pack(Root(folder), REPOSITORY)
    packs, before = bare.packs(Root(folder), REPOSITORY), states_of(folder)
    bare.pack(Root(folder), REPOSITORY)
    assert bare.packs(Root(folder), REPOSITORY) == packs
    assert states_of(folder) == before


def test_a_repository_without_references_is_left_empty(tmp_path: Path) -> None:
    folder = filled(tmp_path / "s")
    for ref in git(folder, "for-each-ref", "--format=%(refname)"):
        git(folder, "update-ref", "-d", ref)
    bare.pack(Root(folder), REPOSITORY)
    assert objects(folder) == []
    assert Snapshots(Root(folder)).keep(1, AT, {"a.md": (b"a\n", 0o644)}, {})


def counted(act: Callable[[], object], at: int) -> int:
    """Return how many steps of a packing something takes; the process is killed before the one of a number."""
    steps = [0]

    def step(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **more: object) -> object:
            if steps[0] == at:
                os.kill(os.getpid(), signal.SIGKILL)
            steps[0] += 1
            return real(*args, **more)

        return call

    with (
        patch.object(bare, "run", step(run)),
        patch.object(Root, "remove", step(Root.remove)),
        patch.object(Root, "fsync_dir", step(Root.fsync_dir)),
    ):
        act()
    return steps[0]


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_killed_at_any_step_of_packing_nothing_is_lost_and_the_next_one_ends_it(tmp_path: Path) -> None:
    made = filled(tmp_path / "made", 3)
    before = states_of(made)
    shutil.copytree(made, tmp_path / "whole")
    steps = counted(lambda: bare.pack(Root(tmp_path / "whole"), REPOSITORY), -1)
    assert steps > 10
    for number in range(steps):
        folder = tmp_path / f"cut{number}"
        shutil.copytree(made, folder)
        assert in_child(lambda at=number, top=folder: counted(lambda: bare.pack(Root(top), REPOSITORY), at)) == -9  # type: ignore[misc]
        assert states_of(folder) == before, number
        bare.pack(Root(folder), REPOSITORY)
        assert objects(folder) == reachable(folder), number
        assert states_of(folder) == before, number


def test_a_reference_to_what_a_loss_of_power_took_goes_and_the_others_stay(tmp_path: Path) -> None:
    folder = filled(tmp_path / "s")
    before = states_of(folder)
    lost = folder / REPOSITORY / "refs" / "snapshots" / "00000099-20260915T120000000"
    lost.write_text("12" * 20 + "\n")
    bare.pack(Root(folder), REPOSITORY)
    assert states_of(folder) == before
