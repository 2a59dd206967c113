"""What an apply and an undo do to the program around them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dreamreview.errors import StoreError
from dreamreview.store.transaction import Transaction
from tests.workspace.stores import accept_all, reviewed


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    """Garbage is collected before and, whatever happens, after."""
    gc.enable()
    yield
    gc.enable()


def test_nothing_looks_for_garbage_while_an_apply_or_an_undo_is_carried_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, seen = Transaction.carry_out, []

    def carry_out(*args: Any, **more: Any) -> Any:
        seen.append(gc.isenabled())
        return real(*args, **more)

    monkeypatch.setattr(Transaction, "carry_out", carry_out)
    store, review = reviewed(tmp_path, {"a.md": b"a\n"}, {"a.md": b"A\n"})
    accept_all(review)
    store.apply()
    assert gc.isenabled()
    store.undo()
    assert gc.isenabled()
    assert seen == [False, False]


def test_garbage_is_looked_for_again_after_an_apply_that_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: Any, **_more: Any) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(Transaction, "carry_out", fail)
    store, review = reviewed(tmp_path, {"a.md": b"a\n"}, {"a.md": b"A\n"})
    accept_all(review)
    with pytest.raises(StoreError, match="the disk is full"):
        store.apply()
    assert gc.isenabled()


def test_who_collects_no_garbage_is_left_in_peace(tmp_path: Path) -> None:
    store, review = reviewed(tmp_path, {"a.md": b"a\n"}, {"a.md": b"A\n"})
    accept_all(review)
    gc.disable()
    store.apply()
    assert not gc.isenabled()
