"""Any call to the system fails at any moment: one line, the right exit status, and the store whole afterwards."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest

from dreamreview.cli.main import run
from dreamreview.errors import DreamReviewError
from dreamreview.model.review import Op
from dreamreview.store import noticing
from dreamreview.workspace import Decision
from tests.workspace import test_guard_kill as guard_kill
from tests.workspace.shim import Call, shim
from tests.workspace.stores import DAILY, Files, Memory, accept_all, lay, leave_copy, left_over, memory, workspace
from tests.workspace.test_forgetting import NEEDLE, busy
from tests.workspace.test_guard_kill import check_look
from tests.workspace.test_kill import AFTER, BEFORE, apply_stopping_at, ready
from tests.workspace.traces import traces

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
SITES = 24 if SCALE <= 1 else 10_000
"""How many kinds of calls fail."""

SLOW = {"watch": 10, "forget": 6}
"""The same of what takes long to check, where few fail."""

PER_SITE = 1 if SCALE <= 1 else max(2, int(2 * SCALE))
"""How many calls of one kind fail, one at a time."""

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds descriptors in /proc")

FAULTS: Mapping[str, tuple[int, ...]] = {
    "open": (errno.EACCES, errno.EIO, errno.EMFILE),
    "create": (errno.ENOSPC, errno.EROFS, errno.EACCES),
    "read": (errno.EIO,),
    "write": (errno.ENOSPC, errno.EDQUOT, errno.EIO),
    "fsync": (errno.EIO, errno.ENOSPC),
    "syncfs": (errno.EIO, errno.ENOSPC),
    "replace": (errno.EACCES, errno.EIO, errno.EROFS, errno.ENOSPC),
    "rename": (errno.EACCES, errno.EIO),
    "exchange": (errno.EACCES, errno.EIO, errno.EROFS, errno.ENOSPC),
    "link": (errno.EPERM, errno.EIO, errno.ENOSPC),
    "symlink": (errno.ENOSPC, errno.EPERM),
    "unlink": (errno.EACCES, errno.EIO, errno.EROFS),
    "mkdir": (errno.ENOSPC, errno.EACCES, errno.EROFS),
    "rmdir": (errno.EIO, errno.EACCES),
    "stat": (errno.EIO, errno.EACCES),
    "fstat": (errno.EIO,),
    "scandir": (errno.EIO, errno.EACCES),
    "listdir": (errno.EIO,),
    "readlink": (errno.EIO,),
    "fchmod": (errno.EPERM, errno.EIO),
    "chmod": (errno.EPERM,),
    "utime": (errno.EPERM, errno.EROFS),
    "git": (errno.ENOENT, errno.EAGAIN, errno.ENOMEM, errno.EACCES),
}
LASTING = {
    errno.ENOSPC: frozenset({"create", "write", "mkdir", "replace", "exchange", "link", "symlink", "fsync"}),
    errno.EROFS: frozenset(
        {"create", "write", "mkdir", "replace", "exchange", "link", "symlink", "unlink", "rmdir", "fchmod"}
    ),
}
"""What else fails from then on, where a fault does not pass by itself."""


class Fault:
    """Makes the n-th call of a site fail, alone or with all later ones that meet the same trouble."""

    def __init__(self, site: str, number: int, error: int, *, lasts: bool) -> None:
        self._site, self._left, self._error = site, number, error
        self._lasting = LASTING.get(error, frozenset()) if lasts else frozenset()
        self.is_out = False

    def __call__(self, call: Call) -> None:
        if self.is_out:
            if call.name in self._lasting:
                self._fail(call)
        elif call.site == self._site:
            self._left -= 1
            if self._left < 0:
                self.is_out = True
                self._fail(call)

    def _fail(self, call: Call) -> None:
        raise OSError(self._error, os.strerror(self._error), call.path)


def command(*arguments: str) -> tuple[int, list[str]]:
    """Run a command line in this process and return its exit status and what it said on stderr."""
    out, complaint = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    with patch.object(sys, "stdout", out), patch.object(sys, "stderr", complaint):
        status = run(arguments)
        complaint.flush()
    raw = complaint.buffer
    assert isinstance(raw, io.BytesIO)
    return status, raw.getvalue().decode().splitlines()


@dataclass(frozen=True)
class Deed:
    """One command over a store made ready for it."""

    prepare: Callable[[Path], object]
    arguments: tuple[str, ...]
    """Of the command line; ``STORE`` stands for the folder."""
    finish: Callable[[Path], None]
    """Does what is left to do once no call fails any more, and makes sure that all of it went well."""
    is_allowed: Callable[[Path], bool]
    """Tells whether the memory is all-before or all-after."""


def holds(folder: Path, *states: Mapping[str, object]) -> bool:
    return memory(folder) in states


def laid(files: Files) -> Memory:
    with TemporaryDirectory() as folder:
        return memory(lay(Path(folder), files))


OLD, NEW, DAYS = laid(BEFORE), laid(AFTER), laid(DAILY)
PATCH = b"--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ -10 +10,2 @@\n - Odile bakes on weekdays.\n+- Basil bakes on Sundays.\n"


def applied(folder: Path) -> None:
    ready(folder)
    workspace(folder).apply()


def cut_off(folder: Path) -> None:
    """Leave an apply as a kill in its midst leaves it."""
    ready(folder)

    def stop(step: str) -> None:
        if step == "target 10":
            os._exit(0)

    assert apply_stopping_at(folder, stop) == 0


def apply_and_undo(folder: Path) -> None:
    opened = workspace(folder)
    opened.apply()
    assert memory(folder) == NEW
    assert [line.undone for line in opened.history()] == [False]
    undo_all(folder)


def undo_all(folder: Path) -> None:
    opened = workspace(folder)
    assert opened.undo().stale == ()
    assert memory(folder) == OLD
    assert [line.undone for line in opened.history()] == [True]


LEFT_OUT = "left out of the review on both sides"


def one_proposal(folder: Path) -> None:
    """Find the one proposal that waits, and see that it can be carried out and taken back."""
    before, opened = memory(folder), workspace(folder)
    waiting = [line for line in opened.proposals() if line.status == "ready"]
    assert [line.problem for line in waiting] == [None]
    review = opened.open(waiting[0].id)
    assert all(warning.startswith(LEFT_OUT) for warning in review.warnings)
    review.decide_all([Decision(Op.ACCEPT, change.id) for change in review.proposal.changes if not change.options])
    assert opened.apply(waiting[0].id).stale == ()
    assert memory(folder) != before
    opened.undo()
    assert memory(folder) == before
    assert not [one.name for one in (folder / ".dream-proposals").iterdir() if one.name.startswith(".tmp-")]


def open_again(folder: Path) -> None:
    """Find all of the copy once it can be read; what was forbidden to look at may stay left out, by name."""
    opened = workspace(folder)
    warnings = opened.open().warnings
    if any("permission denied" in warning for warning in warnings):
        return one_proposal(folder)
    assert warnings == ()
    accept_all(opened.open())
    return apply_and_undo(folder)


def dream_again(folder: Path) -> None:
    workspace(folder).dream()
    one_proposal(folder)


def import_again(folder: Path) -> None:
    workspace(folder).import_("-", PATCH)
    one_proposal(folder)


def look_again(folder: Path) -> None:
    check_look(folder, "after a fault", laid(guard_kill.FILES))


def forget_again(folder: Path) -> None:
    """See that it is forgotten; where it was refused, or left in a file that could not be read, do it now."""
    opened = workspace(folder)
    if memory(folder) == kept() or traces(folder, NEEDLE):
        assert opened.forget(match=NEEDLE).removed
    assert holds(folder, forgotten())
    assert traces(folder, NEEDLE) == []
    assert opened.undo().stale == ()
    assert traces(folder, NEEDLE) == []


def of(prepare: Callable[[Path], object], act: Callable[[Path], object] = memory) -> Memory:
    with TemporaryDirectory() as folder:
        prepare(Path(folder) / "s")
        act(Path(folder) / "s")
        return memory(Path(folder) / "s")


def changed_by_others(folder: Path) -> None:
    with patch.object(noticing, "SETTLING_SECONDS", 0.0):
        guard_kill.ready(folder)


@cache
def found() -> Memory:
    return of(changed_by_others)


@cache
def kept() -> Memory:
    return of(busy)


@cache
def forgotten() -> Memory:
    return of(busy, lambda at: workspace(at).forget(match=NEEDLE))


DEEDS = {
    "dream": Deed(lambda at: lay(at, DAILY), ("dream", "STORE"), dream_again, lambda at: holds(at, DAYS)),
    "apply": Deed(ready, ("apply", "STORE", "--yes"), apply_and_undo, lambda at: holds(at, OLD, NEW)),
    "undo": Deed(applied, ("undo", "STORE"), undo_all, lambda at: holds(at, OLD, NEW)),
    "settle": Deed(cut_off, ("status", "STORE"), apply_and_undo, lambda at: holds(at, OLD, NEW)),
    "open": Deed(
        lambda at: leave_copy(lay(at, BEFORE), AFTER),
        ("show", "STORE", "--json"),
        open_again,
        lambda at: holds(at, OLD),
    ),
    "watch": Deed(changed_by_others, ("watch", "STORE", "--once"), look_again, lambda at: holds(at, found())),
    "forget": Deed(
        busy,
        ("forget", "STORE", "--match", NEEDLE.decode(), "--yes"),
        forget_again,
        lambda at: holds(at, kept(), forgotten()),
    ),
    "import": Deed(lambda at: lay(at, DAILY), ("import", "STORE", "PATCH"), import_again, lambda at: holds(at, DAYS)),
}
DONE = (0, 4, 5)
"""Exit statuses of what was done, in part, or asks for attention."""


class Bench:
    """A store made ready once, copied for each fault."""

    def __init__(self, deed: Deed, place: Path) -> None:
        self._deed, self._place, self._count = deed, place, 0
        self._whole = place / "whole"
        (place / "change.patch").write_bytes(PATCH)
        deed.prepare(self._whole)
        for path in self._whole.rglob("*"):
            os.utime(path, (1_700_000_000, 1_700_000_000), follow_symlinks=False)

    def fresh(self) -> Path:
        self._count += 1
        folder = self._place / f"run{self._count}"
        shutil.copytree(self._whole, folder, symlinks=True)
        return folder

    def run(self, folder: Path) -> tuple[int, list[str]]:
        words = {"STORE": str(folder), "PATCH": str(self._place / "change.patch")}
        return command(*(words.get(word, word) for word in self._deed.arguments))

    def calls(self) -> list[Call]:
        """Return what the deed calls where nothing fails."""
        seen: list[Call] = []
        folder = self.fresh()
        with shim(folder, seen.append):
            assert self.run(folder)[0] in DONE
        return seen

    def outcome(self, fault: Fault) -> str:
        """Do it once with a fault and return what became of it in a few words."""
        folder = self.fresh()
        with shim(folder, fault):
            status, said = self.run(folder)
        told = self._told(status, said)
        try:
            workspace(folder).status()
            if not self._deed.is_allowed(folder):
                return f"half: {told}"
            if left_over(folder):
                return f"litter {left_over(folder)}: {told}"
            self._deed.finish(folder)
        except (DreamReviewError, AssertionError) as error:
            return f"lost, {type(error).__name__} {error}: {told}"
        finally:
            shutil.rmtree(folder)
        return told if fault.is_out else f"never called: {told}"

    @staticmethod
    def _told(status: int, said: list[str]) -> str:
        if status in DONE:
            return "done"
        said = [line for line in said if not line.endswith("that was cut off")]
        is_plain = (
            status in (1, 2, 3) and len(said) == 1 and "unexpected" not in said[0] and "errno" not in said[0].lower()
        )
        return f"refused with {status}" if is_plain else f"traceback {status}: {said}"


def chosen(calls: list[Call], rnd: Random, sites: int = SITES) -> dict[str, list[int]]:
    """Return which calls of each site fail."""
    count = Counter(call.site for call in calls)
    count = Counter({site: count[site] for site in rnd.sample(sorted(count), min(sites, len(count)))})
    return {site: rnd.sample(range(found), min(found, PER_SITE)) for site, found in count.items()}


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noticing, "SETTLING_SECONDS", 0.0)


@pytest.mark.parametrize("name", DEEDS)
def test_whatever_call_fails_nothing_is_lost_or_half_done(name: str, tmp_path: Path) -> None:
    bench, rnd = Bench(DEEDS[name], tmp_path), Random(20260915)
    table: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    sites = SLOW.get(name, SITES) if SCALE <= 1 else SITES
    for site, numbers in chosen(bench.calls(), rnd, sites).items():
        errors = FAULTS[site.split()[0]]
        for number in numbers:
            for error in rnd.sample(errors, len(errors) if SCALE > 1 else 1):
                outcome = bench.outcome(Fault(site, number, error, lasts=rnd.random() < 0.5))
                table[site, errno.errorcode[error]][outcome] += 1
    for (site, error_name), outcomes in sorted(table.items()):
        print(f"{name:7} {site:60} {error_name:7}", ", ".join(f"{how} x{times}" for how, times in outcomes.items()))  # noqa: T201 - the table is what it is run for
    bad = [row for row in table.items() if any(how.split()[0].strip(",:") in BAD for how in row[1])]
    assert bad == []


def told(outcomes: Counter[str]) -> str:
    return ", ".join(f"{how} ({times})" for how, times in outcomes.items())


BAD = ("lost", "half", "traceback", "litter", "never")
