"""The rows of the edits of a change: a heading for each, its lines with their signs, and the lines around them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from dreamreview.model.proposal import LINK_MODE, Act, FileEdit
from dreamreview.tui.detail.rows import BLANK, Code, Pair, Row, Sign, Unit, Words
from dreamreview.tui.detail.sources import Sources, secret_lines
from dreamreview.tui.detail.words import likeness
from dreamreview.tui.inert import Part, own, said

PAIRING_LIMIT = 400
"""Pairs of old and new lines up to which the most alike are looked for."""
LIKENESS_FLOOR = 0.3
"""Share of words in common from which two lines are compared word by word."""
NO_NEWLINE = "(no newline at the end)"

Place = tuple[str, int]
"""A path and a 1-based line."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a person wants edits drawn."""

    context: int | None = 3
    """Lines around an edit; None for the whole file."""
    is_split: bool = False
    """Whether old and new stand in two columns."""
    pieces: Collection[str] = field(default=())
    """Ids of edits that are split into pieces."""
    moved: Mapping[Place, str] = field(default_factory=dict)
    """Base lines that reappear elsewhere, with the words for where."""


def displayed(edits: Iterable[FileEdit]) -> Iterator[tuple[str, list[FileEdit]]]:
    """Yield the edits as they are drawn: path by path as they come, each path's in the order of its lines."""
    for path, group in groupby(edits, key=lambda edit: edit.path):
        yield path, sorted(group, key=lambda edit: (edit.start, edit.stop, edit.rank))


def edit_rows(edits: Sequence[FileEdit], sources: Sources, manner: Manner) -> Iterator[Row]:
    """Return the rows of some edits, path by path."""
    for path, group in displayed(edits):
        yield from _path_rows(path, group, sources, manner)


def _path_rows(path: str, ordered: Sequence[FileEdit], sources: Sources, manner: Manner) -> Iterator[Row]:
    has_lines = any(edit.act is Act.LINES for edit in ordered)
    base = sources.base(path) if has_lines else ()
    hidden = sources.hidden(path) if has_lines else frozenset()
    shown = 0
    for place, edit in enumerate(ordered):
        yield Words(_heading(edit, is_first=place == 0), hang=2, edit=edit.id)
        if edit.act is Act.LINES:
            context = len(base) if manner.context is None else manner.context
            yield from _context(base, max(shown, edit.start - context), edit.start, hidden)
            yield from changed_rows(edit, manner, hidden)
            after = ordered[place + 1].start if place + 1 < len(ordered) else len(base)
            shown = max(edit.stop, min(edit.stop + context, after))
            yield from _context(base, edit.stop, shown, hidden)
        elif edit.act in (Act.CREATE, Act.DELETE):
            yield from changed_rows(edit, manner, secret_lines(edit.old))
        yield BLANK


def _heading(edit: FileEdit, *, is_first: bool) -> tuple[Part, ...]:
    tail = own(f"  −{len(edit.old)} +{len(edit.new)}  {edit.id}", "dim")
    path = (said(edit.path, "path"),)
    match edit.act:
        case Act.CREATE:
            kind = "creates the link " if edit.mode == LINK_MODE else "creates "
            return (own(kind, "kind"), *path, tail)
        case Act.DELETE:
            return (own("DELETES ", "danger"), *path, tail)
        case Act.RENAME:
            return (own("renames ", "kind"), *path, own(" to ", "kind"), said(edit.to or "", "path"))
        case Act.MODE:
            return (own("mode of ", "kind"), *path, own(f" from {_octal(edit.old_mode)} to {_octal(edit.mode)}"))
    return (*(path if is_first else ()), own(f"{'  ' if is_first else ''}{where(edit)}", "dim"), tail)


def where(edit: FileEdit) -> str:
    """Return the base lines of an edit in words."""
    if edit.start == edit.stop:
        return f"before line {edit.start + 1}"
    first, last = edit.start + 1, edit.stop
    return f"line {first}" if first == last else f"lines {first}–{last}"


def _octal(mode: int | None) -> str:
    return "unknown" if mode is None else f"{mode & 0o7777:03o}"


def _context(base: Sequence[bytes], start: int, stop: int, hidden: frozenset[int]) -> Iterator[Row]:
    for place in range(start, stop):
        yield Code(Sign.SAME, base[place], place + 1, note=_lacks(base[place]), is_whole_secret=place in hidden)


def _lacks(raw: bytes) -> str:
    return "" if raw.endswith(b"\n") else NO_NEWLINE


def changed_rows(edit: FileEdit, manner: Manner, hidden: frozenset[int]) -> Iterator[Row]:
    """Return the rows of the old and new lines of an edit."""
    partner = pairing(edit.old, edit.new)
    back = {new: old for old, new in partner.items()}
    masked = secret_lines(edit.new)
    old = [_old(edit, place, partner, manner, hidden) for place in range(len(edit.old))]
    new = [_new(edit, place, back, masked) for place in range(len(edit.new))]
    if manner.is_split and old and new:
        for place in range(max(len(old), len(new))):
            yield Pair(tuple(old[place : place + 1]), tuple(new[place : place + 1]))
    elif edit.id in manner.pieces:
        for place in range(max(len(old), len(new))):
            yield from (*old[place : place + 1], *new[place : place + 1])
    else:
        yield from (*old, *new)


def _old(edit: FileEdit, place: int, partner: Mapping[int, int], manner: Manner, hidden: frozenset[int]) -> Code:
    line = edit.start + place
    goes_to = manner.moved.get((edit.path, line + 1), "")
    note = " ".join(filter(None, (goes_to, _lacks(edit.old[place]))))
    return Code(
        sign=Sign.MOVED_AWAY if goes_to else Sign.OLD,
        raw=edit.old[place],
        number=line + 1,
        unit=Unit(edit.id, is_old=True, number=place + 1),
        other=edit.new[partner[place]] if place in partner else None,
        note=note,
        is_whole_secret=line in hidden,
    )


def _new(edit: FileEdit, place: int, partner: Mapping[int, int], masked: frozenset[int]) -> Code:
    return Code(
        sign=Sign.NEW,
        raw=edit.new[place],
        unit=Unit(edit.id, is_old=False, number=place + 1),
        other=edit.old[partner[place]] if place in partner else None,
        note=_lacks(edit.new[place]),
        is_whole_secret=place in masked,
    )


def pairing(old: Sequence[bytes], new: Sequence[bytes]) -> dict[int, int]:
    """Return which old line is compared with which new line, both 0-based."""
    if len(old) == len(new):
        return {place: place for place in range(len(old))}
    if len(old) * len(new) > PAIRING_LIMIT:
        return {}
    before = [line.decode("utf-8", "replace") for line in old]
    after = [line.decode("utf-8", "replace") for line in new]
    scored = sorted(
        ((likeness(one, two), -i, -j) for i, one in enumerate(before) for j, two in enumerate(after)), reverse=True
    )
    pairs: dict[int, int] = {}
    for score, i, j in scored:
        if score >= LIKENESS_FLOOR and -i not in pairs and -j not in pairs.values():
            pairs[-i] = -j
    return pairs
