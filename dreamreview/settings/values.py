"""What each key of the configuration may hold; what it may not is refused with the rest of a sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from dreamreview.model.budget import Budget
from dreamreview.model.triggers import HOURS_LIMIT
from dreamreview.model.uploads import is_id
from dreamreview.store.rooted import shown

ENGINES = ("local", "claude", "hosted", "command")
"""What can dream; nothing but ``local`` ever sends memory anywhere, and only when it is named."""
EFFORTS = ("low", "medium", "high", "xhigh", "max")
"""How hard a model may think, as the Messages API calls it."""

_MOST_SESSIONS = 100
"""Sessions that one hosted dream reads at most. The Dreams API's limit."""
_UNITS = {"": 1, "b": 1, "kb": 1000, "kib": 1 << 10, "mb": 1000**2, "mib": 1 << 20, "gb": 1000**3, "gib": 1 << 30}


class InvalidValueError(Exception):
    """A value that its key cannot have; the message begins behind the key."""


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) and text and "\0" not in text for text in value):
        raise InvalidValueError(": it must be a list of texts, none of them empty")
    return tuple(value)


def _size(value: object) -> int:
    found = re.fullmatch(r"\s*(\d{1,15})\s*([a-z]*)\s*", str(value).lower()) if type(value) in (int, str) else None
    size = int(found[1]) * _UNITS[found[2]] if found and found[2] in _UNITS else 0
    if size <= 0:
        raise InvalidValueError(': it must be a number of bytes above 0, or a text such as "8 MiB"')
    return size


def _keymap(value: object) -> Mapping[str, str]:
    for key, keys in _table(value).items():
        if not isinstance(keys, str) or not keys.strip():
            raise InvalidValueError(f'.{shown(key)}: it must name a key, such as "ctrl+n"')
    return dict(_table(value))


def _theme(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[\w-]{1,100}", value):
        raise InvalidValueError(': it must be the name of a theme, such as "daylight"')
    return value


def _engine(value: object) -> str:
    if value not in ENGINES:
        raise InvalidValueError(f": it must be one of {', '.join(ENGINES)}")
    return str(value)


def _effort(value: object) -> str:
    if value not in EFFORTS:
        raise InvalidValueError(f": it must be one of {', '.join(EFFORTS)}")
    return str(value)


def _model(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[\w.:/@-]{1,200}", value):
        raise InvalidValueError(": it must be the id of a model")
    return value


def _semantic(value: object) -> str:
    if not isinstance(value, str) or not value or "\0" in value:
        raise InvalidValueError(': it must be "auto", "off", or the folder of a model')
    return value


def _names(value: object) -> tuple[str, ...]:
    names = _texts(value)
    for name in names:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,199}", name):
            raise InvalidValueError(f": {shown(name)} is no name of an environment variable")
    return names


def _beginnings(value: object) -> tuple[str, ...]:
    texts = _texts(value)
    for text in texts:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.\-]{2,39}", text):
            raise InvalidValueError(f": {shown(text)} is no beginning of a key: 3 to 40 letters, digits, _, . and -")
    return texts


def _sessions(value: object) -> tuple[str, ...]:
    ids = _texts(value)
    if not all(is_id(name) for name in ids) or len({*ids}) < len(ids) or len(ids) > _MOST_SESSIONS:
        raise InvalidValueError(f": it must be a list of at most {_MOST_SESSIONS} ids of sessions (sesn_..), each once")
    return ids


def _retention(value: object) -> Mapping[str, int | None]:
    days: dict[str, int | None] = {}
    for key, kept in _table(value).items():
        found = re.fullmatch(r"([0-9]{1,6})d?", str(kept), re.IGNORECASE) if type(kept) in (int, str) else None
        if kept == "forever":
            days[key] = None
        elif found and int(found[1]) > 0:
            days[key] = int(found[1])
        else:
            raise InvalidValueError(f'.{shown(key)}: it must be a number of days above 0, such as 90, or "forever"')
    return days


def _budgets(value: object) -> Budget:
    bounds: dict[str, Any] = {}
    known = [entry.name for entry in fields(Budget)]
    for key, bound in _table(value).items():
        if key not in known:
            raise InvalidValueError(f".{shown(key)}: there is no such key; known are {', '.join(known)}")
        bounds[key] = _number(bound, f".{key}") if key in {"seconds", "cost_usd"} else _count(bound, f".{key}")
    return Budget(**bounds)


def _hours(value: object) -> float:
    hours = _number(value)
    if hours > HOURS_LIMIT:
        raise InvalidValueError(f": it must be at most {HOURS_LIMIT:g}")
    return hours


def _number(value: object, place: str = "") -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value < math.inf:
        raise InvalidValueError(f"{place}: it must be a number above 0")
    return float(value)


def _count(value: object, place: str = "") -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidValueError(f"{place}: it must be a whole number above 0")
    return value


def _table(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidValueError(": it must be a table")
    return value


KEYS: Mapping[str, Callable[[object], object]] = {
    "stores": _texts,
    "ignore": _texts,
    "size_limit": _size,
    "keymap": _keymap,
    "theme": _theme,
    "engine": _engine,
    "model": _model,
    "effort": _effort,
    "command": _texts,
    "timeout": _number,
    "environment": _names,
    "transcripts": _texts,
    "hosted_sessions": _sessions,
    "semantic": _semantic,
    "budgets": _budgets,
    "retention": _retention,
    "hours": _hours,
    "sessions": _count,
    "secrets": _beginnings,
}
