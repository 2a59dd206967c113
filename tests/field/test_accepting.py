"""Only a person accepts, from every door alike, once for good, and into the store that the proposal names."""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import dreamreview
from dreamreview.cli.main import run
from dreamreview.errors import UsageError
from dreamreview.model.review import Op, State
from dreamreview.settings import Settings
from dreamreview.tui.app import DreamReviewApp
from dreamreview.tui.surroundings import Surroundings
from dreamreview.workspace import Workspace
from tests.tui.host import Clock, Host
from tests.workspace.stores import FOREIGN, accept_all, lay, leave_copy, memory, reviewed, texts, workspace

BEFORE = {"tides.md": b"- High water stands on the board at the quay.\n"}
AFTER = {"tides.md": b"- High water stands on the board at the quay.\n- The board is wiped on Mondays.\n"}
TWICE = {
    "a.md": b"- The second boiler is drained before the first frost.\n",
    "b.md": b"- The second boiler is drained before the first frost.\n- Keys hang left.\n",
}


@pytest.fixture(autouse=True)
def _own_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DREAMREVIEW_CONFIG", "DREAMREVIEW_FOLDER", "DREAMREVIEW_NOW", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))


# --- nobody but a person -------------------------------------------------------------------------------

DECIDES = {"reviews", "transaction", "journal", "history", "records", "decisions", "review", "workspace", "daemon"}


def _imported(source: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dreamreview"):
            names |= {*(node.module or "").split("."), *(alias.name for alias in node.names)}
        if isinstance(node, ast.Import):
            names |= {part for alias in node.names for part in alias.name.split(".")}
    return names


@pytest.mark.parametrize(
    "module", sorted((Path(dreamreview.__file__).parent / "dream").glob("*.py")), ids=lambda p: p.stem
)
def test_nothing_that_dreams_can_reach_what_decides_or_writes(module: Path) -> None:
    assert _imported(module) & DECIDES == set()


def test_a_dream_decides_nothing_and_writes_nothing(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", TWICE)
    before = memory(folder)
    opened = workspace(folder)
    made = opened.dream()
    assert made.proposal is not None
    review = opened.open(made.proposal)
    assert review.counts.undecided == review.counts.changes > 0
    assert not (folder / ".dreamreview" / "reviews" / f"{made.proposal}.jsonl").exists()
    assert opened.apply().apply is None
    assert memory(folder) == before


def test_a_copy_that_brings_its_own_decisions_is_undecided(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", BEFORE, AFTER)
    (change,) = review.proposal.changes
    line = {
        "v": 1,
        "n": 1,
        "at": "",
        "by": "person",
        "op": "accept",
        "on": change.id,
        "seen": review.card(change.id).seen,
    }
    copy = tmp_path / "s" / ".dream-proposals" / FOREIGN
    log = f"{json.dumps(line)}\n".encode()
    lay(copy, {f".dreamreview/reviews/{FOREIGN}.jsonl": log, f"reviews/{FOREIGN}.jsonl": log})
    again = opened.open(FOREIGN)
    assert again.review.of[change.id].state is State.UNDECIDED
    assert opened.apply(FOREIGN).apply is None
    assert texts(tmp_path / "s") == BEFORE


def test_a_manifest_that_calls_itself_accepted_and_applied_is_undecided(tmp_path: Path) -> None:
    folder = lay(tmp_path / "s", TWICE)
    opened = workspace(folder)
    name = opened.dream().proposal
    assert name is not None
    path = folder / ".dream-proposals" / name / ".dream-manifest.json"
    shape = json.loads(path.read_text())
    shape["status"] = "applied"
    for change in shape["changes"]:
        change |= {"state": "accepted", "applied": "a1", "choice": "A"}
    path.write_text(json.dumps(shape))
    review = opened.open(name)
    assert review.counts.undecided == review.counts.changes > 0
    assert [line.status for line in opened.proposals()] == ["ready"]
    assert opened.apply(name).apply is None
    assert texts(folder) == TWICE


# --- from every door -----------------------------------------------------------------------------------


def _command(monkeypatch: pytest.MonkeyPatch, *words: str, stdin: str = "") -> int:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        return run(list(words))


Door = Callable[[Path, str, pytest.MonkeyPatch], Awaitable[None]]


async def _by_command(folder: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _command(monkeypatch, "decide", str(folder), FOREIGN, "--accept", change) == 0
    assert _command(monkeypatch, "apply", str(folder), "--yes") == 0


async def _by_document(folder: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = workspace(folder).open(FOREIGN).card(change).seen
    shape = {"id": FOREIGN, "changes": [{"id": change, "state": "accepted", "choice": None, "seen": seen}]}
    assert _command(monkeypatch, "decide", str(folder), FOREIGN, "--from", "-", stdin=json.dumps(shape)) == 0
    assert _command(monkeypatch, "apply", str(folder), "--yes") == 0


async def _by_line(folder: Path, _change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _command(monkeypatch, "review", str(folder), "--plain", stdin="a\ny\n") == 0


async def _in_the_app(folder: Path, key: str) -> None:
    opened = Workspace(folder, Settings())
    app = DreamReviewApp(Surroundings(opened, Clock()), watch=None)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        host = Host(app, pilot, opened)  # type: ignore[arg-type]
        await host.sees("0 of 1 decided")
        await host.press(key)
        await host.until(lambda: any(words in host.text for words in ("1 of 1 decided", "y yes", "press it again")))
        if "press it again" in host.text:  # it was still read when the key came
            await host.press(key)
            await host.until(lambda: "1 of 1 decided" in host.text or "y yes" in host.text)
        if "y yes" in host.text:  # what takes something away is asked about
            await host.press("y")
        await host.sees("1 of 1 decided")
        await host.press("ctrl+s")
        await host.sees("y writes")
        await host.press("y")
        await host.sees("U undoes it now")


async def _by_key(folder: Path, _change: str, _monkeypatch: pytest.MonkeyPatch) -> None:
    await _in_the_app(folder, "a")


async def _by_group(folder: Path, _change: str, _monkeypatch: pytest.MonkeyPatch) -> None:
    await _in_the_app(folder, "A")


@pytest.mark.parametrize("door", [_by_command, _by_document, _by_line, _by_key, _by_group])
async def test_an_accept_works_from_every_door(door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, review = reviewed(tmp_path / "s", BEFORE, AFTER)
    await door(tmp_path / "s", review.proposal.changes[0].id, monkeypatch)
    assert texts(tmp_path / "s") == AFTER


# --- once for good -------------------------------------------------------------------------------------


def test_what_was_accepted_and_applied_is_not_raised_again(tmp_path: Path) -> None:
    opened = workspace(lay(tmp_path / "s", TWICE))
    review = opened.open(opened.dream().proposal)
    accept_all(review)
    assert opened.apply().apply == "a1"
    after = texts(tmp_path / "s")
    assert opened.dream().proposal is None
    assert texts(tmp_path / "s") == after


def test_what_is_accepted_and_not_yet_applied_stays_so_over_the_next_dream(tmp_path: Path) -> None:
    opened = workspace(lay(tmp_path / "s", TWICE))
    name = opened.dream().proposal
    accept_all(opened.open(name))
    (tmp_path / "s" / "c.md").write_text(
        "- The mast light is changed every spring.\n- The mast light is changed every spring.\n"
    )
    opened.dream()
    review = opened.open(name)
    assert {one.state for one in review.review.of.values()} == {State.ACCEPTED}
    fingerprints = [
        {change.fingerprint for change in opened.open(line.id).proposal.changes} for line in opened.proposals()
    ]
    assert len(set().union(*fingerprints)) == sum(map(len, fingerprints))


def test_another_copy_that_suggests_what_was_accepted_suggests_nothing(tmp_path: Path) -> None:
    opened, review = reviewed(tmp_path / "s", BEFORE, AFTER)
    accept_all(review)
    assert opened.apply().apply == "a1"
    again = opened.open(leave_copy(tmp_path / "s", AFTER, "20260916T090000000"))
    assert again.proposal.changes == ()
    assert opened.open(FOREIGN).counts.undecided == 0


# --- into the right store ------------------------------------------------------------------------------


def test_two_stores_with_a_proposal_of_the_same_name_are_kept_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, one = reviewed(tmp_path / "one", BEFORE, AFTER)
    reviewed(tmp_path / "two", BEFORE, AFTER)
    change = one.proposal.changes[0].id
    monkeypatch.chdir(tmp_path / "two")
    monkeypatch.setenv("DREAMREVIEW_FOLDER", str(tmp_path / "two"))
    assert _command(monkeypatch, "decide", str(tmp_path / "one"), FOREIGN, "--accept", change) == 0
    assert workspace(tmp_path / "two").open(FOREIGN).counts.accepted == 0
    assert _command(monkeypatch, "apply", str(tmp_path / "one"), FOREIGN, "--yes") == 0
    assert texts(tmp_path / "one") == AFTER
    assert texts(tmp_path / "two") == BEFORE


def test_a_proposal_of_another_store_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    _, review = reviewed(tmp_path / "one", BEFORE, AFTER)
    lay(tmp_path / "two", BEFORE)
    change = review.proposal.changes[0].id
    assert _command(monkeypatch, "decide", str(tmp_path / "two"), FOREIGN, "--accept", change) == 2
    assert _command(monkeypatch, "apply", str(tmp_path / "two"), FOREIGN, "--yes") == 2
    assert FOREIGN in capfd.readouterr().err
    assert texts(tmp_path / "two") == BEFORE
    with pytest.raises(UsageError):
        workspace(tmp_path / "two").open(FOREIGN).decide(Op.ACCEPT, change)


def test_an_accept_goes_to_the_store_whose_proposal_was_opened(tmp_path: Path) -> None:
    one, review = reviewed(tmp_path / "one", BEFORE, AFTER)
    two, other = reviewed(tmp_path / "two", BEFORE, AFTER)
    accept_all(review)
    other.refresh()
    assert other.counts.accepted == 0
    assert two.apply().apply is None
    assert one.apply().apply == "a1"
    assert (texts(tmp_path / "one"), texts(tmp_path / "two")) == (AFTER, BEFORE)
