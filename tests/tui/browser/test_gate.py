from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamreview.tui.browser.gate import is_key, is_loopback, is_same_origin, new_key


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8123", "localhost:8123", "LocalHost", "[::1]:80"])
def test_this_machine_is_known_by_its_loopback_names_at_any_port(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "rebound.example",
        "rebound.example:8123",
        "localhost.rebound.example",
        "127.0.0.1.rebound.example",
        "rebound.example@127.0.0.1",
        "127.0.0.1:8123\n",
        "127.0.0.1:",
        "127.0.0.1:123456",
        "127.0.0.1:٨",
        "0.0.0.0:8123",
        "192.168.0.4:8123",
        "::1",
    ],
)
def test_any_other_name_is_refused_even_one_that_was_made_to_point_here(host: str | None) -> None:
    assert not is_loopback(host)


@given(st.text())
def test_no_text_is_loopback_by_what_is_put_around_a_name(around: str) -> None:
    if around and not around.startswith(":"):
        assert not is_loopback(f"127.0.0.1{around}")
    if around:
        assert not is_loopback(f"{around}localhost")


def test_a_page_of_this_server_is_of_the_same_origin() -> None:
    assert is_same_origin("http://127.0.0.1:8123", "127.0.0.1:8123")
    assert is_same_origin("http://localhost:8123", "LOCALHOST:8123")


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "",
        "null",
        "https://127.0.0.1:8123",
        "http://127.0.0.1",
        "http://127.0.0.1:8124",
        "http://localhost:8123",
        "http://stranger.example",
        "http://127.0.0.1:8123/",
    ],
)
def test_any_other_page_is_not_even_one_of_this_machine(origin: str | None) -> None:
    assert not is_same_origin(origin, "127.0.0.1:8123")


def test_nothing_is_of_the_origin_of_a_server_without_a_name() -> None:
    assert not is_same_origin("http://None", None)


@given(st.text())
def test_only_the_key_itself_is_the_key(given_key: str) -> None:
    key = "00112233445566778899aabbccddeeff"
    assert not is_key(given_key, key)
    assert is_key(key, key)


def test_keys_are_long_and_never_the_same() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    assert {len(key) for key in keys} == {32}
