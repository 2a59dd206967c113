"""Which texts are near one another: tokens in any script, their weight in a store, and candidates without all pairs."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache

from dreamreview.dream.cjk_words import TWINS
from dreamreview.dream.irregular_forms import IRREGULAR
from dreamreview.dream.quantities import plain_amounts
from dreamreview.dream.tongues import (
    GERMAN_STOPS,
    RUSSIAN_STOPS,
    german_root,
    is_cyrillic,
    is_german,
    is_german_name,
    russian_root,
    with_hours,
)
from dreamreview.dream.words import CJK_STOP_CHARS, CJK_TWINS, STOP_WORDS, SYNONYMS, UNSTEMMED, words

SMALL_STORE = 100
"""Texts that a store is taken to have at least: in a smaller one, what two texts share is not common for that."""

GROWTH = 4
"""How many times its length a text may grow to by its normal form; one character can stand for a whole sentence."""

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Scripts written without blanks; Korean has blanks and is read word by word."""
_CJK_RUN = re.compile(f"[{CJK}]+")
_SCAN = re.compile(
    rf"""
    (?P<url>\b[a-z][a-z0-9+.-]*://[^\s<>`"'）)]+)
  | `+(?P<code>[^`\n]+)`+
  | (?P<mail>[\w.+-]+@[\w-]+\.[\w.-]+)
  | (?P<date>\b\d{{4}}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?)?)
  | (?P<clock>\b\d{{1,2}}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b)?|\b\d{{1,2}}\s?[ap]m\b)
  | (?P<version>\bv?\d+\.\d+\.\d+[\w.-]*|\bv\d+(?:\.\d+)*\b)
  | (?P<path>(?<![\w{CJK}])[\w.~<>$-]*/[\w.<>$/-]*\w|\b[\w-]+\.(?:md|py|go|ts|js|rs|json|ya?ml|toml|txt|sh|sql|html
       |css|spec)\b)
  | (?P<ident>\#\d+|[A-Z]{{2,}}-[A-Z0-9][\w-]*|(?<![\w{CJK}])(?:[A-Za-z]+[-_])*[A-Za-z]+[-_]?\d[A-Za-z0-9_-]*
       |[A-Za-z][A-Za-z0-9]*_\w+|[a-z]+[A-Z][A-Za-z0-9]*|(?<![\w-])--?[a-z][\w-]*=?)
  | (?P<number>(?:(?<![\w.,:/–-])[-−+])?(?:\d+(?:[ ,.’']\d{{3}})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?)
       (?:[KkM](?!\w)|['’]s\b)?)
  | (?P<cjk>[{CJK}]+)
  | (?P<word>[^\W\d_{CJK}]+(?:['’][^\W\d_{CJK}]+)*)
  | (?P<sign>[.;:!?,()|。；：！？，、（）—–]|\s-\s|[%°€$£/])
    """,
    re.VERBOSE,
)


class Sort(StrEnum):
    """What a token is."""

    URL = "url"
    CODE = "code"
    MAIL = "mail"
    DATE = "date"
    CLOCK = "clock"
    VERSION = "version"
    PATH = "path"
    IDENT = "ident"
    NUMBER = "number"
    CJK = "cjk"
    WORD = "word"
    SIGN = "sign"


_SORTS = {sort.value: sort for sort in Sort}


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a text as it is compared."""

    sort: Sort
    key: str
    """What it is compared by: a stem, a normal form, the sign itself."""
    raw: str
    """As it stands, NFC."""
    starts: bool
    """Whether it opens a sentence."""


_NAME = re.compile(r"\w*[a-z][A-Z]\w*|\w+_\w+|[\w.-]+\.\w+")
"""Code that is one name: camel case, underscores, a file."""
_CJK_DIGITS = "零一二三四五六七八九"
_CJK_NUMBER = re.compile(
    "(?:[一二两三四五六七八九]?十[一二三四五六七八九]?|[二两三四五六七八九]|一(?=[天日周年小分秒次]))"
    "(?=个?[人天日点小分秒周月次年位名条份种项句行倍])"
)
_PARTED = re.compile(
    r"\b(?:(?P<timeout>tim(?:e|es|ed|ing)[ -]out)|(?P<login>log(?:s|ged|ging)?[ -]in)|(?P<setup>set(?:s|ting)?[ -]up)"
    r"|(?P<release>go(?:es|ing)? live|went live)"
    r"|(?P<located>(?<!-)based(?= (?:in|at|out of)\b))"
    r"|(?P<rollback>roll(?:s|ed|ing)?[ -]back)|(?P<backup>back(?:s|ed|ing)?[ -]up))\b",
    re.IGNORECASE,
)
"""Words that are written in one or in two."""


_POSSESSIVE = re.compile(r"\b(is|are) ([A-Z][a-z]+)'s(?=\s*(?:[.,;]|$))")
"""Whose something is, said behind it: "the boats are Ana's."."""
_NO_LONGER = re.compile(r"\bno longer\b(?! than)", re.IGNORECASE)
_STEP = re.compile(r"(?:^\s*|(?<=[→⇒]\s)|(?<=[-=]>\s))\(?\d{1,2}[.)]\s+(?=\S)")
"""The ordinal of a step: at the head of a text or behind an arrow."""
_FAULT = re.compile(r"\b(?:errors?|auth\w*|http|status|respon\w+|returns?|codes?|[45]xx|retry)\b", re.IGNORECASE)
_FAULTS = re.compile(r"\b([345]\d\d)s\b")
"""Several answers of one code: "404s"."""


@lru_cache(maxsize=4_096)
def normal(text: str) -> str:
    """Return a text as all comparisons see it: NFKC, no emphasis, straight quotes, no ordinals of steps."""
    plain = unicodedata.normalize("NFKC", text)
    text = (plain if len(plain) <= GROWTH * len(text) else text).replace("’", "'")
    text = _STEP.sub("", text)
    if _FAULTS.search(text) and _FAULT.search(text):
        text = _FAULTS.sub(r"\1's", text)
    text = re.sub(r"\[\[([^\]|]*\|)?([^\]]*)\]\]|!?\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)", _label, text)
    if _CJK_RUN.search(text):
        text = cjk_normal(text)
    text = with_hours(plain_amounts(text))
    text = _NO_LONGER.sub("not any more", text)
    text = _POSSESSIVE.sub(r"\1 owned by \2", text)
    text = _PARTED.sub(lambda match: match.lastgroup or match[0], text)
    return re.sub(r"[*~]{1,3}|(?<!\w)_+|_+(?!\w)", "", text)


def cjk_normal(text: str) -> str:
    """Return a text with the commonest twin words of Chinese as one, and its numerals as digits."""
    for twins in (CJK_TWINS, TWINS):
        for twin, word in twins.items():
            text = text.replace(twin, word)
    return _CJK_NUMBER.sub(lambda match: str(_cjk_amount(match[0])), text)


def _cjk_amount(numeral: str) -> int:
    tens, ten, ones = numeral.partition("十")
    if not ten:
        return int("".join(str(_CJK_DIGITS.index(digit)) for digit in numeral.replace("两", "二")))
    return 10 * (_CJK_DIGITS.index(tens.replace("两", "二")) if tens else 1) + (_CJK_DIGITS.index(ones) if ones else 0)


def _label(match: re.Match[str]) -> str:
    return match[2] or match[3] or ""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return what a lower-case word is compared by: irregular forms, light suffixes, synonyms folded.

    No word becomes one that says nothing: to lose is not "los".
    """
    root = _root(word)
    root = _SYNONYM_ROOTS.get(root, root)
    return f"{root}'" if root in STOP_STEMS and word not in STOP_STEMS else root


def _root(word: str) -> str:
    word = word.removesuffix("'s").replace("'", "")
    word = IRREGULAR.get(word, word)
    if is_cyrillic(word):
        return russian_root(word)
    if re.match(r"[\uac00-\ud7af]", word):
        return _hangul_root(word)
    if len(word) <= 3 or not word.isascii() or word in UNSTEMMED:
        return word
    return _strip(word)


def _strip(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("xes", "ches", "shes", "sses", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ingly", "edly", "ing", "ed", "ly", "ation", "ion", "ment"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and re.search("[aeiouy]", rest):
            word = rest + "at" if ending == "ation" else rest
            if ending in ("ing", "ed") and re.search(r"([bdfgmnprt])\1$", word):
                word = word[:-1]
            break
    word = word.removesuffix("e") if len(word) > 3 else word
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


_HANGUL_ENDINGS = sorted(
    words(
        """
        은 는 이 가 을 를 에 의 로 으로 와 과 도 만 에서 까지 부터 에게 한테 보다 처럼 마다 하고 이나 라고 이라고
        한다 하다 했다 합니다 됩니다 된다 되다 됐다 하는 되는 하기 되기 하여 해서 하면 되면
        할 될 한 된 함 됨 해 하지 이다 입니다
        """
    ),
    key=lambda ending: (-len(ending), ending),
)


def _hangul_root(word: str) -> str:
    for ending in _HANGUL_ENDINGS:
        if word.endswith(ending) and len(word) > len(ending):
            return word[: -len(ending)]
    return word


_SYNONYM_ROOTS: Mapping[str, str] = {_root(word): _root(head) for word, head in SYNONYMS.items()}
_GERMAN_MARK = "·"
"""Before a German word that says nothing: some of them are English words that do."""
STOP_STEMS = frozenset(STOP_WORDS) | RUSSIAN_STOPS | {_GERMAN_MARK + word for word in GERMAN_STOPS}


@lru_cache(maxsize=20_000)
def scan(text: str) -> tuple[Token, ...]:
    """Cut a text into tokens, in order; characters that compare to nothing are left out."""
    tokens: list[Token] = []
    opens = True
    is_in_german = is_german(text)
    for match in _SCAN.finditer(normal(text)):
        sort = _SORTS[match.lastgroup or "sign"]
        raw = match[sort.value].strip()
        if not raw and sort is not Sort.SIGN:
            continue
        if sort is Sort.WORD:
            tokens += _german_tokens(raw, opens) if is_in_german else _word_tokens(raw, opens)
        elif sort is Sort.CJK:
            tokens += (Token(Sort.CJK, gram, gram, False) for gram in _grams(raw))
        else:
            tokens.append(Token(sort, _key(sort, raw), raw, opens))
        opens = (sort is Sort.SIGN and raw in ".!?:;|。！？：；()") or (opens and sort is Sort.SIGN)
    return tuple(_named_german(tokens)) if is_in_german else tuple(tokens)


def _german_tokens(raw: str, opens: bool) -> Iterator[Token]:
    low = raw.casefold()
    if low in STOP_STEMS or low in GERMAN_STOPS:
        yield Token(Sort.WORD, low if low in STOP_STEMS else _GERMAN_MARK + low, raw, opens)
    elif is_cyrillic(low):
        yield Token(Sort.WORD, stem(low), raw, opens)
    else:
        root = german_root(low)
        yield Token(Sort.WORD, _SYNONYM_ROOTS.get(root, root), raw, opens)


def _named_german(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield German tokens; all nouns are capitalised there, so that of them only a bare subject may be a name."""
    for token, following in zip(tokens, (*tokens[1:], None), strict=True):
        if token.sort is not Sort.WORD or not token.raw[0].isupper():
            yield token
        else:
            is_name = token.starts and following is not None and is_german_name(token.raw, following.raw)
            yield replace(token, starts=not is_name)


def _word_tokens(raw: str, opens: bool) -> Iterator[Token]:
    low = raw.casefold()
    if low.endswith("n't") or low in ("can't", "won't"):
        yield Token(Sort.WORD, "not", "not", False)
        raw = {"can't": "can", "won't": "will"}.get(low, raw[:-3])
        low = raw.casefold()
    if not raw:  # the ending stood alone
        return
    is_acronym = raw.isupper() and IRREGULAR.get(low, low) != low
    yield Token(Sort.WORD, low if low in STOP_STEMS or is_acronym else stem(low), raw, opens)


def _key(sort: Sort, raw: str) -> str:
    if sort is Sort.CODE:
        return " ".join(raw.casefold().split())
    if sort is Sort.URL:
        return raw.rstrip(".,;:").casefold()
    return raw.casefold()


def _grams(run: str) -> Iterator[str]:
    """Cut a run of characters written without blanks into pairs; a lone character stands for itself."""
    for part in re.split(f"[{''.join(CJK_STOP_CHARS)}]", run):
        if len(part) == 1:
            yield part
        for place in range(len(part) - 1):
            yield part[place : place + 2]


def content(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield what the tokens say: stems without stop words, and the words inside code, file names and identifiers."""
    for token in tokens:
        if token.sort in (Sort.WORD, Sort.CJK):
            if token.key not in STOP_STEMS:
                yield token.key
        elif token.sort in (Sort.CODE, Sort.PATH, Sort.MAIL, Sort.URL, Sort.IDENT):
            yield from _literal(token)
        elif token.sort is not Sort.SIGN:
            yield token.key


def _literal(token: Token) -> Iterator[str]:
    """Yield what a literal weighs in a comparison: an address or an identifier as one, a command word by word."""
    if token.sort is Sort.URL or "://" in token.raw:
        yield token.key
    elif "/" in token.raw and " " not in token.raw:
        yield token.key
        yield from parts(token.raw.rstrip("/").rpartition("/")[2])
    elif token.sort is Sort.IDENT or _NAME.fullmatch(token.raw):
        yield token.key
    else:
        yield from parts(token.raw)


def parts(literal: str) -> Iterator[str]:
    """Yield the words that a literal is made of, as they are compared."""
    for word in re.findall(r"[^\W_]+(?:_[^\W_]+)*", literal):
        low = word.casefold()
        if low not in STOP_STEMS or len(low) == 1:
            yield stem(low)


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each token tells in a store: the rarer, the more."""

    of: Mapping[str, float]
    default: float = 1.0
    sums: dict[frozenset[str], float] = field(default_factory=dict, compare=False, repr=False)
    """Weights of whole texts, once measured."""

    def __call__(self, token: str) -> float:
        """Return the weight of one token."""
        return self.of.get(token, self.default)

    def total(self, tokens: Iterable[str]) -> float:
        """Return the weight of several tokens together."""
        return sum(self(token) for token in tokens)

    def whole(self, bag: frozenset[str]) -> float:
        """Return the weight of a text, measured once."""
        if bag not in self.sums:
            self.sums[bag] = self.total(bag)
        return self.sums[bag]


def weights_of(bags: Sequence[frozenset[str]]) -> Weights:
    """Measure the weight of tokens over all texts of a store: 1 for one text's own, less the more texts hold it."""
    counts = Counter(token for bag in bags for token in bag)
    return Weights({token: weight_of(count, len(bags)) for token, count in counts.items()})


def weight_of(count: int, texts: int) -> float:
    """Return the weight of a token that `count` of so many texts hold."""
    size = max(texts, SMALL_STORE)
    return max(math.log((size + 1) / count) / math.log(size + 1), 0.05)


def overlap_share(one: frozenset[str], other: frozenset[str], weights: Weights) -> tuple[float, float]:
    """Return how much of the lighter and of the heavier text the shared tokens make up; (0, 0) where one is empty."""
    if not one or not other:
        return 0.0, 0.0
    first, second = weights.whole(one), weights.whole(other)
    shared = weights.total(one & other)
    return shared / min(first, second), shared / max(first, second)
