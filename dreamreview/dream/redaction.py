"""Which lines hold a credential that does not belong into a memory?"""

from __future__ import annotations

from collections.abc import Iterator

from dreamreview.dream.blocks import owners_of
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import evidence, raw_text, replace_lines
from dreamreview.dream.repeats import folded
from dreamreview.model.edits import split_lines
from dreamreview.model.memory import Document, Shape
from dreamreview.model.proposal import FileEdit, Kind
from dreamreview.model.secrets import REDACTED, SecretSpan, described, find_secrets

_ENDINGS = (".md", ".markdown", ".mdx", ".txt")
_UNSURE = frozenset({"near-word", "flag"})


def find(corpus: Corpus, policy: Policy) -> Iterator[Draft]:  # noqa: ARG001 - every detector takes both
    """Yield one draft for each note, else each line, that holds secrets; ``[redacted]`` takes their place."""
    yield from folded(
        draft
        for path, document in corpus.documents.items()
        if document.is_text and not document.is_output and path.casefold().endswith(_ENDINGS)
        for draft in _in_document(document)
    )


def held_in(document: Document) -> Iterator[tuple[int, int, str]]:
    """Yield where a document holds secrets, as first and last line, 1-based, with what they are; never their text."""
    text = b"".join(document.lines).decode("utf-8", "surrogateescape")
    found: dict[tuple[int, int], dict[str, None]] = {}
    line, reach = 1, 0
    for span in find_secrets(text):
        line += text.count("\n", reach, span.start)
        reach = span.start
        place = (line, line + text.count("\n", span.start, span.stop))
        found.setdefault(place, {}).setdefault(described(span.rule))
    yield from ((first, last, " and ".join(kinds)) for (first, last), kinds in found.items())


def _in_document(document: Document) -> Iterator[Draft]:
    text = b"".join(document.lines).decode("utf-8", "surrogateescape")
    spans = find_secrets(text)
    owners = owners_of(document) if spans else {}
    group: list[list[SecretSpan]] = []
    for span in spans:
        line = text.count("\n", 0, span.start) + 1
        if group and line == text.count("\n", 0, group[-1][-1].stop) + 1:
            group[-1].append(span)
            continue
        before = text.count("\n", 0, group[-1][0].start) + 1 if group else line
        if group and not (owners[line] == owners[before] and _is_one_statement(document, owners[line])):
            yield _draft(document, text, group)
            group = []
        group.append([span])
    if group:
        yield _draft(document, text, group)


def _is_one_statement(document: Document, note: int | None) -> bool:
    return note is not None and document.notes[note].shape not in (Shape.FILE, Shape.SECTION)


def _edit(document: Document, text: str, spans: list[SecretSpan]) -> FileEdit:
    first = text.count("\n", 0, spans[0].start) + 1
    last = text.count("\n", 0, spans[-1].stop) + 1
    reach = text.rfind("\n", 0, spans[0].start) + 1
    end = text.find("\n", spans[-1].stop)
    new = ""
    for span in spans:
        new += text[reach : span.start] + REDACTED
        reach = span.stop
    new += text[reach : len(text) if end < 0 else end + 1]
    return replace_lines(document, first, last, split_lines(new.encode("utf-8", "surrogateescape")))


def _draft(document: Document, text: str, groups: list[list[SecretSpan]]) -> Draft:
    """Return the draft for secrets of one statement; each group of them stands on its own lines."""
    spans = [span for group in groups for span in group]
    edits = tuple(_edit(document, text, group) for group in groups)
    places = [(edit.start + 1, edit.stop) for edit in edits]
    first, last = places[0][0], places[-1][1]
    named = " and ".join(dict.fromkeys(described(span.rule) for span in spans))
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    return Draft(
        kind=Kind.REDACT,
        phase="gather",
        title=f"Secret in {document.path}, {lines}",
        reason=f"The text holds {named}; every agent and every copy of the memory would read it. "
        f"Change the secret where it is used, this takes it out of the file alone.",
        confidence=0.75 if all(span.rule in _UNSURE for span in spans) else 0.95,
        evidence=tuple(evidence(document, *place) for place in places),
        texts=tuple(raw_text(document, *place) for place in places),
        edits=edits,
        flags=("secret",),
        detector="redaction",
    )
