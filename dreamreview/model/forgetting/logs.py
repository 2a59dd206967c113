"""Decisions and records of what was applied, without what is to be forgotten."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dreamreview.errors import UsageError
from dreamreview.model.decisions import parse_target
from dreamreview.model.forgetting.changes import FORGOTTEN
from dreamreview.model.forgetting.wanted import scrubbed

if TYPE_CHECKING:
    from dreamreview.model.forgetting.changes import Outcome
    from dreamreview.model.forgetting.wanted import Scope
    from dreamreview.model.records import Record, Units


@dataclass(frozen=True, slots=True)
class Redacted:
    """A log without what is to be forgotten."""

    data: bytes
    void: int
    """Decisions that count no more, since what they were about is gone or is less."""


def redacted_log(data: bytes, scope: Scope, outcome: Outcome | None) -> Redacted:
    """Return a log of decisions without the words that tell of what is forgotten.

    No line goes, so that every undo and redo still finds the one it speaks of. A decision on a change that lost lines
    is bound to nothing any more; one on a change whose lines only have other numbers is bound to it as it is now.
    """
    lines, void = [], 0
    whole, _, torn = data.rpartition(b"\n")
    for line in whole.split(b"\n") if whole else ():
        fresh, is_void = _line(line, scope, outcome)
        lines.append(fresh)
        void += is_void
    kept = b"" if scope.is_everywhere and scope.wanted.count_coded(torn) else torn
    return Redacted(b"".join(line + b"\n" for line in lines) + kept, void)


def _line(line: bytes, scope: Scope, outcome: Outcome | None) -> tuple[bytes, bool]:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return (b"" if scope.is_everywhere and scope.wanted.count_coded(line) else line), False
    if not isinstance(entry, dict):
        return line, False
    fresh, is_void = _entry(entry, scope, outcome)
    if fresh == entry:
        return line, False
    return json.dumps(fresh, ensure_ascii=True).encode("ascii"), is_void and entry.get("seen") != FORGOTTEN


def _entry(entry: dict[str, Any], scope: Scope, outcome: Outcome | None) -> tuple[dict[str, Any], bool]:
    about = _change_of(entry)
    fresh = dict(entry)
    is_void = _says(entry.get("text_b64"), scope)
    if outcome is not None and about is not None:
        if about in outcome.withdrawn or about in outcome.cut:
            fresh |= {"reason": "", "text_b64": None}
            is_void = True
        if about in outcome.ids:
            fresh["on"] = outcome.ids[about] + str(entry["on"])[len(about) :]
        fresh["seen"] = outcome.seen.get(str(entry.get("seen")), entry.get("seen"))
    if is_void:
        fresh |= {"text_b64": None, "seen": FORGOTTEN}
    found = scrubbed(scope, fresh)
    return (found if isinstance(found, dict) else {}), is_void


def _change_of(entry: Mapping[str, Any]) -> str | None:
    try:
        return parse_target(str(entry.get("on", ""))).change
    except UsageError:
        return None


def _says(coded: object, scope: Scope) -> bool:
    if not isinstance(coded, str) or not scope.is_everywhere:
        return False
    try:
        return scope.wanted.count(base64.b64decode(coded, validate=True)) > 0
    except (binascii.Error, ValueError):
        return True


def redacted_rejections(data: bytes, scope: Scope, fingerprints: Collection[str]) -> bytes:
    """Return what was rejected for good, without the fingerprints of what is forgotten and without words on it."""
    kept = []
    for line in data.split(b"\n")[: -1 if data.endswith(b"\n") else None]:
        try:
            entry = json.loads(line)
            if entry["fingerprint"] in fingerprints:
                continue
        except (ValueError, KeyError, TypeError, RecursionError):
            if scope.is_everywhere and scope.wanted.count_coded(line):
                continue
            kept.append(line)
            continue
        fresh = scrubbed(scope, entry)
        kept.append(line if fresh == entry else json.dumps(fresh, ensure_ascii=True).encode("ascii"))
    return b"".join(line + b"\n" for line in kept)


def redacted_record(
    record: Record, outcomes: Mapping[str, Outcome], deeds: Collection[str], paths: Collection[str], name: str
) -> Record:
    """Return the record of an apply or undo as it is without what is forgotten.

    Args:
        record: as it is.
        outcomes: proposal to what became of its changes.
        deeds: ``APPLY/CHANGE`` of which lines went.
        paths: paths that lost lines: what they held before and after is known by no digest any more.
        name: of the forgetting; a record that it was in already stays as it is.
    """
    if name in record.forgot:
        return record
    outcome = outcomes.get(record.proposal) if record.op == "apply" else None
    changes = dict(record.changes)
    for change, kept in record.changes.items():
        if outcome is None:
            continue
        if change in outcome.withdrawn or change in outcome.cut:
            units = {edit: _units(held, outcome.units.get(change, {}).get(edit)) for edit, held in kept.units.items()}
            changes[change] = replace(kept, fingerprint="", units=units)
    own = {deed.partition("/")[2] for deed in deeds if deed.partition("/")[0] == record.id}
    targets = tuple(
        replace(one, before=one.before and "", after=one.after and "") if one.path in paths else one
        for one in record.targets
    )
    fresh = replace(record, changes=changes, targets=targets, forgotten=tuple(sorted({*record.forgotten, *own})))
    return record if fresh == record else replace(fresh, forgot=(*record.forgot, name))


def _units(held: Units, gone: tuple[frozenset[int], frozenset[int]] | None) -> Units:
    if gone is None:
        return held
    old, new = (
        frozenset(at - sum(one < at for one in lost) for at in side if at not in lost)
        for side, lost in zip(held, gone, strict=True)
    )
    return old, new
