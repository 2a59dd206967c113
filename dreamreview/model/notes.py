"""What a file remembers: its blocks as notes, each with the headings, date, pin, tags and confidence it has."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dreamreview.model.blocks import BOLD_LEVEL, Block, read_blocks
from dreamreview.model.dates import date_in_name, find_date, own_date
from dreamreview.model.lines import bold_lead, label_of
from dreamreview.model.links import code_spans, find_spans
from dreamreview.model.memory import Frontmatter, Note, Pointer, Role, Shape

_BOX = re.compile(r"\[[ xX✓✔~/-]\][ \t]+")
PIN_MARK = re.compile(r"(?P<bold>\*\*)?(?:\[pinned\]|📌\uFE0F?)(?:\*\*)?[ \t]*", re.IGNORECASE)
_CATEGORY = re.compile(r"\[(?P<tag>[^\[\]()|\s]{1,30})\][ \t]+(?=\S)")
_TAIL = re.compile(r"\[[^\[\]]*\b(?:score|recalls|source)=[^\[\]]*\]")
_SOURCE = re.compile(r"\bsource=(\S{1,300}?)(?:[\s\]]|$)")
_HASHTAG = re.compile(r"(?<![^\s(,])(?<!\]\()#(?![0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?\b)([^\W\d_][\w/-]{0,60})")
_CONFIDENCE = re.compile(r"(?:^|[(\[][^()\[\]]{0,40}\b)confidence[ \t]*[:=][ \t]*([\w.%]{1,12})", re.IGNORECASE)
_WORDS = {
    "high": 0.9,
    "hoch": 0.9,
    "medium": 0.6,
    "med": 0.6,
    "moderate": 0.6,
    "mittel": 0.6,
    "low": 0.3,
    "niedrig": 0.3,
}
_TRUE = frozenset({"true", "yes", "on", "1"})
_DATE_KEYS = ("modified", "updated", "last_updated", "updated_at", "date", "created", "created_at")


@dataclass(frozen=True, slots=True)
class Source:
    """A file as read so far, from which notes are made."""

    path: str
    texts: Sequence[str]
    roles: Sequence[Role]
    start: int
    """First line after the frontmatter, 0-based."""
    frontmatter: Frontmatter | None
    pointers: Mapping[int, Sequence[Pointer]]
    """1-based line to the entries it holds."""


@dataclass(slots=True)
class _Draft:
    """A note in the making; lines are 0-based and inclusive."""

    shape: Shape
    first: int
    last: int
    text: str = ""
    title: str = ""
    headings: tuple[str, ...] = ()
    date: str | None = None
    confidence: float | None = None
    pinned: bool = False
    tags: tuple[str, ...] = ()
    parent: int | None = None
    label: str = ""
    level: int = 0
    children: list[str] = field(default_factory=list)
    heading_date: str | None = None


def make_notes(source: Source) -> tuple[Note, ...]:
    """Return the notes of a file in order, a holder before what it holds; none for a file of blank lines."""
    content = [number for number, text in enumerate(source.texts) if text.strip()]
    if not content:
        return ()
    blocks = read_blocks(source.texts, source.roles, source.start, {line - 1 for line in source.pointers})
    rules = [number for number, role in enumerate(source.roles) if role is Role.RULE]
    drafts = [_file(source, blocks, content[0], content[-1])]
    sections: list[int] = []
    places: list[int] = []
    for block in blocks:
        while sections and _is_over(drafts[sections[-1]], block, rules):
            _end_section(source, drafts[sections.pop()], block.first - 1)
        places.append(len(drafts))
        holder = places[block.parent] if block.parent is not None else sections[-1] if sections else 0
        drafts.append(_draft(source, block, drafts, sections, holder))
        if block.shape is Shape.SECTION:
            sections.append(len(drafts) - 1)
    for index in sections:
        _end_section(source, drafts[index], content[-1])
    _gather(drafts)
    return tuple(_note(source, draft) for draft in drafts)


def _is_over(section: _Draft, block: Block, rules: Sequence[int]) -> bool:
    """Tell whether a section ends before a block: at a heading of its level, a bold one also at a rule."""
    if block.shape is Shape.SECTION and section.level >= block.level:
        return True
    return section.level == BOLD_LEVEL and bisect(rules, section.first) < bisect(rules, block.first)


def _note(source: Source, draft: _Draft) -> Note:
    return Note(
        path=source.path,
        first=draft.first + 1,
        last=draft.last + 1,
        shape=draft.shape,
        text=draft.text,
        title=draft.title,
        headings=draft.headings,
        type=_type(source.frontmatter),
        date=draft.date,
        confidence=draft.confidence,
        pinned=draft.pinned,
        tags=draft.tags,
        parent=draft.parent,
        label=draft.label,
    )


def _file(source: Source, blocks: Sequence[Block], first: int, last: int) -> _Draft:
    values = source.frontmatter
    headings = [block for block in blocks if block.shape is Shape.SECTION]
    is_titled = bool(headings) and blocks[0] is headings[0] and all(one.level > blocks[0].level for one in headings[1:])
    top_date = find_date(headings[0].text) if is_titled else None
    stated = values.get("name", "title") if values else None
    described = values.get("description") if values else None
    stem = source.path.rpartition("/")[2].rpartition(".")[0] or source.path.rpartition("/")[2]
    tags = _listed(values, "tags")
    return _Draft(
        shape=Shape.FILE,
        first=first,
        last=last,
        text=_body(source, source.start, last),
        title=stated or next((_title(block.text) for block in headings if block.text), None) or described or stem,
        date=date_in_name(source.path) or top_date or _stated_date(values),
        confidence=_confidence(values.get("confidence", "metadata.confidence") or "") if values else None,
        pinned=_is_pinned(values, tags),
        tags=tags,
    )


def _draft(source: Source, block: Block, drafts: Sequence[_Draft], sections: Sequence[int], holder: int) -> _Draft:
    above = drafts[sections[-1]] if sections else None
    headings = (*above.headings, above.title) if above else ()
    chain = date_in_name(source.path) or (above.heading_date if above else None) or _stated_date(source.frontmatter)
    draft = _Draft(block.shape, block.first, block.last, headings=headings, parent=holder, level=block.level)
    if block.shape is Shape.SECTION:
        own = find_date(block.text)
        pin = PIN_MARK.match(block.text)
        draft.title = _title(block.text)
        draft.pinned = pin is not None and "📌" not in pin[0]
        draft.heading_date = own or (above.heading_date if above else None)
        draft.date = own or chain
    else:
        _fill(source, draft, block)
        draft.date = draft.date or chain
    holding = drafts[holder]
    draft.pinned = draft.pinned or holding.pinned
    draft.confidence = draft.confidence if draft.confidence is not None else holding.confidence
    return draft


def _title(heading: str) -> str:
    """Return what a heading names, without the mark that pins what stands below it."""
    pin = PIN_MARK.match(heading)
    return _plain(heading[pin.end() :] if pin else heading)


def _plain(title: str) -> str:
    """Return a heading's words without link markup and bold marks."""
    words: list[str] = []
    place = 0
    for span in find_spans(title):
        words += (title[place : span.start], span.label or span.target)
        place = span.stop
    return "".join([*words, title[place:]]).replace("**", "").strip()


def _fill(source: Source, draft: _Draft, block: Block) -> None:
    """Read what a block says for itself."""
    text, tags, draft.pinned = _leads_off(_without_comments(block.text), is_item=block.shape is Shape.BULLET)
    promoted = _promotion_date(source, block, text)
    text = without_tail(text)
    match = _CONFIDENCE.search(text[:2000])
    draft.confidence = _confidence(match[1]) if match else None
    draft.tags = tuple(dict.fromkeys((*tags, *(tag.casefold() for tag in _HASHTAG.findall(text)))))
    draft.pinned = draft.pinned or "pinned" in draft.tags
    draft.label = label_of(text)
    draft.title = bold_lead(text)
    draft.date = own_date(text) or promoted
    draft.text = text
    pointers = source.pointers.get(block.first + 1)
    if pointers and block.shape in (Shape.BULLET, Shape.ROW, Shape.PARAGRAPH):
        draft.shape = Shape.POINTER
        draft.title = pointers[0].label


def _leads_off(text: str, *, is_item: bool) -> tuple[str, list[str], bool]:
    """Take task box, pin and category off the start of a text; return the rest, the categories, and whether pinned."""
    tags: list[str] = []
    is_pinned = False
    if is_item and (box := _BOX.match(text)):
        text = text[box.end() :]
    while True:
        if pin := PIN_MARK.match(text):
            is_pinned = True
            rest = text[pin.end() :]
            text = f"**{rest}" if pin["bold"] and not pin[0].rstrip().endswith("**") else rest
        elif is_item and not tags and (found := _CATEGORY.match(text)) and any(map(str.isalpha, found["tag"])):
            tags.append(found["tag"].casefold())
            text = text[found.end() :]
        else:
            return text.strip(), tags, is_pinned


def _without_comments(text: str) -> str:
    if "<!--" not in text:
        return text
    code = code_spans(text)
    kept: list[str] = []
    start = place = 0
    while (opening := text.find("<!--", place)) >= 0 and (closing := text.find("-->", opening)) >= 0:
        while code and code[0][1] <= opening:
            code.pop(0)
        if code and code[0][0] <= opening:
            place = code[0][1]
            continue
        kept.append(text[start:opening].rstrip(" "))
        start = place = closing + 3
    return "".join([*kept, text[start:]]).strip()


def without_tail(text: str) -> str:
    """Return a promoted text without the score and source that OpenClaw's dreaming writes behind it."""
    stripped = text.rstrip()
    opening = stripped.rfind("[")
    if stripped.endswith("]") and _TAIL.fullmatch(stripped, opening):
        return stripped[:opening].rstrip()
    return text


def _promotion_date(source: Source, block: Block, text: str) -> str | None:
    """Return the day of the note that a promoted line came from: its tail names it, or the comment above does."""
    tail = text.rstrip()
    if tail.endswith("]") and (match := _SOURCE.search(tail, max(0, tail.rfind("[")))):
        return date_in_name(match[1].partition(":")[0])
    above = block.first - 1
    if block.shape is not Shape.BULLET or above < 0 or source.roles[above] is not Role.COMMENT:
        return None
    comment = source.texts[above].strip()[:400]
    return find_date(comment) if comment.startswith(("<!-- promo:", "<!-- openclaw-memory-promotion:")) else None


def _end_section(source: Source, draft: _Draft, last: int) -> None:
    while last > draft.first and (source.roles[last] is Role.RULE or not source.texts[last].strip()):
        last -= 1
    draft.last = last
    draft.text = _body(source, draft.first + 1, last)


def _body(source: Source, first: int, last: int) -> str:
    """Return the lines of a file or section that are not frontmatter, comments, rules or managed blocks."""
    kept = (Role.TEXT, Role.HEADING, Role.CODE, Role.BLANK)
    lines = (source.texts[number] for number in range(first, last + 1) if source.roles[number] in kept)
    return "\n".join(lines).strip()


def _gather(drafts: Sequence[_Draft]) -> None:
    """Give holders what their parts say: text of children, confidence given as a child item, pins."""
    for draft in reversed(drafts):
        held = (draft.text, *reversed(draft.children))
        if draft.shape not in (Shape.FILE, Shape.SECTION):
            draft.text = "\n".join(part for part in held if part)
        if draft.parent is None:
            continue
        holder = drafts[draft.parent]
        holder.pinned = holder.pinned or draft.pinned
        if holder.shape not in (Shape.FILE, Shape.SECTION):
            holder.children.append(draft.text)
            match = _CONFIDENCE.match(draft.text)
            if match and holder.confidence is None:
                holder.confidence = _confidence(match[1])


def _listed(values: Frontmatter | None, key: str) -> tuple[str, ...]:
    if values is None:
        return ()
    items = values.lists.get(key) or values.lists.get(f"metadata.{key}")
    if items is None:
        items = tuple((values.get(key, f"metadata.{key}") or "").split(","))
    return tuple(item.strip().lstrip("#").casefold() for item in items if item.strip())


def _first_word(value: str | None) -> str:
    return (value or "").partition(" #")[0].strip().strip("\"'").casefold()


def _type(values: Frontmatter | None) -> str | None:
    return _first_word(values.get("type", "metadata.type")) or None if values else None


def _is_pinned(values: Frontmatter | None, tags: Sequence[str]) -> bool:
    if values is None:
        return False
    stated = (_first_word(values.values.get(key)) for key in ("pinned", "metadata.pinned"))
    return "pinned" in tags or any(word in _TRUE for word in stated)


def _stated_date(values: Frontmatter | None) -> str | None:
    if values is None:
        return None
    for key in _DATE_KEYS:
        if day := find_date((values.get(key, f"metadata.{key}") or "")[:200]):
            return day
    return None


def _confidence(value: str) -> float | None:
    word = _first_word(value)
    if word in _WORDS:
        return _WORDS[word]
    try:
        number = float(word.rstrip("%"))
    except ValueError:
        return None
    if word.endswith("%") or 1 < number <= 100:
        number /= 100
    return number if 0 <= number <= 1 else None
