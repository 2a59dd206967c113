"""Which lines of a file are index entries, and which file each of them points to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dreamreview.model.lines import atx_heading, bullet
from dreamreview.model.links import NOTE_ENDINGS, Span
from dreamreview.model.memory import LinkForm, Pointer

INDEX_NAMES = frozenset({"memory.md", "index.md", "_index.md", "memory-index.md", "memory_index.md"})
"""Names, case folded, of files that list other files."""

_BOX = re.compile(r"\[[ xX✓✔~/-]\][ \t]+")
_SEPARATOR = re.compile(r"[ \t]*(?:—|–|→|->|-|:|：|\||·)(?:[ \t]|$)|[ \t]*$")
_BETWEEN = re.compile(r"[ \t*_]*(?:\([^()]{0,80}\))?[ \t*_]*(?:[,;/|·+&、，]|and|und|和)[ \t*_]*")
_LEAD_END = (":", "：", "→", "—", "->", "|")
_MAX_LEAD = 80


def is_index(path: str, texts: Sequence[str], spans: Mapping[int, Sequence[Span]]) -> bool:
    """Tell whether a file is an index: by its name, or because most of its list items lead with a link to a note.

    `spans` holds the references of each 0-based line that has any.
    """
    if path.rpartition("/")[2].casefold() in INDEX_NAMES:
        return True
    items = [number for number, text in enumerate(texts) if bullet(text)]
    leading = sum(1 for number in items if number in spans and _leads_to_note(texts[number], spans[number]))
    return leading >= 3 and 2 * leading > len(items)


def _leads_to_note(text: str, spans: Sequence[Span]) -> bool:
    span = spans[0]
    is_note = span.form is LinkForm.WIKI or span.target.casefold().endswith(NOTE_ENDINGS)
    is_link = span.form in (LinkForm.MARKDOWN, LinkForm.WIKI)
    return is_note and is_link and not _lead(text, span) and _SEPARATOR.match(_after(text, span.stop)) is not None


def pointers_in(text: str, line: int, spans: Sequence[Span], *, in_index: bool) -> tuple[Pointer, ...]:
    """Return the files that a line points to as an index entry does; a link in running text points to nothing.

    Outside an index only a leading link counts that stands alone or has a separator behind it.
    """
    named = [span for span in spans if _may_point(span, in_index) and text[span.start] != "!"]
    if not named or _start(text) is None:
        return ()
    lead = _lead(text, named[0])
    if lead and not (in_index and _announces(lead, text, named[0])):
        return ()
    if not in_index and _SEPARATOR.match(_after(text, named[0].stop)) is None and not _is_listed(text, named):
        return ()
    group = [named[0]]
    for span in named[1:]:
        if not _BETWEEN.fullmatch(text[group[-1].stop : span.start]):
            break
        group.append(span)
    tail = _hook(text[group[-1].stop :])
    return tuple(
        Pointer(line, span.target, _label(span), _hook_of(text, lead, group, place, tail))
        for place, span in enumerate(group)
    )


def _hook_of(text: str, lead: str, group: Sequence[Span], place: int, tail: str) -> str:
    """Return what a line says about one of its targets: the lead, brackets behind the link, and what all share."""
    words = lead.rstrip(" :：→—|->")
    own = tail
    if place + 1 < len(group):
        between = text[group[place].stop : group[place + 1].start].strip(" \t,;/|·+&*_、，")
        own = between if between.startswith("(") else "" if tail.startswith("(") else tail
    return " ".join(part for part in (words, own) if part)


def _may_point(span: Span, in_index: bool) -> bool:
    if span.form is LinkForm.MARKDOWN:
        return True
    return span.form is LinkForm.WIKI or (in_index and span.target.casefold().endswith(NOTE_ENDINGS))


def _start(text: str) -> int | None:
    """Return where an entry's words start, None for a line that cannot be an entry."""
    mark = bullet(text)
    if mark:
        box = _BOX.match(text, mark.start)
        return box.end() if box else mark.start
    if heading := atx_heading(text):
        return text.find(heading[1]) if heading[1] else None
    stripped = text.lstrip()
    return len(text) - len(stripped) + (1 if stripped.startswith("|") else 0)


def _lead(text: str, span: Span) -> str:
    """Return the words before the first target, marks and emoji left out."""
    lead = text[_start(text) or 0 : span.start].strip(" \t*_~|>")
    return lead if any(char.isalnum() for char in lead) else ""


def _announces(lead: str, text: str, span: Span) -> bool:
    """Tell whether the words before a target only name it; a file's bare name must then end the line."""
    is_link = span.form in (LinkForm.MARKDOWN, LinkForm.WIKI)
    return len(lead) <= _MAX_LEAD and lead.endswith(_LEAD_END) and (is_link or not text[span.stop :].strip(" .*|"))


def _after(text: str, stop: int) -> str:
    return text[stop : stop + 200].lstrip("*_~")


def _is_listed(text: str, spans: Sequence[Span]) -> bool:
    return len(spans) > 1 and _BETWEEN.fullmatch(text[spans[0].stop : spans[1].start]) is not None


def _hook(text: str) -> str:
    return re.sub(r"^(?:[ \t*_|]|—|–|→|->|-(?=[ \t])|:|：|·)+", "", text).strip().rstrip("|").strip()


def _label(span: Span) -> str:
    return span.label.replace("**", "").strip("* ")
