from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dreamreview.tui.inbox.drawing import advice, draw_proposal, draw_store, facts, prospects, totals
from dreamreview.tui.inbox.stores import Offered, StoreState, most_urgent_first, only, states
from dreamreview.tui.inert import Part
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace.values import ProposalLine, Status
from tests.tui.fake import FakeReview, FakeWorkspace, proposal, workspace

STATUS = Status("/memory", 1, 5, "2026-03-01T09:00:00Z", "completed", "2026-03-02T09:00:00Z", None, None)


def state(store: FakeWorkspace | None = None, label: str = "~/api") -> StoreState:
    around = Surroundings(store or workspace(), lambda: 0.0)
    return StoreState("s0", Offered(around.workspace.folder, lambda: around, label, "Claude Code"))


def read(found: StoreState) -> int:
    around = found.offered.enter()
    return found.take(around, around.workspace.status(), around.workspace.proposals())


def text(parts: object) -> str:
    assert isinstance(parts, (tuple, list))
    return "".join(part.text for part in parts if isinstance(part, Part))


def test_only_what_comes_later_is_new() -> None:
    store = FakeWorkspace()
    found = state(store)
    assert read(found) == 0
    for name in ("20260301T090000000", "20260302T090000000"):
        store.reviews[name] = FakeReview(proposal(name))
    assert read(found) == 2
    assert read(found) == 0


def test_what_came_back_after_a_failure_is_not_new() -> None:
    found = state()
    read(found)
    found.fail("permission denied")
    assert (found.waiting, found.is_looked_at, found.status) == ([], True, None)
    assert read(found) == 0
    assert found.problem == ""


def test_closed_proposals_are_listed_on_demand_and_broken_ones_always() -> None:
    found = state(FakeWorkspace())
    read(found)
    counts = FakeReview(proposal()).counts
    for name, status, problem in (("p3", "ready", None), ("p2", "applied", None), ("p1", "ready", "it is torn")):
        found.proposals[name] = ProposalLine(name, status, "2026-03-01T09:00:00Z", "local", counts, problem)
    assert [line.id for line in found.shown(hides_closed=True)] == ["p3", "p1"]
    assert [line.id for line in found.shown(hides_closed=False)] == ["p3", "p2", "p1"]
    assert [line.id for line in found.waiting] == ["p3"]


@given(st.lists(st.sampled_from(["waits", "fails", "rests"]), max_size=12))
def test_what_waits_comes_first_then_what_is_broken_else_the_order_given(kinds: list[str]) -> None:
    found = list(states([only(Surroundings(workspace(), lambda: 0.0))] * len(kinds)).values())
    for store, kind in zip(found, kinds, strict=True):
        if kind == "waits":
            read(store)
        elif kind == "fails":
            store.fail("no")
    ranked = {"waits": 0, "fails": 1, "rests": 2}
    order = [int(store.key[1:]) for store in most_urgent_first(found)]
    assert order == sorted(range(len(kinds)), key=lambda place: ranked[kinds[place]])


def test_a_row_tells_what_waits_what_is_stale_and_who_holds_the_store() -> None:
    found = state()
    read(found)
    line = next(iter(found.proposals.values()))
    found.proposals = {line.id: replace(line, counts=replace(line.counts, stale=2))}
    found.status = replace(STATUS, locked_by="another program", last_status="failed")
    row = text(draw_store(found, 8, 200, is_dreaming=False))
    assert row.startswith("● ~/api     1 pending · 5 undecided · 2 stale · held · last dream failed  Claude Code")
    assert row.endswith(" · last dream 2026-03-01 09:00")
    assert " · dreaming · last dream failed  Claude Code" in text(draw_store(found, 8, 80, is_dreaming=True))
    assert "5 changes, 5 undecided, 2 stale  local" in text(draw_proposal(found.proposals[line.id]))
    assert text(draw_proposal(found.proposals[line.id], width=40)).endswith("  5/5 undecided, 2 stale")


def test_a_row_of_a_store_that_fails_does_not_say_twice_where_it_lies() -> None:
    found = state()
    assert text(draw_store(found, 8, 80, is_dreaming=False)) == "… ~/api     reading …"
    found.fail("/memory does not exist; name a folder of markdown files")
    row = text(draw_store(found, 8, 80, is_dreaming=False))
    assert row == "! ~/api     does not exist; name a folder of markdown files"


def test_how_far_it_is_to_the_next_dream_is_told_in_words() -> None:
    found = state()
    read(found)
    found.status = replace(STATUS, missing="0 of 5 sessions", warnings=("p1: torn", "the state was set aside"))
    found.proposals = {"p1": next(iter(found.proposals.values()))}
    assert text(list(prospects(found))) == (
        "no dream due: 0 of 5 sessions since then · D dreams anyway · the state was set aside"
    )
    assert text(list(facts(found, with_counts=False))) == "last dream 2026-03-01 09:00 (completed)"
    assert text(list(facts(found, with_counts=True))).startswith("1 pending · 5 undecided · last dream")


def test_whether_a_dream_is_due_is_told_beside_the_key_that_dreams() -> None:
    found = state()
    read(found)
    found.status = replace(STATUS, last_dream=None, missing="0 of 5 sessions")
    assert text(list(prospects(found))) == "no dream due: 0 of 5 sessions · D dreams anyway"
    found.status = replace(found.status, locked_by="an apply")
    assert text(list(prospects(found))) == "held by an apply · no dream due: 0 of 5 sessions"
    found.status = STATUS
    assert text(list(prospects(found))) == "a dream is due: D dreams"


def test_totals_count_what_is_known_and_say_what_is_not_yet() -> None:
    found = list(states([only(Surroundings(workspace(), lambda: 0.0))] * 4).values())
    read(found[0])
    read(found[1])
    found[2].fail("no")
    assert text(list(totals(found))) == ("4 stores · 2 pending · 10 undecided · 1 cannot be read · reading 4 of 4 …")


def test_an_empty_store_says_whether_it_was_dreamed_at_all() -> None:
    for status, told in (
        (STATUS, "No proposals: the last dream suggested nothing."),
        (replace(STATUS, last_dream=None, last_status=None), "No proposals yet."),
        (replace(STATUS, last_status="failed"), "No proposals yet."),
    ):
        found = state()
        found.status = status
        assert text(next(iter(advice(found))).parts) == told


def test_who_made_a_proposal_is_told_in_words_where_it_was_no_engine() -> None:
    line = ProposalLine("p1", "ready", "2026-03-01T09:00:00Z", "watch", FakeReview(proposal()).counts)
    assert text(draw_proposal(line)).endswith("5 changes, 5 undecided  made by others  p1")
    assert text(draw_proposal(replace(line, engine="import"), width=40)).endswith("5/5 undecided  imported")
    assert text(draw_proposal(replace(line, engine="local"), width=40)).endswith("5/5 undecided")
