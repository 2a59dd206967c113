from __future__ import annotations

from collections.abc import Callable

import pytest

from dreamreview.model.proposal import Kind
from dreamreview.model.review import State
from dreamreview.tui.screens.ask import AskScreen
from dreamreview.tui.screens.editor import EditorScreen
from dreamreview.tui.screens.guard import GuardScreen
from dreamreview.tui.screens.reader import ReaderScreen
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.workspace.values import Stale
from tests.tui.fake import FakeReview, FakeWorkspace, change, changes, edit, proposal, workspace
from tests.tui.host import Host, running

Check = Callable[[Host], bool]
U, A, R, S, P = State.UNDECIDED, State.ACCEPTED, State.REJECTED, State.SKIPPED, State.PARTIAL


def states(host: Host) -> dict[str, State]:
    return {name: found.state for name, found in host.review.review.of.items()}


def is_so(change_id: str, state: State, at: str | None = None) -> Check:
    return lambda host: states(host)[change_id] is state and at in (None, host.screen.current)


def is_at(change_id: str) -> Check:
    return lambda host: host.screen.current == change_id


def chose(key: str) -> Check:
    return lambda host: host.review.review.of["c1"].choice == key


def logged(target: str) -> Check:
    return lambda host: host.review.log[-1].on == target


def shows(*words: str) -> Check:
    return lambda host: all(word in host.prose for word in words)


def hides(word: str) -> Check:
    return lambda host: word not in host.text


def reads(words: str) -> Check:
    return lambda host: isinstance(host.app.screen, ReaderScreen) and words in host.text


def is_in_review(host: Host) -> bool:
    return host.app.screen is host.screen


def decided_nothing(host: Host) -> bool:
    return not host.review.log and host.screen.lines is None and is_in_review(host)


async def opened(host: Host) -> None:
    await host.sees(r"0 of 5 decided")


async def test_the_only_proposal_opens_at_once_on_the_first_undecided_change() -> None:
    async with running() as host:
        await opened(host)
        assert host.screen.current == "m1"
        assert host.text.startswith("0 of 5 decided")


async def test_the_progress_line_names_what_was_decided() -> None:
    async with running() as host:
        await opened(host)
        await host.press("a", "r")
        assert host.text.splitlines()[0].split("   ")[0] == "2 of 5 decided · 1 rejected"


@pytest.mark.parametrize("keys", ["", "H", "m", "ctrl+s"])
async def test_the_folder_is_named_at_the_end_of_the_first_line_where_there_is_room(keys: str) -> None:
    store = FakeWorkspace(folder="/home/ines/build/memory", reviews={"1": FakeReview(proposal("1"))})
    async with running(store) as host:
        await opened(host)
        await host.press(*keys.split())
        await host.until(lambda: host.text.splitlines()[0].endswith("   /home/ines/build/memory"))
        await host.pilot.resize_terminal(28, 20)
        await host.pilot.pause()
        assert "ines" not in host.text.splitlines()[0]


DECISIONS: dict[str, tuple[str, Check]] = {
    "a accepts and goes on": ("a", is_so("m1", A, at="m2")),
    "r rejects and goes on": ("r", is_so("m1", R, at="m2")),
    "space accepts and stays": ("space", is_so("m1", A, at="m1")),
    "space twice takes it back": ("space space", is_so("m1", U)),
    "x clears and stays": ("space x", is_so("m1", U, at="m1")),
    "u takes back and returns": ("a u", is_so("m1", U, at="m1")),
    "ctrl+r decides again": ("a u ctrl+r", is_so("m1", A)),
    "u with nothing to undo says so": ("u", shows("nothing to undo")),
    "ctrl+r with nothing to redo says so": ("ctrl+r", shows("nothing to redo")),
    "a keeps A on a conflict": ("J J a", chose("A")),
    "b keeps B on a conflict": ("J J b", chose("B")),
    "B keeps both on a conflict": ("J J B", chose("both")),
    "2 keeps the second side": ("J J 2", chose("B")),
    "s skips a conflict": ("J J s", is_so("c1", S)),
    "r says that it is no conflict": ("J J r", is_so("c1", R)),
    "x clears a conflict": ("J J a K x", is_so("c1", A)),
    "] and a decide one edit": ("] a", is_so("m1", P, at="m1")),
    "both edits decided goes on": ("] a a", is_so("m1", A, at="m2")),
    "s splits and a decides a piece": ("] s a", logged("m1.e1:-1,+1")),
    "S joins again": ("] s S a", logged("m1.e1")),
    "s says into how many pieces": ("] s", shows("split into 2 pieces: S joins them")),
    "s on a piece says that it is split": ("] s s", shows("it is split already")),
    "s on one line for another says why not": ("] ] s", shows("one line for another cannot be split")),
    "s on a heading says that no edit is there": ("h h s", shows("there is no edit to split here")),
    "A decides a harmless group": ("A", is_so("m2", A)),
    "R rejects a harmless group": ("R", is_so("m2", R)),
    "v, space and enter keep some lines": ("v space enter", is_so("m1", P)),
    "v, a and enter keep none": ("v a enter", logged("m1.e1:-1-2,+1")),
    "j and k move among lines": ("v j k space enter", lambda host: host.review.log[0].on == "m1.e1:-2,+1"),
    "escape in the line mode decides nothing": ("v space escape", decided_nothing),
    "q leaves the line mode only": ("v q", decided_nothing),
}


@pytest.mark.parametrize("name", DECISIONS)
async def test_deciding_by_key(name: str) -> None:
    keys, holds = DECISIONS[name]
    async with running() as host:
        await opened(host)
        await host.press(*keys.split())
        assert holds(host), host.text


MOVES: dict[str, tuple[str, Check]] = {
    "J goes to the next undecided": ("J", is_at("m2")),
    "K goes around the start": ("K", is_at("d1")),
    "J goes around the end": ("J J J J J", is_at("m1")),
    "j in the list goes straight on": ("h j", is_at("m2")),
    "k in the list goes back": ("h j k", is_at("m1")),
    "down is j": ("h down", is_at("m2")),
    "up is k": ("h down up", is_at("m1")),
    "} goes to the next group": ("}", is_at("c1")),
    "{ goes to the previous group": ("} {", is_at("m1")),
    "G goes to the last": ("G", is_at("d1")),
    "g goes to the first": ("G g", is_at("m1")),
    "h folds the group in the list": ("h h", is_at("group:merge")),
    "a folded group hides its changes": ("h h", hides("Tea twice")),
    "l unfolds it": ("h h l", is_at("m1")),
    "] goes to an edit": ("] ]", lambda host: host.screen.piece == 1),
    "[ leaves the edit for the change": ("] [", lambda host: host.screen.piece is None),
    ". hides what is decided": ("a .", hides("Two notes on")),
    ". shows it again": ("a . .", shows("Two notes on")),
    "o groups by file": ("o", shows("team.md 0/2")),
    "w stops wrapping": ("w", lambda host: not host.screen.detail.is_wrapped),
    "t names the columns": ("t", shows("columns: one above the other")),
    "z shows ten lines, then all": ("z z", shows("the whole file around the edits")),
    "i shows where it comes from": ("i", reads("print-m1")),
    "b shows the base": ("b", reads("team.md as it was")),
    "O shows the files of a conflict": ("J J O", reads("The sides as they were")),
    "escape closes a page": ("b escape", is_in_review),
    "escape never leaves": ("escape escape escape", is_in_review),
    "/ finds and goes there": (
        "/ 0 2 : enter",
        lambda host: is_at("d1")(host) and "change 1 of 1 with 02:" in host.text,
    ),
    "a search starts with the change on screen": ("/ t e a enter", shows("hit 1 of 5 here, change 1 of 2 with tea")),
    "n goes through the hits of a change first": ("/ b u i l d enter n n", shows("hit 3 of 6 here, change 1 of 2")),
    "n goes on to the next change": ("/ f a r m enter n n n", shows("hit 1 of 1 here, change 2 of 2")),
    "n goes around the end": ("/ 7 0 0 1 enter G n", is_at("c1")),
    "N goes back through the hits of a change": ("/ b u i l d enter n N", shows("hit 1 of 6 here")),
    "N goes to the previous change, around": ("/ f a r m enter N", shows("hit 1 of 1 here, change 2 of 2")),
    "a search finds the sides of a conflict": ("/ p o r t space 7 0 0 1 enter", is_at("c1")),
    "a search finds a day": ("/ 2 0 2 6 - 0 2 - 2 0 enter", is_at("c1")),
    "a search without a hit says so": ("/ z z enter", shows("nothing holds zz")),
    "f filters": ("f k i n d : d a enter", lambda host: host.screen.outline.ids == ("d1",)),
    "f filters by path": ("f p a t h : r e l * enter", lambda host: host.screen.outline.ids == ("c1", "d1")),
    "f filters by part of a path": ("f p a t h : s c r a enter", lambda host: host.screen.outline.ids == ("p1",)),
    "a group that is decided in part says so": ("a", shows("▾◐P merge 1/2")),
    "a group of one mind says so": ("a a", shows("▾✓A merge 2/2")),
    "a group that is decided but not alike says so": ("a r", shows("▾●M merge 2/2")),
    "the filter is shown": ("f k i n d : d a enter", shows("filter: kind:da")),
    "escape clears the filter": ("f z z z enter escape", lambda host: len(host.screen.outline.ids) == 5),
    "? names accept": ("?", reads("Accept the change")),
}


@pytest.mark.parametrize("name", MOVES)
async def test_moving_and_looking_by_key(name: str) -> None:
    keys, holds = MOVES[name]
    async with running() as host:
        await opened(host)
        await host.press(*keys.split())
        assert holds(host), host.text


async def test_j_scrolls_a_tall_change_before_it_goes_on() -> None:
    async with running(size=(80, 12)) as host:
        await opened(host)
        await host.press("j")
        assert host.screen.current == "m1"
        assert host.screen.detail.scroll_offset.y > 0
        for _ in range(4):
            if host.screen.current == "m1":
                await host.press("j")
        assert host.screen.current == "m2"
        assert host.screen.detail.scroll_offset.y == 0


async def test_ctrl_d_and_ctrl_u_scroll_half_a_page() -> None:
    async with running(size=(80, 12)) as host:
        await opened(host)
        await host.press("ctrl+d")
        assert host.screen.detail.scroll_offset.y == 5
        await host.press("ctrl+u")
        assert host.screen.detail.scroll_offset.y == 0


async def test_nothing_left_says_so() -> None:
    async with running() as host:
        await opened(host)
        await host.press("a", "a", "a", "a", "a")
        assert "5 of 5 decided" in host.text
        assert "nothing left to decide" in host.text
        await host.press("a", "J", "r")
        assert "5 of 5 decided" in host.text


async def test_the_last_unit_of_a_filtered_list_can_be_decided() -> None:
    async with running() as host:
        await opened(host)
        await host.press("f", *"state:undecided", "enter")
        await host.press("a", "a", "a", "a", "a", "j", "k", "r")
        assert host.review.counts.undecided == 0
        await host.press("escape", "escape", "escape")
        assert len(host.screen.outline.ids) == 5


async def test_the_guard_names_what_a_group_takes_away_and_enter_means_no() -> None:
    async with running() as host:
        await opened(host)
        await host.press("J", "J", "J", "A")
        assert isinstance(host.app.screen, GuardScreen)
        assert "An old scratch file" in host.text
        assert "scratch.md" in host.text
        await host.press("enter")
        assert host.review.log == []
        await host.press("A", "y")
        assert states(host)["p1"] is State.ACCEPTED


async def test_the_guard_names_a_conflict_before_it_is_settled() -> None:
    async with running() as host:
        await opened(host)
        await host.press("J", "J", "A")
        assert "Which port does the relay listen on?" in host.text
        assert "keeps B, as suggested" in host.prose
        await host.press("y")
        assert host.review.review.of["c1"].choice == "B"


async def test_a_large_group_asks_first() -> None:
    many = [change(f"m{n}", Kind.MERGE, f"Number {n}", edit("e1", f"f{n}.md", 0, "a\n", "b\n")) for n in range(12)]
    async with running(workspace(FakeReview(proposal(given=many)))) as host:
        await host.sees("0 of 12 decided")
        await host.press("R")
        assert isinstance(host.app.screen, GuardScreen)
        await host.press("y")
        assert host.review.counts.rejected == 12


async def test_e_edits_in_place_and_keeps_untouched_lines() -> None:
    given = [change("m1", Kind.REWRITE, "Words", edit("e1", "a.md", 0, "x\n", "one\r\ntwo\x0b\n"))]
    async with running(workspace(FakeReview(proposal(given=given)))) as host:
        await host.sees("0 of 1 decided")
        await host.press("e")
        assert isinstance(host.app.screen, EditorScreen)
        await host.press("down", "down", *"more", "up", *"!", "ctrl+s")
        assert states(host)["m1"] is State.EDITED
        assert host.review.log[-1].text == b"one\r\ntwo\x0b!\nmore"


async def test_an_edit_that_changes_nothing_decides_nothing() -> None:
    async with running() as host:
        await opened(host)
        await host.press("e", "ctrl+s")
        assert host.review.log == []


async def test_escape_in_the_editor_asks_before_it_throws_away() -> None:
    async with running() as host:
        await opened(host)
        await host.press("e", "x", "escape")
        assert isinstance(host.app.screen, EditorScreen)
        await host.press("escape")
        assert is_in_review(host)
        assert host.review.log == []


async def test_what_is_typed_after_the_warning_is_warned_of_again() -> None:
    async with running(size=(40, 12)) as host:
        await opened(host)
        await host.press("e", "x", "escape")
        assert host.text.splitlines()[0].strip() == "Changed: esc again drops it, ^s keeps it"
        await host.press("y")
        assert host.text.startswith("team.md, e1")
        await host.press("escape")
        assert isinstance(host.app.screen, EditorScreen)
        await host.press("escape")
        assert is_in_review(host)
        assert host.review.log == []


async def test_a_third_text_settles_a_conflict() -> None:
    async with running() as host:
        await opened(host)
        await host.press("J", "J", "e")
        await host.press(*"Port 7050. ", "ctrl+s")
        assert states(host)["c1"] is State.EDITED
        assert "Your text" in host.text or host.screen.current != "c1"


async def test_c_keeps_the_reason() -> None:
    async with running() as host:
        await opened(host)
        await host.press("c")
        assert isinstance(host.app.screen, AskScreen)
        await host.press(*"two farms", "enter")
        assert "Your note: two farms" in host.text
        assert states(host)["m1"] is State.UNDECIDED


async def test_a_missing_editor_is_named_and_nothing_is_decided() -> None:
    async with running(editor="/nowhere/at-all --flag") as host:
        await opened(host)
        await host.press("E")
        assert host.review.log == []
        assert host.app.screen is host.screen


async def test_a_read_only_review_decides_nothing() -> None:
    review = FakeReview(proposal(), is_read_only=True)
    async with running(workspace(review)) as host:
        await host.sees("read-only")
        await host.press("a", "r", "x", "A", "space")
        assert review.log == []


async def test_a_decision_carries_what_was_seen() -> None:
    async with running() as host:
        await opened(host)
        await host.press("a")
        assert host.review.log[0].seen == host.review.card("m1").seen


async def test_a_proposal_without_changes_says_so() -> None:
    async with running(workspace(FakeReview(proposal(given=[])))) as host:
        await host.sees("0 of 0 decided")
        assert "holds no changes" in host.text
        await host.press(*["a", "r", "A", "j", "J", "n", "v", "s", "e", "i", "b", "x", "space", "c", "G", "]"])
        assert host.app.screen is host.screen


async def test_stale_changes_show_both_texts() -> None:
    review = FakeReview(
        proposal(), stale={"m1": Stale("somebody edited line 3", "Ines owns the build", "Omar owns it")}
    )
    async with running(workspace(review), size=(100, 30)) as host:
        await host.sees("1 stale")
        assert "somebody edited line 3" in host.text
        assert "Omar owns it" in host.text


async def test_q_goes_to_the_inbox_and_then_leaves() -> None:
    async with running() as host:
        await opened(host)
        await host.press("q")
        await host.sees("1 pending")
        await host.press("q")
        assert not host.app.is_running or host.app.return_code == 0


async def test_the_palette_offers_commands_by_name() -> None:
    async with running() as host:
        await opened(host)
        await host.press("colon")
        await host.pilot.press(*"reject the change")
        await host.until(lambda: "r · Reject the change" in host.text)
        await host.press("enter")
        await host.until(lambda: states(host)["m1"] is State.REJECTED)


async def test_a_click_goes_to_a_change() -> None:
    async with running() as host:
        await opened(host)
        await host.pilot.click("#changes", offset=(5, 2))
        assert host.screen.current == "m2"
        assert isinstance(host.app.screen, ReviewScreen)


async def test_what_the_mouse_selects_can_be_copied() -> None:
    async with running() as host:
        await opened(host)
        await host.pilot.mouse_down("#detail", offset=(1, 0))
        await host.pilot.hover("#detail", offset=(8, 1))
        await host.pilot.mouse_up("#detail", offset=(8, 1))
        assert host.app.screen.get_selected_text() == "Two notes on the build owner\n ○ undeci"
        await host.press("ctrl+c")
        assert host.app.clipboard.startswith("Two notes on the build owner")


def test_the_usual_proposal_holds_five_changes() -> None:
    assert len(changes()) == 5
    assert isinstance(workspace(), FakeWorkspace)
