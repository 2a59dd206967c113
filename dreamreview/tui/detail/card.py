"""The rows of one card: what it is, why, what it costs, what it rests on, then its edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dreamreview.model.proposal import Act
from dreamreview.tui.detail.diff import Manner, edit_rows
from dreamreview.tui.detail.facts import NAMED, joined, link_rows, source_of, text_rows, vanishing_rows
from dreamreview.tui.detail.rows import BLANK, Pair, Row, Words
from dreamreview.tui.inert import own, said
from dreamreview.tui.pieces import edits_shown
from dreamreview.tui.wording import APPLIED, FLAGS, MARKS, PLAIN_FLAGS, STALE, WARNING_FLAGS, count

if TYPE_CHECKING:
    from dreamreview.model.derived import Arrived, Moved
    from dreamreview.model.proposal import Evidence
    from dreamreview.tui.detail.sources import Sources
    from dreamreview.workspace.values import Card

QUOTED = 4
"""Lines of a piece of evidence that stand above the diff; the page of its origin shows all of it."""


def card_rows(card: Card, sources: Sources, manner: Manner) -> list[Row]:
    """Return all rows of a card."""
    rows: list[Row] = [*_head(card, is_observed=manner.is_observed), *_effects(card), *_stale(card)]
    if card.change.options:
        from dreamreview.tui.detail.conflict import option_rows

        rows += option_rows(card, sources, manner)
    else:
        rows += _evidence(card.change.evidence)
        rows.append(BLANK)
        rows += edit_rows(edits_shown(card), sources, manner)
    return rows


def _head(card: Card, *, is_observed: bool) -> Iterator[Row]:
    change, review = card.change, card.review
    mark = MARKS[review.state]
    yield Words((said(change.title or "(no title)", "title"),))
    facts = [own(f"{mark.glyph} {mark.word}", mark.look)]
    if review.choice:
        facts.append(said(f"keeps {review.choice}", mark.look))
    facts.append(own(change.kind, "kind"))
    facts.append(own("made by others already" if is_observed else f"{change.confidence:.0%} sure", "dim"))
    if card.applied:
        facts.append(said(f"{APPLIED.glyph} applied in {card.applied}", "dim"))
    yield Words(joined(facts), hang=2)
    if change.reason:
        yield Words((said(change.reason),))
    if review.reason:
        yield Words((own("You said: ", "dim"), said(review.reason, "quote")), hang=2)
    if review.note:
        yield Words((own("Your note: ", "dim"), said(review.note, "quote")), hang=2)
    if review.is_void:
        yield Words((own("Void: the change is another since it was decided. Look at it again, then decide.", "warn"),))


def _effects(card: Card) -> Iterator[Row]:
    """Yield one line for each thing to know before reading the diff."""
    derived = card.derived
    for each in derived.planted:
        told = (own(": ", "warn"), said(each.said, "danger")) if each.said else ()
        yield Words((said(f"Brings {each.how}, in {each.place}", "warn"), *told), hang=2)
    if not derived.by_option:
        yield from vanishing_rows("Not found in this folder afterwards: ", derived.vanishing)
    yield from link_rows("Breaks links: ", derived.broken, "warn")
    yield from link_rows("Mends links: ", derived.mended, "accepted")
    yield from _moved("Moved: ", derived.moved)
    yield from _arrived(derived.arrived)
    yield from _moved("A second copy stays: ", derived.kept)
    flags = {*card.change.flags, *derived.flags}
    yield from (Words((own(PLAIN_FLAGS[flag], "kind"),), hang=2) for flag in PLAIN_FLAGS if flag in flags)
    for flag in sorted(flags - PLAIN_FLAGS.keys()):
        look = "warn" if flag in WARNING_FLAGS else "dim"
        yield Words((own("Flag: ", "dim"), said(FLAGS.get(flag, flag), look)), hang=2)
    if deleted := [edit.path for edit in card.change.edits if edit.act is Act.DELETE]:
        yield Words((own("Deletes: ", "danger"), *joined([said(path, "path") for path in deleted], ", ")), hang=2)
    elif card.is_destructive and not card.change.options:
        yield Words((own("Destructive: read what it takes away before you accept it.", "warn"),), hang=2)
    if card.rejected_before:
        yield Words((own("Rejected before: the same suggestion was turned down earlier.", "warn"),), hang=2)


def _moved(words: str, moved: Sequence[Moved]) -> Iterator[Row]:
    targets = Counter(each.to_path for each in moved)
    named = [said(f"{count(number, 'line')} in {path}", "moved") for path, number in targets.most_common(NAMED)]
    rest = len(targets) - NAMED
    named += [own(f"{count(rest, 'more file')}", "moved")] if rest > 0 else []
    if named:
        yield Words((own(words, "dim"), *joined(named, ", ")), hang=2)


def _arrived(arrived: Sequence[Arrived]) -> Iterator[Row]:
    """Yield where lines come from that are no new text, other files than their own."""
    origins = Counter(each.from_path for each in arrived)
    named = [said(f"{count(number, 'line')} of {path}", "moved") for path, number in origins.most_common(NAMED)]
    if named:
        yield Words((own("Comes word for word: ", "dim"), *joined(named, ", ")), hang=2)


def _stale(card: Card) -> Iterator[Row]:
    if card.stale is None:
        return
    yield Words((own(f"{STALE.glyph} Stale: ", "warn"), said(card.stale.reason, "warn")), hang=2)
    yield Pair(
        (Words((own("When it was dreamed", "kind"),)), *text_rows(card.stale.base)),
        (Words((own("As it stands now", "kind"),)), *text_rows(card.stale.live)),
    )


def _evidence(evidence: Sequence[Evidence]) -> Iterator[Row]:
    for piece in evidence:
        yield Words(source_of(piece), hang=2)
        rows = text_rows(piece.quote)
        yield from rows if len(rows) <= QUOTED + 1 else rows[:QUOTED]
        if len(rows) > QUOTED + 1:
            yield Words((own(f"  … {count(len(rows) - QUOTED, 'more line')}, i shows all", "dim"),))
