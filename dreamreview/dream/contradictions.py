"""Which notes cannot both hold, and the change that lets a person choose; which plan another note reports as done."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from dreamreview.dream.disputes import is_remark
from dreamreview.dream.duplicates import EXCERPT, excerpt, leads, place, seen
from dreamreview.dream.engine import Draft, Measure
from dreamreview.dream.evidence import delete_block, raw_text, replace_lines
from dreamreview.dream.merging import coalesce, has_secret
from dreamreview.dream.relation import TOPIC, Differences, Kinship
from dreamreview.model.excerpts import differing
from dreamreview.model.memory import Shape
from dreamreview.model.proposal import Evidence, FileEdit, Kind, Option

if TYPE_CHECKING:
    from dreamreview.dream.claims import Claim, Knowledge
    from dreamreview.dream.judging import Verdict
    from dreamreview.dream.slots import Reading

    Beside = Sequence[tuple[Claim, Verdict]]

_ENDS = (".", "!", "?", "。", "！", "？")
_MARKER = re.compile(r"\s*(?:(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?)?")
"""What opens a list item or a task."""


def find_conflicts(store: Knowledge, verdicts: Sequence[Verdict]) -> Iterator[Draft]:
    """Yield a conflict for every contradiction, and a succession for every plan that another note calls done."""
    standing, sides = leads(store), _Sides(verdicts)
    for verdict in verdicts:
        if has_secret(verdict.one) or has_secret(verdict.other):
            continue
        if verdict.relation.kinship is Kinship.CONFLICT:
            yield _conflict(verdict, standing, sides)
        elif verdict.relation.kinship is Kinship.SUPERSEDE:
            draft = _succession(verdict, standing)
            if draft:
                yield draft


class _Sides:
    """Finds who says the same as one side of a contradiction: what is decided holds for them as well.

    Args:
        verdicts: on all pairs of the store.
    """

    def __init__(self, verdicts: Sequence[Verdict]) -> None:
        self._same: dict[int, dict[int, Claim]] = defaultdict(dict)
        self._at_odds: dict[int, list[tuple[Claim, Verdict]]] = defaultdict(list)
        for verdict in verdicts:
            one, other = verdict.one, verdict.other
            if verdict.relation.kinship is Kinship.DUPLICATE:
                self._same[one.place][other.place] = other
                self._same[other.place][one.place] = one
            elif verdict.relation.kinship is Kinship.CONFLICT:
                self._at_odds[one.place].append((other, verdict))
                self._at_odds[other.place].append((one, verdict))

    def beside(self, claim: Claim, opponent: Claim) -> Beside:
        """Return the statements that say the same as one and are at odds with its opponent, with that verdict."""
        return [
            (other, verdict)
            for other, verdict in self._at_odds[opponent.place]
            if other.place in self._same[claim.place] and not has_secret(other)
        ]

    def apart(self, claim: Claim, beside: Beside) -> list[Claim]:
        """Return the statements that say the same as one, yet are not plainly at odds with its opponent."""
        known = {other.place for other, _ in beside}
        return [other for at, other in sorted(self._same[claim.place].items()) if at not in known]


def _conflict(verdict: Verdict, standing: frozenset[int], sides: _Sides) -> Draft:
    one, other = verdict.one, verdict.other
    with_one, with_other = sides.beside(one, other), sides.beside(other, one)
    winner = suggested(verdict)
    options = (
        Option("A", f"Keep what {place(one)} says", _seen(one, with_one), _gone(verdict, other, with_other, standing)),
        Option(
            "B", f"Keep what {place(other)} says", _seen(other, with_other), _gone(verdict, one, with_one, standing)
        ),
    )
    key = None if winner is None else "A" if winner is one else "B"
    again = "".join(
        _said_again(claim, beside, sides.apart(claim, beside))
        for claim, beside in ((one, with_one), (other, with_other))
    )
    return Draft(
        kind=Kind.CONFLICT,
        phase="consolidate",
        title=f"Which holds? {disputed(verdict)}",
        reason=f"Both cannot hold: {verdict.relation.reason}. {_why(verdict, winner)}{again}",
        confidence=round(0.5 + verdict.relation.score * 0.45, 2),
        evidence=(),
        texts=tuple(_text(claim) for claim in (one, other)),
        options=options,
        suggested=key,
        detector="contradictions",
        measures=(Measure("sameness of topic", verdict.relation.score),),
    )


def _said_again(claim: Claim, beside: Beside, apart: Sequence[Claim]) -> str:
    """Say where else a side is said: what gives way with it, and what a person has to look at."""
    with_it = (
        f" What {place(claim)} says stands at {_places(other for other, _ in beside)} as well and gives way with it."
    )
    stays = f" {_places(apart)} {'says' if len(apart) == 1 else 'say'} the same as {place(claim)} and is left as it is."
    return (with_it if beside else "") + (stays if apart else "")


def _places(claims: Iterable[Claim]) -> str:
    return ", ".join(place(claim) for claim in claims)


def _seen(claim: Claim, beside: Beside) -> tuple[Evidence, ...]:
    return (seen(claim), *(seen(other) for other, _ in beside))


def _gone(verdict: Verdict, loser: Claim, beside: Beside, standing: frozenset[int]) -> tuple[FileEdit, ...]:
    """Return the edits by which one side gives way wherever it is said."""
    several = [(loser, verdict), *beside]
    return tuple(
        coalesce([edit for claim, each in several for edit in giving_way(each, standing, is_first=claim is each.one)])
    )


def disputed(verdict: Verdict) -> str:
    """Return the sentence of the first side for a title: where it is long, the part in which the other differs."""
    near, far = verdict.clauses
    found = verdict.differences
    named = [] if found is None else [value.raw for value, _ in found.values]
    if found is not None and not named:
        named = [near.spelled(key) for key in (*found.denied, *(key for key, _ in found.opposite), *found.names[0])]
    return differing(near.text, far.text, EXCERPT, named)


def _text(claim: Claim) -> str:
    return raw_text(claim.document, claim.note.first, claim.note.last)


def suggested(verdict: Verdict) -> Claim | None:
    """Return the side that the evidence favours.

    A safety fact is never weakened by a remark; then the side that says when it changed, then the later of two days
    that the sentences state, then the higher confidence. A file's own date proves nothing about one of its lines.
    """
    one, other = verdict.one, verdict.other
    near, far = verdict.clauses
    if one.reading.is_safety != other.reading.is_safety and (is_remark(near) or is_remark(far)):
        return one if one.reading.is_safety else other
    days = _day(one, verdict), _day(other, verdict)
    if near.is_correction != far.is_correction:
        turn, still = (one, other) if near.is_correction else (other, one)
        at, before = (days[0], days[1]) if near.is_correction else (days[1], days[0])
        return turn if before is None or (at or "9999") >= before else still
    if days[0] != days[1]:
        if days[0] is None or days[1] is None:
            return one if days[0] else other
        return one if days[0] > days[1] else other
    sure = one.note.confidence, other.note.confidence
    if sure[0] is not None and sure[1] is not None and sure[0] != sure[1]:
        return one if sure[0] > sure[1] else other
    return None


def _day(claim: Claim, verdict: Verdict) -> str | None:
    """Return the day that a statement itself speaks from: one it states outside the dispute, or its log entry's."""
    disputed = verdict.differences.keys if verdict.differences else frozenset()
    stated = [
        str(value.amount)
        for value in claim.reading.values
        if value.dimension == "date" and value.key not in disputed and len(str(value.amount)) == 10
    ]
    if stated:
        return max(stated)
    return claim.note.date if claim.in_log else None


def _why(verdict: Verdict, winner: Claim | None) -> str:
    if winner is None:
        return "Nothing in the folder tells which one is current."
    if winner.reading.is_safety and not (verdict.clauses[0].is_correction or verdict.clauses[1].is_correction):
        return f"{place(winner)} is about safety and is not weakened by a single remark."
    return f"{place(winner)} is the later word by what it says of itself."


def giving_way(verdict: Verdict, standing: frozenset[int], *, is_first: bool) -> tuple[FileEdit, ...]:
    """Return the edits by which one side gives way to the other; daily notes are sources and stay."""
    loser, winner = (verdict.one, verdict.other) if is_first else (verdict.other, verdict.one)
    clause = verdict.clauses[0 if is_first else 1]
    if loser.is_daily:
        return ()
    found = verdict.differences
    changed = (
        _new_values(loser, found, is_first=is_first)
        if found and not (clause.is_correction or clause.is_opinion)
        else None
    )
    changed = changed or _without_clause(loser, clause)
    if changed is None and (loser.place in standing or winner.is_daily):
        changed = _said_anew(loser, winner.reading if winner.is_daily else verdict.clauses[1 if is_first else 0])
    return (changed or delete_block(loser.document, loser.note.first, loser.note.last),)


def _new_values(loser: Claim, found: Differences, *, is_first: bool) -> FileEdit | None:
    """Put the other side's amount in the place of this one's, where it stands exactly once."""
    if len(found.values) != 1:
        return None
    mine, theirs = found.values[0] if is_first else found.values[0][::-1]
    spelled = re.compile(r"\s?".join(re.escape(part) for part in mine.raw.split()))
    for line in range(loser.note.first, loser.note.last + 1):
        text = loser.document.lines[line - 1].decode("utf-8", "surrogateescape")
        if len(spelled.findall(text)) == 1:
            word = theirs.raw.capitalize() if mine.raw.isalpha() and mine.raw[0].isupper() else theirs.raw
            at = spelled.search(text)
            start, stop = at.span() if at else (0, 0)
            new = (text[:start] + word + text[stop:]).encode("utf-8", "surrogateescape")
            return replace_lines(loser.document, line, line, (new,))
    return None


def _without_clause(loser: Claim, clause: Reading) -> FileEdit | None:
    """Take one sentence out of a statement of several, where it stands whole in one line."""
    if len(loser.clauses) < 2 or loser.note.first != loser.note.last:
        return None
    text = loser.document.line_text(loser.note.first)
    piece = clause.text.strip()
    if text.count(piece) != 1 or not piece.endswith(_ENDS):
        return None
    before = _MARKER.sub("", text[: text.index(piece)], count=1).rstrip()
    if before and (not before.endswith(_ENDS) or before[:-1].isdigit()):
        return None
    rest = re.sub(r"  +", " ", text.replace(piece, "", 1)).rstrip()
    data = loser.document.lines[loser.note.first - 1]
    end = data[len(data.rstrip(b"\r\n")) :]
    return replace_lines(loser.document, loser.note.first, loser.note.last, (rest.encode("utf-8") + end,))


def _said_anew(loser: Claim, said: Reading) -> FileEdit | None:
    """Put a sentence of the winner in the place of a statement whose place in its file has to stay filled."""
    first, last = loser.note.first, loser.note.last
    head = loser.document.lines[first - 1]
    marker = re.match(rb"\s*(?:(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?)?", head)
    if loser.note.shape is Shape.ROW:
        return None
    data = loser.document.lines[last - 1]
    end = data[len(data.rstrip(b"\r\n")) :]
    text = " ".join(said.text.split()).encode("utf-8", "surrogateescape")
    return replace_lines(loser.document, first, last, ((marker[0] if marker else b"") + text + end,))


def _succession(verdict: Verdict, standing: frozenset[int]) -> Draft | None:
    """Offer the older of two statements for removal: a plan that was carried out, a place that was moved away from."""
    near, far = verdict.clauses
    first_is_old = near.is_plan if near.is_plan != far.is_plan else not near.turn
    old, new = (verdict.one, verdict.other) if first_is_old else (verdict.other, verdict.one)
    edits = giving_way(verdict, standing, is_first=first_is_old)
    if not edits:
        return None
    is_plan = (near if first_is_old else far).is_plan
    what = "plans what" if is_plan else "still has the state before"
    why = "reports as done" if is_plan else "reports a move"
    return Draft(
        kind=Kind.SUPERSEDE,
        phase="consolidate",
        title=f"{'Planned, and done since' if is_plan else 'Moved since'}: {excerpt(old.note.text)}",
        reason=f"{place(old)} {what} {place(new)} {why}; the older is offered for removal.",
        confidence=round(0.4 + verdict.relation.score * 0.45, 2),
        evidence=(seen(old), seen(new)),
        texts=(_text(old), _text(new)),
        edits=edits,
        detector="contradictions",
        measures=(Measure("sameness of topic", verdict.relation.score, TOPIC),) if is_plan else (),
    )
