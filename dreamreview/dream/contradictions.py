"""Which notes cannot both hold, and the change that lets a person choose; which plan another note reports as done."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.dream.blocks import without
from dreamreview.dream.disputes import is_remark
from dreamreview.dream.duplicates import EXCERPT, excerpt, leads, place, seen
from dreamreview.dream.engine import Draft, Measure
from dreamreview.dream.evidence import raw_text, replace_lines
from dreamreview.dream.judging import judge
from dreamreview.dream.merging import Kept, coalesce, has_secret, missing_sentences
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
_BOM = "\ufeff"
_NAMED = 6
"""Places that a reason names; options list every one of them."""


def find_conflicts(store: Knowledge, verdicts: Sequence[Verdict]) -> Iterator[Draft]:
    """Yield a conflict for every contradiction, and a succession for every plan that another note calls done."""
    standing, sides = leads(store), _Sides(store, verdicts)
    for verdict in verdicts:
        if has_secret(verdict.one) or has_secret(verdict.other):
            continue
        if verdict.relation.kinship is Kinship.CONFLICT:
            yield from _conflicts(verdict, store, standing, sides)
        elif verdict.relation.kinship is Kinship.SUPERSEDE:
            draft = _succession(verdict, standing)
            if draft:
                yield draft


class _Sides:
    """Finds who says the same as one side of a contradiction: what is decided holds for them as well.

    Args:
        store: whose statements they are.
        verdicts: on all near pairs of it.
    """

    def __init__(self, store: Knowledge, verdicts: Sequence[Verdict]) -> None:
        self._weights = store.weights
        self._same: dict[int, dict[int, Claim]] = defaultdict(dict)
        self._at_odds: dict[int, dict[int, Verdict]] = defaultdict(dict)
        for verdict in verdicts:
            one, other = verdict.one, verdict.other
            if verdict.relation.kinship is Kinship.DUPLICATE:
                self._same[one.place][other.place] = other
                self._same[other.place][one.place] = one
            elif verdict.relation.kinship is Kinship.CONFLICT:
                self._at_odds[one.place][other.place] = self._at_odds[other.place][one.place] = verdict

    def beside(self, claim: Claim, opponent: Claim) -> Beside:
        """Return the statements that say the same as one and are at odds with its opponent, with that verdict."""
        found: list[tuple[Claim, Verdict]] = []
        for _, other in sorted(self._same[claim.place].items()):
            verdict = self._verdict(other, claim, opponent)
            if verdict is not None and _goes_along(other, claim, verdict):
                found.append((other, verdict))
        return found

    def _verdict(self, other: Claim, claim: Claim, opponent: Claim) -> Verdict | None:
        """Return by what a statement is at odds with an opponent: of many in the same words not all were held to it."""
        known = self._at_odds[opponent.place].get(other.place)
        if known is None and other.reading.plain == claim.reading.plain:
            first, second = (other, opponent) if other.place < opponent.place else (opponent, other)
            known = judge(first, second, self._weights)
            if known.relation.kinship is not Kinship.CONFLICT:
                return None
            self._at_odds[opponent.place][other.place] = known
        return known

    def apart(self, claim: Claim, beside: Beside) -> list[Claim]:
        """Return the statements that say the same as one, yet are not plainly at odds with its opponent."""
        known = {other.place for other, _ in beside}
        return [other for at, other in sorted(self._same[claim.place].items()) if at not in known]


def _goes_along(claim: Claim, side: Claim, verdict: Verdict) -> bool:
    """Tell whether a statement that says the same as a side may give way with it: whatever else it says stays."""
    if claim.is_daily or has_secret(claim):
        return False
    if claim.reading.plain == side.reading.plain or _mended(verdict, is_first=claim is verdict.one):
        return True
    return not missing_sentences(Kept.of((side.note.text,), side.known), claim.note.text, side.known)


def _conflicts(verdict: Verdict, store: Knowledge, standing: frozenset[int], sides: _Sides) -> Iterator[Draft]:
    """Yield a contradiction, and after one that takes others in, the same of the two alone.

    Arbitration turns to that one where another change takes up one of the others.
    """
    one, other = verdict.one, verdict.other
    with_one, with_other = sides.beside(one, other), sides.beside(other, one)
    yield _conflict(verdict, (with_one, with_other), store, standing, sides)
    if with_one or with_other:
        alone = _conflict(verdict, ((), ()), store, standing, sides)
        yield replace(alone, confidence=round(alone.confidence - 0.01, 2))


def _conflict(
    verdict: Verdict, besides: tuple[Beside, Beside], store: Knowledge, standing: frozenset[int], sides: _Sides
) -> Draft:
    one, other = verdict.one, verdict.other
    with_one, with_other = besides
    first, second = [(one, verdict), *with_one], [(other, verdict), *with_other]
    apart = sides.apart(one, with_one), sides.apart(other, with_other)
    winner = _favoured(verdict, (first, second), apart)
    options = (
        Option("A", f"Keep what {place(one)} says", _seen(first), _gone(second, store, standing)),
        Option("B", f"Keep what {place(other)} says", _seen(second), _gone(first, store, standing)),
    )
    key = None if winner is None else "A" if winner is one else "B"
    again = _said_again(one, with_one, apart[0]) + _said_again(other, with_other, apart[1])
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
    stays = (
        f" {_places(apart)} says the same as {place(claim)} and is left as it is."
        if len(apart) == 1
        else f" {_places(apart)} say the same as {place(claim)} and are left as they are."
    )
    return (with_it if beside else "") + (stays if apart else "")


def _places(claims: Iterable[Claim]) -> str:
    named = [place(claim) for claim in claims]
    more = len(named) - _NAMED
    return ", ".join(named[:_NAMED]) + (f" and {more} more" if more > 0 else "")


def _seen(side: Beside) -> tuple[Evidence, ...]:
    return tuple(seen(claim) for claim, _ in side)


def _gone(side: Beside, store: Knowledge, standing: frozenset[int]) -> tuple[FileEdit, ...]:
    """Return the edits by which one side gives way wherever it is said; no typed note is left without a statement."""
    lost = {claim.place for claim, _ in side}
    firsts = [store.by_path[claim.path][0] for claim, _ in side if claim.document.frontmatter is not None]
    emptied = {claim.place for claim in firsts if all(near.place in lost for near in store.by_path[claim.path])}
    edits = [
        edit
        for claim, verdict in side
        for edit in giving_way(verdict, standing | emptied, is_first=claim is verdict.one)
    ]
    return tuple(coalesce(edits))


def _favoured(verdict: Verdict, sides: tuple[Beside, Beside], apart: tuple[list[Claim], list[Claim]]) -> Claim | None:
    """Return the side that the evidence favours wherever either is said, None where the places do not agree."""
    winner = suggested(verdict)
    if winner is None:
        return None
    mine, theirs = sides if winner is verdict.one else sides[::-1]
    losers = {claim.place for claim, _ in theirs}
    found = [suggested(each) for _, each in (*mine[1:], *theirs[1:])]
    if any(claim is not None and claim.place in losers for claim in found):
        return None
    against = apart[1] if winner is verdict.one else apart[0]
    day = _day(winner, verdict) or "9999"
    return None if any((_day(claim, verdict) or "") > day for claim in against) else winner


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
    if winner is None and suggested(verdict):
        return "The places that say the one or the other do not agree on which is current."
    if winner is None:
        return "Nothing in the folder tells which one is current."
    if winner.reading.is_safety and not (verdict.clauses[0].is_correction or verdict.clauses[1].is_correction):
        return f"{place(winner)} is about safety and is not weakened by a single remark."
    return f"{place(winner)} is the later word by what it says of itself."


def giving_way(verdict: Verdict, standing: frozenset[int], *, is_first: bool) -> tuple[FileEdit, ...]:
    """Return the edits by which one side gives way to the other; daily notes are sources and stay."""
    loser, winner = (verdict.one, verdict.other) if is_first else (verdict.other, verdict.one)
    if loser.is_daily:
        return ()
    changed = _mended(verdict, is_first=is_first)
    if changed is None and (loser.place in standing or winner.is_daily):
        changed = _said_anew(loser, winner.reading if winner.is_daily else verdict.clauses[1 if is_first else 0])
    return (changed or without(loser.document, loser.note, loser.note.first, loser.note.last),)


def _mended(verdict: Verdict, *, is_first: bool) -> FileEdit | None:
    """Return the edit by which a side gives way in what is disputed and goes on saying the rest, None without one."""
    loser, clause = (verdict.one if is_first else verdict.other), verdict.clauses[0 if is_first else 1]
    found = verdict.differences
    changed = None
    if found and not (clause.is_correction or clause.is_opinion):
        changed = _new_values(loser, found, is_first=is_first)
    return changed or _without_clause(loser, clause)


def _new_values(loser: Claim, found: Differences, *, is_first: bool) -> FileEdit | None:
    """Put the other side's amount in the place of this one's, where it stands exactly once."""
    if len(found.values) != 1:
        return None
    mine, theirs = found.values[0] if is_first else found.values[0][::-1]
    spelled = re.compile(r"\s?".join(re.escape(part) for part in mine.raw.split()))
    lines = range(loser.note.first, loser.note.last + 1)
    texts = {line: loser.document.lines[line - 1].decode("utf-8", "surrogateescape") for line in lines}
    places = [(line, at.span()) for line, text in texts.items() for at in spelled.finditer(text)]
    if len(places) != 1:
        return None
    line, (start, stop) = places[0]
    word = theirs.raw.capitalize() if mine.raw.isalpha() and mine.raw[0].isupper() else theirs.raw
    new = (texts[line][:start] + word + texts[line][stop:]).encode("utf-8", "surrogateescape")
    return replace_lines(loser.document, line, line, (new,))


def _without_clause(loser: Claim, clause: Reading) -> FileEdit | None:
    """Take one sentence out of a statement of several, where it stands whole in one line."""
    if len(loser.clauses) < 2 or loser.note.first != loser.note.last:
        return None
    text = loser.document.line_text(loser.note.first)
    piece = clause.text.strip()
    if text.count(piece) != 1 or not piece.endswith(_ENDS):
        return None
    at = text.index(piece)
    head, rest = text[:at], text[at + len(piece) :]
    before = _MARKER.sub("", head.removeprefix(_BOM), count=1).rstrip()
    if before and (not before.endswith(_ENDS) or before[:-1].isdigit()):
        return None
    left = head.rstrip() + rest if before else head + rest.lstrip()
    data = loser.document.lines[loser.note.first - 1]
    end = data[len(data.rstrip(b"\r\n")) :]
    return replace_lines(loser.document, loser.note.first, loser.note.last, (left.encode("utf-8") + end,))


def _said_anew(loser: Claim, said: Reading) -> FileEdit | None:
    """Put a sentence of the winner in the place of a statement whose place in its file has to stay filled."""
    first, last = loser.note.first, loser.note.last
    head = loser.document.lines[first - 1]
    marker = re.match(rb"(?:\xef\xbb\xbf)?\s*(?:(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?)?", head)
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
