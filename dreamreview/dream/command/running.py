"""How a command runs: without a shell, in a session of its own, for so long, and its output bounded."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

from dreamreview.dream.command import keeper

KEPT = 64 * 1024
"""Bytes of each stream that are kept: its end, where a dreamer says what came of it."""
FLOOD = 16 * 1024 * 1024
"""Bytes of output above which a command is stopped."""

_TICK = 0.05
_ENDING = 10.0
"""Seconds that a stopped command may take to be gone."""
_KILLED = 137
_DRAINING = 2.0
"""Seconds that what was still in the pipes may take to arrive; whoever holds them open longer is not listened to."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    status: int
    out: bytes
    """The end of what it printed."""
    err: bytes
    stopped: str = ""
    """Why it was stopped: ``time``, ``cancel`` or ``flood``; empty where it ended by itself."""


@dataclass(slots=True)
class _Stream:
    """One stream of output while it is read."""

    kept: bytearray = field(default_factory=bytearray)
    size: int = 0

    def read(self, descriptor: int) -> None:
        """Read to the end, and keep the end."""
        with suppress(OSError):
            while data := os.read(descriptor, 65_536):
                self.size += len(data)
                self.kept += data
                del self.kept[:-KEPT]
        with suppress(OSError):
            os.close(descriptor)


def run(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    said: bytes,
    seconds: float,
    is_cancelled: Callable[[], bool],
) -> Ended:
    """Run a command to its end and return how it ended; nothing of it runs any more then.

    Args:
        command: absolute path of the program, and its arguments.
        folder: where it runs.
        environment: all that it is given of one.
        said: what it reads on stdin.
        seconds: how long it may take.
        is_cancelled: tells whether to stop it.

    Raises:
        OSError: the system cannot start it.
    """
    out, err = _Stream(), _Stream()
    with _started(command, folder, environment) as (process, stop):
        threads = [_thread(_say, process, said)]
        for stream, pipe in ((out, process.stdout), (err, process.stderr)):
            if pipe is not None:
                threads.append(_thread(stream.read, os.dup(pipe.fileno())))
                pipe.close()
        stopped = _watched(process, (out, err), time.monotonic() + seconds, is_cancelled)
        if stopped:
            stop()
        status = _KILLED
        with suppress(subprocess.TimeoutExpired):
            status = process.wait(_ENDING)
        deadline = time.monotonic() + _DRAINING
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
    return Ended(status, bytes(out.kept), bytes(err.kept), stopped)


def _watched(
    process: subprocess.Popen[bytes], streams: Sequence[_Stream], deadline: float, is_cancelled: Callable[[], bool]
) -> str:
    """Wait until a command ends, or return why it has to."""
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_TICK)
            return "flood" if _is_flood(streams) else ""
        if is_cancelled():
            return "cancel"
        if time.monotonic() >= deadline:
            return "time"
        if _is_flood(streams):
            return "flood"


def _is_flood(streams: Sequence[_Stream]) -> bool:
    return sum(stream.size for stream in streams) > FLOOD


def _thread(target: Callable[..., None], *args: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=args, daemon=True)
    thread.start()
    return thread


def _say(process: subprocess.Popen[bytes], said: bytes) -> None:
    """Hand a command what it reads; one that does not read is none of our business."""
    if process.stdin is None:
        return
    with suppress(OSError, ValueError):
        process.stdin.write(said)
    with suppress(OSError, ValueError):
        process.stdin.close()


Started = tuple[subprocess.Popen[bytes], Callable[[], None]]
"""A command that runs, and what stops it."""


@contextmanager
def _started(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> Iterator[Started]:
    """Start a command, and yield it with what stops it; whatever still runs at the end is stopped."""
    start = _start_in_group if os.name == "nt" else _start_kept
    process, stop = start(command, folder, environment)
    try:
        yield process, stop
    finally:
        stop()
        try:
            process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _start_kept(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> Started:
    """Start a command under a keeper, which ends it when we let its lifeline go, or die."""
    theirs, ours = os.pipe()
    lifeline = [ours]

    def stop() -> None:
        while lifeline:
            os.close(lifeline.pop())

    with ExitStack() as starting, ExitStack() as failing:
        starting.callback(os.close, theirs)
        failing.callback(stop)
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", os.path.abspath(keeper.__file__), str(theirs), *command],
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(theirs,),
            start_new_session=True,
        )
        failing.pop_all()
    return process, stop


def _start_in_group(command: Sequence[str], folder: str, environment: Mapping[str, str]) -> Started:
    """Start a command on Windows, where the system knows which processes came of it."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )

    def stop() -> None:
        subprocess.run(["taskkill", "/PID", str(process.pid), "/T", "/F"], capture_output=True, check=False)

    return process, stop
