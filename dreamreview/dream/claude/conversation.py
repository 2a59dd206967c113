"""The dream as a conversation: turn by turn, until the model is done, the budget spent, or nothing moves any more."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dreamreview.dream.claude.failures import LOCAL
from dreamreview.dream.claude.service import Caller, OutOfTimeError, Reply, Request
from dreamreview.dream.claude.toolbox import Answer
from dreamreview.dream.claude.working_copy import RefusedError
from dreamreview.dream.engine import EngineError, Progress
from dreamreview.model.budget import in_dollars
from dreamreview.model.inert import inert
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from dreamreview.dream.claude.meter import Meter
    from dreamreview.dream.claude.service import Call, Service
    from dreamreview.dream.claude.toolbox import Toolbox
    from dreamreview.dream.engine import Task

REPLY = 16_000
"""Tokens that one reply may have."""
LONGER = 32_000
"""Tokens of the second try where a reply was cut."""
TURNS = 150
"""Replies of one dream, whatever the budget."""
PAUSES = 10
"""How often on end a reply may only pause."""
REPEATS = 4
"""How often the same calls may be made with the same answers before the dream ends."""
WARNED = 2
"""How often, before the model is told."""
AGAIN = "You made this very call before and had this very answer: do something else, or end."
MOST_CALLS = 400
"""Calls of one reply beyond which nobody means it well; a reply has room for no more that say anything."""
MOST_ANSWERED = 400_000
"""Characters that the answers to one reply may have: about as many as the first message holds of the memory."""
LATER = "The answers to this reply are long enough already: nothing was done; make this call again."
ERRORS = 8
"""Turns on end in which nothing but errors comes of the calls."""
LONGEST_NARRATIVE = 4_000
CHARACTERS = 4
"""Characters to a token, at about, while a reply comes in."""
STEP = 400
"""Characters of a reply after which it is said again how far the dream is."""
_NUMBER = re.compile(r"\d+")
_CACHED = {"cache_control": {"type": "ephemeral"}}


@dataclass(slots=True)
class Conversation:
    """One dream over one toolbox."""

    service: Service
    toolbox: Toolbox
    meter: Meter
    task: Task
    request: Request
    """The first request; messages are added to it."""
    narrative: str = ""
    """The last words of the model."""
    warnings: list[str] = field(default_factory=list)
    _messages: list[dict[str, object]] = field(default_factory=list)
    _seen: Counter[str] = field(default_factory=Counter)
    _whole: int = 0
    _told: int = 0
    _errors: int = 0

    def run(self) -> None:
        """Talk until there is nothing more to say.

        Raises:
            EngineError: the API did not answer, or nothing came of the dream.
            DreamCancelledError: the task was cancelled.
        """
        self._messages = list(self.request.messages)
        pauses = 0
        is_going_on = True
        while is_going_on:
            reply = self._next()
            if reply is None:
                break
            pauses = pauses + 1 if reply.stop_reason == "pause_turn" else 0
            is_going_on = self._heed(reply, pauses)
        self.toolbox.abandon()

    def _next(self) -> Reply | None:
        """Return the next reply, None where the budget is spent."""
        self.task.check()
        bound = self.meter.reached() or (f"{TURNS} turns" if self.meter.turns >= TURNS else None)
        room = self.meter.room(REPLY)
        if bound is None and room == 0:
            bound = "the budget"
        if bound is not None:
            self._stop(f"stopped at {bound}; what was whole by then is here")
            return None
        try:
            reply = self._ask(room)
            if reply.stop_reason == "max_tokens" and (longer := self.meter.room(LONGER)) > room:
                reply = self._ask(longer)
        except OutOfTimeError:
            self._stop(f"stopped at {self.meter.reached() or 'the budget'}; what was whole by then is here")
            return None
        return reply

    def _ask(self, room: int) -> Reply:
        request = replace(self.request, messages=_with_marks(self._messages), max_tokens=room)
        reply = self.service.reply(request, Caller(self.task, self._tell, self._tell_wait, self._is_out_of_time))
        self.meter.add(reply.tokens)
        self._tell(0)
        return reply

    def _heed(self, reply: Reply, pauses: int) -> bool:
        """Do what a reply asks for, and tell whether to go on."""
        if reply.stop_reason == "refusal":
            said = " ".join(inert(mask(reply.refusal)).split())[:300]
            return self._give_up(f"Claude declined to go on{f' ({said})' if said else ''}", "try another model")
        if reply.stop_reason == "max_tokens":
            return self._give_up("a reply of Claude was cut at its longest", "give the budget more tokens")
        if reply.stop_reason == "model_context_window_exceeded":
            return self._give_up("the memory fills the model's whole window", "choose a model with a larger one")
        if reply.content:
            self._messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason == "pause_turn":
            return pauses < PAUSES or self._give_up("Claude paused without end", "try again later")
        if reply.calls:
            return self._carry_out(reply.calls)
        return self._is_unfinished(reply)

    def _is_unfinished(self, reply: Reply) -> bool:
        """Close the card that is open when the model ends; where it has to be mended, let it do so."""
        if reply.text.strip():
            self.narrative = inert(self.toolbox.for_people(reply.text.strip()), keep_newlines=True)[:LONGEST_NARRATIVE]
        if not self.toolbox.has_open_card:
            return False
        try:
            self.toolbox.close()
        except RefusedError as error:
            self._say(self.toolbox.sendable(f"{error.args[0]}. Then end with your summary."))
            return True
        return False

    def _carry_out(self, calls: Sequence[Call]) -> bool:
        """Answer calls, and tell whether the dream still gets anywhere."""
        if len(calls) > MOST_CALLS:
            return self._give_up(f"Claude called its tools {len(calls):,} times at once", "try again, or another model")
        answers = self._answered(calls)
        times = self._times(answers)
        self._errors = self._errors + 1 if all(answer.is_error for _, answer in answers) else 0
        note = f"\n{AGAIN}" if times >= WARNED else ""
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": answer.text + note, "is_error": answer.is_error}
            for call, answer in answers
        ]
        self._messages.append({"role": "user", "content": results})
        if times >= REPEATS:
            return self._give_up(
                "Claude repeated the same call without getting anywhere", "try again, or another model"
            )
        if self._errors >= ERRORS:
            return self._give_up("Claude called its tools wrongly again and again", "try again, or another model")
        return True

    def _answered(self, calls: Sequence[Call]) -> list[tuple[Call, Answer]]:
        answers: list[tuple[Call, Answer]] = []
        room = MOST_ANSWERED
        for call in calls:
            self.task.check()
            answer = self.toolbox.call(call.name, call.given) if room > 0 else Answer(LATER, is_error=True)
            room -= len(answer.text)
            answers.append((call, answer))
        return answers

    def _times(self, answers: Sequence[tuple[Call, Answer]]) -> int:
        """Return how often these calls had these answers since a card was last made whole; numbers do not count."""
        if self.toolbox.count != self._whole:
            self._whole = self.toolbox.count
            self._seen.clear()
        said = json.dumps([(call.name, call.given, answer.text) for call, answer in answers], default=str)
        print_ = _NUMBER.sub("#", said)
        self._seen[print_] += 1
        return self._seen[print_]

    def _say(self, text: str) -> None:
        """Add words of our own; two messages of one side on end count as one to the API."""
        self._messages.append({"role": "user", "content": [{"type": "text", "text": text}]})

    def _give_up(self, why: str, remedy: str) -> bool:
        """End early: with what is whole, or with an error where nothing is.

        Raises:
            EngineError: nothing is.
        """
        self.toolbox.abandon()
        if not self.toolbox.count:
            raise EngineError(f"{why}, and nothing was whole by then: {remedy}; {LOCAL}")
        self._stop(f"{why}; what was whole by then is here: {remedy} for the rest")
        return False

    def _stop(self, why: str) -> None:
        self.warnings.append(why)

    def _is_out_of_time(self) -> bool:
        seconds = self.meter.budget.seconds
        return seconds is not None and self.meter.seconds >= seconds

    def _tell(self, characters: int) -> None:
        """Say how far the dream is, with what is coming in counted at about; not for every few characters."""
        if 0 < characters < self._told + STEP:
            return
        self._told = characters
        self._report(characters // CHARACTERS)

    def tell_used(self) -> None:
        """Say what was used up by a dream that came to nothing."""
        if self.meter.turns:
            cost = "" if self.meter.cost is None else f", {in_dollars(self.meter.cost)}"
            self._report(0, f"{self.meter.spent.total:,} tokens{cost} were used up")

    def _tell_wait(self, seconds: float, why: str) -> None:
        self._report(0, f"{why}; asking again in {seconds:,.0f} s")

    def _report(self, coming: int, note: str = "") -> None:
        self.task.on_progress(
            Progress(
                phase=self.toolbox.phase,
                files=len(self.task.corpus.documents),
                changes=self.toolbox.count,
                tokens=self.meter.spent.total + coming,
                cost_usd=self.meter.cost or 0.0,
                note=note,
            )
        )


def _with_marks(messages: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Return messages with a mark for the cache at the end of the last one of ours: all before it is read once."""
    marked = list(messages)
    for place in range(len(marked) - 1, 0, -1):
        content = marked[place]["content"]
        if marked[place]["role"] == "user" and isinstance(content, list) and content:
            marked[place] = {**marked[place], "content": [*content[:-1], {**content[-1], **_CACHED}]}
            break
    return marked
