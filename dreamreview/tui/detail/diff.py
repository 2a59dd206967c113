"""The rows of the edits of a change: a heading for each, its lines with their signs, and the lines around them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from dreamreview.model.edits import terminator_of
from dreamreview.model.proposal import LINK_MODE, Act, FileEdit
from dreamreview.tui.detail.pairing import aligned, entry_target, pairing
from dreamreview.tui.detail.rows import BLANK, Code, Pair, Row, Sign, Unit, Words
from dreamreview.tui.detail.sources import Sources, secret_lines
from dreamreview.tui.inert import Part, own, said

MOST_EDITS = 200
"""Edits of a path up to which entries are compared across edits."""
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
    is_observed: bool = False
    """Whether others made the changes already: then nobody was more or less sure of them."""
    moved: Mapping[Place, str] = field(default_factory=dict)
    """Base lines that reappear elsewhere, with the words for where."""
    arrived: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """New lines (id of their edit, 1-based place in it) that stood elsewhere, with the words for where."""


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
    entries = _entries_of([edit for edit in ordered if edit.act is Act.LINES])
    end = terminator_of(base) if base else b""
    shown = 0
    for place, edit in enumerate(ordered):
        yield Words(_heading(edit, is_first=place == 0), hang=2, edit=edit.id, is_clipped=True)
        if edit.act is Act.LINES:
            context = len(base) if manner.context is None else manner.context
            yield from _context(base, max(shown, edit.start - context), edit.start, hidden)
            yield from changed_rows(edit, manner, hidden, entries, end)
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


@dataclass(frozen=True, slots=True)
class _Entries:
    """Index entries that one edit takes out and another brings, by what they point to."""

    old: Mapping[str, tuple[int, bytes]] = field(default_factory=dict)
    """Target to base line, 1-based, and text."""
    new: Mapping[str, bytes] = field(default_factory=dict)


def _entries_of(edits: Sequence[FileEdit]) -> _Entries:
    if len(edits) < 2 or len(edits) > MOST_EDITS:
        return _Entries()
    old: dict[str, tuple[int, bytes]] = {}
    new: dict[str, bytes] = {}
    for edit in edits:
        for number, line in enumerate(edit.old, edit.start + 1):
            if target := entry_target(line):
                old.setdefault(target, (number, line))
        for line in edit.new:
            if target := entry_target(line):
                new.setdefault(target, line)
    return _Entries(old, new)


def changed_rows(
    edit: FileEdit, manner: Manner, hidden: frozenset[int], entries: _Entries = _Entries(), end: bytes = b""
) -> Iterator[Row]:
    """Return the rows of the old and new lines of an edit.

    Args:
        edit: the edit.
        manner: how it is drawn.
        hidden: 0-based base lines that lie in a secret spanning lines.
        entries: index entries of all edits of the path.
        end: the line end of the file; empty where it is not known.
    """
    partner = {
        old: new
        for old, new in pairing(edit.old, edit.new).items()
        if ((edit.path, edit.start + old + 1) in manner.moved) == ((edit.id, new + 1) in manner.arrived)
    }
    back = {new: old for old, new in partner.items()}
    masked = secret_lines(edit.new)
    old = [_old(edit, place, partner, manner, hidden, entries) for place in range(len(edit.old))]
    new = [_new(edit, place, back, manner, masked, entries, end) for place in range(len(edit.new))]
    if manner.is_split and old and new:
        for i, j in aligned(len(old), len(new), partner):
            yield Pair(() if i is None else (old[i],), () if j is None else (new[j],))
    elif edit.id in manner.pieces:
        for place in range(max(len(old), len(new))):
            yield from (*old[place : place + 1], *new[place : place + 1])
    else:
        yield from (*old, *new)


def _old(
    edit: FileEdit,
    place: int,
    partner: Mapping[int, int],
    manner: Manner,
    hidden: frozenset[int],
    entries: _Entries,
) -> Code:
    raw, line = edit.old[place], edit.start + place
    goes_to = manner.moved.get((edit.path, line + 1), "")
    other = edit.new[partner[place]] if place in partner else None
    if other is None and not goes_to:
        other = entries.new.get(entry_target(raw) or "")
    return Code(
        sign=Sign.MOVED_AWAY if goes_to else Sign.OLD,
        raw=raw,
        number=line + 1,
        unit=Unit(edit.id, is_old=True, number=place + 1),
        other=other,
        note=" ".join(filter(None, (goes_to, _lacks(raw)))),
        is_whole_secret=line in hidden,
    )


def _new(
    edit: FileEdit,
    place: int,
    partner: Mapping[int, int],
    manner: Manner,
    masked: frozenset[int],
    entries: _Entries,
    end: bytes,
) -> Code:
    raw = edit.new[place]
    comes_from = manner.arrived.get((edit.id, place + 1), "")
    other = edit.old[partner[place]] if place in partner else None
    notes = [comes_from]
    if other is None and not comes_from:
        number, other = entries.old.get(entry_target(raw) or "", (0, None))
        notes.append(f"the entry of line {number}" if other is not None else _other_end(raw, end))
    return Code(
        sign=Sign.MOVED_HERE if comes_from else Sign.NEW,
        raw=raw,
        unit=Unit(edit.id, is_old=False, number=place + 1),
        other=other,
        note=" ".join(filter(None, (*notes, _lacks(raw)))),
        is_whole_secret=place in masked,
    )


def _other_end(raw: bytes, end: bytes) -> str:
    """Return a word for the line end of a line that is new, where it is not that of its file."""
    ends = {b"\n": "(ends in LF alone)", b"\r\n": "(ends in CR LF)"}
    own_end = b"\r\n" if raw.endswith(b"\r\n") else raw[-1:]
    return ends.get(own_end, "") if end and own_end != end else ""
