"""Whether a card says and does only what its evidence holds: the questions that code can answer, asked of each card."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.dream.relation import Kinship, compare
from dreamreview.model.edits import split_lines
from dreamreview.model.proposal import Act, Kind

if TYPE_CHECKING:
    from dreamreview.dream.claude.cards import Card
    from dreamreview.dream.claude.support import Support
    from dreamreview.model.edits import Text
    from dreamreview.model.proposal import FileEdit

QUARTER = 4
"""A card that takes away more than one part in so many of a file has to be one that is meant to."""
LONGEST_COMPARED = 2_000
"""Characters of a line up to which its meaning is held against the one it replaces."""
MOST_COMPARED = 60
"""Pairs of lines whose meaning is compared for one card."""
MOST = 0.5
"""Share of a file from which on a loss is never shown for review unless the card is meant to take away."""
LITTLE = 60
"""Bytes below which a loss is a matter of wording."""
ORDER = 10
"""Lines that an order to an agent may have which nobody but the model takes for one."""
ENDING = frozenset({Kind.PRUNE, Kind.REDACT, Kind.QUARANTINE, Kind.SUPERSEDE})
"""Kinds that are about text that holds no longer, so that what it names may go with it."""
REMOVING = frozenset({Kind.MERGE, Kind.SUPERSEDE, Kind.PRUNE, Kind.PROMOTE, Kind.QUARANTINE})
"""Kinds that may take notes away."""

_WORDS = (
    r"(?:rest|remainder|remaining|everything else|other (?:lines|entries|content)|existing (?:content|lines)"
    r"|same as (?:above|before)|unchanged|as before|omitted|truncated|snip|continued|unverändert|wie zuvor"
    r"|rest der datei|остальное без изменений|без изменений|其余不变|以下省略|内容不变|残りは(?:同じ|変更なし)|省略)"
)
_DOTS = r"(?:\.{3}|…)"
_ELISION = re.compile(
    rf"(?im)^\W{{0,12}}{_DOTS}\W*$"
    rf"|{_DOTS}\s*\W{{0,4}}(?:the\s)?{_WORDS}"
    rf"|[\[(<{{（【]\W{{0,6}}{_DOTS}?\s*(?:the\s)?{_WORDS}[^\])>}}）】\n]{{0,80}}[\])>}}）】]"
    rf"|^\W{{0,12}}(?:the\s)?{_WORDS}\b[^.\n]{{0,60}}\b(?:unchanged|omitted|the same|as (?:is|before|it was))\W*$"
)
"""How a text says that it goes on as before: dots alone, dots and words for the rest, or those words in brackets."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a card that its evidence does not hold."""

    code: str
    """``no-op``, ``unsupported``, ``elision``, ``loss``, ``no-source`` or ``contradiction``."""
    said: str
    """One sentence for the model, which may mend it."""
    is_fatal: bool = False
    """Whether a card that keeps it is left out; else it is shown with a flag."""


def check(card: Card, edits: Sequence[FileEdit], support: Support) -> tuple[Problem, ...]:
    """Return what is wrong with a card.

    Args:
        card: what was declared.
        edits: what was done.
        support: what it may rest on.
    """
    if card.kind is Kind.CONFLICT:
        return ()
    if not edits:
        return (Problem("no-op", "the card changes nothing", is_fatal=True),)
    return (
        *_elisions(edits, support),
        *_losses(card, edits, support),
        *_sources(card, edits, support),
        *_claims(card, edits, support),
    )


def _elisions(edits: Sequence[FileEdit], support: Support) -> Iterator[Problem]:
    """Find places where new text stands for more of itself."""
    for edit in edits:
        before = set(map(_bare, edit.old))
        for line in edit.new:
            text = line.decode("utf-8", "replace").strip()
            if _bare(line) not in before and _ELISION.search(text):
                is_shorter = sum(map(len, edit.new)) * QUARTER < sum(map(len, edit.old)) * (QUARTER - 1)
                said = f"“{support.shown(text, 100)}” stands for text that is left out; write it whole"
                yield Problem("elision", said, is_shorter)


def _losses(card: Card, edits: Sequence[FileEdit], support: Support) -> Iterator[Problem]:
    """Find files that lose much, and words nobody could guess back that are in no file any more."""
    gone = () if card.kind in ENDING else support.lost(edits)
    left = [literal for literal in gone if literal.casefold() not in card.reason.casefold()]
    for path, lost in _lost_bytes(edits):
        share = lost / max(support.size_of(path), 1)
        if card.kind not in REMOVING and share * QUARTER > 1 and lost >= LITTLE:
            said = f"{path} loses {share:.0%} of its text, which a card of kind {card.kind} is not for"
            yield Problem("loss", said, is_fatal=bool(left) or share > MOST)
    if left:
        named = ", ".join(left[:8])
        yield Problem("loss", f"{named} would stand in no file any more: keep it, or name it in the reason as dropped")


def _lost_bytes(edits: Sequence[FileEdit]) -> Iterator[tuple[str, int]]:
    """Yield each file with the bytes it loses: words that come again in it stay."""
    by_path: dict[str, list[FileEdit]] = {}
    for edit in edits:
        if edit.act in {Act.LINES, Act.DELETE} and edit.old:
            by_path.setdefault(edit.path, []).append(edit)
    for path, own in by_path.items():
        words = Counter(word for edit in own for line in edit.old for word in line.split())
        words.subtract(word for edit in own for line in edit.new for word in line.split())
        yield path, sum((len(word) + 1) * count for word, count in words.items() if count > 0)


def _sources(card: Card, edits: Sequence[FileEdit], support: Support) -> Iterator[Problem]:
    """Find what is taken away although nothing that stays says it, or says that it is over."""
    for edit in edits:
        is_whole = edit.act is Act.DELETE
        is_less = len(edit.new) < len(edit.old) and card.kind in REMOVING
        place = edit.path if is_whole else f"{edit.path}, lines {edit.start + 1} to {edit.stop},"
        if support.weakens_safety(edit, card.evidence, edits):
            said = f"{place} is about safety or health and is not weakened: keep it, or open a conflict"
            yield Problem("no-source", said, is_fatal=True)
        elif card.kind is Kind.REDACT and not support.has_secrets(edit):
            yield Problem("no-source", f"{place} holds no secret in every line: redact nothing else", is_fatal=True)
        elif not (is_whole or is_less) or not _said(edit.old):
            continue
        elif card.kind not in REMOVING:
            yield Problem("no-source", f"{place} goes, which a card of kind {card.kind} may not do", is_fatal=True)
        elif support.is_pinned(edit):
            yield Problem("no-source", f"{place} is pinned by its owner and stays", is_fatal=True)
        elif not support.is_over(edit):
            yield from _unreplaced(card, edit, edits, support, place)


def _unreplaced(
    card: Card, edit: FileEdit, edits: Sequence[FileEdit], support: Support, place: str
) -> Iterator[Problem]:
    if card.kind is Kind.QUARANTINE:
        is_much = len(edit.old) > ORDER
        said = f"{place} does not read like an order to an agent"
        yield Problem("unsupported", said, is_fatal=edit.act is Act.DELETE or is_much)
    elif not support.is_replaced(edit, card.evidence, edits):
        said = f"{place} goes, and no cited line that stays says the same or what holds instead"
        yield Problem("no-source", f"{said}; cite it, or keep the text", is_fatal=True)


def _claims(card: Card, edits: Sequence[FileEdit], support: Support) -> Iterator[Problem]:
    """Find numbers, paths, names, quotes and whole sentences that no cited line holds, and denials turned round."""
    old = [line for edit in edits for line in edit.old]
    held = support.held(card.evidence, old)
    added = [line for edit in edits for line in edit.new if _bare(line) not in held.lines]
    for what, words in held.missing(added):
        yield Problem(
            "unsupported", f"{what} {words}: no cited line holds that; cite the line that does, or take it out"
        )
    for what, words in held.missing(split_lines(f"{card.title}\n{card.reason}".encode()), is_talk=True):
        yield Problem("unsupported", f"the card speaks of {what} {words}, which no cited line holds")
    for edit in edits:
        yield from _contradictions(edit, support)


def _contradictions(edit: FileEdit, support: Support) -> Iterator[Problem]:
    """Find lines that now say the contrary of what they said; a change of numbers is told of by `_claims`."""
    gone = [line for line in edit.old if line not in edit.new]
    come = [line for line in edit.new if line not in edit.old]
    if len(gone) * len(come) > MOST_COMPARED:
        return
    for before in map(_plain, gone):
        for after in map(_plain, come):
            if not before or not after or max(len(before), len(after)) > LONGEST_COMPARED:
                continue
            found = compare(before, after)
            if found.kinship is Kinship.CONFLICT and not re.search(r"\d", found.reason):
                both = f"“{support.shown(after, 100)}” says otherwise than “{support.shown(before, 100)}”"
                yield Problem("contradiction", f"{both}: {support.shown(found.reason, 300)}")


def flags_of(problems: Iterable[Problem]) -> tuple[str, ...]:
    """Return the flags of a change that is shown in spite of what is wrong with it."""
    names = {"contradiction": "unsupported", "loss": "loss"}
    return tuple(dict.fromkeys(names.get(problem.code, problem.code) for problem in problems))


def _bare(line: bytes) -> bytes:
    return b" ".join(line.split())


def _plain(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip().lstrip("-*+> ").strip()


def _said(lines: Text) -> bool:
    """Tell whether lines say anything: blank lines and rules do not."""
    return any(re.search(rb"\w", line) for line in lines)
