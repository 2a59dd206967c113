"""Which files and notes of a store are listed, and in which order: search, ages, folding."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from dreamreview.model.pins import Pin

if TYPE_CHECKING:
    from dreamreview.workspace.health import Finding
    from dreamreview.workspace.memory import FileLine, Findings, NoteLine

_BREAK = "\0"
"""Between path and place in a key; no path holds it."""


class Order(StrEnum):
    """In which order files are listed."""

    PATH = "by path"
    OLDEST = "oldest first"
    NEWEST = "newest first"


@dataclass(frozen=True, slots=True)
class Age:
    """How old a note is."""

    day: str
    """YYYY-MM-DD."""
    days: int
    """Whole days since then, less than 0 for a day to come."""
    is_stated: bool
    """False where it states no date and the day it was written stands in."""

    @property
    def short(self) -> str:
        """A few cells: ``3d``, ``14mo``, ``2y``, with a tilde where it is not stated."""
        size = abs(self.days)
        amount = f"{size}d" if size < 100 else f"{size * 12 // 365}mo" if size < 730 else f"{size // 365}y"
        return f"{'' if self.is_stated else '~'}{'in ' if self.days < 0 else ''}{amount}"


def age_of(file: FileLine, note: NoteLine | None, today: date) -> Age | None:
    """Return how old a note (or a file) is; None where nothing tells."""
    stated = note.date if note is not None else None
    if stated is not None:
        return Age(stated, (today - date.fromisoformat(stated)).days, is_stated=True)
    if file.changed is None:
        return None
    return Age(file.changed.isoformat(), (today - file.changed).days, is_stated=False)


def key_of(path: str, index: int = 0) -> str:
    """Return the key of the row of a file (0) or of one of its notes."""
    return f"{path}{_BREAK}{index}" if index else path


def place_of(key: str) -> tuple[str, int]:
    """Return path and place of a row."""
    path, _, index = key.partition(_BREAK)
    return path, int(index or 0)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The store as it is looked through; values in, values out."""

    files: tuple[FileLine, ...] = ()
    findings: Findings = field(default_factory=dict)
    today: date = date.min
    words: tuple[str, ...] = ()
    """What is searched for, case folded; each must match."""
    order: Order = Order.PATH

    def search(self, text: str) -> Shelf:
        """Return the shelf with another search; any text is one."""
        return replace(self, words=tuple(text.casefold().split()))

    @property
    def notes(self) -> int:
        """Number of notes that hold no other note."""
        return sum(
            sum(not _is_container(note) for note in file.notes[1:]) or min(len(file.notes), 1) for file in self.files
        )

    @property
    def pinned(self) -> int:
        """Number of files that are pinned or hold a pin."""
        return sum(file.whole is not None and file.whole.pin is not Pin.NONE for file in self.files)

    @property
    def found(self) -> int:
        """Number of findings."""
        return sum(map(len, self.findings.values()))

    def listed(self) -> list[FileLine]:
        """Return the files that match, in order."""
        files = [file for file in self.files if all(self._fits(word, file, file.whole) for word in self.words)]
        if self.order is Order.PATH:
            return files
        sign = 1 if self.order is Order.NEWEST else -1
        ages = {file.path: age_of(file, file.whole, self.today) for file in files}

        def turn(file: FileLine) -> tuple[bool, int]:
            age = ages[file.path]
            return age is None, sign * age.days if age else 0

        return sorted(files, key=turn)

    def rows(self, folded: Collection[str], unfolded: Collection[str]) -> list[tuple[str, bool | None]]:
        """Return the keys of the rows, and of files whether they are unfolded; None for what cannot be.

        A search unfolds a file to the notes that match, where some do; `folded` and `unfolded` are a person's own.
        """
        rows: list[tuple[str, bool | None]] = []
        for file in self.listed():
            matching = self._matching(file) if self.words else ()
            is_open = file.path in unfolded or (bool(matching) and file.path not in folded)
            rows.append((file.path, is_open if len(file.notes) > 1 else None))
            if is_open:
                shown = matching or range(1, len(file.notes))
                rows += [(key_of(file.path, index), None) for index in shown]
        return rows

    def _matching(self, file: FileLine) -> Sequence[int]:
        """Return the places of the notes of a file that match of themselves."""
        texts = file.words.split("\n")
        return [
            note.index
            for note in file.notes[1:]
            if not _is_container(note)
            and all(self._fits(word, file, note, "\n".join(texts[note.first - 1 : note.last])) for word in self.words)
        ]

    def findings_of(self, file: FileLine, note: NoteLine | None = None) -> Iterator[Finding]:
        """Yield what is wrong with a file, or with the lines of one of its notes."""
        for finding in self.findings.get(file.path, ()):
            if note is None or note.index == 0 or _touches(finding, note):
                yield finding

    def _fits(self, word: str, file: FileLine, note: NoteLine | None, text: str | None = None) -> bool:
        name, _, value = word.partition(":")
        match name:
            case "type":
                return ((note.type if note else None) or "").startswith(value)
            case "path":
                return fnmatchcase(file.path.casefold(), value)
            case "finding":
                return any(one.cls.startswith(value) for one in self.findings_of(file, note))
            case "older" | "newer" if value.isdecimal():
                age = age_of(file, note, self.today)
                return age is not None and (age.days >= int(value) if name == "older" else age.days <= int(value))
        if word in ("pinned", "unpinned"):
            pin = note.pin if note else Pin.NONE
            return (pin is not Pin.NONE) is (word == "pinned")
        path = file.path.casefold()
        if "*" in word or "?" in word:
            return fnmatchcase(path, word) or fnmatchcase(path.rpartition("/")[2], word)
        if word in path or word in (file.words if text is None else text) or word in _said(note):
            return True
        return any(word in f"{one.cls} {one.message}".casefold() for one in self.findings_of(file, note))


def _touches(finding: Finding, note: NoteLine) -> bool:
    lines = finding.lines
    return lines is not None and lines[0] <= note.last and note.first <= lines[1]


def _said(note: NoteLine | None) -> str:
    return " ".join([note.title, note.type or "", note.date or "", *note.tags]).casefold() if note else ""


def _is_container(note: NoteLine) -> bool:
    return note.shape in ("file", "section")
