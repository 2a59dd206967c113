"""What a single line of markdown looks like: rule, heading, list item, table row, label."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RULE_CHARS = frozenset("-*_=~—–─━═")
_HEADING = re.compile(r" {0,3}(?P<level>#{1,6})(?:[ \t]+(?P<title>.*))?$", re.DOTALL)
_BULLET = re.compile(
    r"(?P<indent>[ \t]*)(?:(?P<marker>[-*+·])(?:[ \t]+|$)|(?P<dot>[•‣◦▪●○])[ \t]*"
    r"|(?P<number>\d{1,3})(?:[.)](?:[ \t]+|$)|、[ \t]*))"
)
_BOLD_LINE = re.compile(r"(?P<mark>\*\*|__)(?P<title>[^*_\s](?:[^*\n]{0,78}[^*\s])?)(?P=mark)[ \t]*[:：]?[ \t]*$")
_BRACKET_LINE = re.compile(r"\[(?P<title>[^\W\d][^\[\]\n]{0,58})\][ \t]*$")
_BOLD_LEAD = re.compile(r"(?:\*\*|__)(?P<lead>[^*\n]{1,120}?)(?P<colon>[:：]?)(?:\*\*|__)(?P<after>[ \t]*[:：])?(?!\w)")
_LABEL = re.compile(
    r"(?:(?:why|how|warum|pourquoi|por qué|почему)(?: \w+){0,4}|when(?: to \w+)?|reason(?:ing|s)?|rationale|because"
    r"|context|background|(?:for )?examples?|e\.g|evidence|sources?|impact|consequences?|exceptions?|caveats?"
    r"|applies(?: to)?|(?:root )?cause|grund|hintergrund|beispiele?|quellen?|(?:wie|cómo|как)(?: \w+){0,3}|wann|raison"
    r"|contexte|exemple|motivo|contexto|ejemplo|причина|контекст|пример|为什么|为何|原因|理由|背景|如何应用|如何|怎么用"
    r"|应用|用法|例子|示例|何时|なぜ|適用方法|適用|例|왜|이유|배경|적용|예)",
    re.IGNORECASE,
)
_KEY_VALUE = re.compile(r"\S.{0,60}?[:：](?:\*\*)?[ \t]+\S")
_TAG_LINE = re.compile(r"</?[A-Za-z][\w:.-]{0,60}(?:\s[^<>]{0,200})?/?>$")
_LIST_PREFIX = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?")
_FENCE = re.compile(r"(?P<run>`{3,}|~{3,})(?P<info>.*)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Bullet:
    """The start of a list item."""

    indent: int
    """Columns before the marker, a tab as four."""
    marker: str
    number: int | None
    start: int
    """First character of its text."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A line that can open or close a code fence."""

    char: str
    count: int
    info: str
    is_quoted: bool


def is_rule(text: str) -> bool:
    """Tell whether a line is a thematic break or a line of drawing characters."""
    marks = text.replace(" ", "").replace("\t", "").rstrip("\r")
    return len(marks) >= 3 and marks[0] in _RULE_CHARS and not marks.strip(marks[0])


def atx_heading(text: str) -> tuple[int, str] | None:
    """Return level and title of a ``#`` heading; ``#41`` and ``#tag`` are none."""
    match = _HEADING.match(text)
    if match is None:
        return None
    title = (match["title"] or "").strip()
    bare = title.rstrip("#")
    return len(match["level"]), bare.rstrip() if bare != title and bare[-1:] in ("", " ", "\t") else title


def bold_title(text: str) -> str | None:
    """Return the words of a line that is nothing but one short bold phrase or one bracketed name."""
    stripped = text.rstrip()
    match = _BOLD_LINE.match(stripped) or _BRACKET_LINE.match(stripped)
    if match is None:
        return None
    title = match["title"].rstrip(":：").strip()
    is_sentence = title.endswith((".", "!", "?", "。", "！", "？", ";", ",")) or len(title.split()) > 9
    return None if is_sentence or not title else title


def bullet(text: str) -> Bullet | None:
    """Return the list marker that a line starts with, if it does."""
    match = _BULLET.match(text)
    if match is None or is_rule(text):
        return None
    number = int(match["number"]) if match["number"] else None
    marker = match["marker"] or match["dot"] or "1."
    return Bullet(indent_of(text), marker, number, match.end())


def indent_of(text: str) -> int:
    """Return the columns of white space that a line starts with, a tab as up to four."""
    blank = text[: len(text) - len(text.lstrip(" \t"))]
    return len(blank.expandtabs(4)) if "\t" in blank else len(blank)


def fence(text: str) -> Fence | None:
    """Return what a line has of a code fence, also after list markers and in quotes."""
    if "```" not in text and "~~~" not in text:
        return None
    rest = text.lstrip()
    is_quoted = rest.startswith(">")
    if is_quoted:
        rest = rest.lstrip("> \t")
    prefix = _LIST_PREFIX.match(rest)
    match = _FENCE.match(rest, prefix.end() if prefix else 0)
    if match is None or ("`" in match["run"] and "`" in match["info"]):
        return None
    return Fence(match["run"][0], len(match["run"]), match["info"].strip(), is_quoted)


def has_marker_before_fence(text: str) -> bool:
    """Tell whether a fence line is at once the first line of a list item, and so cannot close a fence."""
    return bullet(text.lstrip("> \t")) is not None


def label_of(text: str) -> str:
    """Return the label of a paragraph that only explains the one above (``**Why:** ...``), else an empty text."""
    match = _BOLD_LEAD.match(text)
    if match is None or not (match["colon"] or match["after"]):
        return ""
    lead = match["lead"].strip(" \t:：")
    return lead if len(lead) <= 40 and _LABEL.fullmatch(lead) else ""


def bold_lead(text: str) -> str:
    """Return the bold words that a text starts with, without their colon, else an empty text."""
    match = _BOLD_LEAD.match(text)
    return match["lead"].strip(" \t:：.") if match else ""


def is_labelled(text: str) -> bool:
    """Tell whether a line starts with bold words and a colon."""
    match = _BOLD_LEAD.match(text)
    return match is not None and bool(match["colon"] or match["after"])


def is_key_value(text: str) -> bool:
    """Tell whether a line reads like ``Key: value``."""
    return _KEY_VALUE.match(text) is not None


def is_tag(text: str) -> bool:
    """Tell whether a line is nothing but one XML-like tag."""
    stripped = text.strip()
    return stripped.startswith("<") and _TAG_LINE.match(stripped) is not None


def is_table_rule(text: str) -> bool:
    """Tell whether a line is the rule below a table's header."""
    stripped = text.strip()
    return "|" in stripped and "-" in stripped and not stripped.strip("|:- \t")


def ends_sentence(text: str) -> bool:
    """Tell whether a line ends as a sentence does, brackets, quotes and emphasis aside."""
    return text.rstrip().rstrip("*_`)\"'”’」』）]").endswith((".", "!", "?", "。", "！", "？", "…", ";", "；"))
