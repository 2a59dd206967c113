"""What each line of a file is for: text, heading, code, comment, or a block that a program writes."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from dreamreview.model import frontmatter as fm
from dreamreview.model.lines import (
    Fence,
    atx_heading,
    bold_title,
    bullet,
    fence,
    has_marker_before_fence,
    is_rule,
    label_of,
)
from dreamreview.model.memory import Role

_SUFFIXED = re.compile(r"(?P<name>\S.{0,120}?)(?P<gap>[\s:_-]{1,5})(?P<edge>start|begin|end|stop)$", re.IGNORECASE)
_PREFIXED = re.compile(r"(?P<edge>start|begin|end|stop)(?![^\W_])[\s:_-]*(?P<name>[^\s_:-]*)", re.IGNORECASE)
_STARTS = ("start", "begin")
_CANDIDATE_KEY = re.compile(r"[ \t]+[-*+][ \t]+(?P<key>[a-z ]{2,20}):[ \t]*(?P<value>.*)$", re.IGNORECASE | re.DOTALL)
_CANDIDATE_LEAD = re.compile(r"[ \t]*[-*+][ \t]+\**candidates?\b", re.IGNORECASE)
_REFERENCE = re.compile(r"\S+:\d+")
ENTRY_SIGN = "§"


@dataclass(slots=True)
class _Roles:
    """The roles found so far, and what is looked ahead for."""

    texts: Sequence[str]
    start: int
    roles: list[Role]
    warnings: list[str] = field(default_factory=list)
    fences: list[Fence | None] = field(default_factory=list)
    closers: dict[str, list[int]] = field(default_factory=dict)
    """Fence character to, for each line, the longest run of it that could close a fence there or further down."""
    comment_ends: list[int] = field(default_factory=list)
    edges: dict[str, list[int]] = field(default_factory=dict)
    """Name of a managed block to the lines of its end marks."""


def assign_roles(texts: Sequence[str], start: int) -> tuple[list[Role], list[str]]:
    """Return the role of each line and sentences about what was odd; lines before `start` are frontmatter."""
    state = _Roles(texts, start, [Role.FRONTMATTER] * start + [Role.TEXT] * (len(texts) - start))
    _look_ahead(state)
    number = start
    while number < len(texts):
        number = _step(state, number)
    _mark_headings(state)
    _mark_candidates(state)
    return state.roles, state.warnings


def _look_ahead(state: _Roles) -> None:
    size = len(state.texts)
    state.fences = [None] * size
    state.closers = {"`": [0] * (size + 1), "~": [0] * (size + 1)}
    for number in range(size - 1, state.start - 1, -1):
        text = state.texts[number]
        found = state.fences[number] = fence(text)
        for char, longest in state.closers.items():
            can_close = found and found.char == char and not found.info and not has_marker_before_fence(text)
            longest[number] = max(longest[number + 1], found.count if found and can_close else 0)
    for number in range(state.start, size):
        text = state.texts[number]
        if "-->" in text:
            state.comment_ends.append(number)
        if edge := _edge(text):
            name, is_start, _ = edge
            if not is_start:
                state.edges.setdefault(name, []).append(number)


def _edge(text: str) -> tuple[str, bool, bool] | None:
    """Return the name of the block that a comment line opens or closes, whether it opens it, and whether it is sure.

    ``<!-- name:start -->`` is sure to be a mark; ``<!-- BEGIN NAME ... -->`` only if its end is found.
    """
    stripped = text.strip()
    if not (stripped.startswith("<!--") and stripped.endswith("-->")):
        return None
    inner = stripped[4:-3].strip()[:200]
    if match := _SUFFIXED.match(inner):
        return match["name"].casefold(), match["edge"].casefold() in _STARTS, ":" in match["gap"]
    if match := _PREFIXED.match(inner):
        return match["name"].casefold(), match["edge"].casefold() in _STARTS, False
    return None


def _step(state: _Roles, number: int) -> int:
    """Give the line its role, and with it all lines of a block that opens there; return the next line to look at."""
    text = state.texts[number]
    stripped = text.strip()
    if not stripped:
        state.roles[number] = Role.BLANK
    elif found := state.fences[number]:
        return _fill(state, number, _fence_end(state, number, found), Role.CODE)
    elif stripped.startswith("<!--"):
        return _comment(state, number)
    elif is_rule(text) and not _underlines(state, number):
        embedded = fm.find_embedded(state.texts, number) if stripped == fm.FENCE else None
        if embedded is not None:
            return _fill(state, number, embedded + 1, Role.MANAGED)
        state.roles[number] = Role.RULE
    elif stripped == ENTRY_SIGN:
        state.roles[number] = Role.RULE
    return number + 1


def _fill(state: _Roles, start: int, stop: int, role: Role) -> int:
    state.roles[start:stop] = [role] * (stop - start)
    return stop


def _fence_end(state: _Roles, start: int, opening: Fence) -> int:
    """Return one past the last line of the fence that opens at `start`."""
    texts = state.texts
    has_closer = state.closers[opening.char][start + 1] >= opening.count
    heading: int | None = None
    for number in range(start + 1, len(texts)):
        found = state.fences[number]
        if opening.is_quoted and not texts[number].lstrip().startswith(">"):
            return number
        if found and found.char == opening.char and found.count >= opening.count:
            if not found.info and not has_marker_before_fence(texts[number]):
                return number + 1
            if heading is not None:
                break
        is_parted = not texts[number - 1].strip()
        if (
            heading is None
            and (level := atx_heading(texts[number]))
            and (is_parted or (level[0] > 1 and not has_closer))
        ):
            heading = number
            if not has_closer:
                break
    state.warnings.append(f"line {start + 1}: a code fence is never closed")
    return heading or len(texts)


def _recovers(texts: Sequence[str], number: int, *, is_closed: bool) -> bool:
    """Tell whether a heading inside an open fence shows that the fence was left open; a shell comment does not."""
    found = atx_heading(texts[number])
    return found is not None and (not texts[number - 1].strip() or (found[0] > 1 and not is_closed))


def _comment(state: _Roles, start: int) -> int:
    edge = _edge(state.texts[start])
    if edge and edge[1]:
        name, _, is_sure = edge
        stop = _end_mark(state, name, start)
        if stop is not None:
            return _fill(state, start, stop + 1, Role.MANAGED)
        if is_sure:
            state.warnings.append(f"line {start + 1}: the block {name!r} has no end mark")
            return _fill(state, start, _next(state, start + 1, _is_heading), Role.MANAGED)
    place = bisect_right(state.comment_ends, start - 1)
    if place == len(state.comment_ends):
        state.warnings.append(f"line {start + 1}: a comment is never closed")
        return _fill(state, start, _next(state, start + 1, _is_blank), Role.COMMENT)
    last = state.comment_ends[place]
    tail = state.texts[last].rpartition("-->")[2] if last == start else ""
    if tail.strip():
        return start + 1
    return _fill(state, start, last + 1, Role.COMMENT)


def _end_mark(state: _Roles, name: str, start: int) -> int | None:
    """Return the line of the end mark of a block; an end mark without a name ends any block."""
    lines = [
        ends[place]
        for key in {name, ""}
        if (ends := state.edges.get(key)) and (place := bisect_right(ends, start)) < len(ends)
    ]
    return min(lines, default=None)


def _next(state: _Roles, start: int, is_end: Callable[[str], bool]) -> int:
    return next((number for number in range(start, len(state.texts)) if is_end(state.texts[number])), len(state.texts))


def _is_heading(text: str) -> bool:
    return atx_heading(text) is not None


def _is_blank(text: str) -> bool:
    return not text.strip()


def _underlines(state: _Roles, number: int) -> bool:
    """Tell whether a line of ``=`` makes a heading of the single line above; ``---`` never does."""
    marks = state.texts[number].strip()
    above = number - 1
    if marks.strip("=") or len(marks) == 7 or above < state.start or state.roles[above] is not Role.TEXT:
        return False
    text = state.texts[above]
    is_single = above == state.start or state.roles[above - 1] is not Role.TEXT
    if not is_single or bullet(text) or text.lstrip().startswith(("|", ">", "#")):
        return False
    state.roles[above] = state.roles[number] = Role.HEADING
    return True


def _mark_headings(state: _Roles) -> None:
    texts, roles = state.texts, state.roles
    for number in range(state.start, len(texts)):
        if roles[number] is Role.TEXT and (atx_heading(texts[number]) or _is_bold_heading(state, number)):
            roles[number] = Role.HEADING


def _is_bold_heading(state: _Roles, number: int) -> bool:
    """Tell whether a bold or bracketed line stands as a heading: parted from what is above, with something below."""
    texts, roles = state.texts, state.roles
    text = texts[number]
    if text[:1] not in "*_[" or (title := bold_title(text)) is None or label_of(text):
        return False
    if number > state.start and roles[number - 1] is Role.TEXT:
        return False
    below = number + 1
    while below < min(len(texts), number + 3) and roles[below] in (Role.BLANK, Role.COMMENT):
        below += 1
    if below >= len(texts) or roles[below] not in (Role.TEXT, Role.CODE):
        return False
    starts_list = bullet(texts[below]) is not None or texts[below].lstrip().startswith("|")
    if text.startswith("["):
        return starts_list and below == number + 1
    return starts_list or below == number + 1 or len(title) <= 60


def _mark_candidates(state: _Roles) -> None:
    """Mark staged candidates, list items that a dream wrote with confidence, evidence and status, as managed."""
    texts, roles = state.texts, state.roles
    number = state.start
    while number < len(texts):
        lead = number
        number += 1
        if roles[lead] is not Role.TEXT or bullet(texts[lead]) is None:
            continue
        fields: dict[str, str] = {}
        while number < len(texts) and roles[number] is Role.TEXT and (match := _CANDIDATE_KEY.match(texts[number])):
            fields[match["key"].strip().casefold()] = match["value"].strip()
            number += 1
        if _is_candidate(texts[lead], fields):
            _fill(state, lead, number, Role.MANAGED)


def _is_candidate(lead: str, fields: dict[str, str]) -> bool:
    is_scored = "confidence" in fields and "evidence" in fields
    if _CANDIDATE_LEAD.match(lead):
        return is_scored or ("status" in fields and "confidence" in fields)
    return is_scored and "status" in fields and _REFERENCE.search(fields["evidence"]) is not None
