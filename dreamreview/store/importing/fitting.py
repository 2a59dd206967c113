"""Where the hunks of a diff fit in a text: at their own line, else at the one other place that reads the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.model.edits import Edit, Text, compose, render, split_lines, terminator_of

if TYPE_CHECKING:
    from dreamreview.store.importing.diff_text import Hunk, Row

MAX_PLACES = 1_000
"""Places up to which a line counts as one that tells where a hunk belongs."""


@dataclass(slots=True)
class Fit:
    """What became of the hunks of one file."""

    text: Text
    """The text with those made that fit."""
    misfits: list[tuple[Hunk, str]] = field(default_factory=list)
    """Those that do not, with the reason."""
    made: int = 0
    done: int = 0
    """How many the text held already."""
    moved: list[tuple[Hunk, int]] = field(default_factory=list)
    """Those that stand elsewhere, with the 1-based line."""
    unproven: list[Hunk] = field(default_factory=list)
    """Those of nothing but new lines, for which only their line number tells where they belong."""


def fit(text: Text, hunks: Sequence[Hunk], *, is_proven: bool, are_ends_believed: bool) -> Fit:
    """Make the hunks of a diff in a text, as far as they fit.

    A hunk fits where its old lines stand; line ends may differ, and then those of the text are kept. One whose new
    lines stand there already is done.

    Args:
        text: the text of the file as it is.
        hunks: in the order of the diff.
        is_proven: whether the text is known to be the very one that the diff was made from.
        are_ends_believed: whether the line ends of the hunks say anything.
    """
    places = _Places(text)
    answer = Fit(text)
    edits: list[Edit] = []
    drift = floor = 0
    for hunk in hunks:
        old, new = hunk.old, hunk.new
        at, reason = _place(places, hunk, drift, floor) if not hunk.problem else (None, hunk.problem)
        if at is None and not hunk.problem and (there := _made_at(places, new, hunk.start + drift, floor)) is not None:
            answer.done += 1
            floor, drift = there + len(new), there - hunk.start + len(new) - len(old)
            continue
        if at is None:
            answer.misfits.append((hunk, reason))
            continue
        if not old and text and not is_proven:
            if _is_made(places, new, at):
                answer.done += 1
                continue
            answer.unproven.append(hunk)
        if at != hunk.start + drift:
            answer.moved.append((hunk, at + 1))
        is_exact = are_ends_believed and text[at : at + len(old)] == old and (is_proven or bool(old) or not text)
        edits += _edits(hunk.rows, at, None if is_exact else terminator_of(text))
        drift, floor = at - hunk.start, at + len(old)
        answer.made += 1
    ranked = (Edit(edit.start, edit.stop, edit.new, rank) for rank, edit in enumerate(edits))
    answer.text = split_lines(render(compose(text, ranked), terminator_of(text)))
    return answer


def bare(line: bytes) -> bytes:
    """Return a line without its end."""
    return line.removesuffix(b"\n").removesuffix(b"\r")


class _Places:
    """Where each line of a text stands, line ends aside."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.bare = [bare(line) for line in text]
        self._found: dict[bytes, list[int]] | None = None

    def holds(self, lines: Sequence[bytes], at: int) -> bool:
        """Tell whether lines stand at a place, line ends aside."""
        return at >= 0 and self.bare[at : at + len(lines)] == [bare(line) for line in lines]

    def all_of(self, lines: Sequence[bytes], floor: int) -> Iterator[int]:
        """Yield every place from `floor` on where lines stand; none where even the rarest is too common."""
        if self._found is None:
            self._found = defaultdict(list)
            for place, line in enumerate(self.bare):
                self._found[line].append(place)
        at, rarest = min(enumerate(self._found.get(bare(line), []) for line in lines), key=lambda one: len(one[1]))
        if len(rarest) > MAX_PLACES:
            return
        yield from (place - at for place in rarest if place - at >= floor and self.holds(lines, place - at))


def _place(places: _Places, hunk: Hunk, drift: int, floor: int) -> tuple[int | None, str]:
    """Return the line at which a hunk fits, or None and why it does not."""
    old, expected = hunk.old, hunk.start + drift
    if not hunk.rows:
        return None, "it holds no lines"
    if not old:
        if floor <= expected <= len(places.text):
            return expected, ""
        return None, f"it adds after line {expected}, but the file has {len(places.text)} lines"
    if expected < floor:
        return None, "it overlaps the hunk before it, or stands out of order"
    if places.holds(old, expected):
        return expected, ""
    found = list(places.all_of(old, floor)) if not places.holds(hunk.new, expected) or not hunk.new else []
    exact = [at for at in found if places.text[at : at + len(old)] == old]
    if len(exact or found) == 1:
        return (exact or found)[0], ""
    if found:
        lines = ", ".join(str(at + 1) for at in found[:5])
        return None, f"its lines stand at several places ({lines}), and nothing tells which is meant"
    return None, f"its old lines do not stand in the file, at line {hunk.start + 1} or elsewhere"


def _made_at(places: _Places, new: Text, expected: int, floor: int) -> int | None:
    """Return where the new lines of a hunk stand already: at their place, or at one other."""
    if not new:
        return None
    if expected >= floor and places.holds(new, expected):
        return expected
    found = list(places.all_of(new, floor))
    return found[0] if len(found) == 1 and len(new) > 1 else None


def _is_made(places: _Places, new: Text, at: int) -> bool:
    """Tell whether lines that were added at a gap stand there already."""
    return bool(new) and places.holds(new, at)


def _edits(rows: Iterable[Row], at: int, terminator: bytes | None) -> Iterator[Edit]:
    """Return the edits that the rows of a hunk make at a place.

    Args:
        rows: of the hunk.
        at: base line of its first old line.
        terminator: what lines that it adds end with; None keeps their own.
    """
    start, stop, lines = at, at, list[bytes]()
    for sign, line in rows:
        if sign == b"+":
            lines.append(line if terminator is None or not line.endswith(b"\n") else bare(line) + terminator)
        elif sign == b"-":
            stop += 1
        else:
            if stop > start or lines:
                yield Edit(start, stop, tuple(lines))
            start, lines = stop + 1, []
            stop = start
    if stop > start or lines:
        yield Edit(start, stop, tuple(lines))
