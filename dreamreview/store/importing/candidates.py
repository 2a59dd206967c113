"""What an OpenClaw workspace has staged for its long-term memory: short-term recalls and candidates of light sleep."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dreamreview.model.dates import date_in_name

RECALLS = "memory/.dreams/short-term-recall.json"
"""Where OpenClaw keeps what was recalled, daily-noted or grounded, and not promoted yet."""

MAX_ENTRIES = 10_000
"""Candidates that are read; OpenClaw keeps 512."""

MAX_SNIPPET = 4_000
"""Characters of a candidate's text; OpenClaw keeps 800."""

_CANDIDATE = re.compile(r"[-*] Candidate: (.+)")
_FIELD = re.compile(r"\s+[-*] (confidence|evidence|recalls|status): (.+)")
_SPAN = re.compile(r"(.+):(\d{1,7})-(\d{1,7})")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One memory that was staged."""

    key: str
    """By which OpenClaw knows it; empty for one of a light sleep's report."""
    path: str
    """The note it comes from."""
    first: int
    last: int
    """Lines of the note, 1-based and inclusive."""
    text: str
    score: float
    """Mean score of its signals, 0 to 1."""
    told: str
    """What speaks for it, in words."""
    where: str
    """Where in the source it stands."""
    is_promoted: bool = False

    @property
    def day(self) -> str | None:
        """The day that its note speaks from."""
        return date_in_name(self.path)


def is_recall_store(data: bytes) -> bool:
    """Tell whether some bytes are OpenClaw's list of short-term recalls."""
    return data.lstrip()[:1] == b"{" and _entries(data) is not None


def is_report(data: bytes) -> bool:
    """Tell whether some bytes are a note with candidates that a light sleep staged."""
    return next(read_report("", data), None) is not None


def read_recalls(name: str, data: bytes) -> Iterator[Candidate]:
    """Yield the candidates of a list of short-term recalls; entries of another form are passed over."""
    for number, (key, entry) in enumerate((_entries(data) or {}).items()):
        if number >= MAX_ENTRIES:
            return
        found = _recalled(name, str(key), entry) if isinstance(entry, dict) else None
        if found is not None:
            yield found


def _entries(data: bytes) -> Mapping[str, Any] | None:
    try:
        shape = json.loads(data)
    except (ValueError, RecursionError):
        return None
    entries = shape.get("entries") if isinstance(shape, dict) else None
    if not isinstance(entries, dict) or not ("version" in shape or "updatedAt" in shape):
        return None
    looks = (one for one in entries.values() if isinstance(one, dict))
    return entries if not entries or any("snippet" in one and "path" in one for one in looks) else None


def _recalled(name: str, key: str, entry: Mapping[str, Any]) -> Candidate | None:
    path, text = entry.get("path"), entry.get("snippet")
    first, last = _count(entry.get("startLine")), _count(entry.get("endLine"))
    if not (isinstance(path, str) and isinstance(text, str) and text.strip() and 1 <= first <= last):
        return None
    counts = {kind: _count(entry.get(f"{kind}Count")) for kind in ("recall", "daily", "grounded")}
    signals = sum(counts.values())
    total = entry.get("totalScore")
    score = float(total) / signals if signals and isinstance(total, int | float) and abs(total) < 1e9 else 0.0
    queries, days = (_length(entry.get(field)) for field in ("queryHashes", "recallDays"))
    named = ", ".join(_many(counts[kind], what) for kind, what in _SIGNALS.items() if counts[kind])
    spread = f"{_many(queries, 'query')} on {_many(days, 'day')}"
    told = f"{named or 'no signal'}; {spread}, average score {score:.2f}"
    at = f"{key[:200]} in {name}"
    score = round(min(max(score, 0.0), 1.0), 3)
    return Candidate(key, path, first, last, text[:MAX_SNIPPET], score, told, at, bool(entry.get("promotedAt")))


_SIGNALS = {"recall": "recall", "daily": "daily signal", "grounded": "grounded signal"}


def _many(count: int, what: str) -> str:
    if count == 1:
        return f"1 {what}"
    return f"{count} {what.removesuffix('y')}ies" if what == "query" else f"{count} {what}s"


def _count(value: object) -> int:
    return min(max(value, 0), 10_000_000) if isinstance(value, int) and not isinstance(value, bool) else 0


def _length(value: object) -> int:
    return len(value) if isinstance(value, list) else 0


def read_report(name: str, data: bytes) -> Iterator[Candidate]:
    """Yield the staged candidates of a light sleep's report, or of a daily note that holds one."""
    if b"Candidate:" not in data:
        return
    lines = data.decode("utf-8", "replace").split("\n")
    for at, line in enumerate(lines):
        lead = _CANDIDATE.fullmatch(line.rstrip("\r"))
        if lead is None:
            continue
        fields = dict(_fields(lines[at + 1 : at + 9]))
        span = _SPAN.fullmatch(fields.get("evidence", ""))
        if fields.get("status") != "staged" or span is None or not 1 <= int(span[2]) <= int(span[3]):
            continue
        told = f"staged by a light sleep with confidence {fields.get('confidence', '?')[:10]}"
        score = _score(fields.get("confidence", ""))
        where = f"line {at + 1} of {name}"
        yield Candidate("", span[1], int(span[2]), int(span[3]), lead[1][:MAX_SNIPPET], score, told, where)


def _fields(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        found = _FIELD.fullmatch(line.rstrip("\r"))
        if found is None:
            return
        yield found[1], found[2].strip()


def _score(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        return 0.0
    return found if 0.0 <= found <= 1.0 else 0.0
