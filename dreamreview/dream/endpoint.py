"""What has to hold of an address and a key before anything is sent there."""

from __future__ import annotations

from urllib.parse import urlsplit

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def host_of(address: str) -> str:
    """Return who listens at an address, as a person may be told: without a password that stands in it."""
    return urlsplit(address).netloc.rpartition("@")[2]


def is_local(address: str) -> bool:
    """Tell whether an address is on this machine, so that no proxy may come between."""
    return urlsplit(address).hostname in _LOOPBACK


def address_problem(address: str) -> str | None:
    """Say why nothing may be sent to an address; None where it may."""
    try:
        split = urlsplit(address)
        is_whole = bool(split.hostname) and split.port != 0
    except ValueError:
        is_whole = False
    if not is_whole:
        return "ANTHROPIC_BASE_URL is no address: correct it, or unset it"
    if split.scheme == "https" or is_local(address):
        return None
    return (
        f"{host_of(address)} is not asked over http, which would show the key and the memory to the network: "
        "give ANTHROPIC_BASE_URL an https address"
    )


def key_problem(key: str, name: str) -> str | None:
    """Say why a key cannot be one, without showing any of it; None where it can.

    Args:
        key: what was given for it.
        name: the variable that it stands in.
    """
    if key.isascii() and key.isprintable() and " " not in key:
        return None
    return f"the key in {name} holds a blank, or another character that no key has: copy it again"
