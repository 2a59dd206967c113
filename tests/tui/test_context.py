"""Decisions are about edits, never about the lines that happen to be shown around them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dreamreview.settings import Settings
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.screens.review.state import CONTEXTS
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace import Workspace
from tests.tui.host import Clock, Host
from tests.workspace.stores import FOREIGN, lay, leave_copy, texts

LINES = [f"line {at}\n".encode() for at in range(40)]
AFTER = b"".join([*LINES[:10], b"ten\n", *LINES[11:12], b"twelve\n", *LINES[13:30], b"thirty\n", *LINES[31:]])


@pytest.mark.parametrize(("before", "between"), [(0, 1), (1, 1), (2, 2), (0, len(CONTEXTS))])
async def test_context_may_change_before_and_between_deciding_and_applying(
    tmp_path: Path, before: int, between: int
) -> None:
    folder = lay(tmp_path / "s", {"m.md": b"".join(LINES)})
    leave_copy(folder, {"m.md": AFTER})
    workspace = Workspace(folder, Settings())
    app = DreamReviewApp(Surroundings(workspace, Clock()), FOREIGN, watch=None)
    async with app.run_test(size=(90, 30), notifications=True) as pilot:
        host = Host(app, pilot, workspace)  # type: ignore[arg-type]
        await host.sees("0 of 3 decided")
        await host.press(*"z" * before, "a")
        await host.sees("1 of 3 decided")
        await host.press(*"z" * between, "r", *"z" * before, "a")
        await host.sees("3 of 3 decided")
        await host.press(*"z" * between, "ctrl+s")
        await host.sees("y writes")
        await host.press("y")
        await host.sees("U undoes it now")
    assert texts(folder)["m.md"] == b"".join([*LINES[:10], b"ten\n", *LINES[11:30], b"thirty\n", *LINES[31:]])
