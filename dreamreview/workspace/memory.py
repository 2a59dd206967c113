"""The store as it is, for looking through it: files and their notes, ages, pins, links both ways, findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from dreamreview.model.links import resolve_link
from dreamreview.model.markdown import parse
from dreamreview.model.memory import Document, Shape
from dreamreview.model.pins import Pin, pins_of
from dreamreview.model.plan import digest

if TYPE_CHECKING:
    # The detectors are loaded when notes are read: the names are there before.
    from dreamreview.dream.engine import Corpus, Progress
    from dreamreview.dream.gathering import Gathered
    from dreamreview.model.edits import Text
    from dreamreview.store.scan import Entry
    from dreamreview.workspace.context import Context
    from dreamreview.workspace.health import Finding
    from dreamreview.workspace.pinning import Pinning
    from dreamreview.workspace.values import ApplyResult

Findings = Mapping[str, Sequence["Finding"]]
"""Path to what is wrong with it; an empty path for what concerns no one file."""

TITLE_LIMIT = 200
"""Characters of a note that stand for it in a list."""


@dataclass(frozen=True, slots=True)
class NoteLine:
    """One note of a file."""

    index: int
    """Its place in the file, a holder before what it holds; 0 is the file."""
    first: int
    """First line, 1-based."""
    last: int
    depth: int
    """How many notes hold it; 0 for the file."""
    shape: Shape
    title: str
    """Its name, or the start of what it says."""
    type: str | None
    date: str | None
    """YYYY-MM-DD that it speaks from, by the chain of dates that a dream goes by; None without any."""
    confidence: float | None
    pin: Pin
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkLine:
    """One reference of a file to another."""

    line: int
    target: str
    """As written."""
    path: str | None
    """The file of the store that it means, where there is one."""
    is_missing: bool = False
    """Whether there should be one and is not."""


@dataclass(frozen=True, slots=True)
class FileLine:
    """One file of the store."""

    path: str
    kind: str
    """``file``, ``link`` (shown, never followed) or ``left out``."""
    size: int
    changed: date | None
    """The day it was last written, by the file system."""
    notes: tuple[NoteLine, ...] = ()
    """The file as a whole first; none in what holds no memory."""
    links: tuple[LinkLine, ...] = ()
    linked_from: tuple[tuple[str, int], ...] = ()
    """Path and line of each reference to it."""
    seen: str = ""
    """sha256 of the bytes that it was read from."""
    words: str = ""
    """What it says, case folded, to be searched."""

    @property
    def whole(self) -> NoteLine | None:
        """The file as one note; None where it holds no memory."""
        return self.notes[0] if self.notes else None


class OpenMemory:
    """The files of a store at one moment, read piece by piece.

    Args:
        context: the store; it is looked at, not read yet.

    Raises:
        StoreError: the folder cannot be looked at.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._scan = context.scan()
        self._gathered: Gathered | None = None

    @property
    def today(self) -> date:
        """The day that ages are counted from."""
        return self._context.now().date()

    def first_files(self) -> tuple[FileLine, ...]:
        """Return all files by name, with nothing read yet."""
        found = [_bare(entry) for entry in self._scan.entries.values()]
        found += [FileLine(path, "left out", 0, None) for path in self._scan.excluded]
        return tuple(sorted(found, key=lambda line: line.path))

    def read(
        self, on_progress: Callable[[Progress], None], is_cancelled: Callable[[], bool]
    ) -> tuple[tuple[FileLine, ...], Findings]:
        """Read every note, and find what is plain from each file alone.

        Raises:
            DreamCancelledError: `is_cancelled` said so.
        """
        from dreamreview.dream import health
        from dreamreview.dream.gathering import gather
        from dreamreview.workspace.health import unread

        gathered = gather(self._context.root, self._scan, self.today, on_progress, is_cancelled)
        self._gathered = gathered
        corpus = gathered.corpus
        links = {path: _links(corpus, document) for path, document in corpus.documents.items()}
        linked: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for path, found in links.items():
            for link in found:
                if link.path is not None and link.path != path:
                    linked[link.path].append((path, link.line))
        files = tuple(
            _filled(line, corpus.documents.get(line.path), links.get(line.path, ()), linked.get(line.path, ()))
            for line in self.first_files()
        )
        plain = [*health.seen_alone(corpus, self._context.settings.policy), *unread(self._scan, gathered.warnings)]
        return files, _by_path(plain)

    def compare(self) -> Findings:
        """Hold the notes against one another, once they are read; takes a while in a large store."""
        from dreamreview.dream import health

        if self._gathered is None:
            return {}
        return _by_path(health.compared(self._gathered.corpus, self._context.settings.policy))

    def again(self, line: FileLine) -> FileLine:
        """Return a file as it reads now, with the links of others to it as they were."""
        if self._gathered is None or line.path not in self._gathered.corpus.documents:
            return line
        text, _ = self.text(line.path)
        document = parse(line.path, b"".join(text))
        return _filled(line, document, _links(self._gathered.corpus, document), line.linked_from)

    def text(self, path: str) -> tuple[Text, str]:
        """Return a file (or the target of a link) as it is right now, and its digest; nothing where it is gone."""
        state = None if path in self._scan.excluded else self._context.live(path)
        return (state.text, digest(b"".join(state.text))) if state else ((), "")

    def weigh(self, path: str, index: int, seen: str, *, pinned: bool) -> Pinning:
        """Work out what pinning or unpinning a note would write; see `pinning.weigh`."""
        from dreamreview.workspace import pinning

        return pinning.weigh(self._context, path, index, seen, pinned=pinned)

    def carry_out(self, wanted: Pinning) -> ApplyResult:
        """Write a pin, or take it away; see `pinning.carry_out`."""
        from dreamreview.workspace import pinning

        return pinning.carry_out(self._context, wanted)


def _bare(entry: Entry) -> FileLine:
    changed = datetime.fromtimestamp(entry.mtime_ns / 1e9, tz=UTC).date()
    return FileLine(entry.path, entry.kind, entry.size, changed)


def _filled(
    line: FileLine, document: Document | None, links: Sequence[LinkLine], linked: Sequence[tuple[str, int]]
) -> FileLine:
    if document is None:
        return replace(line, linked_from=tuple(linked), words=line.path.casefold())
    data = b"".join(document.lines)
    notes = tuple(_notes(document))
    titles = "\n".join(note.title for note in notes[:1])
    return replace(
        line,
        notes=notes,
        links=tuple(links),
        linked_from=tuple(linked),
        size=len(data),
        seen=digest(data),
        words="\n".join((line.path, titles, data.decode("utf-8", "replace"))).casefold(),
    )


def _notes(document: Document) -> list[NoteLine]:
    pins = pins_of(document)
    depths: list[int] = []
    found: list[NoteLine] = []
    for index, note in enumerate(document.notes):
        depths.append(0 if note.parent is None else depths[note.parent] + 1)
        said = note.text.strip() or note.title
        title = note.title if note.shape in (Shape.FILE, Shape.SECTION) else said.partition("\n")[0][:TITLE_LIMIT]
        found.append(
            NoteLine(
                index=index,
                first=note.first,
                last=note.last,
                depth=depths[-1],
                shape=note.shape,
                title=title,
                type=note.type,
                date=note.date,
                confidence=note.confidence,
                pin=pins[index],
                tags=note.tags,
            )
        )
    return found


def _links(corpus: Corpus, document: Document) -> tuple[LinkLine, ...]:
    from dreamreview.dream.link_targets import missing_links

    missing = set(missing_links(corpus, document))
    found: dict[tuple[int, str], LinkLine] = {}
    for link in (*document.links, *document.managed_links):
        path = resolve_link(link, document.path, corpus.files)
        if path is not None or link in missing:
            found.setdefault((link.line, link.target), LinkLine(link.line, link.target, path, link in missing))
    return tuple(sorted(found.values(), key=lambda each: each.line))


def _by_path(findings: Iterable[Finding]) -> Findings:
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in sorted(findings, key=lambda one: (one.path, one.lines or (0, 0), one.cls, one.message)):
        by_path[finding.path].append(finding)
    return dict(by_path)
