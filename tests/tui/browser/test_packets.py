from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.tui.browser import packets

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def test_keys_come_as_they_were_typed() -> None:
    assert packets.from_page('["stdin", "a"]') == b"D\x00\x00\x00\x01a"
    assert packets.from_page('["stdin", "\\u001b[A é"]') == b"D\x00\x00\x00\x06\x1b[A \xc3\xa9"


def test_half_a_character_does_not_stop_the_keys() -> None:
    assert packets.from_page('["stdin", "\\ud800a"]') == b"D\x00\x00\x00\x02?a"


@pytest.mark.parametrize(
    ("asked", "given_size"),
    [
        ({"width": 120, "height": 40}, (120, 40)),
        ({"width": 0, "height": -5}, (1, 1)),
        ({"width": 10**9, "height": 10**9}, (1000, 1000)),
        ({"width": "wide", "height": None}, (80, 24)),
        ({"width": True, "height": 2.5}, (80, 24)),
    ],
)
def test_a_screen_stays_within_what_a_screen_can_be(asked: dict[str, object], given_size: tuple[int, int]) -> None:
    packet = packets.from_page(json.dumps(["resize", asked])) or b""
    width, height = given_size
    assert packet[:1] == b"M"
    assert json.loads(packet[5:]) == {"type": "resize", "width": width, "height": height}


@pytest.mark.parametrize("what", ["focus", "blur"])
def test_the_focus_is_handed_on(what: str) -> None:
    packet = packets.from_page(json.dumps([what])) or b""
    assert json.loads(packet[5:]) == {"type": what}


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "[" * 100_000,
        "1" * 5000,
        "[]",
        "null",
        '["stdin"]',
        '["stdin", 7]',
        '["stdin", "a", "b"]',
        '["resize", [80, 24]]',
        '["ping", "1"]',
        '["quit"]',
        '["deliver_chunk_request", {"key": "k", "size": 1}]',
        '{"stdin": "a"}',
    ],
)
def test_anything_else_is_left_out(message: str) -> None:
    assert packets.from_page(message) is None


@given(JSON)
def test_no_message_makes_more_than_one_whole_packet(said: object) -> None:
    packet = packets.from_page(json.dumps(said))
    assert packet is None or len(packet) == 5 + int.from_bytes(packet[1:5], "big")


@pytest.mark.parametrize(
    ("asked", "cells"), [("100", 100), ("0", 1), ("99999", 80), ("-3", 80), (None, 80), ("١٢", 12)]
)
def test_a_width_in_an_address_is_a_number_or_nothing(asked: str | None, cells: int) -> None:
    assert packets.cells(asked, 80) == cells


async def test_packets_are_read_as_they_were_written() -> None:
    stream = asyncio.StreamReader()
    stream.feed_data(b"a word\n__GANGLION__\n" + packets.packet(b"D", b"drawn") + packets.meta(type="exit") + b"D\x00")
    stream.feed_eof()
    assert await packets.begun(stream)
    assert await packets.read(stream) == (b"D", b"drawn")
    assert await packets.read(stream) == (b"M", b'{"type": "exit"}')
    with pytest.raises(EOFError):
        await packets.read(stream)


async def test_an_app_that_ends_before_it_starts_has_not_begun() -> None:
    stream = asyncio.StreamReader()
    stream.feed_data(b"something is wrong\n")
    stream.feed_eof()
    assert not await packets.begun(stream)
