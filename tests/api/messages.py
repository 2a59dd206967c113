"""A server on this machine that speaks ``/v1/messages``, so that the real SDK can be run without a network."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

Body = dict[str, Any]


@dataclass(frozen=True)
class Spent:
    """The tokens that a reply names."""

    fresh: int = 100
    cache_write: int = 20
    cache_read: int = 300
    output: int = 50


@dataclass(frozen=True)
class Says:
    """A reply: blocks, and why it ends."""

    blocks: tuple[Body, ...]
    stop_reason: str | None = None
    """None: ``tool_use`` if it calls a tool, else ``end_turn``."""
    spent: Spent = field(default_factory=Spent)
    stop_details: Body | None = None
    cut_after: int | None = None
    """How many events are sent before the connection is dropped."""
    breaks_with: Body | None = None
    """An error that comes in the middle of the stream."""
    junk: bytes = b""
    """What is sent in place of the end."""


@dataclass(frozen=True)
class Fails:
    """An answer with an error."""

    status: int
    type: str
    message: str = "as the test wants it"
    headers: tuple[tuple[str, str], ...] = ()


Step = Says | Fails
Script = Iterable[Step | Callable[[Body], Step]]


def text(words: str) -> Body:
    """Return a block of words."""
    return {"type": "text", "text": words}


def thought(words: str) -> Body:
    """Return a block of thinking."""
    return {"type": "thinking", "thinking": words, "signature": "signed"}


def call(name: str, given: Body, number: int = 1) -> Body:
    """Return a block that calls a tool."""
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}


def done(words: str = "That is all.") -> Says:
    """Return the reply that ends a dream."""
    return Says((text(words),))


class MessagesServer:
    """Answers requests by a script, one step each; what comes after its end is an error of the test."""

    def __init__(self, script: Script = (), counts: int | Fails = 1_234) -> None:
        self.requests: list[Body] = []
        """Bodies of the requests for a reply."""
        self.keys: list[str] = []
        """What stood in their headers to show who asks."""
        self.counted: list[Body] = []
        """Bodies of the requests to count."""
        self._steps = iter(script)
        self._counts = counts
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(server) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - the handler has a self of its own
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                if self.path.startswith("/v1/messages/count_tokens"):
                    server.counted.append(body)
                    counts = server._counts
                    if isinstance(counts, Fails):
                        _fail(self, counts)
                    else:
                        _answer(self, 200, {"input_tokens": counts})
                    return
                server.requests.append(body)
                server.keys.append(self.headers.get("authorization", ""))
                step = next(server._steps, Fails(418, "no_more_script"))
                step = step(body) if callable(step) else step
                if isinstance(step, Fails):
                    _fail(self, step)
                else:
                    _stream(self, step, str(body["model"]))

            def log_message(self, *_: object) -> None:
                return

        return Handler


def _answer(handler: BaseHTTPRequestHandler, status: int, body: Body, headers: Iterable[tuple[str, str]] = ()) -> None:
    data = json.dumps(body).encode()
    handler.send_response(status)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(data)))
    for name, value in headers:
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)


def _fail(handler: BaseHTTPRequestHandler, step: Fails) -> None:
    body = {"type": "error", "error": {"type": step.type, "message": step.message}}
    _answer(handler, step.status, body, step.headers)


def _stream(handler: BaseHTTPRequestHandler, step: Says, model: str) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.end_headers()
    events = list(_events(step, model))
    if step.breaks_with is not None:
        events = [*events[:-2], {"type": "error", "error": step.breaks_with}]
    for event in events[: step.cut_after]:
        handler.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
    handler.wfile.write(step.junk)


def _events(step: Says, model: str) -> Iterator[Body]:
    spent = step.spent
    usage = {
        "input_tokens": spent.fresh,
        "cache_creation_input_tokens": spent.cache_write,
        "cache_read_input_tokens": spent.cache_read,
        "output_tokens": 1,
    }
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [], "usage": usage}
    yield {"type": "message_start", "message": {**head, "stop_reason": None, "stop_sequence": None}}
    for index, block in enumerate(step.blocks):
        yield {"type": "content_block_start", "index": index, "content_block": _empty(block)}
        for delta in _deltas(block):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    calls = any(block["type"] == "tool_use" for block in step.blocks)
    reason = step.stop_reason or ("tool_use" if calls else "end_turn")
    end: Body = {"stop_reason": reason, "stop_sequence": None}
    if step.stop_details is not None:
        end["stop_details"] = step.stop_details
    yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": spent.output}}
    yield {"type": "message_stop"}


def _empty(block: Body) -> Body:
    blank: dict[str, Body] = {"text": {"text": ""}, "tool_use": {"input": {}}}
    blank["thinking"] = {"thinking": "", "signature": ""}
    return {**block, **blank[block["type"]]}


def _deltas(block: Body) -> Iterator[Body]:
    if block["type"] == "text":
        for start in range(0, len(block["text"]), 20):
            yield {"type": "text_delta", "text": block["text"][start : start + 20]}
    elif block["type"] == "thinking":
        yield {"type": "thinking_delta", "thinking": block["thinking"]}
        yield {"type": "signature_delta", "signature": block["signature"]}
    else:
        given = json.dumps(block["input"])
        for start in range(0, len(given), 30):
            yield {"type": "input_json_delta", "partial_json": given[start : start + 30]}
