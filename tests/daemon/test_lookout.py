"""The open app notices what others change in the memory, and tells of it as of any proposal that arrives."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from dreamreview.daemon import watching
from dreamreview.daemon.lookout import Lookout
from dreamreview.store import noticing, seen
from dreamreview.workspace import Workspace

PATIENCE = 20.0


def test_what_others_change_while_the_app_is_open_arrives_as_a_proposal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noticing, "SETTLING_SECONDS", 0.0)
    monkeypatch.setattr(watching, "WATCHED_POLL_SECONDS", 0.2)
    (tmp_path / "a.md").write_bytes(b"a\n")
    (tmp_path / "b.md").write_bytes(b"b\n")
    calls = threading.Semaphore(0)
    lookout = Lookout([str(tmp_path)], lambda _: calls.release(), delay=0.0)
    lookout.start()
    try:
        wait = threading.Event()
        while not (tmp_path / seen.PLACE).exists():
            assert not wait.wait(0.01)
        (tmp_path / "a.md").unlink()
        assert calls.acquire(timeout=PATIENCE)
    finally:
        lookout.stop()
    (name,) = Workspace(tmp_path).ready()
    assert Workspace(tmp_path).open(name).proposal.is_observed


def test_an_app_that_is_closed_at_once_leaves_the_store_alone(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"a\n")
    lookout = Lookout([str(tmp_path)], lambda _: None, delay=PATIENCE)
    lookout.start()
    lookout.stop()
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]
