"""The engine that asks Claude: what it sends, what it keeps, and what it says it will cost."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.dream.claude import failures
from dreamreview.dream.claude.briefing import briefing
from dreamreview.dream.claude.cards import Citing
from dreamreview.dream.claude.conversation import REPLY, Conversation
from dreamreview.dream.claude.framing import Frame
from dreamreview.dream.claude.memory_tool import MemoryTool
from dreamreview.dream.claude.meter import Meter
from dreamreview.dream.claude.prompt import dreaming
from dreamreview.dream.claude.service import Request, Service
from dreamreview.dream.claude.sessions import Sessions
from dreamreview.dream.claude.support import Support
from dreamreview.dream.claude.toolbox import Bench, Toolbox, definitions
from dreamreview.dream.claude.veil import Veil
from dreamreview.dream.claude.working_copy import WorkingCopy
from dreamreview.dream.engine import DreamCancelledError, Dreamt, EngineError, Estimate, Progress
from dreamreview.dream.prices import Tokens, cost_of, price_of
from dreamreview.errors import InvalidManifestError
from dreamreview.model.budget import in_dollars
from dreamreview.model.manifest import check_changes

if TYPE_CHECKING:
    from dreamreview.dream.engine import Draft, Task

MODEL = "claude-sonnet-5-5"
"""The model that is asked where the user names none."""
CHARACTERS = 3
"""Characters to a token, at about, in what a dream sends: line numbers and marks make tokens short."""
FEWEST_TURNS, MOST_TURNS, FILES_A_TURN = 6, 40, 3
"""Turns that the estimate reckons with: a few, and one more for some files, up to a bound."""
TYPICAL_REPLY = 600
"""Tokens of a reply, on the average, that it reckons with."""
MOST_LEFT_OUT = 20
"""Cards left out of which it is told why."""
_CACHED = {"cache_control": {"type": "ephemeral"}}


def _nonce() -> str:
    return secrets.token_hex(6)


@dataclass(frozen=True, slots=True)
class ClaudeEngine:
    """Dreams by asking Claude over the API, with the memory tool over a working copy that lies in memory."""

    model: str = MODEL
    effort: str | None = None
    service: Service = field(default_factory=Service)
    nonce: Callable[[], str] = _nonce
    clock: Callable[[], float] = time.monotonic
    name: str = "claude"
    needs_copy: bool = False

    def estimate(self, task: Task) -> Estimate:
        """Return what a dream will need at about, without sending anything.

        Raises:
            EngineError: there is no key, or a budget that cannot be kept.
        """
        self._check(task)
        conversation = self._prepared(task)
        prompt = _size(conversation.request) // CHARACTERS
        typical = min(FEWEST_TURNS + len(task.corpus.documents) // FILES_A_TURN, MOST_TURNS)
        turns = min(task.budget.turns or typical, typical)
        reread = (turns - 1) * prompt + TYPICAL_REPLY * 2 * turns * (turns - 1) // 2
        tokens = Tokens(cache_write=prompt + TYPICAL_REPLY * 2 * turns, cache_read=reread, output=TYPICAL_REPLY * turns)
        return Estimate(tokens=prompt, cost_usd=_cost_over(self.model, tokens, turns), recipient=self.service.host)

    def dream(self, task: Task) -> Dreamt:
        """Dream once.

        Raises:
            EngineError: the API did not answer, the budget has no room for one reading, or nothing came of the dream.
            DreamCancelledError: the task was cancelled.
        """
        self._check(task)
        conversation = self._prepared(task)
        self._announce(conversation, task)
        try:
            conversation.run()
        except (EngineError, DreamCancelledError, KeyboardInterrupt, SystemExit):
            conversation.tell_used()
            raise
        toolbox = conversation.toolbox
        drafts, torn = _compatible(toolbox.drafts())
        return Dreamt(
            drafts=drafts,
            narrative=conversation.narrative or _plain_narrative(len(drafts)),
            usage=conversation.meter.usage(),
            settings={"prompt": dreaming().version, **({"effort": self.effort} if self.effort else {})},
            warnings=(*conversation.warnings, *_some([*toolbox.dropped, *torn]), *_unread(conversation)),
        )

    def _check(self, task: Task) -> None:
        self.service.check()
        if task.budget.cost_usd is not None and price_of(self.model) is None:
            raise EngineError(
                f"the price of {self.model} is not known, so that a budget in dollars cannot be kept: "
                f"set budgets.tokens instead; {failures.LOCAL}"
            )

    def _prepared(self, task: Task) -> Conversation:
        frame, veil = Frame(self.nonce()), Veil(self.nonce())
        sessions = Sessions(task.transcripts, task.since)
        copy = WorkingCopy(task.corpus)
        bench = Bench(
            citing=Citing(task.corpus, sessions, veil),
            copy=copy,
            memory=MemoryTool(copy, veil, frame),
            support=Support(task.corpus, task.policy, copy, veil),
            frame=frame,
        )
        parts: list[dict[str, object]] = [
            {"type": "text", "text": part} for part in briefing(task, sessions, veil, frame)
        ]
        parts[-1] = {**parts[-1], **_CACHED}
        request = Request(
            model=self.model,
            system=[{"type": "text", "text": dreaming().filled(frame, task.policy), **_CACHED}],
            tools=definitions(with_sessions=bool(sessions.names())),
            messages=[{"role": "user", "content": parts}],
            max_tokens=REPLY,
            effort=self.effort,
        )
        meter = Meter(self.model, task.budget, self.clock)
        return Conversation(self.service, Toolbox(bench, task.budget.changes), meter, task, request)

    def _announce(self, conversation: Conversation, task: Task) -> None:
        """Count what one reading of the memory takes, and do not begin where the budget has no room for it.

        Raises:
            EngineError: it has none.
        """
        counted = self.service.count(conversation.request, task)
        size = _size(conversation.request) // CHARACTERS if counted is None else counted
        cost = cost_of(self.model, Tokens(cache_write=size))
        price = "" if cost is None else f", {in_dollars(cost)}"
        exact = "about " if counted is None else ""
        note = f"reading the memory once takes {exact}{size:,} tokens{price}"
        budget = task.budget
        if budget.tokens is not None and size >= budget.tokens:
            raise EngineError(f"{note}, and the budget is {budget.tokens:,}: raise budgets.tokens; {failures.LOCAL}")
        if budget.cost_usd is not None and cost is not None and cost >= budget.cost_usd:
            most = in_dollars(budget.cost_usd)
            raise EngineError(f"{note}, and the budget is {most}: raise budgets.cost_usd; {failures.LOCAL}")
        conversation.meter.expect(size)
        task.on_progress(Progress(phase="gather", files=len(task.corpus.documents)))


def _size(request: Request) -> int:
    """Return how many characters a request sends at about."""
    return len(str(request.system)) + len(str(request.tools)) + len(str(request.messages))


def _cost_over(model: str, tokens: Tokens, turns: int) -> float | None:
    """Return the cost of several like requests, each priced by its own length."""
    share = Tokens(0, tokens.cache_write // turns, tokens.cache_read // turns, tokens.output // turns)
    each = cost_of(model, share)
    return None if each is None else round(each * turns, 4)


def _compatible(drafts: tuple[Draft, ...]) -> tuple[tuple[Draft, ...], list[str]]:
    """Return the drafts that can stand in one proposal, and what is said of the others."""
    from dreamreview.dream.arbitration import fingerprint, to_changes

    kept: list[Draft] = []
    said: list[str] = []
    prints: set[str] = set()
    for draft in drafts:
        try:
            check_changes(to_changes([*kept, draft]))
        except InvalidManifestError as error:
            said.append(f"left out “{draft.title}”: it cannot stand beside another change ({error})")
            continue
        if fingerprint(draft) in prints:
            said.append(f"left out “{draft.title}”: another card rests on the same lines")
            continue
        prints.add(fingerprint(draft))
        kept.append(draft)
    return tuple(kept), said


def _plain_narrative(count: int) -> str:
    if not count:
        return "Claude found nothing to suggest."
    return f"Claude suggests {count} change{'s' if count > 1 else ''} and said nothing more."


def _some(left_out: list[str]) -> list[str]:
    """Return why cards were left out, of many the first ones."""
    more = len(left_out) - MOST_LEFT_OUT
    return [*left_out[:MOST_LEFT_OUT], f"left out {more:,} more"] if more > 0 else left_out


def _unread(conversation: Conversation) -> list[str]:
    names = conversation.toolbox.unread_sessions
    return [f"the session {name} could not be read" for name in names[:10]]
