"""How a note is pinned and unpinned in its own file: the smallest edit that the engine reads as wished, or why none is.

Each form that is tried is read again before it is taken: nothing but pins may read otherwise than before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum

from dreamreview.errors import DreamReviewError
from dreamreview.model.edits import Edit, Text, compose, render, terminator_of
from dreamreview.model.frontmatter import FENCE
from dreamreview.model.lines import bullet
from dreamreview.model.markdown import parse
from dreamreview.model.memory import Document, Frontmatter, Note, Shape
from dreamreview.model.notes import PIN_MARK

MARK = "[PINNED] "
"""What stands in front of a pinned text. mem0's pin skill."""
KEYS = ("pinned", "metadata.pinned")
"""Frontmatter keys that pin a file. Claude's memory folders and mem0's metadata."""

_SIGNS = (b"pin", "\N{PUSHPIN}".encode())
_BOM = b"\xef\xbb\xbf"
_KEY = re.compile(
    rb"(?P<lead>[ \t]*[\"']?(?:metadata\.)?pinned[\"']?[ \t]*:)(?P<blank>[ \t]*)(?P<quote>[\"']?)"
    rb"(?P<word>true|yes|on|1|false|no|off|0|)(?P=quote)(?P<rest>[ \t]*(?:,|[ \t]#.*)?[ \t]*\r?\n?)\Z",
    re.IGNORECASE | re.DOTALL,
)
_OTHER = {b"true": b"false", b"yes": b"no", b"on": b"off", b"1": b"0"}
_OTHER |= {no: yes for yes, no in _OTHER.items()}
_LEADS = (
    re.compile(r"[ \t]*(?:>[ \t]*)*#{1,6}[ \t]+"),
    re.compile(r"[ \t]*\|[ \t]*"),
    re.compile(r"[ \t]*(?:\*\*|__)"),
    re.compile(r"[ \t]*(?:>[ \t]*)*"),
)
_BOX = re.compile(r"\[[ xX✓✔~/-]\][ \t]+")


class Pin(StrEnum):
    """How much of a note is pinned."""

    NONE = "none"
    PART = "part"
    """Something in it is, itself it is not."""
    WHOLE = "whole"


class UnpinnableError(DreamReviewError):
    """A note cannot be pinned or unpinned as asked; the message says why and what can be."""


def pinned_lines(path: str, text: Text, gone: Iterable[int]) -> list[int]:
    """Return which of some lines belong to a pinned note, 1-based; `gone` counts from 0."""
    document = parse(path, b"".join(text))
    if not document.is_text:
        return []
    spans = [
        range(note.first - 1, note.last)
        for note, pin in zip(document.notes, pins_of(document), strict=True)
        if pin is Pin.WHOLE
    ]
    return [at + 1 for at in sorted(gone) if any(at in span for span in spans)]


def may_hold_pins(text: Text) -> bool:
    """Tell quickly whether a note of a file can be pinned at all: without the word or the sign none is."""
    lowered = b"".join(text).lower()
    return any(sign in lowered for sign in _SIGNS)


def pins_of(document: Document) -> tuple[Pin, ...]:
    """Return how much of each note of a file is pinned: a holder is pinned as a whole if all that it holds is."""
    is_whole = [note.pinned for note in document.notes]
    for index in range(len(is_whole) - 1, -1, -1):
        parent = document.notes[index].parent
        if parent is not None and not is_whole[index]:
            is_whole[parent] = False
    return tuple(
        Pin.WHOLE if whole else Pin.PART if note.pinned else Pin.NONE
        for whole, note in zip(is_whole, document.notes, strict=True)
    )


def pin_of(document: Document, index: int) -> Pin:
    """Return how much of one note is pinned."""
    return pins_of(document)[index]


def inside(document: Document, index: int) -> tuple[int, ...]:
    """Return the places of the notes that a note holds, at any depth."""
    held = {index}
    for place in range(index + 1, len(document.notes)):
        if document.notes[place].parent in held:
            held.add(place)
    return tuple(sorted(held - {index}))


def pin_edit(document: Document, index: int, *, pinned: bool) -> Edit:
    """Return the one edit after which a note reads as pinned, or as not pinned.

    A file is pinned by a key of its frontmatter where it has one, else by a mark before its heading or only text, else
    by frontmatter of its own; anything smaller by a mark before its text. A value that others wrote is turned over,
    never taken out.

    Args:
        document: the file.
        index: place of the note in it.
        pinned: what it is to be.

    Raises:
        UnpinnableError: no form does that and nothing else.
    """
    if not document.is_text or not 0 <= index < len(document.notes):
        raise UnpinnableError(f"{document.path} holds no note to pin there")
    edits = _pins(document, index) if pinned else _unpins(document, index)
    for edit in edits:
        data = render(compose(document.lines, (edit,)), terminator_of(document.lines))
        if reads_as(document, parse(document.path, data), index, pinned=pinned):
            return edit
    raise UnpinnableError(_why(document, index, pinned=pinned))


def reads_as(before: Document, after: Document, index: int, *, pinned: bool) -> bool:
    """Tell whether a note is pinned (or not) in `after`, and all else in the file reads as in `before`."""
    if [_facts(note) for note in before.notes] != [_facts(note) for note in after.notes]:
        return False
    if _links(before) != _links(after) or _is_broken(before.frontmatter) != _is_broken(after.frontmatter):
        return False
    own = {index, *inside(before, index), *_above(before, index)}
    others = (place for place in range(len(before.notes)) if place not in own)
    if any(before.notes[place].pinned != after.notes[place].pinned for place in others):
        return False
    return (pin_of(after, index) is Pin.WHOLE) is pinned


def _facts(note: Note) -> tuple[object, ...]:
    text = "" if note.shape in (Shape.FILE, Shape.SECTION) else note.text
    return note.shape, note.parent, note.title, text, note.type, note.date, note.confidence, note.tags, note.label


def _links(document: Document) -> tuple[object, ...]:
    links = [(link.form, link.target, link.label) for link in (*document.links, *document.managed_links)]
    return links, [(pointer.target, pointer.label, pointer.hook) for pointer in document.pointers]


def _is_broken(block: Frontmatter | None) -> bool:
    return block is not None and block.problem is not None


def _above(document: Document, index: int) -> Iterator[int]:
    parent = document.notes[index].parent
    while parent is not None:
        yield parent
        parent = document.notes[parent].parent


# --- pinning -----------------------------------------------------------------------------------------


def _pins(document: Document, index: int) -> Iterator[Edit]:
    note, block = document.notes[index], document.frontmatter
    if note.shape is Shape.POINTER:
        return
    if note.shape is not Shape.FILE:
        yield from _marked(document, note)
    elif block is not None:
        yield from _turned(document, block, to=True)
        yield from _keyed(document, block)
    else:
        if len(document.notes) > 1:
            yield from _marked(document, document.notes[1])
        yield from _headed(document)


def _turned(document: Document, block: Frontmatter, *, to: bool) -> Iterator[Edit]:
    """Yield the edit that turns the values of the keys over."""
    places = sorted(block.lines[key] - 1 for key in KEYS if key in block.lines)
    turned = {place: new for place in places if (new := _turn(document.lines[place], to=to)) is not None}
    if turned:
        first, stop = min(turned), max(turned) + 1
        lines = (turned.get(place, document.lines[place]) for place in range(first, stop))
        yield Edit(first, stop, tuple(lines))


def _turn(line: bytes, *, to: bool) -> bytes | None:
    """Return a line of a key with its value turned over; None where it reads so already, or is no such line."""
    match = _KEY.match(line)
    if match is None:
        return None
    word = match["word"]
    is_true = word.lower() in (b"true", b"yes", b"on", b"1")
    if is_true is to:
        return None
    if not word:
        return match["lead"] + (match["blank"] or b" ") + b"true" + match["rest"]
    other = _OTHER[word.lower()]
    other = other.upper() if word.isupper() else other.title() if word.istitle() else other
    return match["lead"] + match["blank"] + match["quote"] + other + match["quote"] + match["rest"]


def _keyed(document: Document, block: Frontmatter) -> Iterator[Edit]:
    """Yield the edits that add the key: at the end of the block, else at its start."""
    opening, closing = block.first - 1, block.last - 1
    first = document.lines[opening]
    end = first[len(first.rstrip(b"\r\n")) :] or terminator_of(document.lines)
    inner = next((line.strip() for line in document.lines[opening + 1 : closing] if line.strip()), b"")
    if inner == b"{":
        yield Edit(opening + 2, opening + 2, (b'  "pinned": true,' + end,))
        return
    yield Edit(closing, closing, (b"pinned: true" + end,))
    yield Edit(opening + 1, opening + 1, (b"pinned: true" + end,))


def _headed(document: Document) -> Iterator[Edit]:
    """Yield the edits that put frontmatter on top, behind a byte order mark, with a blank line where one is needed."""
    end = terminator_of(document.lines)
    fence = FENCE.encode()
    block: Text = (fence + end, b"pinned: true" + end, fence + end)
    for lines in (block, (*block, end)):
        if document.lines and document.lines[0].startswith(_BOM):
            yield Edit(0, 1, (_BOM + lines[0], *lines[1:], document.lines[0].removeprefix(_BOM)))
        else:
            yield Edit(0, 0, lines)


def _marked(document: Document, note: Note) -> Iterator[Edit]:
    """Yield the edits that put the mark where the text of a note starts."""
    raw = document.lines[note.first - 1]
    text = raw.decode("utf-8")
    for place in dict.fromkeys(_starts(text)):
        yield Edit(note.first - 1, note.first, ((text[:place] + MARK + text[place:]).encode(),))


def _starts(text: str) -> Iterator[int]:
    skip = len("\ufeff") if text.startswith("\ufeff") else 0
    if item := bullet(text[skip:].rstrip("\r\n")):
        start = skip + item.start
        box = _BOX.match(text, start)
        yield box.end() if box else start
        yield start
    for lead in _LEADS:
        if match := lead.match(text, skip):
            yield match.end()


# --- unpinning ---------------------------------------------------------------------------------------


def _unpins(document: Document, index: int) -> Iterator[Edit]:
    note, block = document.notes[index], document.frontmatter
    if note.shape is not Shape.FILE:
        yield from _unmarked(document, note)
        return
    if block is not None:
        yield from _turned(document, block, to=False)
    elif len(document.notes) > 1 and len(inside(document, 1)) == len(document.notes) - 2:
        yield from _unmarked(document, document.notes[1])


def _unmarked(document: Document, note: Note) -> Iterator[Edit]:
    """Yield the edit that takes the mark before the text of a note away."""
    text = document.lines[note.first - 1].decode("utf-8")
    for match in PIN_MARK.finditer(text):
        is_open = match["bold"] and not match[0].rstrip().endswith("**")
        kept = text[: match.start()] + ("**" if is_open else "") + text[match.end() :]
        yield Edit(note.first - 1, note.first, (kept.encode(),))
        return


def _why(document: Document, index: int, *, pinned: bool) -> str:
    note = document.notes[index]
    place = f"{document.path}:{note.first}"
    if pinned and note.shape is Shape.POINTER:
        return f"{place} only points to a file: pin that file instead"
    if pinned:
        return f"{place} cannot be pinned without changing how its file reads: pin its section or its file"
    holder = next((above for above in _above(document, index) if pin_of(document, above) is Pin.WHOLE), None)
    if holder is not None:
        shape = document.notes[holder].shape
        return f"{place} is pinned with the {shape} that holds it, at line {document.notes[holder].first}: unpin that"
    if "pinned" in note.tags:
        return f"{place} is pinned by a tag: take the tag out of the file"
    if inside(document, index):
        return f"{place} is pinned by what it holds: unpin that, one by one"
    return f"{place} cannot be unpinned without changing how its file reads: take its mark out of the file"
