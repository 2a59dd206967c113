"""Which lines of a document belong together: the plain lines of one innermost note, or the lines of one comment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.dream.evidence import delete_block, delete_lines
from dreamreview.model.memory import Document, Note, Role, Shape

if TYPE_CHECKING:
    from dreamreview.model.proposal import FileEdit


@dataclass(frozen=True, slots=True)
class Block:
    """A run of lines of one role and one note."""

    document: Document
    first: int
    """1-based."""
    last: int
    """Inclusive."""
    role: Role
    note: Note | None
    """The innermost note they belong to."""

    @property
    def text(self) -> str:
        """Their text with terminators, lines as they stand; undecodable bytes as U+FFFD."""
        return b"".join(self.document.lines[self.first - 1 : self.last]).decode("utf-8", "replace")

    @property
    def topic(self) -> str:
        """What the lines stand under: title, description and path of the file, and the headings above."""
        frontmatter = self.document.frontmatter
        said = [frontmatter.get("name", "title") or "", frontmatter.get("description") or ""] if frontmatter else []
        return "\n".join([self.document.path, *said, *(self.note.headings if self.note else ())])

    def line_at(self, offset: int) -> int:
        """Return the line that holds a character of `text`."""
        return self.first + self.text.count("\n", 0, offset)


def blocks(document: Document, *roles: Role) -> Iterator[Block]:
    """Yield the runs of lines that have one of the roles, in order."""
    owners = owners_of(document)
    count = len(document.lines)
    first = 1
    for line in range(1, count + 1):
        role = document.roles[line - 1]
        if line < count and document.roles[line] is role and owners[line + 1] == owners[line]:
            continue
        if role in roles:
            owner = owners[line]
            yield Block(document, first, line, role, None if owner is None else document.notes[owner])
        first = line + 1


def owners_of(document: Document) -> dict[int, int | None]:
    """Map each line to the place of the innermost note that holds it."""
    owners: dict[int, int | None] = dict.fromkeys(range(1, len(document.lines) + 1))
    for index, note in enumerate(document.notes):
        for line in range(max(note.first, 1), min(note.last, len(document.lines)) + 1):
            owners[line] = index
    return owners


def without(document: Document, note: Note | None, first: int, last: int) -> FileEdit:
    """Return the edit that takes lines away with what belongs to them, and with one of the marks that part entries."""
    if note is None or note.shape is not Shape.ENTRY or (first, last) != (note.first, note.last):
        return delete_block(document, first, last)
    if last < len(document.lines):
        return delete_lines(document, first, last + 1)
    return delete_lines(document, max(first - 1, 1), last)
