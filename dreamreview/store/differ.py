"""Where two texts differ: the one place that hunks come from, so that ids never depend on who computed them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError
from dreamreview.model.edits import Hunk, Text, close
from dreamreview.store import git

if TYPE_CHECKING:
    from unidiff.patch import Hunk as Found

Pair = tuple[Text, Text, bytes]
"""Base, new, and the terminator that closes an unterminated line of either."""

_COMMAND = (
    "diff",
    "--no-index",
    "-U0",
    "--inter-hunk-context=0",
    "--text",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--no-prefix",
    "--",
    "a/",
    "b/",
)

_MEMORY = "/dev/shm"  # noqa: S108 - a folder of its own is made in it, private and under a random name
_IN_MEMORY = 16 * 1024 * 1024
"""Bytes up to which texts are handed to git in memory; containers often have little of it."""


class GitDiffer:
    """The `Differ` port, answered by ``git diff --no-index``.

    Both texts are compared with each line closed. A text that holds NUL is opaque: it differs as a whole.
    """

    def __call__(self, base: Text, new: Text, terminator: bytes) -> tuple[Hunk, ...]:
        """Return the hunks by which two texts differ, in order.

        Raises:
            StoreError: git is missing or failed.
        """
        return self.many([(base, new, terminator)])[0]

    def many(self, pairs: Sequence[Pair]) -> list[tuple[Hunk, ...]]:
        """Return the hunks of many pairs, in the order of the pairs, with one call of git for all.

        Raises:
            StoreError: git is missing or failed.
        """
        answers: list[tuple[Hunk, ...]] = []
        asked: dict[int, tuple[bytes, bytes]] = {}
        for place, (base, new, terminator) in enumerate(pairs):
            closed_base, closed_new = _closed(base, terminator), _closed(new, terminator)
            answers.append(())
            if closed_base == closed_new:
                continue
            if not base or not new or b"\0" in closed_base or b"\0" in closed_new:
                answers[place] = (Hunk(0, len(base), 0, len(new)),)
            else:
                asked[place] = (closed_base, closed_new)
        for place, hunks in _ask(asked) if asked else ():
            answers[place] = hunks
        return answers


def _closed(text: Text, terminator: bytes) -> bytes:
    return b"".join(close(line, terminator) for line in text)


def _ask(pairs: dict[int, tuple[bytes, bytes]]) -> Iterator[tuple[int, tuple[Hunk, ...]]]:
    """Let git compare pairs under neutral names, which no parser can stumble over."""
    size = sum(len(base) + len(new) for base, new in pairs.values())
    with tempfile.TemporaryDirectory(prefix="dreamreview-diff-", dir=_scratch(size)) as folder:
        for side in ("a", "b"):
            os.mkdir(os.path.join(folder, side), 0o700)
        for place, sides in pairs.items():
            for side, data in zip(("a", "b"), sides, strict=True):
                _write(os.path.join(folder, side, str(place)), data)
        patch = git.run(_COMMAND, cwd=folder, codes=(0, 1)).decode("utf-8", "surrogateescape")
    yield from _parse(patch, len(pairs))


def _scratch(size: int) -> str | None:
    """Return where texts can lie in memory alone, for as long as git reads them; None for the usual place."""
    is_fit = size <= _IN_MEMORY and tempfile.tempdir is None and os.access(_MEMORY, os.W_OK | os.X_OK)
    return _MEMORY if is_fit and "TMPDIR" not in os.environ else None


def _write(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def _parse(patch: str, expected: int) -> Iterator[tuple[int, tuple[Hunk, ...]]]:
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        # Given as one str it is split on LF alone; lines from splitlines would be cut at CR, FF, NEL and U+2028.
        files = PatchSet(patch, metadata_only=True)
        found = [(int(file.path), tuple(_hunk(hunk) for hunk in file)) for file in files]
    except (UnidiffParseError, ValueError) as error:
        raise StoreError(f"git diff answered what cannot be read: {error}") from error
    if len(found) != expected:
        # Status 1 also means "could not read", so only the count tells that every pair was compared.
        raise StoreError(f"git diff compared {len(found)} of {expected} texts: is the temporary folder full?")
    yield from found


def _hunk(hunk: Found) -> Hunk:
    """Translate git's line numbers, where an empty side names the line before it."""
    size, to_size = hunk.source_length, hunk.target_length
    start = hunk.source_start - bool(size)
    to_start = hunk.target_start - bool(to_size)
    return Hunk(start, start + size, to_start, to_start + to_size)
