"""A dream at the service from the asking to its end: begun once, found again after a kill, followed, stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dreamreview.dream import prices
from dreamreview.dream.engine import DreamCancelledError, Progress
from dreamreview.dream.hosted.calling import OFFER, MissingError, RefusedError, ServiceError, UncertainError, said
from dreamreview.dream.prices import Tokens
from dreamreview.model.secrets import mask
from dreamreview.model.uploads import Running, Uploads

if TYPE_CHECKING:
    from dreamreview.dream.engine import Task
    from dreamreview.dream.hosted.calling import Clock
    from dreamreview.dream.hosted.service import Dreaming, Service
    from dreamreview.store.uploads import UploadsFile

COMPLETED = "completed"
FINAL = frozenset({COMPLETED, "failed", "canceled", "cancelled", "expired"})
"""Statuses after which nothing more comes."""

FIRST_WAIT, LONGEST_WAIT, GROWTH = 1.0, 30.0, 1.5
"""Seconds between two looks at a dream: at first, at most, and how fast that grows."""

_LEAST_WAIT = 0.01
_PHASES = {"pending": "wait", "running": "consolidate"}

LIMIT = 6 * 3600.0
"""Seconds that a dream is followed at most. The Dreams guide speaks of minutes to a few hours."""

_WHY: Mapping[str, str] = {
    "timeout": "it took too long; give it fewer sessions or less memory",
    "internal_error": "something broke there; try again later",
    "memory_store_org_limit_exceeded": "your organization has as many memory stores as it may; delete some",
    "input_memory_store_too_large": "the memory is too large for it",
    "input_memory_store_unavailable": "its memory store was archived or deleted meanwhile",
    "input_session_unavailable": "one of its sessions was deleted meanwhile",
}
"""Code of a failure to what it means. The Dreams guide's list."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked of a dream besides the memory."""

    model: str
    sessions: tuple[str, ...] = ()
    instructions: str = ""


def resume(service: Service, uploads: Uploads) -> Dreaming | None:
    """Return the dream that was under way when we last ended, where it is still there."""
    running = uploads.running
    if running is None:
        return None
    if running.id:
        try:
            return service.dream(running.id)
        except MissingError:
            return None
    known = {*uploads.dreams}
    return next((one for one in service.dreams_of(uploads.store) if one.id not in known), None)


def begin(
    service: Service, file: UploadsFile, uploads: Uploads, sent: Mapping[str, str], wish: Wish
) -> tuple[Dreaming, Uploads]:
    """Ask for a dream, and keep that it was asked for before the service hears of it.

    Args:
        service: where.
        file: where that is kept.
        uploads: what is known.
        sent: path to digest of each file that the dream is made of.
        wish: how to dream.
    """
    uploads = replace(uploads, running=Running("", sent))
    file.save(uploads)
    try:
        found = service.create_dream(uploads.store, wish.sessions, wish.model, wish.instructions)
    except UncertainError:
        raise
    except ServiceError as error:
        file.save(replace(uploads, running=None))
        raise _explained(error, wish) from error
    uploads = replace(uploads, running=Running(found.id, sent))
    file.save(uploads)
    return found, uploads


def _explained(error: ServiceError, wish: Wish) -> ServiceError:
    if isinstance(error, MissingError):
        return ServiceError(f"the service knows no dreams; are they enabled for this key?{OFFER}")
    if "session" in str(error).casefold() and not wish.sessions:
        return ServiceError(
            f"{error}; it wants sessions of the service beside the memory: name their ids (sesn_..) in the "
            f"configuration as hosted_sessions{OFFER}"
        )
    return ServiceError(f"{error}{OFFER}") if isinstance(error, RefusedError) else error


def cost_of(dreaming: Dreaming) -> float | None:
    """Return what a dream cost up to now in US dollars; None where the price of its model is not known."""
    spent = dreaming.spent
    tokens = Tokens(spent.input_tokens, spent.cache_write_tokens, spent.cache_read_tokens, spent.output_tokens)
    return prices.cost_of(dreaming.model, tokens)


def follow(
    service: Service, dreaming: Dreaming, task: Task, clock: Clock, on_stop: Callable[[], None] = lambda: None
) -> Dreaming:
    """Look at a dream until it has ended, was stopped, or has used up what it may.

    Args:
        service: where.
        dreaming: as it was last seen.
        task: whose progress, budget and wish to stop count.
        clock: where time comes from.
        on_stop: is called once a dream that was to be stopped is stopped there too.

    Raises:
        DreamCancelledError: a stop was asked for; the dream was stopped there too.
        ServiceError: the service is out of reach, or the dream takes too long; it goes on there.
    """
    try:
        dreaming = _watched(service, dreaming, task, clock)
    except (DreamCancelledError, KeyboardInterrupt):
        with suppress(ServiceError):
            service.cancel(dreaming.id)
            on_stop()
        raise
    except MissingError as error:
        raise MissingError(f"the hosted dream {dreaming.id} is no longer there; dream again") from error
    except ServiceError as error:
        advice = "the dream goes on there, and the same command takes it up again"
        raise ServiceError(f"{str(error).removesuffix(OFFER)}; {advice}") from error
    if not _has_ended(dreaming):
        status = said(dreaming.status)
        raise ServiceError(f"the hosted dream {dreaming.id} is still {status}; dream again to take it up")
    return dreaming


def _watched(service: Service, dreaming: Dreaming, task: Task, clock: Clock) -> Dreaming:
    """Return a dream as it was last seen, once it has ended or was watched for as long as it may be."""
    start, wait = clock.now(), FIRST_WAIT
    while not _has_ended(dreaming) and (seconds := clock.now() - start) <= LIMIT:
        _tell(dreaming, task)
        if _is_spent(dreaming, task, seconds):
            return service.cancel(dreaming.id)
        left = min(LIMIT, task.budget.seconds or LIMIT) - seconds
        clock.wait(max(min(wait, left), _LEAST_WAIT), task.is_cancelled)
        wait = min(wait * GROWTH, LONGEST_WAIT)
        dreaming = service.dream(dreaming.id)
    return dreaming


def _has_ended(dreaming: Dreaming) -> bool:
    return dreaming.status in FINAL or dreaming.has_ended


def _tell(dreaming: Dreaming, task: Task) -> None:
    task.on_progress(
        Progress(
            phase=_PHASES.get(dreaming.status, "wait"),
            files=len(task.corpus.documents),
            tokens=dreaming.spent.total,
            cost_usd=cost_of(dreaming) or 0.0,
            note=f"the dream {dreaming.id} is {said(dreaming.status)} at the service",
        )
    )


def _is_spent(dreaming: Dreaming, task: Task, seconds: float) -> bool:
    return bool(task.budget.reached(tokens=dreaming.spent.total, seconds=seconds, cost_usd=cost_of(dreaming) or 0.0))


def words(service: Service, dreaming: Dreaming) -> str:
    """Return what a dream said of itself at the end, as it may be kept; empty where that cannot be had."""
    try:
        text = service.last_words(dreaming.session) if dreaming.session else ""
    except ServiceError:
        return ""
    return mask(text.encode("utf-8", "replace").decode("utf-8"))


def failure(dreaming: Dreaming) -> ServiceError:
    """Return what to tell of a dream that ended without a result."""
    status, name = dreaming.status, f"the hosted dream {dreaming.id}"
    if status == COMPLETED:
        return ServiceError(f"{name} completed without a memory store to read{OFFER}")
    if status == "failed":
        why = _WHY.get(dreaming.error_type) or said(dreaming.error) or "the service does not say why"
        return ServiceError(f"{name} failed: {why}{OFFER}")
    if status in ("canceled", "cancelled"):
        return ServiceError(f"{name} was canceled; nothing was kept")
    if status == "expired":
        return ServiceError(f"{name} has expired; dream again{OFFER}")
    return ServiceError(f"{name} ended as {said(status)!r}, which is not known here; nothing was kept{OFFER}")
