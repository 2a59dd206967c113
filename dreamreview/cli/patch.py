"""The changes of a proposal as one unified diff for reading: git's headers, real bytes, secrets masked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dreamreview.cli.diff import NO_NEWLINE
from dreamreview.cli.report import diff_of
from dreamreview.model.inert import inert
from dreamreview.model.proposal import Act, FileEdit
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from dreamreview.workspace import OpenReview

_REGULAR = 0o100644
_EXECUTABLE = 0o100755
_ESCAPES = {0x07: "a", 0x08: "b", 0x09: "t", 0x0A: "n", 0x0B: "v", 0x0C: "f", 0x0D: "r", 0x22: '"', 0x5C: "\\"}
"""How git writes these bytes in a quoted path."""


def patch_lines(review: OpenReview) -> Iterator[bytes]:
    """Yield the patch line by line, without line ends.

    Each change comes on its own, against the base, below a line that names it; so does each option of a conflict.
    """
    for change in review.proposal.changes:
        yield _remark(f"{change.id} {change.kind}: {change.title}")
        yield from _diffs(review, change.edits)
        for option in change.options:
            yield _remark(f"{change.id} option {option.key}: {option.label}")
            yield from _diffs(review, option.edits)


def _remark(text: str) -> bytes:
    return f"# {inert(mask(text))}".encode("utf-8", "backslashreplace")


def _diffs(review: OpenReview, edits: Iterable[FileEdit]) -> Iterator[bytes]:
    by_path: dict[str, list[FileEdit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    for path, some in by_path.items():
        yield from _header(path, some)
        for block in diff_of(review, path, some):
            yield block.header.encode()
            for row in block.rows:
                remark = row.text == NO_NEWLINE and row.sign == "\\"
                yield NO_NEWLINE.encode() if remark else (row.sign + row.text).encode("utf-8", "surrogateescape")


def _header(path: str, edits: list[FileEdit]) -> Iterator[bytes]:
    acts = {edit.act: edit for edit in edits}
    renamed = acts.get(Act.RENAME)
    old, new = quoted("a/" + path), quoted("b/" + (renamed.to if renamed and renamed.to else path))
    yield b"diff --git " + old + b" " + new
    if Act.MODE in acts:
        yield f"old mode {_mode(acts[Act.MODE].old_mode)}".encode()
        yield f"new mode {_mode(acts[Act.MODE].mode)}".encode()
    if renamed and renamed.to:
        yield b"rename from " + quoted(path)
        yield b"rename to " + quoted(renamed.to)
    if Act.CREATE in acts:
        yield f"new file mode {_mode(acts[Act.CREATE].mode)}".encode()
    if Act.DELETE in acts:
        yield f"deleted file mode {_mode(acts[Act.DELETE].mode)}".encode()
    if acts.keys() & {Act.LINES, Act.CREATE, Act.DELETE}:
        yield b"--- " + (b"/dev/null" if Act.CREATE in acts else old)
        yield b"+++ " + (b"/dev/null" if Act.DELETE in acts else new)


def _mode(bits: int | None) -> str:
    """Return permission bits as git writes a mode: a regular file, executable or not, or a link."""
    if bits is not None and bits >= 0o100000:
        return f"{bits:06o}"
    return f"{_EXECUTABLE if bits is not None and bits & 0o100 else _REGULAR:06o}"


def quoted(path: str) -> bytes:
    """Return a path as git prints it: in quotes with C escapes where it holds a quote, a control byte or no UTF-8."""
    raw = os.fsencode(path)
    if re.search(r'[\x00-\x1f"\\\x7f-\x9f\ud800-\udfff]', path) is None:
        return raw
    parts: list[str] = []
    for character in path:
        escape = _ESCAPES.get(ord(character))
        if escape is not None:
            parts.append("\\" + escape)
        elif character < " " or "\x7f" <= character <= "\x9f" or "\ud800" <= character <= "\udfff":
            parts += [f"\\{byte:03o}" for byte in os.fsencode(character)]
        else:
            parts.append(character)
    return f'"{"".join(parts)}"'.encode()
