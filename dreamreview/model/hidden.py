"""What a text holds that its reader does not see: characters without a shape, reversed runs, parts a page leaves out.

Two sorts: what has no place in a note whatever it says (`hidden_in`), and where a page that is drawn shows nothing, so
that it depends on what stands there (`unseen_in`): comments, titles of links, attributes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from dreamreview.model.patterns import Pattern

LONGEST_SAID = 300
"""Characters of what was hidden that are told."""
_READ = 2_000
"""Characters of it that are read."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A part of a text that is not drawn."""

    start: int
    stop: int
    """One past its last character."""
    kind: str
    """How it is hidden, to stand behind "hidden": ``in tag characters``."""
    said: str
    """What it says once it is seen; empty where that cannot be told."""


_TAG = 0xE0000
_TAGS = Pattern("(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0000-\U000e007f]{2,2000}")
_SELECTORS = Pattern("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,2000}")
_WIDTHLESS = "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u180e\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5"
_WIDTHLESS_RUN = Pattern(f"[{_WIDTHLESS}\u00ad]{{2,4000}}")
_IN_A_WORD = Pattern(f"(?<=[A-Za-z0-9])[{_WIDTHLESS}](?=[A-Za-z0-9])")
_TURNED = Pattern("[\u202d\u202e](?P<said>[^\u202c\n]{0,400})")
_EMBEDDED = Pattern("[\u202a\u202b\u2066-\u2068](?P<said>[^\u202c\u2069\n]{0,400})")
_FAR = Pattern(r"(?<=\S)[ \t\u00a0]{120,}(?P<said>\S[^\n]{0,400})")
_CONCEALED = Pattern("\x1b\\[(?:[0-9]{1,3};){0,6}8m(?P<said>[^\x1b\n]{0,400})")
_STRUCK = Pattern("\x08{2,400}")
_OVERWRITTEN = Pattern(r"\r(?=[^\r\n])")
_MIXED_WORD = Pattern(r"(?<!\w)(?=[A-Za-z]{0,39}[\u0370-\u0556])[^\W\d_]{3,40}(?!\w)")
_STYLE = (
    r"(?:display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden"
    r"|font-size\s{0,3}:\s{0,3}[01](?:px|pt|em|rem|%)?\s{0,3}[;\"']"
    r"|opacity\s{0,3}:\s{0,3}0(?:\.0{1,3})?\s{0,3}[;\"']"
    r"|(?<!-)color\s{0,3}:\s{0,3}(?:#f{3}(?:f{3})?\b|white\b|transparent\b)"
    r"|(?:left|top|text-indent)\s{0,3}:\s{0,3}-\d{3,6})"
)
_UNDRAWN = Pattern(
    rf"<(?P<tag>[a-z]{{1,12}})\b(?:[^<>]{{0,300}}?\bstyle\s{{0,3}}=\s{{0,3}}[\"'][^<>\"']{{0,300}}?{_STYLE}[^<>]{{0,300}}|"
    r"[^<>]{0,300}?[ \t]hidden(?=[\s>=/])[^<>]{0,300}|"
    r"[^<>]{0,300}?\bcolor\s{0,3}=\s{0,3}[\"']?(?:white|#f{3}(?:f{3})?)\b[^<>]{0,300})>"
    r"(?P<said>[^<]{0,2000})(?:</(?P=tag)[ \t]{0,3}>)?",
    re.IGNORECASE,
)
_NAMED_COMMENT = Pattern(
    r"^[ \t]{0,3}\[[^\[\]\n]{1,60}\]:[ \t]{0,4}(?:#|<>|\S{1,300})[ \t]{1,4}"
    r"[(\"'](?P<said>[^\n]{1,2000})[)\"'][ \t\r]*$",
    re.MULTILINE,
)
_TITLE = Pattern(r"\]\([^()\s]{0,600}[ \t]{1,3}[\"'(](?P<said>[^\n\"]{1,1000})[\"')][ \t]*\)")
_ALT = Pattern(r"!\[(?P<said>[^\[\]\n]{12,600})\]\(")
_ATTRIBUTE = Pattern(
    r"<[a-z][^<>]{0,600}?\b(?:title|alt|aria-label|data-[a-z\-]{1,30}|content|summary)\s{0,3}=\s{0,3}"
    r"\"(?P<said>[^\"<>]{12,1000})\"",
    re.IGNORECASE,
)
_LOOKS_LATIN = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405\u050c"
    "\u03bf\u03b1\u03bd\u03c1\u03c4\u03c5\u03b9"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
    "aeopcyxijshdqwABEKMHOPCTYXIJSGoavptuiABEZHIKMNOPTYX",
)


def look_through(text: str) -> str:
    """Return a text with the Cyrillic and Greek letters that look like Latin ones read as these."""
    return text if text.isascii() else text.translate(_LOOKS_LATIN)


def hidden_in(text: str) -> Iterator[Hidden]:
    """Yield what a text hides by means that a note has no use for."""
    if not text.isascii():
        yield from _invisible(text)
        yield from _reversed(text)
        yield from _mixed(text)
    if "<" in text:
        for match in _UNDRAWN.finditer(text):
            if len(match["said"].split()) > 1:
                yield _told(match, "in HTML that is not drawn", match["said"])
    if "   " in text or "\t\t" in text:
        yield from (_told(match, "far to the right", match["said"]) for match in _FAR.finditer(text))
    if any(char in text for char in "\r\x08\x1b"):
        yield from _overdrawn(text)


def unseen_in(text: str) -> Iterator[Hidden]:
    """Yield the parts of a text that a page made of it does not show; most of them are harmless."""
    if "<!--" in text:
        yield from _comments(text)
    if "]:" in text:
        yield from (_told(match, "in a comment", match["said"]) for match in _NAMED_COMMENT.finditer(text))
    if "](" in text:
        yield from (_told(match, "in the title of a link", match["said"]) for match in _TITLE.finditer(text))
        yield from (_told(match, "in the text of a picture", match["said"]) for match in _ALT.finditer(text))
    if "<" in text:
        yield from (_told(match, "in an attribute", match["said"]) for match in _ATTRIBUTE.finditer(text))


def _comments(text: str) -> Iterator[Hidden]:
    """Yield the comments of a text; one without an end reaches to the end of the text."""
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        stop = len(text) if end < 0 else end + 3
        said = text[start + 4 : len(text) if end < 0 else end]
        yield Hidden(start, stop, "in a comment", " ".join(said[:_READ].split())[:LONGEST_SAID])
        start = text.find("<!--", stop)


def _told(match: re.Match[str], kind: str, said: str) -> Hidden:
    return Hidden(match.start(), match.end(), kind, " ".join(said[:_READ].split())[:LONGEST_SAID])


def _invisible(text: str) -> Iterator[Hidden]:
    for match in _TAGS.finditer(text):
        seen = (chr(ord(char) - _TAG) for char in match[0])
        yield _told(match, "in tag characters", "".join(char for char in seen if " " <= char < "\x7f"))
    for match in _SELECTORS.finditer(text):
        yield _told(match, "in variation selectors", _from_selectors(match[0]))
    for match in _WIDTHLESS_RUN.finditer(text):
        if not _joins_signs(text, match):
            yield _told(match, "in characters without width", _from_bits(match[0]))
    reach = 0
    for match in _IN_A_WORD.finditer(text):
        if match.start() < reach:
            continue
        begin, reach = _word_around(text, match)
        end = reach
        said = "".join(char for char in text[begin:end] if char not in _WIDTHLESS)
        yield Hidden(begin, end, "by characters without width amid a word", said)


def _word_around(text: str, match: re.Match[str]) -> tuple[int, int]:
    begin, end = match.start(), match.end()
    while begin and not text[begin - 1].isspace() and match.start() - begin < 40:
        begin -= 1
    while end < len(text) and not text[end].isspace() and end - match.end() < 40:
        end += 1
    return begin, end


def _joins_signs(text: str, match: re.Match[str]) -> bool:
    """Tell whether a short run stands where letters or pictures need one: beside what is neither Latin nor a blank."""
    around = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
    return len(match[0]) <= 2 and any(not char.isascii() for char in around)


def _from_selectors(run: str) -> str:
    codes = (ord(char) for char in run)
    data = bytes(code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16 for code in codes)
    return _as_text(data)


def _from_bits(run: str) -> str:
    """Return what a run of two kinds of characters spells, eight of them to a byte."""
    kinds = sorted(set(run))
    if len(kinds) != 2 or len(run) < 16:
        return ""
    for zero in kinds:
        bits = "".join("0" if char == zero else "1" for char in run)
        text = _as_text(bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8)))
        if text:
            return text
    return ""


def _as_text(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() else ""


def _reversed(text: str) -> Iterator[Hidden]:
    for match in _TURNED.finditer(text):
        yield _told(match, "by characters that turn the direction", match["said"])
    for match in _EMBEDDED.finditer(text):
        if not any(unicodedata.bidirectional(char) in {"R", "AL", "AN"} for char in text):
            yield _told(match, "by characters that turn the direction", match["said"])


def _mixed(text: str) -> Iterator[Hidden]:
    """Yield words in which letters of another alphabet stand for Latin ones that look alike."""
    for match in _MIXED_WORD.finditer(text):
        word = match[0]
        through = look_through(word)
        latin = sum(char.isascii() and char.isalpha() for char in word)
        if latin >= 2 and through != word and through.isascii():
            yield _told(match, "by letters of another alphabet that look alike", through)


def _overdrawn(text: str) -> Iterator[Hidden]:
    yield from (_told(match, "by a terminal code", match["said"]) for match in _CONCEALED.finditer(text))
    for pattern, kind in ((_STRUCK, "by steps back"), (_OVERWRITTEN, "by a return of the carriage")):
        for match in pattern.finditer(text):
            begin = max(text.rfind("\n", 0, match.start()) + 1, match.start() - LONGEST_SAID)
            yield Hidden(begin, match.end(), kind, " ".join(text[begin : match.start()].split()))
