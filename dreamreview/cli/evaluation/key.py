"""The answer key of a store: what a perfect dream finds, and what it leaves alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.cli.evaluation.places import Pair, Span
from dreamreview.errors import DreamReviewError
from dreamreview.model.manifest_fields import (
    MAX_LINE_NUMBER,
    Fault,
    JsonObject,
    as_object,
    integer,
    items,
    optional_text,
    text,
    whole,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Callable

MOST = 16 * 1024 * 1024
"""Bytes of a key at most."""
ENTRIES = 10_000
"""Entries of one list at most."""
LONGEST = 10_000
"""Characters of one text at most."""
INDEX = "MEMORY.md"
"""The file whose lines the `index` of a key counts."""
LISTS = (
    "stale", "not_stale", "relative_dates", "ambiguous_dates", "not_dates", "secrets", "not_secrets", "instructions",
    "not_instructions", "promote", "not_promote",
)  # fmt: skip
"""Lists of single places."""


@dataclass(frozen=True, slots=True)
class Item:
    """One place that a list names."""

    span: Span
    also: tuple[Span, ...] = ()
    """Where else the same is said."""
    word: str | None = None
    """The word on it that is meant."""
    resolved: str | None = None
    """What a relative date means."""


@dataclass(frozen=True, slots=True)
class Group:
    """Places that say the same."""

    members: tuple[Span, ...]
    must_keep: tuple[str, ...]
    """Text that has to survive their merge."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Two places to leave apart."""

    pair: Pair
    is_neutral: bool
    """Whether a finding there is neither hit nor false alarm."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Two sides of which only one can hold."""

    topic: str
    a: tuple[Span, ...]
    b: tuple[Span, ...]
    winner: str | None
    """``a`` or ``b``; None where nothing tells."""

    def is_met_by(self, pair: Pair) -> bool:
        """Tell whether a pair holds a place of either side."""
        near, far = pair
        return (near.meets_any(self.a) and far.meets_any(self.b)) or (near.meets_any(self.b) and far.meets_any(self.a))


@dataclass(frozen=True, slots=True)
class Key:
    """What a perfect dream of a store finds."""

    duplicates: tuple[Group, ...]
    not_duplicates: tuple[Apart, ...]
    conflicts: tuple[Clash, ...]
    lists: dict[str, tuple[Item, ...]]
    """Each of `LISTS`."""
    index_lines: tuple[Span, ...]
    """Lines of the index that point nowhere or say again what one above says."""
    unindexed: tuple[str, ...]
    """Files that the index lacks."""


def parse(data: bytes, name: str) -> Key:
    """Read an answer key.

    Raises:
        DreamReviewError: it is none; the message names the place.
    """
    if len(data) > MOST:
        raise DreamReviewError(f"{name} holds more than {MOST // 1024**2} MiB: no answer key is that large")
    try:
        return _key(as_object(json.loads(data)))
    except (ValueError, RecursionError) as error:
        raise DreamReviewError(f"{name} is no answer key: it is not JSON") from error
    except Fault as fault:
        raise DreamReviewError(f"{name} is no answer key: {fault}") from fault


def _key(shape: JsonObject) -> Key:
    index = within("index", as_object, shape.get("index", {}))
    lines = [within("index", _lines_of(name), index) for name in ("dangling", "duplicate_lines")]
    return Key(
        duplicates=items(shape, "duplicates", _group, ENTRIES),
        not_duplicates=items(shape, "not_duplicates", _apart, ENTRIES),
        conflicts=items(shape, "conflicts", _clash, ENTRIES),
        lists={name: items(shape, name, _item, ENTRIES) for name in LISTS},
        index_lines=(*lines[0], *lines[1]),
        unindexed=within("index", lambda value: items(value, "unindexed", _word, ENTRIES), index),
    )


def _lines_of(name: str) -> Callable[[JsonObject], tuple[Span, ...]]:
    def read(value: object) -> Span:
        number = whole(value, "", 1, MAX_LINE_NUMBER)
        return Span(INDEX, number, number)

    return lambda index: items(index, name, read, ENTRIES)


def _word(value: object) -> str:
    return text({"text": value}, "text", LONGEST)


def _span(value: object) -> Span:
    shape = as_object(value)
    path = text(shape, "path", LONGEST)
    if "lines" not in shape:
        line = integer(shape, "line", 1, MAX_LINE_NUMBER)
        return Span(path, line, line)
    ends = items(shape, "lines", lambda number: whole(number, "", 1, MAX_LINE_NUMBER), 2)
    if len(ends) != 2 or ends[0] > ends[1]:
        raise Fault("lines", "expected the first and the last line")
    return Span(path, *ends)


def _item(value: object) -> Item:
    shape = as_object(value)
    word, resolved = (optional_text(shape, name, LONGEST) for name in ("word", "resolved"))
    return Item(_span(shape), items(shape, "also", _span, ENTRIES), word, resolved)


def _group(value: object) -> Group:
    shape = as_object(value)
    return Group(items(shape, "members", _span, ENTRIES), items(shape, "must_keep", _word, ENTRIES))


def _apart(value: object) -> Apart:
    shape = as_object(value)
    pair = within("a", _span, shape.get("a")), within("b", _span, shape.get("b"))
    return Apart(pair, not {"source", "supersede", "pinned"}.isdisjoint(shape))


def _clash(value: object) -> Clash:
    shape = as_object(value)
    winner = optional_text(shape, "winner", 1)
    if winner not in ("a", "b", None):
        raise Fault("winner", "expected a, b or null")
    sides = (
        (within(side, _span, shape.get(side)), *items(shape, f"also_{side}", _span, ENTRIES)) for side in ("a", "b")
    )
    return Clash(text(shape, "topic", LONGEST, ""), next(sides), next(sides), winner)
