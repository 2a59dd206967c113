"""One side for all open conflicts: named first, asked for, never by accident."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dreamreview.model.review import State
from dreamreview.tui.screens.settle import SettleScreen
from tests.tui.fake import FakeReview, FakeWorkspace, changes, conflict, evidence, proposal, workspace
from tests.tui.host import Clock, Host, running


def store() -> FakeWorkspace:
    """Three conflicts: B suggested and later, none suggested, and one without days that suggests A."""
    second = replace(conflict("c2", "Who holds the spare key?"), suggested=None)
    sides = tuple(
        replace(option, evidence=(evidence("team.md", 3, option.label, None),)) for option in conflict().options
    )
    third = replace(conflict("c3", "Which tea?"), options=sides, suggested="A")
    plain = [one for one in changes() if one.id == "m1"]
    second = replace(second, options=tuple(replace(one, edits=()) for one in second.options))
    third = replace(third, options=tuple(replace(one, edits=()) for one in third.options))
    return workspace(FakeReview(proposal(given=[*plain, conflict(), second, third])))


async def at_question(host: Host) -> None:
    await host.sees("0 of 4 decided")
    await host.press("J", "C")
    assert isinstance(host.app.screen, SettleScreen)


def choices(host: Host) -> dict[str, str | None]:
    return {name: host.review.review.of[name].choice for name in ("c1", "c2", "c3")}


async def test_every_conflict_is_named_with_its_sides_before_it_is_settled() -> None:
    async with running(store(), size=(100, 40)) as host:
        await at_question(host)
        assert "Which side of 3 open conflicts stays?" in host.text
        for words in ("Which port does the relay listen on?", "Who holds the spare key?", "Which tea?"):
            assert words in host.text
        assert "A port 7001 The relay listens on 7001. B port 7044 (suggested, the later) Port 7044." in host.prose
        assert host.review.log == []


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("a", {"c1": "A", "c2": "A", "c3": "A"}),
        ("b", {"c1": "B", "c2": "B", "c3": "B"}),
        ("B", {"c1": "both", "c2": "both", "c3": "both"}),
        ("g", {"c1": "B", "c2": None, "c3": "A"}),
        ("l", {"c1": "B", "c2": "B", "c3": None}),
    ],
)
async def test_a_key_settles_all_of_them(key: str, expected: dict[str, str | None]) -> None:
    async with running(store()) as host:
        await at_question(host)
        await host.press(key)
        assert choices(host) == expected
        assert host.review.state("m1") is State.UNDECIDED


@pytest.mark.parametrize("key", ["enter", "n", "q", "escape"])
async def test_enter_and_its_like_settle_nothing(key: str) -> None:
    async with running(store()) as host:
        await at_question(host)
        await host.press(key)
        assert host.app.screen is host.screen
        assert host.review.log == []


async def test_a_key_pressed_too_early_settles_nothing() -> None:
    clock = Clock(step=0.0)
    async with running(store(), clock=clock) as host:
        await at_question(host)
        await host.press("a")
        assert isinstance(host.app.screen, SettleScreen)
        assert host.review.log == []


async def test_what_is_decided_already_is_left_alone() -> None:
    async with running(store()) as host:
        await host.sees("0 of 4 decided")
        await host.press("J", "a", "C", "b")
        assert choices(host) == {"c1": "A", "c2": "B", "c3": "B"}


async def test_what_stays_open_is_counted() -> None:
    async with running(store(), size=(120, 30)) as host:
        await at_question(host)
        await host.press("g")
        await host.sees("2 conflicts settled, 1 conflict left open")


async def test_it_is_offered_on_a_conflict_only() -> None:
    async with running(store()) as host:
        await host.sees("0 of 4 decided")
        await host.press("C")
        assert host.app.screen is host.screen
