"""How the lines of a file group into headings, list items, paragraphs, table rows and entries."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from dreamreview.model.lines import (
    Bullet,
    atx_heading,
    bold_title,
    bullet,
    ends_sentence,
    indent_of,
    is_key_value,
    is_labelled,
    is_table_rule,
    is_tag,
)
from dreamreview.model.links import code_spans
from dreamreview.model.memory import Role, Shape
from dreamreview.model.roles import ENTRY_SIGN

MAX_DEPTH = 12
"""Deeper list items become children of the item at this depth; keeps the text of holders bounded."""
BOLD_LEVEL = 7
"""Level of a bold line used as a heading: below every ``#``."""
_WRAP = 50
"""Characters from which a line may have been wrapped by hand."""


@dataclass(slots=True)
class Block:
    """A run of lines that says one thing; lines are 0-based and inclusive."""

    shape: Shape
    first: int
    last: int
    text: str = ""
    """Its own words, without those of the blocks it holds; wrapped lines joined by a blank."""
    level: int = 0
    """Of a heading."""
    parent: int | None = None
    """Index of the list item that holds it."""
    bullet: Bullet | None = None


@dataclass(slots=True)
class _Open:
    """A list item or paragraph that may still grow."""

    index: int
    indent: int
    depth: int
    marker: str = ""


@dataclass(slots=True)
class _Reader:
    texts: Sequence[str]
    roles: Sequence[Role]
    tables: dict[int, bool]
    """Line of a table to whether it is a row that holds data."""
    entries: Collection[int]
    """Lines that are index entries: each stands for itself, whatever is around it."""
    blocks: list[Block] = field(default_factory=list)
    parts: list[list[str]] = field(default_factory=list)
    """The pieces of each block's own text."""
    items: list[_Open] = field(default_factory=list)
    paragraph: list[int] = field(default_factory=list)
    """Lines of the open top-level paragraph."""
    code_holder: int | None = None
    """The block that the open code fence belongs to."""
    is_gap: bool = True
    """Whether a blank line, or anything else that is no text, stands right above."""


def read_blocks(
    texts: Sequence[str], roles: Sequence[Role], start: int, entries: Collection[int] = frozenset()
) -> list[Block]:
    """Return the blocks of a file in order.

    All lines are 0-based: `start` is the first after the frontmatter, `entries` are those that are index entries.
    """
    if _has_entries(texts, roles, start):
        return _entries(texts, roles, start)
    reader = _Reader(texts, roles, _table_lines(texts, roles, start), entries)
    for number in range(start, len(texts)):
        _read_line(reader, number)
    _close_paragraph(reader)
    for block, parts in zip(reader.blocks, reader.parts, strict=True):
        block.text = "".join(parts).strip()
    for block in reversed(reader.blocks):
        if block.parent is not None:
            holder = reader.blocks[block.parent]
            holder.last = max(holder.last, block.last)
    return reader.blocks


def _has_entries(texts: Sequence[str], roles: Sequence[Role], start: int) -> bool:
    body = range(start, len(texts))
    signs = sum(1 for number in body if roles[number] is Role.RULE and texts[number].strip() == ENTRY_SIGN)
    return signs > 0 and signs >= sum(1 for number in body if roles[number] is Role.HEADING)


def _entries(texts: Sequence[str], roles: Sequence[Role], start: int) -> list[Block]:
    blocks: list[Block] = []
    lines: list[int] = []
    for number in range(start, len(texts) + 1):
        is_end = number == len(texts) or (roles[number] is Role.RULE and texts[number].strip() == ENTRY_SIGN)
        if is_end:
            if lines:
                text = "\n".join(texts[line].strip() for line in lines)
                blocks.append(Block(Shape.ENTRY, lines[0], lines[-1], text))
            lines = []
        elif roles[number] in (Role.TEXT, Role.HEADING, Role.CODE) and texts[number].strip():
            lines.append(number)
    return blocks


def _table_lines(texts: Sequence[str], roles: Sequence[Role], start: int) -> dict[int, bool]:
    lines: dict[int, bool] = {}
    number = start
    while number < len(texts):
        if not _starts_table(texts, roles, number):
            number += 1
            continue
        first = number
        while number < len(texts) and roles[number] is Role.TEXT and "|" in texts[number]:
            lines[number] = not is_table_rule(texts[number])
            if not lines[number] and number > first:
                lines[number - 1] = False
            number += 1
    return lines


def _starts_table(texts: Sequence[str], roles: Sequence[Role], number: int) -> bool:
    if roles[number] is not Role.TEXT or "|" not in texts[number]:
        return False
    stripped = texts[number].strip()
    if stripped.startswith("|") and stripped.endswith("|") and len(stripped) > 2:
        return True
    below = number + 1
    return below < len(texts) and roles[below] is Role.TEXT and is_table_rule(texts[below])


def split_cells(text: str) -> list[str]:
    """Return the cells of a table row; a pipe in a code span or after a backslash parts nothing."""
    stripped = text.strip()
    code = iter(code_spans(stripped))
    span = next(code, None)
    cells: list[str] = []
    start = place = 0
    while (place := stripped.find("|", place)) >= 0:
        while span and span[1] <= place:
            span = next(code, None)
        if not (span and span[0] <= place) and stripped[place - 1 : place] != "\\":
            cells.append(stripped[start:place].strip())
            start = place + 1
        place += 1
    cells.append(stripped[start:].strip())
    if len(cells) > 1 and not cells[0]:
        cells = cells[1:]
    return cells[:-1] if len(cells) > 1 and not cells[-1] else cells


def _read_line(reader: _Reader, number: int) -> None:
    role = reader.roles[number]
    if role is Role.TEXT:
        _read_text(reader, number)
        return
    if role is Role.CODE:
        _read_code(reader, number)
        return
    _close_paragraph(reader)
    if role is Role.HEADING:
        _read_heading(reader, number)
    if role in (Role.HEADING, Role.RULE):
        reader.items.clear()
    reader.is_gap = True


def _read_heading(reader: _Reader, number: int) -> None:
    text = reader.texts[number]
    if not text.strip().strip("="):
        if reader.blocks and reader.blocks[-1].last == number - 1:
            reader.blocks[-1].last = number
        return
    found = atx_heading(text)
    title = bold_title(text)
    level = found[0] if found else 1
    if not found and title is not None and not _is_underlined(reader, number):
        level = BOLD_LEVEL
    words = found[1] if found else title or text.strip()
    _add(reader, Block(Shape.SECTION, number, number, level=level), words)


def _is_underlined(reader: _Reader, number: int) -> bool:
    below = number + 1
    return (
        below < len(reader.texts) and reader.roles[below] is Role.HEADING and not reader.texts[below].strip().strip("=")
    )


def _add(reader: _Reader, block: Block, text: str) -> int:
    reader.blocks.append(block)
    reader.parts.append([text])
    return len(reader.blocks) - 1


def _read_text(reader: _Reader, number: int) -> None:
    text = reader.texts[number]
    if is_tag(text):
        _close_paragraph(reader)
        reader.is_gap = True
        return
    mark = bullet(text)
    if number in reader.tables:
        _read_row(reader, number)
    elif mark and not (not reader.is_gap and _is_wrapped(reader, number, mark)):
        _read_bullet(reader, number, mark)
    elif number in reader.entries:
        _close_paragraph(reader)
        reader.items.clear()
        reader.paragraph.append(number)
        _close_paragraph(reader)
    elif reader.items and _continues_item(reader, number):
        _grow(reader, number, "\n" if reader.is_gap else " ")
    else:
        reader.items.clear()
        if reader.paragraph and _starts_anew(reader, text):
            _close_paragraph(reader)
        reader.paragraph.append(number)
    reader.is_gap = False


def _starts_anew(reader: _Reader, text: str) -> bool:
    above = reader.texts[reader.paragraph[-1]]
    is_quote = text.lstrip().startswith(">")
    return is_labelled(text) or is_quote != above.lstrip().startswith(">")


def _continues_item(reader: _Reader, number: int) -> bool:
    """Tell whether a line that starts no item goes on with an open one; closes the items that it leaves."""
    if not reader.is_gap:
        return True
    _leave_items(reader, indent_of(reader.texts[number]))
    return bool(reader.items)


def _leave_items(reader: _Reader, indent: int) -> None:
    while reader.items and reader.items[-1].indent >= indent:
        reader.items.pop()


def _grow(reader: _Reader, number: int, gap: str) -> None:
    item = reader.items[-1]
    reader.blocks[item.index].last = number
    reader.parts[item.index].append(gap + reader.texts[number].strip())


def _read_bullet(reader: _Reader, number: int, mark: Bullet) -> None:
    _close_paragraph(reader)
    while reader.items and mark.indent < reader.items[-1].indent + 2:
        reader.items.pop()
    while reader.items and reader.items[-1].depth >= MAX_DEPTH:
        reader.items.pop()
    parent = reader.items[-1] if reader.items else None
    block = Block(Shape.BULLET, number, number, parent=parent.index if parent else None, bullet=mark)
    index = _add(reader, block, reader.texts[number][mark.start :].strip())
    reader.items.append(_Open(index, mark.indent, parent.depth + 1 if parent else 1, mark.marker))


def _is_wrapped(reader: _Reader, number: int, mark: Bullet) -> bool:
    """Tell whether a line that looks like a list item is the second half of a sentence wrapped by hand."""
    above = reader.texts[number - 1]
    item = reader.items[-1] if reader.items else None
    in_list = item is not None and item.marker == mark.marker
    if in_list or mark.indent >= 2 or ends_sentence(above) or above.rstrip().endswith((":", "：")):
        return False
    if mark.number is not None:
        return mark.number > 1
    below = reader.texts[number + 1] if number + 1 < len(reader.texts) else ""
    next_mark = bullet(below)
    if next_mark is not None and next_mark.marker == mark.marker:
        return False
    starts_small = reader.texts[number][mark.start : mark.start + 1].islower()
    if mark.marker == "+":
        return starts_small
    return mark.marker in "-*" and starts_small and len(above.strip()) >= _WRAP and item is None


def _read_row(reader: _Reader, number: int) -> None:
    _close_paragraph(reader)
    indent = indent_of(reader.texts[number])
    if reader.is_gap or indent == 0:
        _leave_items(reader, indent)
    if reader.tables[number]:
        cells = split_cells(reader.texts[number])
        parent = reader.items[-1].index if reader.items else None
        if any(cells):
            _add(reader, Block(Shape.ROW, number, number, parent=parent), " | ".join(cells))
    elif reader.items:
        reader.blocks[reader.items[-1].index].last = number


def _read_code(reader: _Reader, number: int) -> None:
    """Give a code fence to the list item or paragraph that leads into it."""
    text = reader.texts[number]
    if number == 0 or reader.roles[number - 1] is not Role.CODE:
        _close_paragraph(reader)
        if reader.is_gap:
            _leave_items(reader, indent_of(text))
        reader.code_holder = _holder_of_code(reader, number)
    if reader.code_holder is not None:
        if text.strip():
            reader.blocks[reader.code_holder].last = number
        reader.parts[reader.code_holder].append("\n" + text.strip())
    reader.is_gap = True


def _holder_of_code(reader: _Reader, number: int) -> int | None:
    if reader.items:
        return reader.items[-1].index
    if not reader.blocks or reader.blocks[-1].shape is not Shape.PARAGRAPH:
        return None
    above = reader.blocks[-1].last
    is_led = above == number - 1 or reader.texts[above].rstrip(" *_").endswith((":", "："))
    is_near = all(not reader.texts[line].strip() for line in range(above + 1, number))
    return len(reader.blocks) - 1 if is_led and is_near else None


def _close_paragraph(reader: _Reader) -> None:
    lines, reader.paragraph = reader.paragraph, []
    if not lines:
        return
    texts = [_unquoted(reader.texts[line]) for line in lines]
    is_list = len(lines) > 1 and not is_labelled(texts[0]) and all(_stands_alone(text) for text in texts)
    if is_list and not any(_runs_on(*pair) for pair in pairwise(texts)):
        for line, text in zip(lines, texts, strict=True):
            _add(reader, Block(Shape.PARAGRAPH, line, line), text)
        return
    _add(reader, Block(Shape.PARAGRAPH, lines[0], lines[-1]), " ".join(texts))


def _unquoted(text: str) -> str:
    return text.strip().lstrip("> ").strip() if text.lstrip().startswith(">") else text.strip()


def _stands_alone(text: str) -> bool:
    """Tell whether a line of a paragraph is a fact for itself: a sentence, or a ``Key: value``."""
    return ends_sentence(text) or is_key_value(text) or text.startswith("|")


def _runs_on(text: str, below: str) -> bool:
    """Tell whether a line that no sentence ends is wrapped, whatever colon it holds."""
    if ends_sentence(text):
        return False
    return text.endswith((",", "，", "、")) or (below[:1].islower() and not is_key_value(below))
