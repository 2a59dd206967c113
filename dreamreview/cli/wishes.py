"""What a `decide` command line asks for, as decisions that are checked as a whole before the first is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dreamreview.errors import UsageError
from dreamreview.model.edits import split_lines
from dreamreview.model.review import Op, State, Target, parse_target, validate
from dreamreview.model.verdicts import SKIP

if TYPE_CHECKING:
    from dreamreview.model.proposal import Kind
    from dreamreview.workspace import Card, OpenReview


NAMED_ALONE = "left out, since each takes something away, or brings an order or hidden text, and has to be named"
"""Why a change is left out where many are decided at once."""
BACK_ALONE = "left out, since taking each back takes something away, so that it has to be named"
"""The same where others made the changes already and they are rejected."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One decision that was asked for."""

    op: Op
    target: Target
    choice: str | None = None
    text: bytes | None = None
    reason: str = ""
    seen: str | None = None
    """What was on the screen when it was made; None where that was not said."""


def wish(op: Op, word: str, *, choice: str | None = None, text: bytes | None = None, reason: str = "") -> Wish:
    """Read ``ID``, ``ID.e2``, ``ID.e2:-1,+1-3``, each with ``@SEEN`` behind it or not.

    Raises:
        UsageError: it is none of these.
    """
    name, at, seen = word.partition("@")
    if not name or (at and not seen):
        raise UsageError(f"{word!r} names no change: say ID, ID.e2, ID.e2:-1,+1-3, or ID@SEEN")
    return Wish(op=op, target=parse_target(name), choice=choice, text=text, reason=reason, seen=seen or None)


def choice(word: str, reason: str) -> Wish:
    """Read ``ID=A``, ``ID=B``, ``ID=both`` or ``ID=skip``.

    Raises:
        UsageError: it is none of these.
    """
    name, key = pair(word, "A|B|both|skip")
    return wish(Op.SKIP, name, reason=reason) if key == SKIP else wish(Op.CHOOSE, name, choice=key, reason=reason)


def pair(word: str, what: str) -> tuple[str, str]:
    """Split ``ID=VALUE``.

    Raises:
        UsageError: one of the two is missing.
    """
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise UsageError(f"{word!r} is not of the form ID={what}")
    return name, value


def check(review: OpenReview, wishes: Iterable[Wish]) -> tuple[Wish, ...]:
    """Return the wishes in the order to write them, whole changes before their parts, once all of them make sense.

    Raises:
        UsageError: one of them does not; nothing has been written then.
    """
    cards = {card.change.id: card for card in review.cards()}
    ordered = sorted(wishes, key=lambda each: (each.target.edit is not None, each.target.has_lines))
    taken: dict[str, tuple[Op, str | None]] = {}
    for each in ordered:
        name = str(each.target)
        if taken.setdefault(name, (each.op, each.choice)) != (each.op, each.choice):
            raise UsageError(f"{name} is decided twice, and differently")
        card = cards.get(each.target.change)
        if card is None:
            raise UsageError(f"there is no change {each.target.change} in proposal {review.proposal.id}")
        if each.seen is not None and each.seen != card.seen:
            raise UsageError(f"{name} is not what was seen: its digest is {card.seen}, not {each.seen}; look again")
        is_first = each.target.edit is None or each.target.change not in taken
        decided = card.review if is_first else None
        validate(
            card.change,
            each.op,
            each.target,
            each.choice,
            text=each.text,
            review=decided,
            changes=review.proposal.changes,
            base_lines=review.base_text,
        )
    return tuple(dict.fromkeys(ordered))


def in_bulk(review: OpenReview, kind: Kind, least: float, op: Op, reason: str) -> tuple[list[Wish], list[str]]:
    """Return the decisions on a whole kind, and the ids left out because each of them has to be named.

    Those left out are destructive, a conflict, or bring what reads like an order or is not drawn; where others made the
    changes already, those that take something away as they are rejected. What is decided already stays as it is.
    """
    from dreamreview.workspace.bulk import has_to_be_named

    wishes: list[Wish] = []
    left: list[str] = []
    for card in review.cards():
        change = card.change
        if change.kind is not kind or change.confidence < least or card.review.state is not State.UNDECIDED:
            continue
        if change.options or has_to_be_named(review, card, op):
            left.append(change.id)
        else:
            wishes.append(Wish(op=op, target=Target(change=change.id), reason=reason, seen=card.seen))
    return wishes, left


def why_left_out(review: OpenReview, op: Op) -> str:
    """Return why `in_bulk` left changes out."""
    return BACK_ALONE if op is Op.REJECT and review.proposal.is_observed else NAMED_ALONE


def from_document(review: OpenReview, data: bytes) -> list[Wish]:
    """Return the decisions that a document of the form `show` prints holds and the review does not.

    Raises:
        UsageError: it has another form, speaks of another proposal, or of changes that have changed since.
    """
    try:
        shape = json.loads(data)
    except ValueError as error:
        raise UsageError(f"--from: not a JSON document: {error}") from error
    if not isinstance(shape, dict) or not isinstance(shape.get("changes"), list):
        raise UsageError("--from: expected the document that `show --json` prints, with a list of changes")
    if shape.get("id") != review.proposal.id:
        raise UsageError(f"--from: the document is about proposal {shape.get('id')!r}, not {review.proposal.id}")
    cards = {card.change.id: card for card in review.cards()}
    return [wish for place, row in enumerate(shape["changes"]) for wish in _row(cards, place, row)]


def _row(cards: dict[str, Card], place: int, row: Any) -> Iterator[Wish]:
    where = f"--from: changes[{place}]"
    if not isinstance(row, dict) or not isinstance(row.get("seen"), str):
        raise UsageError(f"{where}: expected an object with id, state and seen")
    card = cards.get(str(row.get("id")))
    if card is None:
        raise UsageError(f"{where}: there is no change {row.get('id')!r} in this proposal")
    try:
        state = State(str(row.get("state")))
    except ValueError as error:
        raise UsageError(f"{where}.state: {row.get('state')!r} is no state of a change") from error
    choice = row.get("choice")
    if not (choice is None or isinstance(choice, str)):
        raise UsageError(f"{where}.choice: expected the key of an option, or null")
    if (state, choice) == (card.review.state, card.review.choice) and state is not State.EDITED:
        return
    yield from _Row(where, card, row["seen"]).wishes(state, choice, row)


@dataclass(frozen=True, slots=True)
class _Row:
    """One change of a document, and how its state becomes decisions."""

    where: str
    card: Card
    seen: str

    def wishes(self, state: State, choice: str | None, row: dict[str, Any]) -> Iterable[Wish]:
        if state is State.UNDECIDED:
            return [self._wish(Op.CLEAR)]
        if state is State.REJECTED:
            return [self._wish(Op.REJECT)]
        if state is State.SKIPPED:
            return [self._wish(Op.SKIP)]
        if state is State.ACCEPTED:
            return [self._wish(Op.ACCEPT) if choice is None else self._wish(Op.CHOOSE, choice=choice)]
        if state is State.EDITED:
            return self._edited(row)
        raise UsageError(
            f"{self.where}.state: a change decided in part is decided with --accept ID.e1:.., not from a file"
        )

    def _edited(self, row: dict[str, Any]) -> list[Wish]:
        """Return an edit for each text that differs from what the proposal holds."""
        current = {edit.id: edit for edit in self.card.change.all_edits}
        wishes: list[Wish] = []
        options = [option.get("edits") for option in row.get("options") or () if isinstance(option, dict)]
        for shapes in (row.get("edits"), *options):
            for shape in shapes if isinstance(shapes, list) else ():
                edit = current.get(str(shape.get("id"))) if isinstance(shape, dict) else None
                if edit is None or not isinstance(shape.get("new"), str):
                    continue
                text = shape["new"].encode("utf-8", "surrogateescape")
                if split_lines(text) != split_lines(b"".join(edit.new)) and not shape.get("masked"):
                    wishes.append(self._wish(Op.EDIT, edit=edit.id, text=text))
        if not wishes and self.card.review.state is not State.EDITED:
            raise UsageError(f"{self.where}: state is edited, but no edit has another text than the proposal's")
        return wishes

    def _wish(self, op: Op, *, edit: str | None = None, choice: str | None = None, text: bytes | None = None) -> Wish:
        target = Target(change=self.card.change.id, edit=edit)
        return Wish(op=op, target=target, choice=choice, text=text, seen=self.seen)


def targets(wishes: Sequence[Wish]) -> list[str]:
    """Return the ids of the changes that wishes decide, each once, in order."""
    return list(dict.fromkeys(each.target.change for each in wishes))
