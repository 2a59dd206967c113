"""What it means to edit a text: the algebra that every other part of the program is built from.

A text is a tuple of byte lines, split on ``b"\\n"`` only, terminators kept.
All edits of one set speak of the same base.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

Text = tuple[bytes, ...]
"""Lines as bytes. Any line may lack its terminator in memory; only `render` closes it."""

LF = b"\n"
CRLF = b"\r\n"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace base lines ``[start, stop)`` by `new`; an insertion has ``start == stop``."""

    start: int
    """First base line replaced, 0-based."""
    stop: int
    """One past the last base line replaced."""
    new: Text
    """The lines that stand there instead."""
    rank: int = 0
    """Place among the edits of its proposal, ordered by (start, stop, place in the manifest)."""

    @property
    def order(self) -> tuple[int, int, int]:
        """The key by which edits of one set stand in the result."""
        return (self.start, self.stop, self.rank)

    @property
    def growth(self) -> int:
        """How many lines the text gains by it, negative when it loses some."""
        return len(self.new) - (self.stop - self.start)


@dataclass(frozen=True, slots=True)
class Rebased:
    """What became of a set of edits when it was spoken against another text."""

    edits: tuple[Edit, ...]
    """Those that still fit, in the coordinates of the new text."""
    clashes: tuple[Edit, ...]
    """Those that do not, in the coordinates of the base."""
    done: tuple[Edit, ...]
    """Those that the other side already made, in the coordinates of the base."""


def split_lines(data: bytes) -> Text:
    """Split on ``b"\\n"`` and nothing else, terminators kept; joining gives `data` back."""
    *lines, last = data.split(LF)
    whole = [line + LF for line in lines]
    return (*whole, last) if last else tuple(whole)


def terminator_of(text: Iterable[bytes]) -> bytes:
    """Return the line end that most lines of a text have: CRLF or, on a tie and without any, LF."""
    ends = [line[-2:] for line in text]
    crlf = ends.count(CRLF)
    lf = sum(end.endswith(LF) for end in ends) - crlf
    return CRLF if crlf > lf else LF


def close(line: bytes, terminator: bytes) -> bytes:
    """Return the line with a terminator, adding `terminator` only where there is none."""
    return line if line.endswith(LF) else line + terminator


def render(text: Sequence[bytes], terminator: bytes) -> bytes:
    """Turn lines into bytes, closing each unterminated line that another line follows."""
    if not text:
        return b""
    return b"".join([line if line.endswith(LF) else line + terminator for line in text[:-1]]) + text[-1]


def overlap(one: Edit, other: Edit) -> bool:
    """Tell whether two edits share a base line, or one inserts strictly inside the other's range."""
    return max(one.start, other.start) < min(one.stop, other.stop) or _inside(one, other) or _inside(other, one)


def _inside(insertion: Edit, edit: Edit) -> bool:
    return insertion.start == insertion.stop and edit.start < insertion.start < edit.stop


def in_order(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Sort edits as they stand in the result.

    Raises:
        ValueError: two of them overlap.
    """
    ordered = tuple(sorted(edits, key=lambda edit: edit.order))
    reach = 0
    for edit in ordered:
        if edit.start < reach:
            raise ValueError(f"edits overlap at line {edit.start + 1}")
        reach = max(reach, edit.stop)
    return ordered


def compose(base: Text, edits: Iterable[Edit]) -> Text:
    """Return the text with a set of edits made, whatever the order they are given in.

    Raises:
        ValueError: two of them overlap, or one reaches past the end.
    """
    lines: list[bytes] = []
    reach = 0
    for edit in in_order(edits):
        if edit.stop > len(base):
            raise ValueError(f"edit reaches line {edit.stop} of {len(base)}")
        lines += base[reach : edit.start]
        lines += edit.new
        reach = edit.stop
    lines += base[reach:]
    return tuple(lines)


def invert(base: Text, edits: Collection[Edit], undo: Collection[Edit]) -> tuple[Edit, ...]:
    """Return the edits that take ``compose(base, edits)`` to ``compose(base, edits - undo)``."""
    inverse: list[Edit] = []
    shift = 0
    for edit in in_order(edits):
        if edit in undo:
            start = edit.start + shift
            inverse.append(Edit(start, start + len(edit.new), base[edit.start : edit.stop], edit.rank))
        shift += edit.growth
    return tuple(inverse)


def rebase(edits: Iterable[Edit], over: Collection[Edit], *, same_proposal: bool = False) -> Rebased:
    """Speak edits against ``compose(base, over)`` instead of the base.

    At one gap the lines of `over` come first, unless both sides are of the same proposal, where rank decides.
    """
    moved: list[Edit] = []
    clashes: list[Edit] = []
    done: list[Edit] = []
    places = {(other.start, other.stop, other.new) for other in over}
    for edit in edits:
        if not same_proposal and (edit.start, edit.stop, edit.new) in places:
            done.append(edit)
        elif any(overlap(edit, other) for other in over):
            clashes.append(edit)
        else:
            shift = sum(other.growth for other in over if _stands_before(other, edit, same_proposal))
            moved.append(replace(edit, start=edit.start + shift, stop=edit.stop + shift))
    return Rebased(edits=tuple(moved), clashes=tuple(clashes), done=tuple(done))


def _stands_before(other: Edit, edit: Edit, same_proposal: bool) -> bool:
    if same_proposal:
        return other.order < edit.order
    return (other.start, other.stop) <= (edit.start, edit.stop)


def select(edit: Edit, old: Collection[int], new: Collection[int]) -> tuple[Edit, ...]:
    """Return the part of an edit that some of its lines make up.

    Units are 1-based: `old` are lines it takes away, `new` lines it brings; new line j stands after old line
    ``min(j, m)`` where m is the number of old lines. All units together are the edit itself.
    """
    size = edit.stop - edit.start
    parts: list[Edit] = []
    for place in range(size + 1):
        start = stop = edit.start + place
        if place and place in old:
            start -= 1
        lines = tuple(edit.new[j - 1] for j in _new_lines_after(place, size, len(edit.new)) if j in new)
        if start == stop and not lines:
            continue
        if parts and parts[-1].stop == start:
            start, lines = parts[-1].start, parts.pop().new + lines
        parts.append(Edit(start, stop, lines, edit.rank))
    return tuple(parts)


def _new_lines_after(place: int, size: int, count: int) -> range:
    """Return the 1-based new lines of an edit that stand after its old line `place` (0: before the first)."""
    if place < size:
        return range(place, min(place, count) + 1) if place else range(0)
    return range(max(size, 1), count + 1)


def place_of(new_line: int, size: int) -> int:
    """Return the old line (0: none) after which new line `new_line` of an edit with `size` old lines stands."""
    return min(new_line, size)


def split(edit: Edit) -> tuple[Edit, ...]:
    """Return the finest edits that together are this one: an old line with its new line, or one inserted line."""
    size = edit.stop - edit.start
    count = max(size, len(edit.new))
    pieces: list[Edit] = []
    for line in range(1, count + 1):
        start = edit.start + min(line - 1, size)
        stop = edit.start + min(line, size)
        pieces.append(Edit(start, stop, edit.new[line - 1 : line], edit.rank))
    return tuple(pieces)


def join(edits: Iterable[Edit]) -> Edit:
    """Return the one edit that adjacent edits make up.

    Raises:
        ValueError: there are none, or base lines stand between them.
    """
    ordered = in_order(edits)
    if not ordered:
        raise ValueError("nothing to join")
    if any(left.stop != right.start for left, right in pairwise(ordered)):
        raise ValueError("base lines stand between the edits")
    lines = tuple(line for edit in ordered for line in edit.new)
    return Edit(ordered[0].start, ordered[-1].stop, lines, ordered[0].rank)


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of lines that differs between two texts: base ``[start, stop)`` against new ``[to_start, to_stop)``."""

    start: int
    stop: int
    to_start: int
    to_stop: int


Differ = Callable[[Text, Text, bytes], tuple[Hunk, ...]]
"""The port to the git-backed differ: (base, new, terminator) to hunks, both texts compared with each line closed."""


def between(base: Text, new: Text, hunks: Sequence[Hunk]) -> tuple[Edit, ...]:
    """Return the edits from one text to another, given the hunks by which their closed forms differ.

    A final terminator that alone differs becomes an edit of its own.
    """
    edits = [Edit(hunk.start, hunk.stop, new[hunk.to_start : hunk.to_stop]) for hunk in hunks]
    last = len(new) - 1
    if last >= 0 and not any(hunk.to_start <= last < hunk.to_stop for hunk in hunks):
        earlier = (hunk for hunk in hunks if hunk.to_start <= last)
        at = last + sum((hunk.stop - hunk.start) - (hunk.to_stop - hunk.to_start) for hunk in earlier)
        if base[at] != new[last]:
            edits.append(Edit(at, at + 1, (new[last],)))
    ordered = sorted(edits, key=lambda edit: edit.order)
    return tuple(replace(edit, rank=rank) for rank, edit in enumerate(ordered))


def difference(base: Text, new: Text, terminator: bytes, differ: Differ) -> tuple[Edit, ...]:
    """Return the edits from one text to another as the differ sees them; none where the bytes are equal."""
    if base == new or render(base, terminator) == render(new, terminator):
        return ()
    return between(base, new, differ(base, new, terminator))
