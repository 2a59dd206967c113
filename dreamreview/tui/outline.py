"""The list on the left: which cards are shown, in which groups and order, and which one comes next."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING

from dreamreview.model.excerpts import ELLIPSIS
from dreamreview.model.proposal import kinds_of
from dreamreview.model.review import State

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change
    from dreamreview.workspace.values import Card

GROUP = "group:"
"""What the key of a group starts with; ids of changes hold no colon."""


LEAD_ENDS = (": ", "? ")
"""What the words end with that titles of one kind begin with."""
LONGEST_LEAD = 30
"""Characters of such words at most."""


class Grouping(StrEnum):
    """By what the list is grouped."""

    KIND = "kind"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Group:
    """Cards under one heading."""

    name: str
    ids: tuple[str, ...]

    @property
    def key(self) -> str:
        """Key of its heading in the list."""
        return GROUP + self.name


@dataclass(frozen=True, slots=True)
class Outline:
    """Groups in the order they are shown; every card in one of them."""

    groups: tuple[Group, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """All cards in the order they are shown."""
        return tuple(card for group in self.groups for card in group.ids)

    def group_of(self, key: str | None) -> Group | None:
        """Return the group that a card or a heading belongs to."""
        return next((group for group in self.groups if group.key == key or key in group.ids), None)

    def visible(self, folded: Collection[str]) -> list[tuple[str, bool]]:
        """Return the keys of the rows and whether each is a heading that the cursor passes over."""
        rows: list[tuple[str, bool]] = []
        for group in self.groups:
            is_folded = group.name in folded
            rows.append((group.key, not is_folded))
            rows += [] if is_folded else [(card, False) for card in group.ids]
        return rows

    def neighbour(self, key: str | None, by: int) -> str | None:
        """Return the first card of the next (1) or previous (-1) group, ends kept to."""
        group = self.group_of(key)
        if group is None:
            return self.groups[0].ids[0] if self.groups else None
        place = min(max(self.groups.index(group) + by, 0), len(self.groups) - 1)
        return self.groups[place].ids[0]


def group_name(card: Card, grouping: Grouping) -> str:
    """Return the heading that a card stands under."""
    if grouping is Grouping.KIND:
        return str(card.change.kind)
    edit = next(iter(card.change.all_edits), None)
    if edit is not None:
        return edit.path
    return card.change.evidence[0].path if card.change.evidence else ""


def outline(
    cards: Sequence[Card], grouping: Grouping, shows: Callable[[Card], bool], keep: str | None = None
) -> Outline:
    """Group the cards that are to be shown; the one of id `keep` is shown whatever `shows` says.

    Groups stand where they stand when all cards are shown.
    """
    kinds = kinds_of(card.change for card in cards) if grouping is Grouping.KIND else ()
    groups: dict[str, list[str]] = {str(kind): [] for kind in kinds}
    for card in cards:
        ids = groups.setdefault(group_name(card, grouping), [])
        if card.change.id == keep or shows(card):
            ids.append(card.change.id)
    return Outline(tuple(Group(name, tuple(ids)) for name, ids in groups.items() if ids))


def leads_of(titles: Sequence[str]) -> frozenset[str]:
    """Return what more than one title begins with, up to a colon or a question mark; a narrow list leaves it out."""
    found = Counter(title[: title.index(end) + len(end)] for title in titles for end in LEAD_ENDS if end in title)
    return frozenset(lead for lead, number in found.items() if number > 1 and len(lead) <= LONGEST_LEAD)


def without_lead(title: str, leads: Collection[str]) -> str:
    """Return a title without the words that others begin with too, or that stand before what it leaves out."""
    elided = (title.find(end + ELLIPSIS) + len(end) for end in LEAD_ENDS if end + ELLIPSIS in title)
    lead = next((len(lead) for lead in leads if title.startswith(lead)), min(elided, default=0))
    return title[lead:] if lead <= LONGEST_LEAD else title


def twins_of(titles: Sequence[str]) -> frozenset[str]:
    """Return the titles that more than one change has: only their files tell them apart."""
    return frozenset(title for title, number in Counter(titles).items() if number > 1)


def next_undecided(ids: Sequence[str], states: Mapping[str, State], current: str | None, by: int = 1) -> str | None:
    """Return the next (1) or previous (-1) undecided card after `current`, around the end; None when none is left."""
    if not ids:
        return None
    start = ids.index(current) if current in ids else (-1 if by > 0 else 0)
    for step in range(1, len(ids) + 1):
        card = ids[(start + by * step) % len(ids)]
        if states[card] is State.UNDECIDED:
            return card
    return None


@lru_cache(maxsize=4096)
def words_of(change: Change) -> str:
    """Return what a change itself says, case folded."""
    lines = [
        line.decode("utf-8", "replace") for edit in change.all_edits for side in (edit.old, edit.new) for line in side
    ]
    evidence = [*change.evidence, *(piece for option in change.options for piece in option.evidence)]
    words = [change.id, change.kind, change.title, change.reason, *change.flags, *paths_of(change)]
    words += [option.label for option in change.options]
    words += [f"{piece.quote}\n{piece.path}:{piece.first}\n{piece.date or ''}" for piece in evidence]
    return "\n".join([*words, *lines]).casefold()


def paths_of(change: Change) -> tuple[str, ...]:
    """Return every path that a change edits, names or rests on, each once."""
    evidence = [*change.evidence, *(piece for option in change.options for piece in option.evidence)]
    named = (name for edit in change.all_edits for name in (edit.path, edit.to) if name is not None)
    return tuple(dict.fromkeys([*named, *(piece.path for piece in evidence)]))


def remarks_on(card: Card) -> str:
    """Return what a card says beside its change: what was derived, decided and noted, case folded."""
    derived, stale = card.derived, card.stale
    words = [*derived.vanishing, *derived.flags, card.review.reason, card.review.note]
    words += [each.to_path for each in (*derived.moved, *derived.kept)]
    words += [f"{link.path} {link.target}" for link in (*derived.broken, *derived.mended)]
    words += [stale.reason, stale.base, stale.live] if stale else []
    return "\n".join(words).casefold()


@dataclass(frozen=True, slots=True)
class Filter:
    """Which cards are shown: all words must match; ``kind:``, ``state:``, ``flag:`` and ``path:`` look at those alone.

    A path matches a glob such as ``notes/*``, or holds what is no glob. ``confidence:0.9`` lets through what is as sure
    as that or surer, ``destructive:no`` what takes nothing away.
    """

    words: tuple[str, ...] = ()

    def matches(self, card: Card) -> bool:
        """Tell whether a card is shown."""
        return all(_matches(word, card) for word in self.words)


def parse_filter(text: str) -> Filter:
    """Read what was typed; any text is a filter."""
    return Filter(tuple(text.casefold().split()))


def _matches(word: str, card: Card) -> bool:
    field, _, value = word.partition(":")
    match field:
        case "kind":
            return card.change.kind.startswith(value)
        case "state":
            special = {"stale": card.stale is not None, "applied": bool(card.applied), "void": card.review.is_void}
            return card.review.state.startswith(value) or special.get(value, False)
        case "path":
            return any(_is_path(path.casefold(), value) for path in paths_of(card.change))
        case "flag":
            return any(flag.startswith(value) for flag in (*card.change.flags, *card.derived.flags))
        case "confidence":
            return card.change.confidence >= _number(value)
        case "destructive":
            return card.is_destructive == (value != "no")
    return word in words_of(card.change) or word in remarks_on(card)


def _is_path(path: str, value: str) -> bool:
    return fnmatchcase(path, value) if any(char in value for char in "*?[") else value in path


def _number(value: str) -> float:
    """Return a number; what is none, no confidence reaches."""
    try:
        return float(value)
    except ValueError:
        return math.inf
