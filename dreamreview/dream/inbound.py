"""What refers to a file that goes away, and the edits that point those references elsewhere or take them out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from posixpath import basename, dirname, relpath, splitext

from dreamreview.dream.engine import Corpus
from dreamreview.dream.evidence import delete_lines, replace_lines
from dreamreview.model.links import resolve_link
from dreamreview.model.memory import Document, Link, LinkForm
from dreamreview.model.proposal import FileEdit


def retarget(corpus: Corpus, gone: str, to: str | None) -> tuple[FileEdit, ...]:
    """Return the edits that keep every reference to a file right when it is merged into `to`, or deleted (None).

    Index lines of the file are taken out where `to` has a line of its own in the same index, else they point to `to`.
    With `to` None an index line is deleted, a link keeps its words, and a graph key loses the name.
    """
    edits: list[FileEdit] = []
    for document in corpus.documents.values():
        if document.path == gone or not document.is_text or document.is_output:
            continue
        lines: dict[int, list[Link]] = defaultdict(list)
        for link in document.links:
            if resolve_link(link, document.path, corpus.files) == gone:
                lines[link.line].append(link)
        doomed = _index_lines(document, corpus, gone, to)
        for line in sorted(lines.keys() | doomed):
            if line in doomed:
                edits.append(delete_lines(document, line, line))
            else:
                edits.append(_rewritten(document, line, lines[line], gone, to))
    return tuple(edits)


def _index_lines(document: Document, corpus: Corpus, gone: str, to: str | None) -> set[int]:
    """Return the index lines that say nothing any more once a file is gone."""
    targets: Mapping[int, set[str | None]] = defaultdict(set)
    for link in document.links:
        targets[link.line].add(resolve_link(link, document.path, corpus.files))
    lines = {pointer.line for pointer in document.pointers}
    own = {line for line in lines if gone in targets[line]}
    has_other = to is None or any(to in targets[line] for line in lines)
    return {line for line in own if has_other and targets[line] <= {gone, to}}


def _rewritten(document: Document, line: int, links: Iterable[Link], gone: str, to: str | None) -> FileEdit:
    data = document.lines[line - 1]
    for link in sorted(links, key=lambda link: -link.start):
        whole = data[link.start : link.stop].decode("utf-8", "surrogateescape")
        new = _without(whole, link) if to is None else _with(whole, link, document.path, gone, to)
        data = data[: link.start] + new.encode("utf-8", "surrogateescape") + data[link.stop :]
    return replace_lines(document, line, line, (data,))


def _with(whole: str, link: Link, source: str, gone: str, to: str) -> str:
    """Return a reference in its own form with another target; anchor, alias and title stay."""
    target = _spelled(link.target, source, gone, to)
    head, found, tail = whole.rpartition(link.target)
    if link.form is LinkForm.WIKI:
        head, found, tail = whole.partition(link.target)
    return f"{head}{target}{tail}" if found else whole


def _spelled(target: str, source: str, gone: str, to: str) -> str:
    has_ending = splitext(target)[1].casefold() == splitext(gone)[1].casefold()
    if "/" not in target:
        name = basename(to) if dirname(to) == dirname(gone) else relpath(to, dirname(source) or ".")
    elif target == gone:
        name = to
    else:
        name = relpath(to, dirname(source) or ".")
    if has_ending:
        return name
    return _in_style(splitext(name)[0], target, splitext(basename(gone))[0])


def _in_style(name: str, target: str, stem: str) -> str:
    """Spell a name as the old one was spelled: with hyphens for underscores where that was so."""
    if "_" in stem and "-" in target and "_" not in target:
        return name.replace("_", "-")
    return name


def _without(whole: str, link: Link) -> str:
    if link.form is LinkForm.KEY:
        return ""
    label = link.label or link.target
    return re.sub(r"[\[\]]", "", label) if link.form in (LinkForm.MARKDOWN, LinkForm.WIKI) else whole
