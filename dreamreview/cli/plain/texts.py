"""Another text for an edit: written in the user's editor, or typed line by line."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from dreamreview.cli import output
from dreamreview.cli.plain.spoken import edits_shown
from dreamreview.errors import UsageError
from dreamreview.model.edits import LF, render, terminator_of
from dreamreview.model.third import third_edit, third_side
from dreamreview.model.units import has_text

if TYPE_CHECKING:
    from dreamreview.model.proposal import FileEdit
    from dreamreview.workspace import Card, OpenReview

END_OF_TEXT = "."


def edit_to_write(review: OpenReview, card: Card, name: str) -> FileEdit:
    """Return the edit whose text is replaced: the named one, the only one, or on a conflict the third text.

    Raises:
        UsageError: the name is none of them, or one has to be named.
    """
    change = card.change
    if change.options and not name:
        side = third_side(change)
        third = third_edit(side, review.base_text) if side else None
        if third is None:
            raise UsageError("this conflict names no lines that another text could replace")
        return next((edit for edit in edits_shown(card) if edit.id == third.id), third)
    edits = [edit for edit in edits_shown(card) if has_text(edit)]
    found = [edit for edit in edits if name in {"", edit.id}]
    if len(found) != 1:
        raise UsageError(f"name the text to edit: {', '.join(each.id for each in edits) or 'there is none'}")
    return found[0]


def another_text(review: OpenReview, edit: FileEdit, editor: str) -> bytes | None:
    """Return the text that is to stand there instead, or None where it stayed as it was.

    Args:
        review: the proposal.
        edit: what is edited.
        editor: command line of the user's editor; empty to ask for the lines.

    Raises:
        UsageError: the editor failed, or the input ended before the text did.
    """
    text = edit.new or edit.old
    end = terminator_of(review.base_text(edit.path) or text)
    if not editor:
        return _typed(edit, end, is_open=bool(text) and not text[-1].endswith(LF))
    from dreamreview.tui.external import edit_outside

    output.tell(f"Opening {edit.id} in the editor; go on here when it is closed.")
    start = render(text, end)
    written = edit_outside(editor, start, end, nullcontext())
    return None if written == start else written


def _typed(edit: FileEdit, end: bytes, *, is_open: bool) -> bytes:
    """Ask for lines up to one that holds only a dot; the last has no line end where the text it replaces has none."""
    output.tell(f"Type the text for {edit.id} of {edit.path}, all of its lines; end with a line that holds only a dot.")
    lines: list[str] = []
    while (line := output.ask(f"Line {len(lines) + 1}:")) != END_OF_TEXT:
        if line is None:
            raise UsageError("the input ended before the text did; nothing was decided")
        lines.append(line)
    text = b"".join(line.encode("utf-8", "surrogateescape") + end for line in lines)
    return text.removesuffix(end) if is_open else text
