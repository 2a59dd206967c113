"""How staged candidates become cards: each read again in its note, then added to the long-term memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.errors import StoreError, UnsafePathError
from dreamreview.model.edits import Text, split_lines, terminator_of
from dreamreview.model.manifest import ranked, undeclared_id
from dreamreview.model.markdown import parse
from dreamreview.model.memory import Role
from dreamreview.model.proposal import Act, Change, Evidence, FileEdit, Kind, fingerprint_of, squeeze
from dreamreview.model.secrets import find_secrets, mask
from dreamreview.store.importing.values import Left, Suggested

if TYPE_CHECKING:
    from dreamreview.store.importing.candidates import Candidate
    from dreamreview.store.importing.ground import Ground
    from dreamreview.store.rooted import Root

LONG_TERM = ("MEMORY.md", "memory.md")
"""Where OpenClaw keeps what it promotes; the first that is there."""

HEADING = "## Promoted From Short-Term Memory"
MAX_CARDS = 500
UNSUPPORTED = "unsupported"

_LEAD = re.compile(r"^\s*(?:#{1,6}\s+|(?:[-*+•]|\d+[.)])\s+)")
_ENDS = re.compile(r"\s*(?:…|\.\.\.)$")
_KEY = re.compile(r"[\w./:#@+ -]{1,300}")
_LEAST = 8
_QUOTED_LINES = 20


@dataclass(frozen=True, slots=True)
class _Found:
    """A candidate as its note says it now."""

    candidate: Candidate
    first: int
    last: int
    lines: tuple[str, ...]
    is_in_store: bool


@dataclass(slots=True)
class _Note:
    """One note that candidates come from."""

    lines: Text
    roles: tuple[Role, ...]
    plain: list[str]
    is_in_store: bool


@dataclass(slots=True)
class _Reading:
    """The notes of a store, and of the workspace that candidates come from where that is another folder."""

    ground: Ground
    workspace: Root | None
    notes: dict[str, _Note | None] = field(default_factory=dict)

    def note(self, path: str) -> _Note | None:
        if path not in self.notes:
            self.notes[path] = self._read(path)
        return self.notes[path]

    def _read(self, path: str) -> _Note | None:
        state = self.ground.state(path)
        data = b"".join(state.text) if state is not None and not state.is_link else None
        is_in_store = data is not None
        if data is None and self.workspace is not None:
            try:
                data = self.workspace.read(path, self.ground.size_limit)
            except (StoreError, UnsafePathError):
                return None
        if data is None:
            return None
        document = parse(path, data)
        plain = [_plain(line.decode("utf-8", "replace")) for line in document.lines]
        return _Note(document.lines, document.roles, plain, is_in_store)

    def find(self, candidate: Candidate) -> _Found | str:
        """Return a candidate as its note says it now, or why it cannot be promoted."""
        problem = self.ground.refusal(candidate.path)
        if problem is not None:
            return problem
        note = self.note(candidate.path)
        if note is None:
            return f"its note {candidate.path} is not there"
        first = _anchor(note.plain, candidate)
        if first is None:
            return f"its note {candidate.path} does not say so any more"
        last = first + candidate.last - candidate.first
        if any(role in _NOT_MEMORY for role in note.roles[first - 1 : last]):
            return f"it stands in a block of {candidate.path} that a program writes, or in code"
        lines = tuple(line.decode("utf-8", "replace").rstrip("\r\n") for line in note.lines[first - 1 : last])
        if find_secrets("\n".join(lines)):
            return "it holds a secret"
        return _Found(candidate, first, last, lines, note.is_in_store)


_NOT_MEMORY = frozenset({Role.MANAGED, Role.CODE, Role.FRONTMATTER})


def _plain(text: str) -> str:
    return squeeze(_LEAD.sub("", text))


def _anchor(plain: Sequence[str], candidate: Candidate) -> int | None:
    """Return the 1-based line where a candidate stands: its own, else the nearest that begins what says the same."""
    wanted = squeeze(_ENDS.sub("", candidate.text))
    span = candidate.last - candidate.first + 1
    own = candidate.first - 1
    near = sorted((at for at, line in enumerate(plain) if line), key=lambda at: (abs(at - own), at))
    for at in [own, *near]:
        if at + span <= len(plain) and _says(plain[at : at + span], wanted):
            return at + 1
    return None


def _says(lines: Sequence[str], wanted: str) -> bool:
    """Tell whether lines say what was staged, which may be a part of them, or cut short."""
    bare = _plain(wanted)
    first = next((line for line in lines if line), "")
    if not first or not (bare.startswith(first[:_LEAST]) or bare in first):
        return False
    joined = " ".join(line for line in lines if line)
    leads = squeeze(" ".join(_plain(word) for word in re.split(r"(?<=\s)(?=(?:[-*+]|#{1,6}|\d+[.)])\s)", bare)))
    return len(leads) >= min(_LEAST, len(joined)) and (joined == leads or leads in joined or joined.startswith(leads))


def from_candidates(
    ground: Ground, candidates: Iterable[Candidate], name: str, workspace: Root | None = None
) -> Suggested:
    """Return a card for each candidate that its note still says and the long-term memory does not hold.

    Args:
        ground: the store.
        candidates: in any order.
        name: what to call their source.
        workspace: where their notes are, if not in the store alone.

    Raises:
        StoreError: the store cannot be read.
    """
    path = next((name for name in LONG_TERM if ground.state(name) is not None), LONG_TERM[0])
    state = ground.state(path)
    if state is not None and state.is_link:
        raise StoreError(f"{path} is a link; nothing is promoted through it")
    text = state.text if state is not None else ()
    reading, left = _Reading(ground, workspace), list[Left]()
    found, done = _choose(reading, candidates, b"".join(text).decode("utf-8", "replace"), left)
    warnings = []
    if len(found) > MAX_CARDS:
        warnings.append(f"of {len(found)} candidates, the {MAX_CARDS} with the highest scores were taken")
        found = found[:MAX_CARDS]
    day = ground.now.strftime("%Y-%m-%d")
    changes = _cards(path, text, found, day) if state is not None else _whole(path, found, day)
    return Suggested(
        source="candidates",
        changes=ranked(changes),
        before={path: state} if state is not None and changes else {},
        left=tuple(left),
        done=done,
        warnings=tuple(warnings),
        narrative=f"What OpenClaw staged for its long-term memory, from {name}.",
    )


def _choose(
    reading: _Reading, candidates: Iterable[Candidate], memory: str, left: list[Left]
) -> tuple[list[_Found], int]:
    """Return what is to be promoted, the best first, and how much was promoted before."""
    held = squeeze(memory)
    held_lines = {_plain(line) for line in memory.split("\n")}
    chosen: list[_Found] = []
    seen: set[str] = set()
    done = 0
    for candidate in sorted(candidates, key=lambda one: (-one.score, one.path, one.first)):
        if candidate.is_promoted or (candidate.key and squeeze(_marker(candidate.key)) in held):
            done += 1
            continue
        found = reading.find(candidate)
        if isinstance(found, str):
            left.append(Left(mask(candidate.text.strip())[:80], candidate.where, found))
            continue
        said = _plain(" ".join(found.lines))
        if said in held_lines or (len(said) > 3 * _LEAST and said in held):
            done += 1
        elif said not in seen:
            seen.add(said)
            chosen.append(found)
    return chosen, done


def _cards(path: str, text: Text, found: Sequence[_Found], day: str) -> tuple[Change, ...]:
    """Return a card for each candidate, all at the end of the file, below a heading that is a card of its own."""
    if not found:
        return ()
    cards = [] if _has_heading(text, day) else [_heading(path, text, found[0].candidate.score, day)]
    return (*cards, *(_card(path, text, one) for one in found))


def _has_heading(text: Text, day: str) -> bool:
    headings = [line for line in text if line.startswith(b"#")]
    return bool(headings) and headings[-1].strip() == f"{HEADING} ({day})".encode()


def _heading(path: str, text: Text, score: float, day: str) -> Change:
    end = terminator_of(text)
    blank = (end,) if text and text[-1].strip() else ()
    new = (*blank, f"{HEADING} ({day})".encode() + end, end)
    at = len(text)
    return Change(
        id=undeclared_id("promote", path, None, at + 1, (), new),
        kind=Kind.PROMOTE,
        title=f"Begin a section of {path} for what is promoted",
        reason="OpenClaw keeps what it promotes below a heading with the day.",
        confidence=score,
        fingerprint=fingerprint_of("promote", (), [HEADING, day]),
        edits=(FileEdit("e1", path, Act.LINES, at, at, (), new),),
    )


def _card(path: str, text: Text, found: _Found) -> Change:
    new, at = _entry(found, terminator_of(text)), len(text)
    candidate = found.candidate
    return Change(
        id=undeclared_id("promote", path, candidate.key or None, at + 1, (), new),
        kind=Kind.PROMOTE,
        title=f"Promote {candidate.path} line{_span(found)} to {path}",
        reason=f"OpenClaw staged it: {candidate.told} ({candidate.where}).",
        confidence=candidate.score,
        fingerprint=fingerprint_of("promote", (), ["\n".join(found.lines)]),
        evidence=_evidence(found),
        edits=(FileEdit("e1", path, Act.LINES, at, at, (), new),),
        flags=() if found.is_in_store else (UNSUPPORTED,),
    )


def _whole(path: str, found: Sequence[_Found], day: str) -> tuple[Change, ...]:
    """Return one card that makes the long-term memory: its lines can be decided one by one."""
    if not found:
        return ()
    new = split_lines(f"# Long-Term Memory\n\n{HEADING} ({day})\n\n".encode())
    for one in found:
        new += _entry(one, b"\n")
    change = Change(
        id=undeclared_id("promote", path, None, 1, (), new),
        kind=Kind.PROMOTE,
        title=f"Create {path} with {len(found)} promoted memories",
        reason=f"OpenClaw staged them; the store has no {path} yet. Best: {found[0].candidate.told}.",
        confidence=found[0].candidate.score,
        fingerprint=fingerprint_of("promote", (), ["\n".join(one.lines) for one in found]),
        evidence=tuple(piece for one in found for piece in _evidence(one)),
        edits=(FileEdit("e1", path, Act.CREATE, new=new, mode=0o644),),
        flags=() if all(one.is_in_store for one in found) else (UNSUPPORTED,),
    )
    return (change,)


def _evidence(found: _Found) -> tuple[Evidence, ...]:
    if not found.is_in_store:
        return ()
    quote = "\n".join(found.lines[:_QUOTED_LINES])
    return (Evidence(found.candidate.path, found.first, found.last, quote, date=found.candidate.day),)


def _entry(found: _Found, end: bytes) -> Text:
    """Return a memory as OpenClaw writes it: its marker, then one bullet, with the note's further lines below it."""
    lines = [line.rstrip() for line in found.lines if line.strip()]
    rows = [f"- {_LEAD.sub('', lines[0])}", *(f"  {line}" for line in lines[1:])]
    if _KEY.fullmatch(found.candidate.key) and "--" not in found.candidate.key:
        rows.insert(0, _marker(found.candidate.key))
    return tuple(row.encode("utf-8", "replace") + end for row in rows)


def _marker(key: str) -> str:
    return f"<!-- openclaw-memory-promotion:{key} -->"


def _span(found: _Found) -> str:
    return f" {found.first}" if found.first == found.last else f"s {found.first} to {found.last}"
