"""Whether a change says anything new, or only wraps words anew, puts lines in another order, or renews numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from dreamreview.model.edits import Edit, Text, compose
from dreamreview.model.literals import DATE
from dreamreview.model.proposal import Act, Change, FileEdit

REWRAP, REORDER, REFRESH = "rewrap", "reorder", "refresh"

MOST_REFRESHED = 1024 * 1024
"""Bytes of text beyond which it is not told whether only numbers changed."""

_BULLET = re.compile(rb"^\s*(?:[-*+]|[0-9]{1,3}[.)])\s+")
_NUMBER = re.compile(rf"{DATE}|[0-9]+(?:[.,:/-][0-9]+)*")


def manner_of(change: Change, base: Callable[[str], Text | None]) -> frozenset[str]:
    """Return which of `REWRAP`, `REORDER` and `REFRESH` holds for all line edits of a change; none for other acts."""
    by_path: dict[str, list[FileEdit]] = {}
    for edit in change.edits:
        if edit.act in {Act.CREATE, Act.DELETE}:
            return frozenset()
        if edit.act is Act.LINES:
            by_path.setdefault(edit.path, []).append(edit)
    if not by_path:
        return frozenset()
    sides = [_sides(edits, base) for edits in by_path.values()]
    tests = ((REWRAP, _is_rewrapped), (REORDER, _is_reordered), (REFRESH, _is_refreshed))
    return frozenset(flag for flag, test in tests if all(test(before, after) for before, after in sides))


def _sides(edits: list[FileEdit], base: Callable[[str], Text | None]) -> tuple[Text, Text]:
    """Return the lines from the first to the last edit of a path, before and after."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.stop, edit.rank))
    first, last = ordered[0].start, max(edit.stop for edit in ordered)
    text = base(ordered[0].path) if len(ordered) > 1 else None
    if text is None or last > len(text):
        joined = (tuple(line for edit in ordered for line in side(edit)) for side in (_old, _new))
        return next(joined), next(joined)
    region = text[first:last]
    moved = [Edit(edit.start - first, edit.stop - first, edit.new, rank) for rank, edit in enumerate(ordered)]
    return region, compose(region, moved)


def _old(edit: FileEdit) -> Text:
    return edit.old


def _new(edit: FileEdit) -> Text:
    return edit.new


def _words(lines: Iterable[bytes]) -> list[bytes]:
    return [word for line in lines for word in line.split()]


def _is_rewrapped(before: Text, after: Text) -> bool:
    return _words(before) == _words(after)


def _is_reordered(before: Text, after: Text) -> bool:
    old, new = _entries(before), _entries(after)
    return old != new and Counter(old) == Counter(new)


def _entries(lines: Text) -> list[bytes]:
    """Return what each line that is not blank says, without its bullet and with blanks squeezed."""
    return [b" ".join(_BULLET.sub(b"", line).split()) for line in lines if line.strip()]


def _is_refreshed(before: Text, after: Text) -> bool:
    if sum(map(len, before)) > MOST_REFRESHED:
        return False
    old, new = _spoken(before), _spoken(after)
    masked = _NUMBER.sub("0", old)
    return old != new and "0" in masked and masked == _NUMBER.sub("0", new)


def _spoken(lines: Text) -> str:
    return b"\n".join(b" ".join(line.split()) for line in lines).decode("utf-8", "replace")
