"""The app on changes that others made already: the alarm in the inbox, keeping, taking back, undoing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from dreamreview.settings import Settings
from dreamreview.store import noticing
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace import Workspace
from tests.tui.host import Clock, Host


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of which others deleted eleven of twelve notes."""
    monkeypatch.setattr(noticing, "SETTLING_SECONDS", 0.0)
    folder = tmp_path / "memory"
    folder.mkdir()
    for number in range(12):
        (folder / f"note_{number:02}.md").write_text(f"Rule {number}\nholds.\n")
    Workspace(folder, Settings()).look()
    for number in range(11):
        (folder / f"note_{number:02}.md").unlink()
    Workspace(folder, Settings()).look()
    return folder


@asynccontextmanager
async def opened(store: Path) -> AsyncIterator[Host]:
    workspace = Workspace(store, Settings())
    app = DreamReviewApp(Surroundings(workspace, Clock()), watch=None)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        yield Host(app, pilot, workspace)  # type: ignore[arg-type]


def names(store: Path) -> list[str]:
    return sorted(path.name for path in store.glob("*.md"))


async def test_what_was_rejected_is_taken_back_and_what_was_accepted_is_kept(store: Path) -> None:
    async with opened(store) as host:
        await host.sees("0 of 11 decided")
        assert "accept keeps it" in host.prose
        await host.press("r", "r", "a")
        await host.sees("3 of 11 decided")
        await host.press("ctrl+s")
        await host.sees("Take 2 changes back and keep 1")
        assert "creates 2 files note_00.md −0 +2 lines, +14 bytes" in host.prose
        assert "keeps 1 change as others made it" in host.prose
        await host.press("y")
        await host.sees("U undoes it now")
        assert names(store) == ["note_00.md", "note_01.md", "note_11.md"]
        await host.press("enter")
        await host.sees("0 of 8 decided")


async def test_taking_back_a_group_is_asked_in_words_of_what_comes_back(store: Path) -> None:
    async with opened(store) as host:
        await host.sees("0 of 11 decided")
        await host.press("R")
        await host.sees("Take back 11 changes at once?")
        assert "Delete note_00.md brings back note_00.md" in host.prose
        assert "destructive" not in host.prose.partition("at once?")[2].partition("y yes")[0]
        await host.press("y")
        await host.sees("11 of 11 decided · 11 rejected")


async def test_a_group_is_asked_about_where_taking_it_back_deletes_and_not_where_it_restores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(noticing, "SETTLING_SECONDS", 0.0)
    (tmp_path / "gone.md").write_text("Rule 1\nholds.\n")
    Workspace(tmp_path, Settings()).look()
    (tmp_path / "gone.md").unlink()
    (tmp_path / "made.md").write_text("Rule 2\nholds too.\n")
    Workspace(tmp_path, Settings()).look()
    async with opened(tmp_path) as host:
        await host.sees("0 of 2 decided")
        await host.press(*"f", *"kind:delete", "enter", "R")
        await host.sees("1 rejected")
        await host.press("f", *(["backspace"] * 20), *"kind:create", "enter", "R")
        await host.sees("Take back this change?")
        assert "Create made.md deletes made.md" in host.prose


async def test_what_was_only_kept_is_settled_though_nothing_is_written(store: Path) -> None:
    async with opened(store) as host:
        await host.sees("0 of 11 decided")
        await host.press("a", "ctrl+s")
        await host.sees("Take 0 changes back and keep 1")
        await host.press("y")
        await host.sees("Kept as it is; nothing had to be written")
        assert names(store) == ["note_11.md"]
        await host.press("enter")
        await host.sees("0 of 10 decided")


async def test_the_inbox_shows_the_alarm(store: Path) -> None:
    async with opened(store) as host:
        await host.sees("0 of 11 decided")
        await host.press("q")
        await host.sees("ALARM: 11 of 12 files were deleted by others: note_00.md")
        assert "11 changes, 11 undecided  made by others" in host.text


async def test_the_words_are_those_of_what_was_made_already(store: Path) -> None:
    async with opened(store) as host:
        await host.sees("0 of 11 decided")
        assert "undecided · delete · made by others already" in host.prose
        assert host.text.splitlines()[-1].startswith("a keep  r take back  ^s apply")
        await host.press("ctrl+s")
        await host.sees("There is nothing to write")
        assert "Nothing was decided yet. Keep changes with a, take them back with r, then come back." in host.prose
