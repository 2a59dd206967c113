"""The other keys of a command, the sides beyond B, and commands that reach beyond the review."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dreamreview.model.proposal import Act, FileEdit, Kind, Option
from dreamreview.model.review import State
from dreamreview.tui.screens.apply import ApplyScreen
from dreamreview.tui.screens.history import HistoryScreen
from dreamreview.tui.screens.review.screen import ReviewScreen
from tests.tui.fake import FakeReview, change, conflict, edit, evidence, proposal, workspace
from tests.tui.host import Host, running

Check = Callable[[Host], bool]


def at(change_id: str) -> Check:
    return lambda host: host.screen.current == change_id


def pane(name: str) -> Check:
    return lambda host: host.screen.pane == name


def columns(name: str) -> Check:
    return lambda host: host.screen.columns == name


KEYS: dict[str, tuple[str, Check]] = {
    "home goes to the first": ("G home", at("m1")),
    "end goes to the last": ("end", at("d1")),
    "left goes to the list": ("left", pane("list")),
    "right goes to the detail": ("left right", pane("detail")),
    "enter goes to the detail": ("h enter", pane("detail")),
    "enter unfolds a group": ("h h enter", at("m1")),
    "up and down go through the list": ("h down down up", at("m2")),
    "t goes through the ways of drawing": ("t t", columns("split")),
    "t comes back to what the width allows": ("t t t", columns("auto")),
    "z comes back to three lines": ("z z z", lambda host: host.screen.context == 0),
    "A on a folded group decides it": ("h h A", lambda host: host.review.counts.accepted == 2),
    "a on a folded group says what to press": ("h h a", lambda host: "A accepts the whole group" in host.prose),
    "} stops at the last group": ("} } } } }", at("d1")),
    "{ stops at the first group": ("} { { {", at("m1")),
    "] stops at the last edit": ("] ] ]", lambda host: "that is the last edit" in host.prose),
    "S with nothing split says so": ("S", lambda host: "nothing here is split" in host.prose),
    "n without a search says so": ("n", lambda host: "/ searches" in host.prose),
    "w wraps again": ("w w", lambda host: host.screen.detail.is_wrapped),
}


@pytest.mark.parametrize("name", KEYS)
async def test_other_keys(name: str) -> None:
    keys, holds = KEYS[name]
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press(*keys.split())
        assert holds(host), host.text


@pytest.mark.parametrize(("down", "up"), [("pagedown", "pageup"), ("ctrl+d", "ctrl+u")])
async def test_pages_scroll_the_detail(down: str, up: str) -> None:
    async with running(size=(80, 12)) as host:
        await host.sees("0 of 5 decided")
        await host.press(down, down)
        assert host.screen.detail.scroll_offset.y == 10
        await host.press(up)
        assert host.screen.detail.scroll_offset.y == 5


@pytest.mark.parametrize("key", ["ctrl+l", "f5"])
async def test_the_folder_is_looked_at_again(key: str) -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press(key)
        await host.until(lambda: host.review.refreshed == 1)


@pytest.mark.parametrize(("key", "screen"), [("ctrl+s", ApplyScreen), ("H", HistoryScreen)])
async def test_keys_lead_to_other_screens_and_back(key: str, screen: type) -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press(key)
        assert isinstance(host.app.screen, screen)
        await host.press("escape")
        assert isinstance(host.app.screen, ReviewScreen)


async def test_the_theme_is_chosen_by_name() -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("ctrl+t")
        await host.pilot.press(*"contrast")
        await host.until(lambda: "contrast" in host.text)
        await host.press("enter")
        await host.until(lambda: host.app.theme == "contrast")


@pytest.mark.parametrize("number", range(1, 10))
async def test_a_number_keeps_the_side_of_that_number(number: int) -> None:
    keys = "ABCDEFGHI"
    sides = tuple(Option(key, f"side {key}", (evidence("relay.md", 3, f"claim {key}"),)) for key in keys)
    store = workspace(FakeReview(proposal(given=[replace(conflict(), options=sides, suggested=None)])))
    async with running(store) as host:
        await host.sees("0 of 1 decided")
        await host.press(str(number))
        assert host.review.review.of["c1"].choice == keys[number - 1]


async def test_a_number_beyond_the_last_side_does_nothing() -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("J", "J", "3", "9")
        assert host.review.log == []


async def test_the_users_editor_writes_the_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "editor.py"
    script.write_text("import sys\npath = sys.argv[-1]\nopen(path, 'a').write('- and one more\\n')\n")
    given = [
        change(
            "m1", conflict().kind.REWRITE, "Words", edit("e1", "team.md", 4, "- tea is at four\n", "- tea at four\n")
        )
    ]
    async with running(workspace(FakeReview(proposal(given=given))), editor=f"{sys.executable} {script}") as host:
        await host.sees("0 of 1 decided")
        monkeypatch.setattr(host.app, "suspend", contextlib.nullcontext)
        await host.press("E")
        assert host.review.state("m1") is State.EDITED
        assert host.review.log[-1].text == b"- tea at four\n- and one more\n"


async def test_a_narrow_screen_names_the_way_to_the_list_and_back() -> None:
    async with running(size=(60, 20)) as host:
        await host.sees("h list")
        await host.press("h")
        await host.sees("l open")


async def test_what_is_said_in_passing_is_not_cut_on_a_narrow_screen() -> None:
    async with running(size=(40, 12)) as host:
        await host.sees("0 of 5 decided")
        await host.press("a", "r", "a", "a", "r")
        assert host.text.splitlines()[0].strip() == "5/5  nothing left to decide: ^s applies"


async def test_a_question_says_how_to_answer_and_how_to_leave() -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("c")
        await host.sees("⏎ takes it, esc leaves")
        await host.press(*"tea")
        assert "esc leaves" not in host.text
        await host.press("enter")
        assert host.review.log[-1].reason == "tea"


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (FileEdit("e1", "a.md", Act.RENAME, to="b.md"), "a change of name cannot be split"),
        (FileEdit("e1", "a.md", Act.MODE, mode=0o755, old_mode=0o644), "a change of mode cannot be split"),
        (FileEdit("e1", "a.md", Act.CREATE, new=(b"one\n",), mode=0o644), "a single line cannot be split"),
        (FileEdit("e1", "a.md", Act.CREATE, mode=0o644), "an empty file cannot be split"),
    ],
)
async def test_s_says_why_an_edit_is_one_piece(act: FileEdit, words: str) -> None:
    review = FakeReview(proposal(given=[change("m1", Kind.EDIT, "One", act)]))
    async with running(workspace(review)) as host:
        await host.sees("0 of 1 decided")
        await host.press("s")
        assert words in host.text.splitlines()[0]
