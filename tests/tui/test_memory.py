"""The memory screen on real folders: every key of it, at the usual sizes, with text that wants to be more than text."""

from __future__ import annotations

import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dreamreview.settings import Settings
from dreamreview.store.lock import hold
from dreamreview.store.rooted import Root
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.browsing.shelf import Age, Order, key_of, place_of
from dreamreview.tui.screens.guard import GuardScreen
from dreamreview.tui.screens.history import HistoryScreen
from dreamreview.tui.screens.inbox import InboxScreen
from dreamreview.tui.screens.memory import state
from dreamreview.tui.screens.memory.screen import MemoryScreen
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace import Workspace
from tests.tui.fake import FakeWorkspace
from tests.tui.host import Clock, Host, running
from tests.tui.test_hostile import NASTY, assert_harmless

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
KILN = "---\nname: Kiln\ntype: project\nmodified: 2025-12-02\n---\nThe small kiln fires at 1180 degrees.\n"
STORE = {
    "MEMORY.md": (
        "# Memory\n\n- [Kiln](kiln.md): firing\n- [Hours](shop/hours.md): when it opens\n- [Gone](gone.md): x\n"
        "- [People](people.md): who is who\n"
    ),
    "kiln.md": KILN,
    "people.md": (
        "---\nname: People\ntype: user\npinned: true\n---\n- Mira has the spare key.\n- Jo bakes on Fridays.\n"
    ),
    "shop/hours.md": (
        "# Hours of 2026-02-20\r\n\r\n- Opens at ten, as the [kiln](../kiln.md) does.\r\n- Closes at six.\r\n"
    ),
}


def lay(folder: Path, files: dict[str, str | bytes] | dict[str, str]) -> Path:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
        os.utime(place, (NOW.timestamp() - 3 * 86_400, NOW.timestamp() - 3 * 86_400))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.md")}


def shown(host: Host) -> MemoryScreen:
    found = next(screen for screen in host.app.screen_stack if isinstance(screen, MemoryScreen))
    assert isinstance(found, MemoryScreen)
    return found


def is_settled(host: Host) -> bool:
    screen = shown(host)
    return bool(screen.shelf.files) and not screen.progress


@asynccontextmanager
async def browsing(
    folder: Path, *, size: tuple[int, int] = (100, 30), clock: Clock | None = None
) -> AsyncIterator[Host]:
    workspace = Workspace(folder, Settings(), lambda: NOW)
    app = DreamReviewApp(Surroundings(workspace, clock or Clock()), watch=None)
    async with app.run_test(size=size, notifications=True) as pilot:
        host = Host(app, pilot, workspace)  # type: ignore[arg-type]
        await host.until(lambda: isinstance(app.screen, InboxScreen) and "pending" in host.text)
        await host.press("m")
        await host.until(lambda: isinstance(app.screen, MemoryScreen))
        await host.until(lambda: is_settled(host))
        await host.pilot.pause()
        yield host


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return lay(tmp_path / "memory", STORE)


async def test_it_opens_from_the_review_and_q_goes_back() -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("m")
        await host.until(lambda: isinstance(host.app.screen, MemoryScreen) and is_settled(host))
        assert "Memory  3 files" in host.text
        await host.press("q")
        assert isinstance(host.app.screen, ReviewScreen)


async def test_files_are_listed_with_type_age_pin_and_findings(store: Path) -> None:
    async with browsing(store) as host:
        assert "Memory  4 files · 1 finding · 1 pinned · 9 notes" in host.text
        rows = [line.partition("▕")[0].rstrip() for line in host.text.splitlines()[1:5]]
        assert [row.split() for row in rows] == [
            ["!▸", "MEMORY.md", "~3d"],
            ["▸", "kiln.md", "project", "90d"],
            ["◆", "▸", "people.md", "user", "~3d"],
            ["▸", "shop/hours.md", "10d"],
        ]


async def test_the_page_tells_links_both_ways_findings_with_lines_and_the_text(store: Path) -> None:
    async with browsing(store) as host:
        assert "! dangling, line 5: There is no file gone.md." in host.prose
        assert "→ kiln.md line 3" in host.prose
        await host.press("j")
        assert "project · file · of 2025-12-02, 90 days ago" in host.prose
        assert "← MEMORY.md:3 ← shop/hours.md:3" in host.prose
        assert "6 The small kiln fires at 1180 degrees." in host.prose


async def test_l_unfolds_then_goes_to_the_page_and_h_comes_back(store: Path) -> None:
    async with browsing(store) as host:
        await host.press("G")
        assert shown(host).current == "shop/hours.md"
        await host.press("l")
        assert [place_of(row.key) for row in shown(host).list_view.rows[-4:]] == [
            ("shop/hours.md", index) for index in range(4)
        ]
        await host.press("j", "j")
        assert shown(host).current == key_of("shop/hours.md", 2)
        assert "shop/hours.md, line 3" in host.prose
        await host.press("right", "j", "h", "left")
        assert (shown(host).current, shown(host).is_on_page) == ("shop/hours.md", False)
        assert len(shown(host).list_view.rows) == 4
        await host.press("enter", "enter")
        assert shown(host).is_on_page
        await host.press("escape")
        assert not shown(host).is_on_page


async def test_moving_goes_by_row_in_the_list_and_scrolls_on_the_page(tmp_path: Path) -> None:
    folder = lay(tmp_path, {f"note{number:02}.md": f"# {number}\n\n" + "line\n\n" * 60 for number in range(20)})
    async with browsing(folder) as host:
        for keys, current in (
            ("j", 1),
            ("down", 2),
            ("k", 1),
            ("up", 0),
            ("G", 19),
            ("g", 0),
            ("end", 19),
            ("home", 0),
        ):
            await host.press(keys)
            assert shown(host).current == f"note{current:02}.md"
        await host.press("ctrl+d")
        assert shown(host).page_view.scroll_offset.y > 0
        await host.press("ctrl+u")
        assert shown(host).page_view.scroll_offset.y == 0
        await host.press("l", "l", "j")
        assert shown(host).page_view.scroll_offset.y == 1
        await host.press("G")
        assert shown(host).page_view.is_at_end
        await host.press("g")
        assert shown(host).page_view.is_at_start
        assert shown(host).current == "note00.md"


SEARCHES = [
    ("mira", {"people.md"}),
    ("MIRA spare", {"people.md"}),
    ("type:us", {"people.md"}),
    ("pinned", {"people.md"}),
    ("unpinned", {"MEMORY.md", "kiln.md", "shop/hours.md"}),
    ("h*.md", {"shop/hours.md"}),
    ("shop/*", {"shop/hours.md"}),
    ("path:*k*", {"kiln.md"}),
    ("finding:dang", {"MEMORY.md"}),
    ("gone.md", {"MEMORY.md"}),
    ("older:60", {"kiln.md"}),
    ("newer:5", {"MEMORY.md", "people.md"}),
    ("2025-12", {"kiln.md"}),
    ("kiln type:project", {"kiln.md"}),
    ("[/]", set[str]()),
]


@pytest.mark.parametrize(("words", "found"), SEARCHES)
async def test_search_looks_through_all_that_is_shown(store: Path, words: str, found: set[str]) -> None:
    async with browsing(store) as host:
        shown(host).search(words)
        assert {place_of(row.key)[0] for row in shown(host).list_view.rows} == found


async def test_search_unfolds_to_what_matches_and_escape_ends_it(store: Path) -> None:
    async with browsing(store) as host:
        await host.press("slash", *"mira", "enter")
        assert [row.key for row in shown(host).list_view.rows] == ["people.md", key_of("people.md", 1)]
        assert "1 file found  search: mira" in host.text
        await host.press("escape", "escape")
        assert len(shown(host).list_view.rows) == 4
        await host.press("f", *"nowhere", "enter")
        assert "Nothing matches the search: escape shows all." in host.prose
        await host.press("slash", "escape")
        assert shown(host).shelf.words == ("nowhere",)


async def test_links_are_chosen_followed_and_come_back_from(store: Path) -> None:
    async with browsing(store) as host:
        await host.press("right_square_bracket", "right_square_bracket", "enter")
        assert shown(host).current == "shop/hours.md"
        await host.press("right_square_bracket", "enter")
        assert shown(host).current == "kiln.md"
        await host.press("backspace", "backspace")
        assert shown(host).current == "MEMORY.md"
        await host.press("left_square_bracket")
        assert shown(host).link == 2
        await host.press("escape")
        assert shown(host).link is None
        await host.press("j", "j", "l", "j", "right_square_bracket")
        assert "no links here" in host.text


async def test_following_a_link_out_of_a_search_ends_the_search(store: Path) -> None:
    async with browsing(store) as host:
        shown(host).search("path:memory.md")
        await host.press("right_square_bracket", "enter")
        assert (shown(host).current, shown(host).shelf.words) == ("kiln.md", ())


async def test_files_are_ordered_by_age(store: Path) -> None:
    async with browsing(store) as host:
        await host.press("o")
        assert shown(host).shelf.order is Order.OLDEST
        assert shown(host).list_view.rows[0].key == "kiln.md"
        await host.press("o")
        assert shown(host).list_view.rows[-1].key == "kiln.md"
        await host.press("o")
        assert shown(host).shelf.order is Order.PATH


@pytest.mark.parametrize(
    ("age", "short"),
    [((3, True), "3d"), ((3, False), "~3d"), ((100, True), "3mo"), ((800, True), "2y"), ((-2, True), "in 2d")],
)
def test_an_age_takes_a_few_cells(age: tuple[int, bool], short: str) -> None:
    assert Age("2026-01-01", age[0], is_stated=age[1]).short == short


async def test_scrolling_is_named_only_where_there_is_more_to_see(store: Path) -> None:
    async with browsing(store, size=(80, 30)) as host:
        assert "scroll" not in host.text.splitlines()[-1]
        await host.pilot.resize_terminal(80, 8)
        await host.until(lambda: "^d scroll" in host.text.splitlines()[-1])


async def test_a_narrow_title_leaves_out_what_does_not_fit_whole(store: Path) -> None:
    async with browsing(store, size=(36, 12)) as host:
        assert host.text.splitlines()[0].rstrip() == "Memory  4 files · 1 finding"
        await host.press("o")
        assert host.text.splitlines()[0].rstrip() == "Memory  oldest first  4 files"


async def test_the_bar_says_what_p_would_do(store: Path) -> None:
    async with browsing(store) as host:
        assert "p pin" in host.text.splitlines()[-1]
        await host.press("G", "k")
        assert shown(host).current == "people.md"
        assert "p unpin" in host.text.splitlines()[-1]


async def test_p_shows_the_line_writes_it_on_y_and_p_again_takes_it_back(store: Path) -> None:
    before = contents(store)
    async with browsing(store) as host:
        await host.press("j", "p")
        await host.sees("Pin this file")
        assert "+ pinned: true" in host.prose
        assert contents(store) == before
        await host.press("enter")
        assert contents(store) == before
        await host.press("p")
        await host.sees("Pin this file")
        await host.press("y")
        await host.sees("Memory  pinned")
        assert contents(store) == before | {
            "kiln.md": KILN.replace("2025-12-02\n", "2025-12-02\npinned: true\n").encode()
        }
        await host.sees("◆ ▸ kiln.md")
        await host.until(lambda: is_settled(host))
        await host.press("p")
        await host.sees("Unpin this file")
        await host.press("y")
        await host.sees("Memory  unpinned")
        assert contents(store) == before


async def test_one_note_is_pinned_in_a_file_with_carriage_returns(store: Path) -> None:
    before = contents(store)
    async with browsing(store) as host:
        await host.press("G", "l", "G", "p")
        await host.sees("Pin this bullet")
        await host.press("y")
        await host.sees("Memory  pinned")
        after = before["shop/hours.md"].replace(b"- Closes", b"- [PINNED] Closes")
        assert contents(store) == before | {"shop/hours.md": after}
        assert shown(host).note is not None


async def test_a_pin_is_undone_from_the_history(store: Path) -> None:
    before = contents(store)
    async with browsing(store) as host:
        await host.press("j", "p")
        await host.sees("Pin this")
        await host.press("y")
        await host.sees("Memory  pinned")
        await host.until(lambda: is_settled(host))
        await host.press("H")
        await host.sees("Pin kiln.md")
        assert isinstance(host.app.screen, HistoryScreen)
        await host.press("U")
        await host.sees("Undo this")
        await host.press("y")
        await host.sees("↶ undone")
        assert contents(store) == before
        await host.press("q")
        await host.until(lambda: isinstance(host.app.screen, MemoryScreen) and is_settled(host))
        await host.until(lambda: shown(host).shelf.pinned == 1)


async def test_keys_pressed_just_as_the_question_appears_are_ignored(store: Path) -> None:
    before = contents(store)
    clock = Clock(step=0)
    async with browsing(store, clock=clock) as host:
        await host.press("j", "p")
        await host.sees("Pin this")
        await host.press("y", "enter")
        assert isinstance(host.app.screen, GuardScreen)
        clock.now += 1
        await host.press("enter")
        assert not isinstance(host.app.screen, GuardScreen)
        assert contents(store) == before


async def test_a_file_changed_behind_its_back_is_told_read_again_and_not_written(store: Path) -> None:
    async with browsing(store) as host:
        await host.press("j")
        (store / "kiln.md").write_text(KILN + "It cools overnight.\n")
        await host.press("p")
        await host.sees("was changed since it was read")
        await host.until(lambda: is_settled(host) and "It cools overnight." in host.prose)
        await host.press("p")
        await host.sees("Pin this file")


async def test_a_page_says_that_its_file_changed_or_is_gone(store: Path) -> None:
    async with browsing(store) as host:
        (store / "kiln.md").write_text(KILN + "It cools overnight.\n")
        (store / "people.md").unlink()
        await host.press("j")
        assert "Changed since it was read: ^l looks again." in host.prose
        await host.press("j")
        assert "It is gone: ^l looks again." in host.prose
        await host.press("ctrl+l")
        await host.until(lambda: is_settled(host) and len(shown(host).list_view.rows) == 3)
        assert "looks again" not in host.prose


async def test_a_held_store_is_told_and_left_alone(store: Path) -> None:
    before = contents(store)
    async with browsing(store) as host:
        await host.press("j", "p")
        await host.sees("Pin this")
        with hold(Root(store), "dream"):
            await host.press("y")
            await host.sees("did not work")
        assert contents(store) == before


async def test_why_a_note_cannot_be_pinned_is_told(store: Path) -> None:
    async with browsing(store) as host:
        await host.press("l", "j", "j", "p")
        await host.sees("only points to a file")


async def test_a_large_store_is_compared_only_when_asked(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(
        store,
        {"twin.md": "- The big kiln fires at 1240 degrees\n- The big kiln is fired to 1240 degrees, never above\n"},
    )
    monkeypatch.setattr(state, "COMPARED_UNASKED", 0)
    monkeypatch.setattr("dreamreview.tui.screens.memory.screen.COMPARED_UNASKED", 0)
    async with browsing(store) as host:
        assert "c compare" in host.text
        found = shown(host).shelf.found
        await host.press("c")
        await host.until(lambda: shown(host).shelf.found > found)
        assert "c compare" not in host.text
        assert "duplicates" in {one.cls for every in shown(host).shelf.findings.values() for one in every}


async def test_names_are_there_while_notes_are_read_and_leaving_ends_that(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, stopped = threading.Event(), threading.Event()
    store = FakeWorkspace()
    memory = store.memory()

    def read(on_progress: object, is_cancelled: Callable[[], bool]) -> object:
        del on_progress
        gate.wait(20)
        if is_cancelled():
            stopped.set()
        return (), {}

    monkeypatch.setattr(memory, "read", read)
    monkeypatch.setattr(store, "memory", lambda: memory)
    async with running(store) as host:
        await host.sees("No proposals")
        await host.press("m")
        await host.sees("team.md")
        assert "reading" in host.text
        await host.press("G", "l")
        assert "- the wiki moved" in host.prose
        await host.press("p")
        assert isinstance(host.app.screen, MemoryScreen)
        await host.press("q")
        await host.until(lambda: isinstance(host.app.screen, InboxScreen))
        gate.set()
        await host.until(stopped.is_set)


async def test_an_empty_store_and_one_that_cannot_be_read_say_so(tmp_path: Path) -> None:
    async with browsing_empty(tmp_path) as host:
        await host.sees("There is no memory here yet.")
        await host.press("j", "p", "l", "right_square_bracket", "enter", "ctrl+d", "ctrl+u", "o", "c", "h", "escape")
        assert host.app.is_running
    (tmp_path / "left.md").write_text("x\n")
    async with browsing(tmp_path) as host:
        for path in tmp_path.iterdir():
            path.rename(tmp_path.parent / f"away-{path.name}")
        tmp_path.rmdir()
        await host.press("f5")
        await host.sees("did not work")


@asynccontextmanager
async def browsing_empty(folder: Path) -> AsyncIterator[Host]:
    app = DreamReviewApp(Surroundings(Workspace(folder, Settings(), lambda: NOW), Clock()), watch=None)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        host = Host(app, pilot, FakeWorkspace())
        await host.sees("No proposals")
        await host.press("m")
        yield host


@pytest.mark.parametrize("size", [(200, 50), (80, 24), (60, 20), (40, 12), (20, 5)])
async def test_it_works_at_every_size(store: Path, size: tuple[int, int]) -> None:
    async with browsing(store, size=size) as host:
        assert "kiln.md" in host.text
        for strip in host.app.screen._compositor.render_strips():
            assert sum(segment.cell_length for segment in strip) == size[0]
        await host.press("j", "right_square_bracket")
        assert "MEMORY.md" in host.text or size[0] == 20
        await host.press("escape", "escape", "p")
        await host.sees("Pin this" if size[1] > 5 else r"\S")
        await host.press("enter")


async def test_a_narrow_screen_shows_list_or_page(store: Path) -> None:
    async with browsing(store, size=(40, 12)) as host:
        await host.press("j")
        assert "90 days ago" not in host.prose
        assert "h list" not in host.text
        await host.press("l", "l")
        assert "90 days ago" in host.prose
        assert "h list" in host.text
        await host.pilot.click("#keys", offset=(host.text.splitlines()[-2].index("h list"), 0))
        assert "90 days ago" not in host.prose
        assert "h list" not in host.text
        await host.press("ctrl+d")
        assert shown(host).current == "shop/hours.md"
        await host.press("ctrl+u")
        assert shown(host).current == "MEMORY.md"


@pytest.mark.parametrize("size", [(80, 24), (140, 40), (40, 12)])
async def test_nothing_is_drawn_raw_or_as_markup(tmp_path: Path, size: tuple[int, int]) -> None:
    name = NASTY.replace("/", "_")[:60] + "\u202e.md"
    token = "ghp_" + "Zq3v8Lw2Xk9Rb4Tn6Ys1Pd7Fm5Hc0JgUaVe"
    head = f"---\nname: '{NASTY}'\ntype: '{NASTY[:40]}'\ntags: [{NASTY[:9]}]\n---\n"
    text = f"{head}- {NASTY}\n- [x]({name}) token: {token}\n"
    folder = lay(
        tmp_path / "memory",
        {name: text, "MEMORY.md": f"# {NASTY}\n\n- [{NASTY}](<{name}>): {NASTY}\n- [y](gone\x1b.md)\n"},
    )
    async with browsing(folder, size=size) as host:
        for keys in (
            "",
            "j",
            "l",
            "j",
            "j",
            "l",
            "ctrl+d",
            "h",
            "g",
            "right_square_bracket",
            "escape",
            "question_mark",
            "escape",
        ):
            await host.press(*keys.split())
            assert_harmless(host.text)
            assert token not in host.text.replace("\n", "")
        shown(host).search("[@click=app.quit]x[/]")
        await host.pilot.pause()
        assert shown(host).list_view.rows
        assert_harmless(host.text)
        await host.press("p")
        await host.until(lambda: isinstance(host.app.screen, GuardScreen))
        assert_harmless(host.text)
        await host.press("y")
        await host.until(lambda: shown(host).notice == "pinned")
        assert_harmless(host.text)
        assert host.app.is_running


async def test_a_click_goes_to_a_row_and_unfolds_it(store: Path) -> None:
    async with browsing(store) as host:
        await host.pilot.click("#notes", offset=(6, 2))
        await host.pilot.pause()
        assert shown(host).current == "people.md"
        await host.pilot.click("#notes", offset=(6, 2))
        await host.pilot.pause()
        assert len(shown(host).list_view.rows) == 6
        await host.pilot.click("#notes", offset=(6, 2))
        await host.pilot.pause()
        assert len(shown(host).list_view.rows) == 4


async def test_it_stands_in_help_and_palette(store: Path) -> None:
    async with browsing(store, size=(100, 50)) as host:
        await host.press("question_mark")
        assert "Toggle pin: Pin the note at the cursor" in host.prose
        await host.press("escape")
        commands = [command.id() for command in shown(host).available()]
        assert {"memory.toggle_pin", "memory.search_memory", "memory.order_files"} <= set(commands)
        await host.press("q")
        await host.until(lambda: isinstance(host.app.screen, InboxScreen))
        await host.press("colon", *"Memory")
        await host.sees("Look through the memory")
