"""How the titles of changes stand in the list: told apart at every width."""

from __future__ import annotations

from dreamreview.model.proposal import Kind
from dreamreview.tui.outline import leads_of, twins_of, without_lead
from tests.tui.fake import FakeReview, FakeWorkspace, change, edit, proposal, workspace
from tests.tui.host import Host, running


def store(*titles: str, path: str = "notes/kiln.md") -> FakeWorkspace:
    given = [
        change(f"m{at}", Kind.MERGE, title, edit("e1", path.replace("kiln", f"kiln{at}"), 0, "a\n", "b\n"))
        for at, title in enumerate(titles)
    ]
    return workspace(FakeReview(proposal(given=given)))


def listed(host: Host) -> list[str]:
    return [line.split("▕")[0].rstrip() for line in host.text.splitlines()[2:-1] if line.split("▕")[0].strip()]


def test_a_lead_is_what_several_titles_begin_with() -> None:
    titles = ["Say it once: the kiln", "Say it once: the rack", "Expired: till", "Which holds? Ten", "Which holds? Two"]
    assert leads_of(titles) == {"Say it once: ", "Which holds? "}
    assert leads_of([f"{'long ' * 9}: one", f"{'long ' * 9}: two"]) == frozenset()
    assert twins_of(["a", "b", "a"]) == {"a"}


async def test_a_title_that_is_too_long_is_told_without_the_words_that_others_begin_with_too() -> None:
    async with running(store("Say it once: the small kiln fires hot", "Say it once: Ann")) as host:
        await host.sees("0 of 2 decided")
        assert listed(host) == [" ○  … the small kiln fire…", " ○  Say it once: Ann"]


def test_a_lead_goes_where_others_have_it_or_where_the_title_leaves_out_what_follows_it() -> None:
    assert without_lead("Say it once: the kiln", {"Say it once: "}) == "the kiln"
    assert without_lead("Which holds? …on port 9443.", frozenset()) == "…on port 9443."
    assert without_lead("Which holds? Port 9443", frozenset()) == "Which holds? Port 9443"
    assert without_lead(f"{'long ' * 9}? …on", frozenset()) == f"{'long ' * 9}? …on"


async def test_a_title_that_leaves_out_its_beginning_shows_where_its_sides_differ() -> None:
    titles = (
        "Which holds? …the harbour listens for pings on port 9443.",
        "Which holds? …pings on port 9443 and answers each…",
    )
    async with running(store(*titles)) as host:
        await host.sees("0 of 2 decided")
        assert listed(host) == [" ○  …pings on port 9443.", " ○  …pings on port 9443 a…"]


async def test_a_lead_of_one_title_alone_stays() -> None:
    async with running(store("Say it once: the small kiln fires hot", "Ann")) as host:
        await host.sees("0 of 2 decided")
        assert listed(host)[0] == " ○  Say it once: the smal…"


async def test_titles_that_are_alike_are_told_apart_by_their_files() -> None:
    async with running(store("Planted order to the agent", "Planted order to the agent")) as host:
        await host.sees("0 of 2 decided")
        assert listed(host) == [" ○  Planted o…  n…kiln0.md", " ○  Planted o…  n…kiln1.md"]


async def test_a_title_stands_with_its_file_where_there_is_room() -> None:
    async with running(store("Tea", "See kiln1.md", path="kiln.md"), size=(200, 30)) as host:
        await host.sees("0 of 2 decided")
        assert listed(host) == [" ○  Tea  kiln0.md", " ○  See kiln1.md"]
        await host.press("o")
        assert listed(host) == [" ○  merge Tea", "▾○  kiln1.md 0/1", " ○  merge See kiln1.md"]
