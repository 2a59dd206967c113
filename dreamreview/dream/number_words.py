"""Numbers that are said in several words, in digits: "twenty-five", "two thousand", "one and a half"."""

from __future__ import annotations

import re

UNITS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
}  # fmt: skip
TEENS = {
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
"""English words for numbers below a hundred."""
ONES = UNITS | TEENS
_SCALES = {"thousand": 1_000, "million": 1_000_000}
_GERMAN_ONES = {
    "ein": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9,
}  # fmt: skip
_GERMAN_TENS = {
    "zwanzig": 20, "dreißig": 30, "dreissig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70,
    "achtzig": 80, "neunzig": 90,
}  # fmt: skip
_UNIT = f"(?:{'|'.join(UNITS)})"
_BELOW_100 = f"(?:(?:{'|'.join(TENS)})(?:[- ]{_UNIT})?|{'|'.join(TEENS)}|{_UNIT})"
_BELOW_1000 = f"(?:(?:(?:{_UNIT}|a) )?hundred(?:(?: and)? {_BELOW_100})?|{_BELOW_100})"
_BEGIN = f"(?=(?:a )?(?:hundred|thousand|million)\\b|(?:{'|'.join((*TENS, *ONES))})\\b)"
_MILLIONS = rf"(?:(?:{_BELOW_1000}|a) million\b(?: (?:and )?(?={_BELOW_1000}\b|thousand\b))?)?"
_THOUSANDS = rf"(?:(?:(?:{_BELOW_1000}|a) )?thousand\b(?: (?:and )?(?={_BELOW_1000}\b))?)?"
_SEVERAL = re.compile(rf"\b{_BEGIN}{_MILLIONS}{_THOUSANDS}(?:{_BELOW_1000}\b)?", re.IGNORECASE)
_GERMAN = re.compile(rf"\b(?P<ones>{'|'.join(_GERMAN_ONES)})und(?P<tens>{'|'.join(_GERMAN_TENS)})\b", re.IGNORECASE)
_AND_HALF = re.compile(rf"\b(?P<whole>\d{{1,6}}|{'|'.join(ONES)}) and a half\b", re.IGNORECASE)
_UNIT_AND_HALF = re.compile(
    rf"\b(?P<whole>an?|\d{{1,6}}|{'|'.join(ONES)}) (?P<unit>hour|day|week|month|year|minute)s? and a half\b",
    re.IGNORECASE,
)
_QUARTERS = re.compile(
    r"\b(?:(?P<three>three|3) quarters|(?:(?:an?|one|1) )?quarter) of an hour\b",
    re.IGNORECASE,
)
_DOZEN = re.compile(rf"\b(?P<count>an?|\d{{1,6}}|{'|'.join(ONES)}) dozen\b", re.IGNORECASE)
_PERCENT = re.compile(r"(?<=\w) per cent\b", re.IGNORECASE)
_SPEED = re.compile(r"\b(?P<unit>kilomet(?:re|er)s?|km|miles?) (?:per|an) hour\b", re.IGNORECASE)
_TIMES_AN_HOUR = re.compile(
    rf"\b(?P<count>\d{{1,2}}|{'|'.join(ONES)}) times (?:an|per|each|every) hour\b", re.IGNORECASE
)
_TELLING = re.compile(
    r"hundred|thousand|million|dozen|quarter|half|per cent|(?:an|per|each|every) hour"
    r"|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[- ]"
    r"|und(?:zwanzig|drei|vierz|fünfz|sechz|siebz|achtz|neunz)",
    re.IGNORECASE,
)
"""What a text holds that says a number in several words."""


def in_digits(text: str) -> str:
    """Return a text with numbers of several words in digits; single words stay as they are."""
    if not _TELLING.search(text):
        return text
    text = _SEVERAL.sub(_several, text)
    text = _GERMAN.sub(
        lambda match: str(_GERMAN_ONES[match["ones"].lower()] + _GERMAN_TENS[match["tens"].lower()]), text
    )
    text = _AND_HALF.sub(lambda match: f"{_whole(match['whole'])}.5", text)
    text = _UNIT_AND_HALF.sub(lambda match: f"{_whole(match['whole'])}.5 {match['unit']}s", text)
    text = _QUARTERS.sub(lambda match: "45 minutes" if match["three"] else "15 minutes", text)
    text = _DOZEN.sub(lambda match: str(12 * _whole(match["count"])), text)
    text = _SPEED.sub(lambda match: "mph" if match["unit"].lower().startswith("mile") else "km/h", text)
    text = _TIMES_AN_HOUR.sub(_rhythm, text)
    return _PERCENT.sub(" percent", text)


def _whole(word: str) -> int:
    low = word.lower()
    return int(low) if low.isdigit() else ONES.get(low, 1)


def _rhythm(match: re.Match[str]) -> str:
    """Say how often in an hour something is done by the minutes between, where these are whole."""
    count = _whole(match["count"])
    return f"every {60 // count} minutes" if count > 1 and 60 % count == 0 else match[0]


def _several(match: re.Match[str]) -> str:
    """Give a number in digits; one word stays, with its article."""
    said = [word for word in re.findall(r"[a-z]+", match[0].lower()) if word not in ("a", "and")]
    if len(said) < 2:
        return match[0]
    total = current = 0
    for word in said:
        if word == "hundred":
            current = max(current, 1) * 100
        elif word in _SCALES:
            total, current = total + max(current, 1) * _SCALES[word], 0
        else:
            current += TENS.get(word) or ONES[word]
    return str(total + current)
