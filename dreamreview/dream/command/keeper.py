"""A process between us and a command: it ends the command, and all that came of it, when it ends or when we do.

Run as a script of its own, not imported: ``python -I -S keeper.py LIFELINE PROGRAM ARGUMENT ..``, where LIFELINE is the
number of a descriptor that reads as ended once the command has to stop, also because we were killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

GRACE = 2.0
"""Seconds between asking a command to end and ending it."""
NOT_RUN = 127
"""Exit status where the program could not be run, as of a shell."""

_ADOPT = 36
"""PR_SET_CHILD_SUBREAPER of Linux: what a command leaves behind becomes a child of ours."""
_ROUNDS = 1000


def keep(lifeline: int, command: list[str]) -> int:
    """Run a command until it ends or the lifeline does, and return its exit status, 128 and more for a signal."""
    _adopt()
    try:
        child = subprocess.Popen(command, start_new_session=True)
    except (OSError, ValueError) as error:
        os.write(2, f"it cannot be run: {getattr(error, 'strerror', None) or error}\n".encode("utf-8", "replace"))
        return NOT_RUN
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    threading.Thread(target=_stop_with, args=(lifeline, child), daemon=True).start()
    status = child.wait()
    _signal(child.pid, signal.SIGKILL)
    _end_orphans()
    return status if status >= 0 else 128 - status


def _stop_with(lifeline: int, child: subprocess.Popen[bytes]) -> None:
    """Wait for the end of the lifeline, then end the command."""
    while os.read(lifeline, 1):
        pass
    _signal(child.pid, signal.SIGTERM)
    deadline = time.monotonic() + GRACE
    while child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    _signal(child.pid, signal.SIGKILL)


def _signal(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except OSError:
        return


def _adopt() -> None:
    try:
        import ctypes

        ctypes.CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)
    except (OSError, AttributeError, ImportError):
        return


def _end_orphans() -> None:
    """End what left the command's session, as far as the system tells who that is."""
    for _ in range(_ROUNDS):
        try:
            with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
                orphans = [int(number) for number in file.read().split()]
        except (OSError, ValueError):
            return
        if not orphans:
            return
        for orphan in orphans:
            try:
                os.kill(orphan, signal.SIGKILL)
                os.waitpid(orphan, 0)
            except OSError:
                continue


if __name__ == "__main__":
    # A stop of the terminal is for the program that we belong to, which then lets the lifeline go.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(keep(int(sys.argv[1]), sys.argv[2:]))
