"""What of the changes to a store needs no decision: what its agent added, and what we wrote ourselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dreamreview.model.dates import date_in_name
from dreamreview.model.edits import compose, difference, invert, rebase, render, split_lines, terminator_of
from dreamreview.model.files import FileState

if TYPE_CHECKING:
    from dreamreview.model.edits import Differ, Text

EXECUTABLE = 0o111


def is_addition(path: str, before: FileState | None, after: FileState | None) -> bool:
    """Tell whether an agent at work only added something: lines at the end of a file, or the note of a new day.

    Nothing that was there is touched by that, so there is nothing to take back but what nobody has seen before.
    """
    if after is None or after.is_link or not after.text:
        return False
    if before is None:
        return date_in_name(path.rpartition("/")[2]) is not None and not after.mode & EXECUTABLE
    if before.is_link or not before.text or bool(before.mode & 0o100) != bool(after.mode & 0o100):
        return False
    return before.text != after.text and b"".join(after.text).startswith(b"".join(before.text))


def added(before: FileState | None, after: FileState) -> Text:
    """Return the lines that an addition brings; a line that was only begun before comes whole."""
    whole = len(before.text) if before else 0
    if before and whole and not before.text[-1].endswith(b"\n") and after.text[whole - 1] != before.text[-1] + b"\n":
        whole -= 1
    return after.text[whole:]


def carried(
    base: FileState | None, before: FileState | None, after: FileState | None, differ: Differ
) -> FileState | None:
    """Return what a path holds without what others did to it, once a step that needs no decision was taken.

    What others did and the step leaves alone is not part of it afterwards either; what the step writes over is settled
    with it.

    Args:
        base: what the path held without what others did, None for nothing.
        before: what it held when the step was taken.
        after: what the step made of that.
        differ: where hunks come from.
    """
    if base == before:
        return after
    if base is None:
        return None
    if before is None or after is None:
        return after
    if base.is_link or before.is_link or after.is_link:
        return after
    end = terminator_of(base.text)
    theirs = difference(base.text, before.text, end, differ)
    step = difference(before.text, after.text, end, differ)
    left = rebase(invert(base.text, theirs, theirs), step)
    text = split_lines(render(compose(after.text, left.edits), end))
    is_theirs = bool(base.mode & 0o100) != bool(before.mode & 0o100)
    return FileState(text, base.mode if is_theirs and before.mode == after.mode else after.mode)
