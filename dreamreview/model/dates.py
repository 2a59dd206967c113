"""Which absolute day a file name or a text speaks from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero января",
            "feb february februar février febrero февраля",
            "mar march märz mars marzo марта",
            "apr april avril abril апреля",
            "may mai mayo мая",
            "jun june juni juin junio июня",
            "jul july juli juillet julio июля",
            "aug august août agosto августа",
            "sep sept september septembre septiembre сентября",
            "oct october okt oktober octobre octubre октября",
            "nov november novembre noviembre ноября",
            "dec december dez dezember décembre diciembre декабря",
        ),
        start=1,
    )
    for name in names.split()
}
_NAME = "|".join(sorted(_MONTHS, key=len, reverse=True))

_ISO = r"(?<![\d.])(?P<y>\d{4})(?P<s>[-/.‑])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d|\.\d)"
_CJK = r"(?<!\d)(?P<y>\d{4}) ?[年년] ?(?P<m>\d{1,2}) ?[月월] ?(?P<d>\d{1,2}) ?[日号일]"
_DAY_FIRST = (
    rf"(?<![\d.])(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|\.)? ?(?:of |de )?(?P<m>{_NAME})\.?,? ?(?:de )?(?P<y>\d{{4}})(?!\d)"
)
_MONTH_FIRST = rf"(?<!\w)(?P<m>{_NAME})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})(?!\d)"
_DOTTED = r"(?<![\d.])(?P<d>\d{1,2})\. ?(?P<m>\d{1,2})\. ?(?P<y>\d{4})(?!\d|\.\d)"
_SLASHED = r"(?<![\d/])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d{4})(?![\d/])"
_FORMS = tuple(re.compile(form, re.IGNORECASE) for form in (_ISO, _CJK, _DAY_FIRST, _MONTH_FIRST, _DOTTED, _SLASHED))

_IN_NAME = re.compile(
    r"(?<!\d)(?:(?P<y>\d{4})(?P<s>[-_.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d)"
    r"|(?P<y2>\d{4})(?P<m2>\d{2})(?P<d2>\d{2})(?!\d{1,3}(?!\d)))"
)
_IN_FOLDERS = re.compile(r"(?:^|/)(?P<y>\d{4})/(?P<m>\d{1,2})/(?P<d>\d{1,2})(?=[/._ -]|$)")

_STAMP = re.compile(
    r"(?:as of|superseded|changed|updated?|corrected|correction|verified|checked|confirmed|noted|added|recorded|learned"
    r"|decided|revised|last seen|told (?:me|us)|said|stand|截至|更新[于日]?|修正|确认|記録)"
    r"(?: again)?(?: on| am| at|:)?[ :]{0,2}[(*_]{0,3}$",
    re.IGNORECASE,
)
_STAMP_REACH = 40
_LEAD = " \t([{*_`~>\"'“「【—–-"
_TAIL = " \t)]}*_`~.;。」】"


def date_in_name(path: str) -> str | None:
    """Return the first day that a path names as YYYY-MM-DD: in the file's name, else in its folders (2026/03/02)."""
    folders, _, name = path.rpartition("/")
    for match in _IN_NAME.finditer(name):
        day = _day(match["y"] or match["y2"], match["m"] or match["m2"], match["d"] or match["d2"])
        if day and "1970" <= day < "2100":
            return day
    for match in _IN_FOLDERS.finditer(path):
        if day := _day(match["y"], match["m"], match["d"]):
            return day
    last = folders.rpartition("/")[2]
    return date_in_name(last) if last else None


def find_date(text: str) -> str | None:
    """Return the first absolute day in a text as YYYY-MM-DD.

    Reads ISO dates and times, ``2 March 2026``, ``March 2nd, 2026``, ``02.03.2026``, ``2026年3月2日`` and slashed
    dates that can be read one way only; a day without a year is no date.
    """
    return min(_dates(text), default=(0, 0, None), key=lambda found: found[0])[2]


def own_date(text: str) -> str | None:
    """Return the day that a note states for itself: leading, closing in brackets, or after words such as "as of".

    A day that the note merely speaks about (a deadline, an expiry) is not its own. Of several stamps the latest counts.
    """
    found = sorted(_dates(text), key=lambda one: one[0])
    stamps = [day for start, stop, day in found if _is_stamp(text, start, stop)]
    return max(stamps, default=None)


def _is_stamp(text: str, start: int, stop: int) -> bool:
    if start < _STAMP_REACH and not text[:start].strip(_LEAD):
        return not text[stop : stop + 12].lstrip().startswith(("–", "→", "..", "to ", "bis "))
    before = text[max(0, start - _STAMP_REACH) : start]
    if _STAMP.search(before):
        return True
    is_bracketed = before.rstrip()[-1:] in ("(", "[")
    return is_bracketed and not text[stop : stop + _STAMP_REACH].strip(_TAIL)


def _dates(text: str) -> Iterator[tuple[int, int, str]]:
    for form in _FORMS:
        for match in form.finditer(text):
            if day := _of(match):
                yield match.start(), match.end(), day


def _of(match: re.Match[str]) -> str | None:
    groups = match.groupdict()
    if "a" in groups:
        first, second = int(groups["a"]), int(groups["b"])
        if first <= 12 and second <= 12 and first != second:
            return None
        month, day = (first, second) if first <= 12 else (second, first)
        return _day(groups["y"], str(month), str(day))
    month_name = groups["m"].casefold()
    return _day(groups["y"], str(_MONTHS.get(month_name, month_name)), groups["d"])


def _day(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
