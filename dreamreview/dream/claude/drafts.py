"""How a card and its edits become a draft for review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dreamreview.dream.claude.cards import PHASES, option_keys
from dreamreview.dream.engine import Draft, Measure
from dreamreview.dream.evidence import delete_block, delete_lines, quote
from dreamreview.model.proposal import Evidence, Kind, Option
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from dreamreview.dream.claude.cards import Card, Cited, Side
    from dreamreview.dream.claude.veil import Veil
    from dreamreview.dream.engine import Corpus
    from dreamreview.model.proposal import FileEdit

DETECTOR = "claude"
"""Who found it, for ``--explain``."""
DOUBTED = 0.3
"""Confidence that a change has at most that says what its evidence does not."""
LONGEST_QUOTE = 4_000
_FLAGS = {Kind.QUARANTINE: ("instruction-like",), Kind.REDACT: ("secret",)}
"""Flags that the local engine gives to changes of such a kind too."""


def to_draft(card: Card, edits: Sequence[FileEdit], flags: Sequence[str], corpus: Corpus, veil: Veil) -> Draft:
    """Return a draft; what stands beside the memory is named in the reason, since evidence is of the memory."""
    options = _options(card, corpus, veil)
    sides = tuple(side.cited for side in card.sides)
    beside = [piece for piece in card.evidence if piece.is_context]
    said = [f"{_beside(piece)}." for piece in beside]
    return Draft(
        kind=card.kind,
        phase=PHASES[card.kind],
        title=veil.for_people(card.title),
        reason=" ".join([veil.for_people(card.reason), *said]),
        confidence=min(card.confidence, DOUBTED) if "unsupported" in flags else card.confidence,
        evidence=tuple(_evidence(piece, corpus) for piece in card.evidence if not piece.is_context),
        texts=tuple(piece.text for piece in (*card.evidence, *sides)),
        edits=() if options else tuple(edits),
        options=options,
        suggested=card.suggested,
        flags=tuple(dict.fromkeys((*_FLAGS.get(card.kind, ()), *flags))),
        detector=DETECTOR,
        measures=(Measure("how sure the model says it is", card.confidence),),
    )


def side_edits(card: Card, corpus: Corpus) -> tuple[FileEdit | None, ...]:
    """Return the edit by which each side of a conflict gives way; None for one that stands beside the memory."""
    delete = delete_block if len(card.sides) == 2 else delete_lines  # two of three could claim the same blank line
    sides = (side.cited for side in card.sides)
    return tuple(
        None if side.is_context else delete(corpus.documents[side.path], side.first, side.last) for side in sides
    )


def _options(card: Card, corpus: Corpus, veil: Veil) -> tuple[Option, ...]:
    if card.kind is not Kind.CONFLICT:
        return ()
    edits = side_edits(card, corpus)
    keys = option_keys(len(card.sides))
    return tuple(
        Option(
            key=key,
            label=_label(side, veil),
            evidence=() if side.cited.is_context else (_evidence(side.cited, corpus),),
            edits=tuple(replace(edit) for other, edit in zip(keys, edits, strict=True) if edit and other != key),
        )
        for key, side in zip(keys, card.sides, strict=True)
    )


def _label(side: Side, veil: Veil) -> str:
    """Return what a side is called; one beside the memory, which is no evidence, with its words."""
    label = veil.for_people(side.label)
    return f"{label} ({_beside(side.cited)})" if side.cited.is_context else label


def _beside(piece: Cited) -> str:
    return f"{piece.path}, line {piece.first}, says: “{mask(piece.text)[:200]}”"


def _evidence(piece: Cited, corpus: Corpus) -> Evidence:
    document = corpus.documents.get(piece.path) if piece.session is None else None
    said = mask(piece.text) if document is None else quote(document, piece.first, piece.last)
    return Evidence(
        path=piece.path,
        first=piece.first,
        last=piece.last,
        quote=said[:LONGEST_QUOTE],
        date=piece.date,
        session=piece.session,
    )
