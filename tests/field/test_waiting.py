"""What waits is told wherever somebody looks, and is memory for nobody before it is accepted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dreamreview.cli.main import run
from dreamreview.model.review import Op
from dreamreview.settings import Settings
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace import Workspace
from tests.tui.host import Clock, Host
from tests.workspace.stores import lay, leave_copy, workspace

CRANE, ROPES = b"- The crane is greased in March.\n", b"- Ropes are counted on Fridays.\n"
BOAT = b"- The pilot boat is named Quillfish.\n"
BEFORE = {"harbour.md": CRANE + ROPES}
FIRST = {"harbour.md": CRANE + BOAT + ROPES}
SECOND = {"harbour.md": CRANE + ROPES + BOAT}
WORD = "quillfish"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store in which two copies wait since seven weeks and more."""
    for name in ("DREAMREVIEW_CONFIG", "DREAMREVIEW_FOLDER", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    monkeypatch.setenv("DREAMREVIEW_NOW", "2026-09-15T12:00:00Z")
    folder = lay(tmp_path / "store", BEFORE)
    leave_copy(folder, FIRST, "20260720T090000000")
    leave_copy(folder, SECOND, "20260725T090000000")
    return folder


def test_what_waits_is_one_line_and_an_exit_status_for_a_shell(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["status", str(store)]) == 5
    printed = capfd.readouterr()
    assert printed.out.startswith("2 pending, 2 to decide · ")
    assert (printed.out.count("\n"), printed.err) == (1, "")
    assert run(["status", str(store), "--json"]) == 5
    shape = json.loads(capfd.readouterr().out)
    assert (shape["pending"], shape["undecided"]) == (2, 2)


def test_what_waits_is_told_on_start_without_a_terminal(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run([str(store)]) == 0
    assert capfd.readouterr().out.startswith(f"{store}: 2 pending, 2 to decide · ")


async def test_what_waits_is_told_on_start_in_the_app(store: Path) -> None:
    opened = Workspace(store, Settings())
    app = DreamReviewApp(Surroundings(opened, Clock()), watch=None)
    async with app.run_test(size=(100, 30)) as pilot:
        host = Host(app, pilot, opened)  # type: ignore[arg-type]
        await host.sees("2 pending · 2 undecided")


def test_what_is_decided_is_counted_no_more(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    opened = workspace(store)
    for line in opened.proposals():
        review = opened.open(line.id)
        review.decide(Op.REJECT, review.proposal.changes[0].id)
    assert run(["status", str(store)]) == 0
    assert capfd.readouterr().out.startswith("nothing pending")


@pytest.mark.parametrize("is_rejected", [False, True])
def test_what_waits_or_was_rejected_is_found_nowhere_in_the_memory(store: Path, *, is_rejected: bool) -> None:
    opened = workspace(store)
    for line in opened.proposals():
        review = opened.open(line.id)
        if is_rejected:
            review.decide(Op.REJECT, review.proposal.changes[0].id, reason="no Quillfish here")
    files, _ = opened.memory().read(lambda _: None, lambda: False)
    assert [file.path for file in files] == ["harbour.md"]
    assert [file.path for file in files if WORD in file.words] == []
    assert opened.doctor().files == 1
    made = opened.dream()
    if made.proposal is not None:
        shown = opened.open(made.proposal).proposal
        quotes = [piece.quote for change in shown.changes for piece in change.evidence]
        assert [quote for quote in quotes if WORD in quote.casefold()] == []
    assert WORD not in (store / "harbour.md").read_text().casefold()
