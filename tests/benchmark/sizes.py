"""How a large proposal feels beside a small one: first paint, memory, and the time from a key to its paint."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from first_paint import DECIDED, app_on
from generated import body

if TYPE_CHECKING:
    from pathlib import Path

SIZE_AIMS = {"first paint": 1.3, "memory": 2.0, "key to paint": 1.5}
STAMP = "20260901T000000000"
PRESSED = b"j" * 25 + b"k" * 10 + b"J" * 5
"""Keys, each timed by itself."""


@dataclass(frozen=True, slots=True)
class Feel:
    """One run of the app."""

    paint: float
    """Seconds."""
    memory: int
    """Bytes."""
    key: float
    """Median of seconds."""


def write_proposal(folder: Path, files: int, changes: int, *, has_giants: bool) -> None:
    """Write a store and a bare proposal with so many changes over so many files.

    With giants, one more file has 50,000 lines and another a line of 200,000 characters, and both are changed.
    """
    rnd = random.Random(7)
    copy = folder / ".dream-proposals" / STAMP
    copy.mkdir(parents=True)
    for number in range(files):
        lines = body(rnd, number)
        _write(folder, copy, f"note{number:04d}.md", lines, range(6, 6 + 4 * (changes // files), 4))
    if has_giants:
        _write(folder, copy, "lines.md", [f"- line {at} of many" for at in range(50_000)], [25_000])
        _write(folder, copy, "wide.md", ["# Wide", "word " * 40_000, "end"], [1])
    old = time.time() - 3600
    for path in folder.rglob("*"):
        os.utime(path, (old, old))


def _write(folder: Path, copy: Path, name: str, lines: list[str], at: range | list[int]) -> None:
    (folder / name).write_text("\n".join(lines) + "\n")
    for place in at:
        lines[place] += " and more"
    (copy / name).write_text("\n".join(lines) + "\n")


def feel(folder: Path, compiled: Path) -> Feel:
    """Open the proposal of a store in the app, walk through it, and return how that felt."""
    terminal = app_on(folder, compiled)
    try:
        paint = terminal.painted(DECIDED)
        terminal.settle(0.5)
        keys = [terminal.press(bytes([key])) for key in PRESSED]
        return Feel(paint, terminal.memory(), statistics.median(keys))
    finally:
        terminal.close()


def measure_sizes(rounds: int, work: Path, compiled: Path) -> dict[str, tuple[float, float]]:
    """Return what was measured: name to (large, small)."""
    small, large = work / "small", work / "large"
    write_proposal(small, 10, 40, has_giants=False)
    write_proposal(large, 500, 2000, has_giants=True)
    for folder in (small, large):
        command = [sys.executable, "-m", "dreamreview", "status", str(folder)]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        feel(folder, compiled)
    felt = [(feel(large, compiled), feel(small, compiled)) for _ in range(rounds)]

    def median(of: str) -> tuple[float, float]:
        return statistics.median(getattr(one, of) for one, _ in felt), statistics.median(
            getattr(other, of) for _, other in felt
        )

    return {"first paint": median("paint"), "memory": median("memory"), "key to paint": median("key")}
