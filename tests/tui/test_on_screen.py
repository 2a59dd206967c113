"""What somebody does to the files while a change is on screen: a decision holds for what was shown and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from dreamreview.model.review import State
from dreamreview.settings import Settings
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace import Workspace
from tests.tui.host import Clock, Host
from tests.workspace.stores import FOREIGN, lay, leave_copy, texts

LINES = [f"line {at}\n".encode() for at in range(40)]
AFTER = b"".join([*LINES[:10], b"ten\n", *LINES[11:30], b"thirty\n", *LINES[31:]])
TWICE = b"# Oven\n\n- The small oven is heated to 1180 degrees\n- The small oven is heated to 1180 degrees\n"


@asynccontextmanager
async def open_on(folder: Path, proposal: str | None) -> AsyncIterator[Host]:
    workspace = Workspace(folder, Settings())
    app = DreamReviewApp(Surroundings(workspace, Clock()), proposal, watch=None)
    async with app.run_test(size=(100, 40), notifications=True) as pilot:
        host = Host(app, pilot, workspace)  # type: ignore[arg-type]
        await host.sees("0 of ")
        yield host


def bare(tmp_path: Path) -> Path:
    folder = lay(tmp_path / "s", {"m.md": b"".join(LINES)})
    leave_copy(folder, {"m.md": AFTER})
    return folder


async def look(host: Host) -> None:
    """Let the screen take its first look, against which later ones are held."""
    review = host.screen.review
    review.has_moved()
    assert not review.has_moved()


def state(host: Host, change: str) -> State:
    return host.screen.review.review.of[change].state


async def test_a_change_of_the_live_lines_under_an_edit_is_told_on_the_card(tmp_path: Path) -> None:
    folder = bare(tmp_path)
    async with open_on(folder, FOREIGN) as host:
        await host.press("a", "k", "k")
        first = host.screen.outline.ids[0]
        await look(host)
        (folder / "m.md").write_bytes(b"".join([*LINES[:10], b"somebody else\n", *LINES[11:]]))
        await host.sees("! Stale")
        assert "somebody else" in host.text
        assert "1 stale" in host.text
        assert host.screen.current == first
        await host.press("ctrl+s")
        await host.sees("There is nothing to write")
        await host.press("enter")
    assert texts(folder)["m.md"] == b"".join([*LINES[:10], b"somebody else\n", *LINES[11:]])


async def test_a_live_edit_elsewhere_in_the_file_voids_nothing(tmp_path: Path) -> None:
    folder = bare(tmp_path)
    async with open_on(folder, FOREIGN) as host:
        await host.press("a")
        await look(host)
        first = host.screen.outline.ids[0]
        (folder / "m.md").write_bytes(b"".join([b"a new first line\n", *LINES]))
        await host.sees("read again")
        assert state(host, first) is State.ACCEPTED
        assert "Stale" not in host.text
        assert "Void" not in host.text
        await host.press("ctrl+s")
        await host.sees("y writes")
        await host.press("y")
        await host.sees("U undoes it now")
    assert texts(folder)["m.md"] == b"".join([b"a new first line\n", *LINES[:10], b"ten\n", *LINES[11:]])


async def test_an_apply_of_ones_own_is_not_told_as_a_change_by_others(tmp_path: Path) -> None:
    folder = bare(tmp_path)
    async with open_on(folder, FOREIGN) as host:
        first = host.screen.outline.ids[0]
        await host.press("a", "ctrl+s")
        await host.sees("y writes")
        await host.press("y")
        await host.sees("U undoes it now")
        await host.press("enter")
        host.screen._look()
        await host.until(lambda: host.screen.by_id[first].applied is not None)
        await look(host)
        assert "read again" not in host.text


async def test_looks_are_left_out_while_ones_own_apply_is_on_screen(tmp_path: Path) -> None:
    folder = bare(tmp_path)
    async with open_on(folder, FOREIGN) as host:
        await host.press("a")
        await look(host)
        await host.press("ctrl+s")
        await host.sees("y writes")
        await host.press("y")
        await host.sees("U undoes it now")
        host.screen._look()
        await host.app.workers.wait_for_complete()
        assert host.screen.notice == ""
        await host.press("enter")
        await host.until(lambda: host.screen.by_id[host.screen.outline.ids[0]].applied is not None)
        assert "read again" not in host.text


async def test_a_decision_on_a_change_that_the_copy_shows_no_more_is_void_and_the_card_says_so(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", {"oven.md": TWICE})
    proposal = Workspace(folder, Settings()).dream().proposal
    assert proposal is not None
    async with open_on(folder, proposal) as host:
        change = host.screen.outline.ids[0]
        await host.press("space")
        assert state(host, change) is State.ACCEPTED
        await look(host)
        (folder / ".dream-proposals" / proposal / "oven.md").write_bytes(TWICE)
        await host.sees("Void: ")
        assert state(host, change) is State.UNDECIDED
        assert "the copy does not show it any more" in host.text
        await host.press("ctrl+s")
        await host.sees("There is nothing to write")
        await host.press("enter")
    assert texts(folder)["oven.md"] == TWICE


async def test_a_change_that_became_another_is_gone_with_its_decision(tmp_path: Path) -> None:
    folder = bare(tmp_path)
    async with open_on(folder, FOREIGN) as host:
        before = host.screen.outline.ids
        await host.press("space")
        await look(host)
        (folder / ".dream-proposals" / FOREIGN / "m.md").write_bytes(AFTER.replace(b"ten", b"eleven"))
        await host.sees("the change you looked at is gone")
        assert "0 of 2 decided" in host.text or "0/2" in host.text
        assert before[0] not in host.screen.outline.ids
        assert "eleven" in host.text


async def test_lines_that_were_being_chosen_are_let_go_when_the_file_changes(tmp_path: Path) -> None:
    folder = bare(tmp_path)
    async with open_on(folder, FOREIGN) as host:
        await host.press("v")
        await look(host)
        (folder / "m.md").write_bytes(b"".join([b"a new first line\n", *LINES]))
        await host.sees("read again")
        assert host.screen.lines is None


async def test_decisions_are_taken_back_and_made_again_after_a_restart(tmp_path: Path) -> None:
    folder = bare(tmp_path)
    async with open_on(folder, FOREIGN) as host:
        first, second = host.screen.outline.ids
        await host.press("a", "r")
    async with open_on_decided(folder) as host:
        await host.press("u")
        assert (state(host, first), state(host, second)) == (State.ACCEPTED, State.UNDECIDED)
        await host.press("u")
        assert state(host, first) is State.UNDECIDED
    async with open_on(folder, FOREIGN) as host:
        await host.press("ctrl+r", "ctrl+r")
        assert (state(host, first), state(host, second)) == (State.ACCEPTED, State.REJECTED)


@asynccontextmanager
async def open_on_decided(folder: Path) -> AsyncIterator[Host]:
    workspace = Workspace(folder, Settings())
    app = DreamReviewApp(Surroundings(workspace, Clock()), FOREIGN, watch=None)
    async with app.run_test(size=(100, 40)) as pilot:
        host = Host(app, pilot, workspace)  # type: ignore[arg-type]
        await host.sees("2 of 2 decided")
        yield host
