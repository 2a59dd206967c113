"""Which notes of a store say the same, and the change that says it once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dreamreview.dream.engine import Draft, Measure
from dreamreview.dream.evidence import evidence, raw_text
from dreamreview.dream.lists import Home, fuller_sides, home
from dreamreview.dream.merging import better, has_secret, merge_edits, worth_merging
from dreamreview.dream.relation import ALIKE_BOTH, Kinship
from dreamreview.model import excerpts
from dreamreview.model.memory import Shape
from dreamreview.model.proposal import Evidence, Kind, squeeze

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim, Knowledge
    from dreamreview.dream.judging import Verdict

SAME = ALIKE_BOTH / 2
"""Mean of both shares, anchors added, from which two wordings may be one fact."""
EXCERPT = 60
"""Characters of a note that a title shows."""


def find_merges(store: Knowledge, verdicts: Sequence[Verdict], gone: frozenset[str]) -> Iterator[Draft]:
    """Yield one merge for each group of statements that say the same; files in `gone` are merged already."""
    protected = leads(store)
    scores = {
        (verdict.one.place, verdict.other.place): verdict.relation.score
        for verdict in verdicts
        if verdict.relation.kinship is Kinship.DUPLICATE
        and not {verdict.one.path, verdict.other.path} & gone
        and not has_secret(verdict.one)
        and not has_secret(verdict.other)
    }
    found = groups(scores)
    sides = fuller_sides(store, [group for group in found if len(group) == 2])
    for group in found:
        members = [store.claims[place] for place in group]
        if sum(place in protected for place in group) > 1:
            continue
        pairs = [scores[near, far] for near in group for far in group if near < far]
        if min(pairs) < 1.0:
            members = list(worth_merging(members, protected | _favoured(members, sides), store.names))
        if len(members) < 2:
            continue
        yield _draft(store, members, protected | _favoured(members, sides), min(pairs))


def _favoured(members: Sequence[Claim], sides: frozenset[tuple[Home, Home]]) -> frozenset[int]:
    """Return the statement whose section stays where two sections repeat one another."""
    one, other = members[0], members[-1]
    ends = ((one, other), (other, one)) if len(members) == 2 else ()
    return frozenset(near.place for near, far in ends if (home(near), home(far)) in sides)


def leads(store: Knowledge) -> frozenset[int]:
    """Return the statements that a file stands on: the first paragraph of a typed note, or its only statement."""
    found: set[int] = set()
    for claims in store.by_path.values():
        is_typed = claims[0].document.frontmatter is not None
        if is_typed and (len(claims) == 1 or claims[0].note.shape is Shape.PARAGRAPH):
            found.add(claims[0].place)
    return frozenset(found)


def groups(scores: dict[tuple[int, int], float]) -> list[tuple[int, ...]]:
    """Gather pairs into groups in which every member agrees with every other; the surest pairs first."""
    found: list[set[int]] = []
    for (near, far), _ in sorted(scores.items(), key=lambda item: (-item[1], item[0])):
        home = next((group for group in found if near in group or far in group), None)
        if home is None:
            found.append({near, far})
            continue
        new = {near, far} - home
        if len(new) == 1 and not any(new & group for group in found if group is not home):
            fresh = next(iter(new))
            if all((min(fresh, old), max(fresh, old)) in scores for old in home):
                home.add(fresh)
    return sorted(tuple(sorted(group)) for group in found)


def _draft(store: Knowledge, members: Sequence[Claim], protected: frozenset[int], score: float) -> Draft:
    keep = better(members, protected)
    others = [claim for claim in members if claim is not keep]
    edits, added = merge_edits(keep, others, store.names)
    is_same = len({squeeze(claim.note.text) for claim in members}) == 1
    how = "in the same words" if is_same else f"in other words (alike {min(score, 0.99):.2f})"
    extra = f" What it lacks is added to it ({added} {'sentence' if added == 1 else 'sentences'})." if added else ""
    return Draft(
        kind=Kind.MERGE,
        phase="consolidate",
        title=f"Say it once: {excerpt(keep.note.text)}",
        reason=f"{len(members)} places say this {how}. {place(keep)} stays, as the fuller one.{extra}",
        confidence=round(0.5 + score / 2, 2) if score < 1.0 else 0.98,
        evidence=tuple(seen(claim) for claim in members),
        texts=tuple(raw_text(claim.document, claim.note.first, claim.note.last) for claim in members),
        edits=edits,
        detector="duplicates",
        measures=(Measure("likeness", score, SAME),),
    )


def seen(claim: Claim) -> Evidence:
    """Return a statement as evidence."""
    return evidence(claim.document, claim.note.first, claim.note.last, claim.note.date)


def place(claim: Claim) -> str:
    """Return where a statement stands, as a person reads it."""
    return f"{claim.path}:{claim.note.first}"


def excerpt(text: str) -> str:
    """Return the beginning of a text for a title, on one line and masked."""
    return excerpts.excerpt(text, EXCERPT)
