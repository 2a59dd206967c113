"""What a person decided, one log line at a time: operations, targets, and the log they are kept in."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from dreamreview.errors import InvalidManifestError, UsageError
from dreamreview.model import manifest_fields as fields
from dreamreview.model.manifest_fields import Fault, JsonObject
from dreamreview.model.manifest_write import well_formed

VERSION = 1
"""What the ``v`` key of a log line says."""

MAX_UNITS = 1_000_000
"""Most lines that one target may name."""
MAX_REASON = 100_000
MAX_TARGET = 1_000_000
MAX_N = 2**53 - 1


class Op(StrEnum):
    """What a log line does."""

    ACCEPT = "accept"
    REJECT = "reject"
    CHOOSE = "choose"
    SKIP = "skip"
    EDIT = "edit"
    CLEAR = "clear"
    NOTE = "note"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class Target:
    """What a decision is about: a change, one edit of it, or lines of that edit."""

    change: str
    edit: str | None = None
    old: frozenset[int] | None = None
    """Old lines of the edit, 1-based; None, like `new`, when no lines are named."""
    new: frozenset[int] | None = None
    """New lines of the edit, 1-based."""

    @property
    def has_lines(self) -> bool:
        """Whether it names lines of an edit."""
        return self.old is not None or self.new is not None

    def __str__(self) -> str:
        name = self.change if self.edit is None else f"{self.change}.{self.edit}"
        if not self.has_lines:
            return name
        runs = [f"-{run}" for run in _runs(self.old or ())] + [f"+{run}" for run in _runs(self.new or ())]
        return f"{name}:{','.join(runs)}"


_TARGET = re.compile(r"(?P<change>[a-z0-9]{1,16})(?:\.(?P<edit>[A-Za-z0-9]{1,32})(?::(?P<lines>[-+,0-9]+))?)?")
_RUN = re.compile(r"(?P<side>[-+])(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?")


def parse_target(word: str) -> Target:
    """Read ``CHANGE``, ``CHANGE.e2`` or ``CHANGE.e2:-1,+1-3``.

    Raises:
        UsageError: it is none of these, or names more than `MAX_UNITS` lines.
    """
    match = _TARGET.fullmatch(word)
    if match is None:
        raise UsageError(f"{word[:80]!a} names no change: say ID, ID.e2, or lines such as ID.e2:-1,+1-3")
    if match["lines"] is None:
        return Target(change=match["change"], edit=match["edit"])
    sides: dict[str, set[int]] = {"-": set(), "+": set()}
    count = 0
    for part in match["lines"].split(","):
        run = _RUN.fullmatch(part)
        first = int(run["first"]) if run else 0
        last = int(run["last"] or first) if run else 0
        count += last - first + 1
        if run is None or not 1 <= first <= last or count > MAX_UNITS:
            raise UsageError(
                f"{part[:40]!a} in {word[:80]!a} names no lines: say -2 or -1-3 for old, +2 or +1-3 for new"
            )
        sides[run["side"]].update(range(first, last + 1))
    return Target(change=match["change"], edit=match["edit"], old=frozenset(sides["-"]), new=frozenset(sides["+"]))


def _runs(numbers: Collection[int]) -> Iterator[str]:
    ordered = sorted(numbers)
    breaks = [place for place, (left, right) in enumerate(pairwise(ordered), 1) if right != left + 1]
    for start, stop in pairwise([0, *breaks, len(ordered)] if ordered else []):
        first, last = ordered[start], ordered[stop - 1]
        yield f"{first}-{last}" if last > first else f"{first}"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log of a review."""

    n: int
    """Its number, from 1 and growing."""
    at: str
    """When, RFC 3339 UTC."""
    by: str
    """Who: the part of the program, or the user it ran for."""
    op: Op
    on: str = ""
    """Target as `str(Target)`; empty for undo and redo."""
    choice: str | None = None
    """Key of an option, ``both`` or ``skip``."""
    text: bytes | None = None
    """The text of an edit, byte for byte."""
    reason: str = ""
    """Why; the words themselves for a note."""
    seen: str | None = None
    """`seen_of` the change when it was decided; None where that was not said."""
    of: int | None = None
    """Number of the entry that an undo takes back or a redo makes again; None means the newest.

    In a decision, the number of the first of those that were made in the same breath, which one undo takes back; None
    for one that was made alone.
    """


class UnknownEntryError(InvalidManifestError):
    """A log line was written by a newer version of this program."""


@dataclass(frozen=True, slots=True)
class LoadedLog:
    """A log as it was read."""

    entries: tuple[LogEntry, ...]
    read_only: bool = False
    """True when it holds lines of a newer version: nothing may be added then."""
    warnings: tuple[str, ...] = ()
    length: int = 0
    """Bytes of whole lines; what follows is a torn line, to be cut off before anything is appended."""


def entry_to_json(entry: LogEntry) -> JsonObject:
    """Return a log entry as a JSON object."""
    text = None if entry.text is None else base64.b64encode(entry.text).decode("ascii")
    return {
        "v": VERSION,
        "n": entry.n,
        "at": well_formed(entry.at),
        "by": well_formed(entry.by),
        "op": str(entry.op),
        "on": entry.on,
        "choice": entry.choice,
        "text_b64": text,
        "reason": well_formed(entry.reason),
        "seen": entry.seen,
        "of": entry.of,
    }


def entry_line(entry: LogEntry) -> bytes:
    """Return a log entry as the line that is appended to the log, its terminator included."""
    return json.dumps(entry_to_json(entry), ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n"


def entry_from_json(obj: object) -> LogEntry:
    """Read a log entry.

    Raises:
        UnknownEntryError: its version or operation is not known here.
        InvalidManifestError: it does not follow the format; the message names the key.
    """
    try:
        return _entry(fields.as_object(obj))
    except Fault as fault:
        raise InvalidManifestError(str(fault)) from None


def _entry(shape: JsonObject) -> LogEntry:
    version = fields.integer(shape, "v", 0, MAX_N)
    op = fields.text(shape, "op", 100)
    if version != VERSION or op not in frozenset(Op):
        raise UnknownEntryError(f"operation {op!a} of version {version} is not known here")
    return LogEntry(
        n=fields.integer(shape, "n", 1, MAX_N),
        at=fields.text(shape, "at", 100, ""),
        by=fields.text(shape, "by", 1_000, ""),
        op=Op(op),
        on=fields.text(shape, "on", MAX_TARGET, ""),
        choice=fields.optional_text(shape, "choice", 100),
        text=None if shape.get("text_b64") is None else fields.raw(shape, "text"),
        reason=fields.text(shape, "reason", MAX_REASON, ""),
        seen=fields.optional_text(shape, "seen", 200),
        of=None if shape.get("of") is None else fields.integer(shape, "of", 1, MAX_N),
    )


def parse_log(data: bytes) -> LoadedLog:
    """Read a log; never raises.

    A last line without its terminator was torn by a crash and is dropped without a word. A line of a newer version
    makes the log read-only. Any other line that cannot be read is skipped with a warning that names it.
    """
    whole = data[: data.rfind(b"\n") + 1]
    entries: list[LogEntry] = []
    warnings: list[str] = []
    read_only = False
    for number, line in enumerate(whole.split(b"\n")[:-1], 1):
        if not line:
            continue
        try:
            entries.append(entry_from_json(json.loads(line.decode("utf-8"))))
        except UnknownEntryError as error:
            read_only = True
            warnings.append(f"line {number} of the decisions: {error}; the review opens read-only")
        except RecursionError:
            warnings.append(f"line {number} of the decisions is skipped: it is nested too deeply")
        except (InvalidManifestError, ValueError) as error:
            warnings.append(f"line {number} of the decisions is skipped: {error}")
    return LoadedLog(entries=tuple(entries), read_only=read_only, warnings=tuple(warnings), length=len(whole))
