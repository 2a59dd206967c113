"""Dream, decide, apply, undo: the folder comes back to the byte, and what was settled is not raised again."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from dreamreview.cli.main import run
from dreamreview.model.review import Op, State
from dreamreview.workspace import Decision, OpenReview
from tests.workspace.stores import LAYOUTS, Memory, lay, left_over, memory, workspace

KINDS = {
    "typed": {"conflict", "merge", "date", "index"},
    "daily": {"conflict", "date", "redact"},
    "bank": {"conflict", "merge"},
}

layouts = pytest.mark.parametrize("layout", sorted(LAYOUTS))


def settle_most(review: OpenReview, side: str = "A") -> set[str]:
    """Accept what takes nothing away, choose a side of each conflict, and return the fingerprints of both."""
    decisions, settled = [], set()
    for card in review.cards():
        if card.change.options:
            decisions.append(Decision(Op.CHOOSE, card.change.id, choice=side, seen=card.seen))
        elif not card.is_destructive:
            decisions.append(Decision(Op.ACCEPT, card.change.id, seen=card.seen))
        else:
            continue
        settled.add(card.change.fingerprint)
    review.decide_all(decisions)
    return settled


@layouts
@pytest.mark.parametrize("side", ["A", "B"])
def test_a_dream_applied_and_undone_leaves_the_folder_as_it_was(tmp_path: Path, layout: str, side: str) -> None:
    folder = lay(tmp_path / "store", LAYOUTS[layout])
    before = memory(folder)
    opened = workspace(folder)
    result = opened.dream()
    assert result.status == "completed"
    assert set(result.counts) >= KINDS[layout]
    assert memory(folder) == before
    settle_most(opened.open(), side)
    assert memory(folder) == before
    done = opened.apply()
    assert done.stale == ()
    assert memory(folder).keys() == before.keys()
    assert {path for path, held in memory(folder).items() if held != before[path]} == set(done.written) != set()
    undone = opened.undo()
    assert (undone.undone, undone.stale) == (done.apply, ())
    assert memory(folder) == before
    assert left_over(folder) == []


@layouts
def test_applied_changes_go_one_by_one_in_any_order(tmp_path: Path, layout: str) -> None:
    folder = lay(tmp_path / "store", LAYOUTS[layout])
    before = memory(folder)
    opened = workspace(folder)
    opened.dream()
    settle_most(opened.open())
    done = opened.apply()
    (line,) = opened.history()
    assert (line.apply, line.undone, line.undone_changes) == (done.apply, False, ())
    order = sorted(line.changes, reverse=True)
    for count, change in enumerate(order, 1):
        assert opened.undo(change=change).stale == ()
        assert set(opened.history()[0].undone_changes) == set(order[:count])
        assert (memory(folder) == before) is (count == len(order))
    assert opened.history()[0].undone


@layouts
def test_what_was_settled_is_not_proposed_again(tmp_path: Path, layout: str) -> None:
    folder = lay(tmp_path / "store", LAYOUTS[layout])
    opened = workspace(folder)
    opened.dream()
    first = opened.open()
    settled = settle_most(first)
    held = {change.fingerprint for change in first.proposal.changes}
    opened.apply()
    again = opened.dream()
    found = set() if again.proposal is None else prints(opened.open(again.proposal))
    assert settled
    assert found & settled == set()
    assert found & held == set()


@layouts
def test_what_was_undone_is_not_proposed_again(tmp_path: Path, layout: str) -> None:
    folder = lay(tmp_path / "store", LAYOUTS[layout])
    opened = workspace(folder)
    opened.dream()
    settled = settle_most(opened.open())
    opened.apply()
    opened.undo()
    assert opened.status().pending == 1
    again = opened.dream()
    found = set() if again.proposal is None else prints(opened.open(again.proposal))
    assert found & settled == set()


@layouts
def test_rejecting_everything_changes_nothing_and_teaches(tmp_path: Path, layout: str) -> None:
    folder = lay(tmp_path / "store", LAYOUTS[layout])
    before = memory(folder)
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    review.decide_all([Decision(Op.REJECT, change.id, reason="not now") for change in review.proposal.changes])
    assert opened.apply().apply is None
    assert memory(folder) == before
    assert [line.status for line in opened.proposals()] == ["discarded"]
    assert opened.dream().proposal is None


@layouts
def test_every_dream_accepted_whole_leaves_nothing_for_the_next(tmp_path: Path, layout: str) -> None:
    folder = lay(tmp_path / "store", LAYOUTS[layout])
    before = memory(folder)
    opened = workspace(folder)
    applies = settle_until_quiet(folder)
    assert opened.dream().proposal is None
    assert {line.status for line in opened.proposals()} == {"applied"}
    for apply in reversed(applies):
        assert opened.undo(apply).stale == ()
    assert memory(folder) == before


def settle_until_quiet(folder: Path) -> list[str]:
    """Accept all of every dream; a second one may take the first up (an index line of a file that goes), not more."""
    opened, applies = workspace(folder), []
    for _ in range(2):
        result = opened.dream()
        if result.proposal is None:
            break
        review = opened.open()
        review.decide_all(
            [
                Decision(Op.CHOOSE if change.options else Op.ACCEPT, change.id, "A" if change.options else None)
                for change in review.proposal.changes
            ]
        )
        done = opened.apply()
        assert done.apply is not None
        applies.append(done.apply)
    return applies


@layouts
def test_what_show_prints_follows_the_schema(
    tmp_path: Path, layout: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = lay(tmp_path / "store", LAYOUTS[layout])
    opened = workspace(folder)
    result = opened.dream()
    settle_most(opened.open())
    schema = json.loads(resources.files("dreamreview.model").joinpath("manifest.schema.json").read_bytes())
    capfd.readouterr()
    assert run(["show", str(folder), "--json"]) == 0
    shown = json.loads(capfd.readouterr().out)
    jsonschema.Draft202012Validator(schema).validate(shown)
    manifest = folder / ".dream-proposals" / str(result.proposal) / ".dream-manifest.json"
    jsonschema.Draft202012Validator(schema).validate(json.loads(manifest.read_bytes()))
    counts = shown["counts"]
    states = [counts[state.value] for state in State]
    assert counts["changes"] == sum(states) == len(shown["changes"])


def prints(review: OpenReview) -> set[str]:
    return {change.fingerprint for change in review.proposal.changes}


def test_a_dream_leaves_modes_links_and_odd_bytes_alone(tmp_path: Path) -> None:
    folder = lay(tmp_path / "store", LAYOUTS["typed"])
    lay(folder, {"odd.md": (b"\xff\xfe\x00bad\r\n\x0c", 0o640), "link.md": (b"user_gardener.md", 0o120000)})
    before: Memory = memory(folder)
    opened = workspace(folder)
    opened.dream()
    settle_most(opened.open())
    opened.apply()
    after = memory(folder)
    assert {path: mode for path, (mode, _) in after.items()} == {path: mode for path, (mode, _) in before.items()}
    assert (after["odd.md"], after["link.md"]) == (before["odd.md"], before["link.md"])
    opened.undo()
    assert memory(folder) == before
