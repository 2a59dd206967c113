"""Typed, bounded reading of untrusted JSON values; a fault knows the place in the document it was found at."""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, TypeVar

JsonObject = dict[str, Any]

T = TypeVar("T")

MAX_LINE_NUMBER = 2**31 - 1
"""Largest line number that is believed."""


class Fault(Exception):  # noqa: N818 - never leaves the reader; becomes an InvalidManifestError with its place
    """A value is not what the format says; the place is filled in on the way up."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.place = place
        self.message = message

    def below(self, place: str) -> Fault:
        """Return the same fault seen from the value that holds it."""
        joint = "." if self.place and not self.place.startswith("[") else ""
        return Fault(f"{place}{joint}{self.place}", self.message)

    def __str__(self) -> str:
        return f"{self.place or 'document'}: {self.message}"


class _Required:
    """Marks a key that has to be there."""


REQUIRED: Final = _Required()


def as_object(value: object) -> JsonObject:
    """Return a JSON object, or raise Fault."""
    if not isinstance(value, dict):
        raise Fault("", "expected an object")
    return value


def within(place: str, read: Callable[[Any], T], value: object) -> T:
    """Read a nested value, adding its place to whatever fault is found in it."""
    try:
        return read(value)
    except Fault as fault:
        raise fault.below(place) from None


def items(shape: JsonObject, key: str, read: Callable[[Any], T], limit: int) -> tuple[T, ...]:
    """Read a list of values under a key, each by `read`; a missing key is an empty list."""
    value = shape.get(key, [])
    if not isinstance(value, list):
        raise Fault(key, "expected a list")
    if len(value) > limit:
        raise Fault(key, f"holds {len(value)} entries, more than {limit}")
    found: list[T] = []
    for place, item in enumerate(value):
        try:
            found.append(read(item))
        except Fault as fault:
            raise fault.below(f"{key}[{place}]") from None
    return tuple(found)


def text(shape: JsonObject, key: str, limit: int, default: str | _Required = REQUIRED) -> str:
    """Read a text of at most `limit` characters that UTF-8 can hold."""
    value = shape.get(key, default)
    if type(value) is str and len(value) <= limit and value.isascii():  # nearly all of the many that a manifest holds
        return value
    if isinstance(value, _Required):
        raise Fault(key, "is missing")
    if not isinstance(value, str):
        raise Fault(key, "expected a text")
    return well_sized(value, key, limit)


def optional_text(shape: JsonObject, key: str, limit: int) -> str | None:
    """Read a text that may be null or missing."""
    return None if shape.get(key) is None else text(shape, key, limit)


def matching(
    shape: JsonObject, key: str, pattern: re.Pattern[str], what: str, default: str | _Required = REQUIRED
) -> str:
    """Read a text that a pattern matches as a whole."""
    value = text(shape, key, 10_000, default)
    if value != default and not pattern.fullmatch(value):
        raise Fault(key, f"expected {what}")
    return value


def one_of(shape: JsonObject, key: str, allowed: Collection[str], default: str | _Required = REQUIRED) -> str:
    """Read a text that is one of a few words."""
    value = text(shape, key, 10_000, default)
    if value not in allowed:
        raise Fault(key, f"expected one of {', '.join(sorted(allowed))}")
    return value


def well_sized(value: str, place: str, limit: int) -> str:
    """Return a text within its limit and without lone surrogates, or raise Fault."""
    if len(value) > limit:
        raise Fault(place, f"is longer than {limit} characters")
    try:
        if not value.isascii():
            value.encode("utf-8")
    except UnicodeEncodeError:
        raise Fault(place, "holds a lone surrogate") from None
    return value


def integer(shape: JsonObject, key: str, low: int, high: int, default: int | _Required = REQUIRED) -> int:
    """Read a whole number between two bounds, both included."""
    value = shape.get(key, default)
    if isinstance(value, _Required):
        raise Fault(key, "is missing")
    return whole(value, key, low, high)


def whole(value: object, place: str, low: int, high: int) -> int:
    """Return a whole number between two bounds, both included, or raise Fault."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Fault(place, "expected a whole number")
    if not low <= value <= high:
        raise Fault(place, f"expected a number from {low} to {high}")
    return value


def number(shape: JsonObject, key: str, low: float, high: float, default: float | _Required = REQUIRED) -> float:
    """Read a finite number between two bounds, both included; a whole one stays whole."""
    value = shape.get(key, default)
    if isinstance(value, _Required):
        raise Fault(key, "is missing")
    if not isinstance(value, int | float) or isinstance(value, bool) or not _is_between(value, low, high):
        raise Fault(key, f"expected a number from {low:g} to {high:g}")
    return value


def _is_between(value: float, low: float, high: float) -> bool:
    return math.isfinite(value) and low <= value <= high if isinstance(value, float) else low <= value <= high


def pair(shape: JsonObject, key: str) -> tuple[int, int]:
    """Read two line numbers, the first from 1 and the second at most one below it."""
    value = shape.get(key)
    if not isinstance(value, list) or len(value) != 2:
        raise Fault(key, "expected two line numbers, the first and the last")
    first = whole(value[0], key, -MAX_LINE_NUMBER, MAX_LINE_NUMBER)
    last = whole(value[1], key, -MAX_LINE_NUMBER, MAX_LINE_NUMBER)
    if first < 1:
        raise Fault(key, "first line must be at least 1")
    if last < first - 1:
        raise Fault(key, f"last line must be at least {first - 1}, which stands for an insertion")
    return first, last


def raw(shape: JsonObject, key: str) -> bytes:
    """Read bytes that are carried as text under `key`, or as base64 under ``key_b64``, which wins."""
    coded = shape.get(f"{key}_b64")
    if coded is None:
        return text(shape, key, MAX_LINE_NUMBER).encode("utf-8")
    if not isinstance(coded, str):
        raise Fault(f"{key}_b64", "expected a text")
    try:
        return base64.b64decode(coded, validate=True)
    except (binascii.Error, ValueError):
        raise Fault(f"{key}_b64", "is not base64") from None


def unique(names: Iterable[str], what: str, key: str, each: str) -> None:
    """Raise Fault at the first name that comes twice; `each` is the key of the name in its entry."""
    seen: set[str] = set()
    for place, name in enumerate(names):
        if name in seen:
            raise Fault(f"{key}[{place}].{each}", f"{what} {name} comes twice")
        seen.add(name)
