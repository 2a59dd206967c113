"""Every screen at every size: nothing crashes, and what matters stays visible."""

from __future__ import annotations

import pytest

from dreamreview.model.proposal import Kind
from dreamreview.tui.widgets.keybar import KeyBar
from tests.tui.fake import FakeReview, change, edit, lines, proposal, workspace
from tests.tui.host import Host, running
from tests.tui.scenes import SCENES

SIZES = ((200, 60), (100, 30), (60, 20), (40, 12), (20, 5))
THROUGH = ((200, 60), (60, 20), (40, 12), (1, 1), (120, 1), (20, 5))
"""Sizes that a window is drawn through before it is as it was."""
SCREENS = [name for name in SCENES if "-" not in name]
"""A scene of each screen."""


def whole_hints(host: Host) -> None:
    """Hold the bar of keys to what it is to show: whole hints, in their order, and help where there is any."""
    screen = host.app.screen
    for bar in screen.query(KeyBar):
        area = bar.content_region.intersection(screen.region)
        if not area:
            continue
        lines = host.text.split("\n")[area.y : area.bottom]
        drawn = [line[area.x : area.right].strip() for line in lines]
        hints = [f"{key} {word}" for key, word in screen.hints()]  # type: ignore[attr-defined]
        shown = [hint for line in drawn if line for hint in line.split("  ")]
        assert [hint for hint in [*hints, "? help"] if hint in shown] == shown, (host.app.size, drawn)
        assert len(shown) > 0 or area.width < len("? help")


@pytest.mark.parametrize("keys", ["h", "J J e", "/", "f", "c", "q"])
async def test_any_screen_survives_any_size(keys: str) -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press(*keys.split())
        for size in ((200, 60), (20, 5), (1, 1), (80, 24)):
            await host.pilot.resize_terminal(*size)
            await host.pilot.pause()
        assert host.app.is_running


@pytest.mark.parametrize("name", SCREENS)
async def test_a_window_drawn_to_nothing_and_back_shows_what_it_showed(name: str) -> None:
    scene = SCENES[name]
    app, store = scene.app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        host = Host(app, pilot, store)
        await scene.acting(store)(pilot)
        before = host.text
        whole_hints(host)
        for size in THROUGH:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            whole_hints(host)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert host.text == before


@pytest.mark.parametrize("size", SIZES)
async def test_the_review_starts_at_any_size(size: tuple[int, int]) -> None:
    async with running(size=size) as host:
        await host.sees("0 of 5 decided")
        await host.sees(r"\? help")


async def test_a_narrow_screen_shows_list_or_detail() -> None:
    async with running(size=(40, 12)) as host:
        await host.sees("They say the same")
        await host.press("h")
        assert "They say the same" not in host.text
        assert "conflict 0/1" in host.text
        await host.press("l")
        assert "They say the same" in host.text


async def test_the_key_bar_drops_what_does_not_fit_and_keeps_help() -> None:
    async with running(size=(30, 11)) as host:
        await host.sees("0 of 5 decided")
        await host.until(lambda: host.text.splitlines()[-1].strip() == "a accept  r reject  ? help")


async def test_conflict_claims_stand_side_by_side_only_where_there_is_room() -> None:
    async with running(size=(140, 30)) as host:
        await host.sees("0 of 5 decided")
        await host.press("J", "J")
        assert any("port 7001" in line and "port 7044" in line for line in host.text.splitlines())
        await host.pilot.resize_terminal(80, 24)
        await host.pilot.pause()
        assert not any("port 7001" in line and "port 7044" in line for line in host.text.splitlines())


async def test_a_line_wider_than_the_screen_is_wrapped_or_scrolled() -> None:
    long = "word " * 60 + "end\n"
    review = FakeReview(proposal(given=[change("m1", Kind.EDIT, "Long", edit("e1", "a.md", 0, "x\n", long))]))
    async with running(workspace(review), size=(80, 30)) as host:
        await host.sees("0 of 1 decided")
        assert "end" in host.prose
        await host.press("w")
        assert " end" not in host.text


async def test_a_huge_file_and_many_changes_are_drawn_only_where_they_are_seen() -> None:
    body = "".join(f"line {n}\n" for n in range(50_000))
    given = [change("m0", Kind.CREATE, "Huge", edit("e1", "huge.md", 0, "", body))]
    given += [
        change(f"m{n}", Kind.MERGE, f"Number {n}", edit("e1", f"f{n}.md", 0, "a\n", "b\n")) for n in range(1, 2000)
    ]
    review = FakeReview(proposal(given=given), files={})
    async with running(workspace(review)) as host:
        await host.sees("0 of 2000 decided")
        assert len(host.screen.detail._laid) <= 24
        await host.press("ctrl+d", "a", "G")
        assert host.screen.current == "m1999"
        assert "1 of 2000 decided" in host.text


async def test_one_enormous_line_is_drawn() -> None:
    review = FakeReview(
        proposal(given=[change("m1", Kind.EDIT, "Long", edit("e1", "a.md", 0, "word " * 20_000, "word " * 20_001))])
    )
    async with running(workspace(review)) as host:
        await host.sees("0 of 1 decided")
        assert len(lines("word " * 20_000)) == 1


async def test_wide_and_combined_characters_keep_the_grid() -> None:
    text = "日本語のメモ 〽️ e\u0301 👨‍👩‍👧 1️⃣ end\n"
    review = FakeReview(proposal(given=[change("m1", Kind.EDIT, text, edit("e1", "日本.md", 0, text, text + text))]))
    async with running(workspace(review), size=(60, 20)) as host:
        await host.sees("0 of 1 decided")
        for strip in host.app.screen._compositor.render_strips():
            assert sum(segment.cell_length for segment in strip) == 60
