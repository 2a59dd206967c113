"""Which files does no entry of the index point to, and how would an entry read in the index's own style?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from posixpath import dirname, relpath

from dreamreview.dream import retention
from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import evidence, insert_before
from dreamreview.dream.link_targets import entries_of
from dreamreview.dream.orders import find_order
from dreamreview.model.dates import date_in_name
from dreamreview.model.edits import close, terminator_of
from dreamreview.model.links import NOTE_ENDINGS, resolve_link, slug
from dreamreview.model.memory import Document, Pointer, Role, Shape
from dreamreview.model.proposal import Act, Kind
from dreamreview.model.secrets import redact

HOOK_LENGTH = 150
"""Characters of an entry's hook. Claude Code's limit."""
_ENTRY_BYTES = 2 * HOOK_LENGTH
"""Bytes that an entry may take up."""
_LEAST_POINTERS = 2
"""Fewer entries than this make no index of files."""
_BY_NAME = re.compile(
    r"(?i)(?:readme|changelog|license|contributing|memory|index|mem0|claude|agents|gemini|user|soul|identity|tools"
    r"|heartbeat|dreams|bootstrap|todo|activecontext|productcontext|progress|projectbrief|systempatterns|techcontext)"
)
"""Stems of files that programs and people find without an index."""
_MARKERS = re.compile(r"^(?:\s*(?:[-*+>]|\d+[.)]|\[[ xX]\])(?=\s))+\s*")
"""The signs at the head of an item, a task or a quote."""
_EMPHASIS = re.compile(r"(?<![\w*_])(\*{1,3}|_{1,3})(?=[^\s*_])(.+?)(?<=[^\s*_])\1(?![\w*_])")
_STAMP = re.compile(r"(?i)(?:last )?(?:created|updated|modified|date|status|version|author|owner|session(?: \w+)?)\s*:")
"""How a line begins that says when or by whom a text was written."""
_SIDE_FOLDERS = re.compile(
    r"(?i)(?:^|/)(?:archives?|attic|backups?|old|templates?|logs?|daily|journal|sessions?|\.[^/]+)/"
)


def missing_entries(corpus: Corpus, policy: Policy, index: Document, most_lines: int) -> Iterator[Draft]:
    """Yield one draft for each file that belongs into the index, is not there, and is not to be pruned.

    Entries go where they are read: within `most_lines` and the bytes of the policy, if an entry stands there.
    """
    missing = unindexed(corpus, index)
    doomed = {
        edit.path
        for draft in (retention.find(corpus, policy) if missing else ())
        for edit in draft.edits
        if edit.act is Act.DELETE
    }
    missing = [document for document in missing if document.path not in doomed]
    models = _models(corpus, index) if missing else []
    read = _read_models(index, models, (most_lines, policy.index_bytes), len(missing))
    is_read = bool(read) or (not models and len(index.lines) < most_lines)
    for document in missing:
        yield _draft(corpus, index, document, read or models, is_read)


def unindexed(corpus: Corpus, index: Document) -> list[Document]:
    """Return the files that belong into the index and that nothing in it leads to; none if it is no index of files."""
    entries = {path for path in entries_of(corpus, index).values() if path}
    facts = [note for note in index.notes if note.shape in (Shape.BULLET, Shape.ROW, Shape.ENTRY)]
    if len(entries) < _LEAST_POINTERS and (facts or not _typed_files(corpus)):
        return []
    known = _known(corpus, index)
    has_records = any(_is_record(path) for path in entries)
    folders = {dirname(index.path), *(dirname(path) for path in entries)}
    return [
        document
        for path, document in corpus.documents.items()
        if path not in known
        and dirname(path) in folders
        and _belongs(document)
        and (has_records or not _is_record(path))
    ]


def _is_record(path: str) -> bool:
    """Tell whether a file is named by a day and what was that day, by which it is found without an entry."""
    return re.match(r"\d{4}-\d\d-\d\d[-_ ]*[^\W\d_]", path.rpartition("/")[2].rpartition(".")[0]) is not None


def _typed_files(corpus: Corpus) -> bool:
    return sum(1 for document in corpus.documents.values() if document.frontmatter) >= _LEAST_POINTERS


def _known(corpus: Corpus, index: Document) -> set[str]:
    """Return what the index reaches: by any reference, and through entries of the lists it points to."""
    names = {
        slug(document.frontmatter.get("name") or ""): path
        for path, document in corpus.documents.items()
        if document.frontmatter and document.frontmatter.get("name")
    }
    known = {index.path}
    waiting = [index]
    while waiting:
        document = waiting.pop()
        found = {resolve_link(link, document.path, corpus.files, names) for link in document.links}
        for path in found - known - {None}:
            known.add(path or "")
            further = corpus.documents.get(path or "")
            if further is not None and len(further.pointers) > _LEAST_POINTERS:
                waiting.append(further)
    return known


def _belongs(document: Document) -> bool:
    path = document.path
    name = path.rpartition("/")[2]
    stem, _, _ = name.rpartition(".")
    is_daily = date_in_name(name) is not None and not re.search(r"[^\W\d_]", stem)
    return (
        name.casefold().endswith(NOTE_ENDINGS)
        and document.is_text
        and not document.is_output
        and not is_daily
        and not _BY_NAME.fullmatch(stem)
        and not name.startswith((".", "_"))
        and not _SIDE_FOLDERS.search(path)
        and Role.TEXT in document.roles
    )


def _read_models(
    index: Document, models: list[tuple[Pointer, str]], most: tuple[int, int], count: int
) -> list[tuple[Pointer, str]]:
    """Return the entries below which a new one is still read: after all the others where that can be."""
    reach = list(accumulate((len(line) for line in index.lines), initial=0))

    def is_read(pointer: Pointer, added: int) -> bool:
        before = _place(index, pointer) - 1
        return before + added <= most[0] and reach[before] + added * _ENTRY_BYTES <= most[1]

    for added in (count, 1):
        if read := [(pointer, path) for pointer, path in models if is_read(pointer, added)]:
            return read
    return []


def _draft(
    corpus: Corpus, index: Document, document: Document, models: list[tuple[Pointer, str]], is_read: bool
) -> Draft:
    model = _model(corpus, document, models)
    line = _entry(index, document, model)
    place = _place(index, model)
    beside = model.line if model else max(len(index.lines), 1)
    terminator = terminator_of(index.lines)
    after = f"after line {place - 1}" if place > 1 else "at the top"
    beyond = "" if is_read else " That is past what is read of the index: shorten it as well."
    return Draft(
        kind=Kind.INDEX,
        phase="index",
        title=f"No entry for {document.path}",
        reason=f"No line of {index.path} points to it, so an agent that starts there misses it; added {after}.{beyond}",
        confidence=0.85,
        evidence=(evidence(index, beside, beside if index.lines else 0),),
        texts=(document.path,),
        edits=(insert_before(index, place, (close(line.encode("utf-8", "surrogateescape"), terminator),)),),
        detector="index_lines",
    )


def _models(corpus: Corpus, index: Document) -> list[tuple[Pointer, str]]:
    """Return the entries that have a plain line to themselves, with their files: others may be written like them."""
    shared = Counter(pointer.line for pointer in index.pointers)
    return [
        (pointer, path)
        for pointer, path in entries_of(corpus, index).items()
        if path and shared[pointer.line] == 1 and index.roles[pointer.line - 1] is Role.TEXT
    ]


def _model(corpus: Corpus, document: Document, models: list[tuple[Pointer, str]]) -> Pointer | None:
    """Return the entry to stand below: the last one of a file most like this one, else the last of all."""
    best: Pointer | None = None
    likeness = -1
    for pointer, path in models:
        alike = _likeness(document, corpus.documents.get(path), path)
        if alike >= likeness:
            best, likeness = pointer, alike
    return best


def _likeness(document: Document, other: Document | None, path: str) -> int:
    prefix = re.split(r"[_\-.]", document.path.rpartition("/")[2])[0]
    is_prefix = re.split(r"[_\-.]", path.rpartition("/")[2])[0] == prefix
    is_type = _type(document) is not None and _type(document) == _type(other)
    return 4 * (dirname(path) == dirname(document.path)) + 2 * is_prefix + is_type


def _type(document: Document | None) -> str | None:
    return next((note.type for note in document.notes if note.shape is Shape.FILE), None) if document else None


@dataclass(frozen=True, slots=True)
class _Style:
    before: str
    link: str
    between: str
    after: str


def _style(index: Document, model: Pointer | None) -> _Style:
    """Take the parts of an entry around its words from an entry that is there."""
    plain = _Style(before="- ", link="[{title}]({target})", between=" — ", after="")
    link = next((one for one in index.links if model and one.line == model.line and one.target == model.target), None)
    if model is None or link is None:
        return plain
    raw = index.lines[model.line - 1].rstrip(b"\r\n")
    before, shown, behind = (
        part.decode("utf-8", "replace") for part in (raw[: link.start], raw[link.start : link.stop], raw[link.stop :])
    )
    if re.search(r"\w", re.sub(r"^\s*\d+[.)]|\[[ xX]\]", "", before)):
        return plain
    form = {"wiki": "[[{stem}]]", "code": "`{target}`", "bare": "{target}"}.get(str(link.form), "[{title}]({target})")
    at = behind.find(model.hook) if model.hook else -1
    if at < 0:
        return _Style(before, form, "" if not model.hook else " — ", "" if model.hook else behind)
    if shown.startswith("!") or "|" in model.hook:
        return plain
    return _Style(before, form, behind[:at], behind[at + len(model.hook) :])


def _entry(index: Document, document: Document, model: Pointer | None) -> str:
    style = _style(index, model)
    target = relpath(document.path, dirname(index.path) or ".")
    stem = document.path.rpartition("/")[2].rpartition(".")[0]
    if any(char in target for char in " ()<>") and style.link.endswith("({target})"):
        target = f"<{target}>"
    link = style.link.format(title=_title(document, stem), target=target, stem=stem)
    hook = _hook(document)
    if not hook or not style.between:
        return style.before + link + style.after
    return style.before + link + style.between + hook + style.after


def _title(document: Document, stem: str) -> str:
    frontmatter = document.frontmatter
    named = (frontmatter.get("title", "name") or "") if frontmatter else ""
    heading = next((document.line_text(n + 1) for n, role in enumerate(document.roles) if role is Role.HEADING), "")
    is_slug = re.fullmatch(r"[\w.]+(?:[-_][\w.]+)*", named) is not None and not re.search(r"[^\x00-\x7f]", named)
    words = re.sub(r"[-_]+", " ", redact(named if is_slug and named else stem)).strip()
    title = named if named and not is_slug else heading.lstrip("\ufeff# ").rstrip("# ") or words[:1].upper() + words[1:]
    return re.sub(r"\s+", " ", redact(re.sub(r"[\[\]|]", "", title))).strip()[:80]


def _hook(document: Document) -> str:
    frontmatter = document.frontmatter
    said = (frontmatter.get("description", "summary") or "") if frontmatter else ""
    if not said:
        said = _opening(document)
    said = re.sub(r"\s+", " ", redact(said)).strip().replace("|", "/")
    if find_order(said):
        return ""
    return shortened(said, HOOK_LENGTH)


def _opening(document: Document) -> str:
    """Return the first line of a text that tells what it is about, without the signs of its markup."""
    lines = [document.line_text(n) for n, role in enumerate(document.roles, start=1) if role is Role.TEXT]
    plain = [
        _EMPHASIS.sub(r"\2", _MARKERS.sub("", line)).strip() for line in lines if not line.lstrip().startswith("|")
    ]
    told = (line for line in plain if re.search(r"\w", line) and not _STAMP.match(line))
    return next(told, next(iter(plain), ""))


def shortened(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters, cut at the end of a clause if there is one, else of a word."""
    if len(text) <= limit:
        return text
    clauses = [match.start() for match in re.finditer(r"[.;:,，。；]\s|\s[—–(-]", text[:limit])]
    late = [place for place in clauses if place >= limit // 3]
    if late:
        return text[: late[-1]].rstrip(" ,;:—–-(")
    return text[: limit - 1].rpartition(" ")[0].rstrip(" ,;:—–-(") + "…"


def _place(index: Document, model: Pointer | None) -> int:
    """Return the line before which the entry goes: below its model, with what belongs to that."""
    if model is None:
        return len(index.lines) + 1
    return max((note.last for note in index.notes if note.first == model.line), default=model.line) + 1
