"""Which amounts, times, days, versions and numbered things a text states, in units that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from dreamreview.dream.number_words import ONES, TENS
from dreamreview.dream.similarity import STOP_STEMS, Sort, Token
from dreamreview.dream.unit_words import UNITS
from dreamreview.dream.words import lines, words

_FOREIGN_NUMBERS = """
    zwei двух два две 2
    drei трёх трех три 3
    vier четырёх четырех четыре 4
    fünf пяти пять 5
    sechs шести шесть 6
    sieben семи семь 7
    acht восьми восемь 8
    neun девяти девять 9
    zehn десяти десять 10
    elf одиннадцати одиннадцать 11
    zwölf двенадцати двенадцать 12
    fünfzehn пятнадцати пятнадцать 15
    zwanzig двадцати двадцать 20
    dreißig тридцати тридцать 30
    vierzig сорока сорок 40
    fünfzig пятидесяти пятьдесят 50
    sechzig шестидесяти шестьдесят 60
    neunzig девяноста девяносто 90
    hundert ста сто 100
"""
_NUMBER_WORDS = (
    {word: float(value) for word, value in (ONES | TENS).items()}
    | {"zero": 0.0, "hundred": 100.0, "thousand": 1000.0, "half": 0.5, "dozen": 12.0}
    | {word: float(amount) for *names, amount in map(str.split, lines(_FOREIGN_NUMBERS)) for word in names}
)

WEEKDAYS = {
    name: day
    for day, names in enumerate(
        (
            "monday mondays mon montag montags понедельник понедельникам lundi 周一 星期一 月曜",
            "tuesday tuesdays tue tues dienstag dienstags вторник вторникам mardi 周二 星期二 火曜",
            "wednesday wednesdays wed mittwoch mittwochs среда среду средам mercredi 周三 星期三 水曜",
            "thursday thursdays thu thurs donnerstag donnerstags четверг четвергам jeudi 周四 星期四 木曜",
            "friday fridays fri freitag freitags пятница пятницу пятницам vendredi 周五 星期五 金曜",
            "saturday saturdays samstag samstags суббота субботу субботам samedi 周六 星期六 土曜",
            "sunday sundays sonntag sonntags воскресенье воскресеньям dimanche 周日 星期日 日曜",
        )
    )
    for name in names.split()
}
_MONTHS = {
    name: month
    for month, names in enumerate(
        lines(
            """
            january jan
            february feb
            march mar
            april apr
            may
            june jun
            july jul
            august aug
            september sep sept
            october oct
            november nov
            december dec
            """
        ),
        start=1,
    )
    for name in names.split()
}

ORDINALS = words(
    """
    pr mr cl issue ticket episode season week chapter page step line part room phase case sprint iteration build
    number no bug task day item section figure table row volume lesson level round floor game match q quarter
    type route invoice order batch run job shard studio group class grade line test drill newsletter
    seed model gate dock kiln oven furnace boiler berth pier platform bay lane shelf rack box locker cabin seat
    building block station camera sensor machine printer server truck bus tram train boat ship pump valve tank silo
    door window desk apartment flat house hall stage booth cell battery panel board disk bed ward court field hut
    elevator lift crane tower mast antenna turbine tunnel bridge well greenhouse garage shed stall pen loop coil probe
    """
)
"""Words whose number names one of many: another number is another thing, not another value."""

_LETTERS = frozenset("shdmglWxB")
"""Letters that are a unit in this case only: ``2 d`` is two days, ``2D`` is not."""
MOST = 24
"""Amounts of a text that are held against those of another."""
_EVERY = words("every each per")
_TO = words("to bis до")
_ORDINAL_ENDINGS = words("st nd rd th")


@dataclass(frozen=True, slots=True)
class Value:
    """One amount that a text states."""

    dimension: str
    """``time``, ``size``, ``euro``, ``clock``, ``weekday``, ``date``, ``version``, ``count``, ``label``, .."""
    amount: float | str
    about: frozenset[str] = frozenset()
    """Stems of what is counted or labelled; empty where the dimension says it all."""
    raw: str = ""
    names: bool = False
    """Whether the number names a thing (ticket 7) rather than measures one."""
    place: int = 0
    """Its first token."""
    size: int = 1
    """How many tokens it is made of."""

    @property
    def is_loose(self) -> bool:
        """Whether it has no unit of its own."""
        return self.dimension in ("count", "label", "number", "version")

    @property
    def key(self) -> str:
        """What it is compared by among the words of a text."""
        amount = f"{self.amount:g}" if isinstance(self.amount, float) else self.amount
        return f"={amount}" if self.is_loose else f"={_bare(self.dimension)}:{amount}"


def values_of(tokens: Sequence[Token]) -> tuple[Value, ...]:
    """Return the amounts that tokens state, in order; the ends of a range (08:00-16:00) measure a range."""
    found = list(_values(tokens))
    for place, (near, far) in enumerate(pairwise(found)):
        if near.dimension == far.dimension == "clock" and far.place - near.place == near.size:
            found[place] = replace(near, dimension="clock/range")
            found[place + 1] = replace(far, dimension="clock/range")
    return tuple(found)


def _values(tokens: Sequence[Token]) -> Iterator[Value]:
    for place, token in enumerate(tokens):
        if token.sort is Sort.NUMBER:
            yield replace(_number(tokens, place, amount_of(token.raw), token.raw), place=place)
        elif token.sort is Sort.CLOCK:
            yield Value("clock", _clock(token.raw), raw=token.raw, place=place)
        elif token.sort is Sort.DATE:
            yield Value("date", token.raw[:10], raw=token.raw, place=place)
        elif token.sort is Sort.VERSION:
            yield Value("version", token.key.lstrip("v"), _about(tokens, place - 1), token.raw, place=place)
        elif token.sort in (Sort.WORD, Sort.CJK):
            for value in _word(tokens, place):
                yield replace(value, place=place)


def _word(tokens: Sequence[Token], place: int) -> Iterator[Value]:
    token = tokens[place]
    low = token.raw.casefold()
    if low in WEEKDAYS and (token.raw[0].isupper() or len(low) > 4 or not low.isascii()):
        yield Value("weekday", float(WEEKDAYS[low]), raw=token.raw)
    elif low in ("noon", "midday", "midnight"):
        yield Value("clock", 0.0 if low == "midnight" else 12 * 60.0, raw=token.raw)
    elif low in _NUMBER_WORDS:
        value = _number(tokens, place, _NUMBER_WORDS[low], token.raw)
        if value.dimension not in ("number", "label") and not (low == "one" and value.dimension == "count"):
            yield value


def _number(tokens: Sequence[Token], place: int, amount: float, raw: str) -> Value:
    after = _next(tokens, place, amount == 0.5)
    before = tokens[place - 1] if place else None
    if before is not None and before.sort is Sort.CJK and before.raw.endswith("第"):
        return Value("label", amount, frozenset((after.raw[:1],)) if after else frozenset(), f"第{raw}", names=True)
    end = _range_end(tokens, place)
    if end is not None and (unit := _unit(_token(tokens, end + 1))):
        return Value(unit[0], round(amount * unit[1], 6), raw=raw)
    unit = None if _is_product(tokens, place) else _unit(after)
    if unit and after is not None:
        every = before is not None and before.raw.casefold() in _EVERY
        size = 3 if amount == 0.5 and tokens[place + 1] is not after else 2
        return Value(
            unit[0] + ("/every" if every else ""), round(amount * unit[1], 6), raw=f"{raw} {after.raw}", size=size
        )
    if after is not None and after.sort is Sort.CJK and after.raw.startswith(("点", "時")):
        return Value("clock", amount * 60, raw=raw)
    if before is not None and (before.raw in "€$£" and before.raw):
        return Value(UNITS[before.raw][0], amount, raw=before.raw + raw)
    if _is_day_of_month(tokens, place, amount):
        return Value("day of month", amount, raw=f"{raw}{tokens[place + 1].raw}", size=2)
    month = _month(before) or _month(after)
    if month and 1 <= amount <= 31:
        return Value("monthday", month * 100 + amount, raw=raw)
    return _counted(tokens, place, amount, raw)


def _is_day_of_month(tokens: Sequence[Token], place: int, amount: float) -> bool:
    """Tell whether a number is a day of whichever month: "on the 3rd", "by the 12th of the month before"."""
    ending, after = (_token(tokens, place + 1), _token(tokens, place + 2))
    before = _token(tokens, place - 1)
    if ending is None or ending.raw not in _ORDINAL_ENDINGS or not 1 <= amount <= 31 or amount != int(amount):
        return False
    is_thing = after is not None and after.sort not in (Sort.SIGN, Sort.CLOCK) and after.key not in STOP_STEMS
    return (
        before is not None and before.raw.casefold() == "the" and not is_thing and not _dates_month(tokens, place + 2)
    )


def _dates_month(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether "of May" follows: then it is a day of that month."""
    of, month = _token(tokens, place), _token(tokens, place + 1)
    return of is not None and of.raw == "of" and _month(month) is not None


def _token(tokens: Sequence[Token], place: int) -> Token | None:
    return tokens[place] if 0 <= place < len(tokens) else None


def _counted(tokens: Sequence[Token], place: int, amount: float, raw: str) -> Value:
    before = _about(tokens, place - 1)
    counted = _about(tokens, place + 1) | (_about(tokens, place + 2) if _about(tokens, place + 1) else frozenset())
    label = tokens[place - 1] if before else None
    if label is not None and (label.raw[0].isupper() or label.key in ORDINALS or not counted):
        named = label.key in ORDINALS or label.raw.casefold() in ORDINALS or _heads_text(tokens, place)
        return Value("label", amount, before, f"{label.raw} {raw}", names=named)
    if counted:
        return Value("count", amount, counted, raw)
    return Value("number", amount, raw=raw)


def _range_end(tokens: Sequence[Token], place: int) -> int | None:
    """Return where the second number of a range stands: "7-10 minutes", "7 to 10 minutes"; None for no range."""
    after = _token(tokens, place + 1)
    joins = after is not None and (after.raw.casefold() in _TO or after.raw.strip() in ("-", "–", "—"))
    end = place + 1 + joins
    last = _token(tokens, end)
    return end if last is not None and last.sort is Sort.NUMBER else None


def _is_product(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a number is the first side of an area: 30 x 40."""
    pair = tokens[place + 1 : place + 3]
    return len(pair) == 2 and pair[0].raw in ("x", "×", "by") and pair[1].sort is Sort.NUMBER


def _heads_text(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a label and its number stand as the heading of a sentence: "Track 2: .."."""
    after = _next(tokens, place, skip_article=False)
    return tokens[place - 1].starts and after is not None and after.sort is Sort.SIGN


def _about(tokens: Sequence[Token], place: int) -> frozenset[str]:
    if 0 <= place < len(tokens):
        token = tokens[place]
        if token.sort is Sort.WORD and token.key not in STOP_STEMS and token.raw.casefold() not in _NUMBER_WORDS:
            return frozenset((token.key,))
    return frozenset()


def _next(tokens: Sequence[Token], place: int, skip_article: bool) -> Token | None:
    place += 1
    if skip_article and place < len(tokens) and tokens[place].raw.casefold() in ("a", "an"):
        place += 1
    return tokens[place] if place < len(tokens) else None


def _unit(token: Token | None) -> tuple[str, float] | None:
    if token is None:
        return None
    if token.sort is Sort.CJK:
        return next((UNITS[token.raw[:size]] for size in (2, 1) if token.raw[:size] in UNITS), None)
    if len(token.raw) == 1 and token.raw.isalpha() and token.raw.isascii() and token.raw not in _LETTERS:
        return None
    return UNITS.get(token.raw.casefold())


def _month(token: Token | None) -> int | None:
    if token is None or token.sort is not Sort.WORD or not token.raw[0].isupper():
        return None
    return _MONTHS.get(token.raw.casefold())


def amount_of(raw: str) -> float:
    """Read a number, thousands grouped by blank, comma, point or apostrophe; a comma before other digits is a point."""
    raw = re.sub("['’]s$", "", raw)
    scale = {"K": 1e3, "k": 1e3, "M": 1e6}.get(raw[-1:], 1.0)
    text = raw.replace("−", "-").lstrip("+").rstrip("KkM")
    if re.fullmatch(r"-?\d{1,3}(?:[ ,.’']\d{3})+(?:\.\d+)?", text) and not re.fullmatch(r"-?\d{1,3}\.\d{3}", text):
        head, point, tail = (
            text.partition(".") if text.count(".") == 1 and re.search(r"[ ,’']", text) else (text, "", "")
        )
        text = re.sub(r"[ ,.’']", "", head) + point + tail
    return float(text.replace(",", ".").replace(" ", "")) * scale


def _clock(raw: str) -> float:
    match = re.match(r"(\d{1,2})(?::(\d\d))?", raw)
    if match is None:
        return 0.0
    hour, minute = int(match[1]), int(match[2] or 0)
    late = re.search(r"p\.?m", raw.casefold()) is not None
    if re.search(r"[ap]\.?m", raw.casefold()):
        hour = hour % 12 + (12 if late else 0)
    return hour * 60.0 + minute


def clashes(one: Sequence[Value], other: Sequence[Value]) -> tuple[tuple[Value, Value], ...]:
    """Return pairs of values that measure the same and differ, where neither has its equal on the other side.

    Of many, the first `MOST` of either side.
    """
    mine = list(islice((value for value in one if not any(_equal(value, far) for far in other)), MOST))
    theirs = list(islice((value for value in other if not any(_equal(value, near) for near in one)), MOST))
    return tuple((near, far) for near in mine for far in theirs if _comparable(near, far))


def agreements(one: Sequence[Value], other: Sequence[Value]) -> int:
    """Return how many values of one text have their equal in the other."""
    return sum(any(_equal(value, far) for far in other) for value in one)


def _equal(one: Value, other: Value) -> bool:
    if one.amount != other.amount:
        return False
    loose = {"count", "label", "number", "version"}
    if one.about and other.about and not one.about & other.about and {one.dimension, other.dimension} <= loose:
        return False
    near, far = one.dimension, other.dimension
    return _bare(near) == _bare(far) or {near, far} <= loose


def _bare(dimension: str) -> str:
    """Return what is measured, once or each time ("every 100 km" and "after 100 km"); how often stays apart."""
    return dimension if dimension == "time/every" else dimension.removesuffix("/every")


def _comparable(one: Value, other: Value) -> bool:
    if one.dimension != other.dimension:
        return {one.dimension, other.dimension} == {"count", "label"} and bool(one.about & other.about)
    return bool(one.about & other.about) or one.about == other.about
