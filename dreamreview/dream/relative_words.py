"""What a word such as "yesterday" means on a given day, and how the sentence reads with the day in its place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from dreamreview.dream.quoted import Span, is_quoted
from dreamreview.dream.relative_sense import PAST, REACH, is_meant


@dataclass(frozen=True, slots=True)
class RelativeWord:
    """A word for a day, found in a text and resolved."""

    start: int
    stop: int
    """One past its last character."""
    text: str
    """As written, blanks squeezed."""
    day: date
    written: str
    """What stands in its place; holds the day in ISO form."""
    is_exact: bool = True
    """False for weeks, which people count loosely."""


_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "a an one ein einem einer 一 один",
            "two zwei 两 二 два две",
            "three drei 三 три",
            "four vier 四 четыре",
            "five fünf 五 пять",
            "six sechs 六 шесть",
            "seven sieben 七 семь",
            "eight acht 八 восемь",
            "nine neun 九 девять",
            "ten zehn 十 десять",
            "eleven elf",
            "twelve zwölf",
        ),
        start=1,
    )
    for word in words.split()
}
_EN_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_DE_DAYS = ["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"]
_SHIFTS = {
    "yesterday": -1, "today": 0, "tomorrow": 1, "tonight": 0, "last night": -1,
    "gestern": -1, "heute": 0, "morgen": 1, "vorgestern": -2, "übermorgen": 2,
    "вчера": -1, "сегодня": 0, "завтра": 1, "позавчера": -2, "послезавтра": 2,
    "今天": 0, "昨天": -1, "明天": 1, "前天": -2, "后天": 2, "後天": 2, "大前天": -3, "大后天": 3,
    "今日": 0, "昨日": -1, "明日": 1, "一昨日": -2, "明後日": 2, "今晚": 0, "昨晚": -1, "明晚": 1, "今早": 0, "明早": 1,
    "오늘": 0, "어제": -1, "내일": 1, "그저께": -2, "모레": 2,
    "aujourd'hui": 0, "aujourd’hui": 0, "avant-hier": -2, "demain": 1, "après-demain": 2,
    "i dag": 0, "i går": -1, "i morgen": 1, "i overmorgen": 2, "i forgårs": -2, "idag": 0, "igår": -1, "imorgon": 1,
    "i morgon": 1, "i övermorgon": 2, "i förrgår": -2,
    "hoy": 0, "ayer": -1, "anteayer": -2, "vandaag": 0, "gisteren": -1, "eergisteren": -2, "overmorgen": 2,
}  # fmt: skip

_N = r"(?P<n>\d{1,3}|[^\W\d_]{1,8})"
_PART = r"(?:\s+(?P<part>morning|afternoon|evening|night|noon))?"
_EDGE, _END = r"(?<![\w'’/@#.·\-])", r"(?![\w/@=·]|-\w|\.\w|['’](?!s\b))"
_VAGUE = r"(?<!about )(?<!some )(?<!roughly )(?<!around )(?<!nearly )(?<!almost )(?<!over )(?<!~)(?<!than )(?<!least )"
_OF = r"(?!\s+(?:of|in|before|after)\b)"

Resolver = Callable[[re.Match[str], date], date | None]


def _by_shift(match: re.Match[str], anchor: date) -> date | None:
    return anchor + timedelta(days=_SHIFTS[" ".join(match["w"].casefold().split())])


def _by_two(match: re.Match[str], anchor: date) -> date | None:
    return anchor + timedelta(days=2 if match["w"].casefold().endswith("tomorrow") else -2)


def _by_count(match: re.Match[str], anchor: date) -> date | None:
    count = match["n"].casefold()
    number = int(count) if count.isdigit() else _NUMBERS.get(count)
    if not number:
        return None
    is_week = match["unit"].casefold().startswith(("week", "woche", "周", "недел"))
    days = number * (7 if is_week else 1)
    return anchor + timedelta(days=-days if match["w"].casefold().endswith(("ago", "前", "назад")) else days)


def _by_count_german(match: re.Match[str], anchor: date) -> date | None:
    forward = _by_count(match, anchor)
    return anchor - (forward - anchor) if forward and match["way"].casefold() == "vor" else forward


def _by_weekday(match: re.Match[str], anchor: date) -> date | None:
    name = match["day"].casefold()
    wanted = _EN_DAYS.index(name) if name in _EN_DAYS else _DE_DAYS.index(name)
    way = match["way"].casefold()
    ahead = (wanted - anchor.weekday()) % 7
    if way.startswith(("last", "past", "this past", "letzt", "vergang", "vorig")):
        return anchor - timedelta(days=(anchor.weekday() - wanted) % 7 or 7)
    if way.startswith(("this", "dies")) and "coming" not in way:
        return anchor + timedelta(days=ahead)
    return anchor + timedelta(days=ahead or 7)


def _by_chinese_weekday(match: re.Match[str], anchor: date) -> date | None:
    """Chinese counts calendar weeks: the Friday of last week, of this one, of the next."""
    week = {"上": -7, "下": 7}.get(match["way"], 0)
    monday = anchor - timedelta(days=anchor.weekday())
    return monday + timedelta(days=week + min("一二三四五六日天".index(match["day"]), 6))


def _form(pattern: str, resolve: Resolver, style: str) -> tuple[re.Pattern[str], Resolver, str]:
    return re.compile(pattern, re.IGNORECASE), resolve, style


_CJK_NAME = r"(?![头報报网刊社])"
_FORMS = (
    _form(rf"{_EDGE}(?P<w>(?:the\s+)?day\s+(?:after\s+tomorrow|before\s+yesterday)){_END}", _by_two, "en"),
    _form(rf"{_EDGE}(?P<w>yesterday|today|tomorrow){_PART}{_END}", _by_shift, "en"),
    _form(rf"{_EDGE}(?P<w>tonight|last\s+night){_END}", _by_shift, "en"),
    _form(rf"{_EDGE}(?P<w>this)\s+(?P<part>morning|afternoon|evening){_END}", lambda _, anchor: anchor, "en"),
    _form(rf"{_VAGUE}{_EDGE}(?P<w>{_N}\s+(?P<unit>day|night|week)s?\s+ago){_END}", _by_count, "en"),
    _form(rf"{_EDGE}(?P<w>in\s+{_N}\s+(?P<unit>day|week)s?){_END}(?!\s+(?:of|or|time)\b)", _by_count, "en-in"),
    _form(rf"{_VAGUE}{_EDGE}(?P<w>{_N}\s+(?P<unit>day|week)s?\s+from\s+(?:now|today)){_END}", _by_count, "en"),
    _form(
        rf"{_EDGE}(?P<w>(?P<way>last|past|next|this\s+coming|this\s+past|coming|this)\s+(?P<day>{'|'.join(_EN_DAYS)}))"
        rf"{_PART}{_END}{_OF}",
        _by_weekday,
        "en",
    ),
    _form(
        rf"{_EDGE}(?P<w>i\s+(?:dag|går|morgen|overmorgen|forgårs|morgon|övermorgon|förrgår)|idag|igår|imorgon){_END}",
        _by_shift,
        "bare",
    ),
    _form(rf"{_EDGE}(?P<w>vorgestern|übermorgen|gestern|heute){_END}", _by_shift, "de"),
    _form(
        rf"{_EDGE}(?<!guten )(?<!am )(?<!i )(?<!hver )(?<!god )(?<!jeden )(?<!heute )(?<!gestern )(?P<w>(?-i:morgen)"
        rf"|(?<![^.!?\n] )(?-i:Morgen)){_END}",
        _by_shift,
        "de-morgen",
    ),
    _form(rf"{_EDGE}(?P<w>(?P<way>vor)\s+{_N}\s+(?P<unit>tag|woche)e?n?){_END}", _by_count_german, "de"),
    _form(
        rf"{_EDGE}(?P<w>(?:am\s+)?(?P<way>letzten|vergangenen|vorigen|nächsten|kommenden|diesen)\s+"
        rf"(?P<day>{'|'.join(_DE_DAYS)})){_END}",
        _by_weekday,
        "de",
    ),
    _form(rf"{_EDGE}(?P<w>позавчера|послезавтра|вчера|сегодня|завтра){_END}", _by_shift, "bare"),
    _form(rf"{_EDGE}(?P<w>{_N}\s+(?P<unit>день|дня|дней|недел[юиь])\s+назад){_END}", _by_count, "bare"),
    _form(
        rf"{_EDGE}(?P<w>aujourd['’]hui|avant-hier|après-demain|demain|anteayer|ayer|hoy|vandaag|eergisteren|gisteren"
        rf"|overmorgen){_END}",
        _by_shift,
        "bare",
    ),
    _form(
        rf"(?P<w>大前天|大后天|[今昨明]天|前天|[后後]天(?![性养习])|[今昨明]晚|[今明]早){_CJK_NAME}", _by_shift, "cjk"
    ),
    _form(rf"(?P<w>一昨日|明後日|[今昨明]日){_CJK_NAME}", _by_shift, "cjk"),
    _form(r"(?P<w>(?P<n>\d{1,3}|[一两二三四五六七八九十])\s?(?P<unit>[天日]|周)前)", _by_count, "cjk"),
    _form(
        r"(?P<way>[上下本这])个?(?:周|星期|礼拜)(?P<w>(?P<day>[一二三四五六日天]))(?![一二三四五六日天至到次个個场場回遍趟轮])",
        _by_chinese_weekday,
        "cjk",
    ),
    _form(r"(?<![가-힣])(?P<w>그저께|오늘|어제|내일|모레)(?=[\s,.!?은는의까부도이에]|$)", _by_shift, "cjk"),
)

_NEEDS = (
    *(
        "day",
        "tomorrow",
        "night",
        "week",
        "morning",
        "afternoon",
        "evening",
        "gestern",
        "heute",
        "morgen",
        "tag",
        "woch",
    ),
    *(
        "ittwoch",
        "i dag",
        "igår",
        "i går",
        "morgon",
        "förrgår",
        "forgårs",
        "вчера",
        "сегодня",
        "завтра",
        "назад",
        "hui",
    ),
    *("hier", "demain", "ayer", "hoy", "vandaag", "gister", "overmorg", "天", "日", "晚", "早", "周", "星期", "礼拜"),
    *("오늘", "어제", "내일", "모레", "그저께"),
)
"""One of these is in any text that holds a word for a day."""
_SENTENCE = re.compile(r"[.!?;](?=\s)|[。！？；]|\n\s*\n")


def may_say_a_day(text: str) -> bool:
    """Tell at little cost whether a text can hold a word for a day at all."""
    lower = text.lower()
    return any(need in lower for need in _NEEDS)


def resolve(text: str, anchor: date, quoted: Sequence[Span]) -> tuple[RelativeWord, ...]:
    """Return the words for a day in a text, in order, resolved from the day it was written.

    Words in a quoted span, names of views and pages, weekly rules, durations and words that are already followed by a
    date are left out; so is what is no day, such as "next week".
    """
    if not may_say_a_day(text):
        return ()
    found: list[RelativeWord] = []
    for word in sorted(_found(text, anchor, quoted), key=lambda one: (one.start, -one.stop)):
        if not found or word.start >= found[-1].stop:
            found.append(word)
    return tuple(found)


def _found(text: str, anchor: date, quoted: Sequence[Span]) -> Iterator[RelativeWord]:
    bounds = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
    for pattern, resolver, style in _FORMS:
        for match in pattern.finditer(text):
            if is_quoted(quoted, match.start(), match.end()):
                continue
            place = min(bisect_right(bounds, match.start()), len(bounds) - 1)
            start, stop = max(bounds[place - 1], match.start() - REACH), min(bounds[place], match.end() + REACH)
            if not is_meant(match, text, (start, stop), style):
                continue
            try:
                day = _this_weekday(match, resolver(match, anchor), text[start:stop])
            except OverflowError:
                continue
            if day and day.isoformat() not in text[start:stop]:
                yield _word(text, match, day, style)


def _word(text: str, match: re.Match[str], day: date, style: str) -> RelativeWord:
    is_exact = (match.groupdict().get("unit") or "").casefold()[:1] not in {"w", "周", "н"}
    written = _written(text, match, day, style)
    return RelativeWord(match.start(), match.end(), " ".join(match[0].split()), day, written, is_exact)


def _this_weekday(match: re.Match[str], day: date | None, sentence: str) -> date | None:
    """Send "this Monday" back a week where the sentence tells of the past."""
    groups = match.groupdict()
    is_this = (groups.get("way") or "").casefold() in {"this", "diesen"} and groups.get("day")
    return day - timedelta(days=7) if day and is_this and PAST.search(sentence) else day


_PREPOSITION = re.compile(
    r"(?i)\b(?:since|until|till|by|from|before|after|for|of|on|to|through|between|than|around|about|during|over|past"
    r"|versus|vs|als|seit|bis|ab|vor|nach|von|zu|für|am)\s+[*_(\"“]{0,3}$"
)
_LABEL = re.compile(r"[(:：—–\[|/=→>]\s*$")
_IN_LIST = re.compile(
    r"(?i)(?:\d{4}-\d\d-\d\d|\b(?:yesterday|today|tomorrow|tonight|gestern|heute|morgen))(?:,|\s*[/+&]|,?\s+(?:and|or|und"
    r"|oder))\s*$"
)
_LIST_GOES_ON = re.compile(
    r"(?i)\s*(?:[.!?;)\]]|$|(?:,|[/+&]|,?\s*(?:and|or|und|oder)\s)\s*(?:\d{4}-|yesterday|today|tomorrow))"
)
_CLAUSE = re.compile(r"(?:^|[.!?;,]|\b(?:and|but|while|because|that|as|so))\s+$", re.IGNORECASE)
_VERB = re.compile(
    r"(?i)\s+(?:is|was|are|were|will|would|has|does|can|could|may|might|must|should|exists?|existed|became"
    r"|becomes|brings?|brought|marks?|marked|remains?|stays?|looks?|counts?|means?|isn|wasn|doesn|didn|hasn|hadn)(?=\b|n?['’]t)"
)
_SUBJECT = re.compile(r"(?i)\s*[:：]|['’]s\b")


def _written(text: str, match: re.Match[str], day: date, style: str) -> str:
    before, after = text[max(0, match.start() - REACH) : match.start()], text[match.end() : match.end() + REACH]
    groups = match.groupdict()
    iso = day.isoformat()
    if style == "cjk":
        return (" " if before[-1:].isalnum() else "") + iso + (" " if after[:1].isalnum() else "")
    if style == "bare":
        return iso
    name = groups.get("day")
    plain = f"{name[:1].upper()}{name[1:]} {iso}" if name else iso
    part = groups.get("part") or {"tonight": "evening", "last night": "night"}.get(
        " ".join(match[0].casefold().split())
    )
    if after.startswith(("'s", "’s")):
        return plain
    is_first = not before.strip(" \t\r\n-*+>_0123456789.") or re.search(r"[.!?]\s+$", before)
    if part:
        plain = f"the {part} of {plain}"
    if _is_bare(before, after, bool(is_first)):
        return plain[:1].upper() + plain[1:] if is_first else plain
    lead = "am" if style.startswith("de") else "on"
    return f"{lead.capitalize() if is_first else lead} {plain}"


def _is_bare(before: str, after: str, is_first: bool) -> bool:
    """Tell whether a day stands without "on": behind a preposition or label, in a list of days, as a subject."""
    if _PREPOSITION.search(before) or _LABEL.search(before):
        return True
    if _IN_LIST.search(before) and _LIST_GOES_ON.match(after):
        return True
    return bool((is_first and _SUBJECT.match(after)) or ((is_first or _CLAUSE.search(before)) and _VERB.match(after)))
