"""The answers that a plain review understands: how each is typed, and what the help says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from dreamreview.model.verdicts import BOTH

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change


class Verb(Enum):
    """What an answer asks for."""

    ACCEPT = auto()
    REJECT = auto()
    REJECT_WHY = auto()
    CHOOSE = auto()
    SKIP = auto()
    EDIT = auto()
    TYPE = auto()
    CLEAR = auto()
    WHY = auto()
    SPLIT = auto()
    NEXT = auto()
    BACK = auto()
    GO = auto()
    AGAIN = auto()
    BASE = auto()
    ORIGIN = auto()
    UNDO = auto()
    REDO = auto()
    LIST = auto()
    WRITE = auto()
    HELP = auto()
    QUIT = auto()


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, understood."""

    verb: Verb
    rest: str = ""
    """What stands behind the word."""
    choice: str = ""
    """Key of the option, for `Verb.CHOOSE`."""


EVERYWHERE: Mapping[str, Verb] = {
    "": Verb.NEXT,
    "n": Verb.NEXT,
    "next": Verb.NEXT,
    "no": Verb.NEXT,
    "p": Verb.BACK,
    "back": Verb.BACK,
    "previous": Verb.BACK,
    "g": Verb.GO,
    "go": Verb.GO,
    "u": Verb.UNDO,
    "undo": Verb.UNDO,
    "redo": Verb.REDO,
    "l": Verb.LIST,
    "list": Verb.LIST,
    "w": Verb.WRITE,
    "write": Verb.WRITE,
    "q": Verb.QUIT,
    "quit": Verb.QUIT,
    "?": Verb.HELP,
    "h": Verb.HELP,
    "help": Verb.HELP,
}
"""Answers that do not need a change."""

ON_A_CHANGE: Mapping[str, Verb] = {
    "r": Verb.REJECT,
    "reject": Verb.REJECT,
    "r?": Verb.REJECT_WHY,
    "reject?": Verb.REJECT_WHY,
    "e": Verb.EDIT,
    "edit": Verb.EDIT,
    "t": Verb.TYPE,
    "type": Verb.TYPE,
    "x": Verb.CLEAR,
    "clear": Verb.CLEAR,
    "why": Verb.WHY,
    "again": Verb.AGAIN,
    "base": Verb.BASE,
    "i": Verb.ORIGIN,
    "origin": Verb.ORIGIN,
}
ON_A_CARD: Mapping[str, Verb] = {
    "a": Verb.ACCEPT,
    "accept": Verb.ACCEPT,
    "c": Verb.WHY,
    "d": Verb.AGAIN,
    "b": Verb.BASE,
    "s": Verb.SPLIT,
    "split": Verb.SPLIT,
}
"""Answers that a conflict does not have: on one, a letter may be a side.

``y`` is none of them: a yes that was written for a question which did not come must accept nothing.
"""
ON_A_CONFLICT: Mapping[str, Verb] = {"s": Verb.SKIP, "skip": Verb.SKIP, "accept": Verb.ACCEPT}


def understood(line: str, change: Change | None) -> Answer | None:
    """Return what a line asks for on a change, or at the end of the review; None where it is no answer there."""
    word, _, rest = line.strip().partition(" ")
    key, rest = word.casefold(), rest.strip()
    if change is not None:
        if change.options and (choice := _choice(change, key, rest)) is not None:
            named, said = choice
            return Answer(Verb.CHOOSE, said, named)
        verb = ON_A_CHANGE.get(key) or (ON_A_CONFLICT if change.options else ON_A_CARD).get(key)
        if verb is not None:
            return Answer(verb, rest)
    if key.isascii() and key.isdigit():
        return Answer(Verb.GO, key)
    found = EVERYWHERE.get(key)
    return Answer(found, rest) if found is not None else None


def _choice(change: Change, key: str, rest: str) -> tuple[str, str] | None:
    """Return the option that an answer keeps, and what stands behind it."""
    keys = {option.key.casefold(): option.key for option in change.options} | {BOTH: BOTH}
    if key == "keep":
        word, _, rest = rest.partition(" ")
        named = keys.get(word.casefold())
        return (named, rest.strip()) if named is not None else None
    if key in keys and key not in EVERYWHERE and key not in ON_A_CHANGE and key not in ON_A_CONFLICT:
        return keys[key], rest
    return None


def question(change: Change | None) -> str:
    """Return the answers that a question names, the default last."""
    if change is None:
        return "write (w), back (p), list (l), help (?), Enter leaves:"
    end = "help (?), Enter leaves it as it is:"
    if not change.options:
        return f"accept (a), reject (r), edit (e), {end}"
    kept = ", ".join(f"keep {option.key}" for option in change.options if option.key != BOTH)
    return f"{kept}, {BOTH}, skip (s), reject (r), edit (e), {end}"


def explained(change: Change | None) -> Iterator[str]:
    """Yield every answer that there is to a question, one a line."""
    yield from (f"{' or '.join(word or 'Enter' for word in words)}: {meaning}" for words, meaning in rows(change))


def rows(change: Change | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the words of each answer, the empty one for Enter, and what it does."""
    if change is not None:
        yield from _on_conflict(change) if change.options else _ON_CARD
        yield from _ON_CHANGE
    yield from _EVERYWHERE
    yield ("", "n", "next", "no"), "leave this change as it is and go on." if change is not None else "leave."


def _on_conflict(change: Change) -> Iterator[tuple[tuple[str, ...], str]]:
    for option in change.options:
        if option.key != BOTH:
            is_short = understood(option.key, change) == Answer(Verb.CHOOSE, choice=option.key)
            words = (option.key, f"keep {option.key}") if is_short else (f"keep {option.key}",)
            yield words, "settle it so; the other side goes."
    yield from _ON_CONFLICT


_IN_YOUR_EDITOR = "in your editor if $VISUAL or $EDITOR names one, else line by line."
_ON_CONFLICT = (
    ((BOTH,), "both sides stand, and it is not raised again."),
    (("s", "skip"), "settle nothing; it may be raised again."),
    (("r", "reject"), "it is no conflict; what you write behind it is kept as the reason."),
    (("r A1", "r A1:-1,+1-3"), "once a side is kept, reject one edit of it, or its removal 1 and additions 1 to 3."),
    (("accept A1",), "take that back."),
    (("e", "edit"), f"write a third text, {_IN_YOUR_EDITOR}"),
)
_ON_CARD = (
    (("a", "accept"), "accept the change."),
    (("r", "reject"), "reject it; what you write behind it is kept as the reason: r it stays as it was."),
    (("a e2", "r e2"), "accept or reject one edit."),
    (("a e2:-1,+1-3",), "accept of one edit its removal 1 and its additions 1 to 3; r rejects them."),
    (("s", "split"), "go through the change edit by edit, and an edit line by line."),
    (("a all", "r all"), "the same for all undecided changes of this kind, but for what is destructive; asks first."),
    (("e", "edit"), f"edit the text that will stand there, {_IN_YOUR_EDITOR}"),
    (("e e2",), "edit the text of one edit."),
    (("b",), "the same as base."),
    (("c",), "the same as why."),
    (("d",), "the same as again."),
)
_ON_CHANGE = (
    (("r?", "reject?"), "reject, and be asked for the reason."),
    (("t", "type"), "type the text that will stand there line by line, without an editor."),
    (("x", "clear"), "take the decision on this change back; x e2 does so for one edit."),
    (("why",), "write down why; it is kept with the change."),
    (("again",), "tell the change again."),
    (("base",), "tell the files as they were when the proposal was made; base e2 tells the file of one edit."),
    (("i", "origin"), "tell where the change comes from."),
)
_EVERYWHERE = (
    (("p", "back", "previous"), "go back one change."),
    (("12", "g 12", "go 12"), "go to a change by its number, or by its id."),
    (("u", "undo"), "take the last decision back and go there."),
    (("redo",), "make it again."),
    (("l", "list"), "list all changes with what was decided."),
    (("w", "write"), "show what would be written, and write it after a yes."),
    (("?", "h", "help"), "tell all answers."),
    (("q", "quit"), "leave; every decision is kept already."),
)
