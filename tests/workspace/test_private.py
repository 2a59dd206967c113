"""What we write beside a memory is for its owner alone, whatever the umask, and masks what is made for reading."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dreamreview.model.review import Op
from dreamreview.settings import Settings
from dreamreview.store.bookkeeping import MANIFEST
from dreamreview.workspace import Decision
from dreamreview.workspace.preferences import keep_theme
from tests.workspace.stores import FOREIGN, Files, accept_all, lay, leave_copy, workspace
from tests.workspace.test_faults import DONE, PATCH, command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes")

HIDDEN = b"the spare key hangs behind the boiler"
STORE: Files = {
    "MEMORY.md": (
        b"# Memory\n\n- [Keys](private/keys.md)\n- Odile bakes on weekdays.\n- Odile bakes on weekdays.\n",
        0o644,
    ),
    "private/keys.md": (b"# Keys\n\n- Yesterday " + HIDDEN + b".\n- Odile bakes on weekdays.\n", 0o600),
    "script.md": (b"- runs\n", 0o755),
}
AFTER: Files = {**STORE, "private/keys.md": (b"# Keys\n\n- " + HIDDEN + b", they say.\n", 0o600), "new.md": b"new\n"}
CHANGE = PATCH.replace(b"@@ -10 +10,2 @@", b"@@ -5 +5,2 @@")
PUBLIC = {".dream.lock", ".dream-state.json"}
"""What other programs read, by contract; it holds no word of the memory."""


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def live_through(folder: Path, patch: Path) -> None:
    """Let a store go through everything that writes."""
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    review.decide(Op.NOTE, review.proposal.changes[0].id, reason="a note")
    review.decide_all([Decision(Op.ACCEPT, change.id) for change in review.proposal.changes if not change.options])
    opened.apply()
    opened.undo()
    accept_all(opened.open(leave_copy(folder, AFTER)))
    opened.apply()
    assert command("watch", str(folder), "--once")[0] in DONE
    (folder / "script.md").write_bytes(b"- runs by hand\n")
    assert command("watch", str(folder), "--once")[0] in DONE
    assert command("import", str(folder), str(patch))[0] in DONE
    assert command("discard", str(folder), opened.resolve(None) or "")[0] in DONE
    assert command("forget", str(folder), "script.md:1", "--yes")[0] in DONE


def written(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the path and mode of everything beside the memory."""
    for path in folder.rglob("*"):
        inside = str(path.relative_to(folder))
        if inside.startswith(".dream"):
            yield inside, path.lstat().st_mode


def test_a_configuration_that_we_make_is_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DREAMREVIEW_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with umask(0o000):
        keep_theme(Settings(), "textual-dark", [])
    made = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "config").rglob("*")}
    assert set(made.values()) == {0o600, 0o700}


@pytest.mark.parametrize("mask", [0o000, 0o002, 0o022, 0o077])
def test_nobody_else_may_look_at_what_we_write_under_any_umask(tmp_path: Path, mask: int) -> None:
    folder, patch = lay(tmp_path / "store", STORE), tmp_path / "change.patch"
    patch.write_bytes(CHANGE)
    with umask(mask):
        live_through(folder, patch)
    found = dict(written(folder))
    assert len(found) > 40
    opened = {path for path, mode in found.items() if not stat.S_ISLNK(mode) and mode & 0o077} - PUBLIC
    theirs = {path for path in opened if path.startswith(f".dream-proposals/{FOREIGN}") and MANIFEST not in path}
    copied = {path for path in opened if path.count("/") > 1 and stat.S_ISREG(found[path]) and MANIFEST not in path}
    assert all(path.startswith(".dream-proposals/") for path in copied)
    assert opened == theirs | copied
    assert {found[name] & 0o777 for name in (".dreamreview", ".dream-proposals")} == {0o700}


def test_what_a_mode_hides_stands_only_where_others_cannot_look(tmp_path: Path) -> None:
    folder, patch = lay(tmp_path / "store", STORE), tmp_path / "change.patch"
    patch.write_bytes(CHANGE)
    live_through(folder, patch)
    holding = {path for path, mode in written(folder) if stat.S_ISREG(mode) and HIDDEN in (folder / path).read_bytes()}
    assert holding
    assert not holding & PUBLIC
    assert [path for path in holding if (folder / path).stat().st_mode & 0o077] == []
    assert (
        not (folder / ".dreamreview" / "rejected.jsonl").exists()
        or HIDDEN not in (folder / ".dreamreview" / "rejected.jsonl").read_bytes()
    )
