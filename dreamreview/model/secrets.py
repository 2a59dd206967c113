"""Which parts of a text are credentials, and how such a text is shown to a reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from dreamreview.model.patterns import Pattern
from dreamreview.model.secret_shapes import OWN, SHAPES, Shape, shapes_in, stands
from dreamreview.model.secret_values import is_dense, is_issued, is_placeholder, trim
from dreamreview.model.secret_words import Form, Match, forms_in, is_elided

SHORT_SECRET = 18
"""A secret below this length is shown as ``***``; a longer one keeps its ends. OpenClaw's log redactor."""

_SHORTEST = 8
"""Characters below which a line holds no secret with anything to say what it is."""

_PASSES = 6
"""How often a line is looked at again, what was found in it taken out: another may stand behind it."""

MASK = "***"
REDACTED = "[redacted]"
"""What stands in a memory in place of a secret that was taken out."""


@dataclass(frozen=True, slots=True)
class SecretSpan:
    """A credential in a text."""

    start: int
    """First character."""
    stop: int
    """One past its last character."""
    rule: str
    """Name of the rule that knew it."""


def find_secrets(text: str) -> tuple[SecretSpan, ...]:
    """Return the credentials of a text in order, none overlapping; only the value, never the name beside it."""
    found = sorted(_candidates(text), key=lambda span: (span.start, -span.stop))
    merged: list[SecretSpan] = []
    for span in found:
        if merged and span.start < merged[-1].stop:
            last = merged[-1]
            merged[-1] = SecretSpan(last.start, max(last.stop, span.stop), last.rule)
        else:
            merged.append(span)
    return tuple(merged)


def mask(text: str) -> str:
    """Return the text with each credential reduced to its ends, for anything made for reading."""
    return _replace(text, _shown)


def masks_of(text: str) -> frozenset[str]:
    """Return what stands for the credentials of a text once it is masked."""
    return frozenset(_shown(text[span.start : span.stop]) for span in find_secrets(text))


def _shown(secret: str) -> str:
    return MASK if len(secret) < SHORT_SECRET else f"{secret[:6]}…{secret[-4:]}"


def redact(text: str) -> str:
    """Return the text with each credential replaced by `REDACTED`, so that none is left to find."""
    while find_secrets(text):
        text = _replace(text, lambda _: REDACTED)
    return text


def _replace(text: str, shown: Callable[[str], str]) -> str:
    parts: list[str] = []
    reach = 0
    for span in find_secrets(text):
        parts += text[reach : span.start], shown(text[span.start : span.stop])
        reach = span.stop
    return "".join([*parts, text[reach:]])


# --- how they are found -----------------------------------------------------------------------------------------------

_SAID = {
    **{shape.name: shape.said for shape in SHAPES},
    OWN: "a key of a kind that you named",
    "private-key": "a private key",
    "url-password": "a password in an address",
    "url-query": "a key in an address",
    "bearer": "a bearer token",
    "cookie": "a cookie that opens a session",
    "seed-phrase": "the words of a wallet",
    "code": "the code of a door or a PIN",
    "login": "a login",
    "flag": "a password on a command line",
    "assignment": "a password or key",
    "near-word": "what looks like a key",
}
_BEGIN = Pattern(r"-----BEGIN (?P<what>[A-Za-z0-9 ]{1,40})-----")
_PRIVATE = ("PRIVATE KEY", "PRIVATE KEY BLOCK", "Static key V1")
_PEM_LINES = Pattern(r"(?:(?:\\n|[\s>])+[A-Za-z0-9+/=]{16,})+")
_PEM_LIMIT = 16_000
"""Characters after which a key without an end is no key."""
_PEM_WIDTH = 60
_PEM_BODY = Pattern(r"[ \t>]*(?P<v>[A-Za-z0-9+/]{60,76}={0,2})[ \t\r]*$")
_DATA = Pattern(r";base64,[A-Za-z0-9+/]+={0,2}")
_PICTURES = (
    "iVBOR",
    "/9j/",
    "R0lGOD",
    "UklGR",
    "PHN2Z",
    "PD94b",
    "JVBER",
    "UEsDB",
    "H4sI",
    "AAAAIGZ0",
    "SUQz",
    "T2dnUw",
    "Qk",
)
"""How pictures, pages, archives, sounds and films begin in base64."""


_CLOSING = ("@", "<", '"', "'", "`")
"""Marks that end a value, so that a stop before them is a part of it."""
_Standing = tuple[Form, list[str]]


def described(rule: str) -> str:
    """Return what a rule finds, to stand in a sentence."""
    return _SAID[rule]


def _candidates(text: str) -> Iterator[SecretSpan]:
    if "-----BEGIN" in text:
        keys, public = _framed(text)
        yield from keys
        text = _blanked(text, [*keys, *public])
    if ";base64," in text:
        text = _blanked(text, [SecretSpan(*match.span(), "") for match in _DATA.finditer(text)])
    shapes, forms = shapes_in(text), forms_in(text.lower())
    if not shapes and not forms and len(text) < _PEM_WIDTH:
        return
    begin = 0
    is_picture = False
    for line in text.split("\n"):
        if len(line) >= _SHORTEST:
            body = _PEM_BODY.match(line) if len(line) >= _PEM_WIDTH else None
            is_picture = body is not None and (is_picture or body["v"].startswith(_PICTURES))
            for span in _in_line(line, shapes, forms, None if is_picture else body):
                yield SecretSpan(begin + span.start, begin + span.stop, span.rule)
        begin += len(line) + 1


def _in_line(
    line: str, shapes: Sequence[Shape], forms: Sequence[_Standing], body: Match | None
) -> Iterator[SecretSpan]:
    """Yield the secrets of one line; what is found is taken out before it is looked at again."""
    for _ in range(_PASSES):
        spans = list(_in_plain_line(line, shapes, forms))
        if not spans:
            break
        yield from spans
        line = _blanked(line, spans)
    if body is not None and is_dense(body["v"]):
        yield _span(body, "private-key")


def _in_plain_line(line: str, shapes: Sequence[Shape], forms: Sequence[_Standing]) -> Iterator[SecretSpan]:
    """Yield what one look finds; a pattern is tried only where one of the words it needs is there."""
    for shape in shapes:
        if stands(line, shape.needs):
            for match in shape.pattern.finditer(line):
                if is_issued(trim(match["v"])) and not is_elided(match):
                    yield _span(match, shape.name)
    lower = line.lower() if forms else ""
    for form, needs in forms:
        if stands(lower, needs):
            for match in form.matches(line):
                yield _span(match, form.rule)


def _framed(text: str) -> tuple[list[SecretSpan], list[SecretSpan]]:
    """Return the private keys that stand between lines of dashes, and what else does: public keys, signatures."""
    keys: list[SecretSpan] = []
    public: list[SecretSpan] = []
    for begin in _BEGIN.finditer(text):
        is_private = begin["what"].endswith(_PRIVATE)
        end = text.find("-----END", begin.end(), begin.end() + _PEM_LIMIT)
        if end < 0:
            lines = _PEM_LINES.match(text, begin.end(), begin.end() + _PEM_LIMIT)
            end = lines.end() if lines else begin.end()
        body = text[begin.end() : end]
        bare = body.strip()
        start = begin.end() + len(body) - len(body.lstrip())
        if len(bare) >= _SHORTEST and not (is_private and is_placeholder(bare)):
            (keys if is_private else public).append(SecretSpan(start, start + len(bare), "private-key"))
    return keys, public


def _blanked(text: str, spans: Iterable[SecretSpan]) -> str:
    """Return a text of the same length in which some spans read as taken out; line feeds stay."""
    parts: list[str] = []
    reach = 0
    for span in sorted(spans, key=lambda span: span.start):
        if span.stop <= reach:
            continue
        start = max(span.start, reach)
        taken = "".join("\n" if char == "\n" else "•" for char in text[start : span.stop])
        parts += text[reach:start], taken if start > span.start else "[" + taken[1:]
        reach = span.stop
    return "".join([*parts, text[reach:]])


def _span(match: Match, rule: str) -> SecretSpan:
    start, stop = match.span("v")
    is_closed = match.string[stop : stop + 1] in _CLOSING and stop < len(match.string)
    return SecretSpan(start, stop if is_closed else start + len(trim(match["v"])), rule)
