"""How a proposal reads in plain lines: for `show`, `demo` and the plain review, nothing cut short, nothing drawn.

Lines come out as they are; `output` masks them and makes them inert. Text of the store is masked here as a whole, since
a secret may reach over several lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from dreamreview.cli.diff import Block, Row, blocks, masked_lines
from dreamreview.cli.facts import effects, links, span, vanishing, with_colon
from dreamreview.model.edits import Edit
from dreamreview.model.fidelity import headline, told
from dreamreview.model.proposal import Act, Evidence, FileEdit, Kind, Option, kinds_of
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from dreamreview.workspace import Card, OpenReview
    from dreamreview.workspace.values import Found

SECTIONS = {
    Kind.MERGE: "Merges",
    Kind.CONFLICT: "Conflicts",
    Kind.PRUNE: "Prune",
    Kind.SUPERSEDE: "Superseded",
    Kind.PROMOTE: "Promotions",
    Kind.ADD: "Additions",
    Kind.REWRITE: "Rewrites",
    Kind.DATE: "Dates",
    Kind.INDEX: "Index",
    Kind.LINK: "Links",
    Kind.REDACT: "Redactions",
    Kind.QUARANTINE: "Quarantine",
    Kind.EDIT: "Edits",
    Kind.CREATE: "New files",
    Kind.DELETE: "Deleted files",
    Kind.RENAME: "Renamed files",
    Kind.MODE: "Modes",
}
"""Heading of each kind."""

FLAGS = {
    "move": "only moved",
    "rewrap": "only rewrapped",
    "reorder": "only reordered",
    "refresh": "only numbers or dates",
}
"""What the derived flags say to a reader; other flags stand by their own name."""


def report(review: OpenReview, found: Mapping[str, Found] = MappingProxyType({})) -> Iterator[str]:
    """Yield the whole proposal: what it is, each section with its cards in full, and the totals.

    Args:
        review: the proposal.
        found: change to how the engine found it, where that is to be told.
    """
    yield from head(review)
    cards = review.cards()
    yield from (f"  {line}" for line in fidelity_lines(review))
    for heading, section in _sections(cards):
        yield ""
        yield f"{heading} ({len(section)})"
        for each in section:
            yield ""
            yield from card_lines(review, each, found.get(each.change.id))
    yield ""
    yield totals(review)


def overview(review: OpenReview) -> Iterator[str]:
    """Yield the sections with one line a change, and the totals."""
    for heading, section in _sections(review.cards()):
        yield f"{heading} ({len(section)})"
        yield from (f"  [{state_of(card)}] {card.change.id} {card.change.title}" for card in section)
    yield totals(review)


def _sections(cards: Sequence[Card]) -> Iterator[tuple[str, list[Card]]]:
    """Yield the heading and the cards of each kind that there is."""
    for kind in kinds_of(card.change for card in cards):
        yield SECTIONS[kind], [card for card in cards if card.change.kind is kind]


def in_order(review: OpenReview) -> list[str]:
    """Return the ids of the changes in the order in which they are reported."""
    places = {kind: place for place, kind in enumerate(kinds_of(review.proposal.changes))}
    return [change.id for change in sorted(review.proposal.changes, key=lambda change: places[change.kind])]


def head(review: OpenReview) -> Iterator[str]:
    """Yield what there is to say about the proposal as a whole."""
    proposal = review.proposal
    model = f" ({proposal.engine.model})" if proposal.engine.model else ""
    yield f"Proposal {proposal.id} · {proposal.status} · {proposal.engine.name}{model} · {proposal.created_at}"
    yield from (f"  {line}" for text in (proposal.summary, proposal.narrative) for line in text.splitlines() if line)
    yield from (f"  warning: {warning}" for warning in review.warnings)


def fidelity_lines(review: OpenReview, *, is_chosen: bool = False) -> Iterator[str]:
    """Yield what the proposal, or what was accepted of it, does beyond its own words, the worst first."""
    found = review.fidelity(is_chosen=is_chosen)
    yield f"fidelity: {headline(found)}"
    # What its own words claim stands among the warnings where all of the proposal is told.
    yield from (f"  {line}" for line in told(found if is_chosen else replace(found, mismatches=())))


def totals(review: OpenReview, between: str = " · ") -> str:
    """Return the progress line: how many changes there are and what became of them."""
    counts = review.counts
    decided = counts.changes - counts.undecided
    parts = [f"{decided} of {counts.changes} decided"]
    named = ("accepted", "rejected", "edited", "skipped", "partial", "applied", "stale")
    parts += [f"{getattr(counts, name)} {name}" for name in named if getattr(counts, name)]
    return between.join(parts)


def card_lines(review: OpenReview, card: Card, found: Found | None = None) -> Iterator[str]:
    """Yield one card: what it is, why, what it rests on, what it would take away, and its edits."""
    change = card.change
    yield f"[{state_of(card)}] {change.id} {change.kind}: {change.title}"
    yield from (f"    {line}" for line in change.reason.splitlines() if line)
    yield f"    confidence {change.confidence:.2f}{_remarks(card)}"
    if found is not None:
        yield f"    found by {found.detector}: {', '.join(found.measures) or 'by a rule, without a measure'}"
    if card.review.reason:
        yield f"    said: {card.review.reason}"
    if card.review.note:
        yield f"    noted: {card.review.note}"
    if card.stale is not None:
        yield f"    stale: {card.stale.reason}; it was made for"
        yield from (f"      > {line}" for line in mask(card.stale.base).split("\n"))
        yield "    and now there stands"
        yield from (f"      > {line}" for line in mask(card.stale.live).split("\n"))
    if change.options:
        for option in change.options:
            yield from _option(review, card, option)
    else:
        yield from _evidence(change.evidence)
    yield from (f"    {line}" for line in effects(card, with_colon))
    yield from _edits(review, change.edits)
    written = [chosen.edit for chosen in card.review.chosen if chosen.edit not in (*change.all_edits,)]
    if written:
        yield "    instead, as a person wrote it:"
        yield from (f"  {line}" for line in _edits(review, written))


def state_of(card: Card) -> str:
    """Return what was decided about a card, in words."""
    choice = f" {card.review.choice}" if card.review.choice else ""
    applied = ", applied" if card.applied else ""
    return f"{card.review.state}{choice}{applied}"


def _remarks(card: Card) -> str:
    flags = [FLAGS.get(flag, flag) for flag in sorted({*card.change.flags, *card.derived.flags})]
    if card.is_destructive:
        flags.append("destructive")
    if card.rejected_before:
        flags.append("rejected before")
    return "".join(f" · {flag}" for flag in flags)


def _option(review: OpenReview, card: Card, option: Option) -> Iterator[str]:
    suggested = " (suggested)" if card.change.suggested == option.key else ""
    yield f"    {option.key}{suggested}: {option.label}"
    yield from (f"  {line}" for line in _evidence(option.evidence))
    yield from (f"      {line}" for line in vanishing(card.derived.by_option.get(option.key, ())))
    broken = card.derived.broken_by_option.get(option.key, ())
    yield from (f"      {line}" for line in links("breaks a link", broken, with_colon))
    yield from (f"  {line}" for line in _edits(review, option.edits))


def _evidence(evidence: Iterable[Evidence]) -> Iterator[str]:
    for each in evidence:
        lines = span(each.first, each.last - each.first + 1)
        told = "".join(f", {part}" for part in (each.date, each.session) if part)
        yield f"    from {each.path}:{lines}{told}"
        yield from (f"      > {line}" for line in mask(each.quote).removesuffix("\n").split("\n"))


def _edits(review: OpenReview, edits: Iterable[FileEdit]) -> Iterator[str]:
    by_path: dict[str, list[FileEdit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    for path, some in by_path.items():
        yield f"    {path}: {', '.join(dict.fromkeys(map(_act, some)))}"
        for block in diff_of(review, path, some):
            yield from (f"      {line}" for line in _drawn(block))


def _act(edit: FileEdit) -> str:
    if edit.act is Act.RENAME:
        return f"renamed to {edit.to}"
    if edit.act is Act.MODE:
        return f"mode {_octal(edit.old_mode)} to {_octal(edit.mode)}"
    words = {Act.LINES: "changed", Act.CREATE: "created", Act.DELETE: "deleted"}
    return words[edit.act]


def _octal(mode: int | None) -> str:
    return "unknown" if mode is None else f"{mode:o}"


def _drawn(block: Block) -> Iterator[str]:
    is_crlf = all(row.text.endswith("\r") for row in block.rows if row.sign != "\\")
    yield block.header
    for row in block.rows:
        text = row.text.removesuffix("\r") if is_crlf else row.text
        yield f"{row.sign} {text}".rstrip(" ") if row.sign == " " else f"{row.sign} {text}"


def diff_of(review: OpenReview, path: str, edits: Iterable[FileEdit]) -> tuple[Block, ...]:
    """Return what edits of one path do to its lines.

    A creation or deletion is drawn from what it carries, the rest against the base text. An edit that does not fit
    its base is drawn bare.
    """
    some = list(edits)
    whole = next((edit for edit in some if edit.act in {Act.CREATE, Act.DELETE}), None)
    if whole is not None:
        return tuple(blocks(whole.old, [Edit(0, len(whole.old), whole.new)]))
    changes = [Edit(edit.start, edit.stop, edit.new, edit.rank) for edit in some if edit.act is Act.LINES]
    try:
        return tuple(blocks(review.base_text(path), changes))
    except ValueError:
        return tuple(_bare(edit) for edit in some if edit.act is Act.LINES)


def _bare(edit: FileEdit) -> Block:
    rows = [Row("-", line) for line in masked_lines(edit.old)] + [Row("+", line) for line in masked_lines(edit.new)]
    return Block(edit.start + 1, len(edit.old), edit.start + 1, len(edit.new), tuple(rows))
