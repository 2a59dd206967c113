"""Does an agent still read all of the index, and what would make it fit without losing an entry?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dreamreview.dream.engine import Corpus, Draft, Measure, Policy
from dreamreview.dream.evidence import create_file, evidence, raw_text, replace_lines
from dreamreview.dream.index_entries import HOOK_LENGTH, shortened
from dreamreview.dream.link_targets import entries_of
from dreamreview.model.edits import close, terminator_of
from dreamreview.model.links import slug
from dreamreview.model.memory import Document, Note, Pointer, Role, Shape
from dreamreview.model.proposal import Evidence, FileEdit, Kind

_STATED = re.compile(
    r"(?i)\b(?:at most|under|below|max(?:imum)?(?: of)?|no more than|up to|limit(?:ed)?(?: to| of|:)?|höchstens|不超过"
    r"|最多)\s*(?P<n>\d{2,4})\s*(?:lines|zeilen|行)"
)
_LEAST_MOVED = 400
"""Bytes below which a section is not worth a file of its own."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much of an index there is, and how much of it is read."""

    lines: int
    bytes: int
    most_lines: int
    """Lines that are read: the policy's, or fewer where the index states a limit of its own."""
    most_bytes: int
    over: tuple[int, ...]
    """Lines (1-based) past what is read."""

    @property
    def is_over(self) -> bool:
        """Tell whether something is not read."""
        return bool(self.over)


def size_of(index: Document, policy: Policy) -> Size:
    """Measure an index against both limits, lines and bytes."""
    most = policy.index_lines
    for line, role in enumerate(index.roles, start=1):
        if role in (Role.TEXT, Role.COMMENT) and (stated := _STATED.search(index.line_text(line))):
            most = min(most, int(stated["n"]))
    over: list[int] = []
    reach = 0
    for line, text in enumerate(index.lines, start=1):
        reach += len(text)
        if line > most or reach > policy.index_bytes:
            over.append(line)
    return Size(len(index.lines), reach, most, policy.index_bytes, tuple(over))


def shrink(corpus: Corpus, policy: Policy, index: Document) -> Iterator[Draft]:
    """Yield what makes an index fit: long hooks shortened first, then sections moved into files of their own.

    Nothing is dropped; entries are never cut from the end.
    """
    size = size_of(index, policy)
    if not size.is_over:
        return
    surplus_bytes = size.bytes - size.most_bytes
    surplus_lines = size.lines - size.most_lines
    hooks = _long_hooks(corpus, index, surplus_bytes) if surplus_bytes > 0 else []
    if hooks:
        surplus_bytes -= sum(len(edit.old[0]) - len(edit.new[0]) for edit in hooks)
        yield _hooks_draft(index, hooks, size)
    touched = {edit.start + 1 for edit in hooks}
    for section in _movable(index, touched):
        if surplus_bytes <= 0 and surplus_lines <= 0:
            return
        lines = index.lines[section.first : section.last]
        surplus_bytes -= sum(len(line) for line in lines) - 80
        surplus_lines -= len(lines) - 1
        yield _move_draft(corpus, index, section, size)


def _over(size: Size) -> str:
    parts = []
    if size.lines > size.most_lines:
        parts.append(f"{size.lines} lines of {size.most_lines}")
    if size.bytes > size.most_bytes:
        parts.append(f"{size.bytes:,} bytes of {size.most_bytes:,}")
    return f"The index has {' and '.join(parts)} that are read; {len(size.over)} lines at its end are not."


def _long_hooks(corpus: Corpus, index: Document, surplus: int) -> list[FileEdit]:
    """Shorten the longest hooks until the surplus is gone, never below a file's own description."""
    edits: list[FileEdit] = []
    targets = entries_of(corpus, index)
    for pointer in sorted(index.pointers, key=lambda one: (-len(one.hook), one.line)):
        if surplus <= 0 or len(pointer.hook) <= HOOK_LENGTH // 2:
            break
        edit = _shorter(index, pointer, corpus.documents.get(targets[pointer] or ""))
        if edit is not None and all(edit.start != other.start for other in edits):
            surplus -= len(edit.old[0]) - len(edit.new[0])
            edits.append(edit)
    return sorted(edits, key=lambda edit: edit.start)


def _shorter(index: Document, pointer: Pointer, target: Document | None) -> FileEdit | None:
    said = (target.frontmatter.get("description") or "") if target and target.frontmatter else ""
    limit = HOOK_LENGTH if len(pointer.hook) > HOOK_LENGTH else HOOK_LENGTH // 2
    hook = said if said and len(said) <= limit and "|" not in said else shortened(pointer.hook, limit)
    old, new = pointer.hook.encode("utf-8", "surrogateescape"), hook.encode("utf-8", "surrogateescape")
    raw = index.lines[pointer.line - 1]
    at = raw.rfind(old)
    if at < 0 or len(new) >= len(old):
        return None
    return replace_lines(index, pointer.line, pointer.line, (raw[:at] + new + raw[at + len(old) :],))


def _hooks_draft(index: Document, edits: list[FileEdit], size: Size) -> Draft:
    lines = [edit.start + 1 for edit in edits]
    saved = sum(len(edit.old[0]) - len(edit.new[0]) for edit in edits)
    return _draft(
        [evidence(index, line, line) for line in lines],
        [raw_text(index, line, line) for line in lines],
        edits,
        f"Shorten {len(edits)} long hook{'s' if len(edits) > 1 else ''} of the index",
        f"{_over(size)} Shorter hooks save {saved:,} bytes; every entry stays. "
        "Make sure that the files say what their hooks no longer do.",
        ("elision",),
        size,
    )


def _movable(index: Document, touched: set[int]) -> list[Note]:
    """Return sections that hold facts and no entries, the largest first; none with a pinned note or another edit."""
    busy = touched | {pointer.line for pointer in index.pointers}
    sections = []
    for note in index.notes:
        if note.shape is not Shape.SECTION or note.pinned or index.roles[note.first - 1] is not Role.HEADING:
            continue
        body = range(note.first + 1, note.last + 1)
        inner = [
            other for other in index.notes if other.shape is Shape.SECTION and note.first < other.first <= note.last
        ]
        size = sum(len(index.lines[line - 1]) for line in body)
        if not inner and size >= _LEAST_MOVED and not busy & set(body) and _is_plain(index, body):
            sections.append((size, note))
    return [note for _, note in sorted(sections, key=lambda one: (-one[0], one[1].first))]


def _is_plain(index: Document, body: range) -> bool:
    """Tell whether lines can be moved: no program writes them, and no link in them would lead elsewhere."""
    kept = {Role.TEXT, Role.BLANK}
    return all(index.roles[line - 1] in kept for line in body) and not any(link.line in body for link in index.links)


def _move_draft(corpus: Corpus, index: Document, section: Note, size: Size) -> Draft:
    heading = index.lines[section.first - 1]
    title = index.line_text(section.first).strip("# ").strip()
    name = _free_name(corpus, title)
    body = index.lines[section.first : section.last]
    end = terminator_of(index.lines)
    entry = close(f"- [{re.sub(r'[]|[]', '', title)}]({name}) — {_count(index, section)}".encode(), end)
    moved = (close(b"# " + heading.lstrip(b"# \t"), end), *((end,) if body[0].strip() else ()), *body)
    edits = [create_file(name, moved), replace_lines(index, section.first + 1, section.last, (entry,))]
    return _draft(
        [evidence(index, section.first, section.last)],
        [raw_text(index, section.first, section.last)],
        edits,
        f"Move “{title}” out of the index",
        f"{_over(size)} This section holds facts of {sum(map(len, body)):,} bytes and no entries; "
        f"it moves word for word to {name}, and an entry stays.",
        ("move",),
        size,
    )


def _count(index: Document, section: Note) -> str:
    notes = [note for note in index.notes if section.first < note.first <= section.last]
    return "1 note" if len(notes) == 1 else f"{len(notes)} notes"


def _free_name(corpus: Corpus, title: str) -> str:
    stem = slug(title)[:60].strip("-") or "notes"
    number = 1
    taken = {path.casefold() for path in corpus.files}
    while (name := f"{stem}{'' if number == 1 else f'-{number}'}.md").casefold() in taken:
        number += 1
    return name


def _draft(
    shown: list[Evidence],
    texts: list[str],
    edits: list[FileEdit],
    title: str,
    reason: str,
    flags: tuple[str, ...],
    size: Size,
) -> Draft:
    return Draft(
        kind=Kind.INDEX,
        phase="index",
        title=title,
        reason=reason,
        confidence=0.6,
        evidence=tuple(shown),
        texts=tuple(texts),
        edits=tuple(edits),
        flags=flags,
        detector="index_lines",
        measures=(
            Measure("lines of the index", size.lines, size.most_lines, "more than"),
            Measure("bytes of the index", size.bytes, size.most_bytes, "more than"),
        ),
    )
