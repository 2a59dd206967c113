"""How amounts are said in several words, and the plain form that all comparisons see."""

from __future__ import annotations

import re

from dreamreview.dream.number_words import ONES, TENS, in_digits

_NUMBER = rf"(?:\d|(?:{'|'.join((*ONES, *TENS))}|half|once|twice)\b)"
_ABOVE, _BELOW = (
    r"(?:more|higher|longer|later|greater|larger|over)",
    r"(?:less|fewer|lower|earlier|shorter|smaller|under)",
)
_AT_MOST = re.compile(rf"\b(?:no|not|never) {_ABOVE} than\b", re.IGNORECASE)
_AT_LEAST = re.compile(rf"\b(?:no|not|never) {_BELOW} than\b", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?P<denial>no(?! one\b)|nobody|no one|none|never|not(?! only\b)|cannot|(?P<verb>[a-z]+)n't)\b"
    r"(?P<between>(?: (?!(?:if|that|when|because|which|who|whether|but|since|unless|than)\b)[\w'`/-]+){1,8}?)"
    rf" (?P<than>{_ABOVE}|{_BELOW}) than(?= {_NUMBER})",
    re.IGNORECASE,
)
"""A denial some words before its bound: "nobody may carry more than two"."""
_EXCEEDS = re.compile(
    rf"\b(?:(?P<verb>must|should|may|shall|can|do|does|will) not|(?P<never>never)) exceeds?(?= {_NUMBER})",
    re.IGNORECASE,
)
_VERBS = {"ca": "can", "wo": "will", "sha": "shall"}
_EVERY = re.compile(
    r"\b(?P<each>every|each) (?P<ordinal>second|other|2nd|third|3rd|fourth|4th|fifth|5th|sixth|6th|tenth|10th)"
    r" (?P<unit>minute|hour|day|night|week|month|year)\b",
    re.IGNORECASE,
)
_ORDINALS = {
    "second": 2, "other": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "sixth": 6, "6th": 6, "tenth": 10, "10th": 10,
}  # fmt: skip


def plain_amounts(text: str) -> str:
    """Return a text with its bounds as "at most" and "at least", "every third week" as every 3 weeks, and numbers of
    several words in digits.
    """
    text = _AT_LEAST.sub("at least", _AT_MOST.sub("at most", in_digits(text)))
    if " than " in text:
        text = _DENIED.sub(_bound, text)
    text = _EXCEEDS.sub(_exceeding, text)
    return _EVERY.sub(lambda match: f"{match['each']} {_ORDINALS[match['ordinal'].casefold()]} {match['unit']}s", text)


def _bound(match: re.Match[str]) -> str:
    """Say a bound where a denial and its "more than" stood: who may do no more than that may do at most that."""
    denial = match["denial"].casefold()
    if match["verb"]:
        verb = match["verb"].casefold()
        said = _VERBS.get(verb, verb)
    else:
        said = {"cannot": "can", "no": "a", "nobody": "anybody", "no one": "anybody", "none": "each"}.get(denial, "")
    bound = "at most" if re.fullmatch(_ABOVE, match["than"], re.IGNORECASE) else "at least"
    return f"{said}{match['between']} {bound}".lstrip()


def _exceeding(match: re.Match[str]) -> str:
    return f"{match['verb']} be at most" if match["verb"] else "is at most"
