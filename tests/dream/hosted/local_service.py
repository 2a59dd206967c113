"""The Memory Stores and Dreams APIs on the loopback address, so that the real SDK speaks to something."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from dreamreview.dream.hosted.calling import Clock

KEY = "test-key"
NOW = "2026-09-15T12:00:00Z"
MEMORY_BETA = "agent-memory-2026-07-22"
DREAM_BETA = "dreaming-2026-04-21"

Texts = dict[str, str]
"""Path of a memory, with ``/`` in front, to its content."""


@dataclass(slots=True)
class Answer:
    """What is answered to one request."""

    status: int = 200
    document: object = None
    raw: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked."""

    method: str
    path: str
    query: Mapping[str, str]
    body: Any

    @property
    def line(self) -> str:
        """Method and path, ids taken out."""
        return f"{self.method} {re.sub(r'(memstore|mem|drm)_[0-9]+', r'*', self.path)}"


Fault = Callable[[Request], Answer | None]
"""Looks at a request before it is carried out; an answer stands in for it."""


class _RefusalError(Exception):
    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.answer = refusal(status, kind, message)


def refusal(status: int, kind: str, message: str, **headers: str) -> Answer:
    """Return an error as the service words it."""
    return Answer(status, {"type": "error", "error": {"type": kind, "message": message}}, headers=headers)


def _usage(looks: int) -> dict[str, int]:
    return {
        "input_tokens": 1_000 * looks,
        "output_tokens": 100 * looks,
        "cache_read_input_tokens": 10 * looks,
        "cache_creation_input_tokens": looks,
    }


@dataclass(slots=True)
class LocalService:
    """The state of the service, and what it was asked."""

    stores: dict[str, dict[str, Any]] = field(default_factory=dict)
    dreams: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    statuses: list[str] = field(default_factory=lambda: ["pending", "running", "completed"])
    """What a dream is at each look at it; the last one stays."""
    dreamer: Callable[[Texts], Texts] = dict
    """What a dream makes of what it reads."""
    usage: Callable[[int], dict[str, Any]] = _usage
    """What a dream has used at each look at it."""
    error: dict[str, str] | None = None
    """Why dreams fail."""
    words: str = ""
    """What a dream says of itself at the end."""
    sessions: list[str] = field(default_factory=list)
    wants_sessions: bool = False
    address: str = ""
    _ids: dict[str, Iterator[int]] = field(default_factory=dict)

    def _new_id(self, kind: str) -> str:
        return f"{kind}_{next(self._ids.setdefault(kind, count(1)))}"

    def add_store(self, texts: Mapping[str, str], **more: Any) -> str:
        """Make a store that holds some memories and return its id."""
        name = self._new_id("memstore")
        self.stores[name] = {
            "id": name,
            "type": "memory_store",
            "name": "a store",
            "description": "",
            "metadata": {},
            "created_at": NOW,
            "updated_at": NOW,
            "archived_at": None,
            "memories": {},
            **more,
        }
        for path, content in texts.items():
            self.put(name, path, content)
        return name

    def put(self, store: str, path: str, content: str) -> dict[str, Any]:
        """Put a memory into a store, as an agent would."""
        memories = self.stores[store]["memories"]
        found = next((one for one in memories.values() if one["path"] == path), None)
        name = found["id"] if found else self._new_id("mem")
        data = content.encode("utf-8", "surrogatepass")
        memories[name] = {
            "id": name,
            "type": "memory",
            "memory_store_id": store,
            "memory_version_id": self._new_id("memver"),
            "path": path,
            "content": content,
            "content_sha256": hashlib.sha256(data).hexdigest(),
            "content_size_bytes": len(data),
            "created_at": NOW,
            "updated_at": NOW,
        }
        return dict(memories[name])

    def texts(self, store: str) -> Texts:
        """Return what a store holds."""
        return {one["path"]: one["content"] for one in self.stores[store]["memories"].values()}

    def asked(self, line: str) -> list[Request]:
        """Return the requests of one kind, such as ``POST /v1/dreams``."""
        return [request for request in self.requests if request.line == line]

    def counted(self) -> dict[str, int]:
        """Return how often each kind of request was made."""
        lines = [request.line for request in self.requests]
        return {line: lines.count(line) for line in sorted(set(lines))}

    def add_dream(self, source: str, status: str = "completed", **more: Any) -> str:
        """Dream a store and return the id of the dream."""
        name = self._new_id("drm")
        self.dreams[name] = {
            "id": name,
            "type": "dream",
            "status": status,
            "inputs": [{"type": "memory_store", "memory_store_id": source}],
            "outputs": [],
            "model": {"id": "claude-opus-4-8", "speed": "standard"},
            "output_behavior": {"type": "create_new"},
            "instructions": None,
            "session_id": None,
            "error": None,
            "usage": self.usage(0),
            "created_at": NOW,
            "ended_at": None,
            "archived_at": None,
            "looks": 0,
            **more,
        }
        if status == "completed":
            self._finish(self.dreams[name])
        return name

    def _finish(self, dream: dict[str, Any]) -> None:
        source = dream["inputs"][0]["memory_store_id"]
        result = self.add_store(self.dreamer(self.texts(source)))
        dream["outputs"] = [{"type": "memory_store", "memory_store_id": result}]

    # --- what is asked ---

    def answer(self, request: Request, headers: Mapping[str, str]) -> Answer:
        """Return what the service answers."""
        self.requests.append(request)
        for fault in list(self.faults):
            answer = fault(request)
            if answer is not None:
                return answer
        try:
            _authorise(request, headers)
            return Answer(document=self._carry_out(request))
        except _RefusalError as error:
            return error.answer

    def _carry_out(self, request: Request) -> object:
        parts = request.path.strip("/").split("/")[1:]
        match [request.method, *parts]:
            case ["POST", "memory_stores"]:
                name = self.add_store({}, **{key: request.body[key] for key in ("name", "description", "metadata")})
                return _without_memories(self.stores[name])
            case ["GET", "memory_stores"]:
                return {"data": [_without_memories(one) for one in self.stores.values()], "next_page": None}
            case ["GET", "memory_stores", store]:
                return _without_memories(self._store(store))
            case ["GET", "memory_stores", store, "memories"]:
                return self._listed(self._store(store), request)
            case ["POST", "memory_stores", store, "memories"]:
                return self._created(store, request.body)
            case [method, "memory_stores", store, "memories", memory]:
                return self._one(method, store, memory, request)
            case ["GET", "sessions", *rest]:
                return self._of_sessions(rest)
            case ["POST", "dreams"]:
                return self._dreamed(request.body)
            case ["GET", "dreams"]:
                newest = [_told(one) for one in reversed(self.dreams.values())]
                return {"data": newest, "next_page": None}
            case ["GET", "dreams", dream]:
                return self._looked_at(self._dream(dream))
            case ["POST", "dreams", dream, "cancel"]:
                return self._canceled(self._dream(dream))
        raise _RefusalError(404, "not_found_error", "no such endpoint")

    def _of_sessions(self, rest: list[str]) -> object:
        if not rest:
            return {"data": [{"id": one, "type": "session"} for one in self.sessions], "next_page": None}
        content = [{"type": "text", "text": self.words}]
        said = [{"id": "event_1", "type": "agent.message", "content": content}] if self.words else []
        return {"data": said, "next_page": None}

    def _store(self, name: str) -> dict[str, Any]:
        if name not in self.stores:
            raise _RefusalError(404, "not_found_error", f"memory store {name} not found")
        return self.stores[name]

    def _dream(self, name: str) -> dict[str, Any]:
        if name not in self.dreams:
            raise _RefusalError(404, "not_found_error", f"dream {name} not found")
        return self.dreams[name]

    def _listed(self, store: dict[str, Any], request: Request) -> object:
        is_full = request.query.get("view") == "full"
        limit = int(request.query.get("limit", "20"))
        if limit > (20 if is_full else 100):
            raise _RefusalError(400, "invalid_request_error", "limit: too large")
        start = int(request.query.get("page", "0"))
        memories = list(store["memories"].values())
        shown = [one if is_full else {**one, "content": None} for one in memories[start : start + limit]]
        more = str(start + limit) if start + limit < len(memories) else None
        return {"data": shown, "next_page": more}

    def _created(self, store: str, body: Any) -> object:
        held = self._store(store)["memories"].values()
        if any(one["path"] == body["path"] for one in held):
            raise _RefusalError(409, "memory_path_conflict_error", "path is taken")
        _check(body["content"])
        return {**self.put(store, body["path"], body["content"]), "content": None}

    def _one(self, method: str, store: str, memory: str, request: Request) -> object:
        memories = self._store(store)["memories"]
        if memory not in memories:
            raise _RefusalError(404, "not_found_error", f"memory {memory} not found")
        found = memories[memory]
        if method == "GET":
            return found
        if method == "DELETE":
            if request.query.get("expected_content_sha256") not in (None, found["content_sha256"]):
                raise _RefusalError(409, "memory_precondition_failed_error", "content differs")
            del memories[memory]
            return {"id": memory, "type": "memory_deleted"}
        expected = (request.body.get("precondition") or {}).get("content_sha256")
        if expected not in (None, found["content_sha256"]):
            raise _RefusalError(409, "memory_precondition_failed_error", "content differs")
        path = request.body.get("path") or found["path"]
        _check(request.body["content"])
        found["path"] = path
        return {**self.put(store, path, request.body["content"]), "content": None}

    def _dreamed(self, body: Any) -> object:
        kinds = [one["type"] for one in body["inputs"]]
        if self.wants_sessions and "sessions" not in kinds:
            raise _RefusalError(400, "invalid_request_error", "inputs: exactly one sessions entry is required")
        source = next(one["memory_store_id"] for one in body["inputs"] if one["type"] == "memory_store")
        self._store(source)
        name = self.add_dream(
            source,
            self.statuses[0] if self.statuses else "pending",
            inputs=body["inputs"],
            instructions=body.get("instructions"),
            model={"id": body["model"], "speed": "standard"},
        )
        return _told(self.dreams[name])

    def _looked_at(self, dream: dict[str, Any]) -> object:
        if dream["status"] in ("pending", "running"):
            dream["looks"] += 1
            status = self.statuses[min(dream["looks"], len(self.statuses) - 1)]
            dream["status"], dream["usage"] = status, self.usage(dream["looks"])
            dream["session_id"] = "sesn_dream"
            if status == "completed":
                self._finish(dream)
            if status == "failed":
                dream["error"] = self.error or {"type": "internal_error", "message": "it broke"}
        return _told(dream)

    def _canceled(self, dream: dict[str, Any]) -> object:
        if dream["status"] in ("completed", "failed"):
            raise _RefusalError(400, "invalid_request_error", "the dream has ended")
        dream["status"] = "canceled"
        return _told(dream)


def _told(dream: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in dream.items() if key != "looks"}


def _without_memories(store: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in store.items() if key != "memories"}


def _check(content: str) -> None:
    if len(content.encode()) > 102_400:
        raise _RefusalError(400, "invalid_request_error", "content: too long")


def _authorise(request: Request, headers: Mapping[str, str]) -> None:
    if KEY not in (headers.get("x-api-key"), (headers.get("authorization") or "").removeprefix("Bearer ")):
        raise _RefusalError(401, "authentication_error", "invalid x-api-key")
    betas = (headers.get("anthropic-beta") or "").split(",")
    if "memory_stores" in request.path and MEMORY_BETA not in betas:
        raise _RefusalError(400, "invalid_request_error", "this needs the anthropic-beta header for memory stores")
    if "dreams" in request.path and DREAM_BETA not in betas:
        raise _RefusalError(400, "invalid_request_error", "this needs the anthropic-beta header for dreams")


@contextmanager
def serving(service: LocalService) -> Iterator[LocalService]:
    """Serve on a free port of the loopback address for as long as the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body leave together, or each answer waits for an acknowledgement

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            data = self.rfile.read(int(self.headers.get("content-length", "0")))
            query = {key: values[0] for key, values in parse_qs(parts.query).items()}
            request = Request(self.command, parts.path, query, json.loads(data) if data else None)
            answer = service.answer(request, {key.lower(): value for key, value in self.headers.items()})
            body = json.dumps(answer.document).encode() if answer.raw is None else answer.raw
            self.send_response(answer.status)
            for key, value in {"content-type": "application/json", "content-length": str(len(body))}.items():
                if key not in answer.headers:
                    self.send_header(key, value)
            for key, value in answer.headers.items():
                self.send_header(key.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_DELETE = _serve  # noqa: N815 - named by the standard library

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    service.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def once(fault: Fault) -> Fault:
    """Return a fault that answers one request only."""
    left = [fault]

    def first(request: Request) -> Answer | None:
        answer = left[0](request) if left else None
        if answer is not None:
            left.clear()
        return answer

    return first


def at(line: str, answer: Answer) -> Fault:
    """Return a fault that answers every request of one kind."""
    return lambda request: answer if request.line == line else None


@contextmanager
def at_hand(patch: pytest.MonkeyPatch, home: Path, dreamer: Callable[[Texts], Texts]) -> Iterator[LocalService]:
    """Serve, with a key for it in the environment, a home of its own, and time that passes at once."""
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        patch.delenv(name)
    patch.setenv("HOME", str(home))
    patch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    patch.setenv("ANTHROPIC_API_KEY", KEY)
    waits: list[float] = []
    patch.setattr(Clock.__init__, "__defaults__", (lambda: sum(waits), waits.append))
    with serving(LocalService(dreamer=dreamer)) as found:
        patch.setenv("ANTHROPIC_BASE_URL", found.address)
        yield found
