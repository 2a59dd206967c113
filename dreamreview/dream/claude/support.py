"""What the lines that a card cites hold, and what of a store is over or said elsewhere: the ground a card stands on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from dreamreview.dream import instructions, retention
from dreamreview.dream.claude.addresses import address_of
from dreamreview.dream.claude.veil import Veil
from dreamreview.dream.orders import find_order
from dreamreview.dream.relative_words import resolve
from dreamreview.dream.similarity import content, scan
from dreamreview.dream.slots import read
from dreamreview.model.literals import literals_of
from dreamreview.model.loss import without_secrets
from dreamreview.model.occurrence import Hunt, Sought, occurs
from dreamreview.model.proposal import Act, squeeze

if TYPE_CHECKING:
    from dreamreview.dream.claude.cards import Cited
    from dreamreview.dream.claude.working_copy import WorkingCopy
    from dreamreview.dream.engine import Corpus, Draft, Policy
    from dreamreview.model.proposal import FileEdit

SAID_AGAIN = 0.3
"""Share of the words of a removed text that has to stand in what replaces it, for that to be about the same thing."""
FEWEST = 2
"""Words that it has to share at least, where it has so many."""
STRANGE = 0.7
"""Share of the words of a new line that no source has, from which on the line is another statement."""
SENTENCE = 6
"""Words below which a line is no statement to ask that of."""
_COUNTED = re.compile(r"\d{1,3}(?:st|nd|rd|th|x)?")
"""Numbers that a reason may count with: lines, notes, copies."""

_QUOTED = re.compile(
    r"“([^“”]{3,300})”|\"([^\"\n]{3,300})\"|«([^«»]{3,300})»|„([^„“”]{3,300})[“”]|「([^「」]{2,300})」"
)
_SPEECH = 3
"""Words from which quoted words are a quotation and not a term."""


@dataclass(frozen=True, slots=True)
class Held:
    """What the sources of one card hold."""

    lines: frozenset[bytes]
    """Their lines, blanks squeezed."""
    text: bytes
    """All of it in lower case, without secrets, with the names and days that need no source."""
    words: frozenset[str]
    veil: Veil

    def missing(self, lines: Iterable[bytes], *, is_talk: bool = False) -> Iterator[tuple[str, str]]:
        """Yield what lines say that the sources do not hold: what it is, and its words.

        Args:
            lines: new text, or what the card says of itself.
            is_talk: True for the latter, where small numbers count things and other words are the dreamer's own.
        """
        given = self.veil.text("\n".join(map(_text, lines))).split("\n")
        for literal in literals_of([text.encode("utf-8", "replace") for text in given]):
            needle = literal.encode("utf-8", "replace").lower()
            if occurs(needle, self.text) or (is_talk and (_COUNTED.fullmatch(literal) or literal.isalpha())):
                continue
            yield "the number" if literal[:1].isdigit() else "the words", f"“{self.veil.beginning(literal, 100)}”"
        for text in given:
            yield from self._quotes(text)
            if not is_talk and self._is_strange(text):
                yield "the statement", f"“{self.veil.beginning(text, 120)}”"

    def _quotes(self, text: str) -> Iterator[tuple[str, str]]:
        quotes = [next(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
        quotes = [quote for quote in quotes if len(quote.split()) >= _SPEECH]
        held = squeeze(self.text.decode("utf-8", "replace")) if quotes else ""
        for quote in quotes:
            if squeeze(quote).strip(" .,;") not in held:
                yield "the quotation", f"“{self.veil.beginning(quote, 120)}”"

    def _is_strange(self, text: str) -> bool:
        words = frozenset(content(scan(text)))
        return len(words) >= SENTENCE and len(words - self.words) > STRANGE * len(words)


class Support:
    """What the cards of one dream may rest on."""

    def __init__(self, corpus: Corpus, policy: Policy, copy: WorkingCopy, veil: Veil) -> None:
        self._corpus = corpus
        self._policy = policy
        self._copy = copy
        self._veil = veil

    def shown(self, text: str, most: int) -> str:
        """Return the beginning of a text as the model may read it."""
        return self._veil.beginning(text, most)

    def held(self, evidence: Sequence[Cited], old: Iterable[bytes]) -> Held:
        """Return what cited lines and the lines that a card takes away hold."""
        gone = [line.decode("utf-8", "replace") for line in old]
        cited = [text for piece in evidence for text in piece.text.split("\n")]
        files = {*self._copy.names(), *self._corpus.files}
        names = [*files, *map(address_of, files), *(piece.path for piece in evidence)]
        stems = [name.rpartition("/")[2].rpartition(".")[0] for name in names]
        days = [self._corpus.today.isoformat(), *(day for piece in evidence for day in _days(piece))]
        said = self._veil.text("\n".join((*cited, *gone)))
        text = "\n".join([said, *names, *stems, *days]).encode("utf-8", "replace").lower()
        return Held(
            lines=frozenset(b" ".join(line.encode("utf-8", "replace").split()) for line in (*cited, *gone)),
            text=text,
            words=frozenset(content(scan(said))),
            veil=self._veil,
        )

    def size_of(self, path: str) -> int:
        """Return how many bytes a file of the store had before the dream."""
        document = self._corpus.documents.get(path)
        return sum(map(len, document.lines)) if document else 0

    def is_pinned(self, edit: FileEdit) -> bool:
        """Tell whether an edit takes away a note that its owner pinned."""
        document = self._corpus.documents.get(edit.path)
        notes = document.notes if document else ()
        return any(note.pinned and note.first <= edit.stop and edit.start < note.last for note in notes)

    def has_secrets(self, edit: FileEdit) -> bool:
        """Tell whether each line that an edit changes holds a secret, or part of one; blank lines aside."""
        document = self._corpus.documents.get(edit.path)
        if document is None or edit.act is not Act.LINES:
            return False
        texts = [document.line_text(line) for line in range(1, len(document.lines) + 1)]
        shown = Veil("0").lines(texts)
        gone = range(edit.start, edit.stop)
        return bool(gone) and all(texts[number] != shown[number] or not texts[number].strip() for number in gone)

    def is_over(self, edit: FileEdit) -> bool:
        """Tell whether what an edit takes away says itself that it is over, is past its retention, or is an order."""
        document = self._corpus.documents.get(edit.path)
        if document is None:
            return False
        alone = replace(self._corpus, documents={edit.path: document})
        drafts: list[Draft] = [*instructions.find(alone, self._policy)]
        drafts += (draft for draft in self._outlived if any(piece.path == edit.path for piece in draft.evidence))
        over = {number for draft in drafts for number in _taken(draft, edit.path)}
        said = {number for number in range(edit.start, edit.stop) if document.lines[number].strip()}
        return said <= over

    @cached_property
    def _outlived(self) -> tuple[Draft, ...]:
        return tuple(retention.find(self._corpus, self._policy))

    def is_replaced(self, edit: FileEdit, evidence: Sequence[Cited], edits: Sequence[FileEdit]) -> bool:
        """Tell whether cited lines that stay, or lines that the card brings, are about what an edit takes away.

        A line that gives orders to whoever reads it replaces nothing.
        """
        gone = frozenset(content(scan(b"".join(edit.old).decode("utf-8", "replace"))))
        if not gone:
            return True
        staying = [text for piece in evidence for text in self._staying(piece, edit)]
        brought = [line.decode("utf-8", "replace") for other in edits for line in other.new]
        sources = [text for text in (*staying, *brought) if not find_order(text)]
        shared = gone & frozenset(content(scan("\n".join(sources))))
        is_spoken = any(piece.session for piece in evidence)
        needed = FEWEST if is_spoken else max(SAID_AGAIN * len(gone), min(FEWEST, len(gone)))
        return len(shared) >= needed

    def weakens_safety(self, edit: FileEdit, evidence: Sequence[Cited], edits: Sequence[FileEdit]) -> bool:
        """Tell whether an edit takes a warning away that neither new lines nor cited ones that stay give."""
        if not any(read(text).is_safety for text in map(_text, edit.old)):
            return False
        staying = (text for piece in evidence for text in self._staying(piece, edit))
        brought = (_text(line) for other in edits for line in other.new)
        return not any(read(text).is_safety for text in (*staying, *brought))

    def _staying(self, piece: Cited, edit: FileEdit) -> Iterator[str]:
        """Yield the cited lines that are still there after the dream so far."""
        if piece.session is not None or piece.is_context:
            yield piece.text
            return
        standing = self._copy.standing(piece.path)
        for number, text in enumerate(piece.text.split("\n"), start=piece.first - 1):
            is_taken = piece.path == edit.path and (edit.act is Act.DELETE or edit.start <= number < edit.stop)
            if number in standing and not is_taken:
                yield text

    def lost(self, edits: Sequence[FileEdit]) -> tuple[str, ...]:
        """Return the literals of what edits take away that stand in no file of the copy any more."""
        gone = [line for edit in edits for line in without_secrets(edit.old) if line not in edit.new]
        sought = [Sought(literal) for literal in literals_of(gone)]
        hunt = Hunt(sought)
        for name in self._copy.names():
            if hunt.is_over:
                break
            hunt.search(name, self._text(name))
        return tuple(each.literal for each in sought if not each.is_found)

    def _text(self, name: str) -> bytes:
        return b"".join(line.data for line in self._copy.lines(name)) if self._copy.is_memory(name) else b""


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()


def _days(piece: Cited) -> Iterator[str]:
    """Yield the days that the words of a cited text mean, such as "yesterday", and the day it speaks from."""
    if piece.date is None:
        return
    yield piece.date
    yield from (word.day.isoformat() for word in resolve(piece.text, date.fromisoformat(piece.date), ()))


def _taken(draft: Draft, path: str) -> Iterator[int]:
    """Yield the base lines of a file that a draft of the local engine takes away."""
    for edit in draft.edits:
        if edit.path == path and len(edit.new) < max(len(edit.old), 1):
            yield from range(edit.start, edit.stop)
