"""What a person asks to be forgotten, and what it makes of the files of the memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.model.forgetting.wanted import Scope, Wanted, joined, wanted_line
from dreamreview.model.plan import digest

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.model.forgetting.wanted import Words

LONG_WORD = 10
"""Letters from which a word alone tells something of the file that it stood in."""

_DIGIT = re.compile(rb"[0-9]")
_SORTING = re.compile(
    rb"[ \t]*(?!name|title|description)[\w.-]+[ \t]*:[ \t]*[\"']?(?:[a-z_-]+|\d{4}-\d\d-\d\d|[01]?\.\d+|\d)?[\"']?\s*"
)
"""A line of frontmatter that only sorts a file: a plain word, a day, a share."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be forgotten: a file, one of its lines, or every line that holds some bytes."""

    path: str | None = None
    line: int | None = None
    """1-based."""
    match: bytes | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The file that was named, as it was when it was."""

    path: str
    line: int | None
    count: int
    """How often it held that line."""
    digest: str


def scope_of_line(texts: Mapping[str, Text], path: str, line: int) -> Scope:
    """Return what one line of a file says, and of which paths it is forgotten.

    Where it stands elsewhere in the memory too, that stays, so only what is kept of this path loses it; where it
    stands twice in the file, nothing that is kept tells the one from the other.
    """
    wanted = wanted_line(texts[path][line - 1])
    elsewhere = [other for other, _ in stands_elsewhere(texts, wanted, path, line)]
    if not wanted:
        return Scope(wanted, only=frozenset())
    if not elsewhere:
        return Scope(wanted)
    return Scope(wanted, only=frozenset({path} - set(elsewhere)))


def stands_elsewhere(texts: Mapping[str, Text], wanted: Wanted, path: str, line: int) -> list[tuple[str, int]]:
    """Return path and line of every other place of the memory that holds the same."""
    found = []
    for other, text in texts.items():
        held = text if other != path else (*text[: line - 1], b"\n", *text[line:])
        found += [(other, at + 1) for at in sorted(wanted.lines(held))]
    return found


def scope_of_file(texts: Mapping[str, Text], path: str, ever: Iterable[bytes]) -> Scope:
    """Return what a file ever said, but for what stands elsewhere in the memory too.

    Args:
        texts: the memory.
        path: the file.
        ever: every line that it is known to have had.
    """
    wanted = joined(wanted_line(line) for line in ever)
    wanted = Wanted(frozenset(words for words in wanted.phrases if _is_telling(words)))
    others: set[Words] = set()
    for other, text in texts.items():
        if other != path:
            others |= wanted.present(text)
    return Scope(Wanted(wanted.phrases - others), gone=frozenset({path}))


def telling(text: Text) -> Text:
    """Return the lines of a file without the frontmatter that only sorts it."""
    if not text or text[0].strip() != b"---":
        return text
    end = next((at for at, line in enumerate(text[1:], 1) if line.strip() == b"---"), 0)
    return tuple(line for at, line in enumerate(text) if at > end or not _SORTING.fullmatch(line))


def _is_telling(words: Words) -> bool:
    return len(words) > 1 or len(words[0]) >= LONG_WORD or bool(_DIGIT.search(words[0]))


def without_it(scope: Scope, place: Place | None, path: str, text: Text) -> Text | None:
    """Return a file of the memory once it is forgotten; None where the file goes, the same text where nothing does.

    A file that was written to since it was named loses the line nearest to where that stood, if it has it as often.
    """
    if place is None:
        return scope.left(path, text)
    if place.path != path:
        return text
    is_same = digest(b"".join(text)) == place.digest
    if place.line is None:
        return None if is_same else Scope(scope.wanted).left(path, text)
    at = place.line - 1
    if not is_same:
        held = scope.wanted.lines(text)
        if len(held) < place.count or not held:
            return text
        at = min(held, key=lambda one: (abs(one - at), one))
    return (*text[:at], *text[at + 1 :])
