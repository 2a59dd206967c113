"""What was done to a store, record by record: apply, undo, forget, and what follows from them for open reviews."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dreamreview.errors import InvalidManifestError

PREPARED = "prepared"
BACK = "back"
"""Being taken back: once begun, that can no longer be finished instead."""
DONE = "done"

PIN, UNPIN = "pin", "unpin"
"""Ids of the one change of an apply by which a person pinned a note or took its pin away."""
PINS = "pin-"
"""What stands before the id of such an apply where others name their proposal: no folder ever held it."""

Units = tuple[frozenset[int], frozenset[int]]
"""Old and new lines of an edit, 1-based."""


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """What one apply carried out of one change."""

    fingerprint: str
    units: Mapping[str, Units]
    """Edit id to its lines carried out; both sets empty for an act on the whole path."""


@dataclass(frozen=True, slots=True)
class RecordedTarget:
    """One path of a transaction: what stood there, what has to stand there, where the new bytes are staged."""

    path: str
    before: str | None
    before_mode: int | None
    after: str | None
    after_mode: int | None
    staged: int | None
    """Number of the staged file in the journal; None where the path goes."""


@dataclass(frozen=True, slots=True)
class Record:
    """One transaction: an apply, an undo or a forgetting."""

    id: str
    """``a1`` .. for applies, ``u2`` .. for undos, ``f3`` .. for what was forgotten, one count for all."""
    at: str
    op: str
    """``apply``, ``undo`` or ``forget``."""
    proposal: str
    changes: Mapping[str, RecordedChange] = field(default_factory=dict)
    of: str | None = None
    """For an undo: the apply it takes back."""
    deeds: tuple[str, ...] = ()
    """For an undo: the ``APPLY/CHANGE`` keys it takes back."""
    decided: int = 0
    """Number of the last decision in the proposal's log at that time."""
    state: str = DONE
    commit: str | None = None
    """Commit of the private history that holds the woven texts afterwards."""
    targets: tuple[RecordedTarget, ...] = ()
    made: tuple[str, ...] = ()
    """Folders that it made."""
    forgotten: tuple[str, ...] = ()
    """Changes of which lines were forgotten since: an undo gives back the rest."""
    forgot: tuple[str, ...] = ()
    """Ids of the forgettings that this record was rewritten for."""

    @property
    def number(self) -> int:
        """Its place in the count."""
        return int(self.id[1:])


def pin_titles(record: Record) -> dict[str, str]:
    """Return what the change of a pin is called; nothing for a record that is no pin."""
    if not record.proposal.startswith(PINS):
        return {}
    place = ", ".join(target.path for target in record.targets)
    return {change: f"{'Pin' if change == PIN else 'Unpin'} {place}" for change in record.changes}


def retired_by(records: Iterable[Record]) -> frozenset[str]:
    """Return the acts that were undone, as ``APPLY/CHANGE``."""
    return frozenset(deed for record in records for deed in record.deeds)


def applied_units(records: Iterable[Record], proposal: str) -> dict[str, dict[str, Units]]:
    """Return change to edit to the units of it that stand applied."""
    records = tuple(records)
    retired = retired_by(records)
    found: dict[str, dict[str, Units]] = {}
    for record in records:
        if record.op != "apply" or record.proposal != proposal:
            continue
        for change, recorded in record.changes.items():
            if f"{record.id}/{change}" in retired:
                continue
            for edit, (old, new) in recorded.units.items():
                had = found.setdefault(change, {}).get(edit, (frozenset(), frozenset()))
                found[change][edit] = (had[0] | old, had[1] | new)
    return found


def apply_of(records: Iterable[Record], proposal: str) -> dict[str, str]:
    """Return change to the newest apply that carried it out and stands."""
    records = tuple(records)
    retired = retired_by(records)
    return {
        change: record.id
        for record in records
        if record.op == "apply" and record.proposal == proposal
        for change in record.changes
        if f"{record.id}/{change}" not in retired
    }


def released(records: Iterable[Record], proposal: str) -> dict[str, int]:
    """Return change to the number of the last decision that an undo made void."""
    return {
        deed.partition("/")[2]: record.decided
        for record in records
        if record.op == "undo" and record.proposal == proposal
        for deed in record.deeds
    }


def undone_fingerprints(records: Iterable[Record]) -> frozenset[str]:
    """Return the fingerprints of changes that were applied and then taken back."""
    records = tuple(records)
    retired = retired_by(records)
    return frozenset(
        recorded.fingerprint
        for record in records
        for change, recorded in record.changes.items()
        if f"{record.id}/{change}" in retired
    )


def dumps(record: Record) -> bytes:
    """Return a record as one JSON document."""
    changes = {
        change: {
            "fingerprint": recorded.fingerprint,
            "units": {edit: [sorted(old), sorted(new)] for edit, (old, new) in recorded.units.items()},
        }
        for change, recorded in record.changes.items()
    }
    document = {
        "v": 1,
        "id": record.id,
        "at": record.at,
        "op": record.op,
        "proposal": record.proposal,
        "changes": changes,
        "of": record.of,
        "deeds": list(record.deeds),
        "decided": record.decided,
        "state": record.state,
        "commit": record.commit,
        "targets": [
            [one.path, one.before, one.before_mode, one.after, one.after_mode, one.staged] for one in record.targets
        ],
        "made": list(record.made),
        **({"forgotten": list(record.forgotten), "forgot": list(record.forgot)} if record.forgot else {}),
    }
    return json.dumps(document, ensure_ascii=True).encode("ascii")


def loads(data: bytes) -> Record:
    """Read a record back.

    Raises:
        InvalidManifestError: it is no record of ours.
    """
    try:
        found = json.loads(data)
        return Record(
            id=_identifier(found["id"]),
            at=found["at"],
            op=found["op"],
            proposal=found["proposal"],
            changes={change: _recorded(value) for change, value in found["changes"].items()},
            of=found["of"],
            deeds=tuple(found["deeds"]),
            decided=found["decided"],
            state=found["state"],
            commit=found["commit"],
            targets=tuple(RecordedTarget(*one) for one in found["targets"]),
            made=tuple(found["made"]),
            forgotten=tuple(found.get("forgotten", ())),
            forgot=tuple(found.get("forgot", ())),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidManifestError(f"journal record cannot be read: {error!r}") from error


def _identifier(text: str) -> str:
    if text[:1] not in ("a", "u", "f") or not text[1:].isdigit():
        raise ValueError(f"{text!r} is no id of an apply, an undo or a forgetting")
    return text


def _recorded(value: Mapping[str, Any]) -> RecordedChange:
    units = {edit: (frozenset(old), frozenset(new)) for edit, (old, new) in value["units"].items()}
    return RecordedChange(fingerprint=value["fingerprint"], units=units)
