"""The tools that the model is given, and what happens when it calls one: cards opened, checked, mended, dropped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.dream.claude.cards import PHASES, SESSION, Card, Citing, read_card
from dreamreview.dream.claude.checking import Problem, check, flags_of
from dreamreview.dream.claude.drafts import side_edits, to_draft
from dreamreview.dream.claude.working_copy import RefusedError
from dreamreview.model.proposal import Kind

if TYPE_CHECKING:
    from dreamreview.dream.claude.framing import Frame
    from dreamreview.dream.claude.memory_tool import MemoryTool
    from dreamreview.dream.claude.sessions import Turn
    from dreamreview.dream.claude.support import Support
    from dreamreview.dream.claude.working_copy import WorkingCopy
    from dreamreview.dream.engine import Draft

MOST_CARDS = 500
"""Cards of one dream, whatever the budget: more than a person reviews."""
TRIES = 2
"""How often a card is checked: once, and once more when it was mended."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model is told about one call."""

    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Bench:
    """What the tools work on."""

    citing: Citing
    copy: WorkingCopy
    memory: MemoryTool
    support: Support
    frame: Frame


class Toolbox:
    """The state of one dream between two calls: the open card, and those that are whole."""

    def __init__(self, bench: Bench, most: int | None) -> None:
        """Make a toolbox that takes at most `most` cards, and never more than `MOST_CARDS`."""
        self._bench = bench
        self._most = MOST_CARDS if most is None else min(most, MOST_CARDS)
        self._count = 0
        self._open: Card | None = None
        self._tries = 0
        self.phase = "gather"
        """Where the dream is: the phase of the last card."""
        self._kept: list[tuple[Card, tuple[str, ...]]] = []
        self.dropped: list[str] = []
        """Why cards were left out, one sentence each."""
        self._tools: Mapping[str, Callable[[Mapping[str, object]], str]] = {
            "memory": lambda given: bench.memory.run(given, self._open),
            "open_card": self._open_card,
            "close_card": lambda _: self.close(),
            "drop_card": lambda _: self._drop_card(),
            "search_sessions": self._search,
            "read_session": self._read,
        }

    @property
    def count(self) -> int:
        """How many cards are whole."""
        return len(self._kept)

    @property
    def unread_sessions(self) -> tuple[str, ...]:
        """Names of sessions that could not be read."""
        return tuple(self._bench.citing.sessions.unread)

    @property
    def has_open_card(self) -> bool:
        """Whether a card is open."""
        return self._open is not None

    def call(self, name: str, given: object) -> Answer:
        """Carry out one call; what cannot be done is told in a sentence."""
        tool = self._tools.get(name)
        if tool is None:
            return Answer(f"there is no tool {name[:60]!a}; there are {', '.join(self._tools)}", is_error=True)
        if not isinstance(given, dict):
            return Answer("the input of a tool is an object", is_error=True)
        try:
            return Answer(self.sendable(tool(given)))
        except RefusedError as error:
            return Answer(self.sendable(f"{error.args[0]}."), is_error=True)

    def drafts(self) -> tuple[Draft, ...]:
        """Return what the whole cards suggest, in the order they were made."""
        citing, copy = self._bench.citing, self._bench.copy
        return tuple(
            to_draft(card, copy.edits_of(card.number), flags, citing.corpus, citing.veil) for card, flags in self._kept
        )

    def for_people(self, text: str) -> str:
        """Return what the model says as a person may read it."""
        return self._bench.citing.veil.for_people(text)

    def abandon(self) -> None:
        """Take back a card that is half made."""
        if self._open is not None:
            self._leave_out(self._open, "it was not whole when the dream ended")

    def close(self) -> str:
        """Check the open card, and keep it, hand it back for mending, or leave it out.

        Raises:
            RefusedError: no card is open, or it has to be mended.
        """
        card = self._card()
        problems = check(card, self._bench.copy.edits_of(card.number), self._bench.support)
        self._tries += 1
        if problems and self._tries < TRIES:
            raise RefusedError(
                f"card {card.number} is still open, since its evidence does not hold it: {_listed(problems)}. Mend it "
                "once and close it again, or drop it"
            )
        fatal = [problem for problem in problems if problem.is_fatal]
        if fatal:
            self._leave_out(card, fatal[0].said)
            return f"card {card.number} was left out: {_listed(fatal)}. Its edits are taken back; go on with the next."
        flags = flags_of(problems)
        self._kept.append((card, flags))
        self._open = None
        marked = f" It is shown with the mark {', '.join(flags)}." if flags else ""
        return f"card {card.number} is whole.{marked}"

    def _open_card(self, given: Mapping[str, object]) -> str:
        if self._open is not None:
            self.close()
        if self.count >= self._most:
            raise RefusedError(f"{self._most} cards are all that this dream may make; end with your summary")
        card = read_card(self._count + 1, given, self._bench.citing)
        if card.kind is Kind.CONFLICT:
            self._hold(card)
        self._count = card.number
        self._open, self._tries, self.phase = card, 0, PHASES[card.kind]
        if card.kind is Kind.CONFLICT:
            return f"card {card.number} is open, with nothing to edit. " + self.close()
        return f"card {card.number} is open: make its edits now, then close it."

    def _hold(self, card: Card) -> None:
        try:
            for edit in filter(None, side_edits(card, self._bench.citing.corpus)):
                self._bench.copy.hold(edit.path, edit.start, edit.stop, card.number)
        except RefusedError:
            self._bench.copy.drop(card.number)
            raise

    def _drop_card(self) -> str:
        card = self._card()
        self._leave_out(card, None)
        return f"card {card.number} is dropped and its edits are taken back."

    def _leave_out(self, card: Card, why: str | None) -> None:
        self._bench.copy.drop(card.number)
        self._open = None
        if why is not None:
            self.dropped.append(self.for_people(f"left out “{card.title}”: {why}"))

    def _card(self) -> Card:
        if self._open is None:
            raise RefusedError("no card is open")
        return self._open

    def _search(self, given: Mapping[str, object]) -> str:
        query, signal = given.get("query", ""), given.get("signal", "any")
        if not isinstance(query, str) or not isinstance(signal, str) or (not query.strip() and signal == "any"):
            raise RefusedError("say what to look for: words in query, or a signal")
        hits = self._bench.citing.sessions.search(query, signal, self._bench.citing.veil.text)
        rows = [f"{SESSION}{name} {self._row(turn, 500)}" for name, turn in hits]
        return self._bench.frame.around("sessions", "\n".join(rows) if rows else "(nothing found)")

    def _read(self, given: Mapping[str, object]) -> str:
        name, first, last = given.get("session"), given.get("first"), given.get("last")
        if not isinstance(name, str) or type(first) is not int or type(last) is not int or not 1 <= first <= last:
            raise RefusedError("name a session, and its first and last line")
        name = name.removeprefix(SESSION)
        turns = self._bench.citing.sessions.read(name, first, last)
        rows = [self._row(turn, 4_000) for turn in turns]
        return self._bench.frame.around(SESSION + name, "\n".join(rows) if rows else "(nothing said there)")

    def _row(self, turn: Turn, most: int) -> str:
        day = f" {turn.at:%Y-%m-%d}" if turn.at else ""
        veil = self._bench.citing.veil
        said, whole = veil.beginning(turn.text, most), veil.text(turn.text)
        more = f" (cut here: {len(whole) - len(said):,} more characters)" if len(said) < len(whole) else ""
        return f"line {turn.line}{day} {turn.who or 'text'}: {said}{more}"

    def sendable(self, text: str) -> str:
        """Return a text as the API takes it, and once more without secrets, whatever way it came."""
        return self._bench.citing.veil.text(text).encode("utf-8", "replace").decode("utf-8")


def _listed(problems: Sequence[Problem]) -> str:
    return "; ".join(dict.fromkeys(problem.said for problem in problems[:12]))


def definitions(*, with_sessions: bool) -> list[dict[str, object]]:
    """Return the tools as the API is told of them."""
    from dreamreview.dream.claude.schemas import CARD_TOOLS, MEMORY, SESSION_TOOLS

    return [MEMORY, *CARD_TOOLS, *(SESSION_TOOLS if with_sessions else ())]
