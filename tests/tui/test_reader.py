"""Pages over a screen: where they start, and what their keys say."""

from __future__ import annotations

from dreamreview.model.proposal import Kind
from tests.tui.fake import FakeReview, FakeWorkspace, change, edit, proposal, workspace
from tests.tui.host import Host, running


def long_file() -> FakeWorkspace:
    base = "".join(f"line {number}\n" for number in range(1, 201))
    given = [change("m1", Kind.EDIT, "Deep", edit("e1", "long.md", 149, "line 150\n", "line one hundred and fifty\n"))]
    return workspace(FakeReview(proposal(given=given), files={"long.md": base}))


def bar(host: Host) -> str:
    return host.text.splitlines()[-1].strip()


async def test_the_base_opens_at_the_line_of_the_edit() -> None:
    async with running(long_file()) as host:
        await host.sees("0 of 1 decided")
        await host.press("b")
        await host.sees("long.md as it was")
        await host.sees(" 150   line 150")
        assert "line 1 " not in host.text
        await host.press("g")
        await host.sees("   1   line 1")


async def test_the_base_of_a_line_behind_the_last_opens_at_the_end() -> None:
    given = [change("m1", Kind.EDIT, "End", edit("e1", "a.md", 2, "", "three\n"))]
    review = FakeReview(proposal(given=given), files={"a.md": "one\ntwo\n"})
    async with running(workspace(review)) as host:
        await host.sees("0 of 1 decided")
        await host.press("b")
        await host.sees("a.md as it was")
        await host.sees("2   two")


async def test_a_page_says_how_to_scroll_where_there_is_more_to_see() -> None:
    async with running(long_file()) as host:
        await host.sees("0 of 1 decided")
        await host.press("b")
        await host.until(lambda: bar(host) == "esc close  ^d scroll")
        await host.press("escape", "i")
        await host.sees("Where it comes from")
        assert bar(host) == "esc close"
        await host.pilot.resize_terminal(80, 6)
        await host.until(lambda: bar(host) == "esc close  ^d scroll")


async def test_where_a_change_comes_from_starts_with_what_it_rests_on() -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("i")
        await host.sees("Where it comes from")
        told = host.prose
        assert told.index("Evidence from team.md:3") < told.index("Change m1, merge") < told.index("Proposal 2026")
        assert f"Digest {host.review.card('m1').seen}"[:40] in told
