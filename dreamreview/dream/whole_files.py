"""Why may a file go as a whole: empty, superseded, expired, too old for its type, a stub, or doubtful?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from dreamreview.dream.engine import Measure
from dreamreview.dream.evidence import raw_text
from dreamreview.dream.stale_marks import last_day
from dreamreview.model.links import resolve, resolve_link
from dreamreview.model.memory import Document, LinkForm, Note, Role, Shape
from dreamreview.model.retention import FILE_NAME, Retention, parse_retention

if TYPE_CHECKING:
    from dreamreview.dream.engine import Corpus, Policy

KEPT_NAMES = frozenset({"memory.md", "readme.md", "index.md", "mem0.md", "claude.md", "agents.md", "user.md"})
"""Files that a program looks for by name: never pruned as a whole."""

_UNTIL_KEYS = ("valid_until", "expires", "expires_at", "expiry", "valid_to")
_MOVED = re.compile(
    r"(?i)\W*(?:(?:this|the) (?:file|note|page|memory) )?(?:(?:has|was|is|have) )?(?:been )?(?:now )?(?:in )?"
    r"(?:moved|renamed|merged|relocated|see|superseded|replaced|redirect|lives|verschoben|siehe|已移至|见)\b"
)
_STUB_WORDS = 25
_LOW_CONFIDENCE = 0.3
"""Below it a note may go if it says nothing that is not said elsewhere. mem0's dream skill."""
_WORD = re.compile(r"\w{4,}|\d+")


@dataclass(frozen=True, slots=True)
class Case:
    """Why a file may go."""

    title: str
    reason: str
    confidence: float
    successor: str | None = None
    """The file that took its place, where one did."""
    measure: Measure | None = None
    """What was measured, where a measure and not a rule is against it."""


def stated_retention(corpus: Corpus) -> Retention:
    """Return what the store's own ``mem0.md`` says about retention; nothing stated where there is none."""
    document = corpus.documents.get(FILE_NAME)
    if document is None or not document.is_text:
        return Retention(days={})
    types = {note.type for each in corpus.documents.values() for note in each.notes if note.type}
    return parse_retention(raw_text(document, 1, len(document.lines)), known=types)


class WholeFiles:
    """The question whether a file may go, asked file by file of one store."""

    def __init__(self, corpus: Corpus, policy: Policy) -> None:
        self._corpus = corpus
        stated = stated_retention(corpus)
        self._retention_days = stated.days if stated.is_stated else policy.retention_days

    def case_against(self, document: Document) -> Case | None:
        """Return the first reason why a file may go; None for pinned files and those that programs look for."""
        whole = next((note for note in document.notes if note.shape is Shape.FILE), None)
        if (whole is not None and whole.pinned) or document.path.rpartition("/")[2].casefold() in KEPT_NAMES:
            return None
        questions: tuple[Callable[[Document, Note | None], Case | None], ...] = (
            self._empty,
            self._superseded,
            self._expired,
            self._aged,
            self._stub,
            self._unsure,
        )
        return next((case for ask in questions if (case := ask(document, whole)) is not None), None)

    def _empty(self, document: Document, _: Note | None) -> Case | None:
        if b"".join(document.lines).strip():
            return None
        return Case("Empty file", "The file holds nothing; it is no memory.", 0.9)

    def _superseded(self, document: Document, _: Note | None) -> Case | None:
        frontmatter = document.frontmatter
        if frontmatter is None:
            return None
        successor = self._successor(document)
        status = (frontmatter.get("status", "metadata.status") or "").casefold()
        is_named = any(key.endswith("superseded_by") for key in frontmatter.lines)
        if successor is None and (is_named or status not in {"superseded", "obsolete"}):
            return None
        said = f"names {successor} as what replaced it" if successor else f"has the status “{status}”"
        return Case("Superseded", f"Its frontmatter {said}.", 0.9, successor)

    def _successor(self, document: Document) -> str | None:
        """Follow ``superseded_by`` to the file that stands in the end; None without one or if the way is a circle."""
        seen = {document.path}
        here = document
        while (following := self._named_successor(here)) is not None:
            if following in seen or following not in self._corpus.documents:
                return None
            seen.add(following)
            here = self._corpus.documents[following]
        return here.path if here is not document else None

    def _named_successor(self, document: Document) -> str | None:
        frontmatter = document.frontmatter
        if frontmatter is None:
            return None
        for key in ("superseded_by", "metadata.superseded_by"):
            for name in frontmatter.lists.get(key) or (frontmatter.values.get(key, ""),):
                target = resolve(name.strip("[]\"' "), document.path, self._corpus.files, by_name=True)
                if target:
                    return target
        return None

    def _expired(self, document: Document, _: Note | None) -> Case | None:
        for key, value in document.frontmatter.values.items() if document.frontmatter else ():
            day = last_day(value) if key.casefold().rpartition(".")[2].replace("-", "_") in _UNTIL_KEYS else None
            if day is not None and day < self._corpus.today:
                ago = _days((self._corpus.today - day).days)
                return Case("Expired", f"“{key}” of its frontmatter was {day.isoformat()}, {ago} ago.", 0.9)
        return None

    def _aged(self, _: Document, whole: Note | None) -> Case | None:
        kept = self._retention_days.get(whole.type) if whole and whole.type else None
        if whole is None or not whole.date or kept is None:
            return None
        age = (self._corpus.today - date.fromisoformat(whole.date)).days
        if age <= kept:
            return None
        said = f"“{whole.type}” of {whole.date}, {_days(age)} old; notes of this type are kept {_days(kept)}."
        return Case("Past its retention", said, 0.85, measure=Measure("age in days", age, kept, "more than"))

    def _stub(self, document: Document, _: Note | None) -> Case | None:
        lines = [line for line, role in enumerate(document.roles, start=1) if role is Role.TEXT]
        said = " ".join(document.line_text(line).strip() for line in lines)
        if not lines or len(said.split()) > _STUB_WORDS or not _MOVED.match(said):
            return None
        files = self._corpus.files
        links = (link for link in document.links if link.form is not LinkForm.KEY)
        targets = {resolve_link(link, document.path, files) for link in links} - {document.path}
        if len(targets) != 1 or None in targets:
            return None
        successor = targets.pop()
        return Case("Stub", f"All it says is that {successor} took its place.", 0.8, successor)

    def _unsure(self, document: Document, whole: Note | None) -> Case | None:
        if whole is None or whole.confidence is None or whole.confidence >= _LOW_CONFIDENCE:
            return None
        wanted = set(_WORD.findall(whole.text.casefold()))
        own = set(_WORD.findall(raw_text(document, 1, len(document.lines)).casefold()))
        if not wanted or any(self._spread[word] - (word in own) < 1 for word in wanted):
            return None
        sure = f"{whole.confidence:g}, below {_LOW_CONFIDENCE:g}"
        said = f"Its confidence is {sure}, and every word of it occurs elsewhere."
        measure = Measure("confidence", whole.confidence, _LOW_CONFIDENCE, "less than")
        return Case("Unsure and not unique", said, 0.5, measure=measure)

    @cached_property
    def _spread(self) -> Mapping[str, int]:
        """How many files hold each word."""
        spread: Counter[str] = Counter()
        for document in self._corpus.documents.values():
            if not document.is_output:
                spread.update(set(_WORD.findall(raw_text(document, 1, len(document.lines)).casefold())))
        return spread


def _days(count: int) -> str:
    return f"{count} day" if count == 1 else f"{count} days"
