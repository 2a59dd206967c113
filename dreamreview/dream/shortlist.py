"""Which passages of a folder may say what new lines say: those with rare words in common, before anything is parsed."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from heapq import heappush, heapreplace, nsmallest
from itertools import count
from typing import TYPE_CHECKING

from dreamreview.dream.candidates import COMMON_SHARE, POSTINGS_LIMIT
from dreamreview.dream.passages import Lines, Passage
from dreamreview.dream.vocabulary import Vocabulary, cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from dreamreview.model.moves import Place

    Reader = Callable[[str], str | None]
    """Path to the text that stands there, None where none does."""

SEARCHED = 30_000_000
"""Characters of a folder that are gone through, at about twenty million a second; files that do not fit in are left
out."""
LEADS = 5
"""Words of a new passage by which others are looked for: its rarest that stand elsewhere as well."""
MEETINGS = 75_000
"""How often new passages and those that stand may meet in such a word, at about half a microsecond each; of more, the
words that most of them hold lead to nothing."""
NEAREST = 20
"""Passages kept for each new one: those that share most with it, by the weight of rare words."""
PAIRS = 8_000
"""Pairs that are compared by all their words, at about five microseconds each: of many new passages each keeps fewer
than `NEAREST`, yet at least `FEWEST`."""
FEWEST = 2
CLOSE = 1.9
"""Likeness of at most 2 from which two passages have nearly the same words."""
TELLING = 2
"""Rare words in common from which a likeness is seldom chance."""
ALIKE = 1.0
"""Likeness that goes with them: a little less than two statements need that are judged to be one."""
SHARED = 2
"""Words in common below which two passages do not say the same, unless one of them says nothing else."""
LIGHT = 0.3
"""Share of the lighter passage's weight that must be shared."""
BOTH = 0.5
"""Sum of that and of the share of the heavier one: what two statements share at least that are judged to be one, were
they to agree in as many amounts and pieces of code as count."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A new passage, and one that stands and may say the same."""

    new: Passage
    old: Passage
    score: float
    """Shares of either's weight that both share, added: 2 in the same words."""
    is_close: bool
    """Whether that is seldom chance."""


@dataclass(frozen=True, slots=True)
class Shortlist:
    """What deserves a closer look."""

    pairs: tuple[Pair, ...]
    """The close ones first, and of both the best first."""
    vocabulary: Vocabulary


@dataclass(frozen=True, slots=True)
class _News:
    """The new passages."""

    passages: list[Passage]
    keys: list[frozenset[str]]
    """What each is compared by."""
    same: dict[str, list[int]]
    """What a new line says, word for word, to its numbers."""


def shortlist(
    read: Reader, paths: Sequence[str], brought: Iterable[Place], looked_at: Iterable[Place] | None = None
) -> Shortlist:
    """Find the passages that stand in a folder and that new lines may say over again.

    Each file is read once, and once more where it holds rare words of new lines; what is kept meanwhile grows with the
    number of new lines and of different words only.

    Args:
        read: the proposed folder.
        paths: its files that hold memory.
        brought: every line that is new there.
        looked_at: those that are held against what stands; all of them by default.
    """
    new_lines = _by_path(brought)
    vocabulary = Vocabulary()
    news = _gather_news(read, new_lines, new_lines if looked_at is None else _by_path(looked_at), vocabulary)
    if not news.passages:
        return Shortlist((), vocabulary)
    held = _learn(read, paths, news, new_lines, vocabulary)
    nearest = _Nearest(news, vocabulary)
    for path in held:
        if nearest.seeks(held[path]) and (text := read(path)) is not None:
            nearest.meet(Lines(path, text), new_lines.get(path, set()))
    return Shortlist(tuple(nearest.pairs()), vocabulary)


def likeness(one: frozenset[str], other: frozenset[str], vocabulary: Vocabulary) -> float:
    """Return the sum of the shares of either's weight that two passages share; 0 where they cannot say the same."""
    shared = one & other
    if len(shared) < SHARED and len(shared) < min(len(one), len(other)):
        return 0.0
    weight = vocabulary.total(shared)
    sides = vocabulary.total(one), vocabulary.total(other)
    light, heavy = weight / (min(sides) or 1.0), weight / (max(sides) or 1.0)
    return light + heavy if light >= LIGHT and light + heavy >= BOTH else 0.0


def _by_path(places: Iterable[Place]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for path, line in places:
        found[path].add(line)
    return found


def _gather_news(
    read: Reader, new_lines: Mapping[str, set[int]], looked_at: Mapping[str, set[int]], vocabulary: Vocabulary
) -> _News:
    """Cut the new lines into passages that hold nothing else."""
    news = _News([], [], defaultdict(list))
    for path in sorted(looked_at):
        text = read(path)
        if text is None:
            continue
        lines = Lines(path, text)
        for first, last in lines.spans(sorted(line - 1 for line in looked_at[path] if line <= len(lines.cut))):
            keys = vocabulary.keys(lines.said(first, last))
            if keys and all(at + 1 in new_lines[path] or lines.is_blank(at) for at in range(first, last + 1)):
                news.same[lines.said(first, last)].append(len(news.passages))
                news.passages.append(lines.passage(first, last))
                news.keys.append(keys)
    return news


def _learn(
    read: Reader, paths: Iterable[str], news: _News, new_lines: Mapping[str, set[int]], vocabulary: Vocabulary
) -> dict[str, tuple[frozenset[str], bool]]:
    """Learn the words of a folder; return path to those of new passages that it holds, and whether one stands there."""
    wanted = frozenset[str]().union(*news.keys)
    held: dict[str, tuple[frozenset[str], bool]] = {}
    left = SEARCHED
    for path in paths:
        text = read(path)
        if text is None or len(text) > left:
            continue
        left -= len(text)
        apart = cut(text)
        lines = list(map(str.strip, apart.split("\n")))
        here = vocabulary.learn(text, apart, len(lines) - lines.count("")) & wanted
        if here:
            held[path] = here, _repeats(lines, news.same, new_lines.get(path, set()))
    vocabulary.settle()
    return held


def _repeats(lines: Sequence[str], same: Mapping[str, object], new_lines: set[int]) -> bool:
    """Tell whether a line that is not new says what a new one says, word for word."""
    return sum(map(same.__contains__, lines)) > sum(lines[line - 1] in same for line in new_lines if line <= len(lines))


class _Nearest:
    """For each new passage, those that stand and share most with it."""

    def __init__(self, news: _News, vocabulary: Vocabulary) -> None:
        self._news = news
        self._vocabulary = vocabulary
        self._limit = max(8, min(POSTINGS_LIMIT, int(vocabulary.lines * COMMON_SHARE)))
        """How often a rare word stands in the folder at most."""
        self._postings = _postings(news, vocabulary, self._limit)
        """Rare word to the new passages that hold it."""
        self._spelled = vocabulary.spellings(self._postings.keys())
        self._kept: list[list[tuple[float, int, Passage]]] = [[] for _ in news.passages]
        """Heaps."""
        self._floors = [0.0] * len(news.passages)
        """What each asks of one more."""
        self._most = min(NEAREST, max(FEWEST, PAIRS // len(news.passages)))
        self._order = count(0, -1)
        self._said: Counter[str] = Counter()

    def seeks(self, held: tuple[frozenset[str], bool]) -> bool:
        """Tell whether a file is to be read that holds these words of new passages, and whether one stands there."""
        return held[1] or not self._postings.keys().isdisjoint(held[0])

    def meet(self, lines: Lines, new_lines: set[int]) -> None:
        """Take the passages of a file that share a rare word with new ones, or say the same word for word."""
        hits = [
            at
            for at, line in enumerate(lines.cut)
            if (not self._spelled.isdisjoint(line.split()) or line.strip() in self._news.same)
            and at + 1 not in new_lines
        ]
        for first, last in lines.spans(hits):
            if first == last or new_lines.isdisjoint(range(first + 1, last + 2)):
                self._meet(lines, first, last)

    def _meet(self, lines: Lines, first: int, last: int) -> None:
        said = lines.said(first, last)
        keys = self._vocabulary.keys(said)
        scores: dict[int, float] = defaultdict(float)
        for key in keys & self._postings.keys():
            weight = self._vocabulary.weight(key)
            for number in self._postings[key]:
                scores[number] += weight
        for number in self._repeated(said):
            scores[number] = self._vocabulary.total(keys)
        floors = self._floors
        found = [number for number, score in scores.items() if score > floors[number]]
        if found:
            passage = lines.passage(first, last)
            for number in found:
                self._keep(number, (scores[number], next(self._order), passage))

    def _keep(self, number: int, entry: tuple[float, int, Passage]) -> None:
        heap = self._kept[number]
        if len(heap) < self._most:
            heappush(heap, entry)
        else:
            heapreplace(heap, entry)
        if len(heap) == self._most:
            self._floors[number] = heap[0][0]

    def _repeated(self, said: str) -> Sequence[int]:
        """Return the new passages that say the same word for word; of many places that do, the first count."""
        if said not in self._news.same:
            return ()
        self._said[said] += 1
        return self._news.same[said] if self._said[said] <= NEAREST else ()

    def pairs(self) -> list[Pair]:
        """Return the pairs that may say the same, best first."""
        found: list[Pair] = []
        for number, heap in enumerate(self._kept):
            mine = self._news.keys[number]
            for _, _, old in heap:
                theirs = self._vocabulary.keys(old.said)
                score = likeness(mine, theirs, self._vocabulary)
                if score:
                    is_close = score >= CLOSE or (score >= ALIKE and self._is_telling(mine & theirs))
                    found.append(Pair(self._news.passages[number], old, score, is_close))
        return sorted(found, key=_order)

    def _is_telling(self, shared: frozenset[str]) -> bool:
        return sum(self._vocabulary.counts[key] <= self._limit for key in shared) >= TELLING


def _postings(news: _News, vocabulary: Vocabulary, limit: int) -> dict[str, list[int]]:
    """Return the words that lead to other passages, each with the new ones that it leads from."""
    counts = vocabulary.counts
    mine = Counter(
        key
        for passage, keys in zip(news.passages, news.keys, strict=True)
        if passage.first == passage.last
        for key in keys
    )
    leads: dict[str, list[int]] = defaultdict(list)
    for number, keys in enumerate(news.keys):
        rare = [(counts[key], key) for key in keys if mine[key] < counts[key] <= limit]
        for _, key in nsmallest(LEADS, rare):
            leads[key].append(number)
    left = MEETINGS
    found: dict[str, list[int]] = {}
    for key in sorted(leads, key=lambda key: (counts[key], key)):
        left -= len(leads[key]) * counts[key]
        if left < 0:
            break
        found[key] = leads[key]
    return found


def _order(pair: Pair) -> tuple[bool, float, bool, tuple[str, int, int], tuple[str, int, int]]:
    is_other = pair.new.said != pair.old.said
    return not pair.is_close, -round(pair.score, 6), is_other, pair.new.span, pair.old.span
