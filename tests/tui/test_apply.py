from __future__ import annotations

from dataclasses import replace

from dreamreview.errors import StoreLockedError
from dreamreview.model.derived import Derived, LinkAt
from dreamreview.model.proposal import Kind
from dreamreview.tui.screens.apply import ApplyScreen
from dreamreview.tui.screens.guard import GuardScreen
from dreamreview.workspace.values import HistoryLine, Stale
from tests.tui.fake import AT, FILES, FakeReview, FakeWorkspace, change, edit, proposal, workspace
from tests.tui.host import Clock, Host, running


async def at_summary(host: Host, *decide: str) -> None:
    await host.sees("0 of 5 decided")
    await host.press(*decide, "ctrl+s")
    await host.until(lambda: isinstance(host.app.screen, ApplyScreen) and "Working out" not in host.text)


async def test_the_summary_names_every_deletion_and_what_stays_undecided() -> None:
    async with running() as host:
        await at_summary(host, "a", "J", "J", "a")
        assert "deletes 1 file" in host.text
        assert "scratch.md −2 +0 lines, −16 bytes" in host.prose
        assert "changes 1 file" in host.text
        assert "3 changes undecided or skipped, left for later:" in host.text
        assert "○ Tea twice" in host.prose
        assert "○ Say which night" in host.prose
        assert "in all 2 files, −5 +2 lines, " in host.prose


async def test_the_summary_shows_how_full_the_index_is_before_and_after() -> None:
    index = "".join(f"- [N{number}](n{number}.md): note\n" for number in range(199))
    more = "- [A](a.md): one\n- [B](b.md): two\n"
    given = [change("i1", Kind.INDEX, "Entries for a and b", edit("e1", "MEMORY.md", 199, "", more))]
    async with running(
        workspace(FakeReview(proposal(given=given), files={"MEMORY.md": index})), size=(120, 24)
    ) as host:
        await host.sees("0 of 1 decided")
        await host.press("a", "ctrl+s")
        await host.sees("y writes")
        assert "index MEMORY.md ██████████! 199 → 201 of 200 lines" in host.prose


async def test_the_summary_begins_with_the_worst_that_is_accepted() -> None:
    given = [
        change("l1", Kind.LINK, "A link", edit("e1", "kiln.md", 0, "a\n", "b\n")),
        change("p1", Kind.PRUNE, "An old note", edit("e1", "shop.md", 0, "a\n", "")),
        change("p2", Kind.PRUNE, "Left alone", edit("e1", "team.md", 0, "a\n", "")),
    ]
    derived = {
        "l1": Derived(broken=(LinkAt("MEMORY.md", 3, "gone.md"),)),
        "p1": Derived(vanishing=("pier 4", "[red]84 EUR[/]")),
        "p2": Derived(vanishing=("never shown",)),
    }
    told = replace(proposal(given=given), narrative="Made 9 changes.")
    async with running(workspace(FakeReview(told, derived=derived)), size=(120, 24)) as host:
        await host.sees("0 of 3 decided")
        await host.press("a", "a", "ctrl+s")
        await host.sees("y writes")
        rows = host.prose
        assert "vanishes pier 4, [red]84 EUR[/] in An old note" in rows
        assert "breaks a link MEMORY.md:3 → gone.md in A link" in rows
        assert "summary-mismatch it says “Made 9 changes”, and there are 3 changes" in rows
        assert "fidelity 2 literals vanish · no claim without support · 1 link breaks" in rows
        assert rows.index("vanishes pier 4") < rows.index("breaks a link") < rows.index("changes 2 files")
        assert "never shown" not in rows


async def test_the_summary_shows_an_index_that_stays_as_it_is() -> None:
    review = FakeReview(proposal(), files={**FILES, "MEMORY.md": "- [Team](team.md): who\n"})
    async with running(workspace(review), size=(120, 24)) as host:
        await at_summary(host, "a")
        assert "1 → 1 of 200 lines, 23 → 23 of" in host.prose
        assert "(unchanged)" in host.prose


async def test_skipped_conflicts_are_named_as_left_for_later() -> None:
    async with running() as host:
        await at_summary(host, "a", "J", "s")
        assert "» Which port does the relay listen on?" in host.prose


async def test_enter_means_no() -> None:
    async with running() as host:
        await at_summary(host, "a")
        await host.press("enter")
        assert host.app.screen is host.screen
        assert host.store.calls[-1] == "plan"


async def test_escape_means_no() -> None:
    async with running() as host:
        await at_summary(host, "a")
        await host.press("escape")
        assert host.app.screen is host.screen
        assert host.store.calls[-1] == "plan"


async def test_y_applies_and_says_how_to_undo() -> None:
    async with running() as host:
        await at_summary(host, "a", "y")
        await host.press("y")
        await host.sees("U undoes it now")
        assert "changed 1 file" in host.text
        await host.press("enter")
        await host.until(lambda: host.review.refreshed == 1)
        assert host.app.screen is host.screen


async def test_the_apply_just_made_can_be_undone_at_once() -> None:
    async with running() as host:
        await at_summary(host, "a")
        await host.press("y")
        await host.sees("U undoes it now")
        await host.press("U")
        await host.sees("puts back 1 file")
        assert host.store.calls[-1] == "undo a0001 None"


async def test_the_bar_says_no_before_the_apply_and_go_on_behind_it() -> None:
    async with running() as host:
        await at_summary(host, "a")
        assert "y yes, apply  ⏎ go back" in host.text
        await host.press("y")
        await host.sees("U undoes it now")
        assert "go back" not in host.text
        assert "⏎ go on  U undo" in host.text
        await host.press("U")
        await host.sees("puts back 1 file")
        await host.until(lambda: host.text.splitlines()[-1].strip().endswith("go on"))


async def test_how_to_undo_is_seen_above_a_result_longer_than_the_screen() -> None:
    given = [change(f"m{n}", Kind.EDIT, f"Number {n}", edit("e1", f"f{n}.md", 0, "a\n", "b\n")) for n in range(60)]
    async with running(workspace(FakeReview(proposal(given=given))), size=(80, 24)) as host:
        await host.sees("0 of 60 decided")
        await host.press("A", "y")
        await host.sees("60 of 60 decided")
        await host.press("ctrl+s")
        await host.sees("Apply 60 changes")
        await host.press("y")
        await host.sees("U undoes it now")
        assert "f59.md" not in host.text


async def test_y_is_ignored_in_the_first_moments() -> None:
    clock = Clock(step=0.0)
    async with running(clock=clock) as host:
        await at_summary(host, "a")
        clock.now += 0.29
        await host.press("y", "enter")
        assert isinstance(host.app.screen, ApplyScreen)
        assert host.store.calls[-1] == "plan"
        clock.now += 0.02
        await host.press("y")
        await host.sees("U undoes it now")


async def test_a_guard_ignores_keys_in_the_first_moments() -> None:
    clock = Clock(step=0.0)
    async with running(clock=clock) as host:
        await host.sees("0 of 5 decided")
        await host.press("J", "J", "J", "A", "y", "y", "enter")
        assert isinstance(host.app.screen, GuardScreen)
        assert host.review.log == []
        clock.now += 0.31
        await host.press("y")
        assert host.review.counts.accepted == 1


async def test_with_nothing_accepted_there_is_nothing_to_apply() -> None:
    async with running() as host:
        await at_summary(host)
        assert "Nothing that was accepted is left to write" in host.text
        await host.press("y")
        assert host.store.calls[-1] == "plan"


async def test_what_went_stale_is_named() -> None:
    review = FakeReview(proposal(), stale={"m2": Stale("edited since", "a", "b")})
    async with running(workspace(review)) as host:
        await at_summary(host, "a")
        assert "1 change no longer fit" in host.text
        assert "Tea twice" in host.text


async def test_a_locked_store_is_named_and_nothing_is_written() -> None:
    async with running() as host:
        await at_summary(host, "a")
        host.store.problem = StoreLockedError("the store is held by process 4711")
        await host.press("y")
        await host.sees("held by process 4711")
        assert host.store.applies == []


def applied() -> FakeWorkspace:
    store = workspace()
    store.applies = [
        HistoryLine("a0002", AT, "20260302T090000000", ("m1", "d1"), undone=False),
        HistoryLine("a0001", AT, "20260301T090000000", ("p1",), undone=True),
    ]
    return store


async def at_history(host: Host) -> None:
    await host.sees("0 of 5 decided")
    await host.press("H")
    await host.until(lambda: "newest first" in host.text)


async def test_the_history_lists_applies_with_their_changes() -> None:
    async with running(applied()) as host:
        await at_history(host)
        assert host.text.index("a0002") < host.text.index("a0001")
        assert "↶ undone" in host.text
        await host.sees("An old scratch file  p1")


async def test_u_in_the_history_asks_and_then_undoes_the_apply() -> None:
    async with running(applied()) as host:
        await at_history(host)
        await host.press("U")
        await host.until(lambda: isinstance(host.app.screen, GuardScreen))
        assert "puts back 1 file" in host.text
        await host.press("y")
        await host.until(lambda: "undo a0002 None" in host.store.calls)


async def test_u_on_a_change_undoes_that_change() -> None:
    async with running(applied()) as host:
        await at_history(host)
        await host.press("j", "j", "U")
        await host.until(lambda: isinstance(host.app.screen, GuardScreen))
        await host.press("y")
        await host.until(lambda: "undo a0002 d1" in host.store.calls)


async def test_the_question_names_what_would_be_undone() -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("a", "a", "ctrl+s")
        await host.sees("y writes")
        await host.press("y")
        await host.sees("U undoes it now")
        await host.press("enter", "H")
        await host.sees("Tea twice")
        await host.press("U")
        await host.sees("Undo this apply of 2 changes")
        await host.press("enter", "j", "j", "U")
        await host.sees("Undo this change")
        dialog = host.prose.split("Undo this change?")[1]
        assert "Tea twice" in dialog.split("puts back")[0]


async def test_a_pin_is_told_as_done_by_hand() -> None:
    store = workspace()
    store.applies = [HistoryLine("a0003", AT, "pin-a0003", ("pin",), False, titles={"pin": "Pin team.md"})]
    async with running(store) as host:
        await at_history(host)
        await host.sees("1 change  a0003  by hand")
        assert "Pin team.md" in host.text
        assert "pin-a0003" not in host.text


async def test_what_is_undone_already_offers_no_undo() -> None:
    async with running(applied()) as host:
        await at_history(host)
        await host.press("G", "U")
        assert not any(call.startswith("weigh") for call in host.store.calls)


async def test_a_clash_is_shown_and_nothing_is_forced() -> None:
    store = applied()
    store.clashing = True
    async with running(store) as host:
        await at_history(host)
        await host.press("U")
        await host.sees("edited since")
        assert "cannot be undone as things stand" in host.text
        assert not any(call.startswith("undo") for call in store.calls)


async def test_an_empty_history_says_so() -> None:
    async with running() as host:
        await host.sees("0 of 5 decided")
        await host.press("H")
        await host.sees("Nothing was applied yet")
        await host.press("U", "j", "q")
        assert host.app.screen is host.screen
