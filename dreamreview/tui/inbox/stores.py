"""The stores of the inbox as it knows them: each is read by itself, and each by itself may fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dreamreview.tui.surroundings import Surroundings
    from dreamreview.workspace.values import ProposalLine, Status

SEPARATOR = ":"
"""Stands between the key of a store and the id of its proposal in the key of a row; keys of stores hold none."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A store that is offered to the person, before it is opened."""

    folder: str
    """Absolute."""
    enter: Callable[[], Surroundings]
    """Opens it; raises DreamReviewError where it cannot be."""
    label: str = ""
    """What it is about, for people; the folder without one."""
    source: str = ""
    """Where it comes from, for people."""


def only(around: Surroundings) -> Offered:
    """Return a store that is open already."""
    return Offered(around.workspace.folder, lambda: around)


@dataclass(slots=True)
class StoreState:
    """What is known of one store."""

    key: str
    offered: Offered
    around: Surroundings | None = None
    """None until it was opened."""
    status: Status | None = None
    """None until it was read."""
    proposals: dict[str, ProposalLine] = field(default_factory=dict)
    """By id, newest first."""
    problem: str = ""
    """Why it could not be read the last time."""
    seen: set[str] = field(default_factory=set)
    """Every proposal that ever stood in it here."""
    was_read: bool = False

    @property
    def folder(self) -> str:
        """The folder, absolute."""
        return self.offered.folder

    @property
    def label(self) -> str:
        """What it is called."""
        return self.offered.label or self.offered.folder

    @property
    def is_looked_at(self) -> bool:
        """Whether anything is known, if only why it cannot be read."""
        return self.status is not None or bool(self.problem)

    @property
    def waiting(self) -> list[ProposalLine]:
        """Proposals that can be decided, newest first."""
        return [line for line in self.proposals.values() if is_open(line)]

    @property
    def stale(self) -> int:
        """Changes in them that no longer fit the memory."""
        return sum(line.counts.stale for line in self.waiting)

    def take(self, around: Surroundings, status: Status, proposals: Iterable[ProposalLine]) -> int:
        """Keep what was read; return how many proposals are new since the time before, none the first time."""
        self.around, self.status, self.problem = around, status, ""
        self.proposals = {line.id: line for line in proposals}
        fresh = self.proposals.keys() - self.seen if self.was_read else set()
        self.seen |= self.proposals.keys()
        self.was_read = True
        return len(fresh)

    def fail(self, problem: str) -> None:
        """Keep why it could not be read; what was known no longer counts."""
        self.status, self.problem = None, problem
        self.proposals = {}

    def shown(self, *, hides_closed: bool) -> list[ProposalLine]:
        """Return the proposals to list; broken ones always."""
        return [line for line in self.proposals.values() if not hides_closed or is_open(line) or line.problem]

    def row(self, proposal: str) -> str:
        """Return the key of the row of a proposal."""
        return f"{self.key}{SEPARATOR}{proposal}"


def is_open(line: ProposalLine) -> bool:
    """Tell whether a proposal can be decided."""
    return line.status == "ready" and line.problem is None


def states(offered: Sequence[Offered]) -> dict[str, StoreState]:
    """Return the states of stores of which nothing is known yet, by key."""
    return {f"s{number}": StoreState(f"s{number}", each) for number, each in enumerate(offered)}


def most_urgent_first(stores: Iterable[StoreState]) -> list[StoreState]:
    """Return those in which something waits, then those with a problem, then the rest, else in the order given."""
    return sorted(stores, key=lambda store: (not store.waiting, not store.problem))
