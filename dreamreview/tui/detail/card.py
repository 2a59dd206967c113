"""The rows of one card: what it is, why, what it costs, what it rests on, then its edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dreamreview.model.proposal import Act, Evidence, FileEdit, Option
from dreamreview.model.review import State
from dreamreview.tui.detail.diff import Manner, edit_rows, where
from dreamreview.tui.detail.rows import BLANK, Pair, Row, Words
from dreamreview.tui.inert import Part, own, said
from dreamreview.tui.pieces import edits_shown
from dreamreview.tui.wording import APPLIED, FLAGS, MARKS, STALE, WARNING_FLAGS, count

if TYPE_CHECKING:
    from dreamreview.model.derived import Moved
    from dreamreview.tui.detail.sources import Sources
    from dreamreview.workspace.values import Card

QUOTED = 4
"""Lines of a piece of evidence that stand above the diff; the page of its origin shows all of it."""
NAMED = 12
"""Things named in one sentence before the rest is counted."""


def card_rows(card: Card, sources: Sources, manner: Manner) -> list[Row]:
    """Return all rows of a card."""
    rows: list[Row] = [*_head(card), *_effects(card), *_stale(card)]
    if card.change.options:
        rows += _options(card, sources, manner)
    else:
        rows += _evidence(card.change.evidence)
        rows.append(BLANK)
        rows += edit_rows(edits_shown(card), sources, manner)
    return rows


def _head(card: Card) -> Iterator[Row]:
    change, review = card.change, card.review
    mark = MARKS[review.state]
    yield Words((said(change.title or "(no title)", "title"),))
    facts = [own(f"{mark.glyph} {mark.word}", mark.look)]
    if review.choice:
        facts.append(said(f"keeps {review.choice}", mark.look))
    facts += [own(change.kind, "kind"), own(f"{change.confidence:.0%} sure", "dim")]
    if card.applied:
        facts.append(said(f"{APPLIED.glyph} applied in {card.applied}", "dim"))
    yield Words(_joined(facts), hang=2)
    if change.reason:
        yield Words((said(change.reason),))
    if review.reason:
        yield Words((own("You said: ", "dim"), said(review.reason, "quote")), hang=2)
    if review.note:
        yield Words((own("Your note: ", "dim"), said(review.note, "quote")), hang=2)
    if review.is_void:
        yield Words((own("The change is another since it was decided: decide it again.", "warn"),))


def _joined(parts: Sequence[Part], between: str = " · ") -> tuple[Part, ...]:
    out: list[Part] = []
    for part in parts:
        out += [own(between, "dim"), part] if out else [part]
    return tuple(out)


def _effects(card: Card) -> Iterator[Row]:
    """Yield one line for each thing to know before reading the diff."""
    derived = card.derived
    if not derived.by_option:
        yield from _vanishing("Not found in this folder afterwards: ", derived.vanishing)
    yield from _moved("Moved: ", derived.moved)
    yield from _moved("A second copy stays: ", derived.kept)
    flags = sorted({*card.change.flags, *derived.flags})
    for flag in flags:
        look = "warn" if flag in WARNING_FLAGS else "dim"
        yield Words((own("Flag: ", "dim"), said(FLAGS.get(flag, flag), look)), hang=2)
    if deleted := [edit.path for edit in card.change.edits if edit.act is Act.DELETE]:
        yield Words((own("Deletes: ", "danger"), *_joined([said(path, "path") for path in deleted], ", ")), hang=2)
    elif card.is_destructive and not card.change.options:
        yield Words((own("Destructive: read what it takes away before you accept it.", "warn"),), hang=2)
    if card.rejected_before:
        yield Words((own("Rejected before: the same suggestion was turned down earlier.", "warn"),), hang=2)


def _vanishing(words: str, literals: Sequence[str]) -> Iterator[Words]:
    if literals:
        named = [said(literal, "code") for literal in literals[:NAMED]]
        rest = len(literals) - NAMED
        more = (own(f" and {rest} more", "warn"),) if rest > 0 else ()
        yield Words((own(words, "warn"), *_joined(named, ", "), *more), hang=2)


def _moved(words: str, moved: Sequence[Moved]) -> Iterator[Row]:
    targets = Counter(each.to_path for each in moved)
    named = [said(f"{count(number, 'line')} in {path}", "moved") for path, number in targets.most_common(NAMED)]
    rest = len(targets) - NAMED
    named += [own(f"{count(rest, 'more file')}", "moved")] if rest > 0 else []
    if named:
        yield Words((own(words, "dim"), *_joined(named, ", ")), hang=2)


def _stale(card: Card) -> Iterator[Row]:
    if card.stale is None:
        return
    yield Words((own(f"{STALE.glyph} Stale: ", "warn"), said(card.stale.reason, "warn")), hang=2)
    yield Pair(
        (Words((own("When it was dreamed", "kind"),)), *_text_rows(card.stale.base)),
        (Words((own("As it stands now", "kind"),)), *_text_rows(card.stale.live)),
    )


def _text_rows(text: str, look: str = "quote") -> tuple[Words, ...]:
    lines = text.removesuffix("\n").split("\n") if text else ["(nothing)"]
    return tuple(Words((own("  "), said(line, look)), hang=2) for line in lines)


def _evidence(evidence: Sequence[Evidence]) -> Iterator[Row]:
    for piece in evidence:
        yield Words(source_of(piece), hang=2)
        rows = _text_rows(piece.quote)
        yield from rows if len(rows) <= QUOTED + 1 else rows[:QUOTED]
        if len(rows) > QUOTED + 1:
            yield Words((own(f"  … {count(len(rows) - QUOTED, 'more line')}, i shows all", "dim"),))


def source_of(piece: Evidence) -> tuple[Part, ...]:
    """Return where a piece of evidence stands: path, line, date, session."""
    line = f":{piece.first}" if piece.last <= piece.first else f":{piece.first}–{piece.last}"
    facts = [own("from ", "dim"), said(piece.path, "path"), own(line, "dim")]
    if piece.date:
        facts.append(said(f" · {piece.date}", "dim"))
    if piece.session:
        facts.append(said(f" · session {piece.session}", "dim"))
    return tuple(facts)


def _options(card: Card, sources: Sources, manner: Manner) -> Iterator[Row]:
    change = card.change
    yield BLANK
    shown = [option for option in change.options if option.key != "both"]
    for place in range(0, len(shown), 2):
        left, *right = (tuple(_claim(card, option)) for option in shown[place : place + 2])
        yield Pair(left, right[0]) if right else Pair(left, ())
    if suggested := change.option(change.suggested or ""):
        yield Words((own("Suggested: ", "dim"), said(f"keep {suggested.key}", "kind")))
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


def _claim(card: Card, option: Option) -> Iterator[Words]:
    is_chosen = card.review.state is not State.UNDECIDED and card.review.choice == option.key
    badges = [own("chosen", "accepted")] if is_chosen else []
    badges += [own("suggested", "kind")] if option.key == card.change.suggested else []
    tail = (own("  ("), *_joined(badges, ", "), own(")")) if badges else ()
    yield Words((said(option.key, "title"), said(f"  {option.label}", "title"), *tail), hang=3)
    for piece in option.evidence:
        yield Words(source_of(piece), hang=2)
        yield from _text_rows(piece.quote)
    yield Words((own("Choosing it ", "dim"), *_outcome(option.edits)), hang=2)
    yield from _vanishing("Not found afterwards: ", card.derived.by_option.get(option.key, ()))
    yield BLANK


def _outcome(edits: Sequence[FileEdit]) -> tuple[Part, ...]:
    """Return what some edits do, in words."""
    if not edits:
        return (own("changes nothing", "dim"),)
    deeds = [said(_deed(edit), "danger" if edit.act is Act.DELETE else "text") for edit in edits[:NAMED]]
    more = [own(f"{len(edits) - NAMED} more")] if len(edits) > NAMED else []
    return _joined([*deeds, *more], ", ")


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
