"""What a link that leads nowhere was meant to lead to, and how a line reads with its links turned or taken off."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from posixpath import dirname, normpath, relpath
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from dreamreview.model.links import NOTE_ENDINGS, is_outside, resolve_link, slug
from dreamreview.model.memory import Document, Link, LinkForm, Pointer

if TYPE_CHECKING:
    from dreamreview.dream.engine import Corpus

_USUAL = 2
"""Entries by bare file name from which an index is one of bare file names."""


def is_dangling(corpus: Corpus, document: Document, link: Link) -> bool:
    """Tell whether a markdown link names a note of the store that is not there.

    Links that leave the store, links to other kinds of files, and wikilinks, which may run ahead, never dangle.
    """
    if link.form is not LinkForm.MARKDOWN or is_outside(link.target, document.path):
        return False
    is_note = unquote(link.target).casefold().endswith(NOTE_ENDINGS)
    return is_note and resolve_link(link, document.path, corpus.files) is None


def missing_links(corpus: Corpus, document: Document) -> list[Link]:
    """Return the links of a document that lead nowhere, in order.

    A file name in a code span or in plain text counts only as an entry of an index that mostly lists files of the store
    that way; elsewhere it may name anything.
    """
    forms: dict[LinkForm, list[bool]] = {LinkForm.CODE: [], LinkForm.BARE: []}
    named: list[Link] = []
    places = {(pointer.line, pointer.target) for pointer in document.pointers}
    for link in document.links:
        if link.form in forms and (link.line, link.target) in places and "/" not in link.target:
            is_there = resolve_link(link, document.path, corpus.files) is not None
            forms[link.form].append(is_there)
            if not is_there:
                named.append(link)
    usual = {form for form, found in forms.items() if sum(found) >= _USUAL and 2 * sum(found) > len(found)}
    listed = {link for link in named if link.form in usual}
    return [link for link in document.links if link in listed or is_dangling(corpus, document, link)]


def entries_of(corpus: Corpus, document: Document) -> dict[Pointer, str | None]:
    """Map each index entry of a document to the file of the store it points to, None if there is none."""
    links = {(link.line, link.target): link for link in reversed(document.links)}
    found: dict[Pointer, str | None] = {}
    for pointer in document.pointers:
        link = links.get((pointer.line, pointer.target))
        found[pointer] = resolve_link(link, document.path, corpus.files) if link else None
    return found


class Names:
    """The notes of a store by what their names have in common."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def meant(self, document: Document, target: str) -> str | None:
        """Return the one file a missing target can mean: other case, other folder, or other separators in its name."""
        wanted = normpath(f"{dirname(document.path)}/{unquote(target)}".lstrip("/"))
        name = wanted.rpartition("/")[2]
        by_path, by_name, by_slug = self._tables
        for same in (by_path[_folded(wanted)], by_name[_folded(name)], by_slug[slug(_stem(name))]):
            found = [path for path in same if path != document.path]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    @cached_property
    def _tables(self) -> tuple[defaultdict[str, list[str]], ...]:
        by_path, by_name, by_slug = (defaultdict[str, list[str]](list) for _ in range(3))
        for path, document in self._corpus.documents.items():
            if path.casefold().endswith(NOTE_ENDINGS) and not document.is_output:
                by_path[_folded(path)].append(path)
                by_name[_folded(path.rpartition("/")[2])].append(path)
                by_slug[slug(_stem(path))].append(path)
        return by_path, by_name, by_slug


def turned(document: Document, links: Mapping[Link, str | None]) -> bytes:
    """Return the line that all the links stand on, each led to a path of the store, or left as its label for None."""
    line = next(iter(links)).line
    raw = document.lines[line - 1]
    for link in sorted(links, key=lambda each: each.start, reverse=True):
        shown = raw[link.start : link.stop]
        raw = raw[: link.start] + _shown(document, link, shown, links[link]) + raw[link.stop :]
    return raw


def _shown(document: Document, link: Link, shown: bytes, path: str | None) -> bytes:
    if path is None:
        return _encode(link.label)
    name = relpath(path, dirname(document.path) or ".")
    if link.form is LinkForm.MARKDOWN and "%" in link.target:
        name = quote(name, safe="/-_.~")
    target = _encode(link.target)
    at = shown.rfind(target)
    return shown[:at] + _encode(name) + shown[at + len(target) :] if at >= 0 else shown


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]
