"""Answers of which no more is read than an answer can need, packed or not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx2


def hooks(limit: int, seconds: float) -> dict[str, list[Callable[..., Any]]]:
    """Return hooks of a client that ask for answers as they are, and cut them off where they come to no end.

    An answer that is packed, longer than `limit` bytes, or still coming in after so many seconds raises
    httpx2.RemoteProtocolError.
    """
    return {"request": [_ask_unpacked], "response": [partial(_bind, limit, seconds)]}


def _ask_unpacked(request: httpx2.Request) -> None:
    request.headers["accept-encoding"] = "identity"


def _bind(limit: int, seconds: float, response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.RemoteProtocolError("the answer is packed", request=response.request)
    if isinstance(response.stream, httpx2.SyncByteStream):
        response.stream = _Bounded(response.stream, limit, time.monotonic() + seconds, response.request)


class _Bounded(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, limit: int, end: float, request: httpx2.Request) -> None:
        self._stream = stream
        self._limit = limit
        self._end = end
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        left = self._limit
        for part in self._stream:
            left -= len(part)
            if left < 0:
                raise httpx2.RemoteProtocolError("the answer is longer than any can be", request=self._request)
            if time.monotonic() > self._end:
                raise httpx2.RemoteProtocolError("the answer comes to no end", request=self._request)
            yield part

    def close(self) -> None:
        self._stream.close()
