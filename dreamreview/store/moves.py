"""Which paths went and came between two trees, which of them are renames, and which claim each other's names."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreamreview.model.edits import Text
    from dreamreview.model.files import FileState

EXECUTABLE = 0o111
"""The permission bits that count as a change of mode, as in git."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A path that went and one that came with the same bytes."""

    path: str
    to: str


@dataclass(frozen=True, slots=True)
class Claim:
    """Paths that must go and come together, since each stands in the way of another; often just one."""

    gone: tuple[str, ...]
    came: tuple[str, ...]


def is_executable(mode: int) -> bool:
    """Tell whether a mode lets its owner run the file, which is what git looks at."""
    return bool(mode & 0o100)


def fold(path: str) -> str:
    """Return a path as a file system that minds neither case nor Unicode form sees it."""
    return unicodedata.normalize("NFC", path).casefold()


def above(path: str) -> Iterator[str]:
    """Yield the folders that hold a path, innermost first."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def sort_out(
    gone: Mapping[str, FileState], came: Mapping[str, FileState], *, has_own_modes: bool = False
) -> tuple[list[Moved], list[Claim]]:
    """Pair renames and gather what is left into claims, each in path order.

    A rename keeps non-empty bytes that no other path of either side has, the executable bit (with `has_own_modes`
    every permission bit), and a target that neither stands in the base nor above or below another path that went or
    came.
    """
    partners = _partners(gone, came)
    renames = [
        Moved(path, to)
        for path, to in _same_bytes(gone, came, has_own_modes=has_own_modes)
        if to not in gone and path not in came and _is_free(path, to, partners)
    ]
    moved = {rename.path for rename in renames} | {rename.to for rename in renames}
    rest = [(path, False) for path in gone if path not in moved] + [(path, True) for path in came if path not in moved]
    return sorted(renames, key=lambda one: one.path), _claims(rest, partners)


_Name = tuple[str, bool]
"""A path, and whether it came (or went)."""


def _partners(gone: Iterable[str], came: Iterable[str]) -> dict[_Name, set[_Name]]:
    """Return, for each path, those of the other side whose name is the same, above or below."""
    partners: dict[_Name, set[_Name]] = defaultdict(set)
    sides = {False: tuple(gone), True: tuple(came)}
    for side, paths in sides.items():
        names: dict[str, list[str]] = defaultdict(list)
        for path in sides[not side]:
            names[fold(path)].append(path)
        for path in paths:
            for name in (fold(path), *above(fold(path))):
                for other in names.get(name, ()):
                    partners[path, side].add((other, not side))
                    partners[other, not side].add((path, side))
    return partners


def _same_bytes(
    gone: Mapping[str, FileState], came: Mapping[str, FileState], *, has_own_modes: bool
) -> Iterator[tuple[str, str]]:
    old, new = (_by_bytes(side, has_own_modes=has_own_modes) for side in (gone, came))
    for key, paths in old.items():
        if len(paths) == 1 and len(new.get(key, ())) == 1:
            yield paths[0], new[key][0]


def _by_bytes(side: Mapping[str, FileState], *, has_own_modes: bool) -> dict[tuple[Text, int], list[str]]:
    found: dict[tuple[Text, int], list[str]] = defaultdict(list)
    for path, state in side.items():
        if state.text and not state.is_link:
            found[state.text, state.mode if has_own_modes else int(is_executable(state.mode))].append(path)
    return found


def _is_free(path: str, to: str, partners: Mapping[_Name, set[_Name]]) -> bool:
    """Tell whether nobody else claims either name; the two may differ in case or Unicode form alone."""
    others = partners.get((path, False), set()) | partners.get((to, True), set())
    return others <= {(path, False), (to, True)} and (not others or fold(path) == fold(to))


def _claims(names: Iterable[_Name], partners: Mapping[_Name, set[_Name]]) -> list[Claim]:
    """Gather names that are joined, however far apart, by one standing in the way of another."""
    claims: list[Claim] = []
    seen: set[_Name] = set()
    for first in sorted(names):
        if first in seen:
            continue
        seen.add(first)
        group, waiting = [first], [first]
        while waiting:
            fresh = partners.get(waiting.pop(), set()) - seen
            seen |= fresh
            group += fresh
            waiting += fresh
        gone = tuple(sorted(path for path, is_new in group if not is_new))
        claims.append(Claim(gone, tuple(sorted(path for path, is_new in group if is_new))))
    return claims
