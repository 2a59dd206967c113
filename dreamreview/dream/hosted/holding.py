"""How secrets are held back: never sent, never lost, and what stands for them is never written back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.model.edits import Edit, compose, difference, render, split_lines, terminator_of
from dreamreview.model.secrets import find_secrets

if TYPE_CHECKING:
    from dreamreview.model.edits import Differ

HELD = "[redacted•••]"
"""What stands for a secret in what is sent; no rule for secrets knows it for one."""

_TRACE = "•••"
"""What is left of it where a dreamer quotes it in part."""

_ROUNDS = 50
"""How often what is left is looked through again before a text counts as one that cannot be masked."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A text as it may be sent."""

    text: str
    lines: frozenset[int]
    """Numbers, from 0, of the lines in which something was held back."""


def masked(text: str) -> Masked | None:
    """Return a text with each secret replaced, line by line, so that lines keep their numbers.

    None where some secret is left over however often it is looked for.
    """
    held: set[int] = set()
    for _ in range(_ROUNDS):
        spans = find_secrets(text)
        if not spans:
            return Masked(text, frozenset(held))
        parts: list[str] = []
        reach = 0
        for span in spans:
            first = text.count("\n", 0, span.start)
            held.update(range(first, first + text.count("\n", span.start, span.stop) + 1))
            parts += text[reach : span.start], _stand_in(text[span.start : span.stop])
            reach = span.stop
        text = "".join([*parts, text[reach:]])
    return None


def _stand_in(secret: str) -> str:
    return "\n".join(HELD + "\r" * line.endswith("\r") if line.strip() else line for line in secret.split("\n"))


@dataclass(frozen=True, slots=True)
class Restored:
    """What a file becomes by what came back for it."""

    data: bytes
    refused: int
    """How many edits were left out, since they touch or spread what was held back."""


def restored(original: bytes, sent: str, lines: frozenset[int], returned: str, differ: Differ) -> Restored:
    """Carry over what was changed in a text that was sent to the file that it was made from.

    Args:
        original: the file.
        sent: its text as it was sent; it has as many lines.
        lines: those in which something was held back.
        returned: the text that came back.
        differ: where hunks come from.
    """
    if not lines and not holds(returned):
        return Restored(returned.encode("utf-8"), 0)
    before, after = split_lines(sent.encode("utf-8")), split_lines(returned.encode("utf-8"))
    terminator = terminator_of(before)
    edits = difference(before, after, terminator, differ)
    kept = [edit for edit in edits if not _touches(edit, lines)]
    base = split_lines(original)
    text = compose(base, kept) if kept else base
    return Restored(render(text, terminator), len(edits) - len(kept))


def _touches(edit: Edit, lines: frozenset[int]) -> bool:
    return not lines.isdisjoint(range(edit.start, edit.stop)) or holds(b"".join(edit.new).decode("utf-8", "replace"))


def holds(text: str) -> bool:
    """Tell whether what stands for a secret is in a text."""
    return _TRACE in text
