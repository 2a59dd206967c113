"""Is the index in step with the files: entries that lead nowhere, repeats, files without an entry, its size?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dreamreview.dream.engine import Corpus, Draft, Policy
from dreamreview.dream.evidence import delete_lines, evidence, raw_text, replace_lines
from dreamreview.dream.index_entries import missing_entries
from dreamreview.dream.index_size import shrink, size_of
from dreamreview.dream.link_targets import Names, entries_of, missing_links, turned
from dreamreview.dream.repeats import folded
from dreamreview.model.links import resolve_link
from dreamreview.model.memory import Document, Link, LinkForm, Pointer, Role, Shape
from dreamreview.model.proposal import FileEdit, Kind

_REAL_LINKS = (LinkForm.MARKDOWN, LinkForm.WIKI)


def find(corpus: Corpus, policy: Policy) -> Iterator[Draft]:
    """Yield one draft for each line that leads nowhere or repeats an entry, for each file without one, and for size."""
    index = corpus.index
    if index is None or not index.is_text or index.is_output:
        return
    yield from folded(dangling(corpus, index))
    yield from folded(duplicates(corpus, index))
    yield from missing_entries(corpus, policy, index, size_of(index, policy).most_lines)
    yield from shrink(corpus, policy, index)


def dangling(corpus: Corpus, index: Document) -> Iterator[Draft]:
    """Yield one draft for each line with links to files that are not there: led to the right file, else taken off."""
    by_line: dict[int, list[Link]] = {}
    for link in missing_links(corpus, index):
        by_line.setdefault(link.line, []).append(link)
    names = Names(corpus)
    known = {resolve_link(link, index.path, corpus.files) for link in index.links}
    for line, links in by_line.items():
        found = {link: names.meant(index, link.target) for link in links}
        found = {link: None if path in known and entry_last(index, line) else path for link, path in found.items()}
        yield _dangling(index, line, links, found)


def _dangling(index: Document, line: int, links: Sequence[Link], found: dict[Link, str | None]) -> Draft:
    missing = ", ".join(link.target for link in links if found[link] is None)
    right = ", ".join(path for path in found.values() if path)
    last = None if right else _alone(index, line, links)
    if right and not missing:
        title, reason = f"Entry leads to {right}", f"The file it names is not there; {right} is the one it can mean."
        confidence = 0.85
    else:
        title, confidence = f"Entry without a file: {missing}", 0.9
        what = "The entry goes" if last else "The words stay, the link goes"
        reason = f"There is no file {missing} in this folder, nor one of a like name. {what}."
    edit = delete_lines(index, line, last) if last else replace_lines(index, line, line, (turned(index, found),))
    return _draft(index, [(line, last or line)], edit, title, reason, confidence)


def _alone(index: Document, line: int, links: Sequence[Link]) -> int | None:
    """Return the last line of an entry that names nothing but these links, None if there is more to it."""
    last = entry_last(index, line)
    forms = {*_REAL_LINKS, *(link.form for link in links)}
    others = {link for link in index.links if link.line == line and link.form in forms} - set(links)
    return last if last and not others else None


def entry_last(index: Document, line: int) -> int | None:
    """Return the last line of the list item or table row by which a line points to a file; None if it is none."""
    if index.roles[line - 1] is not Role.TEXT or not any(pointer.line == line for pointer in index.pointers):
        return None
    if not re.match(rb"[ \t]*(?:[-*+]|\d+[.)]|\|)[ \t]|[ \t]*\[", index.lines[line - 1]):
        return None
    last = max((note.last for note in index.notes if note.first == line and note.shape is Shape.POINTER), default=line)
    is_shared = any(line < pointer.line <= last for pointer in index.pointers)
    return line if is_shared or not _is_bare(index, line + 1, last) else last


def _is_bare(index: Document, first: int, last: int) -> bool:
    """Tell whether lines below an entry are short of anything that should not go with it."""
    return not any(re.match(rb"[ \t]*[-*+][ \t]", index.lines[line - 1]) for line in range(first, last + 1))


def duplicates(corpus: Corpus, index: Document) -> Iterator[Draft]:
    """Yield one draft for each entry whose file already has an entry further up; both are shown."""
    first: dict[tuple[str, str], int] = {}
    for pointer, path in entries_of(corpus, index).items():
        if path is None or _is_spoken_of(index, pointer):
            continue
        key = (path, _anchor(index, pointer.line, pointer.target))
        earlier = first.setdefault(key, pointer.line)
        links = [link for link in index.links if link.line == pointer.line and link.target == pointer.target]
        last = _alone(index, pointer.line, links)
        if earlier == pointer.line or last is None:
            continue
        hooks = {other.hook for other in index.pointers if other.line == earlier}
        differs = pointer.hook and pointer.hook not in hooks
        said = f" It says “{pointer.hook}”, which the other does not." if differs else ""
        yield _draft(
            index,
            [(earlier, earlier), (pointer.line, last)],
            delete_lines(index, pointer.line, last),
            f"Second entry of {path}",
            f"Line {earlier} points to {path} already; this one repeats it.{said}",
            0.8 if differs else 0.95,
        )


def _is_spoken_of(index: Document, pointer: Pointer) -> bool:
    """Tell whether a line says something of a file in a sentence that goes on, rather than leading to it."""
    link = next((link for link in index.links if (link.line, link.target) == (pointer.line, pointer.target)), None)
    if link is None or link.form in _REAL_LINKS:
        return False
    behind = index.lines[pointer.line - 1][link.stop :].decode("utf-8", "replace")
    return re.match(r"[`\"')\]]*[ \t]+\w", behind) is not None


def _anchor(index: Document, line: int, target: str) -> str:
    """Return the anchor that a target has on its line: two anchors in one file are two entries."""
    match = re.search(re.escape(target) + r"(#[^\s)\]|]+)", index.line_text(line))
    return match[1] if match else ""


def _draft(
    index: Document, spans: Sequence[tuple[int, int]], edit: FileEdit, title: str, reason: str, confidence: float
) -> Draft:
    return Draft(
        kind=Kind.INDEX,
        phase="index",
        title=title,
        reason=reason,
        confidence=confidence,
        evidence=tuple(evidence(index, first, last) for first, last in spans),
        texts=tuple(raw_text(index, first, last) for first, last in spans),
        edits=(edit,),
        detector="index_lines",
    )
