"""Where does a note say "yesterday" although the day it was written is known?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from dreamreview.dream.blocks import Block, blocks
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import evidence, raw_text, replace_lines
from dreamreview.dream.quoted import Span, quoted_spans
from dreamreview.dream.relative_words import RelativeWord, may_say_a_day, resolve
from dreamreview.dream.repeats import folded
from dreamreview.model.dates import date_in_name
from dreamreview.model.edits import split_lines
from dreamreview.model.memory import Document, Role
from dreamreview.model.proposal import FileEdit, Kind

_SOURCE = re.compile(r"\bsource=(?P<path>[^\s\]]{1,300})")
_QUOTED_LINE = re.compile(r"(?m)^[ \t]*>.*$")
_TURN = re.compile(r"(?i)\*{0,2}(?:user|assistant|human)\*{0,2}[:：]")
"""How a line of a transcript begins."""


@dataclass(frozen=True, slots=True)
class _Anchor:
    """The day a line speaks from, and how it is known."""

    day: date
    source: str
    confidence: float


def find(corpus: Corpus, policy: Policy) -> Iterator[Draft]:  # noqa: ARG001 - every detector takes both
    """Yield one draft for each note whose words for a day can be resolved from the day it was written."""
    yield from folded(
        draft
        for document in corpus.documents.values()
        if document.is_text and not document.is_output
        for spoken in (_spoken(document),)
        for block in blocks(document, Role.TEXT)
        if (anchor := _anchor(block)) and (draft := _draft(block, anchor, spoken))
    )


@dataclass(frozen=True, slots=True)
class Said:
    """A word for a day as a document says it."""

    line: int
    """1-based."""
    word: str
    day: date | None
    """None where nothing tells from which day the line speaks."""
    source: str
    """How that day is known; empty where it is not."""


def said_in(document: Document, today: date) -> Iterator[Said]:
    """Yield every word for a day that a document leaves to its reader, also where nothing tells which day is meant."""
    spoken = _spoken(document)
    for block in blocks(document, Role.TEXT):
        anchor = _anchor(block)
        for word in _words(block, anchor.day if anchor else today, spoken):
            line = block.line_at(word.start)
            yield Said(line, word.text, word.day if anchor else None, anchor.source if anchor else "")


def _spoken(document: Document) -> frozenset[int]:
    """Return the lines that a transcript quotes: those that say who speaks, and on to the next blank line or item."""
    spoken: set[int] = set()
    for line, role in enumerate(document.roles, start=1):
        text = document.line_text(line) if role is Role.TEXT else ""
        if _TURN.match(text) or (line - 1 in spoken and text and not re.match(r"\s*[-*+>]\s", text)):
            spoken.add(line)
    return frozenset(spoken)


def _anchor(block: Block) -> _Anchor | None:
    document, note = block.document, block.note
    promoted = _SOURCE.search(block.text)
    if promoted and (stated := date_in_name(promoted["path"])):
        return _Anchor(date.fromisoformat(stated), f"its source note {promoted['path']}", 0.9)
    if note is None or not note.date:
        return None
    day = date.fromisoformat(note.date)
    if date_in_name(document.path) == note.date:
        return _Anchor(day, "the name of its file", 0.95)
    if any(note.date in heading for heading in note.headings):
        return _Anchor(day, "the heading above it", 0.95)
    for key, value in document.frontmatter.values.items() if document.frontmatter else ():
        if value.startswith(note.date):
            is_kept = key.rpartition(".")[2] in {"created", "date"}
            return _Anchor(day, f"“{key}” in its frontmatter", 0.85 if is_kept else 0.75)
    return _Anchor(day, "the day it states or the heading above it", 0.9)


def _draft(block: Block, anchor: _Anchor, spoken: frozenset[int]) -> Draft | None:
    words = _words(block, anchor.day, spoken)
    if not words:
        return None
    edits = tuple(_edit(block, group) for group in _by_line(block.text, words))
    places = [(edit.start + 1, edit.stop) for edit in edits]
    is_exact = all(word.is_exact for word in words)
    return Draft(
        kind=Kind.DATE,
        phase="consolidate",
        title=", ".join(dict.fromkeys(f"“{word.text}” is {word.day.isoformat()}" for word in words)),
        reason=f"The line speaks from {anchor.day.isoformat()}, by {anchor.source}; later the word means another day.",
        confidence=anchor.confidence if is_exact else anchor.confidence - 0.1,
        evidence=tuple(evidence(block.document, *place, anchor.day.isoformat()) for place in places),
        texts=tuple(raw_text(block.document, *place) for place in places),
        edits=edits,
        detector="relative_dates",
    )


def _words(block: Block, day: date, spoken: frozenset[int]) -> list[RelativeWord]:
    """Return the words for a day in a block that speaks from a day, what is quoted left out."""
    text = block.text
    if not may_say_a_day(text):
        return []
    spans = (*quoted_spans(text), *(Span(match.start(), match.end(), "quote") for match in _QUOTED_LINE.finditer(text)))
    return [word for word in resolve(text, day, spans) if block.line_at(word.start) not in spoken]


def _by_line(text: str, words: Sequence[RelativeWord]) -> Iterator[list[RelativeWord]]:
    """Yield the words that share a line."""
    group: list[RelativeWord] = []
    for word in words:
        if group and "\n" in text[group[-1].stop : word.start]:
            yield group
            group = []
        group.append(word)
    yield group


def _edit(block: Block, words: Sequence[RelativeWord]) -> FileEdit:
    text = block.text
    begin = text.rfind("\n", 0, words[0].start) + 1
    end = text.find("\n", words[-1].stop)
    end = len(text) if end < 0 else end + 1
    new, reach = "", begin
    for word in words:
        broken = re.search(r"\r?\n[ \t]*", text[word.start : word.stop])
        new += text[reach : word.start] + word.written + (broken[0] if broken else "")
        reach = word.stop + (1 if broken and text[word.stop : word.stop + 1] == " " else 0)
    new += text[reach:end]
    first, last = block.line_at(begin), block.line_at(end - 1)
    return replace_lines(block.document, first, last, split_lines(new.encode("utf-8")))
