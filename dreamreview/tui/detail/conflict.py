"""The rows of a conflict: both claims in full with what is known of each, what a choice does, which is suggested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dreamreview.model.proposal import Act, Change, Evidence, FileEdit, Option
from dreamreview.model.review import State
from dreamreview.tui.detail.diff import Manner, edit_rows, where
from dreamreview.tui.detail.facts import NAMED, joined, link_rows, source_of, text_rows, vanishing_rows
from dreamreview.tui.detail.rows import BLANK, Pair, Row, Words
from dreamreview.tui.inert import Part, own, said
from dreamreview.tui.wording import count

if TYPE_CHECKING:
    from dreamreview.model.memory import Note
    from dreamreview.tui.detail.sources import Sources
    from dreamreview.workspace.values import Card


def option_rows(card: Card, sources: Sources, manner: Manner) -> Iterator[Row]:
    """Yield the claims two by two, then which is suggested and why, then what choosing each would do."""
    change = card.change
    yield BLANK
    shown = [option for option in change.options if option.key != "both"]
    for place in range(0, len(shown), 2):
        left, *right = (tuple(_claim(card, option, sources)) for option in shown[place : place + 2])
        yield Pair(left, right[0] if right else ())
    yield from _suggestion(card, shown, sources)
    if any(option.key not in ("A", "B") for option in shown):
        keys = ", ".join(f"{number} keeps {option.key}" for number, option in enumerate(shown, 1))
        yield Words((said(keys, "dim"),), hang=2)
    if third := [part.edit for part in card.review.chosen if part.edit not in change.all_edits]:
        yield Words((own("Your text", "edited"),))
        yield from edit_rows(third, sources, manner)
    for option in change.options:
        if option.edits:
            yield BLANK
            yield Words((said(f"Choosing {option.key} would do this", "kind"),))
            yield from edit_rows(option.edits, sources, manner)


def _suggestion(card: Card, shown: Sequence[Option], sources: Sources) -> Iterator[Row]:
    """Yield which side is suggested and why, or that none is."""
    suggested = card.change.option(card.change.suggested or "")
    if suggested is None:
        yield Words((own("No side is suggested: nothing tells which of them holds.", "dim"),), hang=2)
        return
    others = [option for option in shown if option.key != suggested.key]
    why = _why(suggested, others, sources) or ("for the reason above" if card.change.reason else "")
    yield Words((own("Suggested: ", "dim"), said(f"keep {suggested.key}", "kind"), said(f"  {why}", "dim")), hang=2)


def _why(suggested: Option, others: Sequence[Option], sources: Sources) -> str:
    """Return what the dates or the confidence of the sides say for the one that is suggested."""
    day, days = _date_of(suggested, sources), [_date_of(option, sources) for option in others]
    if day and all(other and other < day for other in days) and days:
        return f"the later word: {day} after {max(other for other in days if other)}"
    sure, sures = _confidence_of(suggested, sources), [_confidence_of(option, sources) for option in others]
    if sure is not None and all(other is not None and other < sure for other in sures) and sures:
        return f"the surer note: {sure:.0%}"
    return ""


def later_side(change: Change, sources: Sources) -> str | None:
    """Return the key of the side that speaks from a later day than all others; None where the days do not tell."""
    sides = [option for option in change.options if option.key != "both"]
    days = {option.key: _date_of(option, sources) for option in sides}
    last = max((day for day in days.values() if day), default=None)
    if last is None or None in days.values() or sum(day == last for day in days.values()) > 1:
        return None
    return next(key for key, day in days.items() if day == last)


def _notes(option: Option, sources: Sources) -> Iterator[tuple[Evidence, Note | None]]:
    for piece in option.evidence:
        yield piece, sources.note_at(piece.path, piece.first)


def _date_of(option: Option, sources: Sources) -> str | None:
    return max((day for piece, note in _notes(option, sources) if (day := _day(piece, note))), default=None)


def _day(piece: Evidence, note: Note | None) -> str | None:
    return piece.date or (note.date if note else None)


def _confidence_of(option: Option, sources: Sources) -> float | None:
    found = [note.confidence for _, note in _notes(option, sources) if note and note.confidence is not None]
    return max(found, default=None)


def _claim(card: Card, option: Option, sources: Sources) -> Iterator[Words]:
    is_chosen = card.review.state is not State.UNDECIDED and card.review.choice == option.key
    badges = ["chosen"] if is_chosen else []
    badges += ["suggested"] if option.key == card.change.suggested else []
    tail = (own("  "), own(f"({', '.join(badges)})", "accepted" if is_chosen else "kind")) if badges else ()
    yield Words((said(option.key, "title"), said(f"  {option.label}", "title"), *tail), hang=3)
    derived = card.derived
    for piece, note in _notes(option, sources):
        yield Words(source_of(piece, is_dated=False), hang=2)
        yield Words(joined(_facts(piece, note)), hang=2)
        yield from text_rows(piece.quote)
        if piece.path in derived.linked:
            links = derived.linked[piece.path]
            yield from link_rows("Linked from ", links, "dim") if links else [_unlinked(piece.path)]
    yield Words((own("Choosing it ", "dim"), *outcome(option.edits)), hang=2)
    yield from vanishing_rows("Not found afterwards: ", derived.by_option.get(option.key, ()))
    yield from link_rows("Breaks links: ", derived.broken_by_option.get(option.key, ()), "warn")
    yield BLANK


def _unlinked(path: str) -> Words:
    return Words((own("Nothing links to ", "dim"), said(path, "dim")), hang=2)


def _facts(piece: Evidence, note: Note | None) -> list[Part]:
    """Return date, type, confidence and pin of a side, and that it has none where it has none."""
    if note is None:
        return [own("no date", "dim")] if not piece.date else [said(piece.date)]
    day = _day(piece, note)
    facts = [said(day) if day else own("no date", "dim")]
    facts.append(said(f"type {note.type}") if note.type else own("no type", "dim"))
    sure = note.confidence
    facts.append(own(f"confidence {sure:.0%}") if sure is not None else own("no confidence stated", "dim"))
    return [*facts, own("pinned", "warn")] if note.pinned else facts


def outcome(edits: Sequence[FileEdit]) -> tuple[Part, ...]:
    """Return what some edits do, in words."""
    if not edits:
        return (own("changes nothing", "dim"),)
    deeds = [said(_deed(edit), "danger" if edit.act is Act.DELETE else "text") for edit in edits[:NAMED]]
    more = [own(f"{len(edits) - NAMED} more")] if len(edits) > NAMED else []
    return joined([*deeds, *more], ", ")


def _deed(edit: FileEdit) -> str:
    old, new = len(edit.old), len(edit.new)
    match edit.act:
        case Act.CREATE:
            return f"creates {edit.path}"
        case Act.DELETE:
            return f"DELETES {edit.path}"
        case Act.RENAME:
            return f"renames {edit.path} to {edit.to}"
        case Act.MODE:
            return f"changes the mode of {edit.path}"
    if not new:
        return f"takes {where(edit)} out of {edit.path}"
    return f"adds {count(new, 'line')} to {edit.path}" if not old else f"rewrites {where(edit)} of {edit.path}"
