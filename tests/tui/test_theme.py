"""The theme: the one that was kept is drawn from the start, and the one that is chosen is kept."""

from __future__ import annotations

from dreamreview.errors import StoreError
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.surroundings import Surroundings
from tests.tui.fake import workspace
from tests.tui.host import Clock, Host


def refuses(_: str) -> None:
    raise StoreError("the disk is full")


async def test_a_kept_theme_is_drawn_from_the_start() -> None:
    app = DreamReviewApp(Surroundings(workspace(), Clock()), watch=None, theme="daylight")
    async with app.run_test():
        assert app.theme == "daylight"
        assert not app.current_theme.dark


async def test_a_chosen_theme_is_kept_and_nothing_else_is() -> None:
    kept: list[str] = []
    app = DreamReviewApp(Surroundings(workspace(), Clock()), watch=None, theme="daylight", keep_theme=kept.append)
    async with app.run_test(notifications=True) as pilot:
        host = Host(app, pilot, workspace())
        await host.sees("0 of 5 decided")
        await host.until(lambda: app.is_settled_in)
        assert kept == []
        await host.press("ctrl+t")
        await host.until(lambda: app.screen is not host.screen)
        await host.press(*"contrast")
        await host.until(lambda: "contrast" in host.text)
        await host.press("enter")
        await host.until(lambda: kept == ["contrast"])
        assert app.theme == "contrast"


async def test_a_theme_that_cannot_be_kept_is_drawn_and_said() -> None:
    app = DreamReviewApp(Surroundings(workspace(), Clock()), watch=None, keep_theme=refuses)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        host = Host(app, pilot, workspace())
        await host.until(lambda: app.is_settled_in)
        app.theme = "contrast"
        await host.until(lambda: "the disk is full" in host.prose)
        assert app.theme == "contrast"


async def test_a_theme_that_nobody_knows_is_told() -> None:
    app = DreamReviewApp(Surroundings(workspace(), Clock()), watch=None, theme="mauve")
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        host = Host(app, pilot, workspace())
        await host.until(lambda: "there is no theme mauve: dream is drawn in its place" in host.prose)
