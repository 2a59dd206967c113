"""What form a statement has: a label and its value, a step of a procedure, a pointer to where more is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dreamreview.dream.cues import STAMPS
from dreamreview.dream.similarity import Sort, content
from dreamreview.model.memory import Shape

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim
    from dreamreview.dream.slots import Reading

LABELLED = 6
"""Words below which a label and its value say nothing without the heading above them."""
OUTSIDE = 3
"""Words that two statements share at least beside the code and the names of files that both mention."""

_STEP = re.compile(r"\s*(?:>\s*)*(?:\d+[.)]|[a-z][.)])\s")
_BOX = re.compile(r"\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+)?\[[ xX~-]\](?:\s|$)")
_POINTS = re.compile(
    r"\W*(?:see(?:\s+also)?|refs?|references?|cf|siehe|vgl|см|参见|参考|详见|details?|more|full\s+\w+|docs?|source|link)"
    r"(?:\s+(?:in|at|on|under))?\W*\s*[`\[(<]?(?:\[\[|https?://|[\w~.-]+/|[\w-]+\.(?:md|txt|html|pdf)\b)",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"\W*(?:\[\[[^\]]+\]\]|\[[^\]]+\]\([^)]+\)|`?[\w.~-]*/[\w./~<>*-]*`?|`?[\w.-]+\.[a-z]{1,5}`?)\s*(?:\*\*)?\s*"
    r"(?:[:：—–]|->|→|\s-\s|\()",
)
_AHEAD = re.compile(
    r"\b(?:next steps?|up next|to[- ]?dos?|backlog|nächste schritte|als nächstes|следующие шаги|дальше)\b"
    r"|下一步|待办|次のステップ",
    re.IGNORECASE,
)
"""Headings above what is still to be done."""
_CODE_LEAD = re.compile(r"\W{0,3}`([^`]+)`")


def is_labelled(claim: Claim) -> bool:
    """Tell whether a statement is a label and a brief value."""
    return bool(claim.lead) and claim.reading.size < LABELLED


def is_literal(claim: Claim) -> bool:
    """Tell whether a statement is hardly more than a piece of code or the name of a file."""
    return bool(claim.reading.literals) and len(outside(claim.reading)) < OUTSIDE


def is_stamp(claim: Claim) -> bool:
    """Tell whether a statement says behind its label which version its file has, when or by whom it was written."""
    return bool(claim.lead) and claim.lead <= STAMPS and claim.reading.size < LABELLED


def is_step(claim: Claim) -> bool:
    """Tell whether a statement is an item of an ordered list or of a list of boxes.

    A numbered item with a title of its own is an entry of a list of topics.
    """
    if claim.note.shape is not Shape.BULLET:
        return False
    is_numbered = _STEP.match(claim.document.line_text(claim.note.first)) is not None and not claim.note.title
    return is_numbered or has_box(claim)


def has_box(claim: Claim) -> bool:
    """Tell whether a statement is a task with a box to tick."""
    return _BOX.match(claim.document.line_text(claim.note.first)) is not None


def is_task(claim: Claim) -> bool:
    """Tell whether a statement is a task: with a box to tick, or below a heading of what is still to be done."""
    heading = claim.note.headings[-1] if claim.note.headings else ""
    return has_box(claim) or _AHEAD.search(heading) is not None


def is_pointer(claim: Claim) -> bool:
    """Tell whether a statement says where to read on, or what one file of a folder is for."""
    return _POINTS.match(claim.note.text) is not None or _LISTS.match(claim.note.text) is not None


def code_lead(claim: Claim) -> str:
    """Return the code that a statement opens with, case folded, or nothing."""
    match = _CODE_LEAD.match(claim.note.text)
    return match[1].casefold() if match else ""


def outside(reading: Reading) -> frozenset[str]:
    """Return the words of a text that stand outside its code, its names of files and its amounts."""
    return frozenset(_outside(reading))


def _outside(reading: Reading) -> Iterator[str]:
    for token in reading.tokens:
        if token.sort is Sort.CJK:
            yield from token.key
        elif token.sort is Sort.WORD:
            yield from content((token,))
