"""How the edits of a card read aloud: what each does to which file, then its lines, each with what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from dreamreview.cli.diff import masked_lines
from dreamreview.model.edits import CRLF
from dreamreview.model.proposal import LINK_MODE, Act
from dreamreview.model.units import ChangeReview, State

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.model.proposal import FileEdit
    from dreamreview.model.units import Chosen

CONTEXT = 1
"""Unchanged lines told before and after an edit: enough to know the place, and ``base`` tells the whole file."""


def spoken_edits(
    edits: Iterable[FileEdit],
    base_text: Callable[[str], Text],
    decided: ChangeReview | None = None,
    lead: str = "",
) -> Iterator[str]:
    """Yield edits in their order.

    Args:
        edits: the edits.
        base_text: path to its text when the proposal was made.
        decided: what was decided about their change, told where it is not the same for all of them.
        lead: words before each edit.
    """
    some = list(edits)
    texts: dict[str, tuple[Text, Sequence[str]]] = {}
    for number, edit in enumerate(some, 1):
        if edit.act is Act.LINES and edit.path not in texts:
            base = base_text(edit.path)
            texts[edit.path] = base, masked_lines(base)
        count = f" of {len(some)}" if len(some) > 1 else ""
        verdict = "".join(f"; {part}" for part in _verdicts(edit, decided)) if decided else ""
        name = f"edit {edit.id}{f', {number}{count}' if count else ''}"
        opening = f"{lead}{name}" if lead else name.capitalize()
        yield f"{opening}: {what_it_does(edit)}{verdict}."
        yield from spoken_lines(edit, *texts.get(edit.path, ((), ())))


def what_it_does(edit: FileEdit) -> str:
    """Return what an edit does to its path, without its lines."""
    match edit.act:
        case Act.CREATE:
            what = "the link " if edit.mode == LINK_MODE else ""
            return f"creates {what}{edit.path}, {_lines(edit.new)}"
        case Act.DELETE:
            return f"deletes {edit.path}, {_lines(edit.old)}"
        case Act.RENAME:
            return f"renames {edit.path} to {edit.to}"
        case Act.MODE:
            return f"changes the mode of {edit.path} from {_octal(edit.old_mode)} to {_octal(edit.mode)}"
    if not edit.old:
        place = f"after line {edit.start}" if edit.start else "at the top"
        return f"adds {_lines(edit.new)} to {edit.path}, {place}"
    place = f"line {edit.stop}" if len(edit.old) == 1 else f"lines {edit.start + 1} to {edit.stop}"
    if not edit.new:
        return f"removes {place} of {edit.path}"
    return f"replaces {place} of {edit.path} by {_lines(edit.new)}"


def spoken_lines(edit: FileEdit, base: Text = (), shown: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of an edit, and the unchanged lines around it where the base is given."""
    is_fitting = base[edit.start : edit.stop] == edit.old
    around = base[max(0, edit.start - CONTEXT) : edit.stop + CONTEXT] if is_fitting else ()
    has_crlf = all(line.endswith(CRLF) for line in (*around, *edit.old, *edit.new) if line.endswith(b"\n"))

    def told(line: str, raw: bytes) -> str:
        return _told(line.removesuffix("\r") if has_crlf else line, is_open=not raw.endswith(b"\n"))

    if is_fitting:
        for place in range(max(0, edit.start - CONTEXT), edit.start):
            yield f"  stays, line {place + 1}: {told(shown[place], base[place])}"
    old = shown[edit.start : edit.stop] if is_fitting and edit.act is Act.LINES else masked_lines(edit.old)
    for number, (line, raw) in enumerate(zip(old, edit.old, strict=True), 1):
        yield f"  removes {number}, line {edit.start + number}: {told(line, raw)}"
    for number, (line, raw) in enumerate(zip(masked_lines(edit.new), edit.new, strict=True), 1):
        yield f"  adds {number}: {told(line, raw)}"
    if is_fitting:
        for place in range(edit.stop, min(edit.stop + CONTEXT, len(base))):
            yield f"  stays, line {place + 1}: {told(shown[place], base[place])}"


def _told(line: str, *, is_open: bool) -> str:
    """Return a line with what an ear would miss: that it is empty, ends in blanks, or has no line end."""
    blanks = len(line) - len(line.rstrip(" "))
    remarks = [f"{blanks} space{'' if blanks == 1 else 's'} at the end"] if blanks and line.strip(" ") else []
    remarks += [f"only {blanks} space{'' if blanks == 1 else 's'}"] if blanks and not line.strip(" ") else []
    remarks += ["no line end"] if is_open else []
    text = line.rstrip(" ") or ("" if blanks else "(empty)")
    return " ".join(filter(None, (text, f"({', '.join(remarks)})" if remarks else "")))


def _verdicts(edit: FileEdit, decided: ChangeReview) -> Iterator[str]:
    if decided.state is not State.PARTIAL:
        return
    found = False
    for word, parts in (("accepted", decided.chosen), ("rejected", decided.rejected)):
        for part in parts:
            if part.edit.id == edit.id:
                found = True
                yield word if part.is_whole else f"{word}: {_units(part)}"
    if not found:
        yield "undecided"


def _units(part: Chosen) -> str:
    named = [f"removal {number}" for number in sorted(part.old)]
    return ", ".join([*named, *(f"addition {number}" for number in sorted(part.new))])


def _lines(text: Text) -> str:
    return f"{len(text)} line{'' if len(text) == 1 else 's'}"


def _octal(mode: int | None) -> str:
    return "unknown" if mode is None else f"{mode & 0o7777:03o}"
