"""What to know about each change before its diff: what vanishes, what only moved, what says nothing new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from dreamreview.errors import DreamReviewError
from dreamreview.model.derived import Arrived, Derived, Moved
from dreamreview.model.edits import LF, Edit, Text, close, compose, split_lines
from dreamreview.model.frontmatter import FENCE, LONGEST_BLOCK, find_block
from dreamreview.model.link_effects import LinkEffects, link_effects
from dreamreview.model.literals import literals_of
from dreamreview.model.moves import Tracks, bare, follow_moves, trimmed
from dreamreview.model.occurrence import Hunt, Sought, occurs
from dreamreview.model.proposal import DESTRUCTIVE_KINDS, Act, Change, FileEdit, Option
from dreamreview.model.rewording import manner_of
from dreamreview.model.secrets import find_secrets

MOVE = "move"

GAP = "    "
"""Blanks that part a literal in two: no literal holds so many, but for a secret that was blanked inside it."""
QUARTER = 4
"""A change that removes more than one part in so many of a file is destructive."""


class HasText(Protocol):
    """What stands under a path."""

    @property
    def text(self) -> Text:
        """Its lines."""


Lookup = Callable[[str], HasText | None]
"""Path to what stands there, None where nothing does; may raise DreamReviewError where that cannot be told."""


def derive(
    changes: Sequence[Change], base: Lookup, proposed: Lookup, proposed_paths: Iterable[str]
) -> dict[str, Derived]:
    """Work out what there is to know about each change.

    The proposed folder is read once, and only where something is removed that a reader may want to find again.

    Args:
        changes: those of the proposal.
        base: what a path holds in the base.
        proposed: what a path holds in the proposed folder.
        proposed_paths: every path of the proposed folder; a line that stands in several is told of the first by name.
    """
    before, after = _quiet(base), _quiet(proposed)
    tracks = follow_moves(changes, after)
    search = _Search(changes, tracks, after)
    paths = tuple(sorted(proposed_paths))
    search.run(paths)
    links = link_effects(changes, before, after, paths)
    only_moved = _only_moved(tracks)
    moved: dict[str, list[Moved]] = {}
    owner = {line.place: line.change for line in tracks.taken}
    for each in tracks.moved:
        moved.setdefault(owner[each.path, each.line], []).append(each)
    arrived = _arrivals(tracks)
    found: dict[str, Derived] = {}
    for change in changes:
        flags = manner_of(change, before) | ({MOVE} if change.id in only_moved else frozenset())
        by_option = {option.key: search.vanishing(change, option) for option in change.options}
        found[change.id] = replace(
            _link_facts(change, links),
            vanishing=tuple(dict.fromkeys(literal for side in by_option.values() for literal in side))
            or search.vanishing(change),
            moved=tuple(moved.get(change.id, ())),
            arrived=arrived.get(change.id, ()),
            kept=search.kept(change, before),
            flags=flags,
            by_option=by_option,
        )
    return found


def _arrivals(tracks: Tracks) -> dict[str, tuple[Arrived, ...]]:
    """Return the other ends of the moves, by the change that brings them."""
    origin = {target: start for start, target in tracks.arrived.items()}
    found: dict[str, list[Arrived]] = {}
    for line in tracks.brought:
        start = origin.get(line.place)
        if start is not None:
            found.setdefault(line.change, []).append(Arrived(line.edit, line.unit, *start))
    return {change: tuple(lines) for change, lines in found.items()}


def _link_facts(change: Change, links: LinkEffects) -> Derived:
    """Return what is known about the links of a change, and nothing else."""
    sides = {piece.path for option in change.options for piece in option.evidence}
    keys = [option.key for option in change.options]
    return Derived(
        broken=tuple(links.broken.get(change.id, ())),
        mended=tuple(links.mended.get(change.id, ())),
        broken_by_option={key: tuple(links.broken_by_option.get((change.id, key), ())) for key in keys},
        linked={path: tuple(links.linked.get(path, ())) for path in sorted(sides)},
    )


def _quiet(lookup: Lookup) -> Callable[[str], Text | None]:
    """Return a lookup of texts that answers None also where it cannot be told what stands there."""

    def text_of(path: str) -> Text | None:
        try:
            state = lookup(path)
        except DreamReviewError:
            return None
        return state.text if state is not None else None

    return text_of


def _only_moved(tracks: Tracks) -> frozenset[str]:
    """Return the changes all of whose lines go elsewhere or come from elsewhere."""
    targets = set(tracks.arrived.values())
    whole: dict[str, bool] = {}
    for line in tracks.taken:
        whole[line.change] = whole.get(line.change, True) and line.place in tracks.arrived
    for line in tracks.brought:
        whole[line.change] = whole.get(line.change, True) and line.place in targets
    return frozenset(change for change, is_whole in whole.items() if is_whole)


class _Search:
    """What the removed lines of all changes leave to look for in the proposed folder."""

    def __init__(self, changes: Sequence[Change], tracks: Tracks, proposed: Callable[[str], Text | None]) -> None:
        self._proposed = proposed
        self._stated: dict[tuple[str, str], list[Sought]] = {}
        shared: dict[str, Sought] = {}
        for change in changes:
            for option in change.options:
                self._stated[change.id, option.key] = self._for_option(option)
            if not change.options:
                self._stated[change.id, ""] = [
                    shared.setdefault(literal.casefold(), Sought(literal)) for literal in _removed(change.edits, tracks)
                ]
        self._left = {line.text for line in tracks.taken if line.place not in tracks.arrived}
        self._taken: dict[str, list[tuple[str, int, bytes]]] = {}
        for line in tracks.taken:
            if line.place not in tracks.arrived:
                self._taken.setdefault(line.change, []).append((line.path, line.number, line.text))
        self._brought = {line.place for line in tracks.brought}
        self._standing: dict[bytes, tuple[str, int]] = {}

    def _for_option(self, option: Option) -> list[Sought]:
        """Look for what an option removes in the folder as it would be: the copy leaves a conflict as it was."""
        literals = _removed(option.edits, None)
        by_path: dict[str, list[FileEdit]] = {}
        for edit in option.edits:
            by_path.setdefault(edit.path, []).append(edit)
        instead = {path: self._without(path, edits) for path, edits in by_path.items()} if literals else {}
        brought = b"\n".join(line for edit in option.edits for line in edit.new).lower()
        sought = [Sought(literal, instead) for literal in literals]
        return [replace(each, is_found=occurs(each.needle, brought)) for each in sought]

    def _without(self, path: str, edits: list[FileEdit]) -> bytes:
        gone = Counter(bare(line) for edit in edits for line in edit.old)
        lines: list[bytes] = []
        for line in self._proposed(path) or ():
            if gone[bare(line)] > 0:
                gone[bare(line)] -= 1
            else:
                lines.append(line)
        return b"".join(lines)

    def run(self, paths: Iterable[str]) -> None:
        """Read the proposed folder once, path by path, until nothing is left to look for."""
        sought = {id(each): each for stated in self._stated.values() for each in stated if not each.is_found}
        hunt = Hunt(sought.values())
        for path in paths:
            if hunt.is_over and not self._left:
                return
            text = self._proposed(path)
            if text is None:
                continue
            if self._left:
                self._note_lines(path, text)
            hunt.search(path, b"".join(text))

    def _note_lines(self, path: str, text: Text) -> None:
        for number, line in enumerate(text, 1):
            if bare(line) in self._left and (path, number) not in self._brought:
                self._standing[bare(line)] = (path, number)
                self._left.discard(bare(line))

    def vanishing(self, change: Change, option: Option | None = None) -> tuple[str, ...]:
        """Return what a change removes, or an option of it, that was found nowhere."""
        stated = self._stated.get((change.id, option.key if option else ""), [])
        return tuple(each.literal for each in stated if not each.is_found)

    def kept(self, change: Change, before: Callable[[str], Text | None]) -> tuple[Moved, ...]:
        """Return the removed lines that stand elsewhere, and did before; keys of a frontmatter are alike in many files.

        Args:
            change: what removes them.
            before: the base text of a path.
        """
        taken = ((path, number, self._standing.get(text)) for path, number, text in self._taken.get(change.id, ()))
        found = [Moved(path, number, *place) for path, number, place in taken if place is not None]
        bodies = {path: _body(before(path) or ()) for path in {each.path for each in found}}
        return tuple(each for each in found if each.line >= bodies[each.path])


def _body(text: Text) -> int:
    """Return the first line behind the frontmatter of a text, 1-based."""
    if not text or text[0].rstrip() != FENCE.encode():
        return 1
    block = find_block([line.decode("utf-8", "surrogateescape") for line in text[:LONGEST_BLOCK]])
    return block[1] + 2 if block else 1


def _removed(edits: Iterable[FileEdit], tracks: Tracks | None) -> tuple[str, ...]:
    """Return the literals of the lines that edits remove, without lines that moved."""
    lines: list[bytes] = []
    for edit in edits:
        if edit.act not in {Act.LINES, Act.DELETE}:
            continue
        old, new, front = trimmed(edit)
        still = {bare(line) for line in new}
        for number, (line, said) in enumerate(zip(old, without_secrets(old), strict=True), edit.start + front + 1):
            has_moved = tracks is not None and (edit.path, number) in tracks.arrived
            if not has_moved and bare(line) not in still and b"\0" not in line:
                lines.append(said)
    parts = (part.strip() for literal in literals_of(lines) for part in literal.split(GAP))
    return tuple(dict.fromkeys(part for part in parts if part))


def without_secrets(lines: Text) -> Text:
    """Return lines with their secrets blanked: on its own, away from the words beside it, none could be masked."""
    whole = b"".join(close(line, LF) for line in lines).decode("utf-8", "surrogateescape")
    parts: list[str] = []
    reach = 0
    for span in find_secrets(whole):
        parts += (
            whole[reach : span.start],
            "".join(" " if char != "\n" else char for char in whole[span.start : span.stop]),
        )
        reach = span.stop
    return split_lines("".join([*parts, whole[reach:]]).encode("utf-8", "surrogateescape"))


def is_destructive(change: Change, derived: Derived, base_text: Callable[[str], Text]) -> bool:
    """Tell whether a change takes something away that has to be named before it is accepted.

    That is every prune, conflict and quarantine, what removes a file or more than a quarter of one, and what makes a
    literal vanish. How much is removed is counted in lines and in words that do not come again in the same file; where
    the base cannot be read, all of it is.
    """
    if change.kind in DESTRUCTIVE_KINDS or derived.vanishing:
        return True
    by_path: dict[str, list[FileEdit]] = {}
    for edit in change.all_edits:
        if edit.act is Act.DELETE:
            return True
        if edit.act is Act.LINES and edit.old:
            by_path.setdefault(edit.path, [])
    for edit in change.all_edits:
        if edit.act is Act.LINES and edit.path in by_path:
            by_path[edit.path].append(edit)
    try:
        return any(_removes_much(edits, base_text(path)) for path, edits in by_path.items())
    except DreamReviewError:
        return True


def takes_away_when_taken_back(change: Change, base_text: Callable[[str], Text]) -> bool:
    """Tell whether taking back a change that was made already takes something away that has to be named.

    What it deleted comes back, what it created goes, and of lines the reverse is judged as `is_destructive` does;
    a literal counts as gone where the lines that come back do not hold it, wherever else it may stand.

    Args:
        change: one that others made.
        base_text: what a path held before.
    """
    if any(edit.act is Act.CREATE for edit in change.edits):
        return True
    back: dict[str, list[FileEdit]] = {}
    for edit in change.edits:
        if edit.act is Act.LINES:
            back.setdefault(edit.path, []).append(replace(edit, old=edit.new, new=edit.old))
    reverse = [edit for edits in back.values() for edit in edits]
    comes = {literal.casefold() for literal in literals_of(line for edit in reverse for line in edit.new)}
    if any(literal.casefold() not in comes for literal in _removed(reverse, None)):
        return True
    try:
        return any(_removes_much(edits, _made(base_text(path), edits)) for path, edits in back.items())
    except (DreamReviewError, ValueError):
        return True


def _made(base: Text, back: Iterable[FileEdit]) -> Text:
    """Return a file as the change left it, given the reverse of its edits."""
    return compose(base, [Edit(edit.start, edit.stop, edit.old, edit.rank) for edit in back])


def _removes_much(edits: list[FileEdit], base: Text) -> bool:
    words = Counter(word for edit in edits for line in edit.old for word in line.split())
    words.subtract(word for edit in edits for line in edit.new for word in line.split())
    lost = sum((len(word) + 1) * count for word, count in words.items() if count > 0)
    if lost == 0:
        return False
    fewer = sum(len(edit.old) - len(edit.new) for edit in edits)
    return fewer * QUARTER > len(base) or lost * QUARTER > sum(map(len, base))
