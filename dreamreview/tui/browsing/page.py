"""What is said of one file or note: what it is, how old, pinned or not, what is wrong, its links, its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.model.pins import Pin
from dreamreview.tui.browsing.shelf import age_of
from dreamreview.tui.detail.rows import BLANK, Code, Row, Sign, Words
from dreamreview.tui.detail.sources import secret_lines
from dreamreview.tui.inert import Part, own, said
from dreamreview.tui.wording import count

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.tui.browsing.shelf import Shelf
    from dreamreview.workspace.memory import FileLine, NoteLine
    from dreamreview.workspace.pinning import Pinning

LINKS = 50
"""Links of each direction that are listed before the rest is counted."""
PIN_GLYPHS = {Pin.WHOLE: "◆", Pin.PART: "◇", Pin.NONE: " "}


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of a file or note, and where its links lead."""

    rows: tuple[Row, ...]
    links: tuple[tuple[int, str], ...] = ()
    """Place of a row, and the path that it leads to."""


def page_of(shelf: Shelf, file: FileLine, note: NoteLine | None, text: Text, seen: str) -> Page:
    """Return the page of a file, or of one of its notes.

    Args:
        shelf: the store.
        file: the file.
        note: one of its notes; None or the first for the file as a whole.
        text: the file as it is now.
        seen: digest of that.
    """
    rows: list[Row] = [*_head(shelf, file, note)]
    links: list[tuple[int, str]] = []
    if file.seen and seen != file.seen:
        sentence = "Changed since it was read: ^l looks again." if seen else "It is gone: ^l looks again."
        rows.append(Words((own(sentence, "warn"),)))
    for finding in shelf.findings_of(file, note):
        lines = "" if finding.lines is None else f", {_lines(*finding.lines)}"
        rows.append(Words((own("! ", "warn"), said(f"{finding.cls}{lines}: ", "warn"), said(finding.message)), hang=2))
    for parts, path in _links(file, note):
        if path is not None:
            links.append((len(rows), path))
        rows.append(Words(parts, hang=2))
    rows.append(BLANK)
    rows += _text(file, note, text)
    return Page(tuple(rows), tuple(links))


def _lines(first: int, last: int) -> str:
    return f"line {first}" if last <= first else f"lines {first}–{last}"


def _head(shelf: Shelf, file: FileLine, note: NoteLine | None) -> Iterator[Words]:
    if note is None:
        yield Words((said(file.path, "title"),))
        what = {"link": "a link, shown and never followed", "left out": "left out of the memory"}.get(file.kind)
        yield Words((own(what or "no note is read in it", "dim"), own(f" · {file.size:,} bytes", "dim")))
        return
    yield Words((said(note.title or file.path, "title"),))
    facts = [said(note.type, "kind")] if note.type else []
    facts.append(own(str(note.shape), "dim"))
    age = age_of(file, note, shelf.today)
    if age is not None:
        away = f"{count(abs(age.days), 'day')} {'ago' if age.days > 0 else 'ahead'}" if age.days else "today"
        how = "of" if age.is_stated else "no date of its own, written"
        facts.append(own(f"{how} {age.day}, {away}", "text" if age.is_stated else "dim"))
    if note.pin is Pin.WHOLE:
        facts.append(own(f"{PIN_GLYPHS[note.pin]} pinned", "open"))
    elif note.pin is Pin.PART:
        facts.append(own(f"{PIN_GLYPHS[note.pin]} pinned in part", "open"))
    if note.confidence is not None:
        facts.append(own(f"{note.confidence:.0%} sure", "dim"))
    facts += [said(f"#{tag}", "dim") for tag in note.tags]
    yield Words(_joined(facts), hang=2)
    place = file.path if note.index == 0 else f"{file.path}, {_lines(note.first, note.last)}"
    yield Words((said(place, "path"), own(f" · {file.size:,} bytes" if note.index == 0 else "", "dim")), hang=2)


def _joined(parts: Sequence[Part]) -> tuple[Part, ...]:
    return tuple(piece for part in parts for piece in (own(" · ", "dim"), part))[1:]


def _links(file: FileLine, note: NoteLine | None) -> Iterator[tuple[tuple[Part, ...], str | None]]:
    is_whole = note is None or note.index == 0
    # What leads nowhere is told as a finding.
    leading = [
        link
        for link in file.links
        if link.path is not None and (note is None or is_whole or note.first <= link.line <= note.last)
    ]
    for link in leading[:LINKS]:
        yield (own("→ ", "dim"), said(link.path or "", "path"), own(f"  line {link.line}", "dim")), link.path
    if len(leading) > LINKS:
        yield (own(f"→ {len(leading) - LINKS} more", "dim"),), None
    linked = file.linked_from if is_whole else ()
    for path, line in linked[:LINKS]:
        yield (own("← ", "dim"), said(path, "path"), own(f":{line}", "dim")), path
    if len(linked) > LINKS:
        yield (own(f"← {len(linked) - LINKS} more", "dim"),), None


def _text(file: FileLine, note: NoteLine | None, text: Text) -> Iterator[Row]:
    if not text:
        yield Words((own("It is empty." if file.size == 0 else "Its text is not shown.", "dim"),))
        return
    if file.kind == "link":
        yield Words((own("leads to ", "dim"), said(b"".join(text).decode("utf-8", "replace"), "path")))
        return
    hidden = secret_lines(text)
    is_whole = note is None or note.index == 0
    first, last = (1, len(text)) if note is None or is_whole else (note.first, min(note.last, len(text)))
    for number in range(first, last + 1):
        yield Code(Sign.SAME, text[number - 1], number, is_whole_secret=number - 1 in hidden)


def pin_rows(pinning: Pinning) -> Iterator[Row]:
    """Yield what a pin would write, as a diff, for the question before it."""
    yield Words((said(pinning.path, "path"),))
    hidden = secret_lines(pinning.base.text)
    lost = [pinning.start + place in hidden for place in range(len(pinning.old))]
    is_even = len(pinning.old) == len(pinning.new)
    for place, line in enumerate(pinning.old):
        other = pinning.new[place] if is_even else None
        number = pinning.start + place + 1
        yield Code(Sign.OLD, line, number, other=other, is_whole_secret=lost[place])
    for place, line in enumerate(pinning.new):
        other = pinning.old[place] if is_even else None
        yield Code(Sign.NEW, line, other=other, is_whole_secret=is_even and lost[place])
    yield BLANK
    keeps = "A pinned note is neither merged nor pruned by a dream." if pinning.pins else "A dream may change it again."
    again = "p again, or undo in the history, takes this back."
    yield Words((own(f"{keeps} {again}", "dim"),))
