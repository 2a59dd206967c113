"""What a page and a run of the app say to one another: messages of the one as packets for the other.

A page sends JSON arrays, as the script of `textual-serve` does. Textual's web driver reads and writes packets: a type
of one byte, a length in four, and that many bytes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import StreamReader

DATA, META = b"D", b"M"
"""Types of packets: what a terminal receives or a person types, and what concerns the run itself."""

MESSAGE_LIMIT = 1 << 20
"""Bytes of the largest message a page may send: a long paste."""

CELLS_LIMIT = 1000
"""Columns and lines of the largest screen a page may ask for."""

_PRELUDE = b"__GANGLION__\n"


def packet(kind: bytes, payload: bytes) -> bytes:
    """Return one packet."""
    return kind + len(payload).to_bytes(4, "big") + payload


def meta(**fields: object) -> bytes:
    """Return a packet that concerns the run itself."""
    return packet(META, json.dumps(fields).encode())


QUIT = meta(type="quit")
"""Asks the app to end as if its person had left."""


def from_page(message: str) -> bytes | None:
    """Return the packet for what a page sent: keys, a new size, the focus; None for anything else."""
    try:
        said = json.loads(message)
    except (ValueError, RecursionError):
        return None
    match said:
        case ["stdin", str(text)]:
            return packet(DATA, text.encode("utf-8", "replace"))
        case ["resize", {"width": width, "height": height}]:
            return meta(type="resize", width=cells(width, 80), height=cells(height, 24))
        case ["focus" | "blur" as what, *_]:
            return meta(type=what)
    return None


def cells(value: object, fallback: int) -> int:
    """Return a width or height that a page asks for, within what a screen can be."""
    match value:
        case bool():
            return fallback
        case int():
            asked = value
        case str() if value.isdecimal() and len(value) <= len(str(CELLS_LIMIT)):
            asked = int(value)
        case _:
            return fallback
    return max(1, min(asked, CELLS_LIMIT))


async def begun(stream: StreamReader) -> bool:
    """Wait for the app to start; False if it ended before."""
    while line := await stream.readline():
        if line == _PRELUDE:
            return True
    return False


async def read(stream: StreamReader) -> tuple[bytes, bytes]:
    """Return the type and the payload of the app's next packet.

    Raises:
        EOFError: the app has ended.
    """
    head = await stream.readexactly(5)
    return head[:1], await stream.readexactly(int.from_bytes(head[1:], "big"))
