"""The session behind a note, opened from its card."""

from __future__ import annotations

from datetime import UTC, datetime

from dreamreview.tui.screens.reader import ReaderScreen
from dreamreview.workspace.sessions import Session, Spoken
from tests.tui.fake import FakeReview, FakeWorkspace, proposal, workspace
from tests.tui.host import Host, running

SAID = (
    Spoken("user", "No, the gate is [bold]oiled[/] in May.", datetime(2026, 9, 1, 8, 30, tzinfo=UTC)),
    Spoken("assistant", "Noted: oiled in \x1b[31mMay\u202e.", None),
)
HERE = Session("0b7c1f5e-0000-4000-8000-2f6d8a0c9e11", ("gate.md",), "/home/x/0b7c1f5e.jsonl", SAID, more=3)


def behind(*sessions: Session) -> FakeWorkspace:
    made = proposal()
    return workspace(FakeReview(made, behind={change.id: list(sessions) for change in made.changes}))


def is_in_review(host: Host) -> bool:
    return host.app.screen is host.screen


async def test_a_session_shows_who_said_what_and_when_drawn_inert() -> None:
    async with running(behind(HERE)) as host:
        await host.press("I")
        assert isinstance(host.app.screen, ReaderScreen)
        for words in (HERE.name, "gate.md", "Person  2026-09-01 08:30", "[bold]oiled[/]", "Agent", "3 turns more"):
            assert words in host.text
        assert "\x1b" not in host.text
        assert "\u202e" not in host.text
        await host.press("escape")
        assert is_in_review(host)


async def test_a_session_that_is_not_on_this_machine_is_named() -> None:
    async with running(behind(Session(HERE.name, ("gate.md",), None))) as host:
        await host.press("I")
        assert HERE.name in host.text
        assert "It is not on this machine" in host.text


async def test_a_change_whose_notes_name_no_session_says_so() -> None:
    async with running(behind()) as host:
        await host.press("I")
        assert is_in_review(host)
        assert "no note of this change names the session it comes from" in host.text
