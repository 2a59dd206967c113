"""How the service is called: bounded answers, patient but bounded trying again, and each error in one line."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from dreamreview.dream.endpoint import is_local
from dreamreview.dream.engine import DreamCancelledError, EngineError
from dreamreview.model.inert import inert
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    from anthropic import Anthropic, APIStatusError

MAX_ANSWER = 32 * 1024 * 1024
"""Bytes of one answer: 20 memories of 100 kB in which every character is escaped take less."""
TIMEOUT = 60.0
"""Seconds that a service may be silent."""
LONGEST_ANSWER = 300.0
"""Seconds that one answer may come in: the largest does so at a megabit a second."""
WAITS = (1.0, 2.0, 4.0)
"""Seconds before each further attempt where a service failed or could not be reached."""
LIMITED_WAITS = (5.0, 10.0, 20.0, 40.0, 60.0)
"""The same where it had too many requests: its limits count by the minute."""
LONGEST_WAIT = 60.0
"""Seconds that a busy service can make us wait before the next attempt."""

OFFER = "; `dreamreview dream FOLDER --engine local` needs no service"
NO_KEY = f"the hosted engine needs a key: set ANTHROPIC_API_KEY{OFFER}"

_STEP = 0.5
"""Seconds after which a stop is noticed while we wait."""
_SAID = 200
_T = TypeVar("_T")


class ServiceError(EngineError):
    """The service refused, failed or answered what cannot be used."""


class RefusedError(ServiceError):
    """The service will not have this one thing; another it may."""


class MissingError(ServiceError):
    """What was asked for is not there."""


class ConflictError(ServiceError):
    """Something else stands there than was expected."""


class UncertainError(ServiceError):
    """Nothing tells whether the service did what it was asked for."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time comes from."""

    now: Callable[[], float] = time.monotonic
    """Seconds since some moment."""
    sleep: Callable[[float], None] = time.sleep

    def wait(self, seconds: float, is_cancelled: Callable[[], bool]) -> None:
        """Wait in short steps.

        Raises:
            DreamCancelledError: `is_cancelled` said so.
        """
        end = self.now() + seconds
        while (left := end - self.now()) > 0:
            if is_cancelled():
                raise DreamCancelledError("the dream was stopped; nothing was kept")
            self.sleep(min(left, _STEP))


def client_of(**given: object) -> Anthropic:
    """Return a client of the service that follows no redirect, tries once and reads bounded answers.

    Key and address are those that the SDK finds: ``ANTHROPIC_API_KEY``, ``ANTHROPIC_BASE_URL`` and its profiles.
    """
    from anthropic import Anthropic, AnthropicError, DefaultHttpxClient

    from dreamreview.dream.bounded import hooks

    logging.getLogger("anthropic").addHandler(logging.NullHandler())
    bounds = hooks(MAX_ANSWER, LONGEST_ANSWER)
    trusts = not is_local(os.environ.get("ANTHROPIC_BASE_URL", ""))
    http = DefaultHttpxClient(trust_env=trusts, follow_redirects=False, event_hooks=bounds)
    try:
        return Anthropic(http_client=http, max_retries=0, timeout=TIMEOUT, **given)  # type: ignore[arg-type]
    except (AnthropicError, ValueError, TypeError, OSError) as error:
        raise ServiceError(f"what is kept of your key cannot be used: {said(error)}{OFFER}") from error


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes calls, and makes them again where the service was busy or could not be reached."""

    clock: Clock
    is_cancelled: Callable[[], bool]

    def __call__(self, call: Callable[[], _T], *, is_safe: bool = True) -> _T:
        """Make a call.

        Args:
            call: it.
            is_safe: whether it may be made again when nothing tells if it was heard.

        Raises:
            ServiceError: it came to nothing.
            DreamCancelledError: a stop was asked for.
        """
        attempt = 0
        while True:
            try:
                return _called(call)
            except _Busy as busy:
                waits = LIMITED_WAITS if busy.is_limited else WAITS
                if attempt >= len(waits) or not (is_safe or busy.is_unheard):
                    raise busy.error from busy
                wait = min(busy.after or waits[attempt], LONGEST_WAIT)
            attempt += 1
            self.clock.wait(wait, self.is_cancelled)


class _Busy(Exception):  # noqa: N818 - never leaves this module
    """A call that may be made again."""

    def __init__(self, error: ServiceError, *, is_unheard: bool, is_limited: bool = False, after: float = 0.0) -> None:
        super().__init__(str(error))
        self.is_limited = is_limited
        self.error = error
        self.is_unheard = is_unheard
        self.after = after


def _called(call: Callable[[], _T]) -> _T:
    import anthropic
    import httpx2

    try:
        return call()
    except anthropic.APIStatusError as error:
        raise _translated(error) from error
    except anthropic.APITimeoutError as error:
        raise _Busy(UncertainError(f"the service did not answer in time{OFFER}"), is_unheard=False) from error
    except anthropic.APIConnectionError as error:
        cause = said(error.__cause__ or error)
        advice = "look at the network (and ANTHROPIC_BASE_URL)"
        is_unheard = isinstance(error.__cause__, httpx2.ConnectError | httpx2.ConnectTimeout)
        kind = ServiceError if is_unheard else UncertainError
        told = kind(f"the service cannot be reached: {cause}; {advice}, then try again{OFFER}")
        raise _Busy(told, is_unheard=is_unheard) from error
    except anthropic.CredentialsError as error:
        raise ServiceError(NO_KEY) from error
    except (anthropic.AnthropicError, TypeError, ValueError, RecursionError, AttributeError) as error:
        # The SDK builds its values of any answer without a look at it, and stumbles over odd ones in odd ways.
        why = f": {said(error)}" if isinstance(error, anthropic.AnthropicError) else "; is the address right?"
        raise ServiceError(f"the service answered what cannot be read{why}{OFFER}") from error


def _translated(error: APIStatusError) -> ServiceError | _Busy:
    status, told = error.status_code, said(error.api_message or "")
    because = f": {told}" if told else ""
    if status == 401:
        return ServiceError(f"the service does not accept the key in ANTHROPIC_API_KEY{because}{OFFER}")
    if status == 402 or error.type == "billing_error":
        return ServiceError(f"the service wants its bills settled first{because}{OFFER}")
    if status == 403 or _is_not_enabled(error):
        return ServiceError(
            f"memory stores and dreams are not enabled for this key{because}; "
            f"ask for access at https://claude.com/form/claude-managed-agents{OFFER}"
        )
    if status == 404:
        return MissingError(f"the service has no such thing{because}")
    if status in (409, 412):
        return ConflictError(f"something else stands there by now{because}")
    if status in (408, 429) or status >= 500:
        words = "has had too many requests" if status == 429 else f"cannot answer just now (status {status})"
        is_unheard = status in (429, 503, 529)
        kind = ServiceError if is_unheard else UncertainError
        told_busy = kind(f"the service {words}{because}; try again later{OFFER}")
        return _Busy(told_busy, is_unheard=is_unheard, is_limited=status in (429, 529), after=_after(error))
    if status < 400:
        return ServiceError(
            f"the service sends us to another address, where nothing is sent: correct ANTHROPIC_BASE_URL{OFFER}"
        )
    return RefusedError(f"the service refused (status {status}){because}")


def _is_not_enabled(error: APIStatusError) -> bool:
    code, told = error.error_code or "", (error.api_message or "").casefold()
    return code == "organization_not_enrolled_in_beta" or (error.status_code == 400 and "anthropic-beta" in told)


def _after(error: APIStatusError) -> float:
    try:
        return max(float(error.response.headers.get("retry-after", "0")), 0.0)
    except ValueError:
        return 0.0


def said(what: object) -> str:
    """Return what an error or a service says as one short line that is safe to show."""
    text = mask(" ".join(str(what).split()))
    return inert(text if len(text) <= _SAID else text[: _SAID - 1] + "…")
