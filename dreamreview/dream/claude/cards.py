"""The card that the model opens before it edits: what it is about to do, why, and which lines that rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.dream.claude.addresses import name_of
from dreamreview.dream.claude.working_copy import RefusedError
from dreamreview.model.proposal import Kind, squeeze

if TYPE_CHECKING:
    from dreamreview.dream.claude.sessions import Sessions
    from dreamreview.dream.claude.veil import Veil
    from dreamreview.dream.engine import Corpus

PHASES = {
    Kind.CONFLICT: "consolidate",
    Kind.MERGE: "consolidate",
    Kind.SUPERSEDE: "consolidate",
    Kind.PROMOTE: "consolidate",
    Kind.ADD: "consolidate",
    Kind.REWRITE: "consolidate",
    Kind.DATE: "consolidate",
    Kind.PRUNE: "prune",
    Kind.REDACT: "gather",
    Kind.QUARANTINE: "gather",
    Kind.INDEX: "index",
    Kind.LINK: "index",
}
"""The kinds that a card may have, each with the phase it belongs to."""

LONGEST_CITED = 100_000
"""Characters of one piece of evidence."""
LONGEST_TITLE = 160
LONGEST_REASON = 1_200
MOST_EVIDENCE = 40
MOST_SEARCHED = 200_000
"""Lines that are looked at for a quote that is not where it was said to be."""
SHORTEST_QUOTE = 8
"""Letters and digits below which a quote has to be all of a line."""
SESSION = "session:"
"""How the address of a session begins."""
CONTEXT = "context:"
"""How the address of a file beside the memory begins, which is read and never changed."""
_LETTERS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Cited:
    """Lines that a card rests on: of the store as it was before the dream, or of a session."""

    path: str
    """Path in the store, or the file name of a session."""
    first: int
    """1-based."""
    last: int
    text: str
    """What the lines say, unmasked."""
    session: str | None = None
    date: str | None = None
    is_context: bool = False
    """Whether the lines stand beside the memory, not in it."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a conflict."""

    label: str
    cited: Cited


@dataclass(frozen=True, slots=True)
class Card:
    """A declared change."""

    number: int
    kind: Kind
    title: str
    reason: str
    confidence: float
    evidence: tuple[Cited, ...] = ()
    sides: tuple[Side, ...] = ()
    suggested: str | None = None
    """Key of the side that holds, ``A`` for the first."""


@dataclass(frozen=True, slots=True)
class Citing:
    """What a card may point to."""

    corpus: Corpus
    sessions: Sessions
    veil: Veil
    _sent: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def cited(self, shape: object) -> Cited:
        """Find the lines of one piece of evidence: where it says they are, or where its quote stands.

        Raises:
            RefusedError: they are not there.
        """
        entry = _mapping(shape, "a piece of evidence")
        path, quote = entry.get("path"), entry.get("quote")
        if not isinstance(path, str) or not isinstance(quote, str):
            raise RefusedError("evidence names a path, the first and last line, and quotes words of those lines")
        first, last = _lines(entry)
        is_spoken = path.startswith(SESSION)
        texts, name = self.sessions.texts(path[len(SESSION) :]) if is_spoken else self._document(path)
        session = path[len(SESSION) :] if is_spoken else None
        first, last = _located(self._shown(path, texts), first, last, quote, path)
        if sum(map(len, texts[first - 1 : last])) > LONGEST_CITED:
            raise RefusedError(f"cite fewer lines of {path}: those that the change rests on")
        return Cited(
            path=name,
            first=first,
            last=last,
            text="\n".join(texts[first - 1 : last]),
            session=session,
            date=self.sessions.date(session, first) if session else self._date(name, first, last),
            is_context=path.startswith(CONTEXT),
        )

    def _shown(self, path: str, texts: tuple[str, ...]) -> tuple[str, ...]:
        """Return the lines of a source as they are sent; sources do not change during a dream."""
        if path not in self._sent:
            self._sent[path] = self.veil.lines(texts) if texts else ()
        return self._sent[path]

    def _document(self, path: str) -> tuple[tuple[str, ...], str]:
        is_context = path.startswith(CONTEXT)
        name = path[len(CONTEXT) :] if is_context else name_of(path)
        document = (self.corpus.context if is_context else self.corpus.documents).get(name)
        if document is None:
            raise RefusedError(f"{path} was no file of the memory when this dream began; cite what was")
        return tuple(document.line_text(line) for line in range(1, len(document.lines) + 1)), name

    def _date(self, name: str, first: int, last: int) -> str | None:
        document = self.corpus.documents.get(name)
        notes = [note for note in document.notes if note.first <= first and last <= note.last] if document else []
        return min(notes, key=lambda note: note.last - note.first).date if notes else None


def read_card(number: int, given: Mapping[str, object], citing: Citing) -> Card:
    """Read what the model declares.

    Raises:
        RefusedError: a part is missing, or the evidence is not what it says.
    """
    kind = _kind(given.get("kind"))
    confidence = given.get("confidence")
    if not isinstance(confidence, int | float) or isinstance(confidence, bool) or not 0 <= confidence <= 1:
        raise RefusedError("confidence is a number from 0 to 1")
    sides = tuple(_side(shape, citing) for shape in _items(given.get("sides"), "sides"))
    evidence = tuple(citing.cited(shape) for shape in _items(given.get("evidence"), "evidence"))
    suggested = given.get("suggested")
    if kind is Kind.CONFLICT:
        _check_sides(sides, suggested)
    elif sides:
        raise RefusedError("only a conflict has sides")
    elif not evidence:
        raise RefusedError("a card needs at least one piece of evidence: the lines that it rests on")
    return Card(
        number=number,
        kind=kind,
        title=_prose(given.get("title"), "title", LONGEST_TITLE, citing.veil),
        reason=_prose(given.get("reason"), "reason", LONGEST_REASON, citing.veil),
        confidence=float(confidence),
        evidence=evidence,
        sides=sides,
        suggested=suggested if kind is Kind.CONFLICT and isinstance(suggested, str) else None,
    )


def _kind(given: object) -> Kind:
    known = {kind.value: kind for kind in PHASES}
    if not isinstance(given, str) or given not in known:
        raise RefusedError(f"kind is one of {', '.join(known)}")
    return known[given]


def _prose(given: object, what: str, longest: int, veil: Veil) -> str:
    if not isinstance(given, str) or not given.strip():
        raise RefusedError(f"a card needs a {what}")
    return veil.beginning(" ".join(given.split()), longest)


def _side(shape: object, citing: Citing) -> Side:
    label = _mapping(shape, "a side").get("label")
    return Side(_prose(label, "label for each side", LONGEST_TITLE, citing.veil), citing.cited(shape))


def _check_sides(sides: Sequence[Side], suggested: object) -> None:
    if not 2 <= len(sides) <= 5:
        raise RefusedError("a conflict has two to five sides, each with a label, path, lines and quote")
    if any(side.cited.session for side in sides) or all(side.cited.is_context for side in sides):
        raise RefusedError(
            "the sides of a conflict are lines of the memory, but for one beside it; cite sessions apart"
        )
    for number, side in enumerate(sides):
        for other in sides[:number]:
            same = side.cited.path == other.cited.path
            if same and side.cited.first <= other.cited.last and other.cited.first <= side.cited.last:
                raise RefusedError("two sides of a conflict are the same lines")
    if suggested is not None and suggested not in option_keys(len(sides)):
        raise RefusedError(f"suggested is one of {', '.join(option_keys(len(sides)))}, or null")


def option_keys(count: int) -> tuple[str, ...]:
    """Return the keys of the sides of a conflict in order."""
    return tuple("ABCDE"[:count])


def _mapping(shape: object, what: str) -> Mapping[str, object]:
    if not isinstance(shape, dict):
        raise RefusedError(f"{what} is an object")
    return shape


def _items(given: object, what: str) -> list[object]:
    if given is None:
        return []
    if not isinstance(given, list) or len(given) > MOST_EVIDENCE:
        raise RefusedError(f"{what} is a list of at most {MOST_EVIDENCE}")
    return given


def _lines(entry: Mapping[str, object]) -> tuple[int, int]:
    first, last = entry.get("first"), entry.get("last")
    if type(first) is not int or type(last) is not int or not 1 <= first <= last:
        raise RefusedError("first and last are line numbers from 1")
    return first, last


def _located(texts: Sequence[str], first: int, last: int, quote: str, path: str) -> tuple[int, int]:
    """Return the lines that hold a quote: those that were named, else the only others that do."""
    wanted = squeeze(quote)
    if len(_LETTERS.findall(wanted)) < SHORTEST_QUOTE and not any(squeeze(text) == wanted for text in texts):
        raise RefusedError("a quote is at least a few words of the cited lines, or all of a short line")
    span = last - first
    if last <= len(texts) and wanted in squeeze("\n".join(texts[first - 1 : last])):
        return first, last
    starts = range(1, len(texts) - span + 1) if len(texts) * (span + 1) <= MOST_SEARCHED else range(0)
    found = [start for start in starts if wanted in squeeze("\n".join(texts[start - 1 : start + span]))]
    if not found:
        raise RefusedError(f"{path} does not say “{quote[:120]}” in {span + 1} lines on end; quote it word for word")
    if found[-1] - found[0] > span:
        raise RefusedError(f"“{quote[:120]}” stands in several places of {path}; name the lines it means")
    return found[-1], found[-1] + span
