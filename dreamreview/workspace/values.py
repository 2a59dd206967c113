"""What the workspace answers: plain values that the command line, the app and the daemon read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.model.proposal import Change, Usage
from dreamreview.model.records import PINS
from dreamreview.model.review import seen_of

if TYPE_CHECKING:
    from dreamreview.model.derived import Derived
    from dreamreview.model.plan import Clash
    from dreamreview.model.review import ChangeReview, Counts, Op
    from dreamreview.store.importing.values import Left


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision before it is in the log."""

    op: Op
    target: str
    choice: str | None = None
    text: bytes | None = None
    reason: str = ""
    seen: str | None = None
    """What was on screen, as `Card.seen` says; None trusts the change as it is now."""


@dataclass(frozen=True, slots=True)
class Found:
    """How an engine came to a change."""

    detector: str
    measures: tuple[str, ...] = ()
    """What it measured and from where on that counts, in words; nothing where it goes by a rule."""


@dataclass(frozen=True, slots=True)
class DreamResult:
    """How a dream went."""

    proposal: str | None
    status: str
    """``completed``, ``failed`` or ``skipped``."""
    summary: str
    counts: Mapping[str, int] = field(default_factory=dict)
    """Kind to number of changes."""
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    found: Mapping[str, Found] = field(default_factory=dict)
    """Change to how it was found, where the engine tells."""
    narrative: str = ""
    """The dreamer's own words, masked by nobody yet."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What came of an import."""

    proposal: str | None
    """The proposal that was made, or the open one that holds the same already."""
    source: str
    """``folder``, ``patch``, ``revision``, ``candidates`` or ``mem0``."""
    summary: str
    counts: Mapping[str, int] = field(default_factory=dict)
    """Kind to number of changes."""
    left: tuple[Left, ...] = ()
    """What did not become a change, by name, with place and reason."""
    done: int = 0
    """How many of the source's changes the store holds already."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalLine:
    """One proposal in a list."""

    id: str
    status: str
    created_at: str
    engine: str
    counts: Counts
    problem: str | None = None
    """Why it could not be read, where it could not."""


@dataclass(frozen=True, slots=True)
class Stale:
    """Why a change no longer fits the live folder, with both texts."""

    reason: str
    base: str
    live: str


@dataclass(frozen=True, slots=True)
class Card:
    """A change with what was decided, what was derived and what became of it."""

    change: Change
    review: ChangeReview
    applied: str | None
    """Id of the newest apply that carried (part of) it out and stands."""
    stale: Stale | None
    derived: Derived
    is_destructive: bool
    rejected_before: bool

    @property
    def has_to_be_named(self) -> bool:
        """Whether it is never accepted along with others: it takes something away, or brings orders or hidden text."""
        return self.is_destructive or bool(self.derived.planted)

    @property
    def seen(self) -> str:
        """Digest that a decision on it carries."""
        return seen_of(self.change)


@dataclass(frozen=True, slots=True)
class TwoTexts:
    """One path that others changed at the service meanwhile: neither text was lost, and None stands for none."""

    path: str
    here: str | None
    there: str | None


@dataclass(frozen=True, slots=True)
class There:
    """What an apply or an undo did to the store at the service that the folder is a copy of."""

    store: str
    """Its id; empty where that could not be read."""
    written: tuple[str, ...] = ()
    conflicts: tuple[TwoTexts, ...] = ()
    left: tuple[str, ...] = ()
    """What stays here for now, one line each."""
    problem: str | None = None
    """Why the rest waits, where the service could not be reached."""

    @property
    def is_whole(self) -> bool:
        """Tell whether all of it got there."""
        return not (self.conflicts or self.left or self.problem)


@dataclass(frozen=True, slots=True)
class ApplyResult:
    """What an apply or an undo wrote, or would write."""

    apply: str | None
    """Id of the transaction; None where nothing was written."""
    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    stale: tuple[str, ...] = ()
    """Changes that no longer fit and were left alone."""
    dry_run: bool = False
    kept: tuple[str, ...] = ()
    """Files whose deletion was accepted in part, kept by what was kept of them."""
    undone: str | None = None
    """For an undo: the apply that was taken back."""
    clashes: tuple[Clash, ...] = ()
    settled: tuple[str, ...] = ()
    """Changes that others made already and that stay as they are: nothing is written for them."""
    there: There | None = None
    """What became of it at the service, for a folder that is a copy of a store there."""


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One apply in the history."""

    apply: str
    at: str
    proposal: str
    changes: tuple[str, ...]
    undone: bool
    """True when all of it was taken back."""
    undone_changes: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    """Change to its title, of those whose proposal is still known."""
    forgotten: tuple[str, ...] = ()
    """Changes of which lines were forgotten since: an undo gives back only the rest."""

    @property
    def is_by_hand(self) -> bool:
        """Whether a person did it without a proposal: pinned a note, or took its pin away."""
        return self.proposal.startswith(PINS)


@dataclass(frozen=True, slots=True)
class Status:
    """How a store stands, in one line for a prompt."""

    folder: str
    pending: int
    """Ready proposals."""
    undecided: int
    """Changes in them of which something waits for a decision, skipped and partly decided ones included."""
    last_dream: str | None
    last_status: str | None
    next: str | None
    """When the next dream is due, or None."""
    blocked: str | None
    """Why none is due now, one reason a gate, as programs read it; whoever asks for a dream gets one all the same."""
    locked_by: str | None
    warnings: tuple[str, ...] = ()
    alarms: tuple[str, ...] = ()
    """What is alarming about what others changed and nobody decided on, one sentence each without a stop."""
    missing: str = ""
    """`blocked` for people: how far it is to the next dream, counted since the last; empty where one is due."""

    @property
    def needs_attention(self) -> bool:
        """Tell whether somebody should look: something is undecided or alarming, or the last dream failed."""
        return self.undecided > 0 or bool(self.alarms) or self.last_status == "failed"
