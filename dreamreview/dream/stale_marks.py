"""What a text says about its own end: struck through, superseded, valid until a day."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date

from dreamreview.model.dates import find_date

_OVER = (
    r"(?:superseded|obsolete|outdated|no longer (?:valid|true|correct|current|applies|holds)|überholt|ersetzt|veraltet"
    r"|hinfällig|obsolète|périmé|vervallen|achterhaald|устарел\w*|отмен[её]н\w*|已取代|已被取代|已作废|已废弃|作废|废止|廃止|失効)"
)
_BRACKET = re.compile(
    rf"[(\[（【]\s*(?:now |since )?{_OVER}(?:\s*(?:[:,;—–-]|\d|[^\x00-\x7f]|(?:by|on|since|as of|in|with|durch|seit"
    rf"|am)\b)"
    r"[^()\[\]（）【】]{0,300})?\s*[)\]）】]",
    re.IGNORECASE,
)
_LABEL = re.compile(
    rf"(?:now )?{_OVER}\s*(?:$|[:(\[—–-]|\d|(?:by|on|since|as of|durch|seit|am)\b|[：，（])", re.IGNORECASE
)
_SHOUTED = re.compile(r"(?:DEPRECATED|RETIRED|WITHDRAWN|CANCELLED)\b\s*[:(\[—–-]")
_LAST_SENTENCE = re.compile(
    rf"(?:[.;!?—–]|\s-)\s+{_OVER}\s+(?:by|on|since|as of|durch|seit|am|\d{{4}}-)[^.]{{0,200}}\.?$", re.IGNORECASE
)
_STRUCK = re.compile(r"~~(?=\S)(?P<old>.{1,2000}?)(?<=\S)~~(?P<rest>.*)$", re.DOTALL)
_INSTEAD = re.compile(
    rf"{_OVER}|\b(?:replaced|withdrawn|revoked|retired|dropped|cancelled|canceled|removed|abandoned|deprecated|reverted"
    r"|corrected|wrong|not any ?more|no longer)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"\W*(?:done|fixed|resolved|shipped|closed|completed|finished|solved|paid|erledigt|✅|完成|已完成)", re.IGNORECASE
)
_UNTIL = re.compile(
    r"(?:\b(?:valid|holds|applies|good|gültig|gilt|geldig|valable|válido|действ\w+)\s+(?:only )?(?:(?:from|ab|von"
    r"|since) \S+ )?"
    r"(?:until|till|thru|through|up to|bis(?: zum)?|tot|jusqu['’]au|hasta|до)|\b(?:expire[sd]?|runs? out|läuft ab)\b"
    r"(?: on| am)?|有效期?\s?[至到])\s*[:：]?\s*",
    re.IGNORECASE,
)
_MONTH = re.compile(r"\W{0,3}(?P<y>\d{4})-(?P<m>0[1-9]|1[0-2])(?![\d-])")
_MARKUP = re.compile(r"[\W\d_]*")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a text says about its own end."""

    kind: str
    """``struck``, ``superseded`` or ``expired``."""
    said: str
    """The words that say so."""
    day: date | None = None
    """Last day it held, of what has expired."""
    rest: str = ""
    """What stands beside a struck text."""
    is_corrected: bool = False
    """True where a struck text is followed by what holds now."""


def mark_of(text: str, today: date) -> Mark | None:
    """Return what a text says about its own end, None if it holds on `today`; the last day of validity still counts.

    `text` is a list item, paragraph, table row or heading with its markup.
    """
    bare = text.strip()
    start = _MARKUP.match(bare)
    begin = start.end() if start else 0
    struck = _STRUCK.match(bare, bare.find("~~")) if 0 <= bare.find("~~") < max(begin, 1) else None
    if struck and (mark := _struck(struck)):
        return mark
    if mark := _superseded(bare, begin):
        return mark
    return _expired(bare, begin, today)


def _struck(match: re.Match[str]) -> Mark | None:
    rest = match["rest"].strip()
    if not rest or _DONE.match(rest):
        return None
    if _INSTEAD.search(rest):
        return Mark("struck", rest[:200], rest=rest)
    if find_date(rest):
        return Mark("struck", rest[:200], rest=rest, is_corrected=len(re.findall(r"[^\W\d_]{2,}", rest)) >= 3)
    return None


def _superseded(text: str, begin: int) -> Mark | None:
    for bracket in _BRACKET.finditer(text):
        is_first = _MARKUP.fullmatch(text, 0, bracket.start())
        is_last = re.fullmatch(r"[\s.,;*_~|。，]*", text[bracket.end() :])
        if is_first or is_last:
            return Mark("superseded", bracket[0])
    if label := _LABEL.match(text, begin) or _SHOUTED.match(text, begin):
        return Mark("superseded", text[label.start() : label.start() + 200])
    if sentence := _LAST_SENTENCE.search(text):
        return Mark("superseded", sentence[0].lstrip(".;!?—– -"))
    return None


def _expired(text: str, begin: int, today: date) -> Mark | None:
    for match in _UNTIL.finditer(text):
        behind = text[match.end() : match.end() + 24]
        day = _day(behind)
        if day is None or today <= day:
            continue
        is_bracketed = text[: match.start()].rstrip()[-1:] in ("(", "[", "（", "【")
        is_told = match[0].casefold().startswith(("expire", "run", "läuft"))
        is_last = not is_told and re.fullmatch(r"\W*\w+(?:[-./\s]+\w+){0,2}[\s.)*_\]|]*", text[match.end() :])
        if is_bracketed or match.start() <= begin or is_last:
            return Mark("expired", (match[0] + behind[:10]).strip(), day=day)
    return None


def _day(text: str) -> date | None:
    """Return the day that a text begins with; a month means its last day."""
    month = _MONTH.match(text)
    if month:
        year, number = int(month["y"]), int(month["m"])
        return date(year, number, calendar.monthrange(year, number)[1]) if year else None
    stated = find_date(text)
    is_near = stated and re.match(r"\W{0,3}(?:the )?(?:\d|[^\W\d_]{3,9}\W{1,2}\d)", text)
    return date.fromisoformat(stated) if stated and is_near else None


def last_day(value: str) -> date | None:
    """Return the last day of validity that a frontmatter value names."""
    return _day(value.strip().strip("\"'"))
