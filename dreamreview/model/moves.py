"""Where removed lines reappear word for word: moved there by the proposal, or standing there all along."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.model.derived import Moved
from dreamreview.model.proposal import Act, Change, FileEdit

if TYPE_CHECKING:
    from dreamreview.model.edits import Text

Place = tuple[str, int]
"""A path and a line of it, 1-based."""

LEAST = 3
"""Letters and digits that a line needs to be known again: rules, fences and lone marks are no content."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that a change takes or brings: where it stands, and its bytes without the line end."""

    change: str
    path: str
    number: int
    text: bytes
    edit: str = ""
    """Id of the edit that brings it; empty for a line that is taken."""
    unit: int = 0
    """Its place among the new lines of that edit, 1-based."""

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.path, self.number


@dataclass(slots=True)
class Tracks:
    """What the proposal takes and brings, line by line, and which of it belong together."""

    taken: list[Line] = field(default_factory=list)
    brought: list[Line] = field(default_factory=list)
    arrived: dict[Place, Place] = field(default_factory=dict)
    """Base place of a removed line to the place it moved to."""

    @property
    def moved(self) -> list[Moved]:
        """The moves, in the order the lines are taken."""
        pairs = ((line.place, self.arrived.get(line.place)) for line in self.taken)
        return [Moved(*start, *end) for start, end in pairs if end is not None]


def bare(line: bytes) -> bytes:
    """Return a line without its end."""
    return line.rstrip(b"\r\n")


def is_content(line: bytes) -> bool:
    """Tell whether a line says enough to be known again elsewhere."""
    count = 0
    for byte in line:
        count += byte > 127 or chr(byte).isalnum()
        if count >= LEAST:
            return True
    return False


def follow_moves(changes: Sequence[Change], proposed: Callable[[str], Text | None]) -> Tracks:
    """Find what moved in a proposal. Conflicts are left out: nothing of them is made until a person chooses.

    Each line that is brought answers for one removed line at most; runs of lines stay together where they can.
    """
    tracks = Tracks()
    plain = [change for change in changes if not change.options]
    for change in plain:
        tracks.taken += _taken(change)
    if not tracks.taken:
        return tracks
    tracks.brought = list(_brought(plain, proposed))
    waiting: dict[bytes, deque[Place]] = {}
    text_at: dict[Place, bytes] = {}
    for line in tracks.brought:
        waiting.setdefault(line.text, deque()).append(line.place)
        text_at[line.place] = line.text
    used: set[Place] = set()
    for line in tracks.taken:
        target = _target(line, tracks.arrived, waiting, text_at, used)
        if target is not None:
            tracks.arrived[line.place] = target
            used.add(target)
    return tracks


def brought_by(changes: Iterable[Change], proposed: Callable[[str], Text | None]) -> list[Line]:
    """Return the lines that a proposal brings, where they stand in the proposed folder; conflicts are left out."""
    return list(_brought([change for change in changes if not change.options], proposed))


def _target(
    line: Line,
    arrived: dict[Place, Place],
    waiting: dict[bytes, deque[Place]],
    text_at: dict[Place, bytes],
    used: set[Place],
) -> Place | None:
    before = arrived.get((line.path, line.number - 1))
    if before is not None:
        following = (before[0], before[1] + 1)
        if following not in used and text_at.get(following) == line.text:
            return following
    places = waiting.get(line.text, deque())
    while places and places[0] in used:
        places.popleft()
    return places[0] if places else None


def trimmed(edit: FileEdit) -> tuple[Text, Text, int]:
    """Return the old and new lines of an edit without those that stay at its two ends, and how many stay in front."""
    old, new = edit.old, edit.new
    front = 0
    while front < min(len(old), len(new)) and bare(old[front]) == bare(new[front]):
        front += 1
    back = 0
    while back < min(len(old), len(new)) - front and bare(old[-1 - back]) == bare(new[-1 - back]):
        back += 1
    return old[front : len(old) - back], new[front : len(new) - back], front


def _taken(change: Change) -> Iterator[Line]:
    for edit in change.edits:
        if edit.act in {Act.LINES, Act.DELETE}:
            old, _, front = trimmed(edit)
            for number, line in enumerate(old, edit.start + front + 1):
                if is_content(line):
                    yield Line(change.id, edit.path, number, bare(line))


def _brought(changes: Iterable[Change], proposed: Callable[[str], Text | None]) -> Iterator[Line]:
    by_path: dict[str, list[tuple[str, FileEdit]]] = {}
    names: dict[str, str] = {}
    for change in changes:
        for edit in change.edits:
            if edit.act is Act.RENAME and edit.to is not None:
                names[edit.path] = edit.to
            elif edit.act is Act.CREATE:
                yield from _lines(change.id, edit, edit.path, 1, edit.new)
            elif edit.act is Act.LINES:
                by_path.setdefault(edit.path, []).append((change.id, edit))
    for path, edits in by_path.items():
        name = names.get(path, path)
        text = proposed(name)
        if text is not None:
            yield from _brought_to(name, text, edits)


def _brought_to(name: str, text: Text, edits: list[tuple[str, FileEdit]]) -> Iterator[Line]:
    """Yield what line edits bring to a path, or nothing where the path does not show all of them."""
    shift = 0
    found: list[Line] = []
    for change, edit in sorted(edits, key=lambda pair: (pair[1].start, pair[1].stop, pair[1].rank)):
        at = edit.start + shift
        if [bare(line) for line in text[at : at + len(edit.new)]] != [bare(line) for line in edit.new]:
            return
        _, new, front = trimmed(edit)
        found += _lines(change, edit, name, at + front + 1, new, front)
        shift += len(edit.new) - (edit.stop - edit.start)
    yield from found


def _lines(change: str, edit: FileEdit, path: str, first: int, lines: Text, front: int = 0) -> Iterator[Line]:
    for place, line in enumerate(lines):
        if is_content(line):
            yield Line(change, path, first + place, bare(line), edit.id, front + place + 1)
