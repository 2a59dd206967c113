"""Servers and models that mean harm: bounded, told in one line, and nothing goes where it should not."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from dreamreview.dream.claude import service as services
from dreamreview.dream.claude.engine import ClaudeEngine
from dreamreview.dream.claude.service import Service
from dreamreview.dream.engine import EngineError, Task
from tests.api.messages import Says, done
from tests.dream.claude.acting import KEY, cites, closes, corpus_of, memory, on_stage, opens, play, turn

STORE = {"a.md": "# Yard\n\n- The kiln is in the yard.\n- The well is behind the kiln.\n"}
LOCAL = "or dream with --engine local, which needs no network"

Answering = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def answering(answer: Answering) -> Iterator[tuple[str, list[str]]]:
    """Yield the address of a server that answers everything alike, and the paths that it is asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            asked.append(self.path)
            with suppress(OSError):
                answer(self)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def ended(url: str, clock: Callable[[], float] = lambda: 0.0) -> str:
    """Return the line in which a dream ends, without the name of the server and the way out."""
    service = Service(api_key=KEY, base_url=url, pause=lambda _: None, clock=clock)
    with pytest.raises(EngineError) as caught:
        ClaudeEngine(service=service).dream(Task(corpus=corpus_of(STORE)))
    said = str(caught.value)
    assert "\n" not in said
    assert said.endswith(f"; {LOCAL}")
    return said.removesuffix(f"; {LOCAL}").replace(url[7:], "HOST")


def heads(handler: BaseHTTPRequestHandler, status: int, **headers: str) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_memory_is_not_sent_on_to_where_a_server_points(status: int) -> None:
    location = ""

    def points(handler: BaseHTTPRequestHandler) -> None:
        heads(handler, status, location=location, content_length="0")

    with answering(lambda handler: heads(handler, 200)) as (other, asked_there), answering(points) as (url, _):
        location = f"{other}/x"
        said = ended(url)
    assert said == "HOST sends us to another address, where nothing is sent: correct ANTHROPIC_BASE_URL"
    assert asked_there == []


def test_an_error_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_BYTES", 10_000)

    def floods(handler: BaseHTTPRequestHandler) -> None:
        heads(handler, 400, content_type="application/json")
        handler.wfile.write(b'{"type": "error", "error": {"type": "x", "message": "' + b"x" * 100_000 + b'"}}')

    with answering(floods) as (url, asked):
        assert ended(url) == "the reply of HOST broke off: try again in a moment"
    assert len(asked) == 1 + services.ATTEMPTS


def test_a_packed_answer_is_not_unpacked() -> None:
    with answering(lambda handler: heads(handler, 200, content_encoding="gzip")) as (url, _):
        assert ended(url) == "HOST cannot be reached: check the network"


def test_a_reply_that_comes_to_no_end_is_ended_and_not_asked_for_again() -> None:
    def drips(handler: BaseHTTPRequestHandler) -> None:
        heads(handler, 404 if "count" in handler.path else 200, content_type="text/event-stream")
        while "count" not in handler.path:
            handler.wfile.write(b'event: ping\ndata: {"type": "ping"}\n\n')

    with answering(drips) as (url, asked):
        said = ended(url, lambda: 10_000.0 if "/v1/messages" in asked else 0.0)
        assert said == "the reply of HOST comes to no end: try again later"
    assert asked.count("/v1/messages") == 1


def streams(*events: dict[str, Any]) -> Answering:
    """Return what answers with a reply of some events, as they are."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    head = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    start = {"type": "message_start", "message": {**head, "stop_reason": None, "stop_sequence": None}}
    end = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}}

    def answer(handler: BaseHTTPRequestHandler) -> None:
        heads(handler, 200, content_type="text/event-stream")
        for event in (start, *events, end, {"type": "message_stop"}):
            handler.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    return answer


CALL = {"type": "tool_use", "id": "t1", "name": "memory", "input": {"command": "view", "path": "/memories"}}


@pytest.mark.parametrize(
    "odd",
    [
        {"name": ["memory"]},
        {"name": None},
        {"id": {"a": 1}},
        {"input": {"command": "view", "path": "/memories/\ud800.md"}},
        {"type": "text", "text": "\udfff"},
        {"type": "text", "text": 5},
    ],
)
def test_a_reply_that_does_not_follow_the_api_counts_as_broken_off(
    odd: dict[str, Any], recwarn: pytest.WarningsRecorder
) -> None:
    block = {"type": "content_block_start", "index": 0, "content_block": {**CALL, **odd}}
    with answering(streams(block, {"type": "content_block_stop", "index": 0})) as (url, _):
        assert ended(url) == "the reply of HOST broke off: try again in a moment"
    assert not recwarn


def test_a_count_that_is_none_is_not_reckoned_with() -> None:
    def counts(handler: BaseHTTPRequestHandler) -> None:
        heads(handler, 200, content_type="application/json")
        handler.wfile.write(b'{"input_tokens": "many"}')

    with answering(counts) as (url, _):
        assert ended(url) == "the reply of HOST broke off: try again in a moment"


def test_a_flood_of_calls_is_not_carried_out() -> None:
    flood = turn(*[memory("view", path="/memories/a.md")] * 401)
    with on_stage(corpus_of(STORE), [flood]) as dream, pytest.raises(EngineError) as caught:
        dream()
    assert str(caught.value).startswith("Claude called its tools 401 times at once, and nothing was whole by then: ")


def test_the_answers_to_one_reply_are_bounded() -> None:
    store = {"a.md": "- The kiln is in the yard, and the well is behind it.\n" * 1_800}
    views = turn(*[memory("view", path="/memories/a.md")] * 10)
    answers = play(corpus_of(store), [views, done()]).answers()
    assert sum(map(len, answers)) < 600_000
    assert answers[0].startswith("<<data nonce1 /memories/a.md>>")
    assert answers[-1] == "The answers to this reply are long enough already: nothing was done; make this call again."


def test_of_many_cards_left_out_a_few_are_named() -> None:
    evidence = cites("a.md", 3, 3, "The kiln is in the yard")
    cards = [
        call for number in range(25) for call in (opens("rewrite", evidence, title=f"No {number}"), closes(), closes())
    ]
    warnings = play(corpus_of(STORE), [turn(*cards), done()]).dreamt.warnings
    assert len(warnings) == 21
    assert warnings[0] == "left out “No 0”: the card changes nothing"
    assert warnings[-1] == "left out 5 more"


def test_words_that_are_empty_are_not_sent_back() -> None:
    played = play(corpus_of(STORE), [Says(({"type": "text", "text": ""}, memory("view", path="/memories"))), done()])
    assert [block["type"] for block in played.server.requests[1]["messages"][1]["content"]] == ["tool_use"]
