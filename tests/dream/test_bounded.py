"""Answers are read so far and for so long, and no further."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import httpx2
import pytest

from dreamreview.dream.bounded import hooks


class Endless(httpx2.SyncByteStream):
    """An answer that comes in for ever."""

    def __iter__(self) -> Iterator[bytes]:
        return itertools.repeat(b"x")


def answer(request: httpx2.Request) -> httpx2.Response:
    assert request.headers["accept-encoding"] == "identity"
    return httpx2.Response(200, stream=Endless())


@pytest.mark.parametrize(
    ("limit", "seconds", "said"),
    [(1_000, 3_600.0, "longer than any can be"), (1 << 60, 0.0, "comes to no end")],
)
def test_an_answer_without_end_is_cut_off(limit: int, seconds: float, said: str) -> None:
    client = httpx2.Client(transport=httpx2.MockTransport(answer), event_hooks=hooks(limit, seconds))
    with pytest.raises(httpx2.RemoteProtocolError, match=said):
        client.get("http://127.0.0.1/")


def test_a_packed_answer_is_not_unpacked() -> None:
    packed = httpx2.MockTransport(lambda _: httpx2.Response(200, headers={"content-encoding": "br"}))
    with pytest.raises(httpx2.RemoteProtocolError, match="packed"):
        httpx2.Client(transport=packed, event_hooks=hooks(1_000, 60.0)).get("http://127.0.0.1/")
