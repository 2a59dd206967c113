"""Which lists of a store repeat one another: a step or a field is one with another only where most of its list is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dreamreview.dream.barriers import is_field, needs_company
from dreamreview.dream.forms import is_step
from dreamreview.dream.relation import Kinship

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim, Knowledge
    from dreamreview.dream.judging import Verdict

MOST = 0.75
"""Share of the longer of two lists that must stand in the other for them to be one list."""
RUN = 3
"""Lines from which one section repeats another, rather than a line a line."""

Home = tuple[str, int | None]
"""The list that a statement stands in: its path and the number of the note that holds it."""


def home(claim: Claim) -> Home:
    """Return the list or section that a statement stands in."""
    return claim.path, claim.note.parent


def in_company(verdicts: Sequence[Verdict], store: Knowledge) -> tuple[Verdict, ...]:
    """Return the verdicts without those on steps and fields whose lists differ otherwise."""
    same = [verdict for verdict in verdicts if verdict.relation.kinship is Kinship.DUPLICATE]
    alone = {id(verdict) for verdict in same if needs_company(verdict.one, verdict.other)}
    if not alone:
        return tuple(verdicts)
    sizes = Counter(home(claim) for claim in store.claims)
    shared = _shared(same)
    sure = {_homes(verdict) for verdict in same if id(verdict) not in alone}

    def stays(verdict: Verdict) -> bool:
        near, far = homes = _homes(verdict)
        count = min(len(side) for side in shared[homes])
        if near == far or count < MOST * max(sizes[near], sizes[far]):
            return False
        if is_field(verdict.one, verdict.other):
            return count >= RUN and homes in sure
        return is_step(verdict.one) and is_step(verdict.other)

    return tuple(verdict for verdict in verdicts if id(verdict) not in alone or stays(verdict))


def _homes(verdict: Verdict) -> tuple[Home, Home]:
    return home(verdict.one), home(verdict.other)


def _shared(same: Iterable[Verdict]) -> dict[tuple[Home, Home], tuple[set[int], set[int]]]:
    """Return for each pair of lists which statements of either stand in the other."""
    found: dict[tuple[Home, Home], tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
    for verdict in same:
        near, far = found[_homes(verdict)]
        near.add(verdict.one.place)
        far.add(verdict.other.place)
    return found


def fuller_sides(store: Knowledge, pairs: Iterable[Sequence[int]]) -> frozenset[tuple[Home, Home]]:
    """Return the pairs of lists (the one that stays first) of which at least `RUN` lines stand in both."""
    held: dict[tuple[Home, Home], list[Sequence[int]]] = defaultdict(list)
    for pair in pairs:
        held[home(store.claims[pair[0]]), home(store.claims[pair[1]])].append(pair)
    found: set[tuple[Home, Home]] = set()
    for (near, far), members in held.items():
        if near != far and len(members) >= RUN:
            says = [sum(len(store.claims[pair[side]].bag) for pair in members) for side in (0, 1)]
            found.add((near, far) if says[0] >= says[1] else (far, near))
    return frozenset(found)
