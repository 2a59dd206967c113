"""How a call that may take minutes is waited for, so that a stop is obeyed at once all the same."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

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
    task = _Apart(work, errors)
    threading.Thread(target=task.run, daemon=True, name="claude").start()
    try:
        while True:
            check()
            try:
                number = task.said.get(timeout=SLICE)
            except queue.Empty:
                continue
            if number is None:
                return task.result()
            hear(number)
    finally:
        task.is_left.set()


class _Apart(Generic[T]):
    """Work in a thread of its own."""

    def __init__(self, work: Callable[[Callable[[int], None]], T], errors: tuple[type[Exception], ...]) -> None:
        self._work = work
        self._errors = errors
        self._results: list[T] = []
        self._failure: Exception | None = None
        self.said: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        """What it says; None when it is over."""
        self.is_left = threading.Event()

    def run(self) -> None:
        try:
            self._results.append(self._work(self._tell))
        except self._errors as error:
            self._failure = error
        except LeftError:
            return
        finally:
            self.said.put(None)

    def result(self) -> T:
        if self._failure is not None:
            raise self._failure
        for result in self._results:
            return result
        raise LostError

    def _tell(self, number: int) -> None:
        if self.is_left.is_set():
            raise LeftError
        self.said.put(number)
