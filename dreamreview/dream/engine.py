"""What every engine is given and what it answers: a corpus and policies in, drafts of changes and progress out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from dreamreview.model.proposal import Evidence, FileEdit, Kind, Option, Usage

if TYPE_CHECKING:
    from dreamreview.model.memory import Document


@dataclass(frozen=True, slots=True)
class Policy:
    """What the owner of the store wants of a dream; engines are handed it and read no configuration."""

    retention_days: Mapping[str, int | None] = field(
        default_factory=lambda: {"session_state": 90, "compact_summary": 90}
    )
    """Note type to days it is kept, None for ever. Defaults of mem0's dream skill."""
    index_lines: int = 200
    """Lines of an index that an agent reads. Claude Code's limit."""
    index_bytes: int = 25_000
    """Bytes of an index that an agent reads. Claude Code's limit."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The store as an engine sees it: parsed, bounded, and without bookkeeping."""

    documents: Mapping[str, Document]
    """Path to document, for every text file of the store, in path order."""
    files: frozenset[str]
    """Every path of the store, also those that are not markdown."""
    today: date
    """The day of the dream."""
    modes: Mapping[str, int] = field(default_factory=dict)
    """Path to permission bits, for deletions and creations."""

    @property
    def index(self) -> Document | None:
        """The index the agent reads first (``MEMORY.md`` at the root), where there is one."""
        return self.documents.get("MEMORY.md")


@dataclass(frozen=True, slots=True)
class Measure:
    """What a detector measured, and where the measure begins to count."""

    what: str
    """What was measured, with its unit where it has one: ``likeness``, ``age in days``."""
    value: float
    threshold: float | None = None
    """None where several rules decide from which value on it counts."""
    side: str = "at least"
    """Where the value lies of the threshold: ``at least``, ``more than`` or ``less than``."""

    def __str__(self) -> str:
        limit = "" if self.threshold is None else f" ({self.side} {self.threshold:,.10g})"
        return f"{self.what} {self.value:,.10g}{limit}"


@dataclass(frozen=True, slots=True)
class Draft:
    """A change before it has an id: what a detector suggests."""

    kind: Kind
    phase: str
    """``gather``, ``consolidate``, ``prune`` or ``index``."""
    title: str
    reason: str
    confidence: float
    evidence: tuple[Evidence, ...]
    texts: tuple[str, ...]
    """Unmasked text of each piece of evidence (options' included), for the fingerprint."""
    edits: tuple[FileEdit, ...] = ()
    """Ids and ranks are given later; leave ``id=""``."""
    options: tuple[Option, ...] = ()
    suggested: str | None = None
    flags: tuple[str, ...] = ()
    detector: str = ""
    """Name of the detector, for ``--explain``."""
    measures: tuple[Measure, ...] = ()
    """What it measured, where it goes by a measure and not by a rule; of a batch, of its least sure member."""


Detector = Callable[[Corpus, Policy], Iterable[Draft]]
"""One question asked of a corpus; pure and deterministic."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a dream is."""

    phase: str
    files: int = 0
    changes: int = 0
    tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Dreamt:
    """What an engine answers."""

    drafts: tuple[Draft, ...]
    """Admitted drafts, none of whose edits overlap those of another, in the order they are shown."""
    narrative: str
    """The dreamer's own words."""
    usage: Usage = field(default_factory=Usage)
