"""Finds what many notes say twice, one way in a process: ``similar.py WAY NOTES``, an answer in JSON on stdout.

``engine`` gathers candidates by rare words and lets the slots decide, as the local engine does; ``rapidfuzz`` holds all
pairs against one another by `token_sort_ratio`, the scorer of that library that tells generated pairs best from the
rest for its time, and takes those from the score on that finds as many. Reading the notes is part of the time, which
is that of the processor: both use one core, and what else runs then counts for neither.
"""

from __future__ import annotations

import gc
import json
import resource
import statistics
import subprocess
import sys
import time
from functools import lru_cache
from typing import TYPE_CHECKING

from notes import notes

if TYPE_CHECKING:
    from collections.abc import Callable

    from dreamreview.dream.slots import Reading

PLANTED = 0.05
"""Share of the notes that are said twice."""
RARE = 0.25
"""Share of the lighter note that the rare words of both make up at least."""
BOTH = 0.8
"""Shares of either that both have in common, added: what two notes share at least that are judged to be one."""
FOUND = 0.95
"""Share of the planted pairs that a threshold of `rapidfuzz` has to find."""
READINGS = 4_096
FEW, MANY = 10_000, 100_000
"""Notes of a large store, and of one ten times as large."""
Pairs = frozenset[tuple[int, int]]


def by_engine(texts: list[str], planted: Pairs) -> Pairs:
    """Return the pairs that the engine's candidates and slots take for duplicates."""
    del planted
    from dreamreview.dream.candidates import candidates
    from dreamreview.dream.relation import Kinship, relate
    from dreamreview.dream.similarity import Weights
    from dreamreview.dream.slots import read
    from dreamreview.dream.vocabulary import Vocabulary, cut

    vocabulary = Vocabulary()
    for text in texts:
        vocabulary.learn(text, cut(text), 1)
    vocabulary.settle()
    known = {key: vocabulary.weight(key) for key in vocabulary.counts}
    weights = Weights(known)

    @lru_cache(READINGS)
    def reading(place: int) -> Reading:
        found = read(texts[place], vocabulary.names)
        known.update((key, vocabulary.weight(key)) for key in found.bag if key not in known)
        return found

    bags = [vocabulary.keys(cut(text)) for text in texts]
    return frozenset(
        (near, far)
        for near, far in candidates(bags, weights, RARE, both=BOTH)
        if relate(reading(near), reading(far), weights).kinship is Kinship.DUPLICATE
    )


def by_rapidfuzz(texts: list[str], planted: Pairs) -> Pairs:
    """Return the pairs from that score on which finds enough of the planted ones."""
    import numpy as np
    from rapidfuzz import fuzz, process

    matrix = process.cdist(texts, texts, scorer=fuzz.token_sort_ratio, dtype=np.uint8, workers=1)
    scores = sorted(int(matrix[near, far]) for near, far in planted)
    least = scores[int(len(scores) * (1 - FOUND))]
    return frozenset((int(near), int(far)) for near, far in np.argwhere(np.triu(matrix, 1) >= least))


WAYS: dict[str, Callable[[list[str], Pairs], Pairs]] = {"engine": by_engine, "rapidfuzz": by_rapidfuzz}


def measured(way: str, count: int, rounds: int) -> dict[str, float]:
    """Return the median of what new processes measure."""
    answers = []
    for _ in range(rounds):
        command = [sys.executable, __file__, way, str(count)]
        answers.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    return {name: statistics.median(answer[name] for answer in answers) for name in answers[0]}


def print_dream(rounds: int) -> None:
    """Print how the engine does beside all pairs, how it grows with the notes, and what it takes of memory."""
    ours, theirs = measured("engine", FEW, rounds), measured("rapidfuzz", FEW, rounds)
    many = measured("engine", MANY, 1)
    for what, value, aim, told in (
        ("all pairs", theirs["seconds"] / ours["seconds"], "at least 8", "times the time of the engine"),
        ("recall", ours["recall"], "at least 0.95", f"of the planted pairs, precision {ours['precision']:.2f}"),
        ("growth", many["seconds"] / ours["seconds"], "at most 14", f"for {MANY:,} notes beside {FEW:,}"),
        ("memory", many["peak"] * 1e-6, "under 400", f"MB for {MANY:,} notes, recall {many['recall']:.2f}"),
    ):
        print(f"dream  {what:12} {value:6.2f} (aim {aim})  {told}")
    for name, found, count in (("engine", ours, FEW), ("rapidfuzz", theirs, FEW), ("engine", many, MANY)):
        share = f"recall {found['recall']:.2f}, precision {found['precision']:.2f}"
        print(f"dream  {count:,} notes, {name}: {found['seconds']:.2f} s, {found['peak'] * 1e-6:.0f} MB, {share}")


def main() -> int:
    """Find the pairs in the way and among as many notes as the command line says."""
    way, count = sys.argv[1], int(sys.argv[2])
    texts, planted = notes(count, int(count * PLANTED))
    WAYS[way](texts[:50], frozenset(((0, 1),)))  # loads what is loaded once
    gc.collect()
    gc.freeze()
    begun = time.process_time()
    found = WAYS[way](texts, planted)
    seconds = time.process_time() - begun
    print(
        json.dumps(
            {
                "seconds": seconds,
                "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
                "recall": len(found & planted) / len(planted),
                "precision": len(found & planted) / max(len(found), 1),
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
