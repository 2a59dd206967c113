"""What a memory store, or a dream of one, has that a folder has not: read whole, and told from what is old."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dreamreview.dream.hosted.calling import OFFER, MissingError, ServiceError, said
from dreamreview.dream.hosted.following import COMPLETED, FINAL, failure, words
from dreamreview.dream.hosted.laying import Sides
from dreamreview.dream.hosted.outgoing import Outgoing, line, name_of
from dreamreview.model.uploads import Sent

if TYPE_CHECKING:
    from dreamreview.dream.hosted.service import Dreaming, Memory, Service


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder as it may be sent."""

    files: tuple[Outgoing, ...]
    paths: Collection[str]
    """Every path of it, also those that cannot be sent."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What is to be laid into a copy of the folder."""

    memories: tuple[Memory, ...]
    sides: Sides
    narrative: str
    left: tuple[str, ...] = ()
    """One line for each thing that does not come."""
    reason: str = ""
    """Of each change, in a sentence; the narrative without one."""
    seen: Mapping[str, str] = field(default_factory=dict)
    """Path to digest of what stands there where it is another than was known; empty for nothing."""


def ended(service: Service, name: str) -> Dreaming:
    """Return a dream that has completed.

    Raises:
        ServiceError: there is no such dream, it is under way, it came to nothing, or it changed its own source.
    """
    try:
        found = service.dream(name)
    except MissingError as error:
        raise ServiceError(f"the service has no dream {name}; is it the right key?") from error
    if found.status not in FINAL and not found.has_ended:
        raise ServiceError(f"the hosted dream {name} is still {said(found.status)}; import it once it has completed")
    if found.status != COMPLETED or not found.result:
        raise ServiceError(str(failure(found)).removesuffix(OFFER))
    if not found.source:
        raise ServiceError(f"the service does not say which memory store the dream {name} read")
    if found.result == found.source:
        raise ServiceError(
            f"the hosted dream {name} wrote into {found.source} itself; import memstore:{found.source} to see it"
        )
    return found


def of_dream(service: Service, dreaming: Dreaming, source: Mapping[str, Memory], arrived: Folder) -> Arrival:
    """Return what a dream changed in the store that a folder is a copy of, or that is a copy of the folder.

    Args:
        service: where.
        dreaming: the dream.
        source: by name, what the store that it read holds.
        arrived: the folder.
    """
    held = {name: memory.digest for name, memory in source.items()}
    sent = {out.path: out for out in arrived.files if held.get(out.name) == out.digest}
    names = {out.name for out in sent.values()}
    result = contents(service, dreaming.result)
    told = f"The hosted dream {dreaming.id} of the memory store {dreaming.source}."
    return Arrival(
        memories=result,
        sides=Sides(sent, frozenset(source.keys() - names), frozenset(arrived.paths)),
        narrative="\n\n".join(filter(None, (words(service, dreaming), told))),
        reason=told,
    )


def of_store(service: Service, store: str, arrived: Folder, known: Mapping[str, Sent] | None) -> Arrival:
    """Return what was changed in a store since it and the folder were last the same.

    Args:
        service: where.
        store: its id.
        arrived: the folder.
        known: what stood there by path; None where the two have nothing to do with each other, and all is compared.
    """
    memories = contents(service, store)
    there = {memory.name: memory for memory in memories}
    sent: dict[str, Outgoing] = {}
    seen: dict[str, str] = {}
    old: set[str] = set()
    left: list[str] = []
    for out in arrived.files:
        memory, before = there.get(out.name), None if known is None else known.get(out.path, Sent(""))
        if before is not None and not before.digests and memory is None:
            continue
        if before is not None and memory is not None and memory.digest in before.digests:
            old.add(out.name)
            continue
        if before is not None and memory is None and out.digest not in before.digests:
            left.append(line(out.path, "not deleted, it is gone there, but another here by now"))
            continue
        sent[out.path] = out
        seen[out.path] = "" if memory is None else memory.digest
    here = {out.name for out in arrived.files}
    for path, before in (known or {}).items():
        memory = there.get(name_of(path))
        if memory is not None and name_of(path) not in here and memory.digest in before.digests:
            old.add(memory.name)
    came = tuple(memory for memory in memories if memory.name not in old)
    seen |= {one.name.removeprefix("/"): one.digest for one in came if one.name not in here}
    sides = Sides(sent, frozenset(), frozenset(arrived.paths))
    told = f"The memory store {store} as it is at the service."
    return Arrival(came, sides, told, tuple(left), seen=seen)


def contents(service: Service, store: str) -> tuple[Memory, ...]:
    """Return what a store holds, whole.

    Raises:
        ServiceError: there is no such store, or it cannot be read whole.
    """
    try:
        return tuple(service.memories(store, has_content=True))
    except MissingError as error:
        raise ServiceError(f"the service has no memory store {store}; is it the right key?") from error
