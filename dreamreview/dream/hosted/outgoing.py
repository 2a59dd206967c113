"""Which files of a store can be sent, and as what: text of a size, under a name, with its secrets held back."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.dream.hosted.holding import masked
from dreamreview.dream.hosted.rules import MAX_BYTES, MAX_MEMORIES, MAX_TOTAL, name_problem
from dreamreview.dream.hosted.service import digest_of
from dreamreview.errors import DreamReviewError
from dreamreview.model.inert import inert
from dreamreview.model.markdown import parse
from dreamreview.model.pins import may_hold_pins
from dreamreview.model.secrets import mask
from dreamreview.store.scan import digest_of as bytes_digest

if TYPE_CHECKING:
    from dreamreview.store.rooted import Root

_INDEX = "MEMORY.md"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One file as it can be sent."""

    path: str
    name: str
    """What it is called there."""
    content: str
    digest: str
    """sha256 of what is sent."""
    source: str
    """sha256 of the file."""
    lines: frozenset[int] = frozenset()
    """Numbers, from 0, of the lines in which a secret is held back."""
    pinned: frozenset[int] = frozenset()
    """Numbers of the lines of pinned notes, which no dream touches."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """What can be sent and what cannot."""

    files: tuple[Outgoing, ...]
    left: tuple[str, ...]
    """One line for each file that cannot go."""


class _Unfit(Exception):  # noqa: N818 - never leaves this module; becomes a line
    """A file cannot be sent, for a reason."""


def name_of(path: str) -> str:
    """Return what a path is called at the service."""
    return "/" + unicodedata.normalize("NFC", path)


def line(path: str, reason: str) -> str:
    """Return one line about a path, as it may be shown."""
    return inert(mask(f"{path}: {reason}"))


def sort(root: Root, paths: Iterable[str], *, keeps_secrets: bool = True, keeps_pins: bool = True) -> Sorted:
    """Read files and tell which can be sent.

    Args:
        root: a copy of the store.
        paths: what is memory in it.
        keeps_secrets: whether secrets are held back; they are not where the store lives there and has them already.
        keeps_pins: whether what comes back for pinned notes is refused; only what dreams suggest is.
    """
    files: list[Outgoing] = []
    left: list[str] = []
    names: dict[str, str] = {}
    total = 0
    for path in sorted(paths, key=lambda path: (path != _INDEX, path)):
        try:
            found = _read(root, path, names, keeps_secrets=keeps_secrets)
        except (_Unfit, DreamReviewError) as problem:
            left.append(line(path, f"not sent, {problem}"))
            continue
        if len(files) >= MAX_MEMORIES or total + len(found.content) > MAX_TOTAL:
            left.append(line(path, "not sent, a memory store holds no more than what is sent already"))
            continue
        total += len(found.content)
        names[found.name] = path
        files.append(found if keeps_pins else replace(found, pinned=frozenset()))
    return Sorted(tuple(files), tuple(left))


def unsent(files: Collection[str], documents: Collection[str]) -> list[str]:
    """Return one line for each file that is no memory and stays here."""
    return [line(path, "not sent, it is no text of memory") for path in sorted(set(files) - set(documents))]


def _read(root: Root, path: str, names: dict[str, str], *, keeps_secrets: bool) -> Outgoing:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        raise _Unfit("its path is not UTF-8") from None
    name = name_of(path)
    problem = name_problem(name)
    if problem is not None:
        raise _Unfit(problem)
    if name in names:
        raise _Unfit(f"its path is the same as that of {names[name]} in Unicode's composed form")
    data = root.read(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise _Unfit("it is not UTF-8 text") from None
    if "\0" in text:
        raise _Unfit("it holds a NUL, so it is no text")
    if len(data) > MAX_BYTES:
        raise _Unfit(f"{len(data):,} bytes, and a memory holds {MAX_BYTES:,}")
    found = masked(text) if keeps_secrets else None
    if keeps_secrets and found is None:
        raise _Unfit("its secrets cannot be taken out")
    content, lines = (text, frozenset[int]()) if found is None else (found.text, found.lines)
    if len(content.encode("utf-8")) > MAX_BYTES:
        raise _Unfit(f"it is larger than the {MAX_BYTES:,} bytes of a memory once its secrets are held back")
    return Outgoing(path, name, content, digest_of(content), bytes_digest(data), lines, _pinned(path, data))


def _pinned(path: str, data: bytes) -> frozenset[int]:
    if not may_hold_pins((data,)):
        return frozenset()
    notes = (note for note in parse(path, data).notes if note.pinned)
    return frozenset(number for note in notes for number in range(note.first - 1, note.last))
