"""How states, counts and flags are put into words and glyphs; nothing here is told by colour alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rich.cells import cell_len

from dreamreview.model.review import Counts, State


@dataclass(frozen=True, slots=True)
class Mark:
    """How a state is shown: a glyph, a letter and a look."""

    glyph: str
    letter: str
    look: str
    word: str


MARKS: Mapping[State, Mark] = {
    State.UNDECIDED: Mark("○", " ", "open", "undecided"),
    State.ACCEPTED: Mark("✓", "A", "accepted", "accepted"),
    State.REJECTED: Mark("✗", "R", "rejected", "rejected"),
    State.EDITED: Mark("✎", "E", "edited", "edited"),
    State.SKIPPED: Mark("»", "S", "skipped", "skipped"),
    State.PARTIAL: Mark("◐", "P", "partial", "decided in part"),
}
DECIDED = Mark("●", "M", "accepted", "decided, not all alike")
STALE = Mark("!", "T", "warn", "stale")
APPLIED = Mark("■", "D", "dim", "applied")

CLAUSE_ENDS = (": ", "; ", ", ")
"""What a clause of a sentence of ours ends with."""

PLAIN_FLAGS: Mapping[str, str] = {
    "move": "Only moved: every line stands elsewhere, word for word.",
    "rewrap": "Only rewrapped: the words are the same.",
    "reorder": "Only reordered: the same entries in another order.",
    "refresh": "Only numbers or dates: all other words are the same.",
}
"""Flags that say that there is little to look at, with what they say."""
FLAGS: Mapping[str, str] = {
    "secret": "holds a secret, drawn masked",
    "instruction-like": "reads like an order to an agent",
    "hidden-text": "holds text that is not drawn",
    "masked-secret": "holds what only stands for a secret",
    "unsupported": "says what its sources do not",
    "elision": "looks cut short",
    "loss": "takes away more than its reason says",
    "base-unknown": "what it was made from is a guess",
    "duplicate-of": "says over again what the folder says already",
    "touches-pinned": "alters a pinned note",
    "shifts-recalled": "moves lines that OpenClaw's recall store names by number",
    "gone": "the copy does not show it any more",
}
WARNING_FLAGS = frozenset(FLAGS)
"""Flags that ask for a second look."""


def roll_up(states: Collection[State]) -> Mark:
    """Return how a group of changes is shown: the state they share, all decided but not alike, or decided in part."""
    known = frozenset(states)
    if len(known) <= 1:
        return MARKS[next(iter(known), State.UNDECIDED)]
    return MARKS[State.PARTIAL] if known & {State.UNDECIDED, State.PARTIAL} else DECIDED


def progress(counts: Counts) -> str:
    """Return the sentence on top of a review: ``12 of 31 decided · 3 rejected · 1 edited``."""
    parts = [f"{counts.changes - counts.undecided} of {counts.changes} decided"]
    named = (
        (counts.rejected, "rejected"),
        (counts.edited, "edited"),
        (counts.skipped, "skipped"),
        (counts.partial, "in part"),
        (counts.stale, "stale"),
    )
    parts += [f"{number} {word}" for number, word in named if number]
    return " · ".join(parts)


def short_progress(counts: Counts) -> str:
    """Return the same in a few cells: ``12/31``."""
    return f"{counts.changes - counts.undecided}/{counts.changes}"


def brief(sentence: str, cells: int) -> str:
    """Return a sentence, or where it takes more than so many cells, as many of its clauses as fit, one at the least."""
    while cell_len(sentence) > cells:
        clause = max((sentence[: sentence.rindex(end)] for end in CLAUSE_ENDS if end in sentence), key=len, default="")
        if not clause:
            break
        sentence = clause
    return sentence


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def moment(at: str) -> str:
    """Return an RFC 3339 instant as day and minute; what is no such instant comes back as it is."""
    if len(at) >= 16 and at[4:5] == "-" and at[10:11] == "T":
        return f"{at[:10]} {at[11:16]}"
    return at
