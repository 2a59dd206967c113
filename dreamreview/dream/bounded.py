"""Answers of which no more is read than an answer can need, packed or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import httpx2


def hooks(limit: int) -> dict[str, list[Callable[..., Any]]]:
    """Return hooks of a client that ask for answers as they are, and cut off those longer than `limit` bytes.

    A packed or a longer answer raises httpx2.RemoteProtocolError.
    """
    return {"request": [_ask_unpacked], "response": [partial(_bind, limit)]}


def _ask_unpacked(request: httpx2.Request) -> None:
    request.headers["accept-encoding"] = "identity"


def _bind(limit: int, response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise httpx2.RemoteProtocolError("the answer is packed", request=response.request)
    if isinstance(response.stream, httpx2.SyncByteStream):
        response.stream = _Bounded(response.stream, limit, response.request)


class _Bounded(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, limit: int, request: httpx2.Request) -> None:
        self._stream = stream
        self._limit = limit
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        left = self._limit
        for part in self._stream:
            left -= len(part)
            if left < 0:
                raise httpx2.RemoteProtocolError("the answer is longer than any can be", request=self._request)
            yield part

    def close(self) -> None:
        self._stream.close()
