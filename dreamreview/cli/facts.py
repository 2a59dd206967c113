"""What a change does beyond the lines it names, in sentences: for the report and for the review in lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreamreview.model.derived import LinkAt, Moved, Planted
    from dreamreview.workspace import Card

Place = Callable[[str, int, int], str]
"""How lines are named: path, first line (1-based), number of lines."""


def span(first: int, size: int) -> str:
    """Return a run of lines as ``7`` or ``7-9``."""
    return f"{first}-{first + size - 1}" if size > 1 else f"{first}"


def with_colon(path: str, first: int, size: int) -> str:
    """Return lines as ``notes.md:7-9``, which many terminals open."""
    return f"{path}:{span(first, size)}"


def in_words(path: str, first: int, size: int) -> str:
    """Return lines as ``notes.md, lines 7 to 9``."""
    return f"{path}, lines {first} to {first + size - 1}" if size > 1 else f"{path}, line {first}"


def effects(card: Card, place: Place) -> Iterator[str]:
    """Yield what a change takes, breaks, mends and moves; of a conflict, what holds whatever is chosen."""
    derived = card.derived
    yield from (planted(each) for each in derived.planted)
    if not card.change.options:
        yield from vanishing(derived.vanishing)
    yield from links("breaks a link", derived.broken, place)
    yield from links("mends a link", derived.mended, place)
    yield from (f"moved: {line}" for line in _moves(derived.moved, ("goes to", "go to"), place))
    yield from (f"kept: {line}" for line in _moves(derived.kept, ("stands already in", "stand already in"), place))
    left = {(each.path, each.line) for each in derived.moved}
    arrived: dict[str, int] = {}
    for each in derived.arrived:
        if (each.from_path, each.from_line) not in left:
            arrived[each.from_path] = arrived.get(each.from_path, 0) + 1
    for path, size in arrived.items():
        yield f"comes word for word from {path}: {size} line{'s' if size > 1 else ''}"


def planted(found: Planted) -> str:
    """Return a sentence about text that hides something or gives orders, with what it says."""
    said = f": {found.said}" if found.said else ""
    return f"brings {found.how}, in {found.place}{said}"


def vanishing(literals: Iterable[str]) -> Iterator[str]:
    """Yield a sentence that names literals which stand nowhere afterwards."""
    named = ", ".join(literals)
    if named:
        yield f"not found in this folder afterwards: {named}"


def links(words: str, found: Iterable[LinkAt], place: Place) -> Iterator[str]:
    """Yield a sentence for each link."""
    for each in found:
        where = f"the new text of {each.path}" if each.is_new else place(each.path, each.line, 1)
        yield f"{words}: {where} points to {each.target}"


def _moves(moved: Iterable[Moved], verbs: tuple[str, str], place: Place) -> Iterator[str]:
    """Yield where lines are that reappear elsewhere, lines that stay together in one sentence."""
    runs: list[tuple[Moved, int]] = []
    for each in moved:
        first, size = runs[-1] if runs else (each, 0)
        following = (first.path, first.line + size, first.to_path, first.to_line + size)
        if runs and (each.path, each.line, each.to_path, each.to_line) == following:
            runs[-1] = (first, size + 1)
        else:
            runs.append((each, 1))
    for first, size in runs:
        yield f"{place(first.path, first.line, size)} {verbs[size > 1]} {place(first.to_path, first.to_line, size)}"
