"""How one card reads aloud: every fact in words, each line of the memory behind a word of ours, nothing cut short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dreamreview.cli.diff import masked_lines
from dreamreview.cli.facts import effects, in_words, links, vanishing
from dreamreview.cli.plain.edits import spoken_edits
from dreamreview.cli.report import SECTIONS, totals
from dreamreview.model.edits import split_lines
from dreamreview.model.proposal import Act, kinds_of
from dreamreview.model.review import State
from dreamreview.model.secrets import mask
from dreamreview.model.verdicts import BOTH
from dreamreview.tui.wording import FLAGS, PLAIN_FLAGS

if TYPE_CHECKING:
    from dreamreview.model.proposal import Evidence, FileEdit, Option
    from dreamreview.tui.detail.sources import Sources
    from dreamreview.workspace import Card, OpenReview


def opening(review: OpenReview) -> Iterator[str]:
    """Yield what there is to say about the proposal as a whole."""
    proposal, engine = review.proposal, review.proposal.engine
    by = " ".join(filter(None, (engine.name, engine.model)))
    yield f"Proposal {proposal.id}, {proposal.status}, made by {by}, {proposal.created_at}."
    yield from (line for text in (proposal.summary, proposal.narrative) for line in text.splitlines() if line)
    yield from (f"Warning: {warning}" for warning in review.warnings)


def tally(review: OpenReview) -> str:
    """Return how many changes of each kind there are; the kinds add up to the changes."""
    changes = review.proposal.changes
    counted = Counter(change.kind for change in changes)
    named = [f"{SECTIONS[kind]} {counted[kind]}" for kind in kinds_of(changes)]
    return f"{', '.join(named)}. Changes in all: {len(changes)}."


def progress(review: OpenReview) -> str:
    """Return what became of the changes so far, as one sentence."""
    return f"{totals(review, ', ')}."


def spoken(review: OpenReview, card: Card, sources: Sources) -> Iterator[str]:
    """Yield a card: what it is, what is dangerous about it, why, what it rests on, what it does."""
    change = card.change
    yield change.title or "It has no title."
    yield from _warnings(card)
    yield from (f"Why: {line}" for line in change.reason.splitlines() if line)
    yield f"Confidence: {change.confidence:.2f} of 1."
    yield from _decided(card)
    yield from _stale(card)
    if change.options:
        yield from _sides(review, card, sources)
    else:
        for number, piece in enumerate(change.evidence, 1):
            yield from _source(f"Source {number} of {len(change.evidence)}", piece)
    yield from (f"{_capital(line)}." for line in effects(card, in_words))
    if not change.options:
        yield from spoken_edits(edits_shown(card), review.base_text, card.review)


def edits_shown(card: Card) -> tuple[FileEdit, ...]:
    """Return the edits of a card, with the text that a person wrote in place of what was proposed."""
    written = {part.edit.id: part.edit for part in (*card.review.chosen, *card.review.rejected)}
    return tuple(written.get(edit.id, edit) for edit in card.change.all_edits)


def state_in_words(card: Card) -> str:
    """Return what was decided about a card."""
    words = {State.PARTIAL: "decided in part", State.EDITED: "accepted with your text"}
    choice = card.review.choice
    kept = f", {'both' if choice == BOTH else choice} kept" if choice else ""
    applied = f", applied in {card.applied}" if card.applied else ""
    return f"{words.get(card.review.state, card.review.state)}{kept}{applied}"


def _warnings(card: Card) -> Iterator[str]:
    deleted = [edit.path for edit in card.change.edits if edit.act is Act.DELETE]
    if deleted:
        yield f"Destructive: it deletes {', '.join(deleted)}."
    elif card.change.options:
        yield "Destructive: the side that is not kept can go."
    elif card.is_destructive:
        yield "Destructive: listen to what it takes away before you accept it."
    flags = {*card.change.flags, *card.derived.flags}
    yield from (PLAIN_FLAGS[flag] for flag in PLAIN_FLAGS if flag in flags)
    yield from (f"Flag: {FLAGS.get(flag, flag)}." for flag in sorted(flags - PLAIN_FLAGS.keys()))
    if card.rejected_before:
        yield "Rejected before: the same suggestion was turned down earlier."


def _decided(card: Card) -> Iterator[str]:
    if card.review.reason:
        yield f"You said: {card.review.reason}"
    if card.review.note:
        yield f"Your note: {card.review.note}"
    if card.review.is_void:
        yield "Void: the change is another since it was decided. Take it in again, then decide."


def _stale(card: Card) -> Iterator[str]:
    if card.stale is not None:
        yield f"Stale: {card.stale.reason}."
        yield from (f"  it was made for: {line or '(nothing)'}" for line in mask(card.stale.base).split("\n"))
        yield from (f"  now there stands: {line or '(nothing)'}" for line in mask(card.stale.live).split("\n"))


def _source(name: str, piece: Evidence, facts: Iterable[str] = ()) -> Iterator[str]:
    """Yield where a quote stands, and its lines, each behind its number."""
    told = [f"dated {piece.date}"] if piece.date else []
    told += [f"session {piece.session}"] if piece.session else []
    place = in_words(piece.path, piece.first, piece.last - piece.first + 1)
    yield f"{', '.join((f'{name}: {place}', *told, *facts))}."
    quoted = split_lines(piece.quote.encode("utf-8", "surrogateescape")) or (b"",)
    for number, line in enumerate(masked_lines(quoted), piece.first):
        yield f"  line {number}: {line or '(empty)'}"


def _sides(review: OpenReview, card: Card, sources: Sources) -> Iterator[str]:
    change = card.change
    if change.option(change.suggested or "") is None:
        yield "No side is suggested: nothing tells which of them holds."
    for option in change.options:
        yield from _side(review, card, option, sources)
    written = [part.edit for part in card.review.chosen if part.edit not in change.all_edits]
    if written:
        yield "Your text:"
        yield from spoken_edits(written, review.base_text)


def _side(review: OpenReview, card: Card, option: Option, sources: Sources) -> Iterator[str]:
    name = "Both sides" if option.key == BOTH else f"Side {option.key}"
    marks = ["suggested"] if option.key == card.change.suggested else []
    marks += ["chosen"] if option.key == card.review.choice else []
    yield f"{', '.join((name, *marks))}: {option.label}"
    for number, piece in enumerate(option.evidence, 1):
        source = f"{name}, source {number} of {len(option.evidence)}" if len(option.evidence) > 1 else f"{name}, source"
        yield from _source(source, piece, _known(piece, sources))
        if piece.path in card.derived.linked:
            linked = card.derived.linked[piece.path]
            yield from (f"  linked from: {in_words(each.path, each.line, 1)}" for each in linked)
            if not linked:
                yield f"  nothing links to {piece.path}"
    kept = "If both are kept" if option.key == BOTH else f"If {option.key} is kept"
    yield from (f"{kept}, {line}." for line in vanishing(card.derived.by_option.get(option.key, ())))
    broken = card.derived.broken_by_option.get(option.key, ())
    yield from (f"{kept}, it {line}." for line in links("breaks a link", broken, in_words))
    if not option.edits:
        yield f"{kept}, no line changes."
    yield from spoken_edits(option.edits, review.base_text, lead=f"{kept}, ")


def _known(piece: Evidence, sources: Sources) -> Iterator[str]:
    """Yield what the note says of itself that holds a side of a conflict."""
    note = sources.note_at(piece.path, piece.first)
    if note is None:
        return
    if note.date and not piece.date:
        yield f"dated {note.date}"
    if note.type:
        yield f"type {note.type}"
    if note.confidence is not None:
        yield f"confidence {note.confidence:.2f} of 1"
    if note.pinned:
        yield "pinned"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def base_lines(review: OpenReview, path: str) -> Iterator[str]:
    """Yield a file as it was when the proposal was made, each line behind its number."""
    lines = masked_lines(review.base_text(path))
    yield f"{path} when the proposal was made, {len(lines)} line{'' if len(lines) == 1 else 's'}:"
    yield from (f"  line {number}: {line or '(empty)'}" for number, line in enumerate(lines, 1))


def origin(review: OpenReview, card: Card) -> Iterator[str]:
    """Yield where a change comes from."""
    proposal, change, usage = review.proposal, card.change, review.proposal.usage
    yield f"Proposal: {proposal.id}, dreamed {proposal.created_at}."
    yield f"By: {' '.join(filter(None, (proposal.engine.name, proposal.engine.version, proposal.engine.model)))}."
    yield from (f"With {name}: {said}." for name, said in proposal.engine.settings)
    yield f"Base: {proposal.base.kind}, taken {proposal.base.at}."
    cost = "" if usage.cost_usd is None else f"{usage.cost_usd:.2f} US dollars, "
    yield f"Cost: {cost}{usage.input_tokens} tokens in, {usage.output_tokens} out, {usage.seconds:.1f} seconds."
    yield f"Change: {change.id}, kind {change.kind}, phase {change.phase or 'not named'}."
    yield f"Fingerprint: {change.fingerprint}."
    yield f"Seen, for decide: {card.seen}."
