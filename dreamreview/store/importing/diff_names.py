"""Which file of the store each part of a diff is about, however its maker wrote the names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.store.importing.repository import repository_of

if TYPE_CHECKING:
    from dreamreview.store.importing.diff_text import FileDiff
    from dreamreview.store.importing.ground import Ground

DEEPEST = 12
"""Folders in front of every name that are tried away where no file of a diff is there otherwise."""

_NOWHERE = b"/dev/null"
_EPOCH = re.compile(rb"\t(?:1970-01-01|1969-12-31) ")
_ESCAPE = re.compile(rb'\\(?:([0-3][0-7]{2})|([abtnvfr"\\]))')
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.DOTALL)

_Pair = tuple[bytes | None, bytes | None]


@dataclass(frozen=True, slots=True)
class Named:
    """The paths that a part of a diff goes from and to; None for nothing."""

    old: str | None
    new: str | None
    refusal: str = ""
    """Why it is about no file of the store."""

    @property
    def path(self) -> str:
        """The name to call it by."""
        return self.new or self.old or ""


def is_epoch(raw: bytes) -> bool:
    """Tell whether the name of a ``---`` or ``+++`` line stands for no file: by its name or by ``diff -N``'s date."""
    return raw == _NOWHERE or _EPOCH.search(raw) is not None


def name_all(files: Sequence[FileDiff], ground: Ground) -> list[Named]:
    """Return what each part of a diff is about.

    Names may bear the prefixes of git, others or none; begin at the top of the repository that holds the store; begin
    with the folders that were compared; or be absolute, if they lie in the store. Which of these it is, what stands in
    the store tells.
    """
    are_prefixed = _are_prefixed(files)
    pairs = [_as_written(file, are_prefixed) for file in files]
    inside = [_inside(pair, ground) for pair in pairs]
    relative = [pair for pair in inside if not _is_absolute(pair)]
    known = {os.fsencode(path) for path in ground.live.entries}
    repository = repository_of(ground.root.path)
    prefix = repository.prefix + b"/" if repository and repository.prefix else b""
    if prefix and _is_below(prefix, relative) and not any(name.startswith(prefix) for name in known):
        return [_named(_below(pair, prefix), file, known) for pair, file in zip(inside, files, strict=True)]
    old_depth, new_depth = _depths(relative, known)
    return [
        _named(pair if _is_absolute(pair) else (_cut(pair[0], old_depth), _cut(pair[1], new_depth)), file, known)
        for pair, file in zip(inside, files, strict=True)
    ]


def _named(pair: _Pair | None, file: FileDiff, known: set[bytes]) -> Named:
    if pair is None:
        return Named(None, None, "it lies outside the memory folder")
    old, new = pair
    if old is not None and new is not None and old != new and not is_moved(file):
        old = new = old if old in known and new not in known else new
    return Named(None if old is None else os.fsdecode(old), None if new is None else os.fsdecode(new))


def is_moved(file: FileDiff) -> bool:
    """Tell whether a part of a diff renames or copies a file; else both of its names stand for one."""
    return b"rename from" in file.marks or b"copy from" in file.marks


def _as_written(file: FileDiff, are_prefixed: bool) -> _Pair:
    for verb in (b"rename", b"copy"):
        if verb + b" from" in file.marks and verb + b" to" in file.marks:
            return _unquoted(file.marks[verb + b" from"]), _unquoted(file.marks[verb + b" to"])
    if file.label:
        return None, file.label
    halves = _halves(file.header) if file.header else None
    old: bytes | None
    new: bytes | None
    if halves is None and file.names and _NOWHERE not in file.names:
        # What ``diff -N`` says of a file that is new or gone still bears both names, which tell what is in front.
        old, new = (_unquoted(raw) for raw in file.names)
    else:
        old, new = (_name(raw) for raw in file.names) if file.names else (halves or (None, None))
    if halves is not None:
        old, new = (_cut(name, 1 if _differ_in_front(*halves) else 0) for name in (old, new))
    elif old is not None and new is not None:
        has_prefix = _differ_in_front(old, new) or (old.startswith(b"a/") and new.startswith(b"b/"))
        old, new = (_cut(name, 1 if has_prefix else 0) for name in (old, new))
    elif are_prefixed:
        old, new = (_cut(name, 1) if name and name.startswith((b"a/", b"b/")) else name for name in (old, new))
    return (None if file.is_new else old), (None if file.is_deletion else new)


def _are_prefixed(files: Iterable[FileDiff]) -> bool:
    """Tell whether a name that stands alone, without git's own line, bears a prefix as git writes them."""
    headers = [halves for file in files if file.header and (halves := _halves(file.header)) is not None]
    if headers:
        return any(old.startswith(b"a/") and new == b"b/" + old[2:] for old, new in headers)
    names = [name for file in files if file.names for name in map(_name, file.names) if name is not None]
    relative = [name for name in names if not name.startswith(b"/")]
    return bool(relative) and all(name.startswith((b"a/", b"b/")) for name in relative)


def _name(raw: bytes) -> bytes | None:
    return None if is_epoch(raw) else _unquoted(raw)


def _unquoted(raw: bytes) -> bytes:
    """Return a name without git's quotes, or without the date behind it."""
    quoted = _QUOTED.match(raw)
    if quoted is None:
        return raw.partition(b"\t")[0].removeprefix(b"./")
    return _ESCAPE.sub(
        lambda found: bytes([int(found[1], 8)]) if found[1] else _ESCAPES.get(found[2], found[2]), quoted[1]
    )


def _halves(header: bytes) -> tuple[bytes, bytes] | None:
    """Part the two names of git's first line, of which nothing but their likeness tells where the first one ends."""
    quoted = _QUOTED.match(header)
    if quoted is not None:
        return _unquoted(header), _unquoted(header[quoted.end() + 1 :])
    if header.endswith(b'"') and b' "' in header:
        at = header.index(b' "')
        return header[:at], _unquoted(header[at + 1 :])
    middle = len(header) // 2
    blanks = [middle, *(at for at in range(len(header)) if header[at : at + 1] == b" " and at != middle)]
    for at in blanks[:1000]:
        left, right = header[:at], header[at + 1 :]
        if header[at : at + 1] == b" " and (left == right or _differ_in_front(left, right)):
            return left, right
    return None


def _differ_in_front(old: bytes, new: bytes) -> bool:
    """Tell whether two names are the same but for the first folder, which then is a prefix."""
    return old != new and b"/" in old and old.partition(b"/")[2] == new.partition(b"/")[2]


def _inside(pair: _Pair, ground: Ground) -> _Pair:
    """Return names with absolute ones made relative where they lie in the store."""
    names = []
    for name in pair:
        rest = ground.inside(os.fsdecode(name)) if name is not None and name.startswith(b"/") else None
        names.append(name if rest is None else os.fsencode(rest))
    return names[0], names[1]


def _is_absolute(pair: _Pair) -> bool:
    return any(name is not None and name.startswith(b"/") for name in pair)


def _is_below(prefix: bytes, pairs: Iterable[_Pair]) -> bool:
    return any(name is not None and name.startswith(prefix) for pair in pairs for name in pair)


def _below(pair: _Pair, prefix: bytes) -> _Pair | None:
    """Return names without the folders that lead to the store; None where one does not lie in it."""
    if any(name is not None and not name.startswith((prefix, b"/")) for name in pair):
        return None
    old, new = (None if name is None else name.removeprefix(prefix) for name in pair)
    return old, new


def _depths(pairs: Sequence[_Pair], known: set[bytes]) -> tuple[int, int]:
    """Return how many folders to take off old and new names: the fewest with which a file of the store is meant.

    None where a name begins with a folder of the store.
    """
    olds = [old for old, _ in pairs if old is not None]
    news = [new for _, new in pairs if new is not None]
    tops = {name.split(b"/")[0] for name in known}
    if not olds or any(name in known or name.split(b"/")[0] in tops for name in olds):
        return 0, 0
    for depth in range(1, min(_common(olds), DEEPEST) + 1):
        if any(_cut(name, depth) in known for name in olds):
            same = next((at for at in range(DEEPEST) if _agree(pairs, depth, at)), depth)
            return depth, min(same, _common(news)) if news else depth
    return 0, 0


def _agree(pairs: Iterable[_Pair], old_depth: int, new_depth: int) -> bool:
    """Tell whether names that stand on both sides become the same by taking folders off."""
    both = [(old, new) for old, new in pairs if old is not None and new is not None]
    return bool(both) and all(_cut(old, old_depth) == _cut(new, new_depth) for old, new in both)


def _common(names: Sequence[bytes]) -> int:
    """Return how many folders in front are the same in all names."""
    split = [name.split(b"/")[:-1] for name in names]
    shared = 0
    for level in zip(*split, strict=False):
        if len(set(level)) > 1:
            break
        shared += 1
    return shared


def _cut(name: bytes | None, depth: int) -> bytes | None:
    """Return a name without its first folders."""
    return None if name is None else name.split(b"/", depth)[-1]
