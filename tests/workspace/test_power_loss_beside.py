"""The power goes in a look, in a forgetting, or while the history is packed: all is whole, and what went stays away."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from dreamreview.store import bare, history, noticing, owner, snapshots
from dreamreview.store.git import run
from dreamreview.store.rooted import Root
from tests.workspace.crashes import Moment, lay_out, recording
from tests.workspace.stores import TYPED, accept_all, lay, leave_copy, texts, workspace
from tests.workspace.test_forgetting import NEEDLE, busy
from tests.workspace.test_guard_kill import FILES, GONE, check_look, ready
from tests.workspace.test_power_loss import State, states
from tests.workspace.traces import traces

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
STATES = 8 if SCALE <= 1 else int(400 * SCALE)
"""States of the disk looked at, for each deed."""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds descriptors in /proc")


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noticing, "SETTLING_SECONDS", 0.0)


class Deed(NamedTuple):
    """Something that writes beside the memory, and what has to hold whatever a loss of power in it leaves."""

    prepare: Callable[[Path], object]
    act: Callable[[Path], object]
    check: Callable[[Path], None]


def look(folder: Path) -> None:
    workspace(folder).look()


def check_first(folder: Path) -> None:
    """The store is looked at as if for the first time, or was: what others do from here on is told."""
    look(folder)
    for name in GONE:
        (folder / name).unlink()
    (folder / "note-7.md").write_bytes(b"first 7\nchanged\nlast")
    check_look(folder, "", {path: (0o600, bytes_of(held)) for path, held in FILES.items()})


def bytes_of(held: bytes | tuple[bytes, int]) -> bytes:
    return held if isinstance(held, bytes) else held[0]


def check_second(folder: Path) -> None:
    check_look(folder, "", {path: (0o600, bytes_of(held)) for path, held in FILES.items()})


def check_forgotten(folder: Path) -> None:
    opened = workspace(folder)
    opened.settle()
    if NEEDLE in b"".join(texts(folder).values()):
        opened.forget(match=NEEDLE)
    assert traces(folder, NEEDLE) == []
    assert workspace(folder).undo().stale == ()
    assert traces(folder, NEEDLE) == []


TEXT = b"".join(b"line %d\n" % number for number in range(40))


def three_applies(folder: Path) -> None:
    lay(folder, {"a.md": TEXT})
    for number in range(3):
        opened = workspace(folder)
        fresh = texts(folder)["a.md"].replace(b"line %d\n" % (number * 9), b"apply %d\n" % number)
        accept_all(opened.open(leave_copy(folder, {"a.md": fresh}, f"20260914T09000000{number}")))
        opened.apply()


def undo_and_pack(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(history, "MOST_PACKS", 3)
        workspace(folder).undo()


def check_history(folder: Path) -> None:
    opened = workspace(folder)
    opened.status()
    assert run(["fsck", "--full", "--no-dangling"], git_dir=str(folder / history.REPOSITORY)) == b""
    standing = [line.apply for line in opened.history() if not line.undone]
    assert standing in (["a2", "a1"], ["a3", "a2", "a1"])
    for apply in standing:
        assert opened.undo(apply).stale == ()
    assert texts(folder) == {"a.md": TEXT}


def scattered(folder: Path) -> None:
    ready(folder)
    look(folder)
    (folder / "note-8.md").write_bytes(b"first 8\nother\nlast")


def look_and_pack(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshots, "MOST_PACKS", 2)
        look(folder)


def check_scattered(folder: Path) -> None:
    opened = workspace(folder)
    found = opened.look().proposal
    assert found is not None
    told = [change.edits[0].path for change in opened.open(found).proposal.changes]
    assert told == [*GONE, "note-7.md", "note-8.md"]
    bare.pack(Root(folder), snapshots.REPOSITORY)
    assert run(["fsck", "--full", "--no-dangling"], git_dir=str(folder / snapshots.REPOSITORY)) == b""
    assert told == [change.edits[0].path for change in opened.open(found).proposal.changes]


@cache
def suggested() -> frozenset[str]:
    """Return what a dream of the memory suggests where the power stays."""
    with TemporaryDirectory() as place:
        opened = workspace(lay(Path(place) / "s", TYPED))
        return frozenset(change.fingerprint for change in opened.open(opened.dream().proposal).proposal.changes)


def check_dreamt(folder: Path) -> None:
    """There is all of a proposal, and nothing in it that only a torn copy suggests; or there is none."""
    opened = workspace(folder)
    opened.status()
    assert len(opened.ready()) <= 1
    review = opened.open(opened.ready()[0] if opened.ready() else opened.dream().proposal)
    assert review.warnings == ()
    assert frozenset(change.fingerprint for change in review.proposal.changes) == suggested()


DEEDS = {
    "dream": Deed(lambda at: lay(at, TYPED), lambda at: workspace(at).dream(), check_dreamt),
    "first look": Deed(lambda at: lay(at, FILES), look, check_first),
    "second look": Deed(ready, look, check_second),
    "look that packs": Deed(scattered, look_and_pack, check_scattered),
    "forget": Deed(busy, lambda at: workspace(at).forget(match=NEEDLE), check_forgotten),
    "undo that packs": Deed(three_applies, undo_and_pack, check_history),
}


def drawn(moments: list[Moment], rnd: Random) -> Iterator[State]:
    """Yield states of all moments, every fourth of the end: what was removed must not come back after that."""
    for number in range(STATES):
        moment = moments[-1] if number % 4 == 0 else rnd.choice(moments)
        yield next(islice(states(moment, rnd), rnd.choice((1, 2, 3)), None), (moment, [], {}))


@pytest.mark.parametrize("name", DEEDS)
def test_whatever_a_loss_of_power_leaves_is_whole(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, rnd, deed = tmp_path / "whole", Random(20260915), DEEDS[name]
    deed.prepare(whole)
    with recording(whole) as recorder:
        deed.act(whole)
    monkeypatch.setattr(owner, "_boot", lambda: "after the loss")
    assert len(recorder.moments) > 5
    for number, (moment, deeds, torn) in enumerate(drawn(recorder.moments, rnd)):
        folder = tmp_path / f"state{number}"
        lay_out(folder, moment, deeds, torn)
        deed.check(folder)
        shutil.rmtree(folder)
    sys.stdout.write(f"{name}: {len(recorder.moments)} moments, {number + 1} states\n")
