"""Something takes the place of a file or folder between a look and a write: nothing outside is touched, or lost."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.workspace.shim import Call, shim
from tests.workspace.stores import Files, Memory, accept_all, lay, leave_copy, left_over, memory, workspace
from tests.workspace.test_faults import DONE, command

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
INSTANTS = 14 if SCALE <= 1 else 10_000
"""Calls before which the place is taken, one at a time."""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds descriptors in /proc")

BEFORE: Files = {
    "notes/a.md": b"one\ntwo\n", "notes/b.md": b"one\ntwo\n", "notes/gone.md": b"goes\n",
    "top.md": b"one\n", "z.md": b"z\n",
}  # fmt: skip
AFTER: Files = {
    "notes/a.md": b"one\n2\n", "notes/b.md": b"one\n2\n", "notes/new.md": b"comes\n",
    "top.md": b"1\n", "z.md": b"Z\n",
}  # fmt: skip
NEW_MODE = 0o644


def ready(folder: Path) -> Path:
    accept_all(workspace(lay(folder, BEFORE)).open(leave_copy(folder, AFTER)))
    return folder


def instants(folder: Path, below: str) -> list[int]:
    """Return which calls of an apply speak of what lies below a name, some of them where there are many."""
    seen: list[str] = []
    with shim(folder, lambda call: seen.append(call.path)):
        assert command("apply", str(folder), "--yes")[0] in DONE
    found = [number for number, path in enumerate(seen) if path == below or path.startswith(f"{below}/")]
    return sorted(Random(20260915).sample(found, min(INSTANTS, len(found))))


def apply_while(folder: Path, number: int, act: Callable[[], None]) -> tuple[int, list[str]]:
    """Apply, and let something happen before one of the calls."""
    left = [number]

    def before(_call: Call) -> None:
        left[0] -= 1
        if left[0] == -1:
            act()

    with shim(folder, before):
        return command("apply", str(folder), "--yes")


def is_clear(status: int, said: list[str]) -> bool:
    return status in DONE or (status == 1 and len(said) == 1 and "unexpected" not in said[0])


def test_a_folder_that_becomes_a_link_is_never_written_through(tmp_path: Path) -> None:
    outside = lay(tmp_path / "outside", {"a.md": b"one\ntwo\n", "gone.md": b"goes\n"})
    kept = memory(outside)
    old, new = memory(lay(tmp_path / "old", BEFORE)), memory(lay(tmp_path / "new", AFTER))
    for number in instants(ready(tmp_path / "count"), "notes"):
        folder = ready(tmp_path / f"at{number}")
        notes, away = folder / "notes", tmp_path / f"away{number}"

        def swap(notes: Path = notes, away: Path = away) -> None:
            notes.rename(away)
            notes.symlink_to(outside)

        status, said = apply_while(folder, number, swap)
        assert is_clear(status, said), (number, said)
        assert memory(outside) == kept, number
        assert is_clear(*command("status", str(folder)))
        assert memory(outside) == kept, number
        notes.unlink()
        away.rename(notes)
        workspace(folder).status()
        assert memory(folder) in (old, new), number
        assert left_over(folder) == [], number


def a_folder(place: Path) -> None:
    lay(place, {"by-hand.md": b"kept\n"})


def a_pipe(place: Path) -> None:
    os.mkfifo(place)


def a_socket(place: Path) -> None:
    here = os.getcwd()
    os.chdir(place.parent)  # a socket's name must be short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(place.name)
    os.chdir(here)


def a_link(place: Path) -> None:
    place.symlink_to("z.md")


def without(found: Memory, path: str) -> Memory:
    return {other: held for other, held in found.items() if other != path}


@pytest.mark.parametrize("taker", [a_folder, a_pipe, a_socket, a_link])
def test_what_takes_the_place_of_a_file_stays_and_the_rest_is_all_before_or_all_after(
    tmp_path: Path, taker: Callable[[Path], None]
) -> None:
    old, new = memory(lay(tmp_path / "old", BEFORE)), memory(lay(tmp_path / "new", AFTER))
    for number in instants(ready(tmp_path / "count"), "notes/a.md"):
        folder = ready(tmp_path / f"at{number}")
        place = folder / "notes" / "a.md"

        def swap(place: Path = place) -> None:
            place.unlink()
            taker(place)

        status, said = apply_while(folder, number, swap)
        assert is_clear(status, said), (number, said)
        kind = os.lstat(place).st_mode & 0o170000
        assert is_clear(*command("status", str(folder)))
        assert os.lstat(place).st_mode & 0o170000 == kind
        if place.is_dir():
            assert memory(place) == {"by-hand.md": (NEW_MODE, b"kept\n")}
            shutil.rmtree(place)
        else:
            place.unlink()
        rest = {path: held for path, held in memory(folder).items() if path != "notes/a.md"}
        assert rest in [{path: held for path, held in one.items() if path != "notes/a.md"} for one in (old, new)], (
            number
        )
        assert left_over(folder) == [], number
