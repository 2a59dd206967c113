"""Rows that cards and conflicts share: what vanishes, what becomes of links, where something stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dreamreview.tui.detail.rows import Words
from dreamreview.tui.inert import Part, own, said

if TYPE_CHECKING:
    from dreamreview.model.derived import LinkAt
    from dreamreview.model.proposal import Evidence

NAMED = 12
"""Things named in one sentence before the rest is counted."""


def joined(parts: Sequence[Part], between: str = " · ") -> tuple[Part, ...]:
    """Return parts with something between each two."""
    out: list[Part] = []
    for part in parts:
        out += [own(between, "dim"), part] if out else [part]
    return tuple(out)


def vanishing_rows(words: str, literals: Sequence[str]) -> Iterator[Words]:
    """Yield one line that names literals."""
    if literals:
        named = [said(literal, "code") for literal in literals[:NAMED]]
        rest = len(literals) - NAMED
        more = (own(f" and {rest} more", "warn"),) if rest > 0 else ()
        yield Words((own(words, "warn"), *joined(named, ", "), *more), hang=2)


def link_rows(words: str, links: Sequence[LinkAt], look: str) -> Iterator[Words]:
    """Yield one line that names links: where each stands, and what it points to."""
    if links:
        named = [said(f"{_stands(link)} → {link.target}", "code") for link in links[:NAMED]]
        rest = len(links) - NAMED
        more = (own(f" and {rest} more", look),) if rest > 0 else ()
        yield Words((own(words, look), *joined(named, ", "), *more), hang=2)


def _stands(link: LinkAt) -> str:
    """Return where a link stands; what is brought by a change has no line that could be looked up yet."""
    return f"the new text of {link.path}" if link.is_new else f"{link.path}:{link.line}"


def text_rows(text: str, look: str = "quote") -> tuple[Words, ...]:
    """Return the lines of a text as it is quoted."""
    lines = text.removesuffix("\n").split("\n") if text else ["(nothing)"]
    return tuple(Words((own("  "), said(line, look)), hang=2) for line in lines)


def source_of(piece: Evidence, *, is_dated: bool = True) -> tuple[Part, ...]:
    """Return where a piece of evidence stands: path, line, date, session."""
    line = f":{piece.first}" if piece.last <= piece.first else f":{piece.first}–{piece.last}"
    facts = [own("from ", "dim"), said(piece.path, "path"), own(line, "dim")]
    if piece.date and is_dated:
        facts.append(said(f" · {piece.date}", "dim"))
    if piece.session:
        facts.append(said(f" · session {piece.session}", "dim"))
    return tuple(facts)
