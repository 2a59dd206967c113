"""How a manifest is read: JSON objects to values, each bounded and checked, refused with the place that is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import cast

from dreamreview.errors import InvalidManifestError
from dreamreview.model import manifest_fields as fields
from dreamreview.model.claims import check_clashes, path_problem
from dreamreview.model.edits import Text, split_lines
from dreamreview.model.manifest_fields import Fault, JsonObject
from dreamreview.model.manifest_write import SCHEMA
from dreamreview.model.proposal import (
    LINK_MODE,
    Act,
    Base,
    Change,
    Engine,
    Evidence,
    FileEdit,
    Kind,
    Option,
    Proposal,
    Usage,
)

DERIVED_FLAGS = frozenset({"move", "rewrap", "reorder", "refresh"})
"""Flags that are worked out at load and never believed."""

STATUSES = frozenset({"ready", "failed", "applied", "discarded", "superseded"})
BASE_KINDS = frozenset({"declared", "first-sight", "observed"})

MAX_CHANGES = 1_000_000
MAX_PARTS = 100_000
"""Most edits, options or pieces of evidence that one change may hold."""
MAX_LABEL = 1_000
MAX_SETTINGS = 100
"""Most settings of an engine that a manifest may name."""
MAX_PROSE = 1_000_000
"""Longest title, reason, quote, summary or narrative, in characters."""
MAX_QUOTE = 8 * 1024 * 1024
"""Longest quote, in characters: the largest file of a store."""
MAX_COUNT = 2**53 - 1
"""Largest token count: what every JSON reader holds exactly."""

THIRD = "third"
"""Id of the edit that carries a person's own text in a conflict; no manifest may use it."""

RESERVED_KEYS = frozenset({"skip"})

_PROPOSAL_ID = re.compile(r"[0-9]{8}T[0-9]{9}")
_CHANGE_ID = re.compile(r"[a-z0-9]{1,16}")
_EDIT_ID = re.compile(r"[A-Za-z0-9]{1,32}")
_OPTION_KEY = re.compile(r"[A-Za-z0-9_-]{1,16}")
_FINGERPRINT = re.compile(r"[0-9A-Za-z:+/=_-]{1,128}")
_DIGEST = re.compile(r"[0-9A-Za-z:+/=_-]{0,128}")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00)", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_FLAG = re.compile(r"[a-z0-9-]{1,40}")
_KINDS = frozenset(kind.value for kind in Kind)
_ACTS = frozenset(act.value for act in Act)


def from_json(obj: object) -> Proposal:
    """Read a proposal from the JSON object of its manifest; unknown keys are left alone.

    Ranks are given here: per path, in the order (start, stop, place in the manifest).

    Raises:
        InvalidManifestError: it does not follow the format, or two of its changes overlap; the message starts with the
            place, such as ``changes[3].edits[0].lines``.
    """
    try:
        return _proposal(fields.as_object(obj))
    except Fault as fault:
        raise InvalidManifestError(str(fault)) from None


def check_changes(changes: Iterable[Change]) -> None:
    """Make sure that changes can stand in one proposal.

    Raises:
        InvalidManifestError: edits of two of them overlap, or their path acts claim each other's names.
    """
    try:
        check_clashes(tuple(changes))
    except Fault as fault:
        raise InvalidManifestError(str(fault)) from None


def ranked(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return changes whose edits carry their rank: per path, in the order (start, stop, place in the manifest)."""
    given = tuple(changes)
    ranks = {id(edit): rank for edit, rank in _ranks_of(given)}

    def renew(edits: tuple[FileEdit, ...]) -> tuple[FileEdit, ...]:
        return tuple(edit if edit.rank == ranks[id(edit)] else replace(edit, rank=ranks[id(edit)]) for edit in edits)

    return tuple(
        replace(
            change,
            edits=renew(change.edits),
            options=tuple(replace(option, edits=renew(option.edits)) for option in change.options),
        )
        if any(edit.rank != ranks[id(edit)] for edit in change.all_edits)
        else change
        for change in given
    )


def _ranks_of(changes: Iterable[Change]) -> Iterator[tuple[FileEdit, int]]:
    by_path: dict[str, list[FileEdit]] = {}
    for change in changes:
        for edit in change.all_edits:
            by_path.setdefault(edit.path, []).append(edit)
    for edits in by_path.values():
        for rank, edit in enumerate(sorted(edits, key=lambda edit: (edit.start, edit.stop))):
            yield edit, rank


def _give_ranks(changes: Iterable[Change]) -> None:
    """Give the edits of changes that were just made, and that nobody else holds, their ranks: copies cost too much."""
    for edit, rank in _ranks_of(changes):
        object.__setattr__(edit, "rank", rank)


def _proposal(shape: JsonObject) -> Proposal:
    if shape.get("schema") != SCHEMA:
        raise Fault("schema", f"expected {SCHEMA}")
    changes = fields.items(shape, "changes", _change, MAX_CHANGES)
    fields.unique((change.id for change in changes), "change", "changes", "id")
    check_clashes(changes)
    _give_ranks(changes)
    return Proposal(
        id=fields.matching(shape, "id", _PROPOSAL_ID, "a folder name such as 20260901T120000000"),
        created_at=fields.matching(shape, "created_at", _INSTANT, "an RFC 3339 instant in UTC"),
        status=fields.one_of(shape, "status", STATUSES, "ready"),
        base=fields.within("base", _base, shape.get("base")),
        rendering=fields.matching(shape, "rendering", _DIGEST, "a digest", ""),
        engine=fields.within("engine", _engine, shape.get("engine", {})),
        usage=fields.within("usage", _usage, shape.get("usage", {})),
        summary=fields.text(shape, "summary", MAX_PROSE, ""),
        narrative=fields.text(shape, "narrative", MAX_PROSE, ""),
        changes=changes,
    )


def _base(value: object) -> Base:
    shape = fields.as_object(value)
    return Base(
        kind=fields.one_of(shape, "kind", BASE_KINDS),
        tree=None if shape.get("tree") is None else fields.matching(shape, "tree", _DIGEST, "an object name"),
        digest=fields.matching(shape, "digest", _DIGEST, "a digest"),
        at=fields.matching(shape, "at", _INSTANT, "an RFC 3339 instant in UTC"),
    )


def _engine(value: object) -> Engine:
    shape = fields.as_object(value)
    return Engine(
        name=fields.text(shape, "name", MAX_LABEL, "unknown"),
        version=fields.text(shape, "version", MAX_LABEL, ""),
        model=fields.optional_text(shape, "model", MAX_LABEL),
        settings_digest=fields.matching(shape, "settings_digest", _DIGEST, "a digest", ""),
        settings=fields.within("settings", _settings, shape.get("settings", {})),
    )


def _settings(value: object) -> tuple[tuple[str, str], ...]:
    shape = fields.as_object(value)
    if len(shape) > MAX_SETTINGS:
        raise Fault("", f"holds more than {MAX_SETTINGS} entries")
    return tuple((fields.well_sized(key, key, MAX_LABEL), fields.text(shape, key, MAX_LABEL)) for key in shape)


def _usage(value: object) -> Usage:
    shape = fields.as_object(value)
    return Usage(
        input_tokens=fields.integer(shape, "input_tokens", 0, MAX_COUNT, 0),
        output_tokens=fields.integer(shape, "output_tokens", 0, MAX_COUNT, 0),
        cache_read_tokens=fields.integer(shape, "cache_read_tokens", 0, MAX_COUNT, 0),
        cost_usd=None if shape.get("cost_usd") is None else fields.number(shape, "cost_usd", 0, MAX_COUNT),
        seconds=fields.number(shape, "seconds", 0, MAX_COUNT, 0.0),
        turns=fields.integer(shape, "turns", 0, MAX_COUNT, 0),
    )


def _change(value: object) -> Change:
    shape = fields.as_object(value)
    change = Change(
        id=fields.matching(shape, "id", _CHANGE_ID, "1 to 16 small letters and digits"),
        kind=Kind(fields.one_of(shape, "kind", _KINDS)),
        phase=fields.text(shape, "phase", MAX_LABEL, ""),
        title=fields.text(shape, "title", MAX_PROSE),
        reason=fields.text(shape, "reason", MAX_PROSE),
        confidence=fields.number(shape, "confidence", 0, 1),
        fingerprint=fields.matching(shape, "fingerprint", _FINGERPRINT, "a digest"),
        evidence=fields.items(shape, "evidence", _evidence, MAX_PARTS),
        edits=fields.items(shape, "edits", _edit, MAX_PARTS),
        options=() if shape.get("options") is None else fields.items(shape, "options", _option, 100),
        suggested=fields.optional_text(shape, "suggested", MAX_LABEL),
        flags=tuple(flag for flag in fields.items(shape, "flags", _flag, 1_000) if flag not in DERIVED_FLAGS),
    )
    _check_conflict(change)
    _check_edit_ids(change)
    return change


def _check_edit_ids(change: Change) -> None:
    seen: set[str] = set()
    held = [("edits", change.edits)]
    held += [(f"options[{place}].edits", option.edits) for place, option in enumerate(change.options)]
    for where, edits in held:
        for place, edit in enumerate(edits):
            if edit.id in seen:
                raise Fault(f"{where}[{place}].id", f"edit {edit.id} comes twice")
            seen.add(edit.id)


def _check_conflict(change: Change) -> None:
    keys = [option.key for option in change.options]
    if change.kind is not Kind.CONFLICT:
        if keys:
            raise Fault("options", "only a conflict has options")
        if not change.edits:
            raise Fault("edits", "a change needs at least one edit")
    elif change.edits:
        raise Fault("edits", "the edits of a conflict belong to its options")
    elif len(keys) < 2:
        raise Fault("options", "a conflict needs at least two options")
    fields.unique(keys, "option", "options", "key")
    if change.suggested is not None and change.suggested not in keys:
        raise Fault("suggested", "expected the key of an option")


def _flag(value: object) -> str:
    if not isinstance(value, str) or not _FLAG.fullmatch(value):
        raise Fault("", "expected a word of small letters, digits and dashes")
    return value


def _option(value: object) -> Option:
    shape = fields.as_object(value)
    key = fields.matching(shape, "key", _OPTION_KEY, "1 to 16 letters, digits, dashes and underscores")
    if key in RESERVED_KEYS:
        raise Fault("key", f"{key} is taken: it leaves every conflict open")
    return Option(
        key=key,
        label=fields.text(shape, "label", MAX_PROSE, ""),
        evidence=fields.items(shape, "evidence", _evidence, MAX_PARTS),
        edits=fields.items(shape, "edits", _edit, MAX_PARTS),
    )


def _evidence(value: object) -> Evidence:
    shape = fields.as_object(value)
    first, last = fields.pair(shape, "lines")
    day = shape.get("date")
    return Evidence(
        path=_path(shape, "path"),
        first=first,
        last=last,
        quote=fields.text(shape, "quote", MAX_QUOTE, ""),
        date=None if day is None else fields.matching(shape, "date", _DAY, "a day such as 2026-09-01"),
        session=fields.optional_text(shape, "session", MAX_LABEL),
    )


def _edit(value: object) -> FileEdit:
    shape = fields.as_object(value)
    edit_id = fields.matching(shape, "id", _EDIT_ID, "1 to 32 letters and digits")
    if edit_id == THIRD:
        raise Fault("id", f"{THIRD} is taken: it stands for a text of the reviewer")
    path = _path(shape, "path")
    act = Act(fields.one_of(shape, "act", _ACTS, "lines"))
    if act is Act.LINES:
        return _line_edit(shape, edit_id, path)
    if act is Act.CREATE:
        return FileEdit(id=edit_id, path=path, act=act, new=_text(shape, "new"), mode=_mode(shape, "mode"))
    if act is Act.DELETE:
        old = _text(shape, "old")
        return FileEdit(id=edit_id, path=path, act=act, stop=len(old), old=old, mode=_mode(shape, "mode"))
    if act is Act.RENAME:
        to = _path(shape, "to")
        if to == path:
            raise Fault("to", "changes nothing: it is the same path")
        return FileEdit(id=edit_id, path=path, act=act, to=to)
    return _mode_edit(shape, edit_id, path)


def _line_edit(shape: JsonObject, edit_id: str, path: str) -> FileEdit:
    first, last = fields.pair(shape, "lines")
    old, new = _text(shape, "old"), _text(shape, "new")
    if len(old) != last - first + 1:
        raise Fault("lines", f"stand for {last - first + 1} lines, but old holds {len(old)}")
    if old == new:
        raise Fault("new", "changes nothing: it is the same as old")
    return FileEdit(id=edit_id, path=path, start=first - 1, stop=last, old=old, new=new)


def _mode_edit(shape: JsonObject, edit_id: str, path: str) -> FileEdit:
    before, after = (fields.integer(shape, key, 0, 0o7777) for key in ("old_mode", "new_mode"))
    if before == after:
        raise Fault("new_mode", "changes nothing: it is the same as old_mode")
    return FileEdit(id=edit_id, path=path, act=Act.MODE, old_mode=before, mode=after)


def _mode(shape: JsonObject, key: str) -> int | None:
    value = shape.get(key)
    if value is None or value == LINK_MODE:
        return cast("int | None", value)
    return fields.whole(value, key, 0, 0o7777)


def _text(shape: JsonObject, key: str) -> Text:
    return split_lines(fields.raw(shape, key))


def _path(shape: JsonObject, key: str) -> str:
    path = fields.raw(shape, key).decode("utf-8", "surrogateescape")
    problem = path_problem(path)
    if problem:
        raise Fault(key, problem)
    return path
