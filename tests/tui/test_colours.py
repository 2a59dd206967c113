"""Colours: each look can be read in each of our themes, also without red and green; and none where none is wanted."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from dreamreview.tui.inert import own
from dreamreview.tui.theme import THEMES
from dreamreview.tui.widgets.painted import LOOKS, Painter
from tests.tui.host import running

FAINT = {"dim", "frame", "skipped"}
"""Looks of what may be overlooked."""


def luminance(colour: Color) -> float:
    parts = [part / 255 for part in colour.rgb]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def without_green(colour: Color) -> tuple[float, float, float]:
    """How a colour looks to eyes without green cones, by the matrix of Viénot, Brettel and Mollon."""
    red, green, blue = colour.rgb
    return 0.29275 * red + 0.70725 * green, 0.29275 * red + 0.70725 * green, -0.02234 * red + 0.02234 * green + blue


@pytest.mark.parametrize("theme", [theme.name for theme in THEMES])
async def test_every_look_can_be_read(theme: str) -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        host.app.theme = theme
        await host.pilot.pause()
        painter = Painter(host.screen.detail)
        for look, over in [*((look, None) for look in LOOKS), *((look, "cursor") for look in LOOKS)]:
            style = next(iter(painter.strip([own("x", look)], 1, over))).style
            assert style is not None
            assert style.color is not None
            assert style.bgcolor is not None
            found = contrast(Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor))
            least = 1.0 if look == "frame" else 3.0 if look in FAINT or over else 7.0 if theme == "contrast" else 4.5
            assert found >= least, (look, over, found)


@pytest.mark.parametrize("theme", [theme.name for theme in THEMES])
async def test_the_row_at_the_cursor_stands_out(theme: str) -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        host.app.theme = theme
        await host.pilot.pause()
        painter = Painter(host.screen.list_view)
        grounds = []
        for over in (None, "cursor-away", "cursor"):
            style = next(iter(painter.strip([own("x")], 1, over))).style
            assert style is not None
            assert style.bgcolor is not None
            grounds.append(Color.from_rich_color(style.bgcolor))
        plain, away, here = grounds
        assert contrast(plain, away) >= 1.2
        assert contrast(plain, here) > contrast(plain, away)


@pytest.mark.parametrize("theme", ["ansi-dark", "ansi-light"])
async def test_changed_lines_and_the_cursor_are_seen_in_the_colours_of_the_terminal(theme: str) -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        host.app.theme = theme
        await host.pilot.pause()
        painter = Painter(host.screen.detail)
        for look in ("old", "new", "old-word", "new-word", "found", "selected"):
            style = next(iter(painter.strip([own("x", look)], 1))).style
            assert style is not None
            assert style.color is not None
            assert style.color != style.bgcolor or style.reverse, look
        for over in ("cursor", "cursor-away"):
            style = next(iter(painter.strip([own("x")], 1, over))).style
            assert style is not None
            assert style.reverse or style.underline, over


@pytest.mark.parametrize("theme", THEMES, ids=[theme.name for theme in THEMES])
def test_what_comes_and_what_goes_differ_without_green(theme: Theme) -> None:
    come, gone = Color.parse(theme.success or ""), Color.parse(theme.error or "")
    apart = sum((one - two) ** 2 for one, two in zip(without_green(come), without_green(gone), strict=True)) ** 0.5
    assert apart > 90


async def test_no_colour_is_drawn_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running() as host:
        await host.sees("0 of 5 decided")
        for keys in ("", "] v", "escape h", "?", "escape / t e a enter", "e", "escape :"):
            await host.press(*keys.split())
            strips = host.app.screen._compositor.render_strips()
            styles = [segment.style for strip in strips for segment in strip if segment.style is not None]
            assert [style for style in styles if style.color or style.bgcolor] == []


async def test_the_cursor_is_seen_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("h")
        [row] = [
            strip
            for strip in host.app.screen._compositor.render_strips()
            if any(segment.style and segment.style.reverse and "Two notes" in segment.text for segment in strip)
        ]
        assert "Two notes on the buil" in "".join(segment.text for segment in row)
