"""Pinning a note and taking its pin away: one edit, shown before it is written, applied and undone like any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError
from dreamreview.model.edits import split_lines
from dreamreview.model.markdown import parse
from dreamreview.model.memory import Shape
from dreamreview.model.pins import pin_edit, reads_as
from dreamreview.model.plan import digest
from dreamreview.model.proposal import Base, Change, Engine, FileEdit, Kind, Proposal, fingerprint_of
from dreamreview.model.records import PIN, PINS, UNPIN, retired_by
from dreamreview.model.units import Chosen
from dreamreview.store.history import History
from dreamreview.store.journal import Journal
from dreamreview.store.lock import hold
from dreamreview.store.rooted import shown
from dreamreview.workspace.applying import apply_changes, plan_of_undo, undo_apply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dreamreview.model.edits import Text
    from dreamreview.model.files import FileState
    from dreamreview.model.records import Record
    from dreamreview.workspace.context import Context
    from dreamreview.workspace.values import ApplyResult


class ChangedError(StoreError):
    """A file is not as it was when it was shown; nothing was written, look again."""


@dataclass(frozen=True, slots=True)
class Pinning:
    """What pinning or unpinning would write; nothing is written yet."""

    path: str
    pins: bool
    """False when it takes a pin away."""
    shape: Shape
    start: int
    """First line replaced, 0-based."""
    old: Text
    new: Text
    base: FileState
    """The file that it was worked out for."""
    undoes: str | None = None
    """The apply that is taken back, where that does it to the byte."""


def weigh(context: Context, path: str, index: int, seen: str, *, pinned: bool) -> Pinning:
    """Work out what pinning a note, or unpinning it, would write.

    Where an apply of ours stands that did the opposite, it is taken back, so that every byte is as before; else one
    edit does it.

    Args:
        context: the store.
        path: the file.
        index: place of the note in it.
        seen: sha256 of the file as it was shown.
        pinned: what the note is to be.

    Raises:
        ChangedError: the file is another by now.
        UnpinnableError: no form of a pin fits there.
    """
    live = context.live(path)
    data = b"".join(live.text) if live else b""
    if live is None or live.is_link or digest(data) != seen:
        raise ChangedError(f"{shown(path)} was changed since it was read; look again")
    document = parse(path, data)
    shape = document.notes[index].shape if index < len(document.notes) else Shape.FILE
    for record in _opposites(context.records(), path, UNPIN if pinned else PIN):
        after = _undone(context, record, path)
        if after is not None and reads_as(document, parse(path, b"".join(after)), index, pinned=pinned):
            start, old, new = _differing(live.text, after)
            return Pinning(path, pinned, shape, start, old, new, live, record.id)
    edit = pin_edit(document, index, pinned=pinned)
    return Pinning(path, pinned, shape, edit.start, live.text[edit.start : edit.stop], edit.new, live)


def carry_out(context: Context, pinning: Pinning) -> ApplyResult:
    """Write a pin, or take it away, in one transaction; what others wrote meanwhile stays.

    Raises:
        ChangedError: others wrote to just those lines; nothing was written.
        StoreLockedError: another program holds the store.
        StoreError: the system refused something; nothing was written then.
    """
    with hold(context.root, "apply") as held:
        if pinning.undoes is not None:
            result = undo_apply(context, pinning.undoes, None, lambda _: 0, held=held)
        else:
            proposal, chosen = _proposal(context, pinning)
            base = {pinning.path: pinning.base}
            accepted = {proposal.changes[0].id: (chosen,)}
            result = apply_changes(context, proposal, accepted, base.get, decided=0, held=held)
    if result.apply is None:
        raise ChangedError(f"{shown(pinning.path)} was changed just there; nothing was written, look again")
    return result


def _opposites(records: tuple[Record, ...], path: str, change: str) -> Iterator[Record]:
    """Yield the applies that did the opposite to notes of a file and still stand, newest first."""
    retired = retired_by(records)
    for record in reversed(records):
        is_pin = record.op == "apply" and record.proposal.startswith(PINS)
        stands = change in record.changes and f"{record.id}/{change}" not in retired
        if is_pin and stands and any(target.path == path for target in record.targets):
            yield record


def _undone(context: Context, record: Record, path: str) -> Text | None:
    """Return the file as it is once an apply is taken back; None where that cannot be, or touches more."""
    plan, _, _ = plan_of_undo(context, context.records(), History(context.root).index(), record)
    if plan.clashes or [target.path for target in plan.targets] != [path]:
        return None
    after = plan.targets[0].after
    return None if after is None else split_lines(after)


def _differing(before: Text, after: Text) -> tuple[int, Text, Text]:
    """Return where two texts begin to differ, and the lines of each that do."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, before[start : len(before) - end], after[start : len(after) - end]


def _proposal(context: Context, pinning: Pinning) -> tuple[Proposal, Chosen]:
    """Return a pin as the one change of a proposal that was never a folder; the store is held."""
    stop = pinning.start + len(pinning.old)
    edit = FileEdit("e1", pinning.path, start=pinning.start, stop=stop, old=pinning.old, new=pinning.new)
    name = PIN if pinning.pins else UNPIN
    written = b"".join((*pinning.old, *pinning.new)).decode("utf-8", "replace")
    fingerprint = fingerprint_of(name, (), (pinning.path, written))
    change = Change(name, Kind.EDIT, f"{name} {pinning.path}", "", 1.0, fingerprint, edits=(edit,))
    at = context.instant()
    base = Base("declared", digest(b"".join(pinning.base.text)), at)
    proposal_id = PINS + Journal(context.root).next_id("a")
    proposal = Proposal(proposal_id, at, base, (change,), engine=Engine("person", ""))
    old, new = range(1, len(edit.old) + 1), range(1, len(edit.new) + 1)
    return proposal, Chosen(edit, frozenset(old), frozenset(new))
