"""What stands for a secret on the screen is not written by typing it, in the app or in an editor of one's own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from textual.events import Paste
from textual.widgets import TextArea

from dreamreview.cli.main import run
from dreamreview.model.secrets import mask
from dreamreview.settings import Settings
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace import Workspace
from tests.model.secret_samples import SHAPES, fill
from tests.tui.host import Clock, Host
from tests.workspace.stores import FOREIGN, lay, leave_copy, texts

KEY = fill(SHAPES["github"], random.Random("typed"))
BEFORE = {"mailer.md": f"# Mailer\n\n- The mailer uses {KEY} since May.\n- It sends at six.\n".encode()}
AFTER = {"mailer.md": BEFORE["mailer.md"].replace(b"at six", b"at seven")}


async def test_a_mask_that_is_typed_in_the_app_is_refused_and_said(tmp_path: Path) -> None:
    folder = lay(tmp_path / "memory", BEFORE)
    leave_copy(folder, AFTER)
    workspace = Workspace(folder, Settings())
    app = DreamReviewApp(Surroundings(workspace, Clock()), watch=None)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        host = Host(app, pilot, workspace)  # type: ignore[arg-type]
        await host.sees("0 of 1 decided")
        assert KEY not in host.text
        await host.press("e")
        assert app.focused is not None
        app.focused.post_message(Paste(mask(KEY)))
        await host.sees(mask(KEY))
        await host.press("ctrl+s")
        await host.until(lambda: "stands for a secret" in host.prose)
        assert workspace.open(FOREIGN).counts.undecided == 1
        area = app.screen.query_one(TextArea)
        assert mask(KEY) in area.text  # what was typed is still there to be mended
        await host.press("escape")
        await host.sees("again drops it")
        area.text = "- It sends at eight.\n"
        await host.press("ctrl+s")
        await host.until(lambda: workspace.open(FOREIGN).counts.edited == 1)
    assert texts(folder) == BEFORE


def test_a_text_from_an_editor_of_ones_own_hands_back_no_mask(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = lay(tmp_path / "memory", BEFORE)
    leave_copy(folder, {"mailer.md": BEFORE["mailer.md"].replace(b"since May", b"since June")})
    change = Workspace(folder, Settings()).open(FOREIGN).proposal.changes[0]
    written = tmp_path / "text.md"
    written.write_text(f"- The mailer uses {mask(KEY)} since July.\n")
    assert run(["decide", str(folder), FOREIGN, "--edit", f"{change.id}={written}"]) == 2
    assert "only stands for a secret" in capfd.readouterr().err
    written.write_text("- The mailer uses ⟦secret 1⟧ since July.\n")
    assert run(["decide", str(folder), FOREIGN, "--edit", f"{change.id}={written}"]) == 2
    assert "only stands for a secret" in capfd.readouterr().err
    written.write_text(f"- The mailer uses {KEY} since July.\n")
    assert run(["decide", str(folder), FOREIGN, "--edit", f"{change.id}={written}"]) == 0
    assert run(["apply", str(folder), "--yes"]) == 0
    assert texts(folder)["mailer.md"] == BEFORE["mailer.md"].replace(b"since May", b"since July")
