"""Whatever the service answers becomes checked values or one line, never a stumble."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamreview.dream.engine import EngineError
from dreamreview.dream.hosted.calling import Caller
from dreamreview.dream.hosted.service import Dreaming, Memory, Service
from tests.dream.hosted.conftest import Time

SCALE = float(os.environ.get("DREAMREVIEW_TEST_SCALE", "1"))
DIGEST = "0" * 64

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
words = st.sampled_from(["memory", "memory_prefix", "dream", "memory_store", "sessions", "completed", "mem_1", DIGEST])
keys = st.sampled_from(
    [
        *("id", "data", "next_page", "path", "content", "content_sha256", "type", "status", "inputs", "outputs"),
        *("usage", "model", "error", "metadata", "memory_store_id", "input_tokens", "ended_at", "archived_at"),
    ]
)
documents = st.recursive(
    scalars | words, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=6), max_leaves=20
)

CALLS: tuple[Callable[[Service], object], ...] = (
    lambda service: service.create_store("a", "b", "c"),
    lambda service: service.find_store("c"),
    lambda service: service.require_store("memstore_1"),
    lambda service: list(service.memories("memstore_1")),
    lambda service: list(service.memories("memstore_1", has_content=True)),
    lambda service: service.memory("memstore_1", "mem_1"),
    lambda service: service.put("memstore_1", "/a.md", "a"),
    lambda service: service.change("memstore_1", "mem_1", "/a.md", DIGEST, "a"),
    lambda service: service.remove("memstore_1", "mem_1", DIGEST),
    lambda service: service.sessions_of("memstore_1"),
    lambda service: service.create_dream("memstore_1", (), "m", ""),
    lambda service: service.dream("drm_1"),
    lambda service: service.cancel("drm_1"),
    lambda service: service.dreams_of("memstore_1"),
    lambda service: service.last_words("sesn_1"),
)


def speaking_to(answer: Callable[[httpx2.Request], httpx2.Response]) -> Service:
    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    client = Anthropic(api_key="k", base_url="http://service.invalid", http_client=http, max_retries=0)
    return Service(client, Caller(Time().clock(), lambda: False))


def told(service: Service, call: Callable[[Service], object]) -> str:
    try:
        call(service)
    except EngineError as error:
        return str(error)
    return "it is well"


@settings(max_examples=max(20, int(150 * SCALE)), deadline=None)
@given(document=documents, status=st.sampled_from([200, 200, 200, 400, 404, 409, 500]), index=st.integers(0, 14))
def test_any_answer_is_a_value_or_one_line(document: Any, status: int, index: int) -> None:
    body = json.dumps(document).encode()
    headers = {"content-type": "application/json"}
    service = speaking_to(lambda _: httpx2.Response(status, content=body, headers=headers))

    assert told(service, CALLS[index]).isprintable()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("document", [{"type": []}, {"data": [{"type": {}}]}, {"inputs": [{"type": []}], "id": "x"}])
def test_types_that_are_no_names_are_told_of(call: Callable[[Service], object], document: object) -> None:
    body = json.dumps(document).encode()
    service = speaking_to(lambda _: httpx2.Response(200, content=body, headers={"content-type": "application/json"}))

    assert told(service, call).startswith(("the service answered", "it is well"))


def test_a_memory_without_a_digest_is_none() -> None:
    body = json.dumps({"data": [{"id": "mem_1", "path": "/a.md", "type": "memory", "content_sha256": "x"}]}).encode()
    service = speaking_to(lambda _: httpx2.Response(200, content=body, headers={"content-type": "application/json"}))

    with pytest.raises(EngineError, match="without a digest"):
        list(service.memories("memstore_1"))


def test_what_is_well_formed_comes_through() -> None:
    memory = {
        "id": "mem_1",
        "type": "memory",
        "path": "/a.md",
        "content": None,
        "content_sha256": DIGEST,
        "memory_version_id": "memver_1",
    }
    dream = {"id": "drm_1", "status": "running", "inputs": [{"type": "memory_store", "memory_store_id": "memstore_1"}]}
    answers = {"/v1/memory_stores/memstore_1/memories": {"data": [memory]}, "/v1/dreams/drm_1": dream}
    service = speaking_to(lambda request: httpx2.Response(200, json=answers[request.url.path]))

    assert list(service.memories("memstore_1")) == [Memory("mem_1", "/a.md", DIGEST, "memver_1")]
    assert service.dream("drm_1") == Dreaming("drm_1", "running", "memstore_1")


def test_a_list_that_leaves_the_contents_out_is_asked_for_each() -> None:
    memory = {"id": "mem_1", "type": "memory", "path": "/a.md", "content": None, "content_sha256": DIGEST}
    answers = {
        "/v1/memory_stores/memstore_1/memories": {"data": [{"type": "memory_prefix", "path": "/sub/"}, memory]},
        "/v1/memory_stores/memstore_1/memories/mem_1": {**memory, "content": "a"},
    }
    service = speaking_to(lambda request: httpx2.Response(200, json=answers[request.url.path]))

    assert [one.content for one in service.memories("memstore_1", has_content=True)] == ["a"]
