"""What has to change in other files when a file of the store goes, so that nothing points to it any more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from posixpath import basename, dirname, relpath, splitext
from typing import TYPE_CHECKING

from dreamreview.dream.evidence import delete_lines, replace_lines
from dreamreview.dream.link_targets import entries_of
from dreamreview.model.links import resolve_link
from dreamreview.model.memory import Document, Link, LinkForm, Role, Shape

if TYPE_CHECKING:
    from dreamreview.dream.engine import Corpus
    from dreamreview.model.proposal import FileEdit

_ENTRY = re.compile(rb"[ \t]*(?:[-*+]|\d+[.)]|\|)[ \t]")


class References:
    """Who points to whom in a store, read once."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def dropped(self, path: str, successor: str | None = None) -> Iterator[FileEdit]:
        """Yield the edits that take away or turn round what points to a file: at most one a line.

        An index entry of the file goes, or points to the successor where that has no entry yet. With a successor every
        form of reference follows, names in code spans and plain text too. Without one a link becomes its label, a
        frontmatter key that named the file goes, and names in code spans and plain text stay as they are.
        """
        for document, links in self._inbound.get(path, ()):
            yield from _in_document(self._corpus, document, links, path, successor)

    @cached_property
    def _inbound(self) -> Mapping[str, list[tuple[Document, list[Link]]]]:
        """Map each file to the documents that refer to it, with the links by which they do."""
        found: dict[str, list[tuple[Document, list[Link]]]] = {}
        for document in self._corpus.documents.values():
            if not document.is_text or document.is_output:
                continue
            own: dict[str, list[Link]] = {}
            for link in document.links:
                target = resolve_link(link, document.path, self._corpus.files)
                if target is not None and target != document.path:
                    own.setdefault(target, []).append(link)
            for target, links in own.items():
                found.setdefault(target, []).append((document, links))
        return found


def _in_document(
    corpus: Corpus, document: Document, links: list[Link], path: str, successor: str | None
) -> Iterator[FileEdit]:
    by_line: dict[int, list[Link]] = {}
    for link in links:
        by_line.setdefault(link.line, []).append(link)
    entries = {pointer.line: target for pointer, target in entries_of(corpus, document).items()}
    has_entry = successor in entries.values()
    gone = range(0)
    for line in sorted(by_line):
        if line in gone:
            continue
        if _is_entry_alone(document, line, path, corpus) and entries.get(line) == path:
            if successor is None or has_entry:
                last = _last_line(document, line)
                gone = range(line, last + 1)
                yield delete_lines(document, line, last)
                continue
            has_entry = True
        edit = _turned(document, line, by_line[line], path, successor)
        if edit is not None:
            yield edit


def _is_entry_alone(document: Document, line: int, path: str, corpus: Corpus) -> bool:
    """Tell whether a list or table line points to nothing but the file."""
    if document.roles[line - 1] is not Role.TEXT or not _ENTRY.match(document.lines[line - 1]):
        return False
    pointers = [pointer for pointer in document.pointers if pointer.line == line]
    others = [
        link
        for link in document.links
        if link.line == line
        and link.form in (LinkForm.MARKDOWN, LinkForm.WIKI)
        and resolve_link(link, document.path, corpus.files) != path
    ]
    return bool(pointers) and not others


def _last_line(document: Document, line: int) -> int:
    """Return the last line of the index entry that begins on a line, if it has its continuation to itself."""
    lasts = [note.last for note in document.notes if note.first == line and note.shape is Shape.POINTER]
    last = max(lasts, default=line)
    is_shared = any(line < pointer.line <= last for pointer in document.pointers)
    return line if is_shared else last


def _turned(document: Document, line: int, links: list[Link], path: str, successor: str | None) -> FileEdit | None:
    """Return the edit that makes a line's links name the successor or nothing at all."""
    raw = new = document.lines[line - 1]
    for link in sorted(links, key=lambda link: link.start, reverse=True):
        shown = raw[link.start : link.stop]
        instead = _instead(document, link, shown, path, successor)
        if instead is None and link.form is LinkForm.KEY:
            alone = re.fullmatch(
                rb"[ \t]*(?:-|[\w.]+:)[ \t]*[\"'\[]*" + re.escape(shown) + rb"[\"'\]]*[ \t]*\r?\n?", raw
            )
            if alone:
                return delete_lines(document, line, line)
        elif instead is not None:
            new = new[: link.start] + instead + new[link.stop :]
    return None if new == raw else replace_lines(document, line, line, (new,))


def _instead(document: Document, link: Link, shown: bytes, path: str, successor: str | None) -> bytes | None:
    """Return what stands in place of a link, None to leave it."""
    if successor is None or successor == document.path:
        has_label = link.form in (LinkForm.MARKDOWN, LinkForm.WIKI)
        return link.label.encode("utf-8", "surrogateescape") if has_label else None
    target = link.target.encode("utf-8", "surrogateescape")
    at = shown.find(target) if link.form is LinkForm.WIKI else shown.rfind(target)
    named = _spelled(link.target, document.path, path, successor).encode("utf-8", "surrogateescape")
    return shown[:at] + named + shown[at + len(target) :] if at >= 0 else None


def _spelled(target: str, source: str, path: str, successor: str) -> str:
    """Spell the successor as the file was spelled: with or without its folders, its ending, hyphens for underscores."""
    if "/" not in target:
        is_beside = dirname(successor) == dirname(path)
        name = basename(successor) if is_beside else relpath(successor, dirname(source) or ".")
    elif target == path:
        name = successor
    else:
        name = relpath(successor, dirname(source) or ".")
    if splitext(target)[1].casefold() == splitext(path)[1].casefold():
        return name
    stem, name = splitext(basename(path))[0], splitext(name)[0]
    return name.replace("_", "-") if "_" in stem and "-" in target and "_" not in target else name
