"""What is to be forgotten, and where in some bytes it stands: words in their order, or bytes as they are."""

from __future__ import annotations

import base64
import binascii
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from dreamreview.model.edits import Text

Words = tuple[bytes, ...]

_MARKS = (
    rb"\xc2[\x80-\xbf]|\xe2[\x80\x81\x86-\xad][\x80-\xbf]|\xe3\x80[\x80-\xbf]|\xef(?:\xbc[\x81-\x8f\x9a-\xa0]|\xbb\xbf)"
)
"""Blanks, quotes, dashes, arrows and signs of Unicode, in UTF-8."""

_WORD = re.compile(
    rb"(?:"
    + _MARKS
    + rb")|(?P<word>[\xe3-\xe9][\x80-\xbf]{2}|(?:[0-9A-Za-z_]|(?!"
    + _MARKS
    + rb"|[\xe3-\xe9][\x80-\xbf]{2})[\x80-\xff])+)"
)
"""What counts as a word, in any script and any coding; where a script parts no words, each of its signs is one."""

_CUT = "…"
"""Stands in a masked secret for its middle."""

WRAPPED = 4
"""Words from which a text is also found where it was broken over two lines; fewer meet there by chance."""

_ESCAPE = re.compile(rb"\\(?:u([0-9A-Fa-f]{4})(?:\\u([Dd][C-Fc-f][0-9A-Fa-f]{2}))?|(.))", re.DOTALL)
_CONTROLS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f"}
_CODED = re.compile(rb"[A-Za-z0-9+/]{8,}={0,2}")


@dataclass(frozen=True)
class Wanted:
    """What is looked for; every word or byte of one of them in a row is a find."""

    phrases: frozenset[Words] = frozenset()
    raw: tuple[bytes, ...] = ()
    """Bytes that count wherever they stand, inside of words too."""

    def __bool__(self) -> bool:
        return bool(self.phrases or self.raw)

    @cached_property
    def _lengths(self) -> Mapping[bytes, tuple[int, ...]]:
        """First word of a phrase to how many words there are of those that begin with it."""
        found: dict[bytes, set[int]] = defaultdict(set)
        for phrase in self.phrases:
            found[phrase[0]].add(len(phrase))
        return {word: tuple(sorted(lengths)) for word, lengths in found.items()}

    @cached_property
    def _hallmarks(self) -> frozenset[bytes]:
        """The longest word of each phrase: text without any of them holds none."""
        return frozenset(max(phrase, key=len) for phrase in self.phrases)

    def lines(self, text: Text) -> frozenset[int]:
        """Return the places of the lines that hold it, 0-based."""
        held = {at for at, line in enumerate(text) if any(needle in line for needle in self.raw)}
        for _, places in self._finds(text):
            held |= places
        return frozenset(held)

    def _finds(self, text: Text) -> Iterator[tuple[Words, set[int]]]:
        """Yield each phrase that stands in a text, with the lines that it stands in."""
        whole = b"".join(text)
        if not any(mark in whole for mark in self._hallmarks):
            return
        parted = [words_of(line) for line in text]
        words = tuple(word for line in parted for word in line)
        lines = [at for at, line in enumerate(parted) for _ in line]
        for place, phrase in self._runs(words):
            first, last = lines[place], lines[place + len(phrase) - 1]
            if first == last or len(phrase) >= WRAPPED:
                yield phrase, set(lines[place : place + len(phrase)])

    def _runs(self, words: Words) -> Iterator[tuple[int, Words]]:
        """Yield the place of each phrase in a row of words, and the phrase."""
        for place, word in enumerate(words):
            for length in self._lengths.get(word, ()):
                run = words[place : place + length]
                if run in self.phrases:
                    yield place, run

    def count(self, data: bytes) -> int:
        """Return how often it stands in some bytes, whatever parts its words."""
        total = sum(data.count(needle) for needle in self.raw)
        if not any(mark in data for mark in self._hallmarks):
            return total
        return total + sum(1 for _ in self._runs(words_of(data)))

    def present(self, text: Text) -> frozenset[Words]:
        """Return the phrases that stand in a text."""
        return frozenset(phrase for phrase, _ in self._finds(text))

    def count_coded(self, data: bytes) -> int:
        """Return how often it stands in some bytes as they are, behind the escapes of JSON, or in base64."""
        found = self.count(data)
        if not found and b"\\" in data:
            found = self.count(unescaped(data))
        return found or sum(self.count(part) for part in _decoded(data))


def wanted_line(line: bytes) -> Wanted:
    """Return what a line says, in all the forms that are kept of it: as it is, decoded, and masked.

    Marks of markdown around it, blanks and line ends say nothing; a line without a word is nothing to look for.
    """
    text = line.decode("utf-8", "replace")
    masked = mask(text)
    # What is masked to nothing leaves words that tell nothing of it; what is cut in its middle is still known by them.
    forms = (line, text.encode(), masked.encode() if _CUT in masked else b"")
    return Wanted(frozenset(words for form in forms if (words := words_of(form))))


def words_of(line: bytes) -> Words:
    """Return the words of a line."""
    return tuple(match for match in _WORD.findall(line) if match)


def joined(parts: Iterable[Wanted]) -> Wanted:
    """Return what any of the parts looks for."""
    parts = tuple(parts)
    phrases = frozenset(phrase for part in parts for phrase in part.phrases)
    return Wanted(phrases, tuple(dict.fromkeys(needle for part in parts for needle in part.raw)))


def unescaped(data: bytes) -> bytes:
    """Return bytes with the escapes of JSON strings taken back, wherever in them strings stand."""
    return _ESCAPE.sub(_plain, data)


def _plain(match: re.Match[bytes]) -> bytes:
    high, low, other = match[1], match[2], match[3]
    if high is None:
        return _CONTROLS.get(other, other)
    units = b"".join(int(part, 16).to_bytes(2, "big") for part in (high, low) if part is not None)
    return units.decode("utf-16-be", "surrogatepass").encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> Iterator[bytes]:
    """Yield what runs of base64 stand for; a run that begins inside of one is read at each of the four places."""
    for match in _CODED.finditer(data):
        run = match[0].rstrip(b"=")
        for skip in range(4):
            part = run[skip:]
            part = part[: len(part) - 1] if len(part) % 4 == 1 else part
            try:
                yield base64.b64decode(part + b"=" * (-len(part) % 4))
            except binascii.Error:
                continue


@dataclass(frozen=True, slots=True)
class Scope:
    """What is to be forgotten, and of which paths."""

    wanted: Wanted
    gone: frozenset[str] = frozenset()
    """Paths that are forgotten with all they ever held."""
    only: frozenset[str] | None = None
    """The paths whose lines are forgotten, where the same text stays elsewhere on purpose; None for all."""

    @property
    def is_everywhere(self) -> bool:
        """Tell whether no place is left out."""
        return self.only is None

    def drops(self, path: str | None) -> bool:
        """Tell whether nothing of a path is kept."""
        return path in self.gone

    def removed(self, path: str, text: Text) -> frozenset[int]:
        """Return the places of the lines of a path that go, 0-based."""
        if self.drops(path):
            return frozenset(range(len(text)))
        return self.wanted.lines(text) if self.only is None or path in self.only else frozenset()

    def left(self, path: str, text: Text) -> Text:
        """Return the lines of a path that stay."""
        removed = self.removed(path, text)
        return tuple(line for at, line in enumerate(text) if at not in removed) if removed else text

    def says(self, words: str) -> bool:
        """Tell whether something that was written about the memory holds it."""
        return self.only is None and self.wanted.count(words.encode("utf-8", "surrogatepass")) > 0

    def prose(self, words: str) -> str:
        """Return what was written about the memory, nothing where it holds what is forgotten."""
        return "" if self.says(words) else words


def scrubbed(scope: Scope, value: object) -> object:
    """Return a JSON value without the strings that hold it; those become empty, also in base64."""
    if isinstance(value, str):
        held = scope.only is None and scope.wanted.count_coded(value.encode("utf-8", "surrogatepass"))
        return "" if held else value
    if isinstance(value, list):
        return [scrubbed(scope, one) for one in value]
    if isinstance(value, dict):
        return {key: scrubbed(scope, one) for key, one in value.items() if not scope.says(key)}
    return value
