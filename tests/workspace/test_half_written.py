"""A program that is killed while it writes one of its own files: the next start removes what it had half written."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from dreamreview.model.proposal import LINK_MODE
from dreamreview.model.review import Op
from dreamreview.settings import Settings
from dreamreview.store import noticing
from dreamreview.store.folder import Folder
from dreamreview.store.rooted import Root
from dreamreview.store.snapshots import looking
from dreamreview.workspace import Decision
from dreamreview.workspace.preferences import keep_theme
from tests.workspace.stores import DAILY, Files, accept_all, lay, leave_copy, workspace
from tests.workspace.test_kill import in_child

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")

NEEDLE = b"quarry lantern 5192"
BEFORE: Files = {
    "a.md": b"one\ntwo\n- " + NEEDLE + b"\nthree\n",
    "deep/b.md": b"stays\n",
    "deep/link.md": (b"b.md", LINK_MODE),
}
AFTER: Files = {
    "a.md": b"one\n- " + NEEDLE + b"\nthree\n",
    "deep/b.md": b"stays well\n- " + NEEDLE + b"\n",
    "deep/link.md": (b"../a.md", LINK_MODE),
}
PATCH = b"--- a/deep/b.md\n+++ b/deep/b.md\n@@ -1 +1,2 @@\n stays\n+and more\n"


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noticing, "SETTLING_SECONDS", 0.0)


@contextmanager
def dying(at: int) -> Iterator[list[str]]:
    """Kill this process once the temporary file of that number is written, -1 only names the folders of all of them."""
    told: list[str] = []
    real, link = Folder.write_temp, os.symlink

    def mark(folder: str) -> None:
        told.append(folder)
        if len(told) - 1 == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def write_temp(self: Folder, data: bytes, mode: int, *, durable: bool, owner: os.stat_result | None = None) -> str:
        name = real(self, data, mode, durable=durable, owner=owner)
        mark(self.path)
        return name

    def symlink(target: str, name: str, *, dir_fd: int | None = None) -> None:
        link(target, name, dir_fd=dir_fd)
        mark(os.readlink(f"/proc/self/fd/{dir_fd}") if dir_fd is not None else os.path.dirname(name))

    with patch.object(Folder, "write_temp", write_temp), patch.object(os, "symlink", symlink):
        yield told


def laid(folder: Path) -> None:
    lay(folder, BEFORE)


def decided(folder: Path) -> None:
    accept_all(workspace(lay(folder, BEFORE)).open(leave_copy(folder, AFTER)))


def applied(folder: Path) -> None:
    decided(folder)
    workspace(folder).apply()


def changed(folder: Path) -> None:
    """Let others change a store that was looked at."""
    workspace(lay(folder, BEFORE)).look()
    (folder / "a.md").write_bytes(b"one\n")
    (folder / "deep" / "b.md").unlink()


def told(folder: Path) -> None:
    changed(folder)
    found = workspace(folder).look().proposal
    review = workspace(folder).open(found)
    review.decide_all([Decision(Op.REJECT, change.id) for change in review.proposal.changes])


def full(folder: Path) -> None:
    """Make a store of which everything that is kept holds the line."""
    decided(folder)
    opened = workspace(folder)
    opened.look()
    opened.apply()
    opened.open(leave_copy(folder, BEFORE, "20260914T100000000"))
    lay(folder / ".dreamreview" / "quarantine" / "old", {"x": b"kept\n" + NEEDLE + b"\n"})
    (folder / ".dream-state.json").write_bytes(b'{"note": "' + NEEDLE + b'"}')


def apply_observed(folder: Path) -> None:
    workspace(folder).apply(workspace(folder).ready()[0])


DEEDS: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "dream": (lambda at: lay(at, DAILY), lambda at: workspace(at).dream()),
    "open": (lambda at: leave_copy(lay(at, BEFORE), AFTER), lambda at: workspace(at).open()),
    "apply": (decided, lambda at: workspace(at).apply()),
    "undo": (applied, lambda at: workspace(at).undo()),
    "discard": (decided, lambda at: workspace(at).discard("20260914T090000000")),
    "import": (laid, lambda at: workspace(at).import_("-", PATCH)),
    "first look": (laid, lambda at: workspace(at).look()),
    "look": (changed, lambda at: workspace(at).look()),
    "take back": (told, apply_observed),
    "forget": (full, lambda at: workspace(at).forget(match=NEEDLE)),
}


def sites(folders: list[str], top: Path) -> dict[str, int]:
    """Return each folder that was written in, and the number of the last file in it."""
    places = {str(Path(folder).relative_to(os.path.realpath(top))): number for number, folder in enumerate(folders)}
    return dict(sorted(places.items()))


def half_written(folder: Path) -> list[str]:
    proposals = (folder / ".dream-proposals").glob(".tmp-*")
    return [str(path.relative_to(folder)) for path in (*folder.rglob(".dream-tmp-*"), *proposals)]


@pytest.mark.parametrize("deed", DEEDS)
def test_what_a_killed_program_had_half_written_is_gone_after_the_next_start(tmp_path: Path, deed: str) -> None:
    prepare, act = DEEDS[deed]
    prepare(tmp_path / "made")
    shutil.copytree(tmp_path / "made", tmp_path / "whole", symlinks=True)
    with dying(-1) as folders:
        act(tmp_path / "whole")
    places = sites(folders, tmp_path / "whole")
    assert len(places) > 1
    seen: list[str] = []
    for place, number in places.items():
        folder = tmp_path / f"cut{number}"
        shutil.copytree(tmp_path / "made", folder, symlinks=True)

        def die(folder: Path = folder, number: int = number) -> None:
            with dying(number):
                act(folder)

        assert in_child(die) == -signal.SIGKILL, place
        seen += half_written(folder)
        workspace(folder).status()
        assert half_written(folder) == [], place
    assert len(seen) >= len(places) - 1


def test_a_file_that_is_swept_away_while_it_is_written_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Root(lay(tmp_path / "s", BEFORE))
    real = Folder.write_temp
    swept: list[str] = []

    def sweeping(self: Folder, data: bytes, mode: int, *, durable: bool, owner: os.stat_result | None = None) -> str:
        name = real(self, data, mode, durable=durable, owner=owner)
        if len(swept) < 2:
            swept.extend(folder.sweep_temps())
        return name

    monkeypatch.setattr(Folder, "write_temp", sweeping)
    folder.write_atomic("new.md", b"whole\n", 0o600)
    assert len(swept) == 2
    assert (tmp_path / "s" / "new.md").read_bytes() == b"whole\n"
    assert half_written(tmp_path / "s") == []


def test_a_look_that_is_under_way_keeps_what_it_is_writing(tmp_path: Path) -> None:
    opened = workspace(lay(tmp_path / "s", BEFORE))
    opened.look()
    writing = tmp_path / "s" / ".dreamreview" / "snapshots" / ".dream-tmp-0123456789abcdef"
    with looking(Root(tmp_path / "s")):
        writing.write_bytes(b"half")
        opened.status()
        assert writing.exists()
    opened.status()
    assert not writing.exists()


def test_what_a_killed_program_had_half_written_of_the_configuration_goes_with_the_next_theme(tmp_path: Path) -> None:
    left = tmp_path / ".dream-tmp-0123456789abcdef"
    left.write_bytes(b"half")
    keep_theme(Settings(source=str(tmp_path / "config.toml")), "textual-light", [])
    assert [path.name for path in tmp_path.iterdir()] == ["config.toml"]
