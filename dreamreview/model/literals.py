"""Which literals a text states: numbers, dates, paths, code, addresses and names that nobody could guess back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

REACH = 50_000
"""How many characters of one line are searched; what stands further out in a huge line is not listed."""
MOST = 1_000
"""Most literals of one text; the rest is not listed."""

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"[0-9]{1,2}(?:st|nd|rd|th)?"
DATE = (
    r"[0-9]{4}-[0-9]{1,2}(?:-[0-9]{1,2})?(?:[T ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?Z?)?(?![\w-])"
    r"|[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{4}"
    rf"|(?i:{_DAY} {_MONTH}\b\.?(?:,? [0-9]{{4}})?|{_MONTH}\.? {_DAY}\b(?:,? [0-9]{{4}})?)"
    r"|(?:[0-9]{4}年)?[0-9]{1,2}月[0-9]{1,2}日"
)
"""Pattern of the ways a day is written that a reader knows for a day."""

_LETTER = "A-Za-z_À-ɏͰ-ӿ"
"""Letters of scripts that part their words by blanks and have capitals."""

_LITERAL = re.compile(
    r"(?P<url>\b(?:https?|ssh|git|file)://[^\s<>()\[\]\"'`]{1,500})"
    r"|(?P<code>`{1,2}[^`\n]{1,200}`)"
    r"|(?P<mail>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6})"
    rf"|(?P<date>(?<![{_LETTER}0-9.])(?:{DATE}))"
    r"|(?P<path>(?<![\w./~-])(?:~|\.{1,2})?/?(?:[\w.@+-]{1,100}/){1,30}[\w.@+-]{0,100}"
    r"|(?<![\w./-])[\w@+-]{2,100}(?:\.[\w@+-]{1,40}){0,4}\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/]))"
    rf"|(?P<id>(?<![{_LETTER}0-9.])[0-9]{{1,40}}[A-Za-z_][A-Za-z0-9_]{{0,80}}(?![\w-]))"
    rf"|(?P<number>(?<![{_LETTER}0-9])[#$€£¥vV]?[0-9]{{1,40}}(?:[.,:][0-9]{{1,40}}){{0,20}}"
    r"(?: ?%|[A-Za-zµ°]{1,4}(?!\w))?)"
    rf"|(?P<word>(?<![{_LETTER}0-9])[{_LETTER}][{_LETTER}0-9'’-]{{0,80}})"
)
_ENUMERATOR = re.compile(r"\s*[0-9]{1,3}[.)]\s")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_STARTS = frozenset(".!?:;…。！？：—–-|([{\"“‘'>#/+=")
"""What stands before the first word of a sentence or phrase."""
_EMPHASIS = " \t*_~"


def literals_of(lines: Iterable[bytes]) -> tuple[str, ...]:
    """Return the literals of some lines, each once, in the order they are stated.

    They are web addresses, code spans, mail addresses, dates, paths, numbers with their sign or unit, words that hold a
    digit, an underscore or a capital inside, and capitalised words that do not start a sentence. At most `MOST` of
    them, none from beyond `REACH` characters of a line.
    """
    found: dict[str, str] = {}
    for line in lines:
        for literal in _in_line(line[: REACH * 4].decode("utf-8", "replace")[:REACH]):
            found.setdefault(literal.casefold(), literal)
            if len(found) >= MOST:
                return tuple(found.values())
    return tuple(found.values())


def _in_line(line: str) -> Iterator[str]:
    is_heading = _HEADING.match(line) is not None
    enumerator = _ENUMERATOR.match(line)
    start = enumerator.end() if enumerator else 0
    for match in _LITERAL.finditer(line, start):
        kind, text = match.lastgroup, match[0]
        if kind == "word":
            is_name = text[0].isupper() and len(text) > 1 and not is_heading and not _starts(line, match.start())
            if not (is_name or _is_identifier(text)):
                continue
            text = re.sub(r"['’]s?$|-+$", "", text)
        elif kind == "path" and not _is_path(text):
            yield from _names(line, match, is_heading=is_heading)
            continue
        elif kind == "code":
            text = text.strip("`").strip()
        elif kind in {"url", "path"}:
            text = text.rstrip(".,;:!?*")
        if any(character.isalnum() for character in text):
            yield text


def _is_identifier(word: str) -> bool:
    """Tell whether a word looks made rather than spoken: a digit, an underscore or a capital inside it."""
    inner = word[1:]
    if any(character.isdigit() or character == "_" for character in inner):
        return True
    return any(right.isupper() and left.islower() for left, right in zip(word, inner, strict=False))


def _is_path(text: str) -> bool:
    """Tell a path from two words with a slash between them."""
    return text[0] in "~./" or "." in text.rstrip(".") or text.count("/") > 1 or text.endswith("/")


def _names(line: str, match: re.Match[str], *, is_heading: bool) -> Iterator[str]:
    """Yield the names among words that a slash joins."""
    at = match.start()
    for word in match[0].split("/"):
        is_name = len(word) > 1 and word[0].isupper() and not is_heading and not _starts(line, at)
        if is_name or _is_identifier(word):
            yield word
        at += len(word)


def _starts(line: str, at: int) -> bool:
    """Tell whether a word that begins at a place begins a sentence or phrase."""
    before = line[max(at - 40, 0) : at].rstrip(_EMPHASIS)
    return not before or before[-1] in _STARTS
