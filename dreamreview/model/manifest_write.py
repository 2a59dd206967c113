"""How a proposal is written down: values to plain JSON objects, byte for byte recoverable."""

from __future__ import annotations

import base64
from typing import Any

from dreamreview.errors import InvalidManifestError
from dreamreview.model.edits import LF, Text
from dreamreview.model.proposal import Act, Change, Evidence, FileEdit, Option, Proposal

SCHEMA = "dreamreview/proposal@1"
"""What the ``schema`` key of a manifest says."""

JsonObject = dict[str, Any]


def to_json(proposal: Proposal) -> JsonObject:
    """Return a proposal as the JSON object of its manifest.

    Raises:
        InvalidManifestError: a text holds an unterminated line that is not its last, or a path cannot be encoded.
    """
    base, engine, usage = proposal.base, proposal.engine, proposal.usage
    return {
        "schema": SCHEMA,
        "id": proposal.id,
        "created_at": proposal.created_at,
        "status": proposal.status,
        "base": {"kind": base.kind, "tree": base.tree, "digest": base.digest, "at": base.at},
        "rendering": proposal.rendering,
        "engine": {
            "name": well_formed(engine.name),
            "version": well_formed(engine.version),
            "model": None if engine.model is None else well_formed(engine.model),
            "settings_digest": engine.settings_digest,
            **(
                {"settings": {well_formed(key): well_formed(said) for key, said in engine.settings}}
                if engine.settings
                else {}
            ),
        },
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cache_read_tokens": usage.cache_read_tokens,
            "cost_usd": usage.cost_usd,
            "seconds": usage.seconds,
            "turns": usage.turns,
        },
        "summary": well_formed(proposal.summary),
        "narrative": well_formed(proposal.narrative),
        "changes": [change_to_json(change) for change in proposal.changes],
    }


def change_to_json(change: Change) -> JsonObject:
    """Return one change as it stands in a manifest."""
    return {
        "id": change.id,
        "kind": str(change.kind),
        "phase": well_formed(change.phase),
        "title": well_formed(change.title),
        "reason": well_formed(change.reason),
        "confidence": change.confidence,
        "fingerprint": change.fingerprint,
        "evidence": [evidence_to_json(evidence) for evidence in change.evidence],
        "edits": [edit_to_json(edit) for edit in change.edits],
        "options": [option_to_json(option) for option in change.options] or None,
        "suggested": change.suggested,
        "flags": list(change.flags),
    }


def option_to_json(option: Option) -> JsonObject:
    """Return one way to settle a conflict as it stands in a manifest."""
    return {
        "key": option.key,
        "label": well_formed(option.label),
        "evidence": [evidence_to_json(evidence) for evidence in option.evidence],
        "edits": [edit_to_json(edit) for edit in option.edits],
    }


def evidence_to_json(evidence: Evidence) -> JsonObject:
    """Return one piece of evidence as it stands in a manifest."""
    return {
        **_path("path", evidence.path),
        "lines": [evidence.first, evidence.last],
        "quote": well_formed(evidence.quote),
        "date": evidence.date,
        "session": None if evidence.session is None else well_formed(evidence.session),
    }


def edit_to_json(edit: FileEdit) -> JsonObject:
    """Return one edit as it stands in a manifest: lines 1-based and inclusive, an insertion before n as [n, n-1]."""
    try:
        return _edit(edit)
    except InvalidManifestError as error:
        raise InvalidManifestError(f"edit {edit.id} of {edit.path!a}: {error}") from None


def _edit(edit: FileEdit) -> JsonObject:
    head: JsonObject = {"id": edit.id, **_path("path", edit.path)}
    if edit.act is Act.LINES:
        return head | {"lines": [edit.start + 1, edit.stop]} | _text("old", edit.old) | _text("new", edit.new)
    head["act"] = str(edit.act)
    if edit.act is Act.CREATE:
        return head | {"mode": edit.mode} | _text("new", edit.new)
    if edit.act is Act.DELETE:
        return head | {"mode": edit.mode} | _text("old", edit.old)
    if edit.act is Act.RENAME:
        return head | _path("to", edit.to or "")
    return head | {"old_mode": edit.old_mode, "new_mode": edit.mode}


def well_formed(text: str) -> str:
    """Return a text that UTF-8 can hold: a lone surrogate becomes U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return text


def _path(key: str, path: str) -> JsonObject:
    try:
        raw = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise InvalidManifestError(f"{key}: {path!a} is no path that can be encoded") from error
    return _bytes(key, raw, printable=True)


def _text(key: str, lines: Text) -> JsonObject:
    if any(not line.endswith(LF) for line in lines[:-1]):
        raise InvalidManifestError(f"{key}: only the last line may lack its terminator")
    return _bytes(key, b"".join(lines), printable=False)


def _bytes(key: str, raw: bytes, *, printable: bool) -> JsonObject:
    try:
        return {key: raw.decode("utf-8")}
    except UnicodeDecodeError:
        carried = {f"{key}_b64": base64.b64encode(raw).decode("ascii")}
        return {key: raw.decode("utf-8", "replace")} | carried if printable else carried
