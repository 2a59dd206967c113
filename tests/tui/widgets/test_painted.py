from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from dreamreview.tui.inert import own
from dreamreview.tui.widgets.painted import CLASSES, Paragraph


class Told(App[None]):
    """A paragraph and nothing else."""

    COMPONENT_CLASSES = CLASSES
    CSS = "Paragraph { width: 100%; height: auto; }"

    def compose(self) -> ComposeResult:
        yield Paragraph(2, id="told")

    def lines(self) -> list[str]:
        told = self.query_one(Paragraph)
        return [told.render_line(y).text.rstrip() for y in range(told.size.height)]


@pytest.mark.parametrize(
    ("words", "drawn"),
    [
        ("", [""]),
        ("one pending", ["one pending"]),
        ("one pending, twelve undecided", ["one pending, twelve", "undecided"]),
        ("one pending, twelve undecided and a long tail", ["one pending, twelve", "undecided and a lon…"]),
    ],
)
async def test_a_paragraph_takes_the_lines_it_needs_and_no_more_than_it_may(words: str, drawn: list[str]) -> None:
    app = Told()
    async with app.run_test(size=(20, 10)) as pilot:
        app.query_one(Paragraph).show(own(words[:5], "title"), own(words[5:]))
        await pilot.pause()
        assert app.lines() == drawn
        app.query_one(Paragraph).show(own("short"))
        await pilot.pause()
        assert app.lines() == ["short"]
