"""Which text of a change is opened for writing where the cursor stands on the change as a whole."""

from __future__ import annotations

import pytest

from dreamreview.model.proposal import Act, FileEdit, Kind
from dreamreview.tui.screens.editor import EditorScreen
from tests.tui.fake import FakeReview, change, edit, lines, proposal, workspace
from tests.tui.host import running

GONE = FileEdit(id="e1", path="tea_too.md", act=Act.DELETE, old=lines("tea at four\n"), mode=0o644)
ENTRY = edit("e2", "MEMORY.md", 0, "- [Tea](tea_too.md)\n", "")
STANDS = edit("e3", "tea.md", 0, "tea\n", "tea is at four\n")
COMES = FileEdit(id="e3", path="tea.md", act=Act.CREATE, new=lines("tea is at four\n"), mode=0o644)


@pytest.mark.parametrize(
    ("edits", "title", "text"),
    [
        ((GONE, ENTRY, STANDS), "tea.md, e3", b"tea is at four\nmore"),
        ((GONE, ENTRY, COMES), "tea.md, e3", b"tea is at four\nmore"),
        ((GONE, ENTRY), "MEMORY.md, e2", b"- [Tea](tea_too.md)\nmore"),
        ((GONE,), "tea_too.md, e1", b"tea at four\nmore"),
    ],
)
async def test_e_opens_what_stays_before_what_goes(edits: tuple[FileEdit, ...], title: str, text: bytes) -> None:
    given = [change("m1", Kind.MERGE, "Tea twice", *edits)]
    async with running(workspace(FakeReview(proposal(given=given)))) as host:
        await host.sees("0 of 1 decided")
        await host.press("e")
        assert isinstance(host.app.screen, EditorScreen)
        assert f"{title}: the text that will stand there" in host.prose
        await host.press("down", *"more", "ctrl+s")
        assert host.review.log[-1].on == f"m1.{title.partition(', ')[2]}"
        assert host.review.log[-1].text == text


async def test_the_deletion_at_the_cursor_is_opened_all_the_same() -> None:
    given = [change("m1", Kind.MERGE, "Tea twice", GONE, STANDS)]
    async with running(workspace(FakeReview(proposal(given=given)))) as host:
        await host.sees("0 of 1 decided")
        await host.press("]", "e")
        assert "tea_too.md, e1: the text that will stand there" in host.prose
