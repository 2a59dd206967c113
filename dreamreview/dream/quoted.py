"""Which parts of a text are not its writer's own plain words: code, quotations, links, tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text that is shown rather than said."""

    start: int
    stop: int
    """One past its last character."""
    kind: str
    """``code``, ``link``, ``url``, ``tag``, ``title`` or ``quote``."""

    def holds(self, start: int, stop: int) -> bool:
        """Tell whether it has any character of a range."""
        return self.start < stop and start < self.stop


_FORMS = (
    ("code", re.compile(r"(?<!`)(`{1,3})(?!`)[^`]{1,2000}(?<!`)\1(?!`)")),
    ("tag", re.compile(r"<!--.{0,4000}?-->|</?[A-Za-z][^<>\n]{0,300}>", re.DOTALL)),
    ("link", re.compile(r"!?\[[^\[\]\n]{0,400}\]\([^()\n]{0,600}\)|\[\[[^\[\]\n]{1,300}\]\]")),
    (
        "title",
        re.compile(
            r"(?<![*\w])\*(?=[^\W\d_a-z])[^*\n]{1,80}(?<=\S)\*(?![*\w])|(?<![_\w])_(?=[A-Z])[^_\n]{1,80}_(?![_\w])"
        ),
    ),
    ("url", re.compile(r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.\-]{1,15}://[^\s<>\"'`)]{1,2000}")),
    (
        "quote",
        re.compile(
            r"(?<![\w\"])\"(?=\S)[^\"]{1,600}(?<=\S)\"(?!\w)|“[^“”]{1,600}”|„[^„“”]{1,600}[“”]|«[^«»]{1,600}»"
            r"|»[^«»]{1,600}«|「[^「」]{1,300}」|『[^『』]{1,300}』|《[^《》]{1,300}》|‘(?=\S)[^‘’]{1,300}’(?!\w)"
            r"|(?<!\w)'(?=\S)[^'\n]{1,200}(?<=\S)'(?!\w)"
        ),
    ),
)


def quoted_spans(
    text: str, kinds: Iterable[str] = ("code", "tag", "link", "url", "title", "quote")
) -> tuple[Span, ...]:
    """Return the parts of a text that are code, tags, links, addresses, titles or quotations; they may overlap."""
    wanted = set(kinds)
    return tuple(
        Span(match.start(), match.end(), kind)
        for kind, form in _FORMS
        if kind in wanted
        for match in form.finditer(text)
    )


def is_quoted(spans: Sequence[Span], start: int, stop: int) -> bool:
    """Tell whether a range has a character in any of the spans."""
    return any(span.holds(start, stop) for span in spans)
