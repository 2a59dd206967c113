"""What a dream suggests: edits of files, gathered into changes, gathered into a proposal."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreamreview.model.edits import Text

DESTRUCTIVE_KINDS = frozenset({"prune", "conflict", "quarantine"})
"""Kinds that are never accepted in bulk without being named, whatever their size."""

GONE = "gone"
"""Flag of a declared change that its copy no longer shows."""

OBSERVED = "observed"
"""Kind of base of a proposal of changes that others made already: the live folder is what they make of that base."""

IMPORTED = "import"
"""Name of the engine of a proposal that a person imported: no dream of ours, so none replaces it."""

LINK_MODE = 0o120000
"""Mode of a symbolic link, as git writes it; the text of such a path is the link's target."""


class Kind(StrEnum):
    """What a change is about; the last five are differences that nobody declared."""

    MERGE = "merge"
    CONFLICT = "conflict"
    PRUNE = "prune"
    SUPERSEDE = "supersede"
    PROMOTE = "promote"
    ADD = "add"
    REWRITE = "rewrite"
    DATE = "date"
    INDEX = "index"
    LINK = "link"
    REDACT = "redact"
    QUARANTINE = "quarantine"
    EDIT = "edit"
    CREATE = "create"
    DELETE = "delete"
    RENAME = "rename"
    MODE = "mode"


class Act(StrEnum):
    """What an edit does to its path."""

    LINES = "lines"
    CREATE = "create"
    DELETE = "delete"
    RENAME = "rename"
    MODE = "mode"


@dataclass(frozen=True, slots=True)
class FileEdit:
    """One edit of one path: base lines replaced, or the whole path created, deleted, renamed or given a mode.

    A creation inserts all of `new` at line 0; a deletion takes all of `old` away. Both can be chosen by line.
    """

    id: str
    """``e1`` .. in a change, ``A1`` .. in option A."""
    path: str
    """Base path: relative, POSIX separators, bytes that are not UTF-8 as surrogate escapes."""
    act: Act = Act.LINES
    start: int = 0
    """First base line replaced, 0-based (the manifest counts from 1)."""
    stop: int = 0
    """One past the last base line replaced."""
    old: Text = ()
    """The base lines replaced."""
    new: Text = ()
    """The lines that stand there instead."""
    to: str | None = None
    """The new name of a renamed path."""
    mode: int | None = None
    """Permission bits: to give (create, mode) or that were there (delete); `LINK_MODE` for a symbolic link."""
    old_mode: int | None = None
    """Permission bits before a mode act."""
    rank: int = 0
    """Place among the edits of the proposal on this path."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Lines of the store that a change rests on."""

    path: str
    first: int
    """First line, 1-based; 1 with `last` 0 for an empty file."""
    last: int
    """Last line, 1-based and inclusive."""
    quote: str
    """Their text, masked where it holds a secret."""
    date: str | None = None
    """Day the lines speak from (YYYY-MM-DD), where known."""
    session: str | None = None
    """Session the lines come from, where known."""


@dataclass(frozen=True, slots=True)
class Option:
    """One way to settle a conflict."""

    key: str
    """``A``, ``B``, .. or ``both``."""
    label: str
    evidence: tuple[Evidence, ...] = ()
    edits: tuple[FileEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """The card that a person decides."""

    id: str
    """``[a-z0-9]{1,16}``, unique in the proposal."""
    kind: Kind
    title: str
    reason: str
    confidence: float
    """0 to 1."""
    fingerprint: str
    """What makes it the same suggestion again; see `fingerprint_of`."""
    phase: str = ""
    """Phase of the dream that found it: gather, consolidate, prune, index."""
    evidence: tuple[Evidence, ...] = ()
    edits: tuple[FileEdit, ...] = ()
    options: tuple[Option, ...] = ()
    """Ways to settle it; empty but for conflicts, whose own `edits` are empty."""
    suggested: str | None = None
    """Key of the option that the evidence favours."""
    flags: tuple[str, ...] = ()

    @property
    def all_edits(self) -> Iterator[FileEdit]:
        """Every edit of the change and of each of its options."""
        yield from self.edits
        for option in self.options:
            yield from option.edits

    def flagged(self, flags: Iterable[str]) -> Change:
        """Return the change with more flags, each once."""
        all_flags = tuple(dict.fromkeys((*self.flags, *flags)))
        return replace(self, flags=all_flags) if len(all_flags) > len(self.flags) else self

    def option(self, key: str) -> Option | None:
        """Return the option with a key, if there is one."""
        return next((option for option in self.options if option.key == key), None)


@dataclass(frozen=True, slots=True)
class Base:
    """The state of the store that a proposal speaks of."""

    kind: str
    """``declared`` (a dream of ours), ``first-sight`` (a bare copy) or ``observed`` (changes already made)."""
    digest: str
    """`tree_digest` of the base, without git."""
    at: str
    """When it was taken, RFC 3339 UTC."""
    tree: str | None = None
    """Object name of the snapshot in the private history, where one was kept."""


@dataclass(frozen=True, slots=True)
class Engine:
    """Who dreamed."""

    name: str
    version: str
    model: str | None = None
    settings_digest: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    """Name and value of what the dream went by besides the owner's policy, such as the version of a prompt."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the dream cost."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cost_usd: float | None = None
    seconds: float = 0.0
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Proposal:
    """The changes that one dream suggests against one base."""

    id: str
    """Name of its folder: ``yyyyMMdd'T'HHmmssSSS``, UTC."""
    created_at: str
    base: Base
    changes: tuple[Change, ...]
    status: str = "ready"
    """``ready``, ``failed``, ``applied``, ``discarded`` or ``superseded``."""
    rendering: str = ""
    """`tree_digest` of the copy as written."""
    engine: Engine = field(default_factory=lambda: Engine(name="unknown", version=""))
    usage: Usage = field(default_factory=Usage)
    summary: str = ""
    narrative: str = ""

    @property
    def is_observed(self) -> bool:
        """Tell whether others made its changes already, so that accepting keeps and rejecting takes back."""
        return self.base.kind == OBSERVED

    def change(self, change_id: str) -> Change | None:
        """Return the change with an id, if there is one."""
        return next((change for change in self.changes if change.id == change_id), None)


def kinds_of(changes: Iterable[Change]) -> tuple[Kind, ...]:
    """Return the kinds of changes in the order in which they are listed everywhere: as the dreamer first names each."""
    return tuple(dict.fromkeys(change.kind for change in changes))


def squeeze(text: str) -> str:
    """Return a text as fingerprints see it: NFC, case folded, blanks squeezed."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def fingerprint_of(kind: str, option_keys: Iterable[str], texts: Iterable[str]) -> str:
    """Return the fingerprint of a declared change, as lower-case hex of a sha256.

    Paths, line numbers and run dates are left out, so that a suggestion is known again wherever its lines moved to.

    Args:
        kind: kind of the change.
        option_keys: keys of its options.
        texts: unmasked text of each piece of its evidence, options' evidence included.
    """
    parts = [kind, ",".join(sorted(option_keys)), *sorted({squeeze(text) for text in texts})]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
