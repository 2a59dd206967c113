"""Whether a decision makes sense for a change, said in a sentence when it does not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dreamreview.errors import UsageError
from dreamreview.model.decisions import Op, Target
from dreamreview.model.edits import Text, split_lines
from dreamreview.model.third import BaseLines, clash_with_lines, is_conflict, one_text, third_edit, third_side
from dreamreview.model.units import ChangeReview, has_text, new_size, old_size
from dreamreview.model.unmasking import masks_in
from dreamreview.model.verdicts import BOTH, SKIP

if TYPE_CHECKING:
    from dreamreview.model.proposal import Change, FileEdit


def check_shape(change: Change, op: Op, target: Target, choice: str | None, text: bytes | None) -> None:
    """Make sure that a decision fits a change, whatever else was decided about it.

    Raises:
        UsageError: it does not.
    """
    edit = _named_edit(change, target)
    if op is Op.NOTE:
        return
    if op in {Op.CHOOSE, Op.SKIP} and target.edit is not None:
        raise UsageError(f"{op} is about a whole change: say {change.id}, not {target}")
    if op is Op.CHOOSE:
        _check_choice(change, choice)
    elif op is Op.EDIT:
        _check_text(change, target, edit, text)
    elif op is Op.ACCEPT and is_conflict(change) and target.edit is None:
        raise UsageError(f"{change.id} is a conflict: choose {_choices(change)}")
    if edit is not None and target.has_lines and not has_text(edit):
        raise UsageError(f"{edit.id} of {change.id} has no lines: it can only be decided as a whole")


def check_decision(
    change: Change,
    op: Op,
    target: Target,
    choice: str | None = None,
    *,
    text: bytes | None = None,
    review: ChangeReview | None = None,
) -> None:
    """Make sure that a decision fits a change as it has been decided so far.

    Raises:
        UsageError: it does not.
    """
    check_shape(change, op, target, choice, text)
    edit = _named_edit(change, target)
    if edit is None or op in {Op.NOTE, Op.EDIT}:
        return
    if is_conflict(change) and review is not None:
        side = third_side(change, edit.id)
        if side is not None and side.key != review.choice:
            raise UsageError(f"{edit.id} belongs to option {side.key}: choose {side.key} of {change.id} first")
    _check_lines(change, target, _standing(edit, review))


def check_unmasked(
    change: Change, op: Op, target: Target, choice: str | None, text: bytes | None, base_lines: BaseLines | None = None
) -> None:
    """Make sure that a decision does not write what only stands for a secret where it is shown masked.

    Raises:
        UsageError: it does.
    """
    new = split_lines(text) if op is Op.EDIT and text is not None else _taken(change, op, target, choice)
    for shown in masks_in(new, change, base_lines):
        what, way = ("the text for ", "write it anew") if op is Op.EDIT else ("", "edit it, or reject it")
        raise UsageError(f"{what}{change.id} holds {shown}, which only stands for a secret: {way}")


def _taken(change: Change, op: Op, target: Target, choice: str | None) -> Text:
    """Return the lines of a proposal that a decision would write."""
    if op is Op.CHOOSE:
        side = change.option(choice or "")
        edits = side.edits if side is not None else tuple(change.all_edits)
    elif op is Op.ACCEPT:
        edits = tuple(edit for edit in change.all_edits if target.edit in (None, edit.id))
    else:
        return ()
    wanted = target.new if target.has_lines else None
    return tuple(
        line for edit in edits for number, line in enumerate(edit.new, 1) if wanted is None or number in wanted
    )


def third_clash(change: Change, target: Target, changes: Iterable[Change]) -> str | None:
    """Return the id of another change that edits the lines which the third text of a conflict would replace."""
    side = third_side(change, target.edit)
    edit = third_edit(side, edit_id=target.edit) if side else None
    if edit is None or any(edit.id == own.id for own in change.all_edits):
        return None
    return next(
        (
            other.id
            for other in changes
            if other.id != change.id
            and any(
                clash_with_lines(theirs, edit.path, edit.start, edit.stop)
                or (theirs.path == edit.path and theirs.to is not None)
                for theirs in other.all_edits
            )
        ),
        None,
    )


def _named_edit(change: Change, target: Target) -> FileEdit | None:
    if target.edit is None:
        return None
    for edit in change.all_edits:
        if edit.id == target.edit:
            return edit
    names = ", ".join(edit.id for edit in change.all_edits) or "none"
    raise UsageError(f"{change.id} has no edit {target.edit}; it has {names}")


def _check_choice(change: Change, choice: str | None) -> None:
    if not is_conflict(change):
        raise UsageError(f"{change.id} is no conflict: accept or reject it")
    if choice not in {BOTH, SKIP} and change.option(choice or "") is None:
        raise UsageError(f"{change.id} has no option {choice}: choose {_choices(change)}")


def _choices(change: Change) -> str:
    keys = [option.key for option in change.options if option.key != BOTH]
    return f"{', '.join([*keys, BOTH])} or {SKIP}"


def _check_text(change: Change, target: Target, edit: FileEdit | None, text: bytes | None) -> None:
    if text is None:
        raise UsageError(f"to edit {target}, give the text that shall stand there")
    if target.has_lines:
        raise UsageError(f"a text stands for a whole edit: say {change.id}.{target.edit}, not {target}")
    if edit is not None and not has_text(edit):
        raise UsageError(f"{edit.id} of {change.id} has no text to edit: it can only be decided as a whole")
    if is_conflict(change):
        side = third_side(change, target.edit)
        if side is None or third_edit(side, edit_id=target.edit) is None:
            raise UsageError(f"{change.id} names no lines that another text could replace: choose {_choices(change)}")
    elif one_text(change, target.edit) is None:
        names = ", ".join(f"{change.id}.{each.id}" for each in change.edits if has_text(each))
        raise UsageError(
            f"{change.id} has several edits: name one of {names}" if names else f"{change.id} has no text to edit"
        )


def _standing(edit: FileEdit, review: ChangeReview | None) -> FileEdit:
    """Return an edit as it stands, with the person's text where one was written."""
    held = (*review.chosen, *review.rejected) if review else ()
    return next((each.edit for each in held if each.edit.id == edit.id), edit)


def _check_lines(change: Change, target: Target, edit: FileEdit) -> None:
    sizes = (("old", target.old, old_size(edit)), ("new", target.new, new_size(edit)))
    for word, named, size in sizes:
        beyond = next((line for line in sorted(named or ()) if not 1 <= line <= size), None)
        if beyond is not None:
            raise UsageError(f"{edit.id} of {change.id} has {size} {word} lines, so none numbered {beyond}")
