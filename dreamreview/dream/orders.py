"""Does a text give orders to the agent that reads it, as planted text does?"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from dreamreview.dream import order_words as words
from dreamreview.dream.quoted import Span, is_quoted, quoted_spans
from dreamreview.model.hidden import hidden_in, look_through, unseen_in

if TYPE_CHECKING:
    from dreamreview.model.patterns import Pattern

_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_TAG_CHARACTERS = re.compile("(?<!\U0001f3f4)[\U000e0020-\U000e007e]{4,}")
_LATIN = re.compile("[A-Za-z]")
_SHORTEST = 12
"""Characters below which a hidden part is no order."""
_APART = frozenset({"in HTML that is not drawn", "far to the right"})
_DEEPEST = 2
"""How many wrappings, one in the other, are taken off a text."""
_LONGEST = 4_000
"""Characters of a decoded text that are read."""
_BLANKS = str.maketrans("\t\r\n", "   ")
_BLOB = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,4000}={0,2}(?![A-Za-z0-9+/_-])")


@dataclass(frozen=True, slots=True)
class Order:
    """Words in a text that tell a reading agent what to do."""

    start: int
    stop: int
    """One past the last character."""
    why: str
    """What gives it away, as the end of a sentence that begins with "it"."""
    is_apart: bool = False
    """Whether it can be taken out as it stands: nothing that is drawn is a part of it."""


@dataclass(frozen=True, slots=True)
class _Act:
    """What a text wants of its reader, and where it says so."""

    match: re.Match[str]
    form: Pattern
    why: str


@dataclass(frozen=True, slots=True)
class _Signs:
    """What was found in a text, lower case."""

    text: str
    acts: tuple[_Act, ...]
    addressed: bool
    """Speaks to any agent that reads it, or poses as the system."""
    named: bool
    """Names an agent."""
    in_quotes: bool
    """All it wants stands in quotation marks."""

    @property
    def reasons(self) -> set[str]:
        return {act.why for act in self.acts}

    def wants(self, *forms: Pattern) -> bool:
        return any(act.form in forms for act in self.acts)


def find_order(text: str, *, is_hidden: bool = False, topic: str = "") -> Order | None:
    """Return the order that a text gives to an agent, if it gives one.

    An owner's own rules, reports of an order and quoted examples are none.

    Args:
        text: a comment, a paragraph or a list item.
        is_hidden: True for what a reader of the rendered page does not see.
        topic: title and headings the text stands under; a report of an attack says so there.
    """
    return _order_in(text, is_hidden, topic, 0)


def _order_in(text: str, is_hidden: bool, topic: str, depth: int) -> Order | None:
    """Find an order; `depth` counts how many wrappings the text was taken out of."""
    if depth <= _DEEPEST and (smuggled := _smuggled(text, depth + 1)):
        return smuggled
    code = quoted_spans(text, ("code",))
    for call in words.TOOL_CALL.finditer(text):
        if not is_quoted(code, *call.span()):
            return Order(call.start(), len(text), "looks like a tool call")
    plain = text.lower().translate(_BLANKS) if text.isascii() else "".join(_fold(char) for char in text)
    if not (is_hidden or words.may_address(plain)):
        return None
    addressed = [match for form in (words.ADDRESS, words.ROLE) for match in form.finditer(plain)]
    named = list(words.ADDRESS_PLAIN.finditer(plain))
    forms = (words.OVERRIDE, words.OVERRIDE_ABROAD, words.YOU_NOW)
    if not (addressed or named or is_hidden or any(form.search(plain) for form in forms)):
        return None
    acts = tuple(_acts(plain, quoted_spans(plain, ("code",))))
    if not acts:
        return None
    quoted = quoted_spans(plain, ("quote",))
    in_quotes = all(is_quoted(quoted, *act.match.span()) for act in acts)
    signs = _Signs(text=plain, acts=acts, addressed=bool(addressed), named=bool(named), in_quotes=in_quotes)
    if not _is_planted(signs, is_hidden, topic.casefold()):
        return None
    places = [act.match.span() for act in acts] + [match.span() for match in addressed + named]
    why = "; it ".join(dict.fromkeys(why for _, why in words.ACTS if why in signs.reasons))
    return Order(min(a for a, _ in places), max(b for _, b in places), why)


def _acts(plain: str, code: tuple[Span, ...]) -> list[_Act]:
    found: list[_Act] = []
    for form, why in words.ACTS:
        for match in form.finditer(plain):
            before, after = plain[max(0, match.start() - 60) : match.start()], plain[match.end() : match.end() + 60]
            is_code = form is not words.RUN and is_quoted(code, *match.span())
            is_caution = form not in words.TELLING and words.NEGATED.search(before)
            is_caution = is_caution or (form is words.OVERRIDE and words.FROM_ELSEWHERE.match(after))
            is_caution = is_caution or (form is words.SECRECY and words.OF_A_SECRET.match(after))
            if not is_code and not is_caution:
                found.append(_Act(match, form, why))
    return found


def _is_planted(signs: _Signs, is_hidden: bool, topic: str) -> bool:
    is_report = words.ANALYSIS.search(signs.text) or words.ANALYSIS.search(topic)
    if signs.in_quotes and (not (signs.addressed or signs.named) or is_report):
        return False
    is_command = words.COMMAND.search(signs.text) is not None
    is_telling = signs.wants(*words.TELLING)
    if signs.addressed or signs.in_quotes:
        return is_command or is_telling
    if signs.named or is_hidden:
        is_leak = signs.wants(words.EXFILTRATE) and (len(signs.reasons) > 1 or words.OUTWARD.search(signs.text))
        is_telling = is_telling or bool(is_leak)
        return (
            signs.wants(words.OVERRIDE, words.OVERRIDE_ABROAD)
            or (is_telling and is_command)
            or (is_hidden and len(signs.reasons) > 1)
        )
    if words.ANALYSIS.search(signs.text):
        return False
    if words.YOU_NOW.search(signs.text) and len(signs.reasons) > 1:
        return True
    return any(
        act.form in (words.OVERRIDE, words.OVERRIDE_ABROAD)
        and (act.form is words.OVERRIDE_ABROAD or words.PLAIN_OVERRIDE.search(act.match[0]))
        and _is_imperative(signs.text, act.match)
        for act in signs.acts
    )


def _is_imperative(text: str, match: re.Match[str]) -> bool:
    before = text[: match.start()]
    return bool(words.CLAUSE_START.search(before)) and not words.REPORTED.search(before)


def _fold(char: str) -> str:
    """Return a character as a reader takes it, one for one: width and case folded, line ends as blanks."""
    folded = unicodedata.normalize("NFKC", char).lower()
    if len(folded) != 1:
        return char
    return " " if folded in "\t\r\n" else folded


def _smuggled(text: str, depth: int) -> Order | None:
    """Find an order written in characters or letters that mislead, in what a page does not show, or encoded."""
    if not text.isascii():
        if match := _TAG_CHARACTERS.search(text):
            return Order(match.start(), match.end(), "hides text in characters that are not seen")
        bare = _HIDDEN.sub("", text)
        if len(text) - len(bare) >= 2 and _order_in(bare, False, "", depth):
            return Order(0, len(text), "hides an order behind characters that are not seen")
        through = look_through(text)
        if through != text and _LATIN.search(text) and (found := _order_in(through, False, "", depth)):
            return Order(found.start, found.stop, "writes an order with letters that look like others")
    for part in (*hidden_in(text), *unseen_in(text)):
        ways = (part.said, part.said[::-1]) if "direction" in part.kind else (part.said,)
        if len(part.said) > _SHORTEST and any(_order_in(_plain(said), True, "", depth) for said in ways):
            return Order(part.start, part.stop, f"hides an order {part.kind}", part.kind in _APART)
    for need, form, read in _CODES:
        for match in form.finditer(text) if need in text else ():
            decoded = read(match[0])
            if decoded and _order_in(decoded[:_LONGEST], True, "", depth):
                return Order(match.start(), match.end(), "holds an encoded order")
    return None


def _plain(said: str) -> str:
    """Return what a hidden part says without what could hide more: none is looked for in a part of a part."""
    return said.replace("<", " ").replace("](", " ")


def _from_base64(blob: str) -> str | None:
    body = blob.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return _as_text(base64.b64decode(body + "=" * (-len(body) % 4)))
    except binascii.Error:
        return None


def _from_hex(blob: str) -> str | None:
    digits = re.sub(r"0x|\\x|[\s,]", "", blob)
    return _as_text(bytes.fromhex(digits)) if len(digits) % 2 == 0 else None


def _from_entities(blob: str) -> str:
    from html import unescape

    return unescape(blob)


def _as_text(data: bytes) -> str | None:
    """Return what an encoded blob says, if it is text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    is_text = " " in text and all(char.isprintable() or char in "\t\r\n" for char in text)
    return text if is_text else None


_CODES: tuple[tuple[str, re.Pattern[str], Callable[[str], str | None]], ...] = (
    ("", _BLOB, _from_base64),
    ("", re.compile(r"(?<![0-9A-Za-z])[0-9a-fA-F]{40,4000}(?![0-9A-Za-z])"), _from_hex),
    ("\\x", re.compile(r"(?:\\x[0-9a-fA-F]{2}){16,2000}"), _from_hex),
    ("%", re.compile(r"(?<![\w.~\-])[\w.~\-]{0,40}(?:%[0-9a-fA-F]{2}[\w.~\-]{0,40}){4,400}"), unquote),
    ("&#", re.compile(r"(?:&#(?:\d{2,6}|x[0-9a-fA-F]{2,5});[ ]?){12,2000}"), _from_entities),
)
"""Forms in which text is written so that nobody reads it: what they hold, the form, and how it is read."""
