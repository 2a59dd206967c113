"""What a store claims: the notes that are compared with one another, read once, and what the store's words weigh."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from posixpath import basename, splitext
from typing import TYPE_CHECKING

from dreamreview.dream.similarity import Sort, Weights, content, parts, scan, weights_of
from dreamreview.dream.slots import Reading, names_of, read
from dreamreview.dream.words import words
from dreamreview.model.memory import Document, Note, Role, Shape

if TYPE_CHECKING:
    from dreamreview.dream.engine import Corpus
    from dreamreview.dream.vectors import Model, Vectors
    from dreamreview.model.moves import Place

SHAPES = frozenset((Shape.BULLET, Shape.PARAGRAPH, Shape.ROW, Shape.ENTRY))
"""Shapes that are compared as single statements."""
LONGEST = 4_000
"""Characters of a note beyond which it is no single statement."""
MIRRORS = words(
    "template templates archive archives archived backup backups example examples attic trash fixtures snapshots"
)
"""Folder names whose files repeat others on purpose."""
_KEPT = re.compile(r"[-_. ](?:backups?|archives?|archived|snapshots)$")
"""How the name of such a folder ends that says of what it keeps copies."""
LABELS = re.compile(
    r"\s*\*\*\s*(?:why|how to apply|reason|rationale|context|原因|为什么|如何应用|怎么用|理由"
    r"|почему|как применять)\s*[:：]",
    re.IGNORECASE,
)
"""A paragraph that belongs to the rule above it."""
PASSING = frozenset(("session_state", "compact_summary"))
"""Types of notes that speak of one sitting."""
_SITTING = re.compile(r"session|standup|handoff|hand-off|journal|diary|postmortem|meeting|compact|log(?![a-z])")
_CLAUSES = re.compile(
    r"(?<!\b\d\.)(?<!\b\d\d\.)(?<=[.!?;])\s+|[。；！？]|\s[—–]\s|,\s(?=(?:because|but|although|whereas|unless|weil|aber|но|потому)\b)|，(?=但|因为)"
)
_LEAD = re.compile(r"((?:\S+ ){0,4}\S+?)[:：](?=\s|$)")
_PATH = re.compile(r"://|[\w~.]/[\w.<]|\w\.[a-z]{2,4}$")
_DAILY = re.compile(r"\d{4}-\d\d-\d\d")
_LINK = re.compile(r"\[\[[^\]]*\]\]|\[[^\]]*\]\([^)]*\)|`[^`\s]+\.md`")
_STAMPED = re.compile(r"\W*(?:\d{4}-\d\d(?:-\d\d)?|\d{1,2}:\d\d)\b")
_OF_FILE = re.compile(
    r"[\W_]*(?:(?:this|the present) (?:document|file|page|note|section|folder|directory|memory bank)"
    r" (?:describes?|contains?|lists?|explains?|documents?|provides?|holds?|covers?|summari[sz]es?|tracks?|captures?"
    r"|outlines?|records?|serves?)\b"
    r"|(?:dieses dokument|diese datei|diese seite|этот (?:документ|файл))\b"
    r"|(?:本|该|此)(?:文档|文件|页)|この(?:ドキュメント|ファイル|文書|ページ)[はで])",
    re.IGNORECASE,
)
_GAP = re.compile(r"[*_]*\[[^\[\]]*\s[^\[\]]*\s[^\[\]]*\][*_.]*")
_STRUCK = re.compile(r"\s*(?:[-*+]|\d+[.)])?\s*~~")
_DONE = re.compile(r"\s*(?:[-*+]|\d+[.)])?\s*(?:\[[xX]\]|✅|☑)")
_OPEN = re.compile(r"\s*(?:[-*+]|\d+[.)])?\s*(?:\[ \]|⏳|🔄|☐|⬜)")


@dataclass(frozen=True)
class Claim:
    """One statement of the store."""

    place: int
    """Position among all claims, in path and line order."""
    document: Document
    note: Note
    number: int
    """Index of the note in its document."""
    reading: Reading
    about: frozenset[str]
    """What the headings above it and the title of its file say."""
    under: frozenset[str]
    """What the list item that holds it says; empty where none does."""
    owners: frozenset[str]
    """Proper names in the heading right above it: whom a statement without a name is about."""
    is_daily: bool
    is_stamped: bool
    """Whether it is an entry of a log: opens with a day or an hour, or stands in a daily note."""
    in_log: bool
    """Whether it tells of one day: a dated heading, file name or lead."""
    is_source: bool
    """Whether it stands in the record of a day or a sitting, which is kept as it was written."""
    is_done: bool | None
    """Task box or mark: True done, False open, None without."""
    known: frozenset[str] = frozenset()
    """Proper names of the store."""

    @property
    def path(self) -> str:
        """Where it stands."""
        return self.note.path

    @property
    def bag(self) -> frozenset[str]:
        """Its words."""
        return self.reading.bag

    @cached_property
    def lead(self) -> frozenset[str]:
        """What it opens with before a colon, or in bold."""
        match = _LEAD.match(self.note.text)
        lead = self.note.title or (match[1] if match else "")
        tokens = scan(lead)
        letters = (token.raw for token in tokens if len(token.raw) == 1 and token.raw.isupper() and token.raw != "I")
        return frozenset((*content(tokens), *letters)) or frozenset(lead.casefold().split())

    @cached_property
    def addresses(self) -> frozenset[str]:
        """Web addresses, mail addresses and paths that it names."""
        return frozenset(
            token.key
            for token in self.reading.tokens
            if token.sort in (Sort.URL, Sort.MAIL, Sort.PATH) or (token.sort is Sort.CODE and _PATH.search(token.raw))
        )

    @cached_property
    def named(self) -> frozenset[str]:
        """Words that its addresses and paths are made of."""
        return frozenset(word for address in self.addresses for word in parts(address))

    @cached_property
    def clauses(self) -> tuple[Reading, ...]:
        """Its sentences and half sentences, read one by one."""
        pieces = [piece for piece in _CLAUSES.split(self.note.text) if piece.strip()]
        if pieces == [self.note.text]:
            return (self.reading,)
        found = [read(piece, self.known) for piece in pieces]
        return tuple(reading for reading in found if reading.bag) or (self.reading,)


@dataclass(frozen=True)
class Knowledge:
    """All claims of a store and what its words weigh."""

    claims: tuple[Claim, ...]
    weights: Weights
    names: frozenset[str]
    """Words that are always capitalised in this store."""
    by_path: dict[str, list[Claim]] = field(default_factory=dict)
    vectors: Vectors | None = None
    """Vectors of the claims, by their place; None without a model."""


def know(corpus: Corpus, model: Model | None = None) -> Knowledge:
    """Read every statement of a store; what programs wrote, mirrors and struck-out lines are left aside.

    `model` makes their sentence vectors.
    """
    documents = [document for document in corpus.documents.values() if is_memory(document, corpus)]
    names = names_of(note.text for document in documents for note in document.notes if note.shape in SHAPES)
    issues = _issues(corpus)
    claims: list[Claim] = []
    for document in documents:
        for number in _statements(document):
            claims.append(_claim(len(claims), document, number, names, issues))
    by_path: dict[str, list[Claim]] = {}
    for claim in claims:
        by_path.setdefault(claim.path, []).append(claim)
    vectors = model.embed([claim.note.text for claim in claims]) if model else None
    return Knowledge(tuple(claims), weights_of([claim.bag for claim in claims]), names, by_path, vectors)


def claims_at(corpus: Corpus, names: frozenset[str], places: Collection[Place]) -> list[Claim]:
    """Read the statements of a store that hold one of some lines; `names` are the proper names of the store."""
    issues = _issues(corpus)
    claims: list[Claim] = []
    for document in corpus.documents.values():
        for number in _statements(document) if is_memory(document, corpus) else ():
            note = document.notes[number]
            if any((document.path, line) in places for line in range(note.first, note.last + 1)):
                claims.append(_claim(len(claims), document, number, names, issues))
    return claims


def is_memory(document: Document, corpus: Corpus) -> bool:
    """Tell whether a file holds memories that may be compared and rewritten."""
    folders = document.path.casefold().split("/")[:-1]
    is_mirror = any(folder in MIRRORS or _KEPT.search(folder) for folder in folders)
    sidecar = splitext(document.path)[0] + ".json"
    return document.is_text and not document.is_output and not is_mirror and sidecar not in corpus.files


def is_daily(path: str) -> bool:
    """Tell whether a file is a daily note: a source of memory, not to be merged."""
    return _DAILY.match(basename(path)) is not None


def is_session(document: Document) -> bool:
    """Tell whether a file records one sitting: by its type, or by a day and such a word in its name."""
    name = basename(document.path).casefold()
    kind = document.notes[0].type if document.notes else None
    return kind in PASSING or (_DAILY.search(name) is not None and _SITTING.search(name) is not None)


def _issues(corpus: Corpus) -> frozenset[str]:
    """Return the files that are one of several of a name but for its day: issues of a report, each of its own day."""
    series: dict[str, list[str]] = {}
    for path in corpus.documents:
        name = _DAILY.sub("", path)
        if name != path:
            series.setdefault(name, []).append(path)
    return frozenset(path for paths in series.values() if len(paths) > 1 for path in paths)


def _statements(document: Document) -> Iterator[int]:
    holders = {note.parent for note in document.notes if note.parent is not None and note.shape is Shape.BULLET}
    pointers = {pointer.line for pointer in document.pointers}
    for number, note in enumerate(document.notes):
        first = document.line_text(note.first)
        if note.shape not in SHAPES or (number in holders and document.notes[number].shape is Shape.BULLET):
            continue
        if note.first in pointers or LABELS.match(first) or _STRUCK.match(first) or first.lstrip().startswith(">"):
            continue
        if len(note.text) <= LONGEST and not (_is_torn(document, note) or _is_reference(note) or _is_of_file(note)):
            yield number


def _is_reference(note: Note) -> bool:
    """Tell whether a note says nothing but where to read on."""
    rest = _LINK.sub("", note.text)
    return rest != note.text and len(tuple(content(scan(rest)))) <= 1


def _is_of_file(note: Note) -> bool:
    """Tell whether a note says what its own file is for, or is a gap of a template that nobody has filled in."""
    return _OF_FILE.match(note.text) is not None or _GAP.fullmatch(note.text.strip()) is not None


def _is_torn(document: Document, note: Note) -> bool:
    """Tell whether a paragraph goes on from the line above it, so that it is no statement of its own."""
    if note.shape is not Shape.PARAGRAPH or note.first < 2 or not note.text[:1].islower():
        return False
    return document.roles[note.first - 2] is Role.TEXT


def _claim(place: int, document: Document, number: int, names: frozenset[str], issues: frozenset[str]) -> Claim:
    note = document.notes[number]
    first = document.line_text(note.first)
    title = document.notes[0].title if document.notes and document.notes[0].shape is Shape.FILE else ""
    heading = note.headings[-1] if note.headings else ""
    done = False if _OPEN.match(first) else True if _DONE.match(first) else None
    daily = is_daily(document.path)
    return Claim(
        place=place,
        document=document,
        note=note,
        number=number,
        reading=read(note.text, names),
        about=_about((*note.headings, title, stem_words(document.path))),
        under=_holder(document, note),
        owners=names_in(heading, names),
        is_daily=daily,
        is_stamped=daily or _STAMPED.match(note.text) is not None,
        in_log=daily or any(_DAILY.search(text) for text in (*note.headings, basename(document.path), note.title)),
        is_source=daily or is_session(document) or document.path in issues,
        is_done=done,
        known=names,
    )


@lru_cache(maxsize=4_096)
def _about(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(content(scan(" . ".join(texts))))


@lru_cache(maxsize=4_096)
def names_in(heading: str, names: frozenset[str]) -> frozenset[str]:
    """Return which of the proper names of a store a heading says."""
    return read(heading, names).names if heading else frozenset()


def _holder(document: Document, note: Note) -> frozenset[str]:
    holder = document.notes[note.parent] if note.parent is not None else None
    if holder is None or holder.shape is not Shape.BULLET:
        return frozenset()
    return frozenset(content(scan(document.line_text(holder.first))))


def stem_words(path: str) -> str:
    """Return the words of a file's name."""
    return re.sub(r"[-_]+", " ", splitext(basename(path))[0])
