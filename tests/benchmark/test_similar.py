from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest


def test_the_engine_finds_what_generated_notes_say_twice_and_little_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    texts, planted = import_module("notes").notes(1_000, 50)
    assert len(texts) == 1_000
    assert len(planted) == 50
    found = import_module("similar").by_engine(texts, planted)
    assert len(found & planted) >= 0.95 * len(planted)
    assert len(found & planted) >= 0.95 * len(found)


def test_generated_notes_are_the_same_for_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    notes = import_module("notes").notes
    assert notes(200, 10) == notes(200, 10)
    assert notes(200, 10) != notes(200, 10, seed=12)
