"""Which notes have outlived their use by the owner's own rules: too old for their type, expired, superseded, empty?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

from dreamreview.dream.blocks import without
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import delete_file, evidence, raw_text, replace_lines
from dreamreview.dream.references import drop_references
from dreamreview.dream.repeats import folded
from dreamreview.dream.stale_marks import Mark, last_day, mark_of
from dreamreview.model.dates import date_in_name
from dreamreview.model.links import resolve, resolve_link
from dreamreview.model.memory import Document, LinkForm, Note, Role, Shape
from dreamreview.model.proposal import FileEdit, Kind

KEPT_NAMES = frozenset({"memory.md", "readme.md", "index.md", "mem0.md", "claude.md", "agents.md", "user.md"})
"""Files that a program looks for by name: never pruned as a whole."""

_UNTIL_KEYS = ("valid_until", "expires", "expires_at", "expiry", "valid_to")
_ENDINGS = (".md", ".markdown", ".mdx", ".txt")
_MOVED = re.compile(
    r"(?i)\W*(?:(?:this|the) (?:file|note|page|memory) )?(?:(?:has|was|is|have) )?(?:been )?(?:now )?(?:in )?"
    r"(?:moved|renamed|merged|relocated|see|superseded|replaced|redirect|lives|verschoben|siehe|已移至|见)\b"
)
_STUB_WORDS = 25
_LOW_CONFIDENCE = 0.3
"""Below it a note may go if it says nothing that is not said elsewhere. mem0's dream skill."""


def find(corpus: Corpus, policy: Policy) -> Iterator[Draft]:
    """Yield one draft for each file, section or line to offer for pruning; pinned notes are left alone."""
    yield from folded(_found(corpus, policy))


def _found(corpus: Corpus, policy: Policy) -> Iterator[Draft]:
    for document in corpus.documents.values():
        if not document.is_text or document.is_output or not document.path.casefold().endswith(_ENDINGS):
            continue
        whole = next((note for note in document.notes if note.shape is Shape.FILE), None)
        draft = None if whole is not None and whole.pinned else _whole_file(corpus, policy, document, whole)
        if draft is not None:
            yield draft
        elif not _is_daily(document.path):
            yield from _parts(corpus, document)


def _is_daily(path: str) -> bool:
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return date_in_name(stem) is not None and not re.search(r"[^\W\d_]", stem)


def _whole_file(corpus: Corpus, policy: Policy, document: Document, whole: Note | None) -> Draft | None:
    if document.path.rpartition("/")[2].casefold() in KEPT_NAMES:
        return None
    checks: tuple[Callable[[], Draft | None], ...] = (
        lambda: _empty(corpus, document),
        lambda: _superseded_file(corpus, document),
        lambda: _expired_file(corpus, document),
        lambda: _aged_file(corpus, policy, document, whole),
        lambda: _stub(corpus, document),
        lambda: _unsure(corpus, document, whole),
    )
    return next((draft for check in checks if (draft := check()) is not None), None)


def _empty(corpus: Corpus, document: Document) -> Draft | None:
    if b"".join(document.lines).strip():
        return None
    return _file_draft(corpus, document, "Empty file", "The file holds nothing; it is no memory.", 0.9)


def _superseded_file(corpus: Corpus, document: Document) -> Draft | None:
    frontmatter = document.frontmatter
    if frontmatter is None:
        return None
    successor = _successor(corpus, document)
    status = (frontmatter.get("status", "metadata.status") or "").casefold()
    if successor is None and status not in {"superseded", "obsolete"}:
        return None
    if successor is None and any(key.endswith("superseded_by") for key in frontmatter.lines):
        return None
    said = f"names {successor} as what replaced it" if successor else f"has the status “{status}”"
    return _file_draft(corpus, document, "Superseded", f"Its frontmatter {said}.", 0.9, successor)


def _successor(corpus: Corpus, document: Document) -> str | None:
    """Follow ``superseded_by`` to the file that stands in the end; None if there is none or the way is a circle."""
    seen = {document.path}
    here = document
    while True:
        following = _named_successor(corpus, here)
        if following is None:
            return here.path if here is not document else None
        if following in seen or following not in corpus.documents:
            return None
        seen.add(following)
        here = corpus.documents[following]


def _named_successor(corpus: Corpus, document: Document) -> str | None:
    frontmatter = document.frontmatter
    if frontmatter is None:
        return None
    for key in ("superseded_by", "metadata.superseded_by"):
        for name in frontmatter.lists.get(key) or (frontmatter.values.get(key, ""),):
            target = resolve(name.strip("[]\"' "), document.path, corpus.files, by_name=True)
            if target:
                return target
    return None


def _expired_file(corpus: Corpus, document: Document) -> Draft | None:
    frontmatter = document.frontmatter
    for key, value in frontmatter.values.items() if frontmatter else ():
        if key.casefold().rpartition(".")[2].replace("-", "_") not in _UNTIL_KEYS:
            continue
        day = last_day(value)
        if day is not None and day < corpus.today:
            ago = (corpus.today - day).days
            reason = f"“{key}” of its frontmatter was {day.isoformat()}, {_days(ago)} ago."
            return _file_draft(corpus, document, "Expired", reason, 0.9)
    return None


def _aged_file(corpus: Corpus, policy: Policy, document: Document, whole: Note | None) -> Draft | None:
    kept = policy.retention_days.get(whole.type) if whole and whole.type else None
    if whole is None or not whole.date or kept is None:
        return None
    age = (corpus.today - date.fromisoformat(whole.date)).days
    if age <= kept:
        return None
    reason = f"“{whole.type}” of {whole.date}, {_days(age)} old; notes of this type are kept {_days(kept)}."
    return _file_draft(corpus, document, "Past its retention", reason, 0.85)


def _stub(corpus: Corpus, document: Document) -> Draft | None:
    lines = [line for line in range(1, len(document.lines) + 1) if document.roles[line - 1] is Role.TEXT]
    said = " ".join(document.line_text(line).strip() for line in lines)
    if not lines or len(said.split()) > _STUB_WORDS or not _MOVED.match(said):
        return None
    targets = {
        resolve_link(link, document.path, corpus.files) for link in document.links if link.form is not LinkForm.KEY
    } - {document.path}
    if len(targets) != 1 or None in targets:
        return None
    successor = targets.pop()
    return _file_draft(corpus, document, "Stub", f"All it says is that {successor} took its place.", 0.8, successor)


def _unsure(corpus: Corpus, document: Document, whole: Note | None) -> Draft | None:
    if whole is None or whole.confidence is None or whole.confidence >= _LOW_CONFIDENCE:
        return None
    wanted = set(re.findall(r"\w{4,}|\d+", whole.text.casefold()))
    elsewhere = " ".join(
        raw_text(other, 1, len(other.lines)).casefold()
        for other in corpus.documents.values()
        if other.path != document.path and not other.is_output
    )
    if not wanted or not wanted <= set(re.findall(r"\w{4,}|\d+", elsewhere)):
        return None
    reason = (
        f"Its confidence is {whole.confidence:g}, below {_LOW_CONFIDENCE:g}, and every word of it occurs elsewhere."
    )
    return _file_draft(corpus, document, "Unsure and not unique", reason, 0.5)


def _file_draft(
    corpus: Corpus, document: Document, title: str, reason: str, confidence: float, successor: str | None = None
) -> Draft:
    references = tuple(drop_references(corpus, document.path, successor))
    if references:
        count = len(references)
        reason += f" {count} lines that point to it change" if count > 1 else " The line that points to it changes"
        reason += " with it."
    last = len(document.lines)
    return Draft(
        kind=Kind.SUPERSEDE if successor else Kind.PRUNE,
        phase="prune",
        title=f"{title}: {document.path}",
        reason=reason,
        confidence=confidence,
        evidence=(evidence(document, 1, last, _file_date(document)),),
        texts=(raw_text(document, 1, last) or document.path,),
        edits=(delete_file(document, corpus.modes.get(document.path)), *references),
        detector="retention",
    )


def _file_date(document: Document) -> str | None:
    return next((note.date for note in document.notes if note.shape is Shape.FILE), None)


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


def _days(count: int) -> str:
    return f"{count} day" if count == 1 else f"{count} days"
