"""The local engine obeys a stop and its budget, and tells how far it is."""

from __future__ import annotations

import itertools
from datetime import date
from functools import partial
from types import SimpleNamespace

import pytest

from dreamreview.dream.cycle import LocalEngine
from dreamreview.dream.engine import Corpus, DreamCancelledError, Progress, Task
from dreamreview.model.budget import Budget
from dreamreview.model.markdown import parse

FILES = {
    "MEMORY.md": "- [Boat](boat.md): the boat\n- [Gone](gone.md): nothing\n",
    "boat.md": "# Boat\n\n- The mooring costs 84 EUR a month.\n- Fuel is sold at the east pier.\n"
    "- The mooring costs 84 EUR a month.\n",
}
CORPUS = Corpus({path: parse(path, text.encode()) for path, text in FILES.items()}, frozenset(FILES), date(2026, 9, 1))


def test_it_needs_no_copy_no_model_and_no_money() -> None:
    engine = LocalEngine()
    assert (engine.name, engine.model, engine.needs_copy) == ("local", None, False)
    assert engine.estimate(Task(CORPUS)) is None


def test_it_tells_each_phase_and_what_was_found_by_then() -> None:
    told: list[Progress] = []
    dreamt = LocalEngine().dream(Task(CORPUS, on_progress=told.append))
    assert [draft.kind.value for draft in dreamt.drafts] == ["merge", "index"]
    assert {progress.phase for progress in told} == {"gather", "consolidate", "prune", "index"}
    assert [progress.changes for progress in told] == sorted(progress.changes for progress in told)
    assert told[-1].changes == 2
    assert dreamt.warnings == ()


def test_a_stop_keeps_nothing() -> None:
    with pytest.raises(DreamCancelledError):
        LocalEngine().dream(Task(CORPUS, is_cancelled=lambda: True))


def test_when_its_seconds_are_over_it_ends_with_what_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = LocalEngine().dream(Task(CORPUS)).drafts
    for over_at in range(1, 200):
        clock = itertools.count()
        monkeypatch.setattr("dreamreview.dream.cycle.time", SimpleNamespace(monotonic=partial(next, clock)))
        dreamt = LocalEngine().dream(Task(CORPUS, budget=Budget(seconds=over_at)))
        assert set(dreamt.drafts) <= set(whole)
        if not dreamt.warnings:
            assert dreamt.drafts == whole
            break
        (warning,) = dreamt.warnings
        assert warning.startswith(f"the budget of {over_at} second")
        assert ": the next dream goes on with " in warning
    assert 3 < over_at < 199


def test_no_more_is_asked_once_the_seconds_are_over() -> None:
    dreamt = LocalEngine().dream(Task(CORPUS, budget=Budget(seconds=1e-9)))
    assert dreamt.drafts == ()
    assert dreamt.warnings == (
        "the budget of 1e-09 seconds is reached: the next dream goes on with gather, consolidate, prune, index",
    )
