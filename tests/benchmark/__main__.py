"""Prints ratios against reference runs beside them: ``python tests/benchmark [--files N] [--rounds N] [--only PART]``.

The part ``store`` works on a large store against git, cp and a bare Textual app; the part ``review`` sets a large
proposal beside a small one; the part ``dream`` looks for what many notes say twice, against all pairs by rapidfuzz.
Opens are timed in-process with imports done and warm caches; ``second`` opens in a new process with what the first kept
on disk. Nothing is removed before the end: ext4 is slow to make files while it still remembers many that have just
gone, which would hit whatever happens to run then. Every figure is the median of the rounds.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from first_paint import bare_app, our_app
from generated import change_store, write_store
from similar import print_dream
from sizes import SIZE_AIMS, measure_sizes

STAMP = "20260901T000000000"
AIMS = {"first open": 2.0, "second open": 1.0, "propose": 2.0, "apply": 3.0, "first paint": 2.0}


def plain_copy(folder: Path, to: Path) -> float:
    """Return how long ``cp -r`` takes."""
    os.sync()
    begun = time.perf_counter()
    subprocess.run(["cp", "-r", folder, to], check=True)
    return time.perf_counter() - begun


def child(step: str, folder: Path) -> float:
    """Run one step in a new process, imports done first, and return the seconds that it measured itself."""
    script = Path(__file__).with_name("step.py")
    out = subprocess.run([sys.executable, str(script), step, str(folder)], capture_output=True, text=True, check=True)
    return float(out.stdout.split()[-1])


def git_diff(folder: Path) -> float:
    """Return how long git takes to compare the store with the copy."""
    return child("git-diff", folder)


def fresh(store: Path, folder: Path) -> Path:
    """Return a new copy of the store with the bare proposal in it."""
    shutil.copytree(store, folder, symlinks=True)
    settle(folder)
    return folder


def settle(folder: Path) -> None:
    """Give every file an old time, so that stats can be trusted, as they are minutes after an agent wrote."""
    old = time.time() - 3600
    for path in folder.rglob("*"):
        os.utime(path, (old, old))


def measure_store(files: int, rounds: int, work: Path) -> dict[str, tuple[float, float]]:
    """Return what was measured: name to (ours, reference) in seconds."""
    store = work / "store"
    write_store(store, files)
    copy = store / ".dream-proposals" / STAMP
    shutil.copytree(store, work / "copy")
    change_store(work / "copy", 0.05)
    shutil.move(work / "copy", copy)
    settle(store)
    ours: dict[str, list[float]] = {name: [] for name in AIMS}
    theirs: dict[str, list[float]] = {name: [] for name in AIMS}
    compiled = work / "compiled"
    folder = fresh(store, work / "first")
    child("open", folder)
    our_app(folder, compiled)
    bare_app(compiled)
    for number in range(rounds):
        folder = fresh(store, work / f"round-{number}")
        reference = git_diff(folder)
        ours["first open"].append(child("open", folder))
        theirs["first open"].append(reference)
        ours["second open"].append(child("open", folder))
        theirs["second open"].append(reference)
        ours["first paint"].append(our_app(folder, compiled))
        theirs["first paint"].append(bare_app(compiled))
        ours["apply"].append(child("apply", folder))
        theirs["apply"].append(child("copy-and-sync", folder))
        ours["propose"].append(child("propose", folder))
        (folder / ".dream-proposals").rename(work / f"proposals-{number}")
        theirs["propose"].append(plain_copy(folder, work / f"copy-{number}"))
    return {name: (statistics.median(ours[name]), statistics.median(theirs[name])) for name in AIMS}


def print_ratios(
    part: str, figures: dict[str, tuple[float, float]], aims: dict[str, float], other: dict[str, str]
) -> None:
    """Print one line a figure: its ratio, what is aimed at, and both sides."""
    for name, (mine, theirs) in figures.items():
        unit, scale = ("MB", 1e-6) if name == "memory" else ("s", 1.0)
        print(
            f"{part:6} {name:12} {mine / theirs:5.2f} (aim {aims[name]:.1f})"
            f"  {mine * scale:.3f} {unit} against {theirs * scale:.3f} {unit} of {other[name]}"
        )


REFERENCES = {
    "first open": "git diff --no-index",
    "second open": "git diff --no-index",
    "propose": "cp -r",
    "apply": "copy and fsync",
    "first paint": "a bare Textual app",
}


def main() -> int:
    """Measure and print one line a ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", choices=("store", "review", "dream"))
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="dreamreview-benchmark-"))
    try:
        if options.only in (None, "store"):
            print_ratios("store", measure_store(options.files, options.rounds, work), AIMS, REFERENCES)
        if options.only in (None, "review"):
            small = dict.fromkeys(SIZE_AIMS, "a small proposal")
            print_ratios("review", measure_sizes(options.rounds, work, work / "compiled"), SIZE_AIMS, small)
        if options.only in (None, "dream"):
            print_dream(min(options.rounds, 3))
    finally:
        shutil.rmtree(work)
    return 0


if __name__ == "__main__":
    sys.exit(main())
