"""Whole invented stores with answer keys: English, German, Russian, Chinese and Japanese, in four layouts."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from dreamreview.cli.evaluation import key as keys
from dreamreview.cli.evaluation.scoring import Evaluation, Score, evaluate
from dreamreview.model.proposal import Kind
from dreamreview.model.review import Op
from tests.workspace.stores import workspace

STORES = Path(__file__).parent / "stores"
FOUND = {"bakery": 0.6, "lastenraeder": 0.75, "pristan": 0.8, "teahouse": 0.8, "tool-library": 0.9}
"""Share of the duplicates of each store that has to be found."""
NAMES = sorted(FOUND)


@pytest.fixture(scope="session")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Evaluation]:
    """Return how a dream of each store fares against its key."""
    return {name: _evaluated(name, tmp_path_factory.mktemp(name) / "store") for name in NAMES}


def _evaluated(name: str, folder: Path) -> Evaluation:
    shutil.copytree(STORES / name, folder)
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    changes = review.proposal.changes
    merges = [change for change in changes if change.kind is Kind.MERGE]
    index = folder / "MEMORY.md"
    lines = index.read_text(encoding="utf-8").split("\n") if index.exists() else []
    return evaluate(changes, _key(name), lines, opened.text_with(review, merges))


@cache
def _key(name: str) -> keys.Key:
    return keys.parse((STORES / f"{name}.key.json").read_bytes(), name)


def _score(found: Evaluation, name: str) -> Score:
    return next(score for score in found.scores if score.name == name)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_merged_that_says_something_else_and_no_literal_is_lost(
    name: str, evaluated: dict[str, Evaluation]
) -> None:
    found = evaluated[name]
    assert _score(found, "duplicates").wrong == ()
    assert found.false_merges == ()
    assert found.lost == ()


@pytest.mark.parametrize("name", NAMES)
def test_most_of_what_is_said_twice_is_found(name: str, evaluated: dict[str, Evaluation]) -> None:
    recall = _score(evaluated[name], "duplicates").recall
    assert recall is not None
    assert recall >= FOUND[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_conflict_is_one_and_suggests_the_side_that_wins(name: str, evaluated: dict[str, Evaluation]) -> None:
    assert _score(evaluated[name], "conflicts").wrong == ()
    assert evaluated[name].wrong_winners == ()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("what", ["stale", "relative_dates", "secrets", "instructions", "index"])
def test_the_rest_is_found_to_the_line(name: str, what: str, evaluated: dict[str, Evaluation]) -> None:
    score = _score(evaluated[name], what)
    assert score.missed == ()
    assert score.wrong == ()


@pytest.mark.parametrize("name", NAMES)
def test_a_store_whose_changes_are_all_accepted_comes_to_rest(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    shutil.copytree(STORES / name, folder)
    opened = workspace(folder)
    for _ in range(3):
        if opened.dream().proposal is None:
            return
        review = opened.open()
        for change in review.proposal.changes:
            if change.options:
                review.decide(Op.CHOOSE, change.id, choice=change.suggested or "A")
            else:
                review.decide(Op.ACCEPT, change.id)
        opened.apply()
    assert opened.dream().proposal is None


@pytest.mark.parametrize("name", NAMES)
def test_what_is_settled_is_not_raised_again_and_what_is_rejected_stays_so(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    shutil.copytree(STORES / name, folder)
    opened = workspace(folder)
    opened.dream()
    review = opened.open()
    prints = {change.fingerprint for change in review.proposal.changes}
    for number, change in enumerate(review.proposal.changes):
        if number % 3 == 0:
            review.decide(Op.REJECT, change.id)
        elif change.options:
            review.decide(Op.CHOOSE, change.id, choice="A")
        else:
            review.decide(Op.ACCEPT, change.id)
    assert opened.apply().stale == ()
    again = opened.dream()
    if again.proposal is not None:
        assert prints.isdisjoint(change.fingerprint for change in opened.open(again.proposal).proposal.changes)
