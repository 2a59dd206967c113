"""A generated store: many small memory files, and the same with a share of them changed."""

from __future__ import annotations

import random
from pathlib import Path

WORDS = ("deploy", "review", "queue", "port", "cache", "token", "build", "branch", "staging", "latency", "memory")


def body(rnd: random.Random, number: int) -> list[str]:
    """Return one file of about 3 KB as lines."""
    lines = ["---", f"name: note {number}", "type: project", "---", f"# Note {number}", ""]
    return lines + [f"- {' '.join(rnd.choices(WORDS, k=9))} {number}-{at}." for at in range(45)]


def write_store(folder: Path, files: int, seed: int = 5) -> None:
    """Write a store of `files` files in folders of 100."""
    rnd = random.Random(seed)
    for number in range(files):
        path = folder / f"topic{number // 100:03d}" / f"note{number:05d}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(body(rnd, number)) + "\n")


def change_store(folder: Path, share: float, seed: int = 6) -> list[str]:
    """Change one line in a share of the files, and return their paths."""
    rnd = random.Random(seed)
    paths = sorted(path for path in folder.rglob("*.md") if ".dream" not in str(path.relative_to(folder)))
    chosen = rnd.sample(paths, int(len(paths) * share))
    for path in chosen:
        lines = path.read_text().split("\n")
        lines[rnd.randrange(6, len(lines) - 2)] = "- this line was changed by the dream."
        path.write_text("\n".join(lines))
    return [str(path.relative_to(folder)) for path in chosen]
