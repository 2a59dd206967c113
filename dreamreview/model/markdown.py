"""What a memory file says: bytes in, lines with roles, notes, links and index entries out, and not a byte lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dreamreview.model import frontmatter as fm
from dreamreview.model.edits import split_lines
from dreamreview.model.index import is_index, pointers_in
from dreamreview.model.links import Span, find_spans, key_links, links_in
from dreamreview.model.memory import Document, Frontmatter, Link, Pointer, Role
from dreamreview.model.notes import Source, make_notes
from dreamreview.model.provenance import is_output
from dreamreview.model.roles import assign_roles

_BOM = "\ufeff"
_DATA_ENDINGS = (
    *(".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".csv", ".tsv", ".log"),
    *(".xml", ".html", ".svg", ".py", ".js", ".ts", ".sh", ".sql", ".lock"),
)
"""Endings of text files that hold data or code: kept and shown, but nothing in them is a note."""
_PREAMBLE = 20
"""Lines of blanks and comments that may stand above frontmatter."""


def parse(path: str, data: bytes) -> Document:
    """Read one file of a store, whatever its bytes.

    ``b"".join(document.lines)`` is `data`. What is not UTF-8, or holds NUL, is opaque: lines, but no notes. Takes time
    linear in the size of the file and raises nothing.
    """
    lines = split_lines(data)
    try:
        texts = [line.rstrip(b"\r\n").decode("utf-8") for line in lines]
    except UnicodeDecodeError:
        return _opaque(path, lines)
    if b"\0" in data:
        return _opaque(path, lines)
    has_bom = bool(texts) and texts[0].startswith(_BOM)
    if has_bom:
        texts[0] = texts[0].removeprefix(_BOM)
    if path.casefold().endswith(_DATA_ENDINGS):
        roles = tuple(Role.CODE if text.strip() else Role.BLANK for text in texts)
        return Document(path, lines, roles, (), (), (), is_output=is_output(path, texts, roles))
    return _read(path, lines, texts, len(_BOM.encode()) if has_bom else 0)


def _opaque(path: str, lines: tuple[bytes, ...]) -> Document:
    roles = tuple(Role.TEXT if line.strip() else Role.BLANK for line in lines)
    warnings = ("not UTF-8 text: kept as it is",)
    return Document(path, lines, roles, (), (), (), is_text=False, is_output=is_output(path, (), ()), warnings=warnings)


def _read(path: str, lines: tuple[bytes, ...], texts: list[str], skip: int) -> Document:
    block, start = _frontmatter(texts)
    roles, warnings = assign_roles(texts, start)
    if block and not start:
        roles[block.first - 1 : block.last] = [Role.FRONTMATTER] * (block.last - block.first + 1)
    if block and block.problem:
        warnings.insert(0, f"frontmatter is not valid YAML, {block.problem}")
    spans = {
        number: found
        for number, text in enumerate(texts)
        if roles[number] in (Role.TEXT, Role.HEADING, Role.MANAGED) and (found := find_spans(text))
    }
    managed = {number: found for number, found in spans.items() if roles[number] is Role.MANAGED}
    open_spans = {number: found for number, found in spans.items() if number not in managed}
    pointers = _pointers(path, texts, open_spans)
    source = Source(path, texts, roles, start, block, pointers)
    return Document(
        path=path,
        lines=lines,
        roles=tuple(roles),
        notes=make_notes(source),
        links=(*(key_links(block, texts) if block else ()), *_links(texts, open_spans, skip)),
        pointers=tuple(pointer for found in pointers.values() for pointer in found),
        frontmatter=block,
        is_output=is_output(path, texts, roles),
        warnings=tuple(warnings),
        managed_links=_links(texts, managed, skip),
    )


def _frontmatter(texts: Sequence[str]) -> tuple[Frontmatter | None, int]:
    """Return the frontmatter and the first line below it; 0 for a block that blanks or comments stand above."""
    top = _first_content(texts)
    found = fm.find_block(texts, top)
    if found is None:
        return None, 0
    block = fm.read(texts, *found)
    start = block.last
    below = next((number for number in range(start, min(start + 3, len(texts))) if texts[number].strip()), len(texts))
    second = fm.find_embedded(texts, below) if below < len(texts) and texts[below].rstrip() == fm.FENCE else None
    if second is not None and top == 0:
        block = fm.merge(block, fm.read(texts, below, second))
        start = second + 1
    return block, start if top == 0 else 0


def _first_content(texts: Sequence[str]) -> int:
    """Return the first line that is neither blank nor a comment."""
    is_comment = False
    for number, text in enumerate(texts[:_PREAMBLE]):
        stripped = text.strip()
        is_comment = is_comment or stripped.startswith("<!--")
        if stripped and not is_comment:
            return number
        if is_comment and "-->" in stripped:
            is_comment = not stripped.endswith("-->")
    return 0


def _pointers(path: str, texts: Sequence[str], spans: Mapping[int, Sequence[Span]]) -> dict[int, tuple[Pointer, ...]]:
    in_index = is_index(path, texts, spans)
    found = ((number + 1, pointers_in(texts[number], number + 1, spans[number], in_index=in_index)) for number in spans)
    return {line: pointers for line, pointers in found if pointers}


def _links(texts: Sequence[str], spans: Mapping[int, Sequence[Span]], skip: int) -> tuple[Link, ...]:
    links: list[Link] = []
    for number, found in spans.items():
        for link in links_in(texts[number], number + 1, found):
            shift = skip if number == 0 else 0
            links.append(
                Link(link.line, link.start + shift, link.stop + shift, link.form, link.target, link.label)
                if shift
                else link
            )
    return tuple(links)
