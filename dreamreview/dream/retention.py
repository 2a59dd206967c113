"""Which notes have outlived their use by the owner's own rules: too old for their type, expired, superseded, empty?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dreamreview.dream.blocks import without
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import delete_file, evidence, raw_text, replace_lines
from dreamreview.dream.references import References
from dreamreview.dream.repeats import folded
from dreamreview.dream.stale_marks import Mark, mark_of
from dreamreview.dream.whole_files import Case, WholeFiles
from dreamreview.model.dates import date_in_name
from dreamreview.model.memory import Document, Note, Shape
from dreamreview.model.proposal import FileEdit, Kind

_ENDINGS = (".md", ".markdown", ".mdx", ".txt")


def find(corpus: Corpus, policy: Policy) -> Iterator[Draft]:
    """Yield one draft for each file, section or line to offer for pruning; pinned notes are left alone."""
    yield from folded(_found(corpus, policy))


def _found(corpus: Corpus, policy: Policy) -> Iterator[Draft]:
    files, references = WholeFiles(corpus, policy), References(corpus)
    for document in corpus.documents.values():
        if not document.is_text or document.is_output or not document.path.casefold().endswith(_ENDINGS):
            continue
        case = files.case_against(document)
        if case is not None:
            edits = tuple(references.dropped(document.path, case.successor))
            yield _file_draft(document, case, (delete_file(document, corpus.modes.get(document.path)), *edits))
        elif not _is_daily(document.path):
            yield from _parts(corpus, document)


def _is_daily(path: str) -> bool:
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return date_in_name(stem) is not None and not re.search(r"[^\W\d_]", stem)


def _file_draft(document: Document, case: Case, edits: tuple[FileEdit, ...]) -> Draft:
    reason, count = case.reason, len(edits) - 1
    if count:
        reason += f" {count} lines that point to it change" if count > 1 else " The line that points to it changes"
        reason += " with it."
    last = len(document.lines)
    day = next((note.date for note in document.notes if note.shape is Shape.FILE), None)
    return Draft(
        kind=Kind.SUPERSEDE if case.successor else Kind.PRUNE,
        phase="prune",
        title=f"{case.title}: {document.path}",
        reason=reason,
        confidence=case.confidence,
        evidence=(evidence(document, 1, last, day),),
        texts=(raw_text(document, 1, last) or document.path,),
        edits=edits,
        detector="retention",
        measures=(case.measure,) if case.measure else (),
    )


def _parts(corpus: Corpus, document: Document) -> Iterator[Draft]:
    reach = 0
    for index, note in enumerate(document.notes):
        if note.shape in (Shape.FILE, Shape.POINTER) or note.first <= reach or note.pinned:
            continue
        own_last = _own_last(document, index)
        text = raw_text(document, note.first, note.first if note.shape is Shape.SECTION else own_last)
        mark = mark_of(text.lstrip("#|") if note.shape in (Shape.SECTION, Shape.ROW) else text, corpus.today)
        if mark is None:
            continue
        last = note.last if note.shape is Shape.SECTION else own_last
        if note.shape is Shape.SECTION and any(
            inner.pinned for inner in document.notes if note.first <= inner.first <= note.last
        ):
            continue
        reach = last
        yield _part_draft(document, note, last, mark)


def _own_last(document: Document, index: int) -> int:
    """Return the last line of a note that belongs to none of its children."""
    firsts = [child.first for child in document.notes[index + 1 :] if child.parent == index]
    return min([document.notes[index].last, *(first - 1 for first in firsts)])


def _part_draft(document: Document, note: Note, last: int, mark: Mark) -> Draft:
    if mark.kind == "expired" and mark.day is not None:
        title, reason = "Expired", f"It says itself that it held until {mark.day.isoformat()}, which has passed."
    elif mark.kind == "struck":
        title, reason = "Struck through", f"It is struck through, with the note “{mark.said}”."
    else:
        title, reason = "Superseded", f"It says itself: “{mark.said}”."
    if mark.kind == "struck" and not mark.is_corrected and len(mark.rest.split()) > 3:
        reason += " Make sure that what replaced it is said elsewhere."
    return Draft(
        kind=Kind.PRUNE,
        phase="prune",
        title=f"{title}: {document.path}, line {note.first}",
        reason=reason,
        confidence=0.85,
        evidence=(evidence(document, note.first, last, note.date),),
        texts=(raw_text(document, note.first, last),),
        edits=(_without(document, note, last, mark),),
        detector="retention",
    )


def _without(document: Document, note: Note, last: int, mark: Mark) -> FileEdit:
    """Return the edit that takes a note's own lines away; what holds instead stays, and children move up a level."""
    first = note.first
    if mark.is_corrected and first == last:
        struck = re.compile(rb"~~.*?~~[ \t]*", re.DOTALL)
        return replace_lines(document, first, last, (struck.sub(b"", document.lines[first - 1], count=1),))
    if last >= note.last:
        return without(document, note, first, last)
    indent = _indent(document.lines[first - 1])
    inner = _indent(document.lines[last])
    children = document.lines[last : note.last]
    moved = tuple(indent + line[len(inner) :] if line.startswith(inner) else line for line in children)
    return replace_lines(document, first, note.last, moved)


def _indent(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip(b" \t"))]
