"""A memory folder in memory: real decisions by the real reducer, no disk."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from dreamreview.dream.engine import Progress
from dreamreview.errors import DreamReviewError, UsageError
from dreamreview.model.derived import Derived
from dreamreview.model.edits import Text, split_lines
from dreamreview.model.fidelity import Fidelity, Judged, fidelity
from dreamreview.model.plan import Clash
from dreamreview.model.proposal import Act, Base, Change, Engine, Evidence, FileEdit, Kind, Option, Proposal, Usage
from dreamreview.model.review import (
    Counts,
    LogEntry,
    Op,
    Review,
    State,
    count,
    parse_target,
    reduce,
    seen_of,
    validate,
)
from dreamreview.settings import Settings
from dreamreview.workspace import Workspace
from dreamreview.workspace.memory import OpenMemory
from dreamreview.workspace.sessions import Session
from dreamreview.workspace.values import (
    ApplyResult,
    Card,
    Decision,
    DreamResult,
    HistoryLine,
    ProposalLine,
    Stale,
    Status,
)

AT = "2026-03-01T09:00:00Z"
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
DESTRUCTIVE = {Kind.PRUNE, Kind.CONFLICT, Kind.QUARANTINE}


def lines(text: str) -> Text:
    return split_lines(text.encode("utf-8", "surrogateescape"))


def evidence(path: str, line: int, quote: str, day: str | None = "2026-02-11") -> Evidence:
    return Evidence(path=path, first=line, last=line, quote=quote, date=day)


def edit(name: str, path: str, start: int, old: str, new: str) -> FileEdit:
    before = lines(old)
    return FileEdit(id=name, path=path, start=start, stop=start + len(before), old=before, new=lines(new))


def change(name: str, kind: Kind, title: str, *edits: FileEdit, reason: str = "", **more: object) -> Change:
    plain = Change(
        id=name, kind=kind, title=title, reason=reason, confidence=0.8, fingerprint=f"print-{name}", edits=edits
    )
    return replace(plain, **more)  # type: ignore[arg-type]


def conflict(name: str = "c1", title: str = "Which port does the relay listen on?") -> Change:
    left = Option(
        "A",
        "port 7001",
        (evidence("relay.md", 3, "The relay listens on 7001."),),
        (edit("A1", "relay.md", 4, "Port 7044.\n", ""),),
    )
    right = Option(
        "B",
        "port 7044",
        (evidence("relay.md", 5, "Port 7044.", "2026-02-20"),),
        (edit("B1", "relay.md", 2, "The relay listens on 7001.\n", ""),),
    )
    return change(name, Kind.CONFLICT, title, reason="Both cannot hold.", options=(left, right), suggested="B")


RELAY = "# Relay\n\nThe relay listens on 7001.\nIt restarts at night.\nPort 7044.\n"
TEAM = "# Team\n\n- Ines owns the build\n- Ines owns the build farm\n- tea is at four\n- the wiki moved\n"


def changes() -> tuple[Change, ...]:
    """A small proposal with one of most things."""
    return (
        change(
            "m1",
            Kind.MERGE,
            "Two notes on the build owner",
            edit(
                "e1",
                "team.md",
                2,
                "- Ines owns the build\n- Ines owns the build farm\n",
                "- Ines owns the build and its farm\n",
            ),
            edit("e2", "team.md", 5, "- the wiki moved\n", "- the wiki moved to the new host\n"),
            reason="They say the same, the second says more.",
            evidence=(
                evidence("team.md", 3, "Ines owns the build"),
                evidence("team.md", 4, "Ines owns the build farm"),
            ),
        ),
        change(
            "m2", Kind.MERGE, "Tea twice", edit("e1", "team.md", 4, "- tea is at four\n", "- tea is at four, daily\n")
        ),
        conflict(),
        change(
            "p1",
            Kind.PRUNE,
            "An old scratch file",
            FileEdit(id="e1", path="scratch.md", act=Act.DELETE, old=lines("try again\nlater\n"), mode=0o644),
            reason="Nothing refers to it.",
        ),
        change(
            "d1",
            Kind.DATE,
            "Say which night",
            edit("e1", "relay.md", 3, "It restarts at night.\n", "It restarts at 02:00.\n"),
        ),
    )


FILES: Mapping[str, str] = {"relay.md": RELAY, "team.md": TEAM, "scratch.md": "try again\nlater\n"}


@dataclass
class FakeReview:
    """One proposal with its decisions in a list."""

    proposal: Proposal
    files: Mapping[str, str] = field(default_factory=lambda: dict(FILES))
    stale: Mapping[str, Stale] = field(default_factory=dict)
    derived: Mapping[str, Derived] = field(default_factory=dict)
    applied: dict[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    is_read_only: bool = False
    is_large: bool = False
    """Whether working out what is derived takes a while."""
    is_examined: bool = False
    log: list[LogEntry] = field(default_factory=list)
    refreshed: int = 0
    gate: threading.Event | None = None
    """Where given, opening waits for it."""
    behind: Mapping[str, list[Session]] = field(default_factory=dict)
    """Change to the sessions that its notes come from."""
    _reduced: tuple[int, Review] | None = None

    @property
    def review(self) -> Review:
        if self._reduced is None or self._reduced[0] != len(self.log):
            found = reduce(self.proposal.changes, self.log, base_lines=self.base_text)
            self._reduced = len(self.log), replace(found, is_read_only=self.is_read_only)
        return self._reduced[1]

    @property
    def counts(self) -> Counts:
        return count(self.review.of.values(), len(self.stale), len(self.applied))

    @property
    def first_counts(self) -> Counts:
        return count(self.review.of.values(), 0, len(self.applied))

    def card(self, change_id: str) -> Card:
        found = self.proposal.change(change_id)
        assert found is not None
        return Card(
            change=found,
            review=self.review.of[change_id],
            applied=self.applied.get(change_id),
            stale=self.stale.get(change_id),
            derived=self.derived.get(change_id, Derived()),
            is_destructive=found.kind in DESTRUCTIVE,
            rejected_before=False,
        )

    def cards(self) -> tuple[Card, ...]:
        return tuple(self.card(one.id) for one in self.proposal.changes)

    def fidelity(self, *, is_chosen: bool = False) -> Fidelity:
        cards = [card for card in self.cards() if card.review.chosen or not is_chosen]
        judged = [Judged(card.change, card.derived, card.review.choice) for card in cards]
        return fidelity(self.proposal, judged, self.base_text, (200, 25_000))

    def decide_all(self, decisions: Sequence[Decision]) -> None:
        entries: list[LogEntry] = []
        for one in decisions:
            aim = parse_target(one.target)
            found = self.proposal.change(aim.change)
            before = self.review.of.get(aim.change)
            validate(found, one.op, aim, one.choice, text=one.text, review=before, changes=self.proposal.changes)
            if found is not None and one.seen != seen_of(found):
                raise UsageError("the change is another than the one that was shown")
            number = len(self.log) + len(entries) + 1
            of = len(self.log) + 1 if len(decisions) > 1 else None
            entries.append(
                LogEntry(number, AT, "test", one.op, one.target, one.choice, one.text, one.reason, one.seen, of)
            )
        self.log += entries

    def undo(self) -> bool:
        return self._step(Op.UNDO, self.review.undoes_together)

    def redo(self) -> bool:
        return self._step(Op.REDO, self.review.redoes_together)

    def _step(self, op: Op, numbers: Sequence[int]) -> bool:
        for number in numbers:
            self.log.append(LogEntry(len(self.log) + 1, AT, "test", op, of=number))
        return bool(numbers)

    def sessions(self, change_id: str) -> list[Session]:
        return self.behind.get(change_id, [])

    def base_text(self, path: str) -> Text:
        return lines(self.files.get(path, ""))

    @property
    def is_slow_to_examine(self) -> bool:
        return self.is_large and not self.is_examined

    def first_cards(self) -> tuple[Card, ...]:
        return tuple(replace(card, derived=Derived(), is_destructive=True) for card in self.cards())

    def examine(self) -> None:
        self.is_examined = True

    def refresh(self) -> None:
        self.refreshed += 1

    def has_moved(self, change_id: str | None = None) -> bool:
        del change_id
        return False

    def state(self, change_id: str) -> State:
        return self.review.of[change_id].state


def proposal(name: str = "20260301T090000000", given: Sequence[Change] | None = None) -> Proposal:
    return Proposal(
        id=name,
        created_at=AT,
        base=Base("declared", "0" * 64, AT),
        changes=tuple(changes() if given is None else given),
        engine=Engine("local", "0.1.0"),
        narrative="A quiet night.",
    )


@dataclass
class FakeWorkspace:
    """A store with some proposals."""

    folder: str = "/memory"
    reviews: dict[str, FakeReview] = field(default_factory=dict)
    applies: list[HistoryLine] = field(default_factory=list)
    problem: DreamReviewError | None = None
    clashing: bool = False
    missing: str = ""
    """How far it is to the next dream; empty where nothing is told of that."""
    calls: list[str] = field(default_factory=list)
    during_dream: Callable[[Callable[[], bool]], None] | None = None
    progress: Progress = field(default_factory=lambda: Progress("consolidate", files=12, changes=3))
    """What a dream tells while it runs."""
    usage: Usage = field(default_factory=Usage)
    odd: tuple[str, ...] = ()
    """What a dream warns of."""
    disk: TemporaryDirectory[str] | None = None
    """Where the files of the first proposal are laid out once the memory is looked at."""

    def _fail(self) -> None:
        if self.problem is not None:
            raise self.problem

    def settle(self) -> tuple[str, ...]:
        self._fail()
        return ()

    def dream(
        self,
        engine: str | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        is_cancelled: Callable[[], bool] | None = None,
    ) -> DreamResult:
        self._fail()
        self.calls.append(f"dream {engine or 'configured'}")
        if on_progress is not None:
            on_progress(self.progress)
        if self.during_dream is not None and is_cancelled is not None:
            self.during_dream(is_cancelled)
        if is_cancelled is not None and is_cancelled():
            return DreamResult(None, "failed", "cancelled")
        made = proposal("20260302T090000000")
        self.reviews[made.id] = FakeReview(made)
        return DreamResult(made.id, "completed", "5 changes", usage=self.usage, warnings=self.odd)

    def ready(self) -> tuple[str, ...]:
        return tuple(line.id for line in self.proposals() if line.status == "ready" and line.problem is None)

    def proposals(self) -> tuple[ProposalLine, ...]:
        self._fail()
        found = sorted(self.reviews.values(), key=lambda review: review.proposal.id, reverse=True)
        return tuple(
            ProposalLine(one.proposal.id, one.proposal.status, one.proposal.created_at, "local", one.counts)
            for one in found
        )

    def open(self, proposal: str | None = None) -> FakeReview:
        self._fail()
        self.calls.append(f"open {proposal}")
        if proposal not in self.reviews:
            raise UsageError(f"there is no proposal {proposal}")
        review = self.reviews[proposal]
        if review.gate is not None:
            review.gate.wait(10)
        return review

    def apply(self, proposal: str | None = None, dry_run: bool = False) -> ApplyResult:
        self._fail()
        review = self.reviews[proposal or ""]
        chosen = {
            name: found.chosen
            for name, found in review.review.of.items()
            if found.chosen and name not in review.applied
        }
        edits = [part.edit for parts in chosen.values() for part in parts]
        deleted = sorted({one.path for one in edits if one.act is Act.DELETE})
        written = sorted({one.path for one in edits} - set(deleted))
        self.calls.append("plan" if dry_run else "apply")
        name = None
        if chosen and not dry_run:
            name = f"a{len(self.applies) + 1:04}"
            review.applied.update(dict.fromkeys(chosen, name))
            self.applies.insert(0, HistoryLine(name, AT, review.proposal.id, tuple(chosen), undone=False))
        return ApplyResult(name, tuple(written), tuple(deleted), stale=tuple(review.stale), dry_run=dry_run)

    def undo(self, apply: str | None = None, change: str | None = None, dry_run: bool = False) -> ApplyResult:
        self.calls.append(f"{'weigh' if dry_run else 'undo'} {apply} {change}")
        if self.clashing:
            return ApplyResult(None, clashes=(Clash("m1", "team.md", "edited since", "then", "now"),))
        if not dry_run:
            self.applies = [
                replace(line, undone=change is None, undone_changes=(change,) if change else line.changes)
                if line.apply == apply
                else line
                for line in self.applies
            ]
        return ApplyResult("u0001" if not dry_run else None, ("team.md",), undone=apply, dry_run=dry_run)

    def history(self) -> tuple[HistoryLine, ...]:
        self._fail()
        return tuple(self.applies)

    def status(self) -> Status:
        self._fail()
        counts = [review.counts for review in self.reviews.values()]
        return Status(
            folder=self.folder,
            pending=len(counts),
            undecided=sum(one.undecided for one in counts),
            last_dream=AT,
            last_status="completed",
            next=None,
            blocked=self.missing or None,
            locked_by=None,
            missing=self.missing,
        )

    def memory(self) -> OpenMemory:
        self._fail()
        if self.disk is None:
            self.disk = TemporaryDirectory()
            files = next(iter(self.reviews.values())).files if self.reviews else FILES
            for path, text in files.items():
                place = Path(self.disk.name, path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(text.encode("utf-8", "surrogateescape"))
                os.utime(place, (NOW.timestamp(), NOW.timestamp()))
        return Workspace(self.disk.name, Settings(), lambda: NOW).memory()


def workspace(*reviews: FakeReview) -> FakeWorkspace:
    """A store that holds these proposals, one of the usual kind when none is given."""
    given = reviews or (FakeReview(proposal()),)
    return FakeWorkspace(reviews={review.proposal.id: review for review in given})
