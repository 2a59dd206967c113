"""Where a key and a memory may be sent, and what cannot be a key."""

from __future__ import annotations

import pytest

from dreamreview.dream.endpoint import address_problem, host_of, is_local, key_problem


@pytest.mark.parametrize(
    "address",
    [
        "https://api.anthropic.com",
        "https://me:hunter22@proxy.example:8443/x",
        "http://127.0.0.1:8080",
        "http://localhost",
        "http://[::1]:80",
    ],
)
def test_what_is_encrypted_or_on_this_machine_may_be_asked(address: str) -> None:
    assert address_problem(address) is None


@pytest.mark.parametrize("address", ["http://example.org", "http://10.0.0.1:80", "http://localhost.example.org"])
def test_nothing_goes_over_the_network_in_the_clear(address: str) -> None:
    problem = address_problem(address)
    assert problem is not None
    assert problem.startswith(f"{host_of(address)} is not asked over http, which would show the key and the memory")


@pytest.mark.parametrize("address", ["", "not a url", "https://", "http://[", "https://a:b", "/v1"])
def test_what_is_no_address_is_told(address: str) -> None:
    assert address_problem(address) == "ANTHROPIC_BASE_URL is no address: correct it, or unset it"


def test_a_password_in_an_address_is_not_told() -> None:
    assert host_of("https://me:hunter22@proxy.example:8443/x") == "proxy.example:8443"


@pytest.mark.parametrize(("address", "is_here"), [("http://127.0.0.1:1", True), ("https://127.0.0.1.example", False)])
def test_this_machine_is_known_by_its_own_addresses(address: str, is_here: bool) -> None:
    assert is_local(address) is is_here


@pytest.mark.parametrize("key", ["sk-quay-7\n", " sk-quay-7", "sk quay", "sk-qu\u00e4y", "sk-quay\x00"])
def test_a_key_that_cannot_be_one_is_told_without_showing_it(key: str) -> None:
    problem = key_problem(key, "ANTHROPIC_API_KEY")
    assert problem == (
        "the key in ANTHROPIC_API_KEY holds a blank, or another character that no key has: copy it again"
    )
    assert key_problem("sk-quay-7", "ANTHROPIC_API_KEY") is None
