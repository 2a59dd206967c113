"""How a proposal fares against a key, by class: what was found, what was missed, what was found where nothing is."""

from __future__ import annotations

from dataclasses import dataclass
from posixpath import basename
from typing import TYPE_CHECKING

from dreamreview.cli.evaluation.key import INDEX
from dreamreview.cli.evaluation.places import Pair, Span, is_same, pairs
from dreamreview.cli.evaluation.suggested import names, of_kind, rewritten, spans_of, told, touched, written
from dreamreview.model.proposal import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dreamreview.cli.evaluation.key import Clash, Item, Key
    from dreamreview.model.proposal import Change

SINGLE = (
    ("stale", ("not_stale",), (Kind.PRUNE, Kind.SUPERSEDE)),
    ("relative_dates", ("not_dates", "ambiguous_dates"), (Kind.DATE,)),
    ("secrets", ("not_secrets",), (Kind.REDACT,)),
    ("instructions", ("not_instructions",), (Kind.QUARANTINE,)),
    ("promote", ("not_promote",), (Kind.PROMOTE,)),
)
"""Class, the lists that look like it and stay, and the kinds of change that find it."""


@dataclass(frozen=True, slots=True)
class Score:
    """How one class fared."""

    name: str
    expected: int
    """How many there are to find."""
    hits: int
    """Findings that are right."""
    missed: tuple[str, ...]
    """What was not found."""
    wrong: tuple[str, ...]
    """What was found and is none, or was found and read wrongly."""

    @property
    def precision(self) -> float | None:
        """Share of the findings that are right; None without any."""
        found = self.hits + len(self.wrong)
        return self.hits / found if found else None

    @property
    def recall(self) -> float | None:
        """Share of what there is that was found; None where there is nothing."""
        return 1 - len(self.missed) / self.expected if self.expected else None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How a proposal fared."""

    scores: tuple[Score, ...]
    false_merges: tuple[str, ...]
    """Merges of what has to stay apart, and of two sides of a conflict."""
    wrong_winners: tuple[str, ...]
    """Conflicts that suggest the side that does not win; none counts where nothing tells which does."""
    lost: tuple[str, ...]
    """Text that has to survive the merges and stands nowhere after them."""


def evaluate(changes: Sequence[Change], key: Key, index: Sequence[str], merged: str) -> Evaluation:
    """Hold changes against a key; findings are matched by the lines that they share.

    Args:
        changes: the changes of a proposal.
        key: the answers.
        index: the lines of the index before the dream.
        merged: the whole text of the store with its merges made.
    """
    judge = _Judge(changes, key, index)
    whole = _flat(merged)
    return Evaluation(
        scores=(
            judge.duplicates(),
            judge.conflicts(),
            *(judge.single(*each) for each in SINGLE),
            judge.index(),
        ),
        false_merges=judge.false_merges(),
        wrong_winners=tuple(clash.topic for clash in key.conflicts if judge.is_wrong_winner(clash)),
        lost=tuple(text for group in key.duplicates for text in group.must_keep if _flat(text) not in whole),
    )


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())


class _Judge:
    """Matches the findings of a proposal with the answers of a key."""

    def __init__(self, changes: Sequence[Change], key: Key, index: Sequence[str]) -> None:
        self._changes = changes
        self._key = key
        self._index = index
        self._merged = self._pairs(Kind.MERGE)
        self._clashing = self._pairs(Kind.CONFLICT)
        self._repeats = [pair for group in key.duplicates for pair in pairs(group.members)]
        self._stale = [item.span for item in key.lists["stale"]]
        self._recurring = [(item.span, *item.also) for name in ("promote", "not_promote") for item in key.lists[name]]

    def _pairs(self, kind: Kind) -> list[Pair]:
        return [pair for change in of_kind(self._changes, kind) for pair in pairs(told(change))]

    def duplicates(self) -> Score:
        """Score the merges, pair by pair."""
        hits = [pair for pair in self._merged if any(is_same(pair, true) for true in self._repeats)]
        wrong = [pair for pair in self._merged if pair not in hits and not self._is_neutral(pair)]
        missed = [true for true in self._repeats if not any(is_same(true, pair) for pair in self._merged)]
        return Score("duplicates", len(self._repeats), len(hits), _named(missed), _named(wrong))

    def conflicts(self) -> Score:
        """Score the conflicts, pair by pair; a succession finds one as well."""
        clashes = self._key.conflicts
        hits = [pair for pair in self._clashing if any(clash.is_met_by(pair) for clash in clashes)]
        wrong = [
            pair
            for pair in self._clashing
            if pair not in hits and not self._is_neutral(pair) and not any(_is_within(pair, each) for each in clashes)
        ]
        found = self._clashing + self._pairs(Kind.SUPERSEDE)
        missed = [clash for clash in clashes if not any(clash.is_met_by(pair) for pair in found)]
        return Score(
            "conflicts",
            len(clashes),
            len(hits),
            tuple(f"{clash.a[0]} and {clash.b[0]}: {clash.topic}" for clash in missed),
            _named(wrong),
        )

    def _is_neutral(self, pair: Pair) -> bool:
        """Tell whether a pair is neither hit nor false alarm."""
        if any(apart.is_neutral and is_same(pair, apart.pair) for apart in self._key.not_duplicates):
            return True
        if any(span.meets_any(self._stale) for span in pair):
            return True
        return self._points(pair) or any(_recurs(pair, places) for places in self._recurring)

    def _points(self, pair: Pair) -> bool:
        """Tell whether a pair is a line of the index and the text that it points to."""
        return any(
            entry.path == INDEX
            and text.path != INDEX
            and any(basename(text.path) in line for line in self._index[max(entry.first - 1, 0) : entry.last])
            for entry, text in (pair, pair[::-1])
        )

    def single(self, name: str, alike: tuple[str, ...], kinds: tuple[Kind, ...]) -> Score:
        """Score a class of single places."""
        changes = of_kind(self._changes, *kinds)
        there = self._key.lists[name]
        found = [item for item in there if _finds(changes, item.span)]
        wrong = [
            str(item.span)
            for each in alike
            for item in self._key.lists[each]
            if _finds(changes, item.span) and not _keeps(changes, item)
        ]
        if name == "relative_dates":
            wrong += [f"{item.span} is not {item.resolved}" for item in found if not _dates(changes, item)]
            found = [item for item in found if _dates(changes, item)]
        missed = tuple(str(item.span) for item in there if not _finds(changes, item.span))
        return Score(name, len(there), len(found), missed, tuple(wrong))

    def index(self) -> Score:
        """Score the lines of the index that are to go, and the files that it lacks."""
        about = of_kind(self._changes, Kind.INDEX, Kind.LINK)
        lines = [str(span) for span in self._key.index_lines if not _finds(about, span)]
        entries = of_kind(self._changes, Kind.INDEX)
        files = [path for path in self._key.unindexed if not any(names(change, basename(path)) for change in entries)]
        expected = len(self._key.index_lines) + len(self._key.unindexed)
        missed = (*lines, *(f"{path} is not indexed" for path in files))
        return Score("index", expected, expected - len(missed), missed, ())

    def false_merges(self) -> tuple[str, ...]:
        """Return what was merged and has to stay apart."""
        key = self._key
        apart = [
            each.pair
            for each in key.not_duplicates
            if not each.is_neutral and any(is_same(each.pair, pair) for pair in self._merged)
        ]
        sides = [(clash.a[0], clash.b[0]) for clash in key.conflicts if any(map(clash.is_met_by, self._merged))]
        return _named([*apart, *sides])

    def is_wrong_winner(self, clash: Clash) -> bool:
        """Tell whether a conflict suggests the side that does not win."""
        for change in of_kind(self._changes, Kind.CONFLICT):
            if not (clash.winner and change.suggested) or len(change.options) != 2:
                continue
            first, second = (spans_of(option.evidence) for option in change.options)
            for near, far, is_turned in ((first, second, False), (second, first, True)):
                if clash.a[0].meets_any(near) and clash.b[0].meets_any(far):
                    says_a = (change.suggested == change.options[0].key) != is_turned
                    if says_a != (clash.winner == "a"):
                        return True
        return False


def _named(found: Iterable[Pair]) -> tuple[str, ...]:
    return tuple(f"{near} and {far}" for near, far in found)


def _is_within(pair: Pair, clash: Clash) -> bool:
    """Tell whether both places belong to one conflict, be it to one side of it."""
    sides = (*clash.a, *clash.b)
    return pair[0].meets_any(sides) and pair[1].meets_any(sides)


def _recurs(pair: Pair, places: Sequence[Span]) -> bool:
    """Tell whether a pair is of the days that say one thing, or of one of them and the index."""
    is_among = [span.meets_any(places) for span in pair]
    return any(is_among) and all(found or span.path == INDEX for found, span in zip(is_among, pair, strict=True))


def _finds(changes: Iterable[Change], span: Span) -> bool:
    return any(span.meets_any(touched(change)) for change in changes)


def _keeps(changes: Iterable[Change], item: Item) -> bool:
    """Tell whether the line was touched and its word stayed."""
    return item.word is not None and any(
        item.word.casefold() in text.casefold() for change in changes for text in rewritten(change, item)
    )


def _dates(changes: Iterable[Change], item: Item) -> bool:
    """Tell whether a relative date was read as the day it means."""
    return item.resolved is not None and any(
        item.span.meets_any(touched(change)) and any(item.resolved in written(edit) for edit in change.edits)
        for change in changes
    )
