"""The vectors of texts that were seen before, kept by the digest of the text; losing them costs time alone."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager

MOST = 200_000
"""Vectors that are kept; beyond, the oldest go."""
_NAME = "vectors.sqlite"
_AT_ONCE = 500
_WAIT = 2.0


class VectorCache:
    """A file in the user's cache folder, readable by its owner alone; what is wrong with it is never an error."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def get(self, model: str, digests: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the vectors that are known, by digest of text."""
        found: dict[bytes, bytes] = {}
        try:
            with self._open() as file:
                for start in range(0, len(digests), _AT_ONCE):
                    some = digests[start : start + _AT_ONCE]
                    marks = ",".join("?" * len(some))
                    query = f"SELECT digest, vector FROM vectors WHERE model = ? AND digest IN ({marks})"  # noqa: S608
                    found.update(file.execute(query, (model, *some)))
        except (sqlite3.Error, OSError):
            return {}
        return found

    def put(self, model: str, vectors: Mapping[bytes, bytes]) -> None:
        """Keep some vectors."""
        rows = [(model, digest, vector) for digest, vector in vectors.items()]
        try:
            with self._open() as file, file:
                file.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
                file.execute("DELETE FROM vectors WHERE rowid <= (SELECT max(rowid) FROM vectors) - ?", (MOST,))
        except (sqlite3.Error, OSError):
            return

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        path = os.path.join(self._folder, _NAME)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(path, timeout=_WAIT)) as file:
            file.execute(
                "CREATE TABLE IF NOT EXISTS vectors (model TEXT, digest BLOB, vector BLOB, UNIQUE (model, digest))"
            )
            yield file
