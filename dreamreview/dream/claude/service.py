"""The API as the conversation sees it: one request, one reply, streamed, tried again where that helps."""

from __future__ import annotations

import json
import random
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dreamreview.dream.claude import failures
from dreamreview.dream.claude.waiting import SLICE, LostError, awaited
from dreamreview.dream.endpoint import address_problem, host_of, is_local, key_problem
from dreamreview.dream.engine import EngineError
from dreamreview.dream.prices import Tokens

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message
    from pydantic import BaseModel

    from dreamreview.dream.claude.failures import Failure
    from dreamreview.dream.engine import Task

ATTEMPTS = 4
"""How often one request is made at most."""
LONGEST_WAIT = 120.0
"""Seconds above which a wait that the API asks for is left to the person."""
FIRST_WAIT = 1.0
"""Seconds before the second attempt where the API asks for none; doubled each time."""
SILENCE = 120.0
"""Seconds without a byte after which a reply counts as broken off."""
MOST_STREAMED = 8 << 20
"""Characters of one reply beyond which nobody means it well."""
MOST_BYTES = 64 << 20
"""Bytes of one answer beyond which it is broken off: events bring about ten bytes to a character."""
LONGEST_REPLY = 1_800.0
"""Seconds that one reply may come in: the longest that is asked for takes half of that at 35 tokens a second."""
MOST_TOKENS = 1 << 40
"""A count beyond which it is none."""
LONGEST_COUNT = 60.0
"""Seconds after which it is dreamed without a count."""
_NONSENSE = (ValueError, TypeError, LookupError, AttributeError, RuntimeError)
"""What the SDK stumbles into where an answer does not follow the API."""


@dataclass(frozen=True, slots=True)
class Request:
    """What one reply is asked for with."""

    model: str
    system: Sequence[dict[str, object]]
    tools: Sequence[dict[str, object]]
    messages: Sequence[dict[str, object]]
    max_tokens: int
    effort: str | None = None

    def fields(self) -> dict[str, Any]:
        """Return it as the API takes it, without the length of the reply."""
        found: dict[str, Any] = {
            "model": self.model,
            "system": list(self.system),
            "tools": list(self.tools),
            "messages": list(self.messages),
        }
        if self.effort is not None:
            found["output_config"] = {"effort": self.effort}
        return found


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that the model calls."""

    id: str
    name: str
    given: object


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back."""

    content: Sequence[dict[str, object]]
    """The blocks as they came, to be sent back like that; the API takes back no empty words."""
    text: str
    calls: tuple[Call, ...]
    stop_reason: str
    tokens: Tokens
    refusal: str = ""
    """Why it was refused, where that is said."""


class OutOfTimeError(Exception):
    """The time of the budget ran out while a reply came in."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who waits for a reply, and may give up."""

    task: Task
    on_text: Callable[[int], None]
    """Is told how many characters of the reply have come in."""
    on_wait: Callable[[float, str], None]
    """Is told for how many seconds it is waited, and why."""
    is_out_of_time: Callable[[], bool]

    def check(self) -> None:
        """Obey a stop.

        Raises:
            DreamCancelledError: the task was cancelled.
            OutOfTimeError: the time is up.
        """
        self.task.check()
        if self.is_out_of_time():
            raise OutOfTimeError


class BrokenOffError(Exception):
    """A reply ended before its end."""


class EndlessError(Exception):
    """A reply comes in and comes to no end."""


@dataclass(slots=True)
class Service:
    """Asks the API; every failure ends in an `EngineError` of one line."""

    api_key: str | None = None
    auth_token: str | None = None
    base_url: str | None = None
    pause: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random
    clock: Callable[[], float] = time.monotonic
    _client: anthropic.Anthropic | None = field(default=None, init=False)

    @property
    def host(self) -> str:
        """Who is asked."""
        return host_of(self._address)

    @property
    def _address(self) -> str:
        return self.base_url or "https://api.anthropic.com"

    def check(self) -> None:
        """Make sure that a request can be made at all, without making one.

        Raises:
            EngineError: there is no key, it is none, or it would be sent in the clear.
        """
        key, name = (self.api_key, "ANTHROPIC_API_KEY") if self.api_key else (self.auth_token, "ANTHROPIC_AUTH_TOKEN")
        problem = address_problem(self._address) or (key_problem(key, name) if key else None)
        if problem is not None:
            raise EngineError(f"{problem}; {failures.LOCAL}")
        if not key:
            raise EngineError(failures.no_key().said)

    def count(self, request: Request, task: Task) -> int | None:
        """Return how many tokens a request holds; None where the API does not count.

        Raises:
            EngineError: it is known from the answer that no request will succeed.
        """
        import anthropic

        client = self._made()
        errors = (anthropic.AnthropicError, *_NONSENSE)
        try:
            check = self._ending(task.check, LONGEST_COUNT)
            found = awaited(lambda _: client.messages.count_tokens(**request.fields()).input_tokens, errors, check)
        except (anthropic.AuthenticationError, anthropic.PermissionDeniedError) as error:
            raise EngineError(failures.from_status(error, request.model, self.host).said) from None
        except (*errors, LostError, EndlessError):
            return None
        return found if type(found) is int and 0 <= found <= MOST_TOKENS else None

    def reply(self, request: Request, caller: Caller) -> Reply:
        """Ask for one reply, as often as it takes.

        Raises:
            EngineError: the API did not answer.
            DreamCancelledError: the task was cancelled.
            OutOfTimeError: the caller ran out of time.
        """
        for attempt in range(1, ATTEMPTS + 1):
            failure = self._try(request, caller)
            if isinstance(failure, Reply):
                return failure
            wait = failure.wait
            if wait is None:
                wait = FIRST_WAIT * 2 ** (attempt - 1) * (1 + self.jitter()) / 2
            if not failure.is_passing or attempt == ATTEMPTS or wait > LONGEST_WAIT:
                raise EngineError(failure.said)
            caller.on_wait(wait, failure.said.partition(": ")[0])
            self._wait(wait, caller)
        raise EngineError(failures.unreachable(self.host).said)

    def _try(self, request: Request, caller: Caller) -> Reply | Failure:
        import anthropic
        import httpx2

        try:
            return self._stream(request, caller)
        except anthropic.APIStatusError as error:
            return failures.from_status(error, request.model, self.host)
        except anthropic.APIConnectionError:
            return failures.unreachable(self.host)
        except anthropic.CredentialsError:
            return failures.no_key()
        except EndlessError:
            return failures.endless(self.host)
        except (BrokenOffError, LostError, httpx2.HTTPError, anthropic.AnthropicError, *_NONSENSE):
            return failures.cut(self.host)

    def _stream(self, request: Request, caller: Caller) -> Reply:
        import anthropic
        import httpx2

        client = self._made()

        def work(tell: Callable[[int], None]) -> Reply:
            size, has_begun = 0, False
            with client.messages.stream(max_tokens=request.max_tokens, **request.fields()) as stream:
                for event in stream:
                    has_begun = has_begun or event.type == "message_start"
                    size += len(_streamed(event))
                    if size > MOST_STREAMED:
                        raise BrokenOffError
                    tell(size)
                if not has_begun:
                    raise BrokenOffError
                return _read(stream.current_message_snapshot)

        errors = (anthropic.AnthropicError, httpx2.HTTPError, BrokenOffError, *_NONSENSE)
        return awaited(work, errors, self._ending(caller.check, LONGEST_REPLY), caller.on_text)

    def _ending(self, check: Callable[[], None], seconds: float) -> Callable[[], None]:
        """Return what checks as `check` does, and raises `EndlessError` once so many seconds are over."""
        end = self.clock() + seconds

        def checked() -> None:
            check()
            if self.clock() > end:
                raise EndlessError

        return checked

    def _wait(self, seconds: float, caller: Caller) -> None:
        left = seconds
        while left > 0:
            caller.check()
            self.pause(min(left, SLICE))
            left -= SLICE

    def _made(self) -> anthropic.Anthropic:
        if self._client is None:
            import anthropic
            import httpx2

            from dreamreview.dream.bounded import hooks

            # What an answer is that does not follow the API is told of in a line of ours.
            warnings.filterwarnings("ignore", message="Pydantic serializer warnings")
            self._client = anthropic.Anthropic(
                api_key=self.api_key or None,
                auth_token=None if self.api_key else self.auth_token,
                base_url=self._address,
                max_retries=0,
                timeout=httpx2.Timeout(SILENCE, connect=10.0),
                http_client=anthropic.DefaultHttpxClient(
                    trust_env=not is_local(self._address),
                    follow_redirects=False,
                    event_hooks=hooks(MOST_BYTES, LONGEST_REPLY),
                ),
            )
        return self._client


def _streamed(event: Any) -> str:
    """Return the characters that an event of the stream brings."""
    delta = getattr(event, "delta", None)
    for key in ("text", "partial_json", "thinking"):
        piece = getattr(delta, key, None)
        if isinstance(piece, str):
            return piece
    return ""


def _read(message: Message) -> Reply:
    """Read a finished message.

    Raises:
        BrokenOffError: it has no end, or calls tools by what is no name.
        ValueError: it holds what could not be sent back.
    """
    called = [block for block in message.content if block.type == "tool_use"]
    names = [message.stop_reason, *(name for block in called for name in (block.id, block.name))]
    if message.stop_reason is None or not all(isinstance(name, str) for name in names):
        raise BrokenOffError
    content = [_back(block) for block in message.content if block.type != "text" or block.text]
    json.dumps(content, ensure_ascii=False).encode("utf-8")
    usage = message.usage
    details = getattr(message, "stop_details", None)
    return Reply(
        content=content,
        text="\n".join(block.text for block in message.content if block.type == "text"),
        calls=tuple(Call(block.id, block.name, block.input) for block in called),
        stop_reason=message.stop_reason,
        tokens=Tokens(
            fresh=_amount(usage.input_tokens),
            cache_write=_amount(usage.cache_creation_input_tokens),
            cache_read=_amount(usage.cache_read_input_tokens),
            output=_amount(usage.output_tokens),
        ),
        refusal=str(getattr(details, "explanation", None) or ""),
    )


def _back(block: BaseModel) -> dict[str, object]:
    unsent = getattr(block, "__api_exclude__", None)
    return block.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude=unsent, warnings=False)


def _amount(given: object) -> int:
    """Return a count that a server names; what is no count counts as nothing."""
    return min(max(given, 0), MOST_TOKENS) if isinstance(given, int) else 0
