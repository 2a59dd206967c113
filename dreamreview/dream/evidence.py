"""How a detector says what it saw and what it would do: evidence and edits made from lines of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.model.memory import Document, Role
from dreamreview.model.proposal import Act, Evidence, FileEdit
from dreamreview.model.secrets import find_secrets, mask

if TYPE_CHECKING:
    from dreamreview.model.edits import Text

DEFAULT_MODE = 0o644
"""Permission bits of a file whose own are not known."""


def raw_text(document: Document, first: int, last: int) -> str:
    """Return lines as they stand, unmasked: for fingerprints and comparisons, never for reading."""
    return b"".join(document.lines[first - 1 : last]).decode("utf-8", "replace").rstrip("\r\n")


def quote(document: Document, first: int, last: int) -> str:
    """Return lines as a person may read them, secrets masked, also one of which they hold only a part."""
    return _mask_parts(document, first, last) or mask(raw_text(document, first, last))


def _mask_parts(document: Document, first: int, last: int) -> str | None:
    """Mask secrets that run over several lines, where the quote would cut one; None where there is none."""
    whole = [document.line_text(line) for line in range(1, len(document.lines) + 1)]
    if not any("-----BEGIN" in line for line in whole):
        return None
    begin = sum(len(line) + 1 for line in whole[: first - 1])
    text = "\n".join(whole[first - 1 : last])
    pieces: list[str] = []
    at = 0
    for span in find_secrets("\n".join(whole)):
        start, stop = max(span.start - begin, at), min(span.stop - begin, len(text))
        if start < stop:
            pieces += [text[at:start], "***"]
            at = stop
    return mask("".join([*pieces, text[at:]]))


def evidence(document: Document, first: int, last: int, date: str | None = None) -> Evidence:
    """Return lines (1-based, inclusive) of a document as evidence; ``(1, 0)`` stands for an empty file."""
    return Evidence(path=document.path, first=first, last=last, quote=quote(document, first, last), date=date)


def replace_lines(document: Document, first: int, last: int, new: Text) -> FileEdit:
    """Return the edit that puts `new` in place of lines (1-based, inclusive)."""
    return FileEdit(
        id="", path=document.path, start=first - 1, stop=last, old=document.lines[first - 1 : last], new=new
    )


def insert_before(document: Document, line: int, new: Text) -> FileEdit:
    """Return the edit that puts `new` before a 1-based line; one past the last line appends."""
    return FileEdit(id="", path=document.path, start=line - 1, stop=line - 1, new=new)


def delete_lines(document: Document, first: int, last: int) -> FileEdit:
    """Return the edit that takes exactly these lines away."""
    return replace_lines(document, first, last, ())


def delete_block(document: Document, first: int, last: int) -> FileEdit:
    """Return the edit that takes lines away with the comment that marks them and a blank line left over.

    A comment line directly above belongs to the lines (promotion markers stand there); of the blank lines above and
    below only one stays.
    """
    roles = document.roles
    while first > 1 and roles[first - 2] is Role.COMMENT and _is_marker(document, first - 1):
        first -= 1
    above = first == 1 or roles[first - 2] is Role.BLANK
    below = last < len(roles) and roles[last] is Role.BLANK
    if above and below:
        last += 1
    elif above and first > 1 and last == len(roles):
        first -= 1
    return delete_lines(document, first, last)


def _is_marker(document: Document, line: int) -> bool:
    text = document.line_text(line).strip()
    return text.startswith("<!--") and text.endswith("-->") and "promotion" in text


def delete_file(document: Document, mode: int | None = None) -> FileEdit:
    """Return the act that deletes a file; `mode` are its permission bits (``corpus.modes``)."""
    return FileEdit(
        id="",
        path=document.path,
        act=Act.DELETE,
        start=0,
        stop=len(document.lines),
        old=document.lines,
        mode=DEFAULT_MODE if mode is None else mode,
    )


def create_file(path: str, new: Text, mode: int | None = None) -> FileEdit:
    """Return the act that creates a file with these lines."""
    return FileEdit(id="", path=path, act=Act.CREATE, new=new, mode=DEFAULT_MODE if mode is None else mode)
