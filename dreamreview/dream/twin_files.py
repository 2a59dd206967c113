"""Which files of a store are one note written twice, and the change that leaves one of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import dirname

from dreamreview.dream.candidates import candidates
from dreamreview.dream.claims import Claim, Knowledge, is_daily, is_memory, is_session, stem_words
from dreamreview.dream.duplicates import SAME, excerpt, leads, place, seen
from dreamreview.dream.engine import Corpus, Draft, Measure
from dreamreview.dream.evidence import delete_block, delete_file, evidence, insert_before, raw_text, replace_lines
from dreamreview.dream.forms import is_step
from dreamreview.dream.judging import WHOLE, Verdict
from dreamreview.dream.link_targets import entries_of
from dreamreview.dream.merging import Kept, append_text, coalesce, has_secret, lacks_literals, missing_sentences
from dreamreview.dream.paraphrase import nearest
from dreamreview.dream.references import References
from dreamreview.dream.relation import Kinship, relate
from dreamreview.dream.similarity import weights_of
from dreamreview.dream.slots import Reading, read
from dreamreview.dream.turning import changed_places
from dreamreview.model.edits import Text, close, terminator_of
from dreamreview.model.memory import Document, Role, Shape
from dreamreview.model.proposal import Evidence, FileEdit, Kind
from dreamreview.model.secrets import find_secrets

STATEMENTS = 3
"""Statements up to which a file makes one point."""
LONGEST = 60
"""Lines up to which a file can be one note."""
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five"}
_MARKED = re.compile(r"\s*(?:[-*+|#>]|\d+[.)]\s|`{3})")
"""What opens a block that is taken over whole: a list item, a label, a row, a quote, code."""
_CREATED = re.compile(rb"^(\s*created\s*:\s*[\"']?)(\d{4}-\d\d-\d\d)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Twins:
    """Two files that are one note."""

    keep: Document
    gone: Document
    score: float


def find_twins(corpus: Corpus, store: Knowledge, verdicts: Sequence[Verdict]) -> Iterator[tuple[str, Draft]]:
    """Yield the path of each file that another one repeats, with the merge of the two."""
    agreed = {
        frozenset((verdict.one.place, verdict.other.place)): verdict
        for verdict in verdicts
        if verdict.relation.kinship is Kinship.DUPLICATE
    }
    at_odds = {
        frozenset((verdict.one.path, verdict.other.path))
        for verdict in verdicts
        if verdict.relation.kinship in (Kinship.CONFLICT, Kinship.SUPERSEDE)
    }
    taken: set[str] = set()
    references = References(corpus)
    for one, other, score in _twins(corpus, store, agreed, at_odds):
        if not {one.path, other.path} & taken:
            keep, gone = _order(one, other)
            taken |= {keep.path, gone.path}
            yield gone.path, _draft(corpus, store, references, _Twins(keep, gone, score), agreed)


def _twins(
    corpus: Corpus, store: Knowledge, agreed: Collection[frozenset[int]], at_odds: Collection[frozenset[str]]
) -> Iterator[tuple[Document, Document, float]]:
    """Yield the pairs of files that are one note, those whose own words say so first."""
    files = [document for document in corpus.documents.values() if _may_be_note(document, corpus)]
    summaries = [_summary(document, store) for document in files]
    weights = weights_of([summary.bag for summary in summaries])
    for first, second in candidates([summary.bag for summary in summaries], weights, WHOLE):
        one, other = files[first], files[second]
        if _are_apart(one, other) or _is_turned_round(store, one, other):
            continue
        score = 1.0 if _body(one) == _body(other) else 0.0
        if not score and _leads_agree(store, one, other, agreed):
            score = 0.9
        if not score:
            relation = relate(summaries[first], summaries[second], weights)
            score = relation.score if relation.kinship is Kinship.DUPLICATE else 0.0
        if score:
            yield one, other, score
    single = [document for document in files if _has_one_point(store, document)]
    for near, far, score in nearest([_all_said(corpus, document, store) for document in single]):
        one, other = single[near], single[far]
        is_same_sort = one.notes[0].type == other.notes[0].type and not _are_apart(one, other)
        if is_same_sort and frozenset((one.path, other.path)) not in at_odds:
            yield one, other, score


def _has_one_point(store: Knowledge, document: Document) -> bool:
    """Tell whether a file makes one point and argues it: it begins with a paragraph and says little beside."""
    claims = store.by_path.get(document.path, ())
    return 0 < len(claims) <= STATEMENTS and claims[0].note.shape is Shape.PARAGRAPH


def _all_said(corpus: Corpus, document: Document, store: Knowledge) -> Reading:
    """Read all ways in which a file's point is put: its name, description, entries in the index, statements."""
    values = document.frontmatter
    named = (stem_words(values.get("name", "title") or ""), values.get("description") or "") if values else ()
    index = corpus.index
    hooks = [
        f"{pointer.label}. {pointer.hook or ''}"
        for pointer, path in (entries_of(corpus, index) if index else {}).items()
        if path == document.path
    ]
    said = [claim.note.text for claim in store.by_path.get(document.path, ())]
    return read(". ".join((*named, *hooks, *said)), store.names)


def _may_be_note(document: Document, corpus: Corpus) -> bool:
    return (
        is_memory(document, corpus)
        and document.frontmatter is not None
        and len(document.lines) <= LONGEST
        and not document.pointers
        and not is_daily(document.path)
        and not is_session(document)
        and not document.frontmatter.get("superseded_by", "supersedes")
        and not any(note.pinned for note in document.notes)
        and bool(document.notes)
        and not find_secrets(raw_text(document, 1, len(document.lines)))
    )


def _are_apart(one: Document, other: Document) -> bool:
    return dirname(one.path) != dirname(other.path)


def _is_turned_round(store: Knowledge, one: Document, other: Document) -> bool:
    """Tell whether a statement of one file says of the same two things the reverse of what the other file says."""
    near, far = store.by_path.get(one.path, ()), store.by_path.get(other.path, ())
    return any(changed_places(mine.reading, theirs.reading) for mine in near for theirs in far)


def _summary(document: Document, store: Knowledge) -> Reading:
    """Read what a file is about: its name, its description, its first statement."""
    values = document.frontmatter
    described = (values.get("name", "title") or "", values.get("description") or "") if values else ("", "")
    claims = store.by_path.get(document.path, [])
    lead = claims[0].note.text if claims else ""
    return read(". ".join((stem_words(described[0]), described[1], lead)), store.names)


def _leads_agree(store: Knowledge, one: Document, other: Document, agreed: Collection[frozenset[int]]) -> bool:
    near, far = store.by_path.get(one.path), store.by_path.get(other.path)
    if not near or not far:
        return False
    if not all(claims[0].note.shape is Shape.PARAGRAPH for claims in (near, far)):
        return _all_agree(near, far, agreed)
    return frozenset((near[0].place, far[0].place)) in agreed or _all_agree(near, far, agreed)


def _all_agree(near: Sequence[Claim], far: Sequence[Claim], agreed: Collection[frozenset[int]]) -> bool:
    """Tell whether every statement of the shorter file is one of the longer file."""
    short, long = sorted((near, far), key=len)
    return all(any(frozenset((mine.place, theirs.place)) in agreed for theirs in long) for mine in short)


def _body(document: Document) -> tuple[bytes, ...]:
    start = document.frontmatter.last if document.frontmatter else 0
    return tuple(line.rstrip() for line in document.lines[start:] if line.strip())


def _order(one: Document, other: Document) -> tuple[Document, Document]:
    """Return the file to keep, the fuller one and then the newer one, and the other."""

    def rank(document: Document) -> tuple[int, str, int, str]:
        body = sum(len(line) for line in _body(document))
        return body, document.notes[0].date or "", -len(document.path), document.path

    keep, gone = (one, other) if rank(one) >= rank(other) else (other, one)
    return keep, gone


def _draft(
    corpus: Corpus, store: Knowledge, references: References, twins: _Twins, verdicts: Mapping[frozenset[int], Verdict]
) -> Draft:
    keep, gone, score = twins.keep, twins.gone, twins.score
    others = _said_elsewhere(store, twins, verdicts)
    added, dropped = _added(store, keep, gone)
    lead, count = _with_sentences(store, keep, [claim.note.text for claim in others], dropped)
    edits: list[FileEdit] = [*_earliest(keep, gone), *lead]
    if added:
        edits.append(insert_before(keep, len(keep.lines) + 1, added))
    edits.append(delete_file(gone, corpus.modes.get(gone.path)))
    edits += references.dropped(gone.path, keep.path)
    edits += coalesce([delete_block(claim.document, claim.note.first, claim.note.last) for claim in others])
    return Draft(
        kind=Kind.MERGE,
        phase="consolidate",
        title=f"Make one note of {_COUNTS.get(2 + len(others), 'several')}: {excerpt(keep.notes[0].title)}",
        reason=_reason(twins, others, count + sum(1 for line in added if line.strip()), dropped if not count else ()),
        confidence=0.98 if score == 1.0 else round(0.45 + score / 2, 2),
        evidence=(*(_evidence(document) for document in (keep, gone)), *(seen(claim) for claim in others)),
        texts=(
            *(raw_text(document, 1, len(document.lines)) for document in (keep, gone)),
            *(raw_text(claim.document, claim.note.first, claim.note.last) for claim in others),
        ),
        edits=tuple(edits),
        detector="twin_files",
        measures=(Measure("likeness", score, SAME),),
    )


def _reason(twins: _Twins, others: Sequence[Claim], count: int, dropped: Sequence[str]) -> str:
    keep, gone = twins.keep.path, twins.gone.path
    how = "hold the same text" if twins.score == 1.0 else "make the same point"
    said = f"{keep} and {gone} {how}"
    if others:
        said += f", and so {'does' if len(others) == 1 else 'do'} {' and '.join(place(claim) for claim in others)}"
    extra = f" What it lacks is added to it ({count} {'line' if count == 1 else 'lines'})." if count else ""
    left = f" The description of the other goes: “{excerpt(' '.join(dropped))}”." if dropped else ""
    return f"{said}. {keep} stays.{extra}{left} Links to the other follow."


def _said_elsewhere(store: Knowledge, twins: _Twins, verdicts: Mapping[frozenset[int], Verdict]) -> list[Claim]:
    """Return the statements of other files that agree with the first statement of both, and stand alone there."""
    near, far = (store.by_path.get(document.path) for document in (twins.keep, twins.gone))
    if not near or not far:
        return []
    standing = leads(store)
    return [
        claim
        for claim in store.claims
        if claim.path not in (twins.keep.path, twins.gone.path)
        and claim.place not in standing
        and not is_step(claim)
        and not has_secret(claim)
        and all(frozenset((claim.place, lead.place)) in verdicts for lead in (near[0], far[0]))
    ]


def _evidence(document: Document) -> Evidence:
    return evidence(document, 1, len(document.lines), document.notes[0].date)


def _added(store: Knowledge, keep: Document, gone: Document) -> tuple[Text, tuple[str, ...]]:
    """Return the lines of the file that goes which the other one lacks, and the sentences of its description.

    The lines stay as they stand.
    """
    kept = Kept.of([raw_text(keep, 1, len(keep.lines))], store.names)
    end = terminator_of(keep.lines)
    lines: list[bytes] = []
    for block in _blocks(gone):
        text = b"".join(block).decode("utf-8", "replace")
        missing = missing_sentences(kept, text, store.names)
        if not missing:
            continue
        is_paragraph = _MARKED.match(text) is None
        lines += [end] if is_paragraph or text.startswith("**") else []
        said = [" ".join(missing).encode("utf-8", "surrogateescape")] if is_paragraph else block
        lines += [close(line.rstrip(b"\r\n"), end) for line in said]
        kept = Kept.of([kept.flat, text], store.names)
    described = gone.frontmatter.get("description") if gone.frontmatter else None
    return tuple(lines), missing_sentences(kept, described, store.names) if described else ()


def _with_sentences(
    store: Knowledge, keep: Document, texts: Sequence[str], described: Sequence[str]
) -> tuple[list[FileEdit], int]:
    """Return the edit that adds to the first statement of a file what others say beyond it, and how many sentences.

    Of a description only what states an amount, a name, a quotation or a piece of code is worth a sentence.
    """
    lead = next(iter(store.by_path.get(keep.path, ())), None)
    if lead is None:
        return [], 0
    kept = Kept.of([raw_text(keep, 1, len(keep.lines))], store.names)
    found = [piece for piece in described if lacks_literals(kept, read(piece, store.names))]
    for text in texts:
        found += missing_sentences(Kept.of([kept.flat, *found], store.names), text, store.names)
    return ([append_text(keep, lead.note.last, found)], len(found)) if found else ([], 0)


def _blocks(document: Document) -> list[Text]:
    """Return the runs of text lines of a file's body, each label and each list item on its own."""
    start = document.frontmatter.last if document.frontmatter else 0
    blocks: list[Text] = []
    run: list[bytes] = []
    for at in range(start, len(document.lines)):
        line = document.lines[at]
        opens = document.roles[at] is Role.TEXT and re.match(rb"(?:\*\*|[-*+] |\d+[.)] )", line)
        if run and (document.roles[at] is Role.BLANK or opens):
            blocks.append(tuple(run))
            run = []
        if document.roles[at] not in (Role.BLANK, Role.HEADING):
            run.append(line)
    return [*blocks, tuple(run)] if run else blocks


def _earliest(keep: Document, gone: Document) -> Iterator[FileEdit]:
    """Yield the edit that gives the file that stays the earlier creation date of the two."""
    mine, theirs = _created(keep), _created(gone)
    if mine and theirs and theirs[1] < mine[1]:
        line, day = mine[0], theirs[1]
        data = _CREATED.sub(lambda match: match[1] + day.encode(), keep.lines[line - 1], count=1)
        yield replace_lines(keep, line, line, (data,))
    elif theirs and not mine and keep.frontmatter and not _is_json(keep, keep.frontmatter.first):
        said = close(f"created: {theirs[1]}".encode(), terminator_of(keep.lines))
        yield insert_before(keep, keep.frontmatter.last, (said,))


def _is_json(document: Document, fence: int) -> bool:
    """Tell whether what stands below an opening fence is an object and no keys by lines."""
    return document.lines[fence].lstrip().startswith(b"{")


def _created(document: Document) -> tuple[int, str] | None:
    values: Mapping[str, int] = document.frontmatter.lines if document.frontmatter else {}
    for key in ("created", "metadata.created"):
        if key in values:
            match = _CREATED.match(document.lines[values[key] - 1])
            if match:
                return values[key], match[2].decode()
    return None
