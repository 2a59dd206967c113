"""The Memory Stores and Dreams APIs as the rest of the engine sees them: checked values in, checked values out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dreamreview.dream.hosted.calling import Caller, MissingError, ServiceError
from dreamreview.dream.hosted.rules import MAX_BYTES, MAX_MEMORIES, MAX_TOTAL
from dreamreview.model.uploads import is_digest, is_id

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types.beta import BetaDreamInputParam
    from anthropic.types.beta.memory_stores import BetaManagedAgentsPreconditionParam

MAX_SESSIONS = 100
"""Sessions that one dream reads. The Dreams API's limit."""
PAGE = 100
FULL_PAGE = 20
"""Memories that one answer holds with their content, and without it 100. The Memory Stores API's limits."""

_TEXT_LIMIT = 500
_WORDS_LIMIT = 16_000
_CURSOR_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as the service has it."""

    id: str
    name: str
    """Its path there, with ``/`` in front."""
    digest: str
    """sha256 of its content."""
    version: str = ""
    content: str | None = None
    """None where it was not asked for, or is no text that may come."""


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens that a dream used up to now."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens


@dataclass(frozen=True, slots=True)
class Dreaming:
    """A dream as the service has it."""

    id: str
    status: str
    """``pending``, ``running``, ``completed``, ``failed``, ``canceled``, or what the service calls it since."""
    source: str
    """Id of the memory store that it reads."""
    result: str = ""
    """Id of the memory store that it writes; empty until it does."""
    spent: Spent = field(default_factory=Spent)
    model: str = ""
    error: str = ""
    """Why it failed, as the service says: untrusted."""
    error_type: str = ""
    has_ended: bool = False
    session: str = ""
    """Id of the session that runs it; empty until it does."""


class Service:
    """A client of the service that believes nothing it answers.

    Every method raises `ServiceError`, in one line for the person, where the service refuses or cannot be reached.

    Args:
        client: the SDK's.
        caller: makes each call, and tries again where that may help.
    """

    def __init__(self, client: Anthropic, caller: Caller) -> None:
        self._client = client
        self._call = caller

    @property
    def endpoint(self) -> str:
        """Address of the service."""
        return str(self._client.base_url)

    def create_store(self, name: str, description: str, token: str) -> str:
        """Make a memory store and return its id."""
        create = self._client.beta.memory_stores.create
        marks = {"dreamreview": token}
        made = self._call(lambda: create(name=name, description=description, metadata=marks), is_safe=False)
        return _id(made, "id")

    def find_store(self, token: str) -> str | None:
        """Return the store that bears a token, where one of the newest does."""
        found = self._call(lambda: self._client.beta.memory_stores.list(limit=PAGE))
        for store in _items(found):
            marks = getattr(store, "metadata", None)
            if isinstance(marks, dict) and marks.get("dreamreview") == token and is_id(getattr(store, "id", None)):
                return str(store.id)
        return None

    def require_store(self, store: str) -> None:
        """Make sure that a memory store can be written to.

        Raises:
            MissingError: it is gone, or was archived.
        """
        try:
            found = self._call(lambda: self._client.beta.memory_stores.retrieve(store))
        except MissingError:
            next(self.memories(store), None)  # a key that may not look at stores may still use this one
            return
        if getattr(found, "archived_at", None) is not None:
            raise MissingError(f"the memory store {store} was archived")

    def memories(self, store: str, *, has_content: bool = False) -> Iterator[Memory]:
        """Yield what a store holds, page by page; never part of it: an answer without end is an error."""
        from anthropic import omit

        listing = self._client.beta.memory_stores.memories.list
        limit = FULL_PAGE if has_content else PAGE
        size = 0

        def page_at(cursor: str) -> object:
            return listing(store, view="full" if has_content else "basic", limit=limit, page=cursor or omit)

        items = (item for item in self._pages(page_at) if getattr(item, "type", None) != "memory_prefix")
        for count, item in enumerate(items, start=1):
            memory = _memory(item)
            if has_content and getattr(item, "content", None) is None:
                memory = self.memory(store, memory.id)
            size += len(memory.content or "")
            if count > MAX_MEMORIES or size > MAX_TOTAL:
                raise ServiceError(f"the memory store {store} holds more than a memory store can; nothing was taken")
            yield memory

    def memory(self, store: str, memory: str) -> Memory:
        """Return one memory with its content."""
        retrieve = self._client.beta.memory_stores.memories.retrieve
        return _memory(self._call(lambda: retrieve(memory, memory_store_id=store, view="full")))

    def put(self, store: str, name: str, content: str) -> Memory:
        """Make a memory.

        Raises:
            ConflictError: something is there under that path.
            RefusedError: the service will not have it.
        """
        create = self._client.beta.memory_stores.memories.create
        return _written(self._call(lambda: create(store, path=name, content=content)), name, content)

    def change(self, store: str, memory: str, name: str, expected: str, content: str) -> Memory:
        """Give a memory another content, if its digest is still the one that is expected.

        Args:
            store: where.
            memory: its id.
            name: its path.
            expected: the digest.
            content: what it is to hold.

        Raises:
            ConflictError: it is not.
            MissingError: it is gone.
            RefusedError: the service will not have it.
        """
        update = self._client.beta.memory_stores.memories.update
        condition: BetaManagedAgentsPreconditionParam = {"type": "content_sha256", "content_sha256": expected}
        found = self._call(lambda: update(memory, memory_store_id=store, content=content, precondition=condition))
        return _written(found, name, content)

    def remove(self, store: str, memory: str, expected: str) -> None:
        """Remove a memory, if its digest is still the one that is expected.

        Raises:
            ConflictError: it is not.
            MissingError: it is gone already.
        """
        delete = self._client.beta.memory_stores.memories.delete
        self._call(lambda: delete(memory, memory_store_id=store, expected_content_sha256=expected))

    def sessions_of(self, store: str) -> tuple[str, ...]:
        """Return the ids of the newest sessions that had a memory store, at most as many as a dream reads."""
        found = self._call(lambda: self._client.beta.sessions.list(memory_store_id=store, limit=MAX_SESSIONS))
        ids = [str(one.id) for one in _items(found) if is_id(getattr(one, "id", None))]
        return tuple(dict.fromkeys(ids))[:MAX_SESSIONS]

    def create_dream(self, store: str, sessions: tuple[str, ...], model: str, instructions: str) -> Dreaming:
        """Ask for a dream that writes into a memory store of its own."""
        inputs: list[BetaDreamInputParam] = [{"type": "memory_store", "memory_store_id": store}]
        if sessions:
            inputs.append({"type": "sessions", "session_ids": list(sessions)})
        asked: dict[str, Any] = {"instructions": instructions} if instructions else {}
        create = self._client.beta.dreams.create
        return _dreaming(
            self._call(
                lambda: create(inputs=inputs, model=model, output_behavior={"type": "create_new"}, **asked),
                is_safe=False,
            )
        )

    def dream(self, name: str) -> Dreaming:
        """Return how a dream stands.

        Raises:
            MissingError: there is no such dream.
        """
        return _dreaming(self._call(lambda: self._client.beta.dreams.retrieve(name)))

    def cancel(self, name: str) -> Dreaming:
        """Stop a dream, also where we are to stop ourselves."""
        call = replace(self._call, is_cancelled=lambda: False)
        return _dreaming(call(lambda: self._client.beta.dreams.cancel(name)))

    def dreams_of(self, store: str) -> tuple[Dreaming, ...]:
        """Return the newest dreams of a memory store, newest first."""
        found = self._call(lambda: self._client.beta.dreams.list(limit=PAGE))
        return tuple(one for one in map(_dreaming, _items(found)) if one.source == store)

    def last_words(self, session: str) -> str:
        """Return what the agent of a session said last, bounded and untrusted; empty where it said nothing."""
        listing = self._client.beta.sessions.events.list
        found = self._call(lambda: listing(session, types=["agent.message"], order="desc", limit=1))
        blocks = getattr(next(iter(_items(found)), None), "content", None)
        texts = [_text(block, "text", _WORDS_LIMIT) for block in blocks] if isinstance(blocks, list) else []
        return "\n".join(text for text in texts if text)[:_WORDS_LIMIT]

    def _pages(self, page_at: Callable[[str], object]) -> Iterator[Any]:
        """Yield the items of all pages; a page that was there before, or too many, is an error."""
        seen = {""}
        cursor = ""
        for _ in range(MAX_MEMORIES):
            found = self._call(partial(page_at, cursor))
            yield from _items(found)
            cursor = getattr(found, "next_page", None) or ""
            if cursor == "":
                return
            if not isinstance(cursor, str) or len(cursor) > _CURSOR_LIMIT or cursor in seen:
                break
            seen.add(cursor)
        raise ServiceError("the service lists memories without end; nothing was taken")


def digest_of(content: str) -> str:
    """Return the sha256 of a content, as the service computes it."""
    return hashlib.sha256(content.encode("utf-8")).hexdigest()


def _items(found: object) -> list[Any]:
    items = getattr(found, "data", None)
    if not isinstance(items, list):
        raise ServiceError("the service answered with what is no list; is the address right?")
    return items


def _id(found: object, name: str) -> str:
    value = getattr(found, name, None)
    if not is_id(value):
        raise ServiceError(f"the service answered without a usable {name}; is the address right?")
    return str(value)


def _version(found: object) -> str:
    value = getattr(found, "memory_version_id", "")
    return str(value) if is_id(value) else ""


def _written(found: object, name: str, content: str) -> Memory:
    """Return a memory as it was just written."""
    return Memory(_id(found, "id"), name, digest_of(content), _version(found))


def _memory(found: object) -> Memory:
    """Return a memory whose digest is that of its content; a content that is no text, or too long, is not taken."""
    name, content = getattr(found, "path", None), getattr(found, "content", None)
    if not isinstance(name, str) or len(name) > 10 * MAX_BYTES:
        raise ServiceError("the service answered with a memory without a path; is the address right?")
    digest = getattr(found, "content_sha256", None)
    if not is_digest(digest):
        raise ServiceError("the service answered with a memory without a digest; is the address right?")
    text = content if isinstance(content, str) and _fits(content) else None
    return Memory(
        id=_id(found, "id"),
        name=name,
        digest=str(digest) if text is None else digest_of(text),
        version=_version(found),
        content=text,
    )


def _fits(content: str) -> bool:
    if len(content) > MAX_BYTES or "\0" in content:
        return False
    try:
        return len(content.encode("utf-8")) <= MAX_BYTES
    except UnicodeEncodeError:
        return False


def _dreaming(found: object) -> Dreaming:
    inputs, outputs, error = (getattr(found, name, None) for name in ("inputs", "outputs", "error"))
    usage, model = getattr(found, "usage", None), getattr(found, "model", None)
    return Dreaming(
        id=_id(found, "id"),
        status=_text(found, "status"),
        source=_store_of(inputs),
        result=_store_of(outputs),
        spent=Spent(
            input_tokens=_number(usage, "input_tokens"),
            output_tokens=_number(usage, "output_tokens"),
            cache_read_tokens=_number(usage, "cache_read_input_tokens"),
            cache_write_tokens=_number(usage, "cache_creation_input_tokens"),
        ),
        model=_text(model, "id"),
        error=_text(error, "message"),
        error_type=_text(error, "type"),
        has_ended=getattr(found, "ended_at", None) is not None,
        session=_session(found),
    )


def _session(found: object) -> str:
    value = getattr(found, "session_id", None)
    return str(value) if is_id(value) else ""


def _store_of(entries: object) -> str:
    """Return the memory store that inputs or outputs name; empty where none or more than one is named."""
    found = [getattr(one, "memory_store_id", None) for one in entries] if isinstance(entries, list) else []
    names = [str(name) for name in found if is_id(name)]
    return names[0] if len(names) == 1 else ""


def _text(found: object, name: str, limit: int = _TEXT_LIMIT) -> str:
    value = getattr(found, name, None)
    return value[:limit] if isinstance(value, str) else ""


def _number(found: object, name: str) -> int:
    value = getattr(found, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else 0
