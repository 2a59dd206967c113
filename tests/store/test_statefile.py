"""The state of a store on disk: never fatal to read, never half written, nothing of it lost."""

from __future__ import annotations

import json
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamreview.errors import StoreError
from dreamreview.model.state import DreamState
from dreamreview.store.rooted import Root
from dreamreview.store.statefile import NAME, load, update

NOON = datetime(2026, 9, 15, 12, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "store").mkdir()
    return Root(tmp_path / "store")


def _file(root: Root, suffix: str = "") -> Path:
    return Path(root.path, NAME + suffix)


def test_a_store_without_a_file_never_dreamed(root: Root) -> None:
    assert load(root).state == DreamState()
    assert load(root).warning is None
    assert os.listdir(root.path) == []


def test_a_change_is_written_and_read_back_and_keeps_what_others_wrote(root: Root) -> None:
    _file(root).write_text('{"sessionsSinceLastDream": 2, "theirs": {"deep": [1]}}')
    _file(root).chmod(0o600)
    assert update(root, DreamState.after_turn).state.sessions == 3
    assert update(root, lambda state: state.ended("completed", "done", NOON)).warning is None
    found = json.loads(_file(root).read_bytes())
    assert found == {
        "sessionsSinceLastDream": 0,
        "theirs": {"deep": [1]},
        "lastDreamAt": "2026-09-15T12:00:00Z",
        "lastDreamStatus": "completed",
        "lastDreamSummary": "done",
    }
    assert stat.S_IMODE(_file(root).stat().st_mode) == 0o600
    assert os.listdir(root.path) == [NAME]


def test_a_new_file_can_be_read_by_other_programs(root: Root) -> None:
    update(root, DreamState.after_turn)
    assert stat.S_IMODE(_file(root).stat().st_mode) == 0o644


def test_a_change_that_changes_nothing_leaves_the_file_alone(root: Root) -> None:
    update(root, DreamState.after_turn)
    before = _file(root).stat()
    update(root, lambda state: state)
    assert _file(root).stat() == before


def test_a_corrupt_file_is_set_aside_with_a_warning_and_never_fatal(root: Root) -> None:
    for n, data in enumerate([b"{half", b"\0" * 100, b"[]"], start=1):
        _file(root).write_bytes(data)
        looked = load(root)
        assert looked.state == DreamState()
        assert looked.warning is not None
        assert "cannot be used and counts as never dreamed" in looked.warning
        assert _file(root).read_bytes() == data
        written = update(root, DreamState.after_turn)
        assert written.state.sessions == 1
        assert written.warning == f"{looked.warning}; it was kept as {NAME}.corrupt-{n}"
        assert _file(root, f".corrupt-{n}").read_bytes() == data
        assert load(root) .state.sessions == 1  # fmt: skip


def test_a_link_a_folder_or_a_flood_is_set_aside_and_not_followed(root: Root, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text('{"sessionsSinceLastDream": 7}')
    _file(root).symlink_to(outside)
    assert load(root).state.sessions == 0
    assert update(root, DreamState.after_turn).state.sessions == 1
    assert _file(root, ".corrupt-1").is_symlink()
    _file(root).unlink()
    _file(root).mkdir()
    assert update(root, DreamState.after_turn).state.sessions == 1
    assert _file(root, ".corrupt-2").is_dir()
    _file(root).write_bytes(b" " * (1 << 20) + b"{}")
    assert update(root, DreamState.after_turn).state.sessions == 1
    assert outside.read_text() == '{"sessionsSinceLastDream": 7}'


@pytest.mark.parametrize("step", ["open", "write", "fsync", "replace"])
def test_a_failure_at_any_step_leaves_the_old_state_or_the_new(
    root: Root, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    update(root, DreamState.after_turn)
    real = getattr(os, step)

    def fail(*args: object, **more: object) -> object:
        if step == "open" and not (isinstance(args[1], int) and args[1] & os.O_CREAT):
            return real(*args, **more)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(StoreError, match="the disk is full"):
        update(root, DreamState.after_turn)
    monkeypatch.undo()
    assert load(root).state.sessions == 1
    assert os.listdir(root.path) == [NAME]
