"""When changes that others made are more than a person should find out about by chance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from dreamreview.model.loss import QUARTER
from dreamreview.model.proposal import Act, Change

MASS = 10
"""Files from which it is a mass delete, however many there are."""

FEW = 3
"""Files from which it is one where they were more than a quarter of all."""

NAMED = 3
"""Files that an alarm names."""


def alarms_of(changes: Iterable[Change], sizes: Callable[[str], int], files: int) -> tuple[str, ...]:
    """Return what is alarming about changes that were made by others, one sentence each, without a final stop.

    That is a mass delete, and a file that shrank by more than a quarter of its bytes.

    Args:
        changes: those that are still to be decided or taken back.
        sizes: path to the bytes that it held.
        files: how many files there were.
    """
    gone: list[str] = []
    shrunk: dict[str, int] = defaultdict(int)
    for change in changes:
        back = {edit.path for edit in change.edits if edit.act is Act.CREATE}
        for edit in change.edits:
            if edit.act is Act.DELETE and edit.path not in back:
                gone.append(edit.path)
            elif edit.act in (Act.LINES, Act.DELETE):
                shrunk[edit.path] += sum(map(len, edit.old)) - sum(map(len, edit.new))
            elif edit.act is Act.CREATE and edit.path in shrunk:
                shrunk[edit.path] -= sum(map(len, edit.new))
    told = []
    if len(gone) >= MASS or (len(gone) >= FEW and len(gone) * QUARTER > files):
        told.append(f"{len(gone)} of {files} files were deleted by others: {_named(gone)}")
    small = [path for path, lost in shrunk.items() if lost * QUARTER > sizes(path)]
    if len(small) == 1:
        told.append(f"{small[0]} shrank by more than a quarter")
    elif small:
        told.append(f"{len(small)} files shrank by more than a quarter: {_named(small)}")
    return tuple(told)


def _named(paths: list[str]) -> str:
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return ", ".join(sorted(paths)[:NAMED]) + more
