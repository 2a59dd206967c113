"""What the app shows of a store at the service after an apply: what got there, what clashes, what waits."""

from __future__ import annotations

from dataclasses import replace

from dreamreview.tui.screens.apply import ApplyScreen
from dreamreview.workspace.values import ApplyResult, There, TwoTexts
from tests.tui.fake import FakeWorkspace, workspace
from tests.tui.host import Host, running

THERE = There(
    store="memstore_7",
    written=("team.md",),
    conflicts=(TwoTexts("kiln.md", "ours [red]\n", "theirs \x1b[2J\nmore\n"), TwoTexts("gone.md", "kept\n", None)),
    left=("shop.md: stays here, it holds a secret that is not known there",),
    problem="the service cannot be reached",
)


class Mirror(FakeWorkspace):
    """A folder that is a copy of a store at the service."""

    def apply(self, proposal: str | None = None, dry_run: bool = False) -> ApplyResult:
        result = super().apply(proposal, dry_run)
        return result if dry_run else replace(result, there=THERE)


async def applied(host: Host) -> None:
    await host.sees("0 of 5 decided")
    await host.press("a", "ctrl+s")
    await host.until(lambda: isinstance(host.app.screen, ApplyScreen) and "y writes" in host.text)
    await host.press("y")
    await host.sees("U undoes it now")


async def test_after_an_apply_both_texts_of_a_conflict_are_shown_and_what_waits() -> None:
    async with running(Mirror(reviews=workspace().reviews), size=(120, 50)) as host:
        await applied(host)

        for told in (
            "1 file written back to memstore_7",
            "others changed kiln.md meanwhile; it stays there as it is",
            "here: ours [red]",
            "there: theirs ␛[2J",
            "there: more",
            "there: nothing",
            "dreamreview import FOLDER memstore:memstore_7",
            "waits shop.md: stays here, it holds a secret that is not known there",
            "not all is there yet the service cannot be reached",
            "The next apply sends what waits.",
        ):
            assert told in host.prose


async def test_a_folder_of_ones_own_says_nothing_of_a_service() -> None:
    async with running(size=(120, 50)) as host:
        await applied(host)

        assert "written back" not in host.prose
        assert "service" not in host.prose
