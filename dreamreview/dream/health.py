"""How healthy is a store: what a dream would have to do, and what it cannot read at all?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.dream import instructions, redaction, relative_dates, retention, statements
from dreamreview.dream.index_entries import unindexed
from dreamreview.dream.index_lines import duplicates
from dreamreview.dream.index_size import size_of
from dreamreview.dream.link_targets import Names, missing_links
from dreamreview.dream.whole_files import stated_retention
from dreamreview.model.memory import Shape
from dreamreview.model.proposal import Act, Kind
from dreamreview.model.retention import FILE_NAME
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from dreamreview.dream.engine import Corpus, Draft, Policy
    from dreamreview.model.memory import Document

_CLASSES = {
    Kind.MERGE: "duplicates",
    Kind.CONFLICT: "conflicts",
    Kind.SUPERSEDE: "stale",
    Kind.PRUNE: "stale",
    Kind.QUARANTINE: "planted",
}
CLASSES = (
    "duplicates",
    "conflicts",
    "stale",
    "dangling",
    "unindexed",
    "oversize",
    "unreadable",
    "secrets",
    "planted",
    "undated",
)
"""What can be wrong; ``planted`` is an order to the agent that reads it, ``undated`` a word for a day, such as
"yesterday", that is left to its reader."""
_CONTAINERS = (Shape.FILE, Shape.SECTION)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be."""

    cls: str
    """One of `CLASSES`."""
    path: str
    lines: tuple[int, int] | None
    """First and last line, 1-based; None where it concerns the whole file."""
    message: str
    """One sentence, secrets masked."""


@dataclass(frozen=True, slots=True)
class Health:
    """What an examination found, and how large the store is."""

    findings: tuple[Finding, ...]
    """In the order of path, line and class."""
    files: int
    notes: int
    """Remembered things: notes that hold no other note."""
    index_lines: int
    index_bytes: int
    index_over: tuple[int, ...]
    """Lines of the index that lie past what an agent reads, 1-based."""


def examine(corpus: Corpus, policy: Policy) -> Health:
    """Look at a store and say what a dream would find, without suggesting a change."""
    found = sorted(_findings(corpus, policy), key=lambda one: (one.path, one.lines or (0, 0), one.cls, one.message))
    size = size_of(corpus.index, policy) if corpus.index else None
    documents = corpus.documents.values()
    return Health(
        findings=tuple(found),
        files=len(corpus.files),
        notes=sum(note.shape not in _CONTAINERS for document in documents for note in document.notes),
        index_lines=size.lines if size else 0,
        index_bytes=size.bytes if size else 0,
        index_over=size.over if size else (),
    )


def _findings(corpus: Corpus, policy: Policy) -> Iterator[Finding]:
    yield from compared(corpus, policy)
    yield from seen_alone(corpus, policy)


def compared(corpus: Corpus, policy: Policy) -> Iterator[Finding]:
    """Yield what comes of holding the notes of a store against one another, which takes a while in a large one."""
    return _classed(statements.find(corpus, policy))


def seen_alone(corpus: Corpus, policy: Policy) -> Iterator[Finding]:
    """Yield what is plain from each file and its links alone."""
    yield from _classed(instructions.find(corpus, policy))
    yield from _classed(retention.find(corpus, policy))
    yield from _index_findings(corpus, policy)
    yield from _link_findings(corpus)
    for warning in stated_retention(corpus).warnings:
        place = (warning.line, warning.line)
        yield Finding("unreadable", FILE_NAME, place, f"Retention: {mask(warning.message)}.")
    yield from _unreadable(corpus)
    for document in corpus.documents.values():
        if document.is_text:
            yield from _secrets(document)
            yield from _undated(corpus, document)


def _secrets(document: Document) -> Iterator[Finding]:
    for first, last, kinds in redaction.held_in(document):
        yield Finding("secrets", document.path, (first, last), f"It holds {kinds}, for every agent to read.")


def _undated(corpus: Corpus, document: Document) -> Iterator[Finding]:
    if document.is_output:
        return
    for said in relative_dates.said_in(document, corpus.today):
        by = f"means {said.day} by {mask(said.source)}" if said.day else "has no day that it can be counted from"
        yield Finding("undated", document.path, (said.line, said.line), f"“{mask(said.word)}” {by}.")


def _classed(drafts: Iterable[Draft]) -> Iterator[Finding]:
    return (_of(draft, _CLASSES[draft.kind]) for draft in drafts if draft.kind in _CLASSES)


def _of(draft: Draft, cls: str) -> Finding:
    """Return a finding about one piece of a draft's evidence, or a side of its conflict."""
    shown = draft.evidence or tuple(piece for option in draft.options for piece in option.evidence)
    first = shown[0]
    is_whole = any(edit.act is Act.DELETE and edit.path == first.path for edit in draft.edits)
    others = [f"{piece.path}:{piece.first}" for piece in shown if piece is not first]
    with_others = f" (with {', '.join(others)})" if others else ""
    lines = None if is_whole or first.last < first.first else (first.first, first.last)
    return Finding(cls, first.path, lines, mask(draft.reason) + with_others)


def _index_findings(corpus: Corpus, policy: Policy) -> Iterator[Finding]:
    index = corpus.index
    if index is None or not index.is_text:
        return
    for draft in duplicates(corpus, index):
        earlier, later = draft.evidence
        message = f"Line {earlier.first} points to the same file."
        yield Finding("duplicates", index.path, (later.first, later.last), message)
    for document in unindexed(corpus, index):
        yield Finding("unindexed", document.path, None, f"No line of {index.path} points to it.")
    size = size_of(index, policy)
    if size.is_over:
        message = (
            f"The index has {size.lines} lines and {size.bytes:,} bytes; "
            f"an agent reads {size.most_lines} lines and {size.most_bytes:,} bytes of it."
        )
        yield Finding("oversize", index.path, (size.over[0], size.over[-1]), message)


def _link_findings(corpus: Corpus) -> Iterator[Finding]:
    names = Names(corpus)
    for document in corpus.documents.values():
        if not document.is_text or document.is_output:
            continue
        for link in missing_links(corpus, document):
            path = names.meant(document, link.target)
            meant = f"; {path} is the one it can mean" if path else ""
            message = mask(f"There is no file {link.target}{meant}.")
            yield Finding("dangling", document.path, (link.line, link.line), message)


def _unreadable(corpus: Corpus) -> Iterator[Finding]:
    for path, document in corpus.documents.items():
        if not document.is_text:
            yield Finding(
                "unreadable", path, None, "It is no text in UTF-8, so no agent reads it and no dream touches it."
            )
        elif document.frontmatter and document.frontmatter.problem:
            block = document.frontmatter
            message = mask(f"Its frontmatter is not valid YAML, {block.problem}; it is kept as it is.")
            yield Finding("unreadable", path, (block.first, block.last), message)
