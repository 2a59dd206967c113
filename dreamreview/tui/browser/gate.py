"""Which requests reach the app: those to this machine under its own name, with the key that was printed.

The app writes a person's memory, so two strangers are kept out. Another user of the machine can connect to its ports,
but does not have the key. A page from elsewhere in the same browser can send requests too, even under a name that it
made point to this machine, but it cannot choose what the browser says in `Host` and `Origin`.
"""

from __future__ import annotations

import hmac
import re
import secrets

KEY_BYTES = 16
"""Length of a key: what nobody guesses, and still fits one line of a terminal with the rest of the address."""

_LOOPBACK = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.ASCII | re.IGNORECASE)


def new_key() -> str:
    """Return a key nobody knows yet, in hexadecimal digits."""
    return secrets.token_hex(KEY_BYTES)


def is_key(given: str, key: str) -> bool:
    """Tell whether a key is the right one, in a time that tells nothing about it."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), key.encode())


def is_loopback(host: str | None) -> bool:
    """Tell whether a request names this machine by its loopback address, at whatever port a tunnel ends."""
    return host is not None and _LOOPBACK.fullmatch(host) is not None


def is_same_origin(origin: str | None, host: str | None) -> bool:
    """Tell whether a request was made by a page of the very server that it goes to; one without an origin was not."""
    return origin is not None and host is not None and origin.casefold() == f"http://{host}".casefold()
