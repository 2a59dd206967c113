"""Servers and models that mean harm: bounded, told in one line, and nothing goes where it should not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count

import pytest

from dreamreview.dream.claude import service as services
from dreamreview.dream.claude.engine import ClaudeEngine
from dreamreview.dream.claude.service import Service
from dreamreview.dream.engine import EngineError, Task
from tests.dream.claude.acting import KEY, corpus_of

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
    ticks = count(step=1_000)

    def drips(handler: BaseHTTPRequestHandler) -> None:
        heads(handler, 200, content_type="text/event-stream")
        while True:
            handler.wfile.write(b'event: ping\ndata: {"type": "ping"}\n\n')

    with answering(drips) as (url, asked):
        assert ended(url, lambda: float(next(ticks))) == "the reply of HOST comes to no end: try again later"
    assert asked[1:] == ["/v1/messages"]
