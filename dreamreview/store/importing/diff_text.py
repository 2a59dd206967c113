"""How a unified diff reads: its files with their headers and hunks, each with the line where it stands.

Everything is bytes, parted on LF alone. Counts in a hunk's header part it from what follows where they are true; where
they are not, the lines themselves are believed. So one damaged hunk costs no other, which no library allows for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.store.importing.diff_names import is_epoch
from dreamreview.store.importing.values import within_limit

if TYPE_CHECKING:
    from dreamreview.model.edits import Text

MAX_LINES = 5_000_000
MAX_FILES = 20_000
MAX_HUNKS = 200_000

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_MAIL = re.compile(rb"From [0-9a-f]{40}(?:[0-9a-f]{24})? ")
_SUBJECT = re.compile(rb"Subject: (?:\[PATCH[^]]*\] )?(.*)")
_MARKS = (
    b"old mode",
    b"new mode",
    b"deleted file mode",
    b"new file mode",
    b"copy from",
    b"copy to",
    b"rename from",
    b"rename to",
    b"index",
)
_BINARY = re.compile(rb"(?:Binary files .* differ|GIT binary patch)$", re.DOTALL)
_COMBINED = re.compile(rb"diff --(?:cc|combined) ")
_ONLY = re.compile(rb"Only in (.*): (.*)", re.DOTALL)
_NO_NEWLINE = b"\\"

Row = tuple[bytes, bytes]
"""A sign (blank, minus or plus) and a line with its terminator."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of lines of one file's diff."""

    at: int
    """Line of its header in the diff, 1-based."""
    start: int
    """Line of the old text where it starts, 0-based; for nothing but new lines, the gap before that line."""
    rows: tuple[Row, ...] = ()
    is_recounted: bool = False
    """Whether its header counted other lines than it has."""
    problem: str = ""
    """Why it cannot be used."""

    @property
    def old(self) -> Text:
        """The lines that it expects."""
        return tuple(line for sign, line in self.rows if sign != b"+")

    @property
    def new(self) -> Text:
        """The lines that it leaves."""
        return tuple(line for sign, line in self.rows if sign != b"-")


@dataclass(slots=True)
class FileDiff:
    """What a diff says of one file."""

    at: int
    """Line where it begins in the diff, 1-based."""
    header: bytes = b""
    """Both names as git's first line gives them; empty in diffs that git did not make."""
    label: bytes = b""
    """What stands for its name where only a remark names it."""
    names: tuple[bytes, bytes] | None = None
    """The names of the lines ``---`` and ``+++``, as they stand there."""
    marks: dict[bytes, bytes] = field(default_factory=dict)
    """Git's further header lines: what they say, to their value."""
    hunks: list[Hunk] = field(default_factory=list)
    problem: str = ""
    """Why none of it can be used."""
    section: int = 0
    """Which of the commits of a series of mails it belongs to."""

    @property
    def is_new(self) -> bool:
        """Tell whether it makes a file, by its header."""
        return b"new file mode" in self.marks or (self.names is not None and is_epoch(self.names[0]))

    @property
    def is_deletion(self) -> bool:
        """Tell whether it takes a file away, by its header."""
        return b"deleted file mode" in self.marks or (self.names is not None and is_epoch(self.names[1]))


@dataclass(frozen=True, slots=True)
class Diff:
    """A whole unified diff."""

    files: tuple[FileDiff, ...]
    subjects: tuple[str, ...]
    """What each section is for, where it says so."""
    is_converted: bool = False
    """Whether its own headers end in CRLF, so that the line ends in its hunks say nothing."""


def is_diff(data: bytes) -> bool:
    """Tell whether some bytes look like a unified diff."""
    reader = _Reader(data)
    return any(
        line.startswith((b"diff --git ", b"@@ -", b"Only in ")) or reader.names_at(at) or _BINARY.match(line)
        for at, line in enumerate(reader.lines)
    )


def read_diff(data: bytes, what: str) -> Diff:
    """Read a unified diff; text around it, such as a mail or a commit's message, is passed over.

    Raises:
        StoreError: it holds more than an import may; `what` names it.
    """
    reader = _Reader(data)
    within_limit(what, reader.lines, MAX_LINES, "lines")
    reader.read()
    within_limit(what, reader.files, MAX_FILES, "files")
    within_limit(what, [hunk for file in reader.files for hunk in file.hunks], MAX_HUNKS, "hunks")
    is_converted = reader.crlf > 0 and reader.lf == 0
    if is_converted:
        for file in reader.files:
            file.hunks = [_with_lf(hunk) for hunk in file.hunks]
    return Diff(tuple(reader.files), tuple(reader.subjects), is_converted)


def _with_lf(hunk: Hunk) -> Hunk:
    rows = tuple((sign, line[:-2] + b"\n" if line.endswith(b"\r\n") else line) for sign, line in hunk.rows)
    return Hunk(hunk.at, hunk.start, rows, hunk.is_recounted, hunk.problem)


class _Reader:
    """The way through a diff, line by line."""

    def __init__(self, data: bytes) -> None:
        self.lines = data.split(b"\n")
        if not self.lines[-1]:
            self.lines.pop()
        self.at = 0
        self.files: list[FileDiff] = []
        self.subjects = [""]
        self.crlf = self.lf = 0

    def read(self) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith(b"@@ "):
                self._hunk(line)
            else:
                self._header(line)

    def names_at(self, at: int) -> bool:
        """Tell whether the two lines that name a file stand at a line."""
        pair = self.lines[at : at + 2]
        return len(pair) == 2 and pair[0].startswith(b"--- ") and pair[1].startswith(b"+++ ")

    def _begin(self, header: bytes = b"", *, label: bytes = b"", problem: str = "") -> FileDiff:
        file = FileDiff(self.at + 1, header, label, problem=problem, section=len(self.subjects) - 1)
        self.files.append(file)
        return file

    def _open(self) -> FileDiff | None:
        """Return the file whose header is being read."""
        file = self.files[-1] if self.files else None
        return file if file and not file.hunks else None

    def _count(self, line: bytes) -> None:
        is_crlf = line.endswith(b"\r")
        self.crlf += is_crlf
        self.lf += not is_crlf

    def _header(self, line: bytes) -> None:
        bare, file = line.removesuffix(b"\r"), self._open()
        if bare.startswith(b"diff --git "):
            self._count(line)
            self._begin(bare.removeprefix(b"diff --git "))
        elif _COMBINED.match(bare):
            self._begin(
                label=_COMBINED.sub(b"", bare),
                problem="it is the combined diff of a merge; make a diff of two versions",
            )
        elif self.names_at(self.at):
            self._count(line)
            if file is None or file.names is not None or file.problem:
                file = self._begin()
            file.names = (bare[4:], self.lines[self.at + 1].removesuffix(b"\r")[4:])
            self.at += 1
        elif _BINARY.match(bare):
            file = file if file and file.header else self._begin(label=bare)
            file.problem = "it is a binary patch; import a whole folder instead"
        elif file and file.header and (mark := next((one for one in _MARKS if bare.startswith(one + b" ")), None)):
            file.marks[mark] = bare[len(mark) + 1 :]
        else:
            self._around(bare)
        self.at += 1

    def _around(self, bare: bytes) -> None:
        """Look at a line that stands between the files of a diff."""
        if _MAIL.match(bare):
            self.subjects.append("")
        elif (subject := _SUBJECT.match(bare)) and not self.subjects[-1]:
            self.subjects[-1] = subject[1].decode("utf-8", "replace")[:200]
        elif only := _ONLY.fullmatch(bare):
            problem = "it is named without its text; make the diff with `diff -ruN`"
            self._begin(label=only[1] + b"/" + only[2], problem=problem)

    def _hunk(self, line: bytes) -> None:
        head, at = _HUNK.match(line), self.at + 1
        self.at += 1
        if not self.files:
            self._begin(label=b"a hunk", problem="no file is named above it").at = at
        counts = [int(group) if group is not None else 1 for group in head.groups()] if head else []
        rows = self._counted(counts[1], counts[3]) if head else None
        is_recounted = rows is None
        if rows is None:
            rows = self._recounted()
        start = max(counts[0] - any(sign != b"+" for sign, _ in rows), 0) if head else 0
        problem = "" if head else "its header cannot be read"
        self.files[-1].hunks.append(Hunk(at, start, tuple(rows), is_recounted and bool(head), problem))

    def _counted(self, old: int, new: int) -> list[Row] | None:
        """Read the lines that a hunk's header counts; None where they are others, and then nothing is read."""
        rows: list[Row] = []
        at = self.at
        while old or new or (at < len(self.lines) and self.lines[at].startswith(_NO_NEWLINE)):
            row = _row(self.lines[at]) if at < len(self.lines) else None
            if row is None:
                return None
            at += 1
            if row[0] == _NO_NEWLINE:
                _open_last(rows)
                continue
            old -= row[0] != b"+"
            new -= row[0] != b"-"
            if old < 0 or new < 0:
                return None
            rows.append(row)
        if self._goes_on(at):
            return None
        self.at = at
        return rows

    def _goes_on(self, at: int) -> bool:
        """Tell whether a line is one of a hunk's rather than what follows a hunk."""
        if at >= len(self.lines) or self._is_end(at):
            return False
        return self.lines[at][:1] in (b" ", b"-", b"+")

    def _is_end(self, at: int) -> bool:
        return self.names_at(at) or self.lines[at].rstrip(b"\r") in (b"-- ", b"--")

    def _recounted(self) -> list[Row]:
        """Read lines for as long as they look like a hunk's; empty ones at its end are none of it."""
        rows: list[Row] = []
        size = 0
        while self.at < len(self.lines) and not self._is_end(self.at):
            line = self.lines[self.at]
            row = _row(line)
            if row is None:
                break
            self.at += 1
            if row[0] == _NO_NEWLINE:
                _open_last(rows)
            else:
                rows.append(row)
            size = len(rows) if line.strip(b"\r") else size
        return rows[:size]


def _row(line: bytes) -> Row | None:
    """Return a line of a hunk; mail programs strip the blank of an empty line."""
    if line in (b"", b"\r"):
        return b" ", line + b"\n"
    sign = line[:1]
    return (sign, line[1:] + b"\n") if sign in (b" ", b"-", b"+", _NO_NEWLINE) else None


def _open_last(rows: list[Row]) -> None:
    """Take the terminator off the last line, which has none."""
    if rows:
        sign, line = rows[-1]
        rows[-1] = sign, line.removesuffix(b"\n")
