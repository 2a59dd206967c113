"""What every engine is given and what it answers: a store and policies in, changes and progress out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Protocol

from dreamreview.errors import DreamReviewError
from dreamreview.model.budget import Budget
from dreamreview.model.proposal import Evidence, FileEdit, Kind, Option, Usage

if TYPE_CHECKING:
    from dreamreview.model.memory import Document


class EngineError(DreamReviewError):
    """An engine could not dream; one line that says what happened and what to do, and nothing was kept."""


class NotBegunError(EngineError):
    """An engine cannot dream as things are, which was known before anything was tried: no dream began or failed."""


class DreamCancelledError(DreamReviewError):
    """The person who started the dream stopped it; nothing was kept."""

    exit_code = 130


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
    semantic: str = "auto"
    """Sentence vectors of the local engine: ``auto`` where the extra is installed, ``off``, or a folder."""
    cache: str | None = None
    """Folder for what is dear to work out again; None to keep nothing."""


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
    context: Mapping[str, Document] = field(default_factory=dict)
    """Name to document of what lies beside the store and is read with it, never changed: ``CLAUDE.md``, ``AGENTS.md``.

    Names are for people, such as ``../CLAUDE.md``; none is a path of the store.
    """

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
    note: str = ""
    """One sentence for the person who waits, where there is something to say."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """What the person did not want, and why: a reason for the next dream to do better."""

    title: str
    reason: str
    """In the person's words, never empty."""
    quotes: tuple[str, ...] = ()
    """The lines that the rejected change was about."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a dream will need at about, said before it begins."""

    tokens: int
    cost_usd: float | None = None
    """None where no price is known."""
    recipient: str = ""
    """Who is sent what the store says, such as ``api.anthropic.com``; empty where nothing leaves the machine."""


def _ignore(_progress: Progress) -> None:
    return None


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Task:
    """What an engine is handed; all text in it is untrusted and unmasked unless it says otherwise."""

    corpus: Corpus
    policy: Policy = field(default_factory=Policy)
    budget: Budget = field(default_factory=Budget)
    folder: str = ""
    """Absolute path of a private copy of the store, for engines that need one; all that is done to it is an answer."""
    scratch: str = ""
    """Absolute path of an empty folder beside it, for temporary files; both are swept when the dream ends."""
    transcripts: tuple[str, ...] = ()
    """Absolute paths of the sessions since the last dream, newest first: files to read and never to write."""
    since: datetime | None = None
    """When the last completed dream ended; None where there was none."""
    rejections: tuple[Rejection, ...] = ()
    """What was rejected with a reason, newest first, bounded and masked."""
    on_progress: Callable[[Progress], None] = _ignore
    is_cancelled: Callable[[], bool] = _never

    def check(self) -> None:
        """Obey a stop.

        Raises:
            DreamCancelledError: it was asked for.
        """
        if self.is_cancelled():
            raise DreamCancelledError("the dream was stopped; nothing was kept")


@dataclass(frozen=True, slots=True)
class Dreamt:
    """What an engine answers."""

    drafts: tuple[Draft, ...]
    """Admitted drafts, none of whose edits overlap those of another, in the order they are shown."""
    narrative: str
    """The dreamer's own words."""
    usage: Usage = field(default_factory=Usage)
    is_tree: bool = False
    """True where the changes are what now differs in the task's folder, and there are no drafts."""
    warnings: tuple[str, ...] = ()
    """What the person should know of how it went, one sentence each: a budget that was spent, a call that failed."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What it went by besides the policy, such as the version of a prompt; kept in the manifest."""


class Engine(Protocol):
    """Something that can dream.

    An engine never sees the live folder. Where a bound of the budget is reached it ends with what is whole by then and
    says so in a warning; a change that is half made is left out.
    """

    @property
    def name(self) -> str:
        """What it is called in manifests and on the command line."""

    @property
    def model(self) -> str | None:
        """The model it asks; None where there is none."""

    @property
    def needs_copy(self) -> bool:
        """Whether it works in a private copy of the store (`Task.folder`)."""

    def estimate(self, task: Task) -> Estimate | None:
        """Return what a dream will need; None where that cannot be said, or is nothing.

        Raises:
            EngineError: it is known already that it cannot dream: no key, no program.
        """

    def dream(self, task: Task) -> Dreamt:
        """Dream once.

        Raises:
            EngineError: it could not.
            DreamCancelledError: `task.is_cancelled` said so.
        """
