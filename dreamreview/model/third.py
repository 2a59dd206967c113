"""Where a text that a person writes goes: into an edit, or in place of one side of a conflict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dreamreview.model.edits import Edit, Text, overlap, split_lines
from dreamreview.model.manifest_read import THIRD
from dreamreview.model.proposal import Act, Change, Evidence, FileEdit, Kind, Option
from dreamreview.model.units import has_text

BaseLines = Callable[[str], Text]
"""The base text of a path; empty for a path that the base does not have."""


def is_conflict(change: Change) -> bool:
    """Tell whether a change is settled by choosing."""
    return change.kind is Kind.CONFLICT or bool(change.options)


def one_text(change: Change, edit_id: str | None) -> FileEdit | None:
    """Return the edit that a person's text goes into: the named one, else the only one that has a text."""
    able = [edit for edit in change.edits if has_text(edit) and edit_id in {None, edit.id}]
    return able[0] if len(able) == 1 else None


def rewritten(edit: FileEdit, text: bytes) -> FileEdit:
    """Return an edit with a person's text in place of what it brings; a deletion becomes a replacement of all lines."""
    new = split_lines(text)
    if edit.act is Act.DELETE and new:
        return replace(edit, act=Act.LINES, start=0, stop=len(edit.old), new=new, mode=None)
    return edit if edit.act is Act.DELETE else replace(edit, new=new)


def third_side(change: Change, edit_id: str | None = None) -> Option | None:
    """Return the option that a person's third text goes into: that of a named edit, else the suggested, else A."""
    if edit_id is not None:
        return next((option for option in change.options if any(edit.id == edit_id for edit in option.edits)), None)
    suggested = change.option(change.suggested) if change.suggested is not None else None
    return suggested or change.option("A") or next(iter(change.options), None)


def third_edit(option: Option, base_lines: BaseLines | None = None, edit_id: str | None = None) -> FileEdit | None:
    """Return the edit whose new text a third text replaces; None where the option names no line of the store.

    It is the named edit, else the option's first edit that touches a line of its own claim (its evidence). Where none
    does, since the option keeps its claim as it stands, it is an edit of the claim's first span under the id `THIRD`.
    Its `old` is taken from `base_lines`; without them it is empty, and only `start` and `stop` say what is replaced.
    """
    for edit in option.edits:
        if edit.id == edit_id or (edit_id is None and any(_touches(edit, claim) for claim in option.evidence)):
            return edit if has_text(edit) else None
    if edit_id is not None or not option.evidence:
        return None
    claim = option.evidence[0]
    start, stop = claim.first - 1, claim.last
    if any(clash_with_lines(edit, claim.path, start, stop) for edit in option.edits):
        return None
    old: Text = ()
    if base_lines is not None:
        base = base_lines(claim.path)
        if stop > len(base):
            return None
        old = base[start:stop]
    return FileEdit(id=THIRD, path=claim.path, start=start, stop=stop, old=old)


def _touches(edit: FileEdit, claim: Evidence) -> bool:
    if edit.path != claim.path or edit.act not in {Act.LINES, Act.DELETE}:
        return False
    return edit.act is Act.DELETE or max(edit.start, claim.first - 1) < min(edit.stop, claim.last)


def clash_with_lines(edit: FileEdit, path: str, start: int, stop: int) -> bool:
    """Tell whether base lines ``[start, stop)`` of a path cannot be replaced beside an edit."""
    if path not in {edit.path, edit.to}:
        return False
    if edit.act is Act.LINES:
        return overlap(Edit(edit.start, edit.stop, ()), Edit(start, stop, ()))
    return edit.act in {Act.CREATE, Act.DELETE} or edit.to == path
