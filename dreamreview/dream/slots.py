"""What must agree before two similar texts may count as the same: values, names, denial, scope, plan and correction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TypedDict

from dreamreview.dream.cues import (
    CONDITIONS,
    CORRECTIONS,
    FORMER,
    ONLY,
    OPINIONS,
    PLANS,
    SAFETY,
    SCOPES,
)
from dreamreview.dream.denying import denied_in_cjk, lifted, read_denials
from dreamreview.dream.opposites import excluding, is_antonym
from dreamreview.dream.particles import ATTRIBUTES, PARTICLES
from dreamreview.dream.quantifiers import of_some
from dreamreview.dream.similarity import CJK, STOP_STEMS, Sort, Token, content, normal, scan, stem
from dreamreview.dream.values import WEEKDAYS, Value, values_of

SMALL = 31
"""Numbers without a unit up to which two texts share them by chance: days, hours, list numbers."""

QUOTED = re.compile(r"[\"“«「]([^\"”»」\n]{3,80})[\"”»」]")
"""Words in quotation marks."""
_SINCE = re.compile(
    r"\b(?:since|from|ab|seit|с)\s+(?:\w+\s+)?(?:\d{4}-\d\d-\d\d|\w+ \d+ on\b)"
    r"|[从自]\s?\d{4}-\d\d-\d\d\s?[起开]|\d{4}-\d\d-\d\d\s?から",
    re.IGNORECASE,
)
_UPDATE = re.compile(r"\W*update:")
_KANA_ABLE = re.compile(r"可能(?=[です。、\u3040-\u30ff]|$)")
"""What can be done, in Japanese; in Chinese the same characters say that something may be."""
_TURN = re.compile(
    r"\b(?:moved|migrated|switched|changed|renamed|upgraded|went|перешли|перенесли|переехали?|replaced)\b(?P<between>[^.;]{0,80}?)\b(?:from|с)\s+"
    r"(?P<old>[^.;,]{1,80}?)\s+(?:to|на)\s+(?P<new>[^.;,]{1,80})"
    r"|(?:从|由)(?P<zold>[^，。；,;]{1,16}?)(?:迁移到|迁移至|改为|改成|改用|换成|切换到|移到)(?P<znew>[^，。；,;]{1,16})",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]+")
_USE = re.compile(r"\b(?:is|are|was|were|be|been|being|which|that|get|gets) (?:\w+ly )?used to\b")
"""Words of what something is for, not of how it was before."""
_CHARACTER = re.compile(f"[{CJK}]")
_PAIR = re.compile(f"[{CJK}]{{2}}")
_SMALL = frozenset(word for pair in PARTICLES for word in pair)
_ATTRIBUTE_ROOTS = frozenset(stem(word) for word in ATTRIBUTES)
_SCOPE_ROOTS = tuple(frozenset(stem(word) for word in group) for group in SCOPES)


@dataclass(frozen=True, slots=True)
class Reading:
    """One text as the local engine understands it."""

    text: str
    tokens: tuple[Token, ...]
    keys: tuple[str, ...]
    """What it says, in order."""
    bag: frozenset[str]
    topic: frozenset[str]
    """Its words without its amounts."""
    values: tuple[Value, ...]
    idents: frozenset[str]
    """Ticket numbers, host names, options, versions: what names one of many."""
    literals: frozenset[str]
    """Code spans, paths and addresses."""
    quotes: frozenset[str]
    """What stands in quotation marks, case folded."""
    names: frozenset[str]
    """Proper names, lower case."""
    said: frozenset[str]
    """All its tokens, case folded, as they stand."""
    small: frozenset[str]
    """Prepositions and the like that can turn it round."""
    denied: frozenset[str]
    """Stems that the text denies or forbids wherever it speaks of them: up to the next preposition or verb of being."""
    touched: frozenset[str]
    """Those that it denies at least once."""
    reach: frozenset[str]
    """Stems in the whole reach of its denials."""
    patients: frozenset[str]
    """Stems of what it denies that something is done to, where these stand before the denial."""
    capitals: frozenset[str]
    """Stems of all its capitalised words, also those that open a sentence."""
    scopes: tuple[frozenset[str], ...]
    """For each set of `SCOPES`, those of its words that occur."""
    is_plan: bool
    is_opinion: bool
    is_correction: bool
    is_past: bool
    """Whether it says how something was before."""
    is_only: bool
    """Whether it says that something holds of nothing else."""
    is_safety: bool
    turn: tuple[frozenset[str], frozenset[str]] | None
    """Stems of what something moved from, and of what it moved to."""
    sequence: tuple[str, ...]
    """What it says, in order, scripts without blanks character by character."""
    plain: tuple[str, ...]
    """Every token but signs, in order: equal where two texts say the same in the same words."""
    labels: Mapping[str, frozenset[str]]
    """Words to the numbers and letters by which they name one of many: episode 12, type S."""

    @property
    def size(self) -> float:
        """How much it says: one for each word, a half for each character of scripts without blanks."""
        return sum(0.5 if len(key) == 1 and _CHARACTER.fullmatch(key) else 1.0 for key in self.sequence)

    @property
    def is_sentence(self) -> bool:
        """Whether it ends as a sentence does."""
        return self.text.rstrip(' \t\r\n*_)"”]`').endswith((".", "!", "?", "。", "！", "？"))

    def spelled(self, key: str) -> str:
        """Return a word as the text writes it."""
        return next((t.raw for t in self.tokens if t.key == key or t.raw.casefold() == key), key)


def read(text: str, known_names: frozenset[str] | None = None) -> Reading:
    """Read a text; `known_names` are the proper names of the store it stands in, None for a text on its own."""
    tokens = scan(text)
    low = " ".join(normal(text).casefold().split())
    values = values_of(tokens)
    keys = tuple(_keys(tokens, values))
    in_cjk = denied_in_cjk(low) if any(token.sort is Sort.CJK for token in tokens) else frozenset()
    said = frozenset(token.raw.casefold() for token in tokens)
    denials = read_denials(tokens, said, keys)
    bag = frozenset(keys) | {char for token in tokens if token.sort is Sort.CJK for char in token.key}
    return Reading(
        text=text,
        tokens=tokens,
        keys=keys,
        bag=bag,
        topic=bag - {value.key for value in values},
        values=values,
        idents=frozenset(token.key for token in tokens if token.sort is Sort.IDENT),
        literals=frozenset(t.key for t in tokens if t.sort in (Sort.CODE, Sort.PATH, Sort.URL, Sort.MAIL)),
        quotes=frozenset(" ".join(quote.casefold().split()).rstrip(".,") for quote in QUOTED.findall(text)),
        names=frozenset(_names(tokens, known_names)),
        said=said,
        small=said & _SMALL,
        denied=denials.only | frozenset(gram for gram in in_cjk if low.count(gram) == 1),
        touched=denials.touched | in_cjk,
        reach=denials.reach | in_cjk,
        patients=denials.patients,
        capitals=frozenset(
            t.key for t in tokens if t.sort is Sort.WORD and t.raw[0].isupper() and t.key not in STOP_STEMS
        ),
        scopes=tuple(group & frozenset(keys) for group in _SCOPE_ROOTS),
        **_moods(low, tokens),
        turn=_turn(low),
        sequence=tuple(_characters(keys)),
        plain=tuple(token.key for token in tokens if token.sort is not Sort.SIGN),
        labels=_labels(tokens, values),
    )


class _Moods(TypedDict):
    """In which way a text says what it says; the fields of a `Reading`."""

    is_plan: bool
    is_opinion: bool
    is_correction: bool
    is_past: bool
    is_only: bool
    is_safety: bool


def _moods(low: str, tokens: Sequence[Token]) -> _Moods:
    return _Moods(
        is_plan=_says(low, PLANS),
        is_opinion=_says(_KANA_ABLE.sub("", low), OPINIONS),
        is_correction=_says(low, CORRECTIONS) or _SINCE.search(low) is not None or _UPDATE.match(low) is not None,
        is_past=_says(low, FORMER) and _USE.search(low) is None,
        is_only=_says(low, ONLY) or bool(lifted(tokens)),
        is_safety=any(mark in low for mark in SAFETY),
    )


def _keys(tokens: Sequence[Token], values: Sequence[Value]) -> Iterable[str]:
    """Yield what the tokens say, each value as one key instead of its digits and its unit."""
    at = {value.place: value for value in values}
    skip = 0
    for place, token in enumerate(tokens):
        skip -= 1
        if place in at:
            skip = at[place].size
            if not _is_small(at[place]):
                yield at[place].key
        elif skip <= 0:
            yield from content((token,))


def _is_small(value: Value) -> bool:
    """Tell whether a value is a small number without a unit: two texts share such by chance."""
    is_loose = value.dimension in ("number", "count", "label")
    return is_loose and isinstance(value.amount, float) and abs(value.amount) <= SMALL


def _characters(keys: Iterable[str]) -> Iterable[str]:
    """Yield the keys with pairs of characters taken apart again."""
    last = ""
    for key in keys:
        if _PAIR.fullmatch(key):
            yield from (key[1:] if last == key[0] else key)
            last = key[1]
        else:
            yield key
            last = key if len(key) == 1 else ""


def _says(low: str, phrases: tuple[str, ...]) -> bool:
    by_word = _by_first_word(phrases)
    firsts = by_word.keys() & frozenset(_LETTERS.findall(low))
    if not low.isascii():
        firsts |= {""}
    return any(_says_one(low, phrase) for first in firsts for phrase in by_word.get(first, ()))


@cache
def _by_first_word(phrases: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    """Gather phrases by the word that a text must hold to say them; "" where words are written without blanks."""
    found: dict[str, list[str]] = {}
    for phrase in phrases:
        found.setdefault(_LETTERS.findall(phrase)[0] if phrase.isascii() else "", []).append(phrase)
    return found


def _says_one(low: str, phrase: str) -> bool:
    at = low.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        if not phrase[0].isascii() or (
            (at == 0 or not low[at - 1].isalnum()) and (end >= len(low) or not low[end].isalnum())
        ):
            return True
        at = low.find(phrase, end)
    return False


def _turn(low: str) -> tuple[frozenset[str], frozenset[str]] | None:
    match = _TURN.search(low)
    if match is None:
        return None
    old, new = match["old"] or match["zold"], match["new"] or match["znew"]
    return _stems(old), _stems(new)


def _stems(text: str) -> frozenset[str]:
    tokens = scan(text)
    return frozenset(_keys(tokens, values_of(tokens)))


def names_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the words of a store that are capitalised inside sentences and never written small, lower case."""
    inside: set[str] = set()
    small: set[str] = set()
    for text in texts:
        for token in scan(text):
            if token.sort is Sort.WORD:
                if token.raw[0].isupper() and not token.starts:
                    inside.add(token.raw.casefold())
                elif token.raw[0].islower():
                    small.add(token.raw.casefold())
    return frozenset(name for name in inside - small if _may_be_name(name))


def _may_be_name(low: str) -> bool:
    return len(low) > 1 and low not in STOP_STEMS and low not in WEEKDAYS


def _names(tokens: Sequence[Token], known: frozenset[str] | None) -> Iterable[str]:
    words = [token for token in tokens if token.sort is Sort.WORD]
    capitals = sum(token.raw[0].isupper() for token in words)
    if len(words) > 6 and capitals > 0.5 * len(words):
        return
    for token in words:
        low = token.raw.casefold().removesuffix("'s")
        if not token.raw[0].isupper() or not _may_be_name(low) or sum(map(str.islower, token.raw)) < 2:
            continue
        if low in known if known is not None else not token.starts:
            yield low


def says(reading: Reading, phrases: tuple[str, ...]) -> bool:
    """Tell whether a text holds one of some phrases, case folded, as whole words."""
    return _says(" ".join(normal(reading.text).casefold().split()), phrases)


def excludes(one: Reading, other: Reading, opposite: Iterable[tuple[str, str]]) -> bool:
    """Tell whether plain opposites keep two texts from holding both; those of two conditions do not."""
    if says(one, CONDITIONS) and says(other, CONDITIONS):
        return False
    return any(is_antonym(*pair) for pair in opposite)


def flips(one: Reading, other: Reading) -> frozenset[str]:
    """Return the stems that both texts speak of and exactly one of them denies."""
    shared = one.bag & other.bag
    if any(not key.isascii() for key in one.denied & other.denied):
        return frozenset()
    near = one.denied - other.denied - other.patients - other.reach
    far = other.denied - one.denied - one.patients - one.reach
    return (near | far) & shared


def touched(one: Reading, other: Reading) -> frozenset[str]:
    """Return the stems that one of two texts denies at least once and the other does not, whichever the voice."""
    near = one.touched - other.touched - other.patients - other.reach
    return near | (other.touched - one.touched - one.patients - one.reach)


def turned(one: Reading, other: Reading) -> tuple[str, str] | None:
    """Return small words that turn one text round against the other (on, off), or None."""
    near, far = one.small - other.small, other.small - one.small
    return next(((m, t) for m in sorted(near) for t in sorted(far) if frozenset((m, t)) in PARTICLES), None)


def other_scope(one: Reading, other: Reading) -> str | None:
    """Return words that show that two texts speak of different places (staging against production), or None."""
    for near, far in zip(one.scopes, other.scopes, strict=True):
        if near and far and not near & far:
            return f"{'/'.join(sorted(near))} against {'/'.join(sorted(far))}"
    return None


def other_thing(one: Reading, other: Reading) -> str | None:
    """Return identifiers or numbered things by which two texts speak of different subjects, or None."""
    near, far = one.idents - other.idents, other.idents - one.idents
    for mine in sorted(near):
        for theirs in sorted(far):
            if _shape(mine) == _shape(theirs):
                return f"{mine} against {theirs}"
    if _is_of_another_kind(one, other):
        return f"{one.spelled(one.keys[0])} against {other.spelled(other.keys[0])}"
    some = of_some(one, other)
    if some:
        return f"{one.spelled(some[0])} against {other.spelled(some[1])}"
    for label in sorted(one.labels.keys() & other.labels.keys()):
        if one.labels[label].isdisjoint(other.labels[label]):
            numbers = f"{min(one.labels[label])} against {min(other.labels[label])}"
            return f"{one.spelled(label)} {numbers}".replace("=", "")
    return None


def _is_of_another_kind(one: Reading, other: Reading) -> bool:
    """Tell whether both texts begin with one of a sort, each with another: the left pump, the right pump."""
    if len(one.keys) < 2 or len(other.keys) < 2 or one.keys[1] != other.keys[1]:
        return False
    near, far = frozenset(one.keys[:1]) - other.bag, frozenset(other.keys[:1]) - one.bag
    return near | far <= _ATTRIBUTE_ROOTS and bool(excluding(near, far))


def _shape(ident: str) -> str:
    return (
        re.sub(r"\d+", "0", ident) if any(char.isdigit() for char in ident) else re.sub(r"[^-_]+$", "", ident) or ident
    )


def _labels(tokens: Sequence[Token], values: Sequence[Value]) -> Mapping[str, frozenset[str]]:
    labels: dict[str, frozenset[str]] = {}
    for value in values:
        if value.names:
            for label in value.about:
                labels[label] = labels.get(label, frozenset()) | {value.key}
    for before, token in pairwise(tokens):
        is_letter = token.sort is Sort.WORD and len(token.raw) == 1 and token.raw.isupper() and token.raw != "I"
        if is_letter and before.sort is Sort.WORD and before.key not in STOP_STEMS:
            labels[before.key] = labels.get(before.key, frozenset()) | {token.raw}
    return labels
