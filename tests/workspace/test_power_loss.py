"""The power goes at any moment of an apply or an undo: whatever the disk kept, the store is all-before or all-after."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, product
from pathlib import Path
from random import Random

import pytest

from dreamreview.store import flushing, journal, owner
from dreamreview.store.folder import TEMP_PREFIX
from tests.workspace.crashes import Deed, Moment, fingerprint, lay_out, recording, with_grounds
from tests.workspace.stores import left_over, memory, workspace
from tests.workspace.test_faults import NEW, OLD, applied
from tests.workspace.test_kill import ready

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
STATES = 90 if SCALE <= 1 else int(500 * SCALE) if SCALE < 100 else sys.maxsize
"""States of the disk looked at, for each deed; from some scale on all that are drawn."""
SAMPLES = min(10_000, int(450 * max(SCALE, 1)))
"""States drawn of a moment that allows too many to look at each."""
ALL_OF = 12
"""Acts and files of which every subset is a state, rather than some that are drawn."""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds descriptors in /proc")

State = tuple[Moment, list[Deed], dict[int, int]]


def states(moment: Moment, rnd: Random) -> Iterator[State]:
    """Yield what the disk may hold after a loss of power at one moment: all of it where that is little."""
    waiting, loose = moment.waiting, moment.loose
    yield moment, waiting, {}
    yield moment, [], dict.fromkeys(loose, 0)
    if len(waiting) + len(loose) <= ALL_OF:
        choices: Iterator[tuple[bool, ...]] = product((False, True), repeat=len(waiting) + len(loose))
        drawn = sorted(choices, key=lambda _one: rnd.random())
    else:
        drawn = [tuple(rnd.random() < 0.5 for _ in (*waiting, *loose)) for _ in range(SAMPLES)]
    for kept in drawn:
        deeds = [deed for deed, is_kept in zip(waiting, kept, strict=False) if is_kept]
        whole = kept[len(waiting) :]
        torn = {one: rnd.choice((0, 1, 40)) for one, is_kept in zip(loose, whole, strict=True) if not is_kept}
        yield moment, with_grounds(deeds, waiting), torn


def spread(moments: list[Moment], rnd: Random) -> Iterator[State]:
    """Yield states of all moments in turn, so that a few of each come first."""
    waiting = [states(moment, rnd) for moment in moments]
    while waiting:
        for one in list(waiting):
            found = next(one, None)
            if found is None:
                waiting.remove(one)
            else:
                yield found


def distinct(found: Iterator[State]) -> Iterator[State]:
    """Leave out a state of the disk that was there before: next to each other, moments have many in common."""
    seen: set[int] = set()
    for moment, deeds, torn in found:
        key = fingerprint(moment, deeds, torn)
        if key not in seen:
            seen.add(key)
            yield moment, deeds, torn


def check(folder: Path, was: str, *, is_thorough: bool) -> str:
    """Open what the power loss left, and tell how it stands; undo or do it to see that nothing is missing."""
    opened = workspace(folder)
    status = opened.status()
    assert status.locked_by is None
    found = "after" if memory(folder) == NEW else "before"
    assert memory(folder) in (OLD, NEW)
    assert [left for left in left_over(folder) if TEMP_PREFIX not in left] == []
    standing = [line.undone for line in opened.history()]
    assert standing == ([False] if found == "after" else [True] if was == "undo" else [])
    if is_thorough:
        if found == "before" and was == "apply":
            assert opened.apply().stale == ()
            assert memory(folder) == NEW
        if memory(folder) == NEW:
            assert opened.undo().stale == ()
        assert memory(folder) == OLD
    return found


@pytest.mark.parametrize(("was", "many"), [("apply", False), ("undo", False), ("apply", True)])
def test_whatever_a_loss_of_power_leaves_is_all_before_or_all_after(
    was: str, many: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if many:  # what is flushed at once where there are more files than here
        monkeypatch.setattr(journal, "_MANY", 1)
        monkeypatch.setattr(flushing, "_MANY_FOLDERS", 1)
    whole, rnd = tmp_path / "whole", Random(20260915)
    prepare: Callable[[Path], object] = ready if was == "apply" else applied
    prepare(whole)
    with recording(whole) as recorder:
        opened = workspace(whole)
        assert (opened.apply() if was == "apply" else opened.undo()).stale == ()
    monkeypatch.setattr(owner, "_boot", lambda: "after the loss")
    found: Counter[str] = Counter()
    for number, (moment, deeds, torn) in enumerate(islice(distinct(spread(recorder.moments, rnd)), STATES)):
        folder = tmp_path / f"state{number}"
        lay_out(folder, moment, deeds, torn)
        found[check(folder, was, is_thorough=number % 5 == 0)] += 1
        shutil.rmtree(folder)
    sys.stdout.write(f"{was}: {len(recorder.moments)} moments, {sum(found.values())} states: {dict(found)}\n")
    assert min(found["before"], found["after"]) > 0
