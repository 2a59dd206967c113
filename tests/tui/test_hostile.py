"""Text that wants to be more than text: it is drawn as marks, wherever it stands."""

from __future__ import annotations

import re

import pytest

from dreamreview.errors import DreamReviewError
from dreamreview.model.derived import Derived, Moved
from dreamreview.model.proposal import Act, Change, FileEdit, Kind, Option
from dreamreview.tui.screens.review.screen import ReviewScreen
from dreamreview.workspace.values import HistoryLine, Stale
from tests.tui.fake import FakeReview, FakeWorkspace, change, edit, evidence, lines, proposal, workspace
from tests.tui.host import running

NASTY = (
    "[/] [@click=app.quit]x[/] [b]bold [link=file:///etc]l[/link] - [x] done [[wiki]] "
    "\x1b[2J\x1b]52;c;aGk=\x07 \x1b[8m hid \x9b31m \x08\x07\x7f \u202eright to left\u202c \u200bzero \ufeff \U000e0041"
)
TOUR = ("", "ctrl+d", "] s", "v", "escape J", "t", "t", "w", "i", "escape b", "escape h", "A", "enter", "?")
RAW = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")


def nasty_changes() -> tuple[Change, ...]:
    name = f"notes/{NASTY.replace('/', '_')}.md"
    sides = (
        Option("A", NASTY, (evidence(name, 1, NASTY, NASTY),), (edit("A1", name, 3, f"{NASTY}\n", ""),)),
        Option("B", NASTY, (evidence(name, 2, NASTY),), (edit("B1", name, 4, f"{NASTY}\n", f"{NASTY} new\n"),)),
    )
    return (
        change(
            "m1",
            Kind.MERGE,
            NASTY,
            edit("e1", name, 0, f"{NASTY}\n", f"{NASTY} more\r\nand\tmore\n"),
            reason=NASTY,
            evidence=(evidence(name, 1, f"{NASTY}\n{NASTY}"),),
            flags=(NASTY, "secret"),
        ),
        change("c1", Kind.CONFLICT, NASTY, reason=NASTY, options=sides, suggested="A"),
        change(
            "p1", Kind.PRUNE, NASTY, FileEdit("e1", "old" + name, act=Act.DELETE, old=lines(f"{NASTY}\n"), mode=0o644)
        ),
    )


def nasty_store() -> FakeWorkspace:
    given = nasty_changes()
    name = given[0].edits[0].path
    review = FakeReview(
        proposal(given=given),
        files={name: f"{NASTY}\nx\ny\n{NASTY}\n{NASTY}\n"},
        stale={"m1": Stale(NASTY, NASTY, NASTY)},
        derived={"m1": Derived(vanishing=(NASTY,), moved=(Moved(name, 1, NASTY, 2),))},
        warnings=(NASTY,),
    )
    store = workspace(review)
    store.folder = f"/memory/{NASTY}"
    store.missing = NASTY
    store.applies = [HistoryLine(NASTY, NASTY, NASTY, (NASTY,), undone=False)]
    return store


def assert_harmless(text: str) -> None:
    assert RAW.findall(text.replace("\n", "")) == []


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_no_screen_draws_anything_raw(size: tuple[int, int]) -> None:
    async with running(nasty_store(), size=size) as host:
        await host.sees("0 of 3 dec")
        for keys in (
            "",
            "ctrl+d",
            "] s",
            "v",
            "escape J",
            "t",
            "t",
            "w",
            "i",
            "escape b",
            "escape h",
            "A",
            "enter",
            "?",
        ):
            await host.press(*keys.split())
            assert_harmless(host.text)
        await host.press("escape", "l", "o", "e")
        assert_harmless(host.text)
        await host.press("escape", "escape", "H")
        await host.until(lambda: "reading" not in host.text)
        assert_harmless(host.text)
        await host.press("q", "a", "ctrl+s")
        await host.until(lambda: "Working out" not in host.text)
        assert_harmless(host.text)
        await host.press("enter", "q")
        await host.until(lambda: "pending" in host.text)
        assert_harmless(host.text)


async def test_brackets_stay_brackets() -> None:
    async with running(nasty_store(), size=(200, 40)) as host:
        await host.sees("0 of 3 decided")
        assert "[/] [@click=app.quit]x[/] [b]bold" in host.text
        assert "- [x] done [[wiki]]" in host.text


async def test_an_error_with_controls_is_told_without_them() -> None:
    store = nasty_store()
    async with running(store, size=(120, 30)) as host:
        await host.sees("0 of 3 decided")
        store.problem = DreamReviewError(NASTY)
        await host.press("ctrl+s")
        await host.until(lambda: "did not work" in host.text)
        assert_harmless(host.text)
        await host.press("enter", "q")
        await host.until(lambda: not isinstance(host.app.screen, ReviewScreen))
        await host.until(lambda: "[@click=app.quit]" in host.text)
        assert_harmless(host.text)
        assert host.app.is_running


async def test_secrets_are_masked_wherever_they_stand() -> None:
    token = "ghp_" + "Zq3v8Lw2Xk9Rb4Tn6Ys1Pd7Fm5Hc0JgUaVe"
    body = "MIIEpAIBAAKCAQEA7qlongbodyline\nabcdefghijklmnop\n"
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\n"
    given = [
        change(
            "r1",
            Kind.REDACT,
            f"Token {token}",
            edit("e1", "ops.md", 0, f"token: {token}\n", f"token: {token} (old)\n"),
            edit("e2", "ops.md", 1, key, ""),
            reason=f"It holds {token}",
            evidence=(evidence("ops.md", 1, f"token: {token}"),),
        )
    ]
    review = FakeReview(proposal(given=given), files={"ops.md": f"token: {token}\n{key}"})
    async with running(workspace(review), size=(120, 40)) as host:
        await host.sees("0 of 1 decided")
        for keys in ("", "b", "escape i", "escape e"):
            await host.press(*keys.split())
            assert token not in host.text.replace("\n", "")
            assert "MIIEpAIBAAKCAQEA7qlongbodyline" not in host.text
