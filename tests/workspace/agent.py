"""An agent that works in a memory folder as it likes, and notes beside it all that it writes and takes away.

Run as a program: FOLDER NOTES SEED BATON. It works until it is killed, each act under the lock of the file BATON, so
that somebody else can have the folder for himself. One line of NOTES is one thing it did: ``begin PATH`` before an act
on a file, ``wrote SERIAL``, ``took SERIAL``, ``bytes COUNT``.
"""

from __future__ import annotations

import fcntl
import os
import re
import sys
import time
from pathlib import Path
from random import Random

SERIAL = re.compile(rb"#[0-9]{6}")
"""What every line that it writes carries, each its own."""

NAMES = tuple(f"{folder}topic-{number}.md" for folder in ("", "projects/", "2026/") for number in range(4))
LINES = 200
"""Above so many lines it tidies a file up."""

PAUSE, REST = 0.005, 0.4
"""Seconds between two acts, and between two bursts of them."""

THINGS = ("mixer", "gateway", "oven", "north pump", "timetable export", "stop editor")
SAYINGS = (
    "The {thing} runs at {number} rpm.",
    "The {thing} listens on port {number}.",
    "Yesterday the {thing} was repaired.",
    "Always check the {thing} before {hour}:30.",
    "Never start the {thing} after {hour}:00.",
    "See [the plan](plans/{number}.md) for the {thing}.",
)


class Agent:
    """One agent at work."""

    def __init__(self, folder: Path, notes: int, rnd: Random) -> None:
        self._folder, self._notes, self.rnd = folder, notes, rnd
        self._last = 0

    def act(self) -> None:
        """Do one thing to one file: mostly add to it, now and then write it anew, seldom delete it."""
        path = self._folder / self.rnd.choice(NAMES)
        self._note(f"begin {path.relative_to(self._folder)}")
        path.parent.mkdir(exist_ok=True)
        dice = self.rnd.random()
        try:
            if dice < 0.75:
                self._append(path)
            elif dice < 0.995:
                self._rewrite(path)
            else:
                self._delete(path)
        except FileNotFoundError:
            self._append(path)

    def _note(self, line: str) -> None:
        os.write(self._notes, line.encode() + b"\n")

    def _line(self) -> bytes:
        self._last += 1
        rnd = self.rnd
        saying = rnd.choice(SAYINGS).format(
            thing=rnd.choice(THINGS), number=rnd.randrange(1000, 9999), hour=rnd.randrange(8, 20)
        )
        return f"- {saying} #{self._last:06}\n".encode()

    def _append(self, path: Path) -> None:
        line = self._line()
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            if os.fstat(fd).st_size and not path.read_bytes().endswith(b"\n"):
                line = b"\n" + line
            os.write(fd, line)
        finally:
            os.close(fd)
        self._wrote(line, len(line))

    def _wrote(self, data: bytes, count: int) -> None:
        for serial in SERIAL.findall(data):
            self._note(f"wrote {serial.decode()}")
        self._note(f"bytes {count}")

    def _rewrite(self, path: Path) -> None:
        """Read a file and write another version of it, in place or by putting a new one over it."""
        before = path.read_bytes()
        lines = before.splitlines(keepends=True)
        self.rnd.shuffle(lines) if self.rnd.random() < 0.1 else None
        lines = [line for line in lines if self.rnd.random() > (0.5 if len(lines) > LINES else 0.01)]
        fresh = self._line()
        lines.insert(self.rnd.randint(0, len(lines)), fresh)
        data = b"".join(line if line.endswith(b"\n") else line + b"\n" for line in lines)
        for serial in set(SERIAL.findall(before)) - set(SERIAL.findall(data)):
            self._note(f"took {serial.decode()}")
        if self.rnd.random() < 0.5:
            with path.open("r+b") as file:
                file.write(data)
                file.truncate()
        else:
            part = path.with_name(path.name + ".part")
            part.write_bytes(data)
            part.replace(path)
        self._wrote(fresh, len(data))

    def _delete(self, path: Path) -> None:
        for serial in set(SERIAL.findall(path.read_bytes())):
            self._note(f"took {serial.decode()}")
        path.unlink()


def main() -> None:
    """Work until killed, or until nobody is there any more who began it."""
    folder, notes, seed, baton = sys.argv[1:]
    log = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    agent, lock = Agent(Path(folder), log, Random(int(seed))), os.open(baton, os.O_RDWR | os.O_CREAT, 0o600)
    parent = os.getppid()
    while os.getppid() == parent:
        fcntl.flock(lock, fcntl.LOCK_EX)
        agent.act()
        fcntl.flock(lock, fcntl.LOCK_UN)
        time.sleep(REST if agent.rnd.random() < 0.02 else PAUSE)


if __name__ == "__main__":
    main()
