"""What went wrong between here and the API, as one line that says what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dreamreview.model.inert import inert
from dreamreview.model.secrets import mask

if TYPE_CHECKING:
    import anthropic

LOCAL = "or dream with --engine local, which needs no network"
"""The way out that is always there."""
RETRIED = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
"""Status codes after which the same request may succeed a moment later."""
_LONGEST = 200
_TYPES = {"overloaded_error": 529, "rate_limit_error": 429, "api_error": 500, "timeout_error": 504}
"""Kinds of error that a reply may break off with, after it began well, to the status they stand for."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed request."""

    said: str
    """The line for the person, without a full stop."""
    is_passing: bool = False
    """Whether the same request may succeed a moment later."""
    wait: float | None = None
    """Seconds that the API asked to wait."""


def no_key() -> Failure:
    """Return what is wrong when no key was found anywhere."""
    return Failure(f"Claude needs an API key and there is none: set ANTHROPIC_API_KEY; {LOCAL}")


def cut(host: str) -> Failure:
    """Return what is wrong when a reply broke off."""
    return Failure(f"the reply of {host} broke off: try again in a moment; {LOCAL}", is_passing=True)


def endless(host: str) -> Failure:
    """Return what is wrong when a reply comes to no end."""
    return Failure(f"the reply of {host} comes to no end: try again later; {LOCAL}")


def unreachable(host: str) -> Failure:
    """Return what is wrong when nobody answers."""
    return Failure(f"{host} cannot be reached: check the network; {LOCAL}", is_passing=True)


def from_status(error: anthropic.APIStatusError, model: str, host: str) -> Failure:
    """Return what an answer with an error means."""
    status = _TYPES.get(str(error.type), 500) if error.status_code < 300 else error.status_code
    if status < 400:
        return Failure(
            f"{host} sends us to another address, where nothing is sent: correct ANTHROPIC_BASE_URL; {LOCAL}"
        )
    detail = _detail(error)
    if status == 429:
        wait = _wait(error)
        again = f"in {wait:,.0f} seconds" if wait else "later"
        return Failure(f"the rate limit of your Claude account is reached: try again {again}; {LOCAL}", True, wait)
    if status == 529:
        return Failure(f"Claude is overloaded: try again in a few minutes; {LOCAL}", True, _wait(error))
    if status in RETRIED or status >= 500:
        said = f"{host} failed with status {status}: try again in a few minutes; {LOCAL}"
        return Failure(said, True, _wait(error))
    known = {
        400: f"{host} refused the request{detail}: another model or effort may take it; {LOCAL}",
        401: f"the API key is not valid: correct ANTHROPIC_API_KEY; {LOCAL}",
        402: f"the Claude account cannot be charged{detail}: see to its billing; {LOCAL}",
        403: f"the API key may not use {model}{detail}: choose another model or key; {LOCAL}",
        404: f"{host} knows no model {model}: set `model` in the configuration; {LOCAL}",
        413: f"the memory is too large for one request{detail}: dream over a smaller folder; {LOCAL}",
    }
    return Failure(known.get(status, f"{host} answered with status {status}{detail}; {LOCAL}"))


def _detail(error: anthropic.APIStatusError) -> str:
    """Return the API's own words, in brackets, harmless and bounded."""
    said = " ".join(inert(mask(str(error.api_message or ""))).split())[:_LONGEST]
    return f" ({said.rstrip('.')})" if said else ""


def _wait(error: anthropic.APIStatusError) -> float | None:
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None
