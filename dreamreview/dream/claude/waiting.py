"""How a call that may take minutes is waited for, so that a stop is obeyed at once all the same."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

SLICE = 0.1
"""Seconds after which it is looked for a stop again."""


class LeftError(Exception):
    """Nobody waits any more: raised in the work itself, to end it."""


class LostError(Exception):
    """The work ended without a result or an error that was foreseen."""


def awaited(
    work: Callable[[Callable[[int], None]], T],
    errors: tuple[type[Exception], ...],
    check: Callable[[], None],
    hear: Callable[[int], None] = lambda _: None,
) -> T:
    """Do work in a thread of its own and return its result; whatever `check` or `hear` raise leaves it behind.

    Args:
        work: is handed what it says with how far it is.
        errors: what it may raise, and what is then raised here.
        check: is asked several times a second whether to go on.
        hear: is told what the work says.

    Raises:
        LostError: it ended in another way.
    """
    said: queue.SimpleQueue[int | None] = queue.SimpleQueue()
    results: list[T] = []
    failures: list[Exception] = []
    is_left = threading.Event()

    def tell(number: int) -> None:
        if is_left.is_set():
            raise LeftError
        said.put(number)

    def run() -> None:
        try:
            results.append(work(tell))
        except errors as error:
            failures.append(error)
        except LeftError:
            return
        finally:
            said.put(None)

    threading.Thread(target=run, daemon=True, name="claude").start()
    try:
        _follow(said, check, hear)
    finally:
        is_left.set()
    for failure in failures:
        raise failure
    for result in results:
        return result
    raise LostError


def _follow(said: queue.SimpleQueue[int | None], check: Callable[[], None], hear: Callable[[int], None]) -> None:
    while True:
        check()
        try:
            number = said.get(timeout=SLICE)
        except queue.Empty:
            continue
        if number is None:
            return
        hear(number)
