"""Which facts that a proposal brings are known already: what it adds, held against what stands and stays."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.dream.claims import SHAPES, Claim, claims_at
from dreamreview.dream.engine import Corpus
from dreamreview.dream.evidence import evidence
from dreamreview.dream.judging import judge
from dreamreview.dream.relation import Kinship, relate
from dreamreview.dream.shortlist import likeness
from dreamreview.dream.similarity import Weights
from dreamreview.dream.slots import Reading, read
from dreamreview.dream.vocabulary import cut
from dreamreview.model.markdown import parse
from dreamreview.model.memory import Shape
from dreamreview.model.moves import is_content

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from dreamreview.dream.passages import Passage
    from dreamreview.dream.shortlist import Pair, Shortlist
    from dreamreview.dream.vocabulary import Vocabulary
    from dreamreview.model.memory import Document
    from dreamreview.model.moves import Place
    from dreamreview.model.proposal import Evidence

NAMED = 5
"""Facts named for one change."""
REPEATED = 3
"""Passages that a new one was found to say over again, after which it is held against no more."""
READ = 100
"""Passages that are read word by word, at a third of a millisecond each. Those that share most come first, and what is
beyond stays unmarked: a mark spares a person a look, and is not worth a wait."""
READ_CLOSE = 2_000
"""The same of passages that are close, few of which turn out to say something else."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A proposed folder."""

    bytes_of: Callable[[str], bytes | None]
    """Path to what stands there, None where nothing can be read."""
    files: frozenset[str]
    """Every path of it."""
    today: date
    most_lines: int
    """Lines of its files that are parsed at most; files that do not fit in are left out."""


def restated(
    found: Shortlist, folder: Folder, brought: Mapping[Place, str], replaced: Callable[[str], Iterable[str]]
) -> dict[str, tuple[Evidence, ...]]:
    """Return, for each change that says over again what stands and stays, the facts that it repeats.

    Args:
        found: the passages of the folder that may say the same.
        folder: where they stand.
        brought: place of each line that a change brings to the change.
        replaced: change to the lines it replaces; what they said over again already is no news.
    """
    reader = _Reader(found.vocabulary)
    pairs = list(_alike(found.pairs, reader))
    claims = _claims_of(pairs, folder, found.vocabulary.names)
    said_before = _SaidBefore(replaced, reader)
    best: dict[int, tuple[float, int]] = {}
    owners: dict[int, str] = {}
    for new, old in _met(pairs, claims):
        owner = _owner(new, brought)
        if owner is None or not _lines(old).isdisjoint(brought):
            continue
        relation = judge(new, old, reader.weights(new.reading, old.reading), ()).relation
        if relation.kinship is not Kinship.DUPLICATE or said_before(owner, old.reading):
            continue
        owners[new.place] = owner
        best[new.place] = max(best.get(new.place, (0.0, 0)), (relation.score, -old.place))
    facts: dict[str, dict[int, Evidence]] = defaultdict(dict)
    for place, (_, at) in sorted(best.items()):
        named = facts[owners[place]]
        if len(named) < NAMED:
            named.setdefault(-at, _evidence(claims[-at]))
    return {change: tuple(named.values()) for change, named in facts.items()}


class _Reader:
    """Reads passages, and weighs what they say by the words of the folder."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._of: dict[str, float] = {}
        self._weights = Weights(self._of)
        self._read: dict[tuple[str, int, int], Reading | None] = {}

    @property
    def count(self) -> int:
        """How many passages were read."""
        return len(self._read)

    def statement(self, passage: Passage) -> Reading | None:
        """Return what a passage says, None where it is no statement: a heading, an entry of an index."""
        key = passage.span
        if key not in self._read:
            notes = parse(passage.path, passage.text.encode()).notes
            texts = [note.text for note in notes if note.shape in SHAPES]
            # Only an entry runs on over blank lines; without the sign before it, it reads like several paragraphs.
            is_entry = len(texts) > 1 and all(note.shape is Shape.PARAGRAPH for note in notes if note.shape in SHAPES)
            text = "\n".join(texts) if is_entry else texts[0] if texts else None
            self._read[key] = None if text is None else read(text, self.vocabulary.names)
        return self._read[key]

    def weights(self, *readings: Reading) -> Weights:
        """Return weights by which these texts may be compared."""
        for reading in readings:
            for token in reading.bag:
                if token not in self._of:
                    self._of[token] = self.vocabulary.weight(token)
        return self._weights

    def is_same(self, one: Reading, other: Reading) -> bool:
        """Tell whether two texts say the same by their words alone."""
        return relate(one, other, self.weights(one, other)).kinship is Kinship.DUPLICATE


def _alike(pairs: Iterable[Pair], reader: _Reader) -> Iterator[Pair]:
    """Yield the pairs that say the same by their words alone, as far as the limits go."""
    found: Counter[tuple[str, int, int]] = Counter()
    for pair in pairs:
        if found[pair.new.span] >= REPEATED:
            continue
        if reader.count >= (READ_CLOSE if pair.is_close else READ):
            return
        new, old = reader.statement(pair.new), reader.statement(pair.old)
        if new and old and reader.is_same(new, old):
            found[pair.new.span] += 1
            yield pair


def _claims_of(pairs: Sequence[Pair], folder: Folder, names: frozenset[str]) -> list[Claim]:
    """Read the statements of some pairs where they stand, in path and line order, as far as the limit goes."""
    documents: dict[str, Document] = {}
    left = folder.most_lines
    for path in dict.fromkeys(path for pair in pairs for path in (pair.old.path, pair.new.path)):
        data = folder.bytes_of(path)
        lines = 0 if data is None else data.count(b"\n") + 1
        if data is not None and lines <= left:
            documents[path] = parse(path, data)
            left -= lines
    corpus = Corpus(documents=dict(sorted(documents.items())), files=folder.files, today=folder.today)
    return claims_at(corpus, names, {place for pair in pairs for place in (*pair.new.places, *pair.old.places)})


def _met(pairs: Iterable[Pair], claims: Iterable[Claim]) -> list[tuple[Claim, Claim]]:
    """Return the statements that stand in the passages of some pairs, the new one first, each pair once."""
    standing: dict[Place, Claim] = {place: claim for claim in claims for place in _lines(claim)}
    met: dict[tuple[int, int], tuple[Claim, Claim]] = {}
    for pair in pairs:
        for new in {claim.place: claim for place in pair.new.places if (claim := standing.get(place))}.values():
            for old in {claim.place: claim for place in pair.old.places if (claim := standing.get(place))}.values():
                met[new.place, old.place] = new, old
    return [met[places] for places in sorted(met)]


def _lines(claim: Claim) -> set[Place]:
    return {(claim.path, line) for line in range(claim.note.first, claim.note.last + 1)}


def _owner(claim: Claim, brought: Mapping[Place, str]) -> str | None:
    """Return the change that brings all of a statement."""
    changes = {
        brought.get((claim.path, line))
        for line in range(claim.note.first, claim.note.last + 1)
        if is_content(claim.document.lines[line - 1])
    }
    return changes.pop() if len(changes) == 1 else None


class _SaidBefore:
    """Tells whether what a change replaces said a fact over again already."""

    def __init__(self, replaced: Callable[[str], Iterable[str]], reader: _Reader) -> None:
        self._replaced = replaced
        self._reader = reader
        self._lines: dict[str, list[tuple[str, frozenset[str]]]] = {}
        """Change to the lines it replaces, each with its words."""

    def __call__(self, change: str, fact: Reading) -> bool:
        """Tell whether one of the lines that a change replaces says a fact."""
        vocabulary = self._reader.vocabulary
        if change not in self._lines:
            self._lines[change] = [(line, vocabulary.keys(cut(line))) for line in self._replaced(change)]
        keys = vocabulary.keys(cut(fact.text))
        return any(
            self._reader.is_same(read(line, vocabulary.names), fact)
            for line, words in self._lines[change]
            if likeness(words, keys, vocabulary)
        )


def _evidence(claim: Claim) -> Evidence:
    return evidence(claim.document, claim.note.first, claim.note.last, claim.note.date)
