"""Which names and lines each change of a proposal lays claim to, and whether two changes claim the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from dreamreview.model.edits import Edit, overlap
from dreamreview.model.manifest_fields import Fault
from dreamreview.model.proposal import Act, Change, FileEdit

MAX_PATH = 4096
"""Longest path in bytes: PATH_MAX of Linux."""
MAX_NAME = 255
"""Longest part of a path in bytes: NAME_MAX of every common file system."""

_BOOKKEEPING = re.compile(r"\.dream(?:[-.]|review)", re.IGNORECASE)
"""How names at the root of a store start that are ours or another dreamer's, never memory."""
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


@lru_cache(maxsize=4_096)
def path_problem(path: str) -> str | None:
    """Say why a path may not stand in a manifest; None when it may.

    It has to lead to a place inside the store by its mere text: relative, without ``..``, NUL or a repository's folder,
    and not into the bookkeeping at the root of a store.
    """
    if not path:
        return "is empty"
    if "\0" in path:
        return "holds a NUL"
    if path.startswith("/") or _DRIVE.match(path):
        return "is absolute"
    if len(path.encode("utf-8", "surrogateescape")) > MAX_PATH:
        return f"is longer than {MAX_PATH} bytes"
    parts = path.split("/")
    if any(part in {"", ".", ".."} for part in parts):
        return "holds an empty part, . or .."
    if any(len(part.encode("utf-8", "surrogateescape")) > MAX_NAME for part in parts):
        return f"holds a name longer than {MAX_NAME} bytes"
    if any(part.casefold() == ".git" for part in parts):
        return "leads into a repository"
    if _BOOKKEEPING.match(parts[0]):
        return "leads into the bookkeeping"
    return None


@dataclass(frozen=True, slots=True)
class _Claim:
    """One edit with the change that makes it and the place where it stands."""

    change: int
    place: str
    edit: FileEdit


def check_clashes(changes: Sequence[Change]) -> None:
    """Make sure that no two changes claim the same lines or names, and that each change agrees with itself.

    Options of one conflict may overlap each other, since only one of them is ever chosen. All else is refused: line
    edits that overlap, two creations, deletions or renames of one path, mode acts on one path, an act that claims a
    name equal to, above or below one that another change's acts claim.

    Raises:
        Fault: naming the place of the later of the two.
    """
    claims: list[_Claim] = []
    for number, change in enumerate(changes):
        for prefix, edits in _sets(number, change):
            own = [_Claim(number, f"{prefix}[{place}]", edit) for place, edit in enumerate(edits)]
            _check_set(own)
            claims += own
    by_path: dict[str, list[_Claim]] = {}
    for claim in claims:
        by_path.setdefault(claim.edit.path, []).append(claim)
    for path, on_path in by_path.items():
        if len(on_path) > 1:
            _check_lines(path, on_path)
            _check_modes(path, on_path)
    _check_names(claims)


def _sets(number: int, change: Change) -> Iterable[tuple[str, tuple[FileEdit, ...]]]:
    """Return the sets of edits of a change that are ever made together, with the place of each."""
    yield f"changes[{number}].edits", change.edits
    for place, option in enumerate(change.options):
        yield f"changes[{number}].options[{place}].edits", option.edits


_ALONE = {
    Act.CREATE: frozenset({Act.CREATE, Act.LINES, Act.MODE}),
    Act.DELETE: frozenset({Act.DELETE, Act.RENAME, Act.LINES, Act.MODE}),
    Act.RENAME: frozenset({Act.DELETE, Act.RENAME}),
    Act.MODE: frozenset({Act.MODE, Act.CREATE, Act.DELETE}),
    Act.LINES: frozenset({Act.CREATE, Act.DELETE}),
}
"""Act to the acts that cannot be made of the same path by the same set of edits."""


def _check_set(claims: list[_Claim]) -> None:
    if len(claims) < 2:
        return
    acts: dict[str, set[Act]] = {}
    targets: set[str] = set()
    lines: dict[str, list[_Claim]] = {}
    for claim in claims:
        edit = claim.edit
        made = acts.setdefault(edit.path, set())
        if made & _ALONE[edit.act]:
            raise Fault(claim.place, f"cannot be made together with another edit of {edit.path!a}")
        made.add(edit.act)
        wanted = edit.to if edit.act is Act.RENAME else edit.path if edit.act is Act.CREATE else None
        if wanted is not None:
            if wanted in targets:
                raise Fault(claim.place, f"{wanted!a} comes to be twice")
            targets.add(wanted)
        if edit.act is Act.LINES:
            lines.setdefault(edit.path, []).append(claim)
    _check_nesting(claims[0].place, targets)
    for path, on_path in lines.items():
        _check_own_lines(path, on_path)


def _check_nesting(place: str, targets: set[str]) -> None:
    ordered = sorted(tuple(target.split("/")) for target in targets)
    for above, below in pairwise(ordered):
        if below[: len(above)] == above:
            raise Fault(place, f"{'/'.join(above)!a} comes to be a file and a folder")


def _check_own_lines(path: str, claims: list[_Claim]) -> None:
    reach: _Claim | None = None
    for claim in sorted(claims, key=_line_order):
        if reach is not None and overlap(_span(reach), _span(claim)):
            raise Fault(claim.place, f"overlaps another edit of {path!a} at line {claim.edit.start + 1}")
        if reach is None or claim.edit.stop > reach.edit.stop:
            reach = claim


def _span(claim: _Claim) -> Edit:
    return Edit(claim.edit.start, claim.edit.stop, ())


def _line_order(claim: _Claim) -> tuple[int, int]:
    return claim.edit.start, claim.edit.stop


def _check_lines(path: str, claims: list[_Claim]) -> None:
    """Sweep the line edits of a path, knowing the furthest reach so far of two different changes."""
    furthest: list[_Claim] = []
    for claim in sorted((claim for claim in claims if claim.edit.act is Act.LINES), key=_line_order):
        for other in furthest:
            if other.change != claim.change and other.edit.stop > max(claim.edit.start, other.edit.start):
                at = claim.edit.start + 1
                raise Fault(claim.place, f"overlaps an edit of {other.place} in {path!a} at line {at}")
        furthest = _reaching(furthest, claim)


def _reaching(furthest: list[_Claim], claim: _Claim) -> list[_Claim]:
    best: dict[int, _Claim] = {}
    for each in (*furthest, claim):
        if each.change not in best or each.edit.stop > best[each.change].edit.stop:
            best[each.change] = each
    return sorted(best.values(), key=lambda each: -each.edit.stop)[:2]


def _check_modes(path: str, claims: list[_Claim]) -> None:
    modes = [claim for claim in claims if claim.edit.act is Act.MODE]
    for claim in modes[1:]:
        if claim.change != modes[0].change:
            raise Fault(claim.place, f"{path!a} is given a mode by {modes[0].place} already")


@dataclass(slots=True)
class _Holders:
    """Who lays claim to a name: by an act that makes or takes it, and in any way."""

    acting: _Claim | None = None
    claims: list[_Claim] = field(default_factory=list)
    """One a change, of two changes at most."""

    def add(self, claim: _Claim, *, is_act: bool) -> None:
        if is_act and self.acting is None:
            self.acting = claim
        if len(self.claims) < 2 and all(other.change != claim.change for other in self.claims):
            self.claims.append(claim)

    def other(self, claim: _Claim, *, is_act: bool) -> _Claim | None:
        """Return a claim of another change that a claim cannot stand beside."""
        if self.acting is not None and self.acting.change != claim.change:
            return self.acting
        return next((other for other in self.claims if is_act and other.change != claim.change), None)


def _check_names(claims: list[_Claim]) -> None:
    """Walk the claimed names depth first, so that what is claimed above a name is known when it is met."""
    above: list[tuple[tuple[str, ...], _Holders]] = []
    for parts, is_act, claim in sorted(_names(claims), key=lambda name: name[0]):
        while above and parts[: len(above[-1][0])] != above[-1][0]:
            above.pop()
        for _, holders in above:
            other = holders.other(claim, is_act=is_act)
            if other:
                raise Fault(claim.place, f"claims {'/'.join(parts)!a}, which {other.place} has a claim on")
        if not above or above[-1][0] != parts:
            above.append((parts, _Holders()))
        above[-1][1].add(claim, is_act=is_act)


def _names(claims: list[_Claim]) -> Iterable[tuple[tuple[str, ...], bool, _Claim]]:
    """Return every name that is claimed, in parts, and whether an act makes or takes it."""
    for claim in claims:
        edit = claim.edit
        yield tuple(edit.path.split("/")), edit.act not in {Act.LINES, Act.MODE}, claim
        if edit.act is Act.RENAME and edit.to is not None:
            yield tuple(edit.to.split("/")), True, claim
