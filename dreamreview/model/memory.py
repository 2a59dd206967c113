"""What a memory file holds, once read: lines with a role, frontmatter, notes, links, index pointers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreamreview.model.edits import Text


class Role(StrEnum):
    """What a line is for; only `TEXT` lines may become notes."""

    TEXT = "text"
    BLANK = "blank"
    FRONTMATTER = "frontmatter"
    HEADING = "heading"
    CODE = "code"
    COMMENT = "comment"
    MANAGED = "managed"
    """Inside a block that a program writes: dream output, generated lists, diary, embedded YAML."""
    RULE = "rule"
    """Parts what is above from what is below: ``---``, ``***``, a lone section sign."""


class Shape(StrEnum):
    """The form a note has in its file."""

    FILE = "file"
    """The whole file, usually with frontmatter."""
    SECTION = "section"
    """A heading (or a bold line used as one) and what stands below it, up to the next of its level."""
    BULLET = "bullet"
    """A list item with its continuation lines and children."""
    PARAGRAPH = "paragraph"
    ROW = "row"
    """A table row, header and rule left out."""
    ENTRY = "entry"
    """One entry of a file whose entries are parted by a line that holds only a section sign."""
    POINTER = "pointer"
    """An index line that points to a file."""


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """The block between ``---`` fences (or a JSON object there), read tolerantly and never written back."""

    first: int
    """Line of the opening fence, 1-based."""
    last: int
    """Line of the closing fence."""
    values: Mapping[str, str]
    """Key to raw value, quotes taken off; nested keys are joined with a dot (``metadata.type``)."""
    lists: Mapping[str, tuple[str, ...]]
    """Keys whose value is a list, flow or block style."""
    lines: Mapping[str, int]
    """Key to the 1-based line that holds it."""
    problem: str | None = None
    """Why a strict YAML reader would refuse it; None when it would not."""

    def get(self, *keys: str) -> str | None:
        """Return the value of the first key that is there and not empty."""
        return next((self.values[key] for key in keys if self.values.get(key)), None)


class LinkForm(StrEnum):
    """How a text refers to another file."""

    MARKDOWN = "markdown"
    WIKI = "wiki"
    CODE = "code"
    """A file name in a code span."""
    BARE = "bare"
    """A file name in plain text."""
    KEY = "key"
    """A frontmatter key that names files: relates_to, supersedes, superseded_by."""


@dataclass(frozen=True, slots=True)
class Link:
    """One reference to another file."""

    line: int
    """1-based."""
    start: int
    """First byte of the whole reference in its line."""
    stop: int
    """One past its last byte."""
    form: LinkForm
    target: str
    """As written, without anchor, alias or title."""
    label: str = ""
    """The words shown for it."""


@dataclass(frozen=True, slots=True)
class Note:
    """One remembered thing with its line span."""

    path: str
    first: int
    """First line, 1-based."""
    last: int
    """Last line, inclusive, without trailing blank lines."""
    shape: Shape
    text: str
    """What it says: markup characters of its form, task boxes, promotion tails and comments taken off; for a file, the
    body without frontmatter."""
    title: str = ""
    """Name of a file note (frontmatter name, else first heading, else description, else stem); else the bold lead."""
    headings: tuple[str, ...] = ()
    """Headings above it, outermost first."""
    type: str | None = None
    """``type`` or ``metadata.type`` of its file, lower case."""
    date: str | None = None
    """YYYY-MM-DD it speaks from, by the anchor chain: a date it states for itself, file name, nearest dated heading
    above, frontmatter (modified, updated, date, created); None without any. Never the file's mtime."""
    confidence: float | None = None
    """0 to 1; the words high, medium and low read as .9, .6 and .3."""
    pinned: bool = False
    """By frontmatter ``pinned: true`` or ``metadata.pinned``, a leading ``[PINNED]``, or a leading pushpin."""
    tags: tuple[str, ...] = ()
    parent: int | None = None
    """Index in `Document.notes` of the note that holds it, if any."""
    label: str = ""
    """The bold label of a note that only explains the one above it (``**Why:** ...``); never judged alone."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """An index entry: one line that points to a file of the store."""

    line: int
    """1-based."""
    target: str
    """As written."""
    label: str
    hook: str
    """What the line says about it."""


@dataclass(frozen=True, slots=True)
class Document:
    """One markdown file, read without losing a byte."""

    path: str
    lines: Text
    roles: tuple[Role, ...]
    """One a line."""
    notes: tuple[Note, ...]
    """In order of their first line, a holder before what it holds."""
    links: tuple[Link, ...]
    """Those outside code fences and managed blocks."""
    pointers: tuple[Pointer, ...]
    """Those of index lines, in any file; code fences and managed blocks left out."""
    frontmatter: Frontmatter | None = None
    is_text: bool = True
    """False for what is not UTF-8 or holds NUL: opaque, no notes, never rewritten."""
    is_output: bool = False
    """True for what a dream wrote (reports, diary, staged candidates, archives): never dreamed again."""
    warnings: tuple[str, ...] = field(default=())
    """What was odd, one sentence each: unclosed fence, broken frontmatter."""
    managed_links: tuple[Link, ...] = ()
    """Those inside managed blocks, such as a generated index: they mention a file, but are never edited."""

    def line_text(self, line: int) -> str:
        """Return a 1-based line as text without its terminator; undecodable bytes as U+FFFD."""
        return self.lines[line - 1].rstrip(b"\r\n").decode("utf-8", "replace")
